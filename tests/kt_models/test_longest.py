"""Longest walks: against every walk there is, published lengths, and forged files."""

from __future__ import annotations

import json
from functools import cache
from itertools import combinations
from math import floor
from pathlib import Path

import numpy as np
import pytest

from kt_models import InvalidTour, KTError, Leaper, MoveGraph, TooLarge, graph_of
from kt_models.errors import CertificateError
from kt_models.files.check import check_document, check_file
from kt_models.kernel.certificates.longest.sweep import longest
from kt_models.kernel.certificates.longest.task import LongestTask
from kt_models.kernel.sweeps import forms, run
from kt_models.limits import Limits
from tests.brute import _meet
from tests.command import kt, kt_json, one_line_refusal
from tests.effort import slow


@cache
def images_cross(board: tuple[int, ...], wraps: tuple[bool, ...], first, second) -> bool:
    """Whether two moves, each a cell and a vector, cross, or an image of the second by whole periods does."""
    (p, a), (q, b) = first, second
    shifts = [
        [k * side for k in range(-1 - floor(4 / side), 2 + floor(4 / side))] if wrap else [0]
        for side, wrap in zip(board, wraps, strict=True)
    ]
    for i in shifts[0]:
        for j in shifts[1]:
            start = (q[0] + i, q[1] + j)
            if (start, b) != (p, a) and _meet(p, (p[0] + a[0], p[1] + a[1]), start, (start[0] + b[0], start[1] + b[1])):
                return True
    return False


def brute_longest(graph: MoveGraph, closed: bool, uncrossed: bool) -> int:
    """Moves of the longest walk, by trying all; -1 if there is none."""
    cells, board = [tuple(c) for c in graph.board.cells.tolist()], graph.board
    steps = [(cells[graph.tails[e]], tuple(graph.moves[graph.edge_move[e]].tolist())) for e in range(graph.m)]
    clash = [set() for _ in range(graph.m)]
    if uncrossed:
        for e, f in combinations(range(graph.m), 2):
            if images_cross(board.shape, board.wraps, steps[e], steps[f]):
                clash[e].add(f)
                clash[f].add(e)
        loops = {e for e in range(graph.m) if images_cross(board.shape, board.wraps, steps[e], steps[e])}
    else:
        loops = set()
    near = [[] for _ in range(graph.n)]
    for e, (u, v) in enumerate(graph.ends.tolist()):
        if e not in loops and u != v:
            near[u].append((e, v))
            near[v].append((e, u))
    best = -1 if closed else 0

    def go(start: int, at: int, seen: set[int], used: list[int], barred: frozenset[int]) -> None:
        nonlocal best
        if not closed:
            best = max(best, len(used))
        for e, v in near[at]:
            if e in barred or e in used:
                continue
            if closed and v == start and used:
                best = max(best, len(used) + 1)
            if v not in seen and (not closed or v > start):
                go(start, v, seen | {v}, [*used, e], barred | clash[e])

    for v in range(graph.n):
        go(v, v, {v}, [], frozenset())
    return best


BOARDS = [
    *(("3x3", "1,2"), ("3x4", "1,2"), ("4x4-a1,d3", "1,2"), ("4x4", "0,1"), ("aztec:2", "1,2"), ("3x5", "1,3")),
    *(("torus:3x3", "1,2"), ("torus:2x4", "1,2"), ("cylinder:3x4", "1,2"), ("cylinder:4x3", "0,1"), ("1x5", "0,2")),
    *(("torus:1x4", "1,2"), ("4x3", "1,1"), ("cylinder:5x2", "1,2"), ("1x1", "1,2"), ("4x4", "0,2")),
    ("torus:4x1", "2,4"),
]  # fmt: skip


