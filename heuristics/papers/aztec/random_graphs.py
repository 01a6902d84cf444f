"""Path-conversion on random graphs: rows of tables, measured by several processes, continued after an interruption.

Graph number i of a row depends on the seed, the row and i alone. So neither the number of workers nor an interruption
changes a figure. Four numbers of each graph are kept (`conversion.Tally`).
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

from heuristics.calls import outcomes
from heuristics.papers.aztec.measurement import Measurement, Tallies
from heuristics.papers.aztec.tables import PaperRow
from heuristics.papers.aztec.variants import TEXT, variant_named
from kt_models.errors import KTError, about
from kt_models.json_values import are_integers
from kt_models.json_version import FORMAT_VERSION, read_document
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.machine import Pool
from kt_models.storage import read_json
from kt_models.writing import require_writable, write_json

GRAPHS_PER_CHUNK = 10
"""Graphs that a worker takes at a time, about half a second of work."""
SAVE_SECONDS = 20.0
"""Seconds between two writings of the state."""
MAX_GRAPHS, MAX_WORKERS = 1_000_000, 1024


def run(
    rows: Sequence[PaperRow],
    *,
    graphs: int = 1000,
    pairs: bool = True,
    variant: str = TEXT,
    state: str | None = None,
    limits: Limits = NO_LIMITS,
    pool: Pool | None = None,
    on_progress: Listener = silent,
) -> list[Measurement]:
    """Measure rows, one after the other.

    Parameters
    ----------
    graphs
        Number of graphs for each row.
    pairs
        Whether a piece of a cut path may be a single edge.
    variant
        A reading of Warnsdorff's rule, from `heuristics.papers.aztec.variants`.
    state
        A JSON file for the finished graphs. If it exists, its graphs are not measured again.
    limits
        Limits, looked at after every few graphs; then the finished graphs are returned.
    pool
        The pool that does the work; without one this process does it.
    on_progress
        Called with the number of finished graphs, in words.

    Raises
    ------
    KTError
        If a number is out of range, or the state file is of another kind or has other settings.
    """
    if not 1 <= graphs <= MAX_GRAPHS or (pool is not None and pool.size > MAX_WORKERS):
        raise KTError(f"between 1 and {MAX_GRAPHS:,} graphs, between 1 and {MAX_WORKERS} workers")
    variant_named(variant)
    book = _Book(state, {"seed": limits.seed, "pairs": pairs, "variant": None if variant == TEXT else variant})
    families = {row.family: row for row in rows}.values()  # A family may be in two tables.
    chunks = [
        (row, first, min(first + GRAPHS_PER_CHUNK, graphs), pairs, variant)
        for row in families
        for first in range(len(book.counts(row)), graphs, GRAPHS_PER_CHUNK)
    ]
    done, total = sum(min(len(book.counts(row)), graphs) for row in families), len(families) * graphs
    on_progress(Report(words=f"{done:,} of {total:,} graphs"))
    try:
        for (row, *_), counts in outcomes(measure_row, chunks, limits, pool):
            book.add(row, counts)
            done += len(counts)
            on_progress(Report(words=f"{done:,} of {total:,} graphs; {row.family.text}"))
    finally:
        book.save()
    return [Measurement(row, book.counts(row)[:graphs], graphs) for row in rows]


def measure_row(row: PaperRow, first: int, last: int, pairs: bool, variant: str, limits: Limits) -> Tallies:
    """Measure the graphs number `first` to `last - 1` of a row, or as many as the limits allow."""
    import numpy as np

    from heuristics.papers.aztec.conversion_rates import tally

    counts: Tallies = []
    for number in range(first, last):
        # The text, not the key, names the stream: the same distribution gives the same graphs in every table
        rng = np.random.default_rng((limits.seed, zlib.crc32(row.family.text.encode()), number))
        drawn = row.family.draw_connected(rng, limits)
        if drawn is None:
            break
        graph, dropped = drawn
        counts.append([int(x) for x in astuple(tally(graph, pairs=pairs, dropped=dropped, variant=variant))])
    return counts


class _Book:
    """The counts of every row, in memory and in a file."""

    def __init__(self, path: str | None, settings: dict[str, Any]) -> None:
        self._path, self._settings = path, settings
        self._rows: dict[str, Tallies] = {}
        self._saved = time.monotonic()
        self._dirty = False
        if path is None:
            return
        require_writable(path)
        if os.path.exists(path):
            self._rows = _read_state(path, settings)

    @staticmethod
    def _name(row: PaperRow) -> str:
        return row.family.text

    def counts(self, row: PaperRow) -> Tallies:
        return self._rows.get(self._name(row), [])

    def add(self, row: PaperRow, counts: Tallies) -> None:
        self._rows.setdefault(self._name(row), []).extend(counts)
        self._dirty = True
        if time.monotonic() - self._saved > SAVE_SECONDS:
            self.save()

    def save(self) -> None:
        if self._path is not None and self._dirty:
            data = {"version": FORMAT_VERSION, "kind": "random-graphs", **self._settings, "rows": self._rows}
            write_json(self._path, data)
        self._saved, self._dirty = time.monotonic(), False


def _read_state(path: str, settings: dict[str, Any]) -> dict[str, Tallies]:
    data = read_json(path)
    if not isinstance(data, dict) or data.get("kind") != "random-graphs":
        raise KTError(f"{path}: not the state of this experiment")
    with about(path):
        data = read_document(data, "random-graphs")
    for name, value in settings.items():
        if data.get(name) != value or type(data.get(name)) is not type(value):
            raise KTError(f"{path}: it was begun with {name} {data.get(name)!r}, not {value!r}")
    rows = data.get("rows")
    if not isinstance(rows, dict) or not all(
        isinstance(counts, list)
        and all(are_integers(c, 0) and len(c) == 4 for c in counts)
        and all(c[1] <= c[0] for c in counts)
        for counts in rows.values()
    ):
        raise KTError(f"{path}: 'rows' is not what this experiment writes")
    return rows
