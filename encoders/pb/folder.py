"""The files of a cutting-planes proof."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from encoders.pb.proof import CuttingPlanes
from encoders.pb.propagation import refute_by_propagation
from encoders.pb.toughness import refute_cut
from encoders.pb.tree import refute_tree
from kt_models.certificates import Certificate
from kt_models.certificates.proofs.cutting_planes import FORMULA, MODEL, PROOF, model_to_json
from kt_models.errors import KTError
from kt_models.limits import NO_LIMITS, Limits
from kt_models.storage import write_atomic

METHODS = {"tree": refute_tree, "cut": refute_cut, "forced": refute_by_propagation}
"""Methods of certificates that can be written, and what writes them."""


def prove_by_cutting_planes(certificate: Certificate, flow: bool = False, limits: Limits = NO_LIMITS) -> CuttingPlanes:
    """The formula and the refutation that a certificate makes.

    Parameters
    ----------
    flow
        Whether the formula says in full that a solution is connected; otherwise it has the cuts that are needed.

    Raises
    ------
    KTError
        If the certificate is of a method that is not written in this form.
    CertificateError
        If it is wrong.
    """
    if certificate.method not in METHODS:
        methods = ", ".join(METHODS)
        raise KTError(f"a certificate of method {certificate.method!r}: only {methods} are written as cutting planes")
    certificate.check(limits)
    return METHODS[certificate.method](certificate, flow, limits)


def write_cutting_planes(
    certificate: Certificate, directory: str | os.PathLike[str], flow: bool = False, limits: Limits = NO_LIMITS
) -> None:
    """Write what a certificate shows as `formula.opb`, `proof.pbp` and `model.json`.

    Raises
    ------
    KTError
        If the certificate is of another kind, or a file cannot be written.
    """
    proved = prove_by_cutting_planes(certificate, flow, limits)
    texts = {FORMULA: proved.model.opb(), PROOF: proved.proof}
    digests = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}
    Path(directory).mkdir(exist_ok=True)
    model = model_to_json(proved.model, certificate.problem, certificate.bound, digests)
    for name, text in {**texts, MODEL: json.dumps(model) + "\n"}.items():
        write_atomic(Path(directory) / name, text)