@pytest.mark.parametrize(("board", "leaper"), BOARDS)
def test_no_walk_is_longer_as_brute_force_says(board: str, leaper: str) -> None:
    graph = graph_of(board, Leaper.parse(leaper))
    for closed in (True, False):
        for uncrossed in (True, False):
            if graph.m > 22 and not uncrossed:
                continue  # All walks of these are too many to be tried
            answer = longest(LongestTask(graph, closed, uncrossed))
            assert answer.moves == brute_longest(graph, closed, uncrossed), (closed, uncrossed)
            assert answer.bound == max(answer.moves, 0)


OPEN = {3: (2, 4, 5, 6, 8, 9, 10), 4: (5, 7, 9, 11), 5: (10,)}
"""Longest uncrossed open walks of m x n, by m, from n = m on: the table of A003192 (On-Line Encyclopedia of Integer
Sequences)."""


@pytest.mark.parametrize("width", OPEN)
def test_longest_walks_are_as_long_as_published(width: int) -> None:
    for height, moves in enumerate(OPEN[width], start=width):
        assert longest(LongestTask(graph_of(f"{width}x{height}"), False, True)).moves == moves
    cycle = {3: -1, 4: 4, 5: 8}[width]  # A157416
    assert longest(LongestTask(graph_of(f"{width}x{width}"), True, True)).moves == cycle


