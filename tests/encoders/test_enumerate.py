"""Enumeration beside published counts and brute force."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache, partial
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from encoders.enumeration import enumerate_tours
from kt_models import InvalidTour, KTError, Problem, graph_of, verify_edges
from kt_models.files.check import check_again
from kt_models.limits import Limits, Stopped
from kt_models.runs.tour_task import TourTask
from kt_models.tour import tour_from_json
from tests import brute
from tests.command import answered
from tests.effort import slow
from tests.run_tools import found, task

kt = partial(answered, "enumerate")


# -- listing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["search", "sat"])
@pytest.mark.parametrize(
    ("board", "kind", "count", "classes"),
    [("5x6", "cycle", 8, 3), ("3x10", "cycle", 16, 6), ("3x12", "cycle", 176, 44), ("3x4", "path", 8, 3)],
)
def test_as_many_tours_are_listed_as_published(engine: str, board: str, kind: str, count: int, classes: int) -> None:
    tours = found(task(board, kind), engine)
    assert len(tours) == len(set(tours)) == count
    assert len(found(task(board, kind, up_to_symmetry=True), engine)) == classes


@cache
def tours_of_6x6() -> frozenset[frozenset[int]]:
    return frozenset(found(task("6x6")))


@pytest.mark.slow
def test_all_9862_tours_of_6x6_are_listed() -> None:
    assert len(tours_of_6x6()) == 9862


def test_all_open_tours_of_5x5_are_listed() -> None:
    assert 2 * len(set(found(task("5x5", "path")))) == 1728  # Directed, as it is published


@pytest.mark.parametrize(
    ("board", "objective", "value"),
    [pytest.param("6x6", "turns", 33, marks=pytest.mark.slow), ("5x6", "crossings", 50)],
)
def test_tours_of_a_value_are_those_of_brute_force(board: str, objective: str, value: int) -> None:
    graph = graph_of(board)
    values = brute.values(board, True, objective)
    wanted = {
        brute.edge_set(graph, order, True)
        for order, its in zip(brute.tours(board, True), values, strict=True)
        if its == value
    }
    tours = found(task(board, "cycle", objective, value=value), "sat")
    assert 0 < len(tours) == len(set(tours)) and set(tours) == wanted


@pytest.mark.parametrize("symmetry", ["rot90", *slow(["rot180", "diagonal"])])
def test_symmetric_tours_are_those_that_are_their_own_image(symmetry: str) -> None:
    asked = task("6x6", symmetry=symmetry)
    (generator,) = asked.problem.symmetry
    image = asked.problem.graph.edge_permutation(generator)
    wanted = {edges for edges in brute.edge_sets("6x6", True) if {int(image[e]) for e in edges} == edges}
    assert set(found(asked, "sat")) == wanted


@pytest.mark.parametrize(("board", "kind"), [("5x6", "cycle"), ("3x10", "cycle"), ("5x5", "path")])
@pytest.mark.parametrize("symmetry", ["rot180", "mirror-x", pytest.param("(x,-y)", marks=pytest.mark.slow)])
def test_both_engines_agree_on_symmetry(board: str, kind: str, symmetry: str) -> None:
    assert set(found(task(board, kind, symmetry=symmetry), "sat")) == set(
        found(task(board, kind, symmetry=symmetry), "search")
    )


def test_one_tour_of_each_class_is_listed() -> None:
    tours = list(enumerate_tours(task("5x6", up_to_symmetry=True)))
    assert all(np.array_equal(tour.order, tour.canonical().order) for tour in tours)
    everything = enumerate_tours(task("5x6"))
    assert {tuple(tour.canonical().order) for tour in everything} == {tuple(tour.order) for tour in tours}


def test_a_class_whose_canonical_form_is_not_asked_for() -> None:
    graph = graph_of("5x6")
    for edge in range(0, graph.m, 5):
        problem = Problem(graph, forbidden=frozenset([edge]))
        wanted = {tuple(tour.canonical().order) for tour in enumerate_tours(TourTask(problem))}
        tours = list(enumerate_tours(TourTask(problem, up_to_symmetry=True)))
        assert {tuple(tour.canonical().order) for tour in tours} == wanted and len(tours) == len(wanted)
        for tour in tours:
            verify_edges(problem, tour.edges)


@pytest.mark.slow
def test_moves_between_the_same_two_cells_are_told_apart() -> None:
    asked = task("torus:2x3")
    graph = asked.problem.graph
    wanted = set()
    for edges in map(np.array, combinations(range(graph.m), graph.n)):
        if (np.bincount(graph.ends[edges].ravel(), minlength=graph.n) == 2).all():
            with suppress(InvalidTour):
                verify_edges(asked.problem, edges)
                wanted.add(frozenset(edges.tolist()))
    assert wanted and set(found(asked)) == wanted
    with pytest.raises(KTError, match="same two cells"):
        list(enumerate_tours(asked, engine="search"))
    with pytest.raises(KTError, match="same two cells"):
        task("torus:2x4", up_to_symmetry=True)


@pytest.mark.parametrize("engine", ["search", "sat"])
def test_a_listing_ends_with_its_time(engine: str) -> None:
    with pytest.raises(Stopped):
        list(enumerate_tours(task("8x8"), Limits(0.3), engine=engine))


# -- the command -------------------------------------------------------------------------------------------------------


def test_command_lists(tmp_path: Path) -> None:
    status, out, err = kt("5x6")
    tours = [tour_from_json(json.loads(line)) for line in out.splitlines()]
    assert status == 0 and len(tours) == 8 and "8 tours" in err
    file = tmp_path / "tours.jsonl"
    status, out, _ = kt("5x6", "--up-to-symmetry", "-o", str(file))
    assert status == 0 and "3 classes" in out and len(file.read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("6x6 --count", 9862),
        ("5x5 --count --open", 864),
        ("6x6 --count --by turns --value 32", 18),
        ("6x6 --minimize turns", 18),
        ("6x6 --by turns --value 31", 0),
        ("6x6 --minimize turns --up-to-symmetry --count", 3),
        ("6x6 --count --symmetry rot90", 10),
        ("4x4", 0),
        ("4x4 --minimize turns --count", 0),
        ("5x6 --count --require a1-b3", 8),
        ("1x1 --open", 1),
    ],
)
def test_command_counts(words: str, count: int) -> None:
    status, out, _ = kt(*words.split(), "--json")
    assert status == 0 and json.loads(out)["count"] == count


def test_command_counts_by_value() -> None:
    status, out, _ = kt("6x6", "--count", "--by", "turns", "--json")
    assert status == 0
    assert json.loads(out)["by_value"] == {"32": 18, "33": 344, "34": 1816, "35": 4504, "36": 3180}


def test_a_list_without_a_tour_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    assert kt("4x4", "-o", str(file))[0] == 0 and file.read_bytes() == b""
    verdict = check_again(file)
    assert verdict.text == "a list of 0 tours, which claims nothing" and not verdict.shown
    assert kt("5x6", "--up-to-symmetry", "-o", str(file))[0] == 0 and "3 different tours" in check_again(file).text


def test_a_single_tour_is_told_in_the_singular(tmp_path: Path) -> None:
    (tmp_path / "g.edges").write_text("10 20\n20 30\n30 10\n")
    _, out, _ = kt(str(tmp_path / "g.edges"), "--count")
    assert "count      1 Hamiltonian cycle\n" in out and "there is exactly 1 Hamiltonian cycle of" in out
    _, out, err = kt("3x4", "--open", "--count", "--up-to-symmetry", "--from", "a1", "--to", "b1")
    out += err
    assert "1 class of tours\n" in out
    assert "exactly 1 class, under the 4 symmetries of the board, of open knight's" in out
    _, out, _ = kt("3x4", "--open", "--count", "--from", "a1")
    assert "there are exactly 2 open knight's tours that end at a1 of 3x4" in out


@pytest.mark.parametrize(
    "words",
    [
        "",
        "6x6 --value 3",
        "6x6 --minimize turns --value 3",
        "6x6 --resume",
        "6x6 --engine no",
        "6x6 --count -o x.jsonl",
        "6x6 --memory -1",
        "6x6 --count --time-limit -1",
        "12x12 --count --memory 0.01",
        "6x6 --by turns",
        "6x6 --by turns --count --symmetry rot90 --engine sat",
        "6x6 --by turns --run {}",
        "6x6 --by turns --count --up-to-symmetry --run {}",
        "6x6 --cubes 8",
        "6x6 --run {} --memory 0.001",
        "--run {} --resume --open",
        "6x6 --run {} --cubes 0",
        "6x6 --run {} --cube-time 0",
        "--run {} --resume",
        "6x6 --count --distinguish-moves",
        "6x6 --run {}/no\0such",
    ],
)
def test_senseless_enumerations_are_refused_in_one_line(words: str, tmp_path: Path) -> None:
    status, out, err = kt(*words.format(tmp_path / "run").split())
    assert status == 2 and out == "" and err.startswith("kt: ") and err.count("\n") == 1
