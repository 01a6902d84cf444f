"""The sweep engine: states written and read, and answers and sizes of layers of every use, as they were recorded.

A change of a size is a change of what is pruned; a change of an answer is a fault.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from encoders.counting.count import count_by_halves
from encoders.counting.values import count_values_by_halves
from kt_models import Problem, graph_of
from kt_models.jit import Kernel
from kt_models.kernel.certificates.frontier import count_solutions, least_value
from kt_models.kernel.certificates.longest.sweep import longest
from kt_models.kernel.certificates.longest.task import LongestTask
from kt_models.kernel.sweeps import forms, run, values
from kt_models.kernel.sweeps.bounds import UNREACHED, Marks, folded, mark_of
from kt_models.kernel.sweeps.forms import (
    GAIN,
    PAIRINGS,
    RANK,
    RANK_BITS,
    SLOTS,
    edges_form,
    rank_of,
    ranked,
    ranked_form,
    read_coded,
    read_degrees,
    read_edges,
    read_ranked,
    read_wide_degrees,
    unrank,
    write_coded,
    write_degrees,
    write_ranked,
    write_wide_degrees,
)
from kt_models.limits import Limits
from tests.oracle import row_states

SLOTS_TRIED = 5


@pytest.fixture(scope="module", autouse=True)
def tables() -> Iterator[None]:
    """Small counts merge states by sorting; here they use the tables, as large ones do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "MOST_SORTED", 0)
        yield


def all_degrees() -> Iterator[tuple[int, int]]:
    """`full` and `ends` of all states of five slots with an even number of ends."""
    for degrees in np.ndindex(*[3] * SLOTS_TRIED):
        full, ends = (sum(1 << s for s, d in enumerate(degrees) if d == wanted) for wanted in (2, 1))
        if ends.bit_count() % 2 == 0:
            yield full, ends