@pytest.mark.slow
@pytest.mark.parametrize(("side", "path", "cycle"), [(6, 17, 12), (7, 24, 24), (8, 35, 32)])
def test_published_lengths_of_larger_boards(side: int, path: int, cycle: int) -> None:
    graph = graph_of(f"{side}x{side}")
    assert longest(LongestTask(graph, True, True)).moves == cycle
    assert longest(LongestTask(graph, False, True)).moves == path


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("board", ["4x5", *slow(["5x5"])])
def test_every_form_of_a_state_gives_the_same(board: str, closed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranked or coded, in one word or several, one layer in parts or not."""
    task = LongestTask(graph_of(board), closed, True)
    known = longest(task)
    for name, limit in (("MAX_SLOTS", 1), ("CODE_WORD_BITS", 8)):
        monkeypatch.setattr(forms, name, limit)
        monkeypatch.setattr(run, "CHUNK", 50)
        monkeypatch.setattr(run, "CHUNKS", 1)
        answer = longest(task)
        assert (answer.moves, answer.bound, answer.states) == (known.moves, known.bound, known.states)


def test_a_quick_sweep_alone_gives_no_bound() -> None:
    answer = longest(LongestTask(graph_of("6x6"), False, True), limits=Limits(memory=2_000_000))
    assert answer.bound is None and answer.moves > 10 and "more than the limit" in answer.reason


def test_other_sequences_than_walks_are_refused() -> None:
    graph = graph_of("4x4")
    task = LongestTask(graph, True, True)
    square = longest(task).edges
    assert task.verify(np.array(square)).closed
    cross = [graph.find_edge(move) for move in ("a1-b3", "a2-c3")]
    fork = [graph.find_edge(move) for move in ("b1-a3", "b1-c3", "b1-d2")]
    for closed, edges, words in (
        (True, square[:3], "no closed walk"), (False, square, "no open walk"), (True, square[:1] * 2, "twice"),
        (True, [], "has moves"), (True, [999], "not one of 4x4"), (False, cross, "no open walk"),
        (False, fork, "visited twice"),
    ):  # fmt: skip
        with pytest.raises(InvalidTour, match=words):
            LongestTask(graph, closed, True).verify(np.array(edges, dtype=np.int64))
    crossed = [graph.find_edge(move) for move in ("a1-c2", "c2-a3", "a3-b1", "b1-c3")]
    assert LongestTask(graph, False).verify(np.array(crossed)).vertices
    with pytest.raises(InvalidTour, match="crosses itself"):
        LongestTask(graph, False, True).verify(np.array(crossed))
    with pytest.raises(KTError, match="plane"):
        LongestTask(graph_of("2x3x3"), True, True)
    with pytest.raises(TooLarge):
        longest(LongestTask(graph_of("150x150")))


def test_the_command_and_what_check_says_of_its_file(tmp_path: Path) -> None:
    file = tmp_path / "w.json"
    assert (
        "no uncrossed closed walk of the knight on 4x4 has more than 4 moves"
        in kt("longest", "4x4", "--uncrossed", "-o", file).stdout
    )
    assert "ok" in kt("check", file, "--board", "4x4").stdout
    good = json.loads(file.read_text())
    for change, error in (
        ({"bound": 3}, CertificateError),
        ({"moves": 5}, InvalidTour),
        ({"closed": False}, InvalidTour),
        ({"board": "4x5"}, KTError),
        ({"chosen": good["chosen"][:-1]}, InvalidTour),
        ({"chosen": [0.5]}, KTError),
        ({"walk": good["walk"][::-1]}, InvalidTour),
        ({"uncrossed": 1}, KTError),
        ({"bound": -1}, KTError),
        ({"leaper": "0,1"}, KTError),
    ):
        file.write_text(json.dumps(good | change))
        with pytest.raises(error):
            check_file(file)
    data = kt_json("longest", "3x3", "--uncrossed")
    assert data["status"] == "infeasible" and data["bound"] == 0 and "moves" not in data
    assert kt("longest", "4x4", "--uncrossed", "-o", tmp_path / "w.svg").exit_code == 0
    drawn = (tmp_path / "w.svg").read_text()
    assert drawn.startswith("<svg")
    file.write_text(json.dumps(good))
    assert kt("draw", file, "-o", tmp_path / "d.svg").exit_code == 0 and (tmp_path / "d.svg").read_text() == drawn
    assert kt("draw", file, "-o", tmp_path / "d.html").exit_code == 0
    file.write_text(json.dumps(good | {"chosen": good["chosen"][:-1]}))
    one_line_refusal(kt("draw", file, "-o", tmp_path / "d.svg"), "no closed walk")
    one_line_refusal(kt("longest", "4x4x4", "--uncrossed"), "plane")


@pytest.mark.parametrize("status", ["optimal", "feasible", "infeasible", "unknown"])
@pytest.mark.parametrize(
    ("board", "leaper", "is_open", "change", "right"),
    [
        ("3x4", "0,1", False, {}, "optimal"),
        ("3x4", "0,1", False, {"bound": 13}, "feasible"),
        ("3x4", "1,1", True, {"bound": 5}, "feasible"),
        ("3x4", "0,1", False, {"bound": None}, "feasible"),
        ("2x2", "1,2", False, {}, "infeasible"),
        ("2x2", "1,2", False, {"bound": 3}, "unknown"),
        ("1x1", "1,2", True, {}, "optimal"),
        ("1x1", "1,2", True, {"moves": None, "walk": None, "chosen": None}, "unknown"),
    ],
)
def test_a_status_says_no_more_than_was_shown(
    board: str, leaper: str, is_open: bool, change: dict[str, int | None], right: str, status: str, tmp_path: Path
) -> None:
    data = (
        longest(LongestTask(graph_of(board, Leaper.parse(leaper)), not is_open)).to_json() | change | {"status": status}
    )
    file = tmp_path / "walk.json"
    file.write_text(json.dumps({key: value for key, value in data.items() if value is not None}))
    if status == right:
        assert not check_file(file).stated
    else:
        with pytest.raises(InvalidTour, match="'status' says"):
            check_file(file)


@pytest.mark.parametrize(("leaper", "colours"), [("0,1", True), ("0,1+1,1", False)])
def test_colours_are_named_where_there_are_two(leaper: str, colours: bool) -> None:
    task = LongestTask(graph_of("3x3", Leaper.parse(leaper)), closed=False)
    data = {**longest(task).to_json(), "version": 2, "kind": "longest-walk"}
    assert ("colours alternate" in check_document(data).how) == colours
