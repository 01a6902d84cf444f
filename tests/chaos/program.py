"""A `kt` command in a process of its own that something happens to, and how it may end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any

from tests.processes import ENTRY, HELD, PATIENCE, WORKING, environment, until

NOISE = (
    "Traceback", "internal error", "resource_tracker", "leaked", "Exception ignored", "Fatal Python error",
    "terminate called", "Segmentation fault",
)  # fmt: skip
"""What no user should ever read on stderr."""
STATUSES = (0, 1, 2, 3)


@dataclass(frozen=True)
class Ending:
    """How a command ended."""

    words: str
    status: int
    out: str
    err: str

    def require(self, true: object, reason: str) -> None:
        """Raise an `AssertionError` that tells all about the command, unless something is true."""
        assert true, f"{self.words}: {reason}; exit status {self.status}; {self.err[-1500:]!r}; {self.out[-300:]!r}"

    def foreseen(self, *statuses: int) -> None:
        """Require one of these exit statuses (any of ours, if none is given), and nothing on stderr but lines."""
        self.require(self.status in (statuses or STATUSES), "a strange exit status")
        for word in NOISE:
            self.require(word not in self.err, f"{word!r} on stderr")
        if self.status == 2 and self.err:
            self.require(self.last.startswith("kt: ") or "Usage: " in self.err, "no line of ours")

    @property
    def last(self) -> str:
        """The last line on stderr."""
        return self.err.rstrip("\n").split("\n")[-1]

    @property
    def document(self) -> Any:
        """The object that `--json` printed."""
        self.require(self.out.count("\n") == 1, "not one object on stdout")
        return json.loads(self.out)


class Program:
    """A `kt` command in a session of its own, so that nothing of it is left in the end.

    Parameters
    ----------
    words
        What follows `kt`.
    folder
        Its working directory.
    at
        A function, `module:name`: the constructor waits until the command calls it.
    held
        Whether the process stands still there until `go_on`.
    before
        Python code that runs in the process before the command.
    prefix
        A program that starts it, and its words.
    streams
        `stdin`, `stdout` and `stderr`, where they are not files that this reads.
    """

    def __init__(
        self,
        words: Sequence[object],
        folder: Path,
        *,
        at: str = "",
        held: bool = False,
        before: str = "",
        prefix: Sequence[str] = (),
        variables: dict[str, str] | None = None,
        streams: dict[str, Any] | None = None,
    ) -> None:
        self.words = " ".join(map(str, words))
        self._at = at
        number = _numbered()
        self._logs = [folder.parent / f".{folder.name}-{name}-{number}" for name in ("out", "err")]
        opened: list[IO[str]] = [log.open("w") for log in self._logs]  # A pipe that nobody reads would hold it up
        code = f"{before}\n{HELD if held else WORKING if at else ENTRY}"
        pipes = {"stdin": subprocess.DEVNULL, "stdout": opened[0], "stderr": opened[1], **(streams or {})}
        self.process = subprocess.Popen(
            [*prefix, sys.executable, "-c", code, *filter(None, [at]), *map(str, words)],
            cwd=folder, env=environment(**(variables or {})), start_new_session=True, **pipes,
        )  # fmt: skip
        for stream in opened:
            stream.close()
        if at:
            until(lambda: self.process.poll() is not None or self._logs[1].stat().st_size)
        if held:
            until(lambda: self.over or self._stands_still())

    @property
    def over(self) -> bool:
        return self.process.poll() is not None

    def wait(self, seconds: float = PATIENCE) -> Ending:
        """Wait for the end, and for that of all it started."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.words}: still there {seconds} s later") from None
        until(lambda: not family(self.process.pid), PATIENCE)
        out, err = (log.read_text(errors="replace") for log in self._logs)
        if self._at:
            err = err.removeprefix("working\n")
        return Ending(self.words, self.process.returncode, out, err)

    def pause(self, seconds: float) -> bool:
        """Let it run for a while; whether it still runs then."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        return not self.over

    def send(self, number: signal.Signals, everyone: bool = False) -> None:
        """Send a signal to the process, or to all that it started as well, as a terminal does."""
        with suppress(ProcessLookupError):
            if everyone:
                os.killpg(self.process.pid, number)
            else:
                self.process.send_signal(number)

    def _stands_still(self) -> bool:
        words = ["ps", "-o", "stat=", "-p", str(self.process.pid)]
        return subprocess.run(words, capture_output=True, text=True).stdout.startswith("T")

    def go_on(self) -> None:
        """Let a process go on that stands still."""
        self.send(signal.SIGCONT)

    def workers(self) -> list[int]:
        """The processes that work for the command."""
        return [pid for pid, words in family(self.process.pid) if "spawn_main" in words]

    def end(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for log in self._logs:
            log.unlink(missing_ok=True)


_count = iter(range(10**9))


def _numbered() -> int:
    return next(_count)


@contextmanager
def program(words: Sequence[object], folder: Path, **options: Any) -> Iterator[Program]:
    """A `Program` of which nothing is left when the block ends."""
    made = Program(words, folder, **options)
    try:
        yield made
    finally:
        made.end()


def ended(words: Sequence[object], folder: Path, **options: Any) -> Ending:
    """How a command ends."""
    with program(words, folder, **options) as made:
        return made.wait()


def family(session: int) -> list[tuple[int, str]]:
    """Number and command line of each process of a session that is not a zombie, the leader included."""
    listed = subprocess.run(
        ["ps", "-ww", "-eo", "pid=,sess=,stat=,args="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split(None, 3) for line in listed.splitlines()]
    return [(int(row[0]), row[3]) for row in rows if row[1] == str(session) and row[2][0] != "Z"]


VOLATILE = frozenset({"seconds", "command", "made_with", "how", "engine", "run", "proofs", "splits", "failures"})
"""What may differ between two runs of one command."""


def lasting(value: Any) -> Any:
    """A document without what may differ between two runs of one command."""
    if isinstance(value, dict):
        return {key: lasting(item) for key, item in value.items() if key not in VOLATILE}
    return [lasting(item) for item in value] if isinstance(value, list) else value


@cache
def answer(words: tuple[str, ...]) -> Any:
    """What a command answers where nothing happens to it; it has to print one object."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "work").mkdir()
        ending = ended(words, Path(folder) / "work")
        ending.foreseen(0)
        return lasting(ending.document)


def whole_files(folder: Path) -> None:
    """Require that no JSON file is half written."""
    for path in folder.rglob("*.json"):
        json.loads(path.read_text())


def elapsed(work: Callable[[], object]) -> float:
    """Seconds that something takes."""
    started = time.monotonic()
    work()
    return time.monotonic() - started
