"""`Jobs`: one running job and a few waiting ones, each in a process of its own (`child`).

Everything here belongs to the server's event loop. A reader waits for `changed` and then looks at the works again. So a
slow reader skips what is out of date, and nothing piles up.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from base64 import b64decode
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from cli.explore.job import Allowance, Job
from encoders.work.child import Child, Message
from kt_models import KTError

MAX_WAITING = 5
MAX_REMEMBERED = 40
"""Most finished works that are kept, the latest ones."""
MAX_POINTS = 1_000
"""Most points of a chart; beyond, every second one is dropped."""
GRACE_SECONDS = 5.0
"""Seconds that a child has for its best answer after it was told to stop."""
LATE_SECONDS = 10.0
"""Seconds beyond its own time limit after which a child is told to stop."""
DRAWING_SECONDS = 120.0


FACTS = ("turns", "crossings", "how", "reason", "method", "unshown", "statistics")
"""Keys of a result that the page shows beside its picture."""
SUMMARY = ("status", "value", "bound", *FACTS)


class Busy(KTError):
    """Too many works are waiting."""


@dataclass(eq=False)
class Work:
    """A job and its outcome.

    Parameters
    ----------
    state
        `waiting`, `running`, `done`, `stopped` or `failed`.
    points
        `[seconds, value, bound]` at each report.
    summary
        The answer as a JSON object, without the tour and the certificate. Before there is an answer, or without one, it
        is that of the best solution so far.
    text
        The whole answer as JSON; a text takes a tenth of the memory of the object.
    page
        The viewer's data of the answer.
    found_count
        Number of results so far.
    """

    number: int
    job: Job
    state: str = "waiting"
    points: list[list[Any]] = field(default_factory=list)
    engine: str = ""
    words: str = ""
    message: str = ""
    summary: dict[str, Any] = field(default_factory=dict)
    text: str = ""
    page: dict[str, Any] | None = None
    found_count: int = 0
    version: int = 0
    started: float = 0.0
    seconds: float = 0.0
    process: Process | None = None
    stopping: float = 0.0

    @property
    def over(self) -> bool:
        """Whether the work has ended."""
        return self.state not in ("waiting", "running")

    def keep(self, message: dict[str, Any]) -> None:
        """Keep a result and its picture."""
        result = message["result"]
        self.text, self.page, self.found_count = json.dumps(result), message.get("page"), self.found_count + 1
        self.summary = {name: result[name] for name in SUMMARY if name in result}
        self.summary |= {f"has_{name}": name in result for name in ("tour", "certificate")}

    @property
    def result(self) -> dict[str, Any] | None:
        """The answer, or the best solution so far, as a JSON object."""
        return dict(json.loads(self.text)) if self.text else None

    def to_json(self) -> dict[str, Any]:
        """The work without its points, tour and certificate."""
        running = self.state == "running"
        result = self.summary
        last = self.points[-1] if self.points else [0, None, None]
        return {
            "number": self.number,
            "version": self.version,
            "job": self.job.to_json(),
            "piece": self.job.piece,
            "metric": self.job.metric,
            "command": ["kt", *self.job.command],
            "state": self.state,
            "stopping": running and bool(self.stopping),
            "seconds": round(time.monotonic() - self.started if running else self.seconds, 3),
            "value": result.get("value", last[1]) if self.over else last[1],
            "bound": result.get("bound", last[2]) if self.over else last[2],
            "status": result.get("status", "") if self.over else "",
            "engine": self.engine,
            "words": self.words,
            "message": self.message,
            "found": self.found_count,
            "facts": {name: result[name] for name in FACTS if name in result},
            "has_tour": result.get("has_tour", False),
            "has_certificate": result.get("has_certificate", False),
        }


class Jobs:
    """The works of a session.

    Parameters
    ----------
    allowance
        The resources of each work.
    """

    def __init__(self, allowance: Allowance) -> None:
        self.allowance = allowance
        self.closed = False
        self._works: dict[int, Work] = {}
        self._number = 0
        self._runner: asyncio.Task[None] | None = None
        self._drawing: set[Process] = set()
        self._one_drawing = asyncio.Lock()
        self._news = asyncio.Event()

    def __iter__(self) -> Any:
        return iter(list(self._works.values()))

    def get(self, number: int) -> Work | None:
        """The work with a number, if it is still remembered."""
        return self._works.get(number)

    def submit(self, job: Job, page: dict[str, Any] | None = None) -> Work:
        """Add a job to those that wait.

        Parameters
        ----------
        page
            The viewer's data until there is a result.

        Raises
        ------
        Busy
            If `MAX_WAITING` jobs are waiting.
        """
        if sum(work.state == "waiting" for work in self) >= MAX_WAITING:
            raise Busy(f"{MAX_WAITING} jobs are waiting already: stop one, or wait")
        self._number += 1
        work = self._works[self._number] = Work(self._number, job, page=page)
        for old in [w for w in self if w.over][: max(0, len(self._works) - MAX_REMEMBERED)]:
            del self._works[old.number]
        if self._runner is None or self._runner.done():
            self._runner = asyncio.create_task(self._run_all())
        self._tell(work)
        return work

    def stop(self, work: Work) -> None:
        """Ask a work for its best answer so far; a waiting one is not begun."""
        if work.state == "waiting":
            work.state = "stopped"
        elif work.state == "running" and not work.stopping:
            work.stopping = time.monotonic()
            _send(work.process, {"stop": True})
        self._tell(work)

    async def changed(self, patience: float) -> None:
        """Wait until something has changed, or until the time is up."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), patience)

    def close(self) -> None:
        """End all works at once."""
        self.closed = True
        for process in (*(work.process for work in self), *self._drawing):
            _kill(process)
        if self._runner is not None:
            self._runner.cancel()
        self._ring()

    async def draw(self, result: dict[str, Any], kind: str) -> str | bytes:
        """The tour of a result as the contents of a file, made in a process of its own.

        Raises
        ------
        KTError
            If it cannot be drawn, or not in time.
        """
        async with self._one_drawing:
            task = {"draw": kind, "result": result, **self._bounds(DRAWING_SECONDS)}
            process = await _start(task)
            self._drawing.add(process)
            try:
                async with asyncio.timeout(DRAWING_SECONDS):
                    async for message in _messages(process):
                        if "file" in message:
                            return str(message["file"])
                        if "base64" in message:
                            return b64decode(message["base64"])
                        raise KTError(str(message.get("fault", "the drawing failed")))
                raise KTError(_ending(await asyncio.to_thread(process.wait), self.allowance))
            except TimeoutError:
                raise KTError("the drawing took too long") from None
            finally:
                _kill(process)
                self._drawing.discard(process)

    # -- running -------------------------------------------------------------------------------------------------------

    async def _run_all(self) -> None:
        while work := next((w for w in self if w.state == "waiting"), None):
            await self._run(work)

    async def _run(self, work: Work) -> None:
        work.state, work.started = "running", time.monotonic()
        self._tell(work)
        answered = False
        watch = None
        try:
            work.process = await _start({"job": work.job.to_json(), **self._bounds(work.job["time_limit"])})
            if work.stopping:  # It was stopped before it had a process to tell.
                _send(work.process, {"stop": True})
            watch = asyncio.create_task(self._watch(work))
            async for message in _messages(work.process):
                answered = self._take(work, message) or answered
                self._tell(work)
                if answered:
                    break
            else:
                status = await asyncio.to_thread(work.process.wait)
                if not work.stopping:
                    work.message = _ending(status, self.allowance)
        except Exception as error:  # No process, or a message that is none: whatever it is, the next job runs.
            work.message = f"the job's process failed: {type(error).__name__}: {error}"[:300]
        finally:
            if watch is not None:
                watch.cancel()
            _kill(work.process)
            work.seconds = time.monotonic() - work.started
            if work.message:
                work.state = "failed"
            else:
                work.state = "stopped" if work.stopping or not answered else "done"
            self._tell(work)

    def _take(self, work: Work, message: dict[str, Any]) -> bool:
        """Keep a message of a child; return whether it was the last one."""
        if (live := message.get("live")) is not None:
            work.points.append([live["seconds"], live["value"], live["bound"]])
            if len(work.points) > MAX_POINTS:
                del work.points[1:-1:2]
            work.engine = live["engine"]
            if "result" in live:
                work.keep(live)
        elif "words" in message:
            work.words = str(message["words"])[:300]
        elif "result" in message:
            work.keep(message)
            work.engine, work.words = message["result"].get("engine", ""), ""
            return True
        elif "fault" in message:
            work.message = str(message["fault"])[:600]
            return True
        return False

    async def _watch(self, work: Work) -> None:
        """Stop a work that is late, and kill one that does not stop."""
        late = work.started + work.job["time_limit"] + LATE_SECONDS
        while True:
            await asyncio.sleep(0.1)
            now = time.monotonic()
            if now > late and not work.stopping:
                self.stop(work)
            if work.stopping and now > work.stopping + GRACE_SECONDS:
                _kill(work.process)
                return

    def _bounds(self, seconds: float) -> dict[str, int]:
        processor = int((seconds + LATE_SECONDS + GRACE_SECONDS) * (self.allowance.workers + 1)) + 30
        return {"memory": self.allowance.memory, "processor": processor, "workers": self.allowance.workers}

    def _tell(self, work: Work) -> None:
        work.version += 1
        self._ring()

    def _ring(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


class Process(Child):
    """A child (`cli.explore.child`) that sends its messages to the server's loop."""

    def __init__(self, task: Message, loop: asyncio.AbstractEventLoop) -> None:
        self.messages: asyncio.Queue[Message | None] = asyncio.Queue()
        self._loop = loop
        values = {name: task[name] for name in task if name not in ("memory", "processor")}
        limits = {"memory": task["memory"], "processor": task["processor"]}
        super().__init__(f"{__package__}.child", values, self._hear, **limits, quiet=True)

    def _hear(self, message: Message | None) -> None:
        with contextlib.suppress(RuntimeError):  # The server has ended meanwhile.
            self._loop.call_soon_threadsafe(self.messages.put_nowait, message)


async def _start(task: Message) -> Process:
    """A child with its task."""
    return await asyncio.to_thread(Process, task, asyncio.get_running_loop())


async def _messages(process: Process) -> AsyncIterator[Message]:
    while (message := await process.messages.get()) is not None:
        yield message


def _send(process: Process | None, message: Message) -> None:
    if process is not None:
        process.send(message)


def _kill(process: Process | None) -> None:
    if process is not None:
        process.kill()


def _ending(status: int, allowance: Allowance) -> str:
    """Words for a child that ended without an answer."""
    if status < 0 or status == 1:  # A library that is refused memory gives up in its own way.
        return f"it ended without an answer: most likely the {allowance.memory / 1e9:g} GB of --memory were not enough"
    return f"it ended without an answer (status {status})"
