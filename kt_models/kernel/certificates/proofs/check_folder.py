"""`check_folder`: the check of a folder with an LRAT or cutting-planes proof, which returns the statement shown.

It trusts nothing in the folder, and shares no code with `encoders.proof`, which writes it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from kt_models.errors import CertificateError, KTError
from kt_models.kernel.certificates.proofs.dimacs import digest_of, open_file, proof_steps, read_formula
from kt_models.kernel.certificates.proofs.lrat import replay
from kt_models.kernel.certificates.proofs.manifest import FORMULA, MANIFEST, PROOF, Manifest
from kt_models.kernel.certificates.proofs.meaning import Meaning
from kt_models.kernel.certificates.statement import Statement
from kt_models.kernel.check_forecast import seconds_to_replay
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent


class CheckedProof(NamedTuple):
    """Outcome of a check: what is shown, the clauses that each rule explains, and the steps that were replayed."""

    statement: Statement
    explained: dict[str, int]
    steps: int

    @property
    def how(self) -> str:
        """The outcome in words."""
        rules = ", ".join(f"{count:,} {rule}" for rule, count in self.explained.items())
        total = sum(self.explained.values())
        words = f"checked: digests; all {total:,} clauses against the problem ({rules})"
        return f"{words}; the LRAT proof, {self.steps:,} steps"

    def __str__(self) -> str:
        return f"{self.statement}; {self.how}"


def check_folder(
    directory: str | os.PathLike[str],
    *,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
) -> CheckedProof:
    """Check a proof folder: its digests, every clause against the problem, and the proof.

    Parameters
    ----------
    directory
        Holds `manifest.json`, `formula.cnf` and `proof.lrat`.
    limits
        Limits on time and on the memory for clauses.
    on_progress
        The function that receives reports of progress.

    Raises
    ------
    CertificateError
        If the proof does not show what it claims.
    Stopped
        If the check did not end within the limits.
    KTError
        If a file cannot be read.
    """
    folder = Path(directory)
    if not (folder / MANIFEST).is_file():
        raise KTError(f"{folder}: not a proof folder or a run: it has no {MANIFEST}")
    manifest = Manifest.read(folder)
    try:
        for name in (FORMULA, PROOF):
            on_progress(Report(words=f"the digest of {name}"))
            if digest_of(folder / name, limits) != manifest.digests[name]:
                raise CertificateError(f"{name} is not the file that the manifest was written for")
        clauses = read_formula(folder / FORMULA, limits)
        size = sum((folder / name).stat().st_size for name in (FORMULA, PROOF))
        on_progress(Report(words="the meaning of the clauses", expected=seconds_to_replay(size)))
        explained = Meaning(manifest).check(manifest.groups, clauses, limits)
        with open_file(folder / PROOF) as stream:
            steps = replay(clauses, proof_steps(stream, folder / PROOF, limits), limits, on_progress)
    except CertificateError as error:
        raise CertificateError(f"{folder}: {error}") from None
    return CheckedProof(manifest.statement, explained, steps)
