"""`import kt`: boards in every form, problems in words, and no argument so wrong that there is a traceback."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pytest

import kt
from tests.processes import ROOT

LETTERS = networkx.relabel_nodes(networkx.dodecahedral_graph(), lambda v: f"n{v}")


def test_a_board_in_every_form() -> None:
    cells = [(x, y) for x in range(5) for y in range(6)]
    tall = np.ones((6, 5), dtype=bool)
    for board in ("5x6", kt.Board.parse("5x6"), kt.graph("5x6"), kt.graph(cells=cells), tall, kt.problem("5x6")):
        tour = kt.find(board).tour
        assert tour is not None and sorted(tour) == cells and kt.count(board) == 8
    corner = tall.copy()
    corner[0, 0] = False  # The first row is the top one
    board = kt.graph(corner).board
    assert board is not None and board == kt.Board.parse("5x6-a6")
    assert kt.graph([(0, 0, 0), (0, 1, 2)]).n == 2 and kt.graph(np.ones((2, 2, 2), dtype=bool)).n == 8


def test_answers_about_a_networkx_graph_are_in_its_nodes() -> None:
    tour = kt.solve(LETTERS, require=("n0", "n1"), forbid=[("n0", "n19")]).tour
    assert tour is not None and set(tour) == set(LETTERS) and len(tour.moves) == len(LETTERS)
    assert all(LETTERS.has_edge(u, v) for u, v in tour.moves)
    assert {("n0", "n1"), ("n1", "n0")} & set(tour.moves) and not {("n0", "n19"), ("n19", "n0")} & set(tour.moves)
    path = kt.find(LETTERS, open=True, start="n7").tour
    assert path is not None and not path.closed and next(iter(path)) == "n7"
    assert kt.solve(networkx.petersen_graph()).status == "infeasible"
    round_trip = kt.find([("a", "b"), ("b", "c"), ("c", "a"), ("a", "b")], require=("a", "b")).tour
    assert round_trip is not None and sorted(round_trip) == ["a", "b", "c"]


def test_a_problem_in_words_is_that_of_the_command_line() -> None:
    asked = kt.problem("6x6", minimize="crossings", symmetry="rot90", require=["d4-e6"], forbid=[((0, 0), (1, 2))])
    assert len(asked.required) == len(asked.forbidden) == 1 and asked.symmetry[0].name == "rot90"
    path = kt.problem("3x4", open=True, start=(0, 0), end="c1")
    assert path.connectivity == "path" and len(path.terminals) == 2
    assert kt.problem("20x20", leaper=(1, 4)).graph.leaper == kt.Leaper(1, 4)


def test_functions_answer_about_6x6() -> None:
    result = kt.solve("6x6", minimize="turns")
    assert (result.status, result.value) == ("optimal", 32) and "optimal" in result.summary()
    assert (
        repr(result) == "Result('6x6', optimal, turns 32, bound 32)"
        and repr(result.tour) == "Tour('6x6', closed, 36 cells)"
    )
    assert (result.history[-1].value, result.history[-1].bound) == (32, 32)
    assert kt.bound("6x6", 32).bound == 32 and "at least 32" in kt.check(kt.bound("6x6", 32)).text
    assert len(set(kt.tours("5x6"))) == kt.count("5x6") == 8
    tours = list(kt.tours("5x6", up_to_symmetry=True))
    assert len(tours) == 3 == kt.count("5x6", up_to_symmetry=True) and kt.count("6x6") == 9862
    better = kt.improve(tours[0], "turns", time_limit=0.3)
    assert better.value is not None and better.value <= tours[0].measure("turns")


def test_longest_walks_and_magic_tours(tmp_path: Path) -> None:
    walk = kt.longest("5x5", uncrossed=True)
    assert (walk.status, walk.moves, walk.bound, len(set(walk.cells))) == ("optimal", 8, 8, 8)
    assert kt.longest(LETTERS, open=True).moves == 19 and kt.longest("2x2").status == "infeasible"
    for name in ("walk.json", "walk.svg"):
        walk.save(tmp_path / name)
    assert "no uncrossed closed walk" in kt.check(tmp_path / "walk.json").text and "<svg" in str(kt.draw(walk))
    with pytest.raises(kt.KTError, match="is not a tour"):
        walk.save(tmp_path / "walk.html")
    answer = kt.magic("3x4", open=True)
    assert (answer.status, answer.result) == ("infeasible", None) and "share equally" in answer.reason
    assert kt.magic("4x4", leaper=(0, 1), open=True, start="a1").status == "infeasible"


def test_saved_tours_are_read_back(tmp_path: Path) -> None:
    tour = kt.find("6x6").tour
    assert tour is not None
    for name in ("t.json", "t.tour", "t.svg", "t.html"):
        tour.save(tmp_path / name)
    assert [list(kt.read(tmp_path / name)) for name in ("t.json", "t.tour")] == [list(tour)] * 2
    assert "each move verified" in kt.check(tmp_path / "t.json").text and "<svg" in str(kt.draw(tour))
    assert kt.draw("5x5", tmp_path / "board.svg") is None and (tmp_path / "board.svg").exists()
    with pytest.raises(kt.KTError, match="no tour"):
        kt.solve("4x4").save(tmp_path / "none.svg")


def test_verify_takes_a_tour_in_every_form(tmp_path: Path) -> None:
    result = kt.find("6x6")
    tour = result.tour
    assert tour is not None and (result.turns, result.crossings) == (tour.measure("turns"), tour.measure("crossings"))
    tour.save(tmp_path / "t.json")
    tour.save(tmp_path / "t.tour")
    names = [tour.graph.name_of(vertex) for vertex in tour.order.tolist()]
    for form in (tour, result, tmp_path / "t.json", str(tmp_path / "t.tour")):
        assert kt.verify(form) == kt.verify(form, "6x6") == tour
        with pytest.raises(kt.InvalidTour, match=r"not of 5x5|outside 1..25"):
            kt.verify(form, "5x5")
    for cells in (list(tour), names, np.array(list(tour))):
        assert kt.verify(cells, "6x6") == tour and not kt.verify(cells, "6x6", closed=False).closed
        assert kt.verify(cells) == tour  # They fill a box
    with pytest.raises(kt.InvalidTour, match="visited twice"):
        kt.verify([*names[:-1], names[0]], "6x6")
    nodes = list(kt.find(LETTERS).tour or ())
    assert kt.verify(nodes, LETTERS)[0] == nodes[0]
    none = kt.solve("4x4")
    assert (none.turns, none.crossings, kt.find(LETTERS).turns) == (None, None, None)
    with pytest.raises(kt.KTError, match="no tour in the result"):
        kt.verify(none)


def test_classes_and_symmetric_tours_are_counted_without_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("encoders.enumeration.together.list_together", None)
    assert [kt.count("6x6"), kt.count("6x6", up_to_symmetry=True), kt.count("6x6", symmetry="rot90")] == [
        9862,
        1245,
        10,
    ]


def test_when_to_end_is_put_together() -> None:
    now, never = kt.when(lambda report: report.value is not None), kt.value_reached(-1)
    for criterion, ends in ((now | never, True), (now & never, False), (now & kt.gap_reached(1000), True)):
        criterion.hear(kt.Report(value=5, bound=1))
        assert criterion.is_set() is ends
    idle = kt.no_improvement(0.0)
    assert not idle.is_set()
    idle.hear(kt.Report(value=5))
    assert idle.is_set()
    result = kt.solve("20x20", minimize="turns", stop=kt.value_reached(2000))
    assert result.status == "feasible" and result.value is not None and result.value <= 2000
    flag = threading.Event()
    flag.set()
    assert kt.solve("20x20", minimize="turns", stop=flag).status in ("feasible", "unknown")
    with pytest.raises(kt.Stopped):
        kt.count("10x10", stop=lambda: True)


WRONG: list[Callable[[], Any]] = [
    lambda: kt.solve(8),
    lambda: kt.solve(None),
    lambda: kt.solve([]),
    lambda: kt.solve([(0, 0), (1.5, 2)]),
    lambda: kt.solve(np.zeros((3, 3), dtype=bool)),
    lambda: kt.solve("8x8", minimise="turns"),
    lambda: kt.solve("8x8", minimize="turn"),
    lambda: kt.solve("8x8", end="a1"),
    lambda: kt.solve("8x8", open=True, start=(9, 9)),
    lambda: kt.solve("8x8", open=True, start=3),
    lambda: kt.solve("8x8", require=[((0, 0), (0, 1))]),
    lambda: kt.solve("8x8", require=[(0, 0, 1)]),
    lambda: kt.solve("8x8", require=3),
    lambda: kt.solve("8x8", symmetry=3),
    lambda: kt.solve("8x8", symmetry="rot45"),
    lambda: kt.solve("8x8", leaper=3),
    lambda: kt.solve("8x8", time_limit="3"),
    lambda: kt.solve("8x8", workers=0),
    lambda: kt.solve("8x8", seed="x"),
    lambda: kt.solve("8x8", stop=3),
    lambda: kt.solve("8x8", hint=3),
    lambda: kt.solve("8x8", engine="magic"),
    lambda: kt.solve(kt.problem("8x8"), minimize="turns"),
    lambda: kt.solve(LETTERS, open=True, start="n99"),
    lambda: kt.solve(LETTERS, require=["n0", "n1"]),
    lambda: kt.find("8x8", "warnsdorf"),
    lambda: kt.find("8x8", "warnsdorff", tie=2),
    lambda: kt.improve(3, "turns"),  # type: ignore[arg-type]
    lambda: kt.improve("nothing"),
    lambda: kt.solve("."),
    lambda: kt.graph("/dev/zero"),
    lambda: kt.bound("8x8", "x"),  # type: ignore[arg-type]
    lambda: kt.count("8x8", value="x", minimize="turns"),  # type: ignore[arg-type]
    lambda: kt.longest("8x8", uncrosed=True),
    lambda: kt.magic("8x8", diagonal=True),
    lambda: kt.check(3),  # type: ignore[arg-type]
    lambda: kt.check("nowhere.json"),
    lambda: kt.read("nowhere.json"),
    lambda: kt.draw("8x8", "x.doc"),
    lambda: kt.draw("8x8", number=True),
    lambda: kt.draw("8x8", size="big"),
    lambda: kt.draw("8x8", 5),  # type: ignore[arg-type]
    lambda: kt.find("8x8", 3),  # type: ignore[arg-type]
    lambda: kt.find("8x8", on_progress=5),  # type: ignore[arg-type]
    lambda: kt.bound("8x8", on_progress=5),  # type: ignore[arg-type]
    lambda: kt.compare(5),  # type: ignore[arg-type]
    lambda: kt.value_reached("x"),  # type: ignore[arg-type]
    lambda: kt.no_improvement("x"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_a_wrong_argument_is_one_line(number: int) -> None:
    with pytest.raises(kt.KTError) as caught:
        WRONG[number]()
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 380


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ({"closed": False}, "open=True"), ({"minimise": "turns"}, "minimize"), ({"objective": "turns"}, "minimize"),
        ({"goal": "turns"}, "minimize"), ({"metric": "turns"}, "minimize"), ({"cost": "turns"}, "minimize"),
        ({"path": True}, "open"), ({"begin": "a1"}, "start"), ({"source": "a1"}, "start"), ({"to": "a1"}, "end"),
        ({"target": "a1"}, "end"), ({"finish": "a1"}, "end"), ({"symmetric": "rot180"}, "symmetry"),
        ({"forced": "a1-b3"}, "require"), ({"must": "a1-b3"}, "require"), ({"exclude": "a1-b3"}, "forbid"),
        ({"avoid": "a1-b3"}, "forbid"), ({"piece": "camel"}, "leaper"), ({"timeout": 3}, "time_limit"),
        ({"seconds": 3}, "time_limit"), ({"max_time": 3}, "time_limit"), ({"threads": 2}, "workers"),
        ({"n_jobs": 2}, "workers"), ({"cores": 2}, "workers"), ({"random_seed": 1}, "seed"), ({"mem": 9}, "memory"),
        ({"backend": "sat"}, "engine"), ({"callback": print}, "on_progress"), ({"warm_start": None}, "hint"),
        ({"given": {}}, "numbers"), ({"timelimit": 3}, "time_limit"),
    ],
)  # fmt: skip
def test_a_guessed_argument_is_answered_with_the_right_one(asked: dict[str, object], meant: str) -> None:
    with pytest.raises(kt.KTError, match=f"did you mean '{meant}'"):
        kt.solve("8x8", **asked)  # type: ignore[arg-type]


def test_the_module_is_light_and_is_the_command() -> None:
    heavy = {"ortools", "numba", "scipy", "matplotlib", "networkx", "pysat"}
    code = f"import sys, kt; print(sorted({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True).stdout == "[]\n"
    done = subprocess.run([sys.executable, "-m", "kt", "find", "5x6"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and "feasible" in done.stdout
    assert all(hasattr(kt, name) for name in kt.__all__)


def test_best_answers_are_known_and_methods_are_compared() -> None:
    from encoders.compare import Effort

    assert kt.best("6x6").result.value == 32
    assert "turns-6x6" in kt.solve("6x6", minimize="turns").engine
    assert "turns-6x6" not in kt.solve("6x6", minimize="turns", hint=True).engine
    (row,) = kt.compare("5x6", effort=Effort(tries=1, seconds=0.1, proof=0))
    assert row.optimum == 28 and all(score.best is None or score.best >= 28 for score in row.scores)
    (zebra,) = kt.compare("6x6", leaper=(2, 3), effort=Effort(tries=1, seconds=0.1, proof=0))
    assert zebra.problem.graph.leaper == kt.Leaper(2, 3)
    for wrong in (
        lambda: kt.compare("5x6", beauty=1),
        lambda: kt.compare("5x6", effort=3),
        lambda: kt.best("6x6", minimize="beauty"),
    ):
        with pytest.raises(kt.KTError):
            wrong()


@pytest.mark.parametrize(
    ("board", "words", "optimal", "feasible"),
    [
        ("6x6", {"minimize": "turns"}, True, True),
        ("6x6", {}, False, True),
        ("4x6", {}, False, False),
        ("4x6", {"minimize": "turns"}, False, False),
    ],
)
def test_a_result_says_whether_it_is_optimal_and_whether_there_is_a_solution(
    board: str, words: dict[str, Any], optimal: bool, feasible: bool
) -> None:
    result = kt.solve(board, **words)
    assert (result.is_optimal(), result.is_feasible()) == (optimal, feasible)


def test_the_package_lists_its_public_names_only() -> None:
    assert set(dir(kt)) == set(kt.__all__)
