"""The answers for a list, in order: blocks of graphs go to threads, and graphs that stay unknown to all cores."""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

import numpy as np

from encoders.many.compiled import outcome_of
from encoders.many.ordinary import answer_pieces, answered, answers_of, without_answer
from encoders.many.outcome import UNKNOWN, YES, Outcome
from encoders.many.question import Answer, Question
from encoders.work.pool import LocalPool
from kt_models.errors import KTError
from kt_models.files.graph_forms.form import Piece
from kt_models.files.graph_forms.several import GraphList
from kt_models.files.graph_lists.block import DIRECTED, KIND, GraphBlock
from kt_models.limits import LATE_PREFIX, Limits, Stopped
from kt_models.machine import usable_cores

ALONE_SECONDS = 2.0
"""Seconds of ordinary solving in this process first: for a list that is answered by then, processes would not pay."""
BATCH_SECONDS = 0.3
"""Seconds that one batch of graphs for a process should take."""
MAX_BATCH = 500
"""Most graphs of a batch."""
MAX_GRAPHS_AHEAD, MAX_BLOCKS_AHEAD = 250_000, 4096
"""Most graphs, and blocks, that are read before the first of them is answered: they bound the memory for a list of any
length, and what a hard graph lets through. A slow pipe has a block for each of its lines."""
POLL_SECONDS = 0.05
REST_SECONDS = 1.0
"""Seconds after a signal or a limit in which graphs without an answer are told: so many may have been read ahead that
their lines would take half a minute."""
MAX_SECONDS = 1e6


class ListReport(Protocol):
    """Who hears the answers, in the order of the list; each method may raise `Stopped` to end."""

    def prepare(self, block: GraphBlock, outcome: Outcome) -> Any:
        """Data that `tell_rows` needs for a block; called in a thread, as it may take as long as the search."""

    def tell_rows(self, block: GraphBlock, outcome: Outcome, prepared: Any, begin: int, end: int) -> None:
        """Hear the answers of some rows of a block, none of which is unknown."""

    def tell(self, answer: Answer, block: GraphBlock, row: int) -> None:
        """Hear the answer of the ordinary engines for a row of a block."""


def words_of_row(block: GraphBlock, outcome: Outcome, row: int, question: Question) -> str:
    """The words behind the status in the line of a graph, unless that is a tour."""
    yes = outcome.statuses[row] == YES
    if outcome.counts is not None:
        count = int(outcome.counts[row])
        return str(count) if question.counting else f"{count:,} known" + ("" if yes else ", which are all")
    if question.property_name is None:
        return "" if yes else "exhaustive"
    directed = block.records[row, KIND] == DIRECTED
    edges = outcome.edges(block, row, directed=bool(directed)) if yes else []
    return " ".join(f"{block.name_of(u)}{'->' if directed else '-'}{block.name_of(v)}" for u, v in edges)


def answer_list(graphs: GraphList, question: Question, limits: Limits, report: ListReport) -> tuple[int, bool]:
    """Answer each graph of a list.

    Parameters
    ----------
    question
        The question for each graph.
    limits
        Limits of the whole list; workers are threads, and processes.
    report
        Hears each answer, in the order of the list.

    Returns
    -------
    tuple
        How many graphs were answered, and whether these are all.

    Raises
    ------
    KTError
        If the list could not be read to its end, when all graphs before that are answered.
    """
    return _Answering(graphs, question, limits, report).run()


@dataclass(eq=False)
class _Part:
    """A block, and what is known of its graphs."""

    block: GraphBlock
    deciding: Future[tuple[Outcome, Any]]
    answers: dict[int, Answer] = field(default_factory=dict)
    """Answers of the ordinary engines by row."""
    told: int = 0
    """Rows that were told."""
    seen: bool = False
    """Whether its unknown graphs are waiting for the ordinary engines."""


