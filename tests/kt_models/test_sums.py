"""Sums of leapers and their names: their moves, turns, crossings and counts, beside brute force of this file."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, product
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import kt
from cli.main import main
from kt_models import KTError, Leaper, MoveGraph, TooLarge
from kt_models.leaper import PIECES
from kt_models.tour import tour_from_json, tour_to_json
from tests.effort import slow_rows

Cell = tuple[int, ...]
SUMS = ("0,1+1,1", "0,1+1,2", "0,1+0,2", "1,1+0,2", "1,2+1,3", "0,1+0,2+1,2", "1,1+2,2+0,1")


def moves_of(text: str, dimension: int = 2) -> set[Cell]:
    """The vectors of a sum, written out."""
    found = set()
    for part in text.split("+"):
        offsets = tuple(map(int, part.split(",")))
        wanted = sorted([*offsets, *[0] * (dimension - len(offsets))])
        reach = max(offsets)
        for vector in product(range(-reach, reach + 1), repeat=dimension):
            if sorted(map(abs, vector)) == wanted:
                found.add(vector)
    return found


def walks(cells: list[Cell], moves: set[Cell], closed: bool) -> list[list[Cell]]:
    """Every tour, each in one direction and from one start, by trying all."""
    near = {c: [d for d in cells if tuple(y - x for x, y in zip(c, d, strict=True)) in moves] for c in cells}
    found: list[list[Cell]] = []

    def go(path: list[Cell]) -> None:
        if len(path) == len(cells):
            if (closed and path[0] in near[path[-1]] and len(path) > 2 and path[1] < path[-1]) or (
                not closed and path[0] <= path[-1]
            ):
                found.append([*path])
            return
        for cell in near[path[-1]]:
            if cell not in path:
                path.append(cell)
                go(path)
                path.pop()

    for start in cells[:1] if closed else cells:
        go([start])
    return found


def turns(walk: list[Cell], closed: bool) -> int:
    """Cells where the unit vector in and the unit vector out differ: they are the same if u = t v with t > 0."""
    around = [walk[-1], *walk, walk[0]] if closed else walk
    total = 0
    for before, cell, after in zip(around, around[1:], around[2:], strict=False):
        u = [b - a for a, b in zip(before, cell, strict=True)]
        v = [b - a for a, b in zip(cell, after, strict=True)]
        axis = next(k for k, c in enumerate(v) if c)
        ratio = Fraction(u[axis], v[axis])
        total += not (ratio > 0 and all(a == ratio * b for a, b in zip(u, v, strict=True)))
    return total


def crossings(walk: list[Cell], closed: bool) -> int:
    """Pairs of moves whose open segments have a common point, by parameters in exact fractions."""
    segments = list(pairwise([*walk, walk[0]] if closed else walk))
    return sum(meet(*a, *b) for a, b in combinations(segments, 2))


def meet(p: Cell, q: Cell, r: Cell, s: Cell) -> bool:
    (px, py), (qx, qy), (rx, ry), (sx, sy) = p, q, r, s
    area = (qx - px) * (sy - ry) - (qy - py) * (sx - rx)
    if area:
        t = Fraction((rx - px) * (sy - ry) - (ry - py) * (sx - rx), area)
        u = Fraction((rx - px) * (qy - py) - (ry - py) * (qx - px), area)
        return 0 < t < 1 and 0 < u < 1
    if (qx - px) * (ry - py) != (qy - py) * (rx - px):
        return False
    axis = 0 if px != qx else 1
    (a, b), (c, d) = sorted((p[axis], q[axis])), sorted((r[axis], s[axis]))
    return max(a, c) < min(b, d)


@pytest.mark.parametrize("text", SUMS)
@pytest.mark.parametrize("dimension", [2, 3])
def test_the_moves_of_a_sum(text: str, dimension: int) -> None:
    half = {tuple(move) for move in Leaper.parse(text).half_moves(dimension).tolist()}
    assert half | {tuple(-c for c in move) for move in half} == moves_of(text, dimension)
    assert all(move > (0,) * dimension for move in half)


@pytest.mark.parametrize("text", SUMS)
@pytest.mark.parametrize(
    ("board", "closed"), [("3x3", True), *slow_rows([("3x3", False), ("3x4", True), ("2x4", False)])]
)
def test_tours_turns_and_crossings_of_sums(text: str, board: str, closed: bool) -> None:
    if text.count("+") > 1 and board == "3x4":
        pytest.skip("brute force takes half a minute")
    width, height = map(int, board.split("x"))
    cells = [(x, y) for x in range(width) for y in range(height)]
    found = walks(cells, moves_of(text), closed)
    assert kt.count(board, leaper=text, open=not closed) == len(found)
    for walk in found[:: max(1, len(found) // 40)]:
        tour = kt.verify(walk, board, leaper=text, closed=closed)
        assert tour.measure("turns") == turns(walk, closed), walk
        assert tour.measure("crossings") == crossings(walk, closed), walk
    for metric, measure in (("turns", turns), ("crossings", crossings)):
        result = kt.solve(board, leaper=text, open=not closed, minimize=metric)
        if not found:
            assert result.status == "infeasible"
            continue
        assert (result.status, result.value) == ("optimal", min(measure(walk, closed) for walk in found))
        assert kt.check(result).shown


def test_published_counts_of_the_king() -> None:
    """Hamiltonian cycles of the n by n king's graph: 3, 16, 2830 (OEIS A140521)."""
    assert [kt.count(f"{n}x{n}", leaper="king") for n in (2, 3, 4)] == [3, 16, 2830]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(any), min_size=1, max_size=4))
