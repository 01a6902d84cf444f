"""Solvers that log DRAT proofs through PySAT, and their logs as text.

What they do (python-sat 1.9.dev17; tests/kt_models/test_proof_replay.py tries them):

- CaDiCaL writes binary, which PySAT turns to text byte by byte in memory, adding an empty clause if the log ends after
  the `a` of a step; here it is read from the file itself, and nothing is added.  It may delete clauses after the empty
  one.  Before python-sat 1.9.dev16 its proofs lack their end, as they were read before they were flushed.
- Glucose, Gluecard, Lingeling, MapleChrono and Ergo write text, and nothing at all if units clash when they are loaded.
- MapleCM forgets the empty clause now and then; MapleSAT names each variable one too high.
- MiniSat, MergeSat, Minicard, CryptoMiniSat and Kissat log nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from encoders.sat.oracle import solve_in_slices
from kt_models.errors import KTError
from kt_models.storage import whole_file, write_atomic

PROVERS = ("cadical153", "cadical195", "glucose42", "lingeling", "maplechrono")
"""In the order in which they are tried: CaDiCaL's proofs were found and checked fastest."""
BLOCK = 1 << 22


def log_proof(
    solver: str, clauses: Sequence[Sequence[int]], path: Path, check: Callable[[], None] | None = None
) -> bool:
    """Solve a formula from scratch and write the proof that it has no model.

    Parameters
    ----------
    check
        Called now and then; it raises when it is time to give up.

    Returns
    -------
    bool
        Whether the proof is whole: its last step is the empty clause.  (All but CaDiCaL log nothing if units suffice.)

    Raises
    ------
    KTError
        If the formula has a model, or the solver logs no proofs.
    """
    if any(not clause for clause in clauses):  # solvers differ in what they log then
        write_atomic(path, b"0\n", force=True)
        return True
    from pysat import solvers

    try:
        engine = solvers.Solver(name=solver, bootstrap_with=clauses, with_proof=True)
    except (NotImplementedError, AssertionError) as error:
        raise KTError(f"solver {solver}: it logs no proofs: {error}") from None
    with engine:
        if (engine.solve() if check is None else solve_in_slices(engine, (), check)) is not False:
            raise KTError(f"solver {solver}: the formula has a model, so there is nothing to prove")
        inner = engine.solver
        if getattr(inner, "prfile", None) is None:
            raise KTError(f"solver {solver}: it logs no proofs")
        if not hasattr(solvers.pysolvers, "flushpr"):
            raise KTError("proofs need python-sat 1.9.dev16 or later")
        solvers.pysolvers.flushpr(inner.prfp)
        inner.prfile.seek(0)
        return copy_text(inner.prfile, path, binary=solver.startswith("cadical"))


def copy_text(log: IO[bytes], path: Path, *, binary: bool) -> bool:
    """Copy a log to a text file, up to the empty clause (CaDiCaL tidies up after it); whether there is one."""
    carry = b"\n"
    with whole_file(path, force=True) as out:  # one that another solver cut short may be there
        for block in _from_binary(log) if binary else _lines(log):
            joined = carry + block
            at = joined.find(b"\n0\n")
            if at >= 0:
                out.write(joined[len(carry) : at + 3])
                return True
            out.write(block)
            carry = joined[-2:]
    return False


def _lines(log: IO[bytes]) -> Iterator[bytes]:
    """Whole lines; what follows the last one is cut off."""
    for line in log:
        if line.endswith(b"\n"):
            yield line


def _from_binary(log: IO[bytes]) -> Iterator[bytes]:
    """Text of a binary log: 'a' or 'd', literals 2v (+ 1 if negative) in groups of 7 bits from the lowest, 0."""
    rest = b""
    while block := log.read(BLOCK):
        data = rest + block
        whole = _whole(data)
        rest = data[whole:]
        if whole:
            yield _decode(np.frombuffer(data, dtype=np.uint8, count=whole))


def _whole(data: bytes) -> int:
    """How many bytes make whole steps: a byte 0 is always the end of one."""
    return data.rfind(b"\0") + 1


def _decode(data: np.ndarray[Any, np.dtype[np.uint8]]) -> bytes:
    ends = np.flatnonzero(data < 128)
    starts = np.concatenate([[0], ends[:-1] + 1])
    values = np.zeros(len(ends), dtype=np.int64)
    for place in range(int((ends - starts).max(initial=0)) + 1):
        inside = starts + place <= ends
        values[inside] |= (data[starts[inside] + place].astype(np.int64) & 127) << (7 * place)
    opens = np.concatenate([[True], values[:-1] == 0])
    literals = np.where(values & 1, -(values >> 1), values >> 1)
    words = []
    for opening, value, literal in zip(opens.tolist(), values.tolist(), literals.tolist(), strict=True):
        if opening:
            words.append("d " if value == ord("d") else "")
        else:
            words.append(f"{literal} " if value else "0\n")
    return "".join(words).encode("ascii")