class _Answering:
    """The state of one list."""

    def __init__(self, graphs: GraphList, question: Question, limits: Limits, report: ListReport) -> None:
        self.question, self.limits, self.report = question, limits, report
        self.given = (graphs.form, graphs.name, asdict(question))
        self.workers = limits.workers or usable_cores()
        self.news = threading.Event()
        """Set when a block is read, a block is decided, or a process has answered."""
        self.blocks = _Reader(graphs.blocks, self.news)
        self.threads = ThreadPoolExecutor(self.workers, f"{LATE_PREFIX}lists")
        self.stop = np.zeros(1, dtype=np.int64)
        self.parts: deque[_Part] = deque()
        self.waiting: deque[tuple[_Part, int]] = deque()
        """Graphs that wait for the ordinary engines."""
        self.alone = ALONE_SECONDS
        """Seconds of ordinary solving that this process still does itself."""
        self.pool: LocalPool | None = None
        self.flying: dict[Future[Any], tuple[list[tuple[_Part, int]], list[Piece], float]] = {}
        self.batch = 1
        self.ahead = 0
        """Graphs of the parts."""
        self.count = 0
        self.refused = False

    def run(self) -> tuple[int, bool]:
        try:
            while self.parts or not self.blocks.ended:
                self.limits.check()
                self.news.clear()
                if not any([self._decide(), self._look(), self._solve(), self._tell()]):
                    self.news.wait(min(POLL_SECONDS, self.limits.left))
        except Stopped:
            self.stop[0] = 1
            if not self.refused:
                with suppress(Stopped):
                    self._tell_rest()
            return self.count, False
        finally:
            self.stop[0] = 1
            self.threads.shutdown(wait=False, cancel_futures=True)
            if self.pool is not None:
                self.pool.close()
        if self.blocks.fault is not None:
            raise self.blocks.fault
        return self.count, True

    def _decide(self) -> bool:
        """Give the blocks that are read to threads."""
        begun = False
        while len(self.parts) < MAX_BLOCKS_AHEAD and self.ahead < MAX_GRAPHS_AHEAD:
            if (block := self.blocks.take()) is None:
                break
            future = self.threads.submit(self._decided, block)
            future.add_done_callback(lambda _: self.news.set())
            self.parts.append(_Part(block, future))
            self.ahead += len(block)
            begun = True
        return begun

    def _decided(self, block: GraphBlock) -> tuple[Outcome, Any]:
        """The outcome of a block, in a thread."""
        outcome = outcome_of(block, self.question, self.stop)
        return outcome, self.report.prepare(block, outcome)

    def _look(self) -> bool:
        """Let unknown graphs wait for the ordinary engines."""
        looked = False
        for part in self.parts:
            if part.seen or not part.deciding.done():
                continue
            part.seen = looked = True
            outcome, _ = part.deciding.result()
            unknown = np.flatnonzero(outcome.statuses[: outcome.done] == UNKNOWN)
            self.waiting.extend((part, row) for row in unknown.tolist())
        return looked

    def _tell(self) -> bool:
        """Tell what is known, up to the first graph that is not."""
        told = False
        while self.parts and self.parts[0].seen:
            part = self.parts[0]
            before = part.told
            self._tell_part(part)
            told = told or part.told > before
            if part.told < len(part.block):
                break
            self.parts.popleft()
            self.ahead -= len(part.block)
        return told

    def _tell_part(self, part: _Part) -> None:
        outcome, prepared = part.deciding.result()
        unknown = outcome.statuses == UNKNOWN
        while part.told < outcome.done:
            row = part.told
            if not unknown[row]:
                missing = np.flatnonzero(unknown[row:])
                end = min(row + int(missing[0]) if len(missing) else len(part.block), outcome.done)
                part.told = end
                self.count += end - row
                self._hand_on(self.report.tell_rows, part.block, outcome, prepared, row, end)
            elif row in part.answers:
                part.told += 1
                self.count += 1
                self._hand_on(self.report.tell, part.answers.pop(row), part.block, row)
            else:
                return

    def _hand_on(self, tell: Callable[..., None], *told: Any) -> None:
        try:
            tell(*told)
        except Stopped:
            self.refused = True
            raise

    def _tell_rest(self) -> None:
        """At the end, for about a second, tell what is known, and `unknown` for others up to the last one begun."""
        until = time.monotonic() + REST_SECONDS
        for part in self.parts:
            if part.deciding.cancel():
                return
            outcome, _ = part.deciding.result()
            for row in np.flatnonzero(outcome.statuses[: outcome.done] == UNKNOWN).tolist():
                if row < part.told or row in part.answers:
                    continue
                part.answers[row] = without_answer(part.block.piece(row), "unknown", "stopped before it was answered")
                self._tell_part(part)
                if time.monotonic() > until:
                    return
            self._tell_part(part)
            if outcome.done < len(part.block):
                return

    # -- the ordinary engines ------------------------------------------------------------------------------------------

    def _solve(self) -> bool:
        """Answer graphs that stayed unknown: at first in this process, then in others."""
        if self.waiting and self.pool is None and (self.workers == 1 or self.alone > 0):
            return self._solve_here()
        return self._collect() | self._send()

    def _solve_here(self) -> bool:
        """Answer one graph in this process."""
        part, row = self.waiting[0]
        limits = self.limits if self.workers == 1 else self.limits.within(self.alone)
        began = time.monotonic()
        answer = answered(part.block.piece(row), *self.given[:2], self.question, limits)
        self.alone -= time.monotonic() - began
        if answer.lacks and limits.over and not self.limits.over:  # Another process gives it more time
            self.alone = 0.0
            return True
        self.waiting.popleft()
        part.answers[row] = answer
        return True

    def _send(self) -> bool:
        """Keep all processes busy."""
        sent = False
        while self.waiting:
            if self.pool is None:
                self.pool = LocalPool(self.workers, self.limits.memory)
            if len(self.flying) >= 2 * self.pool.size:
                break
            places = [self.waiting.popleft() for _ in range(min(self.batch, len(self.waiting)))]
            pieces = [part.block.piece(row) for part, row in places]
            future = self.pool.submit(answer_pieces, pieces, *self.given, min(self.limits.left, MAX_SECONDS))
            future.add_done_callback(lambda _: self.news.set())
            self.flying[future] = (places, pieces, time.monotonic())
            sent = True
        return sent

    def _collect(self) -> bool:
        """Take the answers of processes."""
        finished = [future for future in self.flying if future.done()]
        for future in finished:
            places, pieces, began = self.flying.pop(future)
            answers = answers_of(future, pieces)
            if answers is None:  # One of the graphs ended its process: give each graph its own process.
                self.waiting.extendleft(reversed(places))
                self.batch = 1
                continue
            for (part, row), answer in zip(places, answers, strict=True):
                part.answers[row] = answer
            # Half of the time a batch waits for another one.
            pace = max(1e-4, (time.monotonic() - began) / len(pieces) / 2)
            self.batch = max(1, min(MAX_BATCH, 2 * self.batch, int(BATCH_SECONDS / pace)))
        return bool(finished)


class _Reader:
    """Blocks read ahead in a thread, because a pipe may make its reader wait."""

    def __init__(self, blocks: Iterator[GraphBlock], news: threading.Event) -> None:
        self._queue: queue.Queue[GraphBlock | BaseException | None] = queue.Queue(maxsize=8)
        self._news = news
        self.ended = False
        self.fault: KTError | None = None
        """Why the list could not be read to its end."""
        threading.Thread(target=self._read, args=(blocks,), name=f"{LATE_PREFIX}reader", daemon=True).start()

    def _read(self, blocks: Iterator[GraphBlock]) -> None:
        last: BaseException | None = None
        try:
            for block in blocks:
                self._queue.put(block)
                self._news.set()
        except BaseException as error:
            last = error
        self._queue.put(last)
        self._news.set()

    def take(self) -> GraphBlock | None:
        """The next block, if one is there; `ended` tells whether there are no more."""
        if self.ended:
            return None
        try:
            item = self._queue.get_nowait()
        except queue.Empty:
            return None
        if item is None or isinstance(item, BaseException):
            self.ended = True
            if isinstance(item, BaseException) and not isinstance(item, KTError):
                raise item
            self.fault = item
            return None
        return item
