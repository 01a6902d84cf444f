"""The solver that logs LRAT proofs through PySAT, and the part of its log that a proof needs.

CaDiCaL 1.9.5 writes LRAT if `lrat` is set before the trace begins, and continues while clauses are added between its
answers. So the search that collects cut-sets is the proof as well. Its log is no proof file for three reasons, which
`LoggedSolver.write` removes:

- A proof calls the formula's clauses 1, 2, ..., in their order. In the log the numbers of derived clauses lie between
  them: those derived before the last clause was added, and those that the solver shortened as it loaded a clause (167
  among the first 1,120 for fewest turns of 5x6).
- The solver deletes clauses that it brings back later, when clauses are added with variables that it had eliminated.
  A proof has no word for that, so the log's deletions are dropped, and a clause is deleted after its last use.
- Much of what was derived is not needed. Steps, and clauses added between answers, on which the empty clause does not
  depend are left out.

No trust is needed: the proof is replayed.
"""

from __future__ import annotations

import mmap
import tempfile
from array import array
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from encoders.sat.oracle import Oracle
from kt_models.errors import CannotWrite, KTError
from kt_models.writing import whole_file

PROVER = "cadical195"
"""The solver that logs proofs."""


class HasModel(KTError):
    """A formula has a model, so there is nothing to prove."""


class LoggedOracle(Oracle):
    """The solver with its log; it takes clauses like any `Oracle`.

    Parameters
    ----------
    clauses
        The formula; all of its clauses stay in that of the proof.
    check
        Called now and then; raises when time is up.
    """

    def __init__(self, clauses: Iterable[Sequence[int]], check: Callable[[], None] = lambda: None) -> None:
        from pysat.solvers import pysolvers

        super().__init__(PROVER, (), check=check)
        self._log = tempfile.TemporaryFile()  # noqa: SIM115, as `close` closes it
        inner = self._solver.solver
        inner.configure({"lrat": 1, "binary": 0})
        inner.prfile, inner.prfp = self._log, pysolvers.cadical195_tracepr(inner.cadical, self._log)
        self._flush = lambda: pysolvers.flushpr(inner.prfp)
        self._clauses = self._empty = 0
        self.add(clauses)
        self._kept = self._clauses

    def close(self) -> None:
        """Free the solver and the log."""
        super().close()
        self._log.close()

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses, which are numbered in their order."""
        for clause in clauses:
            self._clauses += 1
            if clause:
                self._solver.add_clause(clause)
            else:  # The solver does not log it.
                self._empty = self._empty or self._clauses

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        """Whether the clauses have a model."""
        if assumptions:
            raise ValueError("a log under assumptions is not a proof")
        return not self._empty and super().solve()

    def write(self, path: Path) -> list[int]:
        """Write the proof that the clauses have no model, after `solve` has found that.

        Returns
        -------
        list of int
            The clauses added since the start that the proof needs, from 0. In the proof their numbers follow those of
            the formula.

        Raises
        ------
        CannotWrite
            If the log does not end in the empty clause; the solver does not report a full disk.
        """
        kept = self._kept
        if self._empty:
            more = [self._empty - kept - 1] if self._empty > kept else []
            with whole_file(path, force=True) as out:
                out.write(b"%d 0 %d 0\n" % (kept + len(more) + 1, kept + 1 if more else self._empty))
            return more
        self._flush()
        with mmap.mmap(self._log.fileno(), 0, access=mmap.ACCESS_READ) as log:
            steps = _Steps.of(log)
            added = steps.originals(self._clauses)
            uses = steps.last_uses(log, max(added[-1], steps.numbers[-1]))
            more = [i for i, number in enumerate(added[kept:]) if uses[number]]
            names = {number: name for name, number in enumerate(added[:kept], start=1)}
            names |= {added[kept + i]: name for name, i in enumerate(more, start=kept + 1)}
            with whole_file(path, force=True) as out:
                for line in steps.lines(log, uses, names):
                    out.write(line)
        return more


class _Steps(NamedTuple):
    """The derived clauses of a log, up to the empty one: their numbers, and the begin and end of their lines."""

    numbers: array[int]
    begins: array[int]
    ends: array[int]

    @staticmethod
    def of(log: mmap.mmap) -> _Steps:
        steps = _Steps(array("q"), array("q"), array("q"))
        place = 0
        for line in iter(log.readline, b""):
            number, word, _ = line.split(maxsplit=2)
            if word != b"d":
                steps.numbers.append(int(number))
                steps.begins.append(place)
                steps.ends.append(place + len(line))
            if word == b"0":
                return steps
            place += len(line)
        raise CannotWrite(f"cannot write: the solver's log in {tempfile.gettempdir()} is cut short")

    def originals(self, count: int) -> list[int]:
        """The numbers of the added clauses: those that no step has."""
        is_original = np.ones(count + len(self.numbers) + 1, dtype=bool)
        is_original[0] = False
        numbers = np.array(self.numbers)
        is_original[numbers[numbers < len(is_original)]] = False
        return np.flatnonzero(is_original)[:count].tolist()

    def last_uses(self, log: mmap.mmap, greatest: int) -> array[int]:
        """The last step that uses each number; 0 if the empty clause does not depend on it."""
        uses = array("q", bytes(8 * (greatest + 1)))
        uses[self.numbers[-1]] = self.numbers[-1]
        for i in range(len(self.numbers) - 1, -1, -1):
            number = self.numbers[i]
            if uses[number]:
                for hint in self._hints(log, i):
                    uses[hint] = uses[hint] or number
        return uses

    def _hints(self, log: mmap.mmap, i: int) -> list[int]:
        _, _, hints = log[self.begins[i] : self.ends[i]].partition(b" 0 ")
        return [int(word) for word in hints.split()[:-1]]

    def lines(self, log: mmap.mmap, uses: array[int], names: dict[int, int]) -> Iterable[bytes]:
        """The needed steps as lines of a proof; a deletion of the clauses that a step uses last follows each."""
        first, name = len(names), len(names)
        for i, number in enumerate(self.numbers):
            if not uses[number]:
                continue
            name += 1
            clause, _, _ = log[self.begins[i] : self.ends[i]].partition(b" 0 ")
            hints = self._hints(log, i)
            literals = clause.partition(b" ")[2]
            yield b"%d %s0 %s0\n" % (name, literals + b" " if literals else b"", _words(names[h] for h in hints))
            spent = {hint for hint in hints if uses[hint] == number}
            derived = sorted(names.pop(hint) for hint in spent)
            if number != self.numbers[-1] and derived and derived[-1] > first:
                yield b"%d d %s0\n" % (name, _words(number for number in derived if number > first))
            names[number] = name


def _words(numbers: Iterable[int]) -> bytes:
    return b"".join([b"%d " % number for number in numbers])


def log_proof(clauses: Iterable[Sequence[int]], path: Path, check: Callable[[], None] = lambda: None) -> None:
    """Solve a formula and write the LRAT proof that it has no model.

    Parameters
    ----------
    check
        Called now and then; raises when time is up.

    Raises
    ------
    HasModel
        If the formula has a model.
    CannotWrite
        If the log does not end in the empty clause.
    """
    with LoggedOracle(clauses, check) as oracle:
        if oracle.solve():
            raise HasModel(f"solver {PROVER}: the formula has a model, so there is nothing to prove")
        oracle.write(path)
