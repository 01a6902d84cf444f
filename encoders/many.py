"""Answers for many graphs: the easy ones in this process, the others on all cores, in the order of the list.

A damaged graph, or one without an answer in time, gets an answer that says so, and the others go on. Processes get the
text of a graph, not its arrays, and several small graphs at a time.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Any

from encoders.work.pool import LocalPool
from kt_models.errors import KTError
from kt_models.files.graph_forms.form import Piece
from kt_models.files.graph_forms.several import GraphList, graph_of_piece
from kt_models.limits import LATE_PREFIX, Limits, Stopped
from kt_models.machine import usable_cores

ALONE_SECONDS = 2.0
"""Seconds of work in this process first: for a list that is answered by then, processes would not pay."""
BATCH_SECONDS = 0.3
"""Seconds that one batch of graphs for a process should take."""
MAX_BATCH = 500
"""Most graphs of a batch."""
MAX_GRAPHS_AHEAD = 20_000
"""Most graphs read before the first of them is answered; it bounds the memory for a list of any length."""
POLL_SECONDS = 0.05
MAX_SECONDS = 1e6
UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Question:
    """The question for each graph.

    Parameters
    ----------
    at_least
        Whether the graph has at least this many tours; None to find a tour, or the reason why there is none.
    conditions
        Keywords of `problem_from` besides the graph.
    engine, encoding, solver, hint
        As of `encoders.solve`.
    seconds
        Time for each graph.
    seed
        The same seed gives the same answers, unless a limit comes first.
    """

    at_least: int | None = None
    conditions: tuple[tuple[str, Any], ...] = ()
    engine: str = "auto"
    encoding: str = ""
    solver: str = ""
    hint: bool = True
    seconds: float | None = None
    seed: int = 0


@dataclass(frozen=True)
class Answer:
    """The answer for one graph.

    Parameters
    ----------
    number, line
        Number of the graph in its file, and the line where it begins, from 1.
    status
        `feasible`, `infeasible`, `unknown`, `yes`, `no`, or `unreadable`.
    words
        How the answer is known, why there is no tour, or why the graph cannot be read.
    names
        The vertices of the tour.
    data
        The JSON object of the answer.
    """

    number: int
    line: int
    status: str
    words: str
    names: tuple[str, ...] = ()
    data: dict[str, Any] | None = None

    @property
    def lacks(self) -> bool:
        """Whether more time could add to it: an answer, or the certificate that there is no tour."""
        return self.status == "unknown" or (self.status == "infeasible" and "certificate" not in (self.data or {}))


def answer_list(
    graphs: GraphList, question: Question, limits: Limits, on_answer: Callable[[Answer], None]
) -> tuple[int, bool]:
    """Answer each graph of a list.

    Parameters
    ----------
    question
        The question for each graph.
    limits
        Limits of the whole list; workers are processes.
    on_answer
        Called with each answer, in the order of the list; it may raise `Stopped` to end.

    Returns
    -------
    tuple
        How many graphs were looked at, and whether these are all.
    """
    return _Answering(graphs, question, limits, on_answer).run()


class _Answering:
    """The state of one list."""

    def __init__(
        self, graphs: GraphList, question: Question, limits: Limits, on_answer: Callable[[Answer], None]
    ) -> None:
        self.graphs, self.question, self.limits, self.on_answer = graphs, question, limits, on_answer
        self.given = (graphs.form, graphs.name, asdict(question))
        self.pieces = _Reader(graphs.pieces)
        self.waiting: deque[Piece] = deque()
        self.done: dict[int, Answer] = {}
        self.begun: dict[int, Piece] = {}
        self.next = 1
        """Number of the next graph to report."""
        self.refused = False

    def run(self) -> tuple[int, bool]:
        workers = self.limits.workers or usable_cores()
        try:
            self._alone(None if workers == 1 else self.limits.within(ALONE_SECONDS))
            if not (self.pieces.ended and not self.waiting):
                self._together(LocalPool(workers, self.limits.memory))
        except Stopped:
            if not self.refused:
                with suppress(Stopped):
                    self._tell_rest()
            return self.next - 1, False
        return self.next - 1, True

    def _tell(self, answer: Answer) -> None:
        """Keep an answer, and report all answers that are next in order."""
        self.done[answer.number] = answer
        self.begun.pop(answer.number, None)
        while self.next in self.done:
            due = self.done.pop(self.next)
            self.next += 1
            self._hand_on(due)

    def _hand_on(self, answer: Answer) -> None:
        try:
            self.on_answer(answer)
        except Stopped:
            self.refused = True
            raise

    def _tell_rest(self) -> None:
        """At the end, report the known answers, and `unknown` for other graphs that were begun."""
        for piece in [*self.begun.values()]:
            self.done.setdefault(piece.number, _without(piece, "unknown", "stopped before it was answered"))
        for number in sorted(self.done):
            self.next = number + 1
            self._hand_on(self.done[number])

    def _alone(self, first_limits: Limits | None) -> None:
        """Answer graphs in this process: all, or those that fit into a moment."""
        limits = first_limits or self.limits
        while not limits.over:
            piece = self.pieces.take(min(limits.left, POLL_SECONDS))
            if piece is None:
                if self.pieces.ended:
                    return
                self.limits.check()
                continue
            self.begun[piece.number] = piece
            answer = answered(piece, *self.given[:2], self.question, limits)
            if answer.lacks and limits.over and first_limits is not None and not self.limits.over:
                del self.begun[piece.number]
                self.waiting.append(piece)
                return
            self._tell(answer)
        if first_limits is None:
            self.limits.check()

    def _together(self, pool: LocalPool) -> None:
        """Answer the other graphs in processes, until none is left."""
        flying: dict[Future[Any], tuple[list[Piece], float]] = {}
        size = 1
        try:
            while True:
                self.limits.check()
                while len(flying) < 2 * pool.size and (batch := self._batch(size)):
                    left = min(self.limits.left, MAX_SECONDS)
                    flying[pool.submit(answer_pieces, batch, *self.given, left)] = (batch, time.monotonic())
                if not flying:
                    if self.pieces.ended and not self.waiting:
                        return
                    self.pieces.wait(POLL_SECONDS)
                    continue
                finished, _ = wait(flying, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
                for future in finished:
                    batch, began = flying.pop(future)
                    answers = _outcome(future, batch)
                    if answers is None:  # One of the graphs ended its process: give each graph its own process.
                        self.waiting.extendleft(reversed(batch))
                        size = 1
                        continue
                    for answer in answers:
                        self._tell(answer)
                    # Half of the time a batch waits for another one.
                    pace = max(1e-4, (time.monotonic() - began) / len(batch) / 2)
                    size = max(1, min(MAX_BATCH, 2 * size, int(BATCH_SECONDS / pace)))
        finally:
            pool.close()

    def _batch(self, size: int) -> list[Piece]:
        """The next graphs for a process; none while too many wait for an earlier answer."""
        batch: list[Piece] = []
        while len(batch) < size and len(self.done) + len(self.begun) < MAX_GRAPHS_AHEAD:
            piece = self.waiting.popleft() if self.waiting else self.pieces.take(0)
            if piece is None:
                break
            self.begun[piece.number] = piece
            batch.append(piece)
        return batch


class _Reader:
    """Pieces read ahead in a thread, because a pipe may make its reader wait."""

    def __init__(self, pieces: Iterator[Piece]) -> None:
        self._queue: queue.Queue[Piece | BaseException | None] = queue.Queue(maxsize=1000)
        self.ended = False
        self._held: Piece | None = None
        threading.Thread(target=self._read, args=(pieces,), name=f"{LATE_PREFIX}reader", daemon=True).start()

    def _read(self, pieces: Iterator[Piece]) -> None:
        try:
            for piece in pieces:
                self._queue.put(piece)
            self._queue.put(None)
        except BaseException as error:  # `take` raises it again.
            self._queue.put(error)

    def take(self, seconds: float) -> Piece | None:
        """The next piece, if one comes in time; `ended` tells whether there are no more."""
        if self._held is not None:
            piece, self._held = self._held, None
            return piece
        if self.ended:
            return None
        try:
            item = self._queue.get(timeout=seconds) if seconds > 0 else self._queue.get_nowait()
        except queue.Empty:
            return None
        if item is None:
            self.ended = True
        elif isinstance(item, BaseException):
            self.ended = True
            raise item
        return item

    def wait(self, seconds: float) -> None:
        """Wait for the next piece."""
        self._held = self.take(seconds)


def answer_pieces(pieces: list[Piece], form: str, name: str, question: dict[str, Any], seconds: float) -> list[Answer]:
    """The answers for some graphs, in a process of the pool."""
    limits = Limits(seconds, workers=1)
    return [answered(piece, form, name, Question(**question), limits) for piece in pieces]


def answered(piece: Piece, form: str, name: str, question: Question, limits: Limits) -> Answer:
    """The answer for one graph; a fault of the graph is an answer too."""
    try:
        limits.check()
        share = replace(limits.within(question.seconds), workers=1, seed=question.seed)
        return _answer(piece, form, name, question, share)
    except Stopped as error:
        return _without(piece, "unknown", str(error))
    except KTError as error:
        return _without(piece, UNREADABLE, str(error).removeprefix(f"{name} ({piece.number}): "))
    except MemoryError:
        return _without(piece, "unknown", "not enough memory")
    except Exception as error:  # One fault must not lose the answers for the other graphs.
        why = f"internal error, please report it: {type(error).__name__}: {error}"
        return _without(piece, UNREADABLE, " ".join(why.split()))


def _answer(piece: Piece, form: str, name: str, question: Question, limits: Limits) -> Answer:
    from kt_models.files.problems import cell_named, problem_from

    graph = limits.run(lambda: graph_of_piece(piece, form, name))
    keywords = dict(question.conditions)
    keywords |= {end: cell_named(graph, keywords[end]) for end in ("start", "end") if end in keywords}
    problem = problem_from(graph, **keywords)
    place = {"number": piece.number, "line": piece.line}
    if question.at_least is None:
        from encoders.solve import solve

        result = solve(
            problem,
            engine=question.engine,
            encoding=question.encoding,
            solver=question.solver,
            hint=question.hint,
            limits=limits,
        )
        names = () if result.tour is None else tuple(map(str, result.tour.names))
        words = result.how if result.status == "infeasible" else ""
        return Answer(piece.number, piece.line, result.status, words, names, {**place, **result.to_json()})
    from encoders.enumeration.at_least import at_least
    from kt_models.runs.tour_task import TourTask

    began = time.monotonic()
    task = TourTask(problem)
    answer = at_least(task, question.at_least, limits, question.engine)
    data = answer.to_json() | {"seconds": round(time.monotonic() - began, 3)}
    words = f"{answer.listing.count:,} known" + (", which are all" if answer.listing.complete else "")
    return Answer(piece.number, piece.line, answer.status, words, (), {**place, **data})


def _without(piece: Piece, status: str, why: str) -> Answer:
    """An answer with nothing but a status and a reason."""
    data = {"number": piece.number, "line": piece.line, "kind": "result", "status": status, "reason": why}
    return Answer(piece.number, piece.line, status, why, (), data)


def _outcome(future: Future[Any], batch: list[Piece]) -> list[Answer] | None:
    """The answers of a batch; None if its process died, so that one of several graphs is to blame."""
    from concurrent.futures.process import BrokenProcessPool

    try:
        answers: list[Answer] = future.result()
    except (BrokenProcessPool, CancelledError, MemoryError):
        if len(batch) > 1:
            return None
        return [_without(batch[0], "unknown", "its process died, perhaps as it had too little memory")]
    return answers