def test_a_sum_is_a_set(offsets: list[tuple[int, int]]) -> None:
    """Order and repetition count for nothing; what is printed is read back, and equal pieces have equal digests."""
    parts = [Leaper(*pair) for pair in offsets]
    total, other = parts[0], parts[-1]
    for part in parts:
        total = total + part
    for part in parts[::-1]:
        other = part + other
    assert total == other and hash(total) == hash(other) and Leaper.parse(str(total)) == total
    assert eval(repr(total), {"Leaper": Leaper}) == total
    first, second = (kt.problem("4x5", leaper=piece) for piece in (total, other))
    assert first == second and kt.problem("4x5", leaper=offsets) == first
    assert MoveGraph.from_json(first.graph.to_json()) == first.graph


def test_names_of_leapers_mean_their_offsets(tmp_path: Path) -> None:
    for name, text in PIECES.items():
        assert Leaper.parse(name) == Leaper.parse(text) == Leaper.parse(name.upper())
        assert kt.graph("5x5", name) == kt.graph("5x5", text)
    assert Leaper.parse("wazir+ferz") == Leaper.parse("king") == Leaper(0, 1) + Leaper(1, 1)
    for text, says in (
        ("kong", "did you mean 'king'"), ("1", "two or more numbers"), ("0,1+", "unknown leaper"), ("1 2", "'1,2'"),
        ("+".join(f"0,{k}" for k in range(1, 34)), "over 32"),
    ):  # fmt: skip
        with pytest.raises(KTError, match=says) as caught:
            Leaper.parse(text)
        assert "\n" not in str(caught.value)
    with pytest.raises(TooLarge):
        sum((Leaper(0, k) for k in range(2, 34)), Leaper(0, 1))
    with pytest.raises(KTError):
        kt.solve("6x6", leaper=[(0, 1), 5])


def test_every_command_takes_a_sum(tmp_path: Path) -> None:
    tour = kt.solve("3x4", leaper="king", minimize="turns").tour
    assert tour is not None and tour_from_json(tour_to_json(tour)) == tour
    out = str(tmp_path / "t.json")
    for words in (
        ["solve", "3x4", "--leaper", "king", "-o", out],
        ["check", out, "--leaper", "0,1+1,1"],
        ["measure", out],
        ["draw", out, "-o", str(tmp_path / "t.svg")],
        ["convert", out, str(tmp_path / "t.txt")],
        ["check", str(tmp_path / "t.txt")],
        ["convert", out, str(tmp_path / "t.tour")],
        ["check", str(tmp_path / "t.tour")],
        ["find", "8x8", "--leaper", "king", "--minimize", "turns", "--time-limit", "0.1"],
        ["bound", "4x4", "--leaper", "king", "--minimize", "turns"],
        ["bound", "4x4", "--leaper", "0,1+1,2", "--minimize", "crossings"],
        ["best", "4x4", "--leaper", "king"],
        ["improve", out, "--minimize", "turns", "--time-limit", "0.1"],
        ["enumerate", "3x3", "--leaper", "king", "--count"],
        ["longest", "3x3", "--leaper", "wazir+camel"],
        ["convert", "4x4", str(tmp_path / "g.hcp"), "--leaper", "king"],
        ["experiment", "closing", "4x4", "--leaper", "king", "--tours", "2"],
        ["experiment", "tour-types", "4x4", "--leaper", "king", "--time-limit", "0.1"],
        ["magic", "3x3", "--leaper", "king"],
        ["solve", "4x4x4", "--leaper", "0,1+1,1,1"],
        ["solve", "torus:4x4", "--leaper", "king", "--minimize", "crossings"],
    ):
        result = CliRunner().invoke(main, words)
        assert result.exit_code in (0, 3), (words, result.output)


@pytest.mark.slow
@pytest.mark.parametrize(
    "method", ["regions", "tree", "frontier", "belt", "family", "strip", "bands", "edge", "central"]
)
@pytest.mark.parametrize("metric", ["turns", "crossings"])
def test_bounds_of_sums_are_right_or_refused(method: str, metric: str) -> None:
    """No method that is about single leapers shows anything false of a sum."""
    for text in ("king", "1,2+0,1", "0,1+0,2"):
        least = kt.solve("4x4", leaper=text, minimize=metric).value
        assert least is not None
        try:
            certificate = kt.bound("4x4", method=method, leaper=text, minimize=metric, time_limit=10)
        except KTError:
            continue
        assert (certificate.bound or 0) <= least
        assert kt.check(certificate).shown
