"""`kt check --with NAME`: proof checkers of others, if they are installed."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from kt_models import CertificateError, KTError
from kt_models.limits import Limits, Stopped


@dataclass(frozen=True)
class ProofChecker:
    """A program that reads a formula and a proof.

    Parameters
    ----------
    formula, proof
        The files of a proof folder that it reads.
    options
        Further options for it.
    says
        What it prints for a right proof.
    """

    formula: str
    proof: str
    options: tuple[str, ...]
    says: str


CHECKERS = {
    "veripb": ProofChecker("formula.opb", "proof.pbp", ("--requireUnsat",), "Verification succeeded"),
    "lrat-check": ProofChecker("formula.cnf", "proof.lrat", (), "c VERIFIED"),
    "cake_lpr": ProofChecker("formula.cnf", "proof.lrat", (), "s VERIFIED UNSAT"),
}


def program(name: str) -> str:
    """The path of a checker."""
    place = shutil.which(name)
    if place is None:
        raise KTError(f"--with {name}: there is no program {name} on the PATH")
    return place


def run_checker(name: str, folder: str, limits: Limits) -> str:
    """Run a checker on the proof in a folder, and return its words.

    Raises
    ------
    CertificateError
        If the checker does not accept the proof.
    KTError
        If the checker is missing, or `Stopped` by the limits.
    """
    checker, place = CHECKERS[name], program(name)
    files = [Path(folder) / checker.formula, Path(folder) / checker.proof]
    command = [place, *checker.options, *(str(path.resolve()) for path in files)]
    seconds = None if limits.seconds is None else max(limits.left, 0.0)
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise Stopped(f"{name} was not done in time") from None
    except OSError as error:
        raise KTError(f"--with {name}: cannot start {place}: {error.strerror}") from None
    if done.returncode or checker.says not in done.stdout:
        lines = (done.stdout + done.stderr).strip().splitlines()
        raise CertificateError(
            f"{name} does not accept {checker.proof}: {lines[-1][:200] if lines else 'it printed nothing'}"
        )
    return f"{name} accepts {checker.proof}"
