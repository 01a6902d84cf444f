"""A folder with an LRAT proof that a problem with given numbers has no solution, or no other one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from encoders.proof.log import HasModel, log_proof
from encoders.proof.prove import formula_text, require_proof_directory
from encoders.work.draft import draft_of
from kt_models.errors import KTError
from kt_models.kernel.certificates.proofs.manifest import FORMULA, MANIFEST, PROOF
from kt_models.kernel.certificates.proofs.numbering import formula_of, manifest_of
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.writing import write_atomic, write_json


def prove_numbering(
    problem: Problem,
    directory: str | os.PathLike[str],
    only: Sequence[int] | None = None,
    *,
    limits: Limits = NO_LIMITS,
) -> None:
    """Write a folder; `kt_models.kernel.certificates.proofs.numbering.check_numbering` checks it.

    Parameters
    ----------
    only
        The vertices of the only numbering, in the order of their numbers; None: there is none.

    Raises
    ------
    KTError
        If there is another numbering, or the folder cannot be written.
    Stopped
        If the limits are reached first.
    """
    target = Path(directory)
    require_proof_directory(target)
    clauses = list(formula_of(problem, only))
    count = max((abs(x) for clause in clauses for x in clause), default=0)
    with draft_of(target, MANIFEST) as draft:
        folder = Path(draft)
        write_atomic(folder / FORMULA, f"c kt formula\nc given numbers\n{formula_text(count, clauses)}")
        try:
            log_proof(clauses, folder / PROOF, limits.check)
        except HasModel:
            raise KTError("there is a solution" if only is None else "there is another solution") from None
        write_json(folder / MANIFEST, manifest_of(problem, only))
