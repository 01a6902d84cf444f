"""Replaying a DRAT proof with dratify, block by block.

Deletions and RAT steps are never believed together.  A deleted clause may have made a variable true for good; dratify
(0.1.10, both engines) keeps that, and then a RAT step that looks only at the clauses left can "refute" a formula
that has a model: from `1 0` and `-1 2 0`, the proof `d -1 2 0`, `-2 0`, `0`.  So a proof is first read as reverse unit
propagation (RUP) alone, for which deletions are harmless: each step follows from the formula.  If a step fails, the
proof is read once more with RAT steps and without deletions, so that every clause is there to be looked at.

Blocks keep memory bounded and give a moment to look at the clock: as each step of a block is justified, the next block
may start from the formula with the clauses added so far.
"""

from __future__ import annotations

import time
from collections import Counter as Multiset
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from threading import Event
from typing import Literal

from kt_models.errors import CertificateError, KTError

Engine = Literal["auto", "native", "python"]
Step = tuple[bool, tuple[int, ...]]
BLOCK_STEPS = 100_000
"""Steps handed to dratify at once (a block of 100,000 takes some hundred MB and a few seconds)."""


@dataclass(frozen=True)
class Replay:
    """How a proof was checked: its steps (additions and deletions), those by RAT, and the program that did it."""

    steps: int
    rat_steps: int
    checker: str

    @property
    def text(self) -> str:
        """How many steps of which kind were replayed, and by what."""
        how = f"{self.rat_steps:,} of them RAT, deletions ignored" if self.rat_steps else "RUP"
        return f"{self.steps:,} steps ({how}), by {self.checker}"


class Clock:
    """When to give up, and whom to tell how far the work is."""

    def __init__(
        self, seconds: float | None = None, stop: Event | None = None, on_progress: Callable[[str], None] | None = None
    ) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds
        self._stop, self._on_progress = stop, on_progress

    def tick(self, text: str) -> None:
        """Raises `KTError` if the time is over."""
        if (self._stop is not None and self._stop.is_set()) or (self._end is not None and time.monotonic() > self._end):
            raise KTError(f"not checked to the end: stopped at {text}")
        if self._on_progress is not None:
            self._on_progress(text)


def replay(
    top: int, clauses: Sequence[Sequence[int]], steps: Callable[[], Iterable[Step]], engine: Engine, clock: Clock
) -> Replay:
    """Check that a proof derives the empty clause from a formula.

    Parameters
    ----------
    top
        Number of variables.
    clauses
        The formula, with DIMACS literals.
    steps
        Gives the proof from its beginning, with literals as `dimacs.proof_steps` encodes them.
    engine
        `native` (cdclkit's), `python` (pure dratify) or `auto`, the first if it is there.

    Raises
    ------
    CertificateError
        If a step does not follow, or the empty clause is not among the steps.
    KTError
        If dratify or its native part is asked for and missing.
    """
    name = _load(engine)
    formula = [tuple(sorted({2 * (abs(x) - 1) + (x < 0) for x in clause})) for clause in clauses]
    try:
        return _replay(top, formula, steps(), engine, clock, rat=False, name=name)
    except _Unjustified:
        try:
            return _replay(top, formula, steps(), engine, clock, rat=True, name=name)
        except _Unjustified as error:
            raise CertificateError(str(error)) from None


class _Unjustified(Exception):
    """A step does not follow."""


def _replay(
    top: int,
    formula: list[tuple[int, ...]],
    steps: Iterable[Step],
    engine: Engine,
    clock: Clock,
    *,
    rat: bool,
    name: str,
) -> Replay:
    import dratify

    live = Multiset(formula)
    done = rat_steps = 0
    refuted = ended = False
    blocks = _blocks(steps)
    block = next(blocks, [])
    while block and not ended:
        clock.tick(f"step {done:,} of the proof")
        ended = any(not deletes and not clause for deletes, clause in block)
        if not refuted:  # else only the empty clause is waited for
            cnf = dratify.CNF(top)
            cnf.clauses = list(live.elements())
            packed = [("d" if deletes else "a", clause) for deletes, clause in block]
            result = dratify.check_proof(cnf, packed, check_rat=rat, apply_deletions=not rat, engine=engine)
            if not result.ok and (result.failed_step > 0 or result.steps != len(block)):
                raise _Unjustified(f"step {done + max(result.failed_step, 0):,} of the proof does not follow")
            refuted, rat_steps = result.ok, rat_steps + result.rat_steps
        done += len(block)
        following = next(blocks, [])
        if following and not ended and not refuted:
            _update(live, block, deletions=not rat)
        block = following
    if not (refuted and ended):
        raise CertificateError("the proof is cut short: it does not end in the empty clause")
    return Replay(done, rat_steps, name)


def _update(live: Multiset[tuple[int, ...]], block: list[Step], *, deletions: bool) -> None:
    """What stands after a block; unit clauses are never deleted, as drat-trim and dratify have it."""
    for deletes, clause in block:
        key = tuple(sorted(clause))
        if not deletes:
            live[key] += 1
        elif deletions and len(clause) > 1 and key in live:
            live[key] -= 1
            if not live[key]:
                del live[key]


def _blocks(steps: Iterable[Step]) -> Iterator[list[Step]]:
    iterator = iter(steps)
    while block := list(islice(iterator, BLOCK_STEPS)):
        yield block


def _load(engine: Engine) -> str:
    """Import dratify, let its accelerator register itself, and say which of them will check."""
    try:
        import dratify
    except ImportError:
        raise KTError("DRAT proofs are checked with dratify, which is not installed: pip install dratify") from None
    if engine != "python":
        with suppress(ImportError):
            import cdclkit.native  # noqa: F401
    native = engine != "python" and dratify.native_available()
    if engine == "native" and not native:
        raise KTError("dratify's native checker is not installed: pip install 'cdclkit[native]'")
    try:
        number = version("dratify")
        return f"dratify {number} " + (
            f"with cdclkit-native {version('cdclkit-native')}" if native else "(pure Python)"
        )
    except PackageNotFoundError:
        return "dratify"
