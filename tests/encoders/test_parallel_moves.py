"""Two moves that join the same two cells: a tour is an order of cells, or, if asked, the moves that it makes."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise, product
from math import prod
from pathlib import Path

import pytest

import kt
from kt_models import KTError, MoveGraph, Problem, graph_of
from kt_models.kernel.certificates import Statement
from tests import brute
from tests.command import kt as command
from tests.command import kt_json
from tests.effort import slow_rows

BOARDS = [
    ("torus:3x3", "1,2", False), ("cylinder:4x3", "1,2", False), ("cylinder:2x4", "0,1", False),
    ("torus:2x4", "0,1", True), ("cylinder:4x2", "0,1+0,2", True), ("torus:3x3-a1", "1,2", True),
    *slow_rows([("torus:3x3", "1,2", True), ("torus:3x4", "1,2", False), ("torus:4x4-a1,a2", "1,2", False)]),
]  # fmt: skip
"""Boards with parallel moves, a piece, and whether tours are open."""


@cache
def ways(board: str, leaper: str) -> dict[frozenset[int], int]:
    """The number of moves between each two cells, from coordinates alone."""
    graph = kt.graph(board, leaper=leaper)
    cells, shape, wraps = graph.board.cells.tolist(), graph.board.shape, graph.board.wraps
    number = {tuple(cell): v for v, cell in enumerate(cells)}
    vectors = set()
    for part in leaper.split("+"):
        a, b = map(int, part.split(","))
        vectors |= {(s * x, t * y) for x, y in ((a, b), (b, a)) for s, t in product((1, -1), repeat=2)}
    joined: dict[frozenset[int], int] = {}
    for v, (x, y) in enumerate(cells):
        for dx, dy in vectors:
            there = [(x + dx) % shape[0] if wraps[0] else x + dx, (y + dy) % shape[1] if wraps[1] else y + dy]
            u = number.get(tuple(there))
            if u is not None and u > v:
                joined[frozenset((u, v))] = joined.get(frozenset((u, v)), 0) + 1
    return joined


@cache
def orders(board: str, leaper: str, is_open: bool) -> frozenset[frozenset[frozenset[int]]]:
    """The pairs of cells of every tour, each once."""
    pairs = sorted(map(sorted, ways(board, leaper)))
    graph = MoveGraph.from_edges(kt.graph(board, leaper=leaper).n, pairs)
    found = brute.paths(graph) if is_open else brute.cycles(graph)
    rounds = (order if is_open else (*order, order[0]) for order in found)
    return frozenset(frozenset(map(frozenset, pairwise(order))) for order in rounds)


@pytest.mark.parametrize(
    ("board", "tours"), [("torus:4x4", 1344), ("torus:3x3", 48), ("cylinder:4x3", 2)]
)  # The first is the 4-cube: OEIS A066037
def test_tours_of_small_periodic_boards_are_orders_of_cells(board: str, tours: int) -> None:
    assert kt.count(board) == kt_json("enumerate", board, "--count")["count"] == tours
    assert len({tuple(tour.normalised()) for tour in kt.tours(board)}) == tours
    assert kt.at_least(board, tours) and not kt.at_least(board, tours + 1)


@pytest.mark.parametrize(("board", "leaper", "is_open"), BOARDS)
def test_both_conventions_agree_with_brute_force(board: str, leaper: str, is_open: bool) -> None:
    every, by_pair = orders(board, leaper, is_open), ways(board, leaper)
    told = sum(prod(by_pair[pair] for pair in tour) for tour in every)
    assert told > len(every) > 0
    asked = {"leaper": leaper, "open": is_open}
    assert kt.count(board, **asked) == len(every)
    assert {tour_pairs(tour) for tour in kt.tours(board, **asked)} == every
    assert kt.count(board, **asked, distinguish_moves=True) == told
    if told < 3000:
        tours = list(kt.tours(board, **asked, distinguish_moves=True))
        assert len(set(tours)) == len(tours) == told and {tour_pairs(tour) for tour in tours} == every


def tour_pairs(tour: kt.Tour) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(tour.graph.ends[e].tolist()) for e in tour.edges)


@pytest.mark.parametrize(("board", "leaper", "is_open"), BOARDS[:4])
def test_conditions_are_about_pairs_of_cells(board: str, leaper: str, is_open: bool) -> None:
    every, graph = orders(board, leaper, is_open), kt.graph(board, leaper=leaper)
    asked = {"leaper": leaper, "open": is_open}
    for pair in list(ways(board, leaper))[:6]:
        move = "-".join(graph.name_of(v) for v in pair)
        with_it = sum(pair in tour for tour in every)
        for name, wanted in (("require", with_it), ("forbid", len(every) - with_it)):
            assert kt.count(board, **asked, **{name: move}) == wanted, (name, move)
            assert len(list(kt.tours(board, **asked, **{name: move}))) == wanted, (name, move)
            assert not kt.at_least(board, wanted + 1, **asked, **{name: move}), (name, move)
    for symmetry in graph.symmetries()[1:]:
        image = symmetry.permutation(graph.board).tolist()
        wanted = sum(frozenset(frozenset(image[v] for v in pair) for pair in tour) == tour for tour in every)
        assert kt.count(board, **asked, symmetry=symmetry) == wanted, symmetry
        assert len(list(kt.tours(board, **asked, symmetry=symmetry))) == wanted, symmetry
        assert not kt.at_least(board, wanted + 1, **asked, symmetry=symmetry), symmetry


def test_a_problem_of_moves_is_counted_by_cells() -> None:
    """Two cells are forbidden if all moves between them are; two moves between them are in no tour."""
    graph = graph_of("torus:3x3")
    first, second = graph.edges_between(0, graph.find("b3"))
    for required, forbidden, wanted in (
        ((), (first,), 48), ((), (first, second), 24), ((first,), (second,), 24), ((first,), (first,), 0),
        ((first, second), (), 0), ((first,), (), 24),
    ):  # fmt: skip
        problem = Problem(graph, required=frozenset(required), forbidden=frozenset(forbidden))
        assert kt.count(problem) == len(list(kt.tours(problem))) == wanted, (required, forbidden)


def test_sums_depend_on_moves_and_the_claim_says_so() -> None:
    told = "told apart by their moves"
    by_turns = kt_json("enumerate", "torus:3x3", "--count", "--by", "turns")
    assert by_turns["count"] == 24576 and by_turns["distinguish_moves"] is True and told in by_turns["claims"][0]
    assert kt.count("torus:3x3", by="turns", value=6) == by_turns["by_value"]["6"]
    fewest = kt_json("enumerate", "torus:3x3", "--count", "--minimize", "turns")
    assert fewest["count"] == by_turns["by_value"]["6"] and told in fewest["claims"][0]
    limited = kt_json("enumerate", "torus:3x3", "--count", "--at-most", "turns=6")
    assert limited["count"] == by_turns["by_value"]["6"] and told in limited["claims"][0]
    plain = kt_json("enumerate", "torus:3x3", "--count")
    assert plain["distinguish_moves"] is False and "as orders of cells" in plain["claims"][0]
    assert "orders" not in kt_json("enumerate", "torus:5x6", "--open", "--at-least", "1")["claims"]
    problem = Problem(graph_of("torus:3x3"))
    assert problem.digest != problem.by_cells.digest
    assert Statement(problem, "count", 48).digest != Statement(problem.by_cells, "count", 48).digest
    with pytest.raises(KTError, match="depends on which"):
        Problem(problem.by_cells.graph, objective="turns")


def test_lists_of_moves_carry_them_and_lists_of_cells_do_not() -> None:
    for words, moves, tours in (((), False, 2), (("--distinguish-moves",), True, kt.count(
        "cylinder:4x3", distinguish_moves=True)),):  # fmt: skip
        lines = [json.loads(line) for line in command("enumerate", "cylinder:4x3", *words).stdout.splitlines()]
        assert len(lines) == tours
        assert all(("moves" in line) == ("turns" in line) == moves for line in lines)
        assert len({json.dumps([line["tour"], line.get("moves")]) for line in lines}) == tours


def test_numberings_are_of_cells() -> None:
    wanted = sum(2 for tour in orders("torus:3x3", "1,2", False) for _ in (tour,))
    assert kt.count("torus:3x3", numbers={"a1": 1}) == wanted == len(list(kt.tours("torus:3x3", numbers={"a1": 1})))


def test_runs_keep_their_convention(tmp_path: Path) -> None:
    def run(*words: str) -> dict:
        return kt_json("enumerate", *words, "--workers", "1", "--cubes", "4")

    cells = run("torus:3x3", "--run", str(tmp_path / "cells"))
    assert cells["count"] == 48 and "orders of cells" in cells["claims"][0]
    moves = run("torus:3x3", "--count", "--distinguish-moves", "--run", str(tmp_path / "moves"))
    assert moves["count"] == 24576 and "told apart" in moves["claims"][0]
    again = kt_json("enumerate", "--run", str(tmp_path / "moves"), "--resume")
    assert again["count"] == 24576 and again["distinguish_moves"] is True
    for other in (("--distinguish-moves",), ()):
        refused = command("enumerate", "torus:3x3", "--count", *other, "--run", str(tmp_path / "cells"))
        assert refused.exit_code == 2 and "holds a run" in refused.stderr
    # A run must say what it counts.
    path = tmp_path / "moves" / "problem.json"
    data = json.loads(path.read_text())
    del data["task"]["distinguish_moves"]
    path.write_text(json.dumps(data))
    refused = command("enumerate", "--run", str(tmp_path / "moves"), "--resume")
    assert refused.exit_code == 2 and "begin again" in refused.stderr and refused.stderr.count("\n") == 1


def test_a_folder_of_layers_keeps_its_convention(tmp_path: Path) -> None:
    folder = ("--folder", str(tmp_path / "layers"))
    assert kt_json("enumerate", "torus:4x4", "--count", *folder)["count"] == 1344
    refused = command("enumerate", "torus:4x4", "--count", "--distinguish-moves", *folder)
    assert refused.exit_code == 2 and "of another count" in refused.stderr
    assert kt_json("enumerate", "torus:4x4", "--count", *folder)["count"] == 1344


def test_tours_through_stops_keep_their_moves() -> None:
    asked = {"leaper": "0,1+1,1,1", "symmetry": "(x,-y,z)", "in_order": ["1,0,0", "0,1,1"], "by": "length"}
    tours = list(kt.tours("cylinder:2x2x2", value=10.928204, **asked))
    assert len({frozenset(tour.edges.tolist()) for tour in tours}) == len(tours) == 24
    assert {tour[0] for tour in tours} == {(1, 0, 0)}


@pytest.mark.parametrize("more", [[], ["--require", "a1-b1"], ["--symmetry", "(-x,y)"], ["--distinguish-moves"]])
def test_models_of_a_clause_file_are_the_tours_that_are_counted(more: list[str], tmp_path: Path) -> None:
    from pysat.formula import CNF
    from pysat.solvers import Solver

    path, asked = tmp_path / "m.cnf", ["cylinder:4x1", "--leaper", "0,1+0,3", "--open"]
    if more == ["--distinguish-moves"]:  # A limit of a sum depends on the moves
        more = ["--at-most", "turns=9"]
    assert command("convert", *asked[:1], path, *asked[1:], *more).exit_code == 0
    edges = range(1, 1 + len(json.loads((tmp_path / "m.cnf.map").read_text())["variables"]))
    models = 0
    with Solver("g4", bootstrap_with=CNF(from_file=str(path)).clauses) as solver:
        while solver.solve():
            true = set(solver.get_model())
            solver.add_clause([-e if e in true else e for e in edges])
            models += 1
    assert models == kt_json("enumerate", *asked, *more, "--count")["count"] > 0


def test_one_of_two_moves_can_be_required_beside_a_sum() -> None:
    asked = ["enumerate", "cylinder:2x3", "--leaper", "0,1", "--open", "--by", "turns", "--count"]
    answer, every, without = (kt_json(*asked, *more) for more in (["--require", "a1-b1"], [], ["--forbid", "a1-b1"]))
    assert answer["count"] == every["count"] - without["count"] > 0
    assert "with at least 1 of the moves a1-b1" in answer["claims"][0]
    result = kt.solve("cylinder:2x3", leaper="0,1", require=["a1-b1"], minimize="crossings")
    assert kt.check(result).shown and result.problem == kt.Problem.from_json(result.problem.to_json())
