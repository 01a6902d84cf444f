"""Chunks of rows measured in this process or over several, in order, until a stop is asked for."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator
from dataclasses import astuple
from typing import TYPE_CHECKING

from heuristics.experiments.measurement import Tallies
from heuristics.experiments.tables import TableRow
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits
from kt_models.machine import begin_worker, without_interrupts

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.synchronize import Event

POLL = 0.2
"""Seconds between two looks at the clock while the workers work."""


def measure_row(
    row: TableRow, seed: int, first: int, last: int, pairs: bool = True, limits: Limits = NO_LIMITS
) -> Tallies:
    """Graphs number `first` to `last - 1` of a row, or as far as it came, as `Tallies`."""
    import numpy as np

    from heuristics.experiments.conversion import tally

    counts: Tallies = []
    for number in range(first, last):
        # the text, not the key, names the stream: the same distribution gives the same graphs in every table
        rng = np.random.default_rng((seed, zlib.crc32(row.family.text.encode()), number))
        drawn = row.family.draw_connected(rng, limits)
        if drawn is None:
            break
        graph, dropped = drawn
        counts.append([int(x) for x in astuple(tally(graph, pairs=pairs, dropped=dropped))])
    return counts


def measure_chunks(
    chunks: list[tuple[TableRow, int, int]], seed: int, pairs: bool, workers: int, limits: Limits
) -> Iterator[tuple[TableRow, Tallies]]:
    """The chunks in order, each with its counts, until a stop is asked for; then one of them may be short."""
    if workers == 1 or len(chunks) < 2:
        for row, first, last in chunks:
            yield row, measure_row(row, seed, first, last, pairs, limits)
            if limits.over:
                return
        return
    import multiprocessing
    from collections import deque
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    # spawn: a fork of a process with threads (the progress bar) may copy a lock that nobody holds any more
    context = multiprocessing.get_context("spawn")
    halt = context.Event()
    count = min(workers, len(chunks))
    with ProcessPoolExecutor(count, mp_context=context, initializer=_begin_worker, initargs=(halt,)) as pool:
        waiting: deque[tuple[TableRow, int, Future[Tallies]]] = deque()
        todo = iter(chunks)
        while not halt.is_set():
            with without_interrupts():
                while len(waiting) < 2 * workers and (chunk := next(todo, None)):
                    row, first, last = chunk
                    waiting.append((row, last - first, pool.submit(_measure_in_worker, row, seed, first, last, pairs)))
            if not waiting:
                return
            row, size, future = waiting.popleft()
            try:
                counts = _await(future, limits, halt)
            except BrokenProcessPool:
                time.sleep(POLL)  # SIGTERM to the whole group ends the workers, and this process may hear of it later
                if limits.over:
                    return
                raise KTError("a worker process was ended; was there too little memory for so many?") from None
            yield row, counts
            if len(counts) < size:
                return


def _await(future: Future[Tallies], limits: Limits, halt: Event) -> Tallies:
    """The counts of a chunk; once a stop is asked for, the workers are told to end theirs."""
    while True:
        if limits.over:
            halt.set()
        try:
            return future.result(timeout=POLL)
        except TimeoutError:
            continue


def _measure_in_worker(row: TableRow, seed: int, first: int, last: int, pairs: bool) -> Tallies:
    return measure_row(row, seed, first, last, pairs, Limits(stop=_halt[0]))


_halt: list[Event] = []
"""In a worker: the event that tells it to stop."""


def _begin_worker(halt: Event) -> None:
    _halt[:] = [halt]
    begin_worker()
