"""Semi-magic tours: what the search finds, refuses and rules out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from encoders.magic import MagicTask, search_magic
from encoders.magic.model import magic_model, magic_table
from encoders.magic.quartes import QuarteSearch
from encoders.magic.structures import structures
from encoders.numbering.engine import NumberEngine
from encoders.work.run import Run
from heuristics.find import find
from kt import magic, problem
from kt import tours as tours_of
from kt_models import KTError, Leaper, Problem, Symmetry, TooLarge, Tour, graph_of, read_tour
from kt_models.limits import Limits
from kt_models.line_sums import line_sums
from kt_models.problem import Connectivity
from tests.brute import cycles, paths
from tests.command import kt, kt_json
from tests.effort import slow_rows
from tests.heuristics.test_magic import BEVERLEY, tour_of


def held(tour: Tour, moves: int) -> Problem:
    """The open tours that make the first moves of a tour."""
    return Problem(tour.graph, "path", required=frozenset(tour.edges[:moves].tolist()))


def test_beverleys_square_is_found_again() -> None:
    """From its first 36 moves, with the structure that it has; the other 27 are the search's."""
    tour = tour_of(BEVERLEY)
    answer = search_magic(MagicTask(held(tour, 36), start=int(tour.order[0]), quartes=True, halves=True))
    assert answer.status == "feasible" and answer.result is not None and answer.result.tour is not None
    assert answer.result.tour.order.tolist() == tour.order.tolist()
    assert answer.sums == line_sums(tour)


def test_a_tour_without_such_sums_is_ruled_out() -> None:
    tour = find(Problem(graph_of("6x6"), "path")).tour
    assert tour is not None
    assert search_magic(MagicTask(held(tour, 35))).status == "infeasible"
    beverley = MagicTask(held(tour_of(BEVERLEY), 63), quartes=True, diagonals=True)
    assert search_magic(beverley).status == "infeasible"


@pytest.mark.parametrize(("board", "leaper"), [("3x3", "0,1"), ("4x4", "0,1"), ("4x4", "1,2"), ("2x4", "0,1")])
def test_small_boards_have_none_as_brute_force_says(board: str, leaper: str) -> None:
    graph = graph_of(board, Leaper.parse(leaper))
    for closed in (True, False):
        starts = range(graph.n) if closed else range(1)  # Read backwards a tour has such sums if forwards it has
        orders = [order[at:] + order[:at] for order in (cycles if closed else paths)(graph) for at in starts]
        sums = [line_sums(Tour(graph, order, closed)) for order in orders]
        assert not any(sums_of_tour is not None and sums_of_tour.magic != "no" for sums_of_tour in sums)
        answer = search_magic(MagicTask(Problem(graph, "cycle" if closed else "path")))
        assert answer.status == "infeasible" and bool(answer.reason) != bool(answer.how)


def test_senseless_searches_are_refused() -> None:
    rot180, rot90 = (Symmetry.parse(name, 2) for name in ("rot180", "rot90"))
    square, six = graph_of("8x8"), graph_of("6x7")
    for make, words in (
        (lambda: MagicTask(Problem(graph_of("aztec:4"))), "full rectangle"),
        (lambda: MagicTask(Problem(six), diagonals=True), "not a square"),
        (lambda: MagicTask(Problem(six), quartes=True), "multiples of 4"),
        (lambda: MagicTask(Problem(square, symmetry=(rot90,))), "rot180"),
        (lambda: MagicTask(Problem(six, symmetry=(rot180,))), "even"),
        (lambda: MagicTask(Problem(square, objective="turns")), "objective"),
    ):
        with pytest.raises(KTError, match=words):
            make()
    with pytest.raises(TooLarge):
        MagicTask(Problem(graph_of("100x100")))


def test_kt_magic_finds_a_square_from_its_moves(tmp_path: Path) -> None:
    tour, file = tour_of(BEVERLEY), tmp_path / "b.json"
    names = [tour.graph.edge_name(int(e)) for e in tour.edges]
    asked = [word for name in names for word in ("--require", name)]
    text = kt("magic", "8x8", "--open", "--from", "a8", "--quartes", "--halves", *asked, "-o", file).stdout
    assert "rows 260, columns 260, diagonals 210 to 282: semi-magic" in text and " 1 30 47 52  5 28 43 54" in text
    assert read_tour(file).order.tolist() == tour.order.tolist()
    data = kt_json("magic", "4x5")
    assert data["status"] == "infeasible" and "cannot share" in data["reason"]


def test_magic_tours_of_a_sum_whose_moves_mix_colours() -> None:
    """Some moves of the king change the colour of the cell and some do not; brute force says what there is."""
    for board in ("3x3", "2x3", "2x4", "3x4"):
        width, height = map(int, board.split("x"))
        graph = graph_of(board, Leaper.parse("king"))
        total = graph.n * (graph.n + 1) // 2
        found = False
        for order in paths(graph):
            for way in (order, order[::-1]):
                grid = np.zeros((width, height), dtype=int)
                grid.reshape(-1)[list(way)] = range(1, graph.n + 1)
                found |= (grid.sum(axis=0) * height == total).all() and (grid.sum(axis=1) * width == total).all()
        answer = search_magic(MagicTask(Problem(graph, "path")), limits=Limits(60.0))
        assert answer.status == ("feasible" if found else "infeasible"), board