def test_every_ranked_state_is_read_as_it_was_written() -> None:
    """All choices of full slots, ends and pairings of five slots: no two have the same word."""
    read, write, spread, number = (k.interpreted for k in (read_ranked, write_ranked, unrank, rank_of))
    row, words, layout = np.zeros((1, 1), dtype=np.uint64), set(), ranked_form(SLOTS_TRIED).layout(0)
    mate, again = np.zeros((2, 2 * GAIN), dtype=np.int64)
    states = 0
    for full, ends in all_degrees():
        for rank in range(PAIRINGS[ends.bit_count() // 2]):
            spread(rank, ends, mate)
            assert number(ends, mate) == rank
            write(row, 0, full, ends, layout, mate)
            assert read(row, 0, layout, again) == (full, ends)
            assert all(again[s] == (mate[s] if ends >> s & 1 else s) for s in range(SLOTS_TRIED))
            words.add(int(row[0, 0]))
            states += 1
    assert len(words) == states and 0 not in words
    widest = int(ranked.interpreted(0, SLOTS >> 1, PAIRINGS[9] - 1))
    assert widest & RANK == PAIRINGS[9] - 1 and widest >> RANK_BITS == SLOTS >> 1


@pytest.mark.parametrize(("gain_bits", "per"), [(0, 12), (0, 2), (3, 2)])
def test_coded_states_are_read_as_they_were_written(gain_bits: int, per: int) -> None:
    """With two linkages, with and without numbers that say how far round, in one word and in several."""
    read, write, rng = read_coded.interpreted, write_coded.interpreted, np.random.default_rng(per)
    words = -(-SLOTS_TRIED // per)
    layout = np.array([SLOTS_TRIED, 4 + gain_bits, per, 2, gain_bits, 0, words], dtype=np.int64)
    row, seen = np.zeros((1, words), dtype=np.uint64), {}
    mate, again = np.zeros((2, 2 * GAIN), dtype=np.int64)
    most = 1 << max(gain_bits - 1, 0)
    for full, ends in all_degrees():
        for s in range(SLOTS_TRIED):
            mate[s] = rng.integers(-3, SLOTS_TRIED) if ends >> s & 1 else s
            mate[s] += -4 * (mate[s] == -1)  # No linkage: some slot
            mate[s] = max(mate[s], -3)
            mate[GAIN + s] = rng.integers(-most, most) if gain_bits and ends >> s & 1 else 0
        write(row, 0, full, ends, layout, mate)
        assert read(row, 0, layout, again) == (full, ends)
        entries = [k + s for k in (0, GAIN) for s in range(SLOTS_TRIED) if not full >> s & 1]
        assert (again[entries] == mate[entries]).all() and row[0, 0] != 0
        seen[row.tobytes()] = (full, ends)
    assert len(seen) == sum(1 for _ in all_degrees())


@pytest.mark.parametrize(("read", "write"), [(read_degrees, write_degrees), (read_wide_degrees, write_wide_degrees)])
def test_degrees_are_read_as_they_were_written(read: Kernel, write: Kernel) -> None:
    row, nothing = np.zeros((1, 2), dtype=np.uint64), np.zeros(1, dtype=np.int64)
    for full, ends in all_degrees():
        write.interpreted(row, 0, full << 20, ends << 20, nothing, nothing)
        assert read.interpreted(row, 0, nothing, nothing) == (full << 20, ends << 20) and row[0, 0] != 0


@pytest.mark.parametrize("words", [1, 2])
def test_a_label_says_the_degrees(words: int) -> None:
    """Each slot has no edge, one or two of those that lead there, among bits of other edges and a cost."""
    rng = np.random.default_rng(words)
    for _ in range(50):
        bits = rng.permutation(np.arange(1, 64 * words))
        leading = bits[: 4 * SLOTS_TRIED].reshape(SLOTS_TRIED, 4)
        masks = [[sum(1 << int(bit) % 64 for bit in row if bit // 64 == k) for k in range(words)] for row in leading]
        layout = edges_form(SLOTS_TRIED, [list(np.array(masks, dtype=np.uint64))]).layout(0)
        degrees = rng.integers(0, 3, size=SLOTS_TRIED)
        chosen = [
            *bits[4 * SLOTS_TRIED :: 2],
            *(row[k] for row, d in zip(leading, degrees, strict=True) for k in range(d)),
        ]
        row = np.zeros((1, words), dtype=np.uint64)
        for bit in chosen:
            row[0, bit // 64] |= np.uint64(1 << int(bit) % 64)
        full, ends = read_edges.interpreted(row, 0, layout, layout)
        assert [(full >> s & 1) * 2 + (ends >> s & 1) for s in range(SLOTS_TRIED)] == degrees.tolist()


def test_a_folded_table_is_never_above_the_bound_of_a_mark() -> None:
    rng = np.random.default_rng(5)
    for marks in (0, 1, 20, 3000):
        table = np.full(1 << 12, UNREACHED, dtype=np.int32)
        places = rng.choice(len(table), size=marks, replace=False)
        table[places] = rng.integers(0, 50, size=marks)
        small = folded(table)
        assert len(small) & (len(small) - 1) == 0 and len(small) <= len(table)
        assert (small[places & (len(small) - 1)] <= table[places]).all()
        kept = np.unique(places & (len(small) - 1))
        assert (np.flatnonzero(small != UNREACHED) == kept).all()
        assert len(kept) >= 0.9 * marks


@pytest.mark.parametrize("kind", ["cycle", "path", "any", "linkage", "paths"])
def test_every_form_of_a_state_gives_the_same(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranked or coded, in one word or several, one layer in parts or not."""
    terminals = (0, 7, 3, 11) if kind in ("linkage", "paths") else ()
    problem = Problem(graph_of("5x6" if kind == "cycle" else "3x4"), kind, "turns", terminals)  # type: ignore[arg-type]
    known = count_solutions(problem, by_value=True)
    assert known.by_value
    for name, limit in (("MAX_SLOTS", 1), ("MAX_DEGREE_SLOTS", 1), ("CODE_WORD_BITS", 8)):
        monkeypatch.setattr(forms, name, limit)
        monkeypatch.setattr(run, "CHUNK", 300)
        monkeypatch.setattr(run, "CHUNKS", 1)
        counts = count_solutions(problem, by_value=True)
        assert (counts.by_value, counts.peak_states) == (known.by_value, known.peak_states)
        if kind != "cycle" or name == "CODE_WORD_BITS":  # Thousands of parts of layers: once will do
            assert least_value(problem).value == min(known.by_value)


def test_marks_are_sums_over_bits() -> None:
    rng = np.random.default_rng(3)
    weights = rng.integers(0, 1 << 40, size=(4, 64)) * (rng.random((4, 64)) < 0.2)
    marks = Marks.of({(int(k), int(b)): int(weights[k, b]) for k, b in np.argwhere(weights)}, constant=-5)
    for _ in range(20):
        words = rng.integers(0, 2**64, size=4, dtype=np.uint64)
        bits = np.array([[int(word) >> bit & 1 for bit in range(64)] for word in words])
        masks, rows = words[None, :2].copy(), np.concatenate([[np.uint64(0)], words[2:]])[None, :]
        known = int((bits * weights).sum()) - 5
        assert mark_of.interpreted(masks, 0, rows, 0, 1, marks.where, marks.table) == known


@pytest.mark.parametrize(
    ("board", "kind", "total", "largest", "every"),
    [
        ("5x6", "cycle", 8, 336, 3272),
        ("3x10", "cycle", 16, 19, 106),
        ("3x12", "cycle", 176, 44, 262),
        ("5x8", "cycle", 44202, 4595, 29491),
        ("6x6", "cycle", 9862, 7315, 71598),
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
        ("4x5", "path", None, 82, 120),
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
        pytest.param("5x6", "crossings", None, 49, 1088, marks=pytest.mark.slow),
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
        ("5x5", False, True, 10, 3451),
    ],
)
def test_longest_walks_as_recorded(board: str, closed: bool, uncrossed: bool, moves: int, states: int) -> None:
    answer = longest(LongestTask(graph_of(board), closed, uncrossed))
    assert (answer.moves, answer.states) == (moves, states)


def test_threads_change_no_sweep_over_the_whole_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts, and least values with a cap: layers in parts, on several threads or one."""
    monkeypatch.setattr(run, "CHUNK", 2000)
    monkeypatch.setattr(run, "CHUNKS", 1)
    monkeypatch.setattr(run, "PART_BITS", 2)
    posed = Problem(graph_of("5x6"), "cycle", "crossings")

    def answers(workers: int) -> tuple[object, ...]:
        limits = Limits(workers=workers)
        counts = count_solutions(posed, by_value=True, limits=limits)
        least = least_value(posed, at_most=48, limits=limits)
        return counts.by_value, counts.peak_states, least.value, least.peak_states

    alone = answers(1)
    assert alone[0] == {49: 2, 50: 4, 51: 2} and alone[2] is None
    assert answers(3) == alone


def test_states_that_a_step_keeps_are_spread_over_the_next_table() -> None:
    """The first half of a table, in its order: one end of a table with the same hash, and any place with the next."""
    states, everything = 20_000, np.uint64((1 << 64) - 1)
    rng = np.random.default_rng(1)
    some = np.stack([rng.integers(1, 1 << 63, states, dtype=np.uint64), np.ones(states, dtype=np.uint64)], axis=1)
    table = np.zeros((2 * states, 2), dtype=np.uint64)
    assert values.enter_all(some, table, 1, everything, values.SALTS[0], 0) == states
    first = table[table[:, 0] != 0][: states // 2]
    longest_runs = []
    for salt in values.SALTS:
        table = np.zeros((6 * states // 10, 2), dtype=np.uint64)  # Half of it has no room for the rows
        assert values.enter_all(first, table, 1, everything, salt, 0) == len(first)
        empty = np.flatnonzero(table[:, 0] == 0)
        longest_runs.append(int(np.diff(empty, prepend=-1, append=len(table)).max()) - 1)
    assert longest_runs[0] > states // 4 and longest_runs[1] < states // 40, longest_runs


@pytest.mark.parametrize("rows", [10, 5000, 40_000, 60_000])
@pytest.mark.parametrize("known", [True, False], ids=["", "a system that takes no pages back"])
def test_a_trimmed_table_keeps_its_first_rows(rows: int, known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not known:
        monkeypatch.delattr(run.mmap, "MADV_DONTNEED", raising=False)
    table = run.new_table(60_000, 2)
    table[:] = np.arange(120_000, dtype=np.uint64).reshape(-1, 2)
    kept = run.trimmed(table, rows)
    assert np.array_equal(kept, np.arange(2 * rows, dtype=np.uint64).reshape(-1, 2))
    if sys.platform == "linux":  # Pages that the system has taken back are read as 0
        assert table[-1].any() != (known and rows < len(table))


def test_the_states_of_rows_share_no_code_with_the_engine() -> None:
    tree = ast.parse(Path(row_states.__file__).read_text())
    names = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not any("sweeps" in name or "counting" in name or "frontier" in name for name in names), names
