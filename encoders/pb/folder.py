"""The files of a cutting-planes proof."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from encoders.pb.tree import prove_by_cutting_planes
from kt_models.certificates import Certificate
from kt_models.certificates.proofs.cutting_planes import FORMULA, MODEL, PROOF, model_to_json
from kt_models.limits import NO_LIMITS, Limits
from kt_models.storage import write_atomic


def write_cutting_planes(
    certificate: Certificate, directory: str | os.PathLike[str], limits: Limits = NO_LIMITS
) -> None:
    """Write what a tree certificate shows as `formula.opb`, `proof.pbp` and `model.json`.

    Raises
    ------
    KTError
        If the certificate is of another kind, or a file cannot be written.
    """
    proved = prove_by_cutting_planes(certificate, limits)
    texts = {FORMULA: proved.model.opb(), PROOF: proved.proof}
    digests = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}
    bound = certificate.bound
    if bound is not None:
        Path(directory).mkdir(exist_ok=True)
        model = model_to_json(certificate.problem, bound, list(proved.model.cuts), digests)
        for name, text in {**texts, MODEL: json.dumps(model) + "\n"}.items():
            write_atomic(Path(directory) / name, text)