def test_every_magic_tour_of_a_small_board_is_listed() -> None:
    """As given sums, by brute force and by `kt magic`, whose tours are answers to the same problem."""
    for board, rows, columns in (("2x4", 9, 18), ("2x6", 13, 39), ("4x3", 26, None)):
        graph = graph_of(board, Leaper.parse("king"))
        sums = {"rows": rows} | ({} if columns is None else {"columns": columns})
        wanted = {}
        for order in paths(graph):
            for way in (order, order[::-1]):
                square = line_sums(Tour(graph, np.array(way), False))
                assert square is not None
                if set(square.rows) == {rows} and (columns is None or set(square.columns) == {columns}):
                    wanted[tuple(way)] = square
        tours = [tuple(t.order.tolist()) for t in tours_of(board, leaper="king", open=True, sums=sums)]
        assert len(tours) == len(set(tours)) and set(tours) == set(wanted)
        if columns is not None:
            assert tours and all(wanted[order].magic == "semi-magic" for order in tours)
            answer = search_magic(MagicTask(Problem(graph, "path")), limits=Limits(60.0))
            assert answer.result is not None and answer.result.tour is not None
            assert tuple(answer.result.tour.order.tolist()) in wanted
            assert answer.result.problem == problem(board, leaper="king", open=True, sums=sums)


def test_magic_tours_with_given_numbers() -> None:
    """A half-filled square: Beverley's, of which every third number is given."""
    tour = tour_of(BEVERLEY)
    cells = {tour[k - 1]: k for k in range(1, 65, 3)}
    answer = magic("8x8", open=True, numbers=cells)
    assert answer.status == "feasible" and answer.result is not None and answer.result.tour is not None
    assert all(answer.result.tour[k - 1] == cell for cell, k in cells.items())
    found = list(tours_of("8x8", open=True, numbers=cells, sums={"rows": 260, "columns": 260}))
    assert tour.order.tolist() in [other.order.tolist() for other in found]


@pytest.mark.parametrize("leaper", ["1,2", "king", "0,1+1,2", "1,2+2,3", "1,1+1,2+0,3"])
@pytest.mark.parametrize("connectivity", ["cycle", "path"])
def test_the_search_for_quartes_agrees_with_the_solver(leaper: str, connectivity: Connectivity) -> None:
    """Both are complete; every answer has the structure that its definition asks for."""
    for board, diagonals in (("4x4", False), ("4x4", True)) + ((("4x8", False),) if leaper == "1,2" else ()):
        graph = graph_of(board, Leaper.parse(leaper))
        task = MagicTask(Problem(graph, connectivity), diagonals=diagonals, quartes=True, halves=True)
        run = Run(Limits(), False)
        search = QuarteSearch(task, magic_table(task, run.limits), run.limits)
        status = search.work(run).status
        solver = NumberEngine(task.numbered, 1, magic_model(task, run.limits))
        assert status == solver.work(run).status, (board, diagonals)
        if search.order is not None:
            number = np.empty(graph.n, dtype=int)
            number[search.order] = range(1, graph.n + 1)
            grid = number.reshape(graph.geometry[0].shape)
            assert {int(half) for x in range(0, len(grid), 4) for half in grid[x : x + 4].sum(axis=0)} == {
                2 * (graph.n + 1)
            }
            for k in range(0, graph.n, 4):
                x, y = graph.geometry[0].cells[search.order[k : k + 4]].T
                assert len(set(x // 4)) == len(set(y // 4)) == 1 and len(set(x)) == len(set(y)) == 4


@pytest.mark.parametrize(
    ("board", "leaper", "connectivity"),
    [
        ("2x4", "king", "path"), ("2x6", "king", "path"), ("2x8", "king", "cycle"),
        *slow_rows([("4x6", "king", "cycle"), ("4x8", "1,2+0,3", "cycle")]),
    ],
)  # fmt: skip
def test_numbers_have_the_structure_that_was_assumed(board: str, leaper: str, connectivity: Connectivity) -> None:
    task = MagicTask(Problem(graph_of(board, Leaper.parse(leaper)), connectivity))
    found = 0
    for structure in structures(task):
        run = Run(Limits(), False)
        engine = NumberEngine(task.numbered, 1, magic_model(task, run.limits, structure), 1.0)
        engine.work(run)
        if engine.order is None:
            continue
        found += 1
        place = {v: k for k, v in enumerate(engine.order.tolist())}
        cells, (width, height) = task.board.cells.tolist(), task.board.shape
        for part in structure:
            for v, k in place.items():
                x, y = cells[v]
                image = {
                    "(-x,y)": [width - 1 - x, y],
                    "(x,-y)": [x, height - 1 - y],
                    "(-x,-y)": [width - 1 - x, height - 1 - y],
                }
                assert place[cells.index(image[str(part.symmetry)])] == part.number(k)
    assert found


def test_a_structure_needs_a_move_between_the_middle_numbers() -> None:
    """No move of the knight joins a cell and its mirror image on even sides, so only half turns are left."""
    task = MagicTask(Problem(graph_of("8x8")))
    assert [[str(part.symmetry) for part in structure] for structure in structures(task)] == [
        ["(-x,-y)"], ["(-x,y)"], ["(x,-y)"]
    ]  # fmt: skip
    assert all(part.factor == 1 for structure in structures(task) for part in structure)
    assert structures(MagicTask(Problem(graph_of("8x8"), "path"))) == []
    assert structures(MagicTask(Problem(graph_of("5x5", Leaper.parse("king"))))) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize(
    "words", [("--open", "--quartes", "--halves"), ("--leaper", "0,5+3,4"), ("--leaper", "king", "--diagonals")]
)
def test_published_kinds_of_magic_tours_are_found(words: tuple[str, ...], seed: int) -> None:
    data = kt_json("magic", "8x8", *words, "--seed", str(seed), "--time-limit", "100")
    assert data["status"] == "feasible" and data["sums"]["magic"] == (
        "magic" if "--diagonals" in words else "semi-magic"
    )
