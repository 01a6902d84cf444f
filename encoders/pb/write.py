"""Write the files of a cutting-planes proof: the formula, the derivation, and the claim."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress

from encoders.pb.clauses import refute_by_clauses
from encoders.pb.proof import CuttingPlanes
from encoders.pb.propagation import refute_by_propagation
from encoders.pb.sweep import prove_by_sweep, refute_by_sweep
from encoders.pb.toughness import refute_cut
from encoders.pb.tree import refute_tree
from encoders.work.draft import draft_of
from kt_models.errors import KTError
from kt_models.kernel.certificates import Certificate, Checked
from kt_models.kernel.certificates.proofs.cutting_planes import FORMULA, MODEL, PROOF, model_to_json
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.writing import write_atomic

METHODS = {
    "tree": refute_tree,
    "cut": refute_cut,
    "forced": refute_by_propagation,
    "frontier": prove_by_sweep,
    "regions": prove_by_sweep,
}
"""The methods whose certificates can be written, with their writers; tables of states only if they are small."""


def prove_by_cutting_planes(
    certificate: Certificate, flow: int | None = None, limits: Limits = NO_LIMITS
) -> CuttingPlanes:
    """The formula and the refutation of a certificate.

    Parameters
    ----------
    flow
        The source of a flow, if the formula is to express connectivity in full; otherwise it has only the cuts that are
        needed.

    Raises
    ------
    KTError
        If certificates of the method are not written in this form.
    CertificateError
        If it is wrong.
    """
    if certificate.method not in METHODS:
        methods = ", ".join(METHODS)
        raise KTError(f"a certificate of method {certificate.method!r}: only {methods} are written as cutting planes")
    if not isinstance(certificate, Checked):
        certificate.check(limits)
    return METHODS[certificate.method](certificate, flow, limits)


def find_cutting_planes(
    problem: Problem, bound: int | None, certificate: Certificate | None, limits: Limits = NO_LIMITS
) -> CuttingPlanes | None:
    """The proof from a certificate, or from a sweep without one; None if it is not supported, too large or too slow."""
    with suppress(KTError):
        if problem.is_constrained:
            return refute_by_clauses(problem, bound, limits)
        if certificate is None:
            return refute_by_sweep(problem, bound, limits)
        return prove_by_cutting_planes(certificate, limits=limits)
    return None


def write_cutting_planes(certificate: Certificate, directory: str | os.PathLike[str], flow: int | None = None) -> None:
    """Write the proof of a certificate as `formula.opb`, `proof.pbp` and `model.json`.

    Raises
    ------
    KTError
        If the certificate is of another kind, or a file cannot be written.
    """
    proved = prove_by_cutting_planes(certificate, flow)
    write_files(proved, certificate.problem, certificate.cost_bound, directory)


def write_files(proved: CuttingPlanes, problem: Problem, bound: int | None, directory: str | os.PathLike[str]) -> None:
    """Write the files of a proof that there is no solution, or none below a bound."""
    texts = {FORMULA: proved.model.opb(), PROOF: proved.proof}
    digests = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}
    texts[MODEL] = json.dumps(model_to_json(proved.model, problem, bound, digests)) + "\n"
    with draft_of(directory, MODEL) as draft:
        for name, text in texts.items():
            write_atomic(draft / name, text)
