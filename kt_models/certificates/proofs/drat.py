"""Replaying a DRAT proof with dratify, block by block.

Deletions and RAT steps are never believed together.  A deleted clause may have made a variable true for good; dratify
(0.1.10, both engines) keeps that, and then a RAT step that looks only at the clauses left can "refute" a formula
that has a model: from `1 0` and `-1 2 0`, the proof `d -1 2 0`, `-2 0`, `0`.  So a proof is first read as reverse unit
propagation (RUP) alone, for which deletions are harmless: each step follows from the formula.  If a step fails, the
proof is read once more with RAT steps and without deletions, so that every clause is there to be looked at.

Blocks keep memory bounded: as each step of a block is justified, the next block may start from the formula with the
clauses added so far.  A block has as many steps as there are clauses, or more, so that most of the work is its own.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal

from kt_models.certificates.proofs.dimacs import ProofStep, Room
from kt_models.errors import CertificateError, KTError, TooLarge
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent

Checker = Literal["auto", "native", "python"]
Coded = tuple[bool, tuple[int, ...]]
BLOCK_STEPS, BLOCK_LITERALS = 100_000, 10_000_000
"""Steps, and their literals, handed to dratify at once (100,000 steps take some hundred MB and a few seconds)."""
GROWTH = 1
"""Steps of a block for each clause that stands, where that is more."""
MORE_VARIABLES = 1_000_000
"""How many variables a proof may add to those of the formula."""


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


def replay(
    clauses: Sequence[Sequence[int]],
    steps: Callable[[], Iterable[ProofStep]],
    engine: Checker = "auto",
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
) -> Replay:
    """Check that a proof derives the empty clause from a formula.

    Parameters
    ----------
    clauses
        The formula, with DIMACS literals.
    steps
        Gives the proof from its beginning.
    engine
        `native` (cdclkit's), `python` (pure dratify) or `auto`, the first if it is there.
    limits
        Of time, and of the memory that clauses take.
    on_progress
        Called with a report now and then.

    Raises
    ------
    CertificateError
        If a step does not follow, or the empty clause is not among the steps.
    Stopped
        If the limits are reached.
    KTError
        If dratify or its native part is asked for and missing.
    """
    name = _load(engine)
    try:
        return _Replay(clauses, engine, limits, on_progress, rat=False).run(steps(), name)
    except _Unjustified:
        try:
            return _Replay(clauses, engine, limits, on_progress, rat=True).run(steps(), name)
        except _Unjustified as error:
            raise CertificateError(str(error)) from None


class _Unjustified(Exception):
    """A step does not follow."""


class _Codes(dict[int, int]):
    """dratify's code of each literal: 2i, or 2i + 1 if negative, i in the order in which variables are met.

    So it is no matter how large numbers are, and what no clause mentions takes no memory.
    """

    most: int | None = None

    def __missing__(self, literal: int) -> int:
        if self.most is not None and len(self) >= self.most:
            raise TooLarge(f"the proof adds over {MORE_VARIABLES:,} variables to those of the formula")
        self[abs(literal)], self[-abs(literal)] = len(self), len(self) + 1
        return self[literal]


class _Replay:
    """One reading of a proof: the clauses that stand, and what was done."""

    def __init__(
        self,
        clauses: Sequence[Sequence[int]],
        engine: Checker,
        limits: Limits,
        on_progress: Listener,
        *,
        rat: bool,
    ) -> None:
        self._engine, self._limits, self._on_progress, self._rat = engine, limits, on_progress, rat
        self._codes, self._room = _Codes(), Room(limits)
        self._live: Multiset[tuple[int, ...]] = Multiset()
        for clause in clauses:
            self._room.take(len(clause))
            self._live[tuple(sorted({self._codes[literal] for literal in clause}))] += 1
        self._codes.most = len(self._codes) + 2 * MORE_VARIABLES

    def run(self, steps: Iterable[ProofStep], name: str) -> Replay:
        done = rat_steps = 0
        refuted = ended = False
        for block in self._blocks(steps):
            self._on_progress(Report(words=f"step {done:,} of the proof"))
            ended = any(not deletes and not clause for deletes, clause in block)
            if not refuted:  # else only the empty clause is waited for
                result = self._checked(block)
                if not result.ok and (result.failed_step > 0 or result.steps != len(block)):
                    raise _Unjustified(f"step {done + max(result.failed_step, 0):,} of the proof does not follow")
                refuted, rat_steps = result.ok, rat_steps + result.rat_steps
            done += len(block)
            if ended:
                break
            if not refuted:
                self._update(block)
        if not (refuted and ended):
            raise CertificateError("the proof is cut short: it does not end in the empty clause")
        return Replay(done, rat_steps, name)

    def _blocks(self, steps: Iterable[ProofStep]) -> Iterator[list[Coded]]:
        block: list[Coded] = []
        literals, most = 0, max(BLOCK_STEPS, GROWTH * self._live.total())
        for deletes, clause in steps:
            block.append((deletes, tuple(dict.fromkeys(self._codes[literal] for literal in clause))))
            literals += len(clause)
            if len(block) >= most or literals >= max(BLOCK_LITERALS, 10 * most):
                yield block
                block, literals, most = [], 0, max(BLOCK_STEPS, GROWTH * self._live.total())
        if block:
            yield block

    def _checked(self, block: list[Coded]) -> Any:
        """What dratify says of a block."""
        import dratify

        cnf = dratify.CNF(len(self._codes) // 2)
        cnf.clauses = list(self._live.elements())
        steps = [("d" if deletes else "a", clause) for deletes, clause in block]
        rat = self._rat
        return self._limits.run(
            lambda: dratify.check_proof(cnf, steps, check_rat=rat, apply_deletions=not rat, engine=self._engine)
        )

    def _update(self, block: list[Coded]) -> None:
        """What stands after a block; unit clauses are never deleted, as drat-trim and dratify have it."""
        for deletes, clause in block:
            key = tuple(sorted(clause))
            if not deletes:
                self._room.take(len(key))
                self._live[key] += 1
            elif not self._rat and len(clause) > 1 and key in self._live:
                self._room.give_back(len(key))
                self._live[key] -= 1
                if not self._live[key]:
                    del self._live[key]


@cache
def _load(engine: Checker) -> str:
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
