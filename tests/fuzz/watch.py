"""Running one command line in this process, watched: what may come out, how long it may take, how much it may hold."""

from __future__ import annotations

import os
import resource
import sys
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field

from click.testing import CliRunner

from cli.main import main
from tests.alarm import Hang, alarm

SECONDS = 200.0
"""What takes longer counts as a hang; every command line has a limit of its own far below it."""
MEGABYTES = 1500
"""How much the process may grow over one input."""


@dataclass
class Tally:
    """How many inputs ended how."""

    statuses: Counter[int] = field(default_factory=Counter)
    slowest: tuple[float, list[str]] = (0.0, [])

    @property
    def inputs(self) -> int:
        return sum(self.statuses.values())

    def __str__(self) -> str:
        parts = [f"{count:,} x exit {status}" for status, count in sorted(self.statuses.items())]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        seconds, line = self.slowest
        slowest = f"slowest {seconds:.1f} s ({' '.join(line)[:100]!r})"
        return f"{self.inputs:,} inputs: {', '.join(parts)}; {slowest}; peak {peak:,} MB"


def watched(line: list[str], tally: Tally) -> None:
    """Run `kt` with these words, and insist on a foreseen ending.

    Raises
    ------
    AssertionError
        Where there was a traceback, an internal error, a hang, a strange exit status, a refusal that is not one line,
        or memory beyond `MEGABYTES`.
    """
    os.environ.pop("KT_DEBUG", None)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.perf_counter()
    try:
        with alarm(SECONDS):
            result = CliRunner().invoke(main, line)
    except Hang:
        raise AssertionError(f"hang: {line}\n{traceback.format_exc()}") from None
    seconds = time.perf_counter() - started
    tally.statuses[result.exit_code] += 1
    tally.slowest = max(tally.slowest, (seconds, line))
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) // 1024
    assert not isinstance(result.exception, Hang), f"hang: {line}"
    assert result.exception is None or isinstance(result.exception, SystemExit), f"{line}: {result.exception!r}"
    assert result.exit_code in (0, 1, 2, 3), f"{line}: exit status {result.exit_code}"
    assert "Traceback" not in result.output and "internal error" not in result.output, f"{line}: {result.output[-400:]}"
    if result.exit_code == 2:
        last = result.stderr.rstrip("\n").split("\n")[-1]
        assert last.startswith("kt: ") or line[:1] == [] or "Usage" in result.stderr, f"{line}: {result.stderr!r}"
        assert len(last) < 1000, f"{line}: a refusal of {len(last)} characters"
    assert grown < MEGABYTES, f"{line}: {grown} MB more"


def report(tally: Tally, every: int = 5000) -> None:
    if tally.inputs % every == 0:
        print(tally, file=sys.stderr, flush=True)
