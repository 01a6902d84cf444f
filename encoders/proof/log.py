"""The solver that logs LRAT proofs through PySAT, and its log with the formula's own numbers.

CaDiCaL 1.9.5 writes LRAT where `lrat` is set before it is traced.  While a formula is loaded it shortens some clauses,
and these get numbers *between* those of the formula's own (167 of the first 1,120 for fewest turns of 5x6).  A proof
calls the formula's clauses 1, 2, ..., in their order; so all are numbered anew here.  Nothing trusts that this is
right: the proof is replayed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

from encoders.sat.oracle import solve_in_slices
from kt_models.errors import KTError
from kt_models.storage import whole_file, write_atomic

PROVER = "cadical195"
"""The solver that logs proofs."""


class HasModel(KTError):
    """A formula has a model, so there is nothing to prove."""


def log_proof(clauses: Sequence[Sequence[int]], path: Path, check: Callable[[], None] | None = None) -> None:
    """Solve a formula from scratch and write the LRAT proof that it has no model.

    Parameters
    ----------
    check
        Called now and then; it raises when it is time to give up.

    Raises
    ------
    HasModel
        If the formula has a model.
    KTError
        If the log does not end in the empty clause.
    """
    empty = next((number for number, clause in enumerate(clauses, start=1) if not clause), None)
    if empty is not None:  # the solver logs nothing of it
        write_atomic(path, f"{len(clauses) + 1} 0 {empty} 0\n", force=True)
        return
    from pysat import solvers

    with solvers.Solver(name=PROVER) as engine, tempfile.TemporaryFile() as log:
        inner = engine.solver
        inner.configure({"lrat": 1, "binary": 0})
        inner.prfile, inner.prfp = log, solvers.pysolvers.cadical195_tracepr(inner.cadical, log)
        engine.append_formula(clauses)
        if (engine.solve() if check is None else solve_in_slices(engine, (), check)) is not False:
            raise HasModel(f"solver {PROVER}: the formula has a model, so there is nothing to prove")
        solvers.pysolvers.flushpr(inner.prfp)
        if not _numbered(len(clauses), log, path):
            raise KTError(f"solver {PROVER} cut its proof short")


def _numbered(clauses: int, log: IO[bytes], path: Path) -> bool:
    """Copy a log up to the empty clause, with the numbers 1, 2, ... for the formula's clauses; whether there is one."""
    derived: dict[int, None] = {}  # of clauses that were shortened while the formula was loaded
    log.seek(0)
    for line in log:
        words = line.split(maxsplit=2)
        if int(words[0]) > clauses + len(derived):
            break
        if words[1] != b"d":
            derived[int(words[0])] = None
    given = (number for number in range(1, clauses + len(derived) + 1) if number not in derived)
    name = {b"%d" % old: b"%d" % new for new, old in enumerate([*given, *derived], start=1)}
    log.seek(0)
    last = b"%d" % clauses  # the number of a deletion is that of the step before
    with whole_file(path, force=True) as out:
        for line in log:
            first, *words = line.split()
            if words[0] == b"d":
                out.write(b" ".join([last, b"d", *(name.get(word, word) for word in words[1:])]) + b"\n")
                continue
            last, end = name.get(first, first), words.index(b"0")
            out.write(b" ".join([last, *words[:end], *(name.get(word, word) for word in words[end:])]) + b"\n")
            if end == 0:
                return True
    return False
