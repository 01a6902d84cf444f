"""Probes of the solvers: a small question with a known answer for each, to test that it is there and right.

Each probe takes the path of a real problem (model, engine, verification), so a passed probe means more than a
successful import.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from kt_models.errors import KTError
from kt_models.limits import Limits

QUESTION_SECONDS = 600.0
"""Seconds for one question, which takes a second or two; a busy machine must not look broken."""


@dataclass(frozen=True)
class Probe:
    """The outcome of one question.

    Parameters
    ----------
    name
        The question.
    ok
        Whether the answer was right.
    words
        The answer in words, or the fault.
    seconds
        Time taken.
    needed
        Whether more than an explicit choice (`--solver`) depends on it.
    """

    name: str
    ok: bool
    words: str
    seconds: float
    needed: bool = True


def probes() -> Iterator[Probe]:
    """Put a question to each solver in turn; a fault is an answer too."""
    yield _asked("CP-SAT", _cpsat)
    yield _asked("HiGHS", _highs)
    from encoders.sat.oracle import SOLVERS

    for number, name in enumerate(SOLVERS):
        yield _asked(f"SAT {name}", partial(_oracle, name), needed=number < 2)
    yield _asked("SAT engine", _sat_engine)
    yield _asked("proof", _proof)


def _asked(name: str, question: Callable[[], str], needed: bool = True) -> Probe:
    began = time.monotonic()
    try:
        words, ok = question(), True
    except Exception as error:  # A broken installation can fail in any way.
        words, ok = f"{type(error).__name__}: {error}" if not isinstance(error, KTError) else str(error), False
    return Probe(name, ok, " ".join(words.split()), time.monotonic() - began, needed)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "of unknown version"


def _cpsat() -> str:
    return f"OR-Tools {_version('ortools')}: {_tour_by('cpsat')}"


def _sat_engine() -> str:
    return f"{_tour_by('sat')}, from a process of its own"


def _tour_by(engine: str) -> str:
    from encoders.solve import solve
    from kt_models.files.graphs import graph_of
    from kt_models.problem import Problem

    result = solve(Problem(graph_of("6x6")), engine=engine, limits=Limits(QUESTION_SECONDS, workers=1))
    if result.tour is None:
        raise KTError(f"no tour of 6x6 within {QUESTION_SECONDS:.0f} s ({result.status})")
    return "a tour of 6x6, verified"


def _highs() -> str:
    from encoders.bounds import certify_lower_bound
    from kt_models.files.graphs import graph_of
    from kt_models.kernel.certificates import check
    from kt_models.problem import Problem

    problem = Problem(graph_of("6x6"), objective="turns")
    certificate = certify_lower_bound(problem, method="relaxation", time_limit=QUESTION_SECONDS)
    check(certificate)
    if certificate.cost_bound != 32:
        raise KTError(f"turns of 6x6 bounded by {certificate.cost_bound}, not 32")
    return f"highspy {_version('highspy')}: turns of 6x6 are at least 32, certificate checked"


def _oracle(name: str) -> str:
    """Ask a SAT solver to put four pigeons into three holes, and then three."""
    from encoders.sat.oracle import Oracle

    at = [[3 * pigeon + hole + 1 for hole in range(3)] for pigeon in range(4)]
    clauses = [[-at[p][h], -at[q][h]] for h in range(3) for p in range(4) for q in range(p)]
    with Oracle(name, clauses) as oracle:
        oracle.add(at[:3])
        if not oracle.solve():
            raise KTError("it finds no place for three pigeons in three holes")
        oracle.add(at[3:])
        if oracle.solve():
            raise KTError("it finds a place for four pigeons in three holes")
    return f"python-sat {_version('python-sat')}"


def _proof() -> str:
    from encoders.proof import prove
    from kt_models.files.graphs import graph_of
    from kt_models.kernel.certificates.proofs.check_folder import check_folder
    from kt_models.limits import Limits
    from kt_models.problem import Problem

    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "proof"
        if not prove(Problem(graph_of("4x4")), None, target, limits=Limits(QUESTION_SECONDS)):
            raise KTError(f"no proof that 4x4 has no closed tour within {QUESTION_SECONDS:.0f} s")
        steps = check_folder(target, limits=Limits(QUESTION_SECONDS)).steps
        return f"4x4 has no closed tour: an LRAT proof, replayed in {steps} steps"
