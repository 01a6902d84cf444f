"""Problems, solutions of every connectivity, and results that cannot be wrong."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from encoders.bounds import certify_lower_bound
from encoders.solve import solve
from kt_models import (
    InvalidTour,
    KTError,
    MoveGraph,
    Problem,
    Result,
    Symmetry,
    Tour,
    Weights,
    graph_of,
    verify_edges,
)
from kt_models.errors import CertificateError, TooLarge
from kt_models.files.check import check_directory, check_file, check_result
from kt_models.limits import Limits
from kt_models.storage import MAX_EXPANSION, parse_json
from kt_models.tour import tour_to_json
from kt_models.walks import walks_of
from tests import brute
from tests.run_tools import finished, task
from tests.strategies import tours


def tour_of(board: str, closed: bool = True, index: int = 0) -> Tour:
    return Tour(graph_of(board), np.array(brute.tours(board, closed)[index]), closed)


@given(tours())
def test_a_tour_solves_its_problem_and_its_value_is_measured(tour: Tour) -> None:
    for metric in ("turns", "crossings"):
        problem = Problem(tour.graph, "cycle" if tour.closed else "path", metric)
        result = Result(problem, "feasible", tour)
        assert result.value == tour.measure(metric)
        same = Result(problem, "feasible", edges=tour.edges)
        assert np.array_equal(same.tour.normalised().order, tour.normalised().order)
        assert len(verify_edges(problem, tour.edges)) == 1


@given(tours(), st.data())
def test_a_result_with_an_invalid_tour_cannot_exist(tour: Tour, data: st.DataObject) -> None:
    problem = Problem(tour.graph, "cycle" if tour.closed else "path")
    order = tour.order.tolist()
    i = data.draw(st.integers(0, len(order) - 1))
    broken = data.draw(
        st.sampled_from([order[:i] + order[i + 1 :], [*order, order[i]], [*order[:i], order[i - 1], *order[i + 1 :]]])
    )
    with pytest.raises(InvalidTour):
        Result(problem, "feasible", Tour(tour.graph, np.array(broken), tour.closed))
    with pytest.raises(InvalidTour):
        Result(problem, "feasible", edges=np.delete(tour.edges, i % len(tour.edges)))


def test_results_whose_numbers_do_not_fit_cannot_exist() -> None:
    tour = tour_of("5x6")
    plain, turns = Problem(tour.graph), Problem(tour.graph, objective="turns")
    value = tour.measure("turns")
    Result(turns, "optimal", tour, bound=value)
    for fault in (
        lambda: Result(turns, "optimal", tour, bound=value - 1),
        lambda: Result(turns, "feasible", tour, bound=value + 1),
        lambda: Result(turns, "optimal", tour),
        lambda: Result(plain, "optimal", tour),
        lambda: Result(plain, "infeasible", tour),
        lambda: Result(plain, "feasible"),
        lambda: Result(plain, "splendid", tour),
        lambda: replace(Result(plain, "feasible", tour), tour=tour_of("3x10")),
        lambda: Result(Problem(tour.graph, "path"), "feasible", tour),
    ):
        with pytest.raises(KTError):
            fault()


def test_constraints_are_verified() -> None:
    tour = tour_of("5x6")
    used = set(tour.edges.tolist())
    unused = set(range(tour.graph.m)) - used
    for problem, message in [
        (Problem(tour.graph, required=frozenset(unused)), "required move"),
        (Problem(tour.graph, forbidden=frozenset(used)), "forbidden move"),
    ]:
        with pytest.raises(InvalidTour, match=message):
            Result(problem, "feasible", tour)
        with pytest.raises(InvalidTour, match=message):
            verify_edges(problem, tour.edges)
    assert Result(Problem(tour.graph, required=frozenset(used), forbidden=frozenset(unused)), "feasible", tour)
    for order in brute.tours("5x6", True):
        other = Tour(tour.graph, np.array(order), True)
        problem = Problem(tour.graph, symmetry=(Symmetry.parse("rot180"),))
        if Symmetry.parse("rot180") in other.symmetries():
            Result(problem, "feasible", other)
        else:
            with pytest.raises(InvalidTour, match="not symmetric"):
                Result(problem, "feasible", other)


def test_ends_are_verified() -> None:
    tour = tour_of("5x5", closed=False)
    ends = (int(tour.order[0]), int(tour.order[-1]))
    middle = int(tour.order[7])
    Result(Problem(tour.graph, "path", terminals=ends), "feasible", tour)
    Result(Problem(tour.graph, "path", terminals=ends[1:]), "feasible", tour)
    with pytest.raises(InvalidTour, match="start or end"):
        Result(Problem(tour.graph, "path", terminals=(middle,)), "feasible", tour)
    with pytest.raises(InvalidTour):
        verify_edges(Problem(tour.graph, "path", terminals=(middle,)), tour.edges)


def test_linkages_and_two_factors() -> None:
    square = MoveGraph.from_edges(6, [[0, 1], [1, 2], [3, 4], [4, 5], [2, 5], [0, 3]])
    rows = np.array([square.edges_between(u, v)[0] for u, v in ((0, 1), (1, 2), (3, 4), (4, 5))])
    assert len(verify_edges(Problem(square, "linkage", terminals=(0, 2, 3, 5)), rows)) == 2
    assert len(verify_edges(Problem(square, "paths", terminals=(0, 5, 3, 2)), rows)) == 2
    with pytest.raises(InvalidTour, match="not joined"):
        verify_edges(Problem(square, "linkage", terminals=(0, 3, 2, 5)), rows)
    two = MoveGraph.from_edges(6, [[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5]])
    everything = np.arange(6)
    assert len(verify_edges(Problem(two, "any"), everything)) == 2
    with pytest.raises(InvalidTour, match="2 separate parts"):
        verify_edges(Problem(two), everything)


@pytest.mark.parametrize(
    "make",
    [
        lambda g: Problem(g, "knot"),
        lambda g: Problem(g, objective="beauty"),
        lambda g: Problem(g, terminals=(1,)),
        lambda g: Problem(g, "path", terminals=(1, 1)),
        lambda g: Problem(g, "path", terminals=(1, 2, 3)),
        lambda g: Problem(g, "path", terminals=(25,)),
        lambda g: Problem(g, "linkage", terminals=(1,)),
        lambda g: Problem(g, "linkage"),
        lambda g: Problem(g, required=frozenset({-1})),
        lambda g: Problem(g, forbidden=frozenset({10**6})),
        lambda g: Problem(graph_of("4x5"), symmetry=(Symmetry.parse("rot90"),)),
        lambda g: Problem(g, "linkage", terminals=(0, 1), symmetry=(Symmetry.parse("rot180"),)),
        lambda g: Problem(MoveGraph.from_edges(3, [[0, 1]]), objective="turns"),
    ],
)
def test_problems_that_make_no_sense_are_refused(make) -> None:
    with pytest.raises(KTError):
        make(graph_of("5x5"))


def test_problems_survive_json() -> None:
    graph = graph_of("6x6")
    weights = Weights(np.array([0, 1], np.int32), np.array([2, 1], np.int32), np.array([3, -4]), "mine")
    for problem in (
        Problem(graph),
        Problem(graph, "path", "turns", terminals=(0, 5), required=frozenset({1}), forbidden=frozenset({2, 3})),
        Problem(graph, objective="crossings", symmetry=(Symmetry.parse("rot90"),)),
        Problem(graph, objective=weights),
        Problem(MoveGraph.from_edges(3, [[0, 1], [1, 2], [0, 2]])),
    ):
        back = Problem.from_json(json.loads(json.dumps(problem.to_json())))
        assert back.to_json() == problem.to_json()
        assert back.graph == problem.graph


@given(tours())
def test_result_files_are_rebuilt_when_checked(tmp_path_factory, tour: Tour) -> None:
    problem = Problem(tour.graph, "cycle" if tour.closed else "path", "turns")
    data = json.loads(json.dumps(Result(problem, "feasible", tour, bound=3).to_json()))
    assert f"{tour.measure('turns')} turns" in check_result(data).text
    for key, value in (("turns", 1), ("crossings", 10**6), ("value", 1), ("bound", 10**6), ("status", "infeasible")):
        with pytest.raises((InvalidTour, KTError)):
            check_result({**data, key: value})
    path = tmp_path_factory.mktemp("r") / "r.json"
    path.write_text(json.dumps({**data, "tour": data["tour"][:-1]}))
    with pytest.raises(InvalidTour, match="not visited"):
        check_file(path)


def test_notebooks_show_drawings() -> None:
    tour = tour_of("5x6")
    for subject in (tour, tour.graph.board, Result(Problem(tour.graph), "feasible", tour)):
        assert subject._repr_svg_().rstrip().endswith("</svg>")
    factor = Result(Problem(tour.graph, "any"), "feasible", edges=tour.edges)
    assert factor._repr_svg_().rstrip().endswith("</svg>")
    assert graph_of("2x2x2x2x2").board._repr_svg_() is None  # No drawing, no exception
    assert graph_of("9000x9000").board._repr_svg_() is None


def test_pair_weights_of_ones_own() -> None:
    graph = graph_of("5x6")
    heavy = Weights(np.array([3, 3]), np.array([3, 4]), np.array([10, 7]))  # Edge 3 alone, and 3 with 4
    problem = Problem(graph, objective=heavy)
    for order in brute.tours("5x6", True):
        edges = brute.edge_set(graph, order, True)
        assert problem.value(np.array(sorted(edges))) == 10 * (3 in edges) + 7 * ({3, 4} <= edges)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=8))
def test_walks_cover_everything_once(sizes: list[int]) -> None:
    """Paths and cycles of given sizes, put together and taken apart again."""
    ends, n, expected = [], 0, []
    for size in sizes:
        if size >= 3:
            ends += [(n + i, n + (i + 1) % size) for i in range(size)]
        else:
            ends += [(n + i, n + i + 1) for i in range(size - 1)]
        count = max(size, 1)
        expected.append((count, size >= 3))
        n += count
    walks = walks_of(n, np.array(ends, dtype=np.int64).reshape(-1, 2))
    assert sorted((len(w.vertices), w.closed) for w in walks) == sorted(expected)
    assert sorted(v for w in walks for v in w.vertices) == list(range(n))
    assert sorted(e for w in walks for e in w.edges) == list(range(len(ends)))


@pytest.mark.parametrize("connectivity", ["any", "linkage"])
def test_keys_beside_the_chosen_moves_are_compared_with_them(connectivity: str) -> None:
    from encoders import solve

    problem = Problem(graph_of("4x4"), connectivity, terminals=(0, 15, 3, 12))
    data = json.loads(json.dumps(solve(problem, limits=Limits(workers=1)).to_json()))
    check_result(data)
    for key in ("paths", "cycles"):
        for wrong in ([], [[[0, 0], [1, 2]]], data[key][:-1], None, 1):
            if wrong != data[key]:
                with pytest.raises(InvalidTour, match=key):
                    check_result({**data, key: wrong})
    with pytest.raises(InvalidTour):
        check_result({**data, "chosen": data["chosen"][::-1]})


def test_chosen_moves_beside_a_tour_are_those_of_the_tour() -> None:
    result = Result(Problem(graph_of("5x6")), "feasible", tour_of("5x6"))
    data, edges = result.to_json(), sorted(result.edges.tolist())
    check_result({**data, "chosen": edges})
    for more in ({"chosen": edges[:-1]}, {"chosen": []}, {"paths": []}, {"cycles": []}):
        with pytest.raises(InvalidTour, match=next(iter(more))):
            check_result({**data, **more})


def test_a_tour_of_a_piece_whose_crossings_are_too_many_to_count_is_a_tour(tmp_path) -> None:
    path = tmp_path / "long.tour"
    graph = MoveGraph.from_json({"board": "far", "leaper": "1,2000", "cells": [[0, 0], [1, 2000], [2, 0]]})
    cells = graph.board.cells.tolist()
    order = [cells.index(cell) + 1 for cell in ([0, 0], [1, 2000], [2, 0])]
    path.write_text("COMMENT : kt closed=0\nTOUR_SECTION\n" + "\n".join(map(str, order)) + "\n-1\n")
    verdict = check_file(path, graph)
    assert not verdict.stated
    assert "crossings not counted" in verdict.text


def test_files_are_read_within_the_memory_that_is_allowed(tmp_path) -> None:
    path = tmp_path / "tour.json"
    path.write_text(json.dumps(tour_to_json(tour_of("5x6"))))
    size = path.stat().st_size
    check_file(path, limits=Limits(memory=size * MAX_EXPANSION))
    with pytest.raises(TooLarge, match="the most that is read"):
        check_file(path, limits=Limits(memory=(size - 1) * MAX_EXPANSION))


@pytest.mark.parametrize("text", ['{"kind": "tour", "kind": "result"}', '{"a": [{"b": 1, "b": 1}]}'])
def test_a_key_that_stands_there_twice_is_refused(text: str) -> None:
    with pytest.raises(KTError, match="twice"):
        parse_json(text)


@pytest.mark.parametrize("name", ["result.json", "proof.lrat"])
def test_an_answer_in_the_folder_of_a_run_is_not_passed_over(tmp_path, name: str) -> None:
    finished(tmp_path / "run", task("5x6"))
    check_directory(tmp_path / "run")
    (tmp_path / "run" / name).write_text("{}")
    with pytest.raises(KTError, match=name):
        check_directory(tmp_path / "run")


def test_another_bound_is_checked_and_the_tour_is_not_verified_again(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem(graph_of("5x6"), objective="turns")
    tour = solve(problem).tour
    result = Result(problem, "feasible", tour)
    other = certify_lower_bound(Problem(graph_of("6x6"), objective="turns"))
    monkeypatch.setattr("kt_models.result.solution_edges", None)
    assert result.with_bound("optimal", result.value).status == "optimal"
    assert result.with_bound("optimal", result.value).with_bound("feasible", None).bound is None
    for status, bound in (("optimal", 27), ("feasible", 29), ("infeasible", None), ("unknown", None), ("best", 28)):
        with pytest.raises(KTError):
            result.with_bound(status, bound)  # type: ignore[arg-type]
    with pytest.raises(CertificateError, match="about another claim"):
        result.with_bound("feasible", 28, other)
