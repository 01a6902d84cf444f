"""The sweep engine: states written and read, and answers and sizes of layers of every use, as they were recorded.

A change of a size is a change of what is pruned; a change of an answer is a fault.
"""

from __future__ import annotations

import ast
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from heuristics.counting.count import count_by_halves
from heuristics.counting.values import count_values_by_halves
from kt_models import Problem, graph_of
from kt_models.certificates.frontier import count_solutions, least_value
from kt_models.certificates.longest.sweep import longest
from kt_models.certificates.longest.task import LongestTask
from kt_models.sweeps.forms import PAIRINGS, RANK, RANK_BITS, SLOTS, rank_of, ranked, read_ranked, unrank, write_ranked
from tests.oracle import row_states

SLOT_COUNT = 5


def test_every_state_is_read_as_it_was_written() -> None:
    """All choices of full slots, ends and pairings of five slots: no two have the same word."""
    read, write, spread, number = (k.interpreted for k in (read_ranked, write_ranked, unrank, rank_of))
    row, words = np.zeros((1, 1), dtype=np.uint64), set()
    mate, again = np.zeros((2, SLOT_COUNT + 1), dtype=np.int64)
    for degrees in np.ndindex(*[3] * SLOT_COUNT):
        full = sum(1 << s for s, d in enumerate(degrees) if d == 2)
        ends = sum(1 << s for s, d in enumerate(degrees) if d == 1)
        count = ends.bit_count()
        for rank in range(PAIRINGS[count // 2] if count % 2 == 0 else 0):
            spread(rank, ends, mate)
            assert number(ends, mate) == rank
            write(row, 0, full, ends, mate)
            assert read(row, 0, SLOT_COUNT, again) == (full, ends)
            assert all(again[s] == (mate[s] if ends >> s & 1 else s) for s in range(SLOT_COUNT))
            words.add(int(row[0, 0]))
    most = sum(
        PAIRINGS[k // 2] * 2 ** (SLOT_COUNT - k) * sum(1 for _ in combinations(range(SLOT_COUNT), k))
        for k in range(0, SLOT_COUNT + 1, 2)
    )
    assert len(words) == most and 0 not in words
    widest = int(ranked.interpreted(0, SLOTS >> 1, PAIRINGS[9] - 1))
    assert widest & RANK == PAIRINGS[9] - 1 and widest >> RANK_BITS == SLOTS >> 1


@pytest.mark.parametrize(
    ("board", "kind", "total", "largest", "every"),
    [
        ("5x6", "cycle", 8, 401, 3546),
        ("3x10", "cycle", 16, 23, 130),
        ("3x12", "cycle", 176, 48, 336),
        ("5x8", "cycle", 44202, 6075, 35568),
        ("6x6", "cycle", 9862, 7725, 75040),
        ("4x5", "path", 82, 123, 816),
        ("5x5", "path", 864, 737, 6853),
        ("aztec:3", "cycle", 5416, 629, 3174),
    ],
)
def test_counts_by_halves_as_recorded(board: str, kind: str, total: int, largest: int, every: int) -> None:
    count = count_by_halves(Problem(graph_of(board), kind))  # type: ignore[arg-type]
    assert count is not None
    assert (count.total, count.peak_states, sum(map(sum, count.states))) == (total, largest, every)


@pytest.mark.parametrize(
    ("board", "kind", "metric", "least", "largest", "every"),
    [
        ("5x6", "cycle", "turns", 28, 479, 3740),
        ("5x6", "cycle", "crossings", 49, 481, 3740),
        ("6x6", "cycle", "turns", 32, 10612, 92152),
        ("4x5", "path", "turns", 17, 152, 971),
        ("3x8", "path", "crossings", 36, 436, 2742),
    ],
)
def test_counts_by_value_as_recorded(board: str, kind: str, metric: str, least: int, largest: int, every: int) -> None:
    count = count_values_by_halves(Problem(graph_of(board), kind, metric))  # type: ignore[arg-type]
    assert count is not None
    assert (min(count.by_value), count.peak_states, sum(map(sum, count.states))) == (least, largest, every)


@pytest.mark.parametrize(
    ("board", "kind", "objective", "total", "largest"),
    [
        ("5x6", "cycle", None, 8, 887),
        ("3x10", "cycle", None, 16, 56),
        ("6x6", "cycle", None, 9862, 23084),
        ("4x5", "path", None, 82, 143),
        ("5x6", "cycle", "turns", 8, 1467),
        ("5x6", "any", None, 325, 485),
    ],
)
def test_counts_over_the_whole_board_as_recorded(
    board: str, kind: str, objective: str | None, total: int, largest: int
) -> None:
    problem = Problem(graph_of(board), kind, objective)  # type: ignore[arg-type]
    counts = count_solutions(problem, by_value=objective is not None)
    assert (counts.total, counts.peak_states) == (total, largest)


@pytest.mark.parametrize(
    ("board", "objective", "at_most", "value", "largest"),
    [
        ("5x6", "crossings", None, 49, 1088),
        ("5x6", "turns", None, 28, 1088),
        ("6x6", "turns", 32, 32, 36998),
        ("6x6", "turns", 31, None, 36998),
    ],
)
def test_least_values_as_recorded(
    board: str, objective: str, at_most: int | None, value: int | None, largest: int
) -> None:
    least = least_value(Problem(graph_of(board), "cycle", objective), at_most=at_most)  # type: ignore[arg-type]
    assert (least.value, least.peak_states) == (value, largest)


@pytest.mark.parametrize(
    ("board", "closed", "uncrossed", "moves", "states"),
    [
        ("5x5", True, False, 24, 22531),
        ("5x5", True, True, 8, 397),
        ("6x6", True, True, 12, 4370),
        ("5x5", False, True, 10, 3187),
    ],
)
def test_longest_walks_as_recorded(board: str, closed: bool, uncrossed: bool, moves: int, states: int) -> None:
    answer = longest(LongestTask(graph_of(board), closed, uncrossed))
    assert (answer.moves, answer.states) == (moves, states)


def test_the_states_of_rows_share_no_code_with_the_engine() -> None:
    tree = ast.parse(Path(row_states.__file__).read_text())
    names = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not any("sweeps" in name or "counting" in name or "frontier" in name for name in names), names
