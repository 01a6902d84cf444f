"""Cubes: every tour is in one of them, and a cover with a hole is found out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from encoders.counting.count import count_by_halves
from encoders.enumeration.split import Splitter
from kt_models import CertificateError, KTError, MoveGraph, Problem, graph_of
from kt_models.runs.cubes import Cube, check_cover
from kt_models.runs.tour_task import TourTask
from tests.effort import part_of
from tests.run_tools import found, task
from tests.strategies import small_graphs


@settings(max_examples=part_of(60), deadline=None)
@given(small_graphs(), st.sampled_from(["cycle", "path"]), st.integers(1, 12), st.booleans())
def test_every_tour_is_in_one_cube(graph: MoveGraph, kind: str, parts: int, counting: bool) -> None:
    problem = Problem(graph, kind)  # type: ignore[arg-type]
    cubes = _split(TourTask(problem, counting=counting), parts)
    assert check_cover(cubes) == len(cubes) <= parts
    tours = [edges for cube in cubes for edges in found(TourTask(cube.of(problem)))]
    assert sorted(map(sorted, tours)) == sorted(map(sorted, found(TourTask(problem))))
    assert [Cube.parse(cube.name) for cube in cubes] == cubes


trees = st.recursive(
    st.just([()]),
    lambda parts: st.tuples(st.integers(0, 9), parts, parts).map(
        lambda node: [((node[0], made), *rest) for made, side in ((True, node[1]), (False, node[2])) for rest in side]
    ),
    max_leaves=20,
)


@given(trees, st.data())
def test_covers_are_told_from_other_sets_of_cubes(
    tree: list[tuple[tuple[int, bool], ...]], data: st.DataObject
) -> None:
    cubes = sorted((Cube(path) for path in tree), key=lambda cube: cube.name)
    assert check_cover(cubes) == len(cubes)
    victim = data.draw(st.integers(0, len(cubes) - 1))
    with pytest.raises(CertificateError):
        check_cover(cubes[:victim] + cubes[victim + 1 :])
    with pytest.raises(CertificateError):
        check_cover(sorted([*cubes, cubes[victim].child(99, True)], key=lambda cube: cube.name))
    with pytest.raises(CertificateError):
        check_cover(sorted([*cubes, cubes[victim]], key=lambda cube: cube.name))


@given(st.lists(st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=3), max_size=6))
def test_accepted_covers_cover_each_set_once(paths: list[list[tuple[int, bool]]]) -> None:
    cubes = sorted((Cube(tuple(path)) for path in paths), key=lambda cube: cube.name)
    try:
        check_cover(cubes)
    except CertificateError:
        return
    for number in range(16):
        edges = {edge for edge in range(4) if number >> edge & 1}
        assert sum(cube.holds(edges) for cube in cubes) == 1


def test_two_edges_at_a_node() -> None:
    with pytest.raises(CertificateError, match="everything is covered"):
        check_cover(map(Cube.parse, ["+1", "-1", "+2"]))


@pytest.mark.parametrize("name", ["", "1", "+", "+1.", "+01", "+1 -2", "+1\n", "+9999999999"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(KTError):
        Cube.parse(name)


def test_cubes_are_deterministic() -> None:
    first, second = ([c.name for c in _split(task("6x6"), 50)] for _ in range(2))
    assert first == second and len(first) == 50


@pytest.mark.slow
def test_cubes_of_a_count_are_cut_in_the_middle() -> None:
    """Cubes share the states of the largest layers; cut at a corner, they take 5.6 times as many states."""
    whole = Problem(graph_of("5x8"))
    cubes = [cube.of(whole) for cube in _split(task("5x8", counting=True), 8)]
    counts = [count for problem in [whole, *cubes] if (count := count_by_halves(problem))]
    assert counts[0].total == sum(count.total for count in counts[1:]) == 44202
    assert sum(count.all_states for count in counts[1:]) < 4 * counts[0].all_states


def _split(asked: TourTask, parts: int) -> list[Cube]:
    with Splitter(asked) as splitter:
        return splitter.split(Cube(), parts)
