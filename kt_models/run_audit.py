"""Auditing a run (see `runs`): what its files show without trusting who wrote them.

Cubes, solutions and proofs are read one after the other, in orders in which what belongs together comes together, so
the size of a run is no matter.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kt_models.certificates.statement import Statement
from kt_models.claim import Claim
from kt_models.cubes import Cube, check_cover
from kt_models.errors import CertificateError, InvalidTour
from kt_models.ledger import Ledger
from kt_models.runs import DONE, SPLIT, Outcome, Solution, Status, digest_of, proof_path
from kt_models.tasks import AnyTask

if TYPE_CHECKING:
    from kt_models.certificates.proofs.cube_proof import CubeProofs

EACH = 1000
"""Cubes or solutions between two words of progress."""


class Audit(NamedTuple):
    """What a run shows, in a line; `nothing` if its claim is no more than somebody's word."""

    message: str
    nothing: bool = False


def audit(
    folder: str | os.PathLike[str], on_progress: Callable[[str], None] | None = None, *, pure: bool = False
) -> Audit:
    """Check a run from its files alone, and say what they show.

    That is: the cubes cover everything and do not overlap; every solution is one, has the value asked for, has the key
    it is kept under and lies in the cubes that name it, and in no two of them; each cube's digest and numbers are those
    of its solutions; where cubes come with proofs, the proof of each shows that it has no solution.  Without proofs,
    that a cube has no further solution is the word of what searched it.

    Parameters
    ----------
    pure
        Whether proofs are replayed by dratify's pure Python checker.

    Raises
    ------
    InvalidTour, CertificateError
        If something is wrong, or a tour refutes the claim of the run.
    KTError
        If it cannot be read.
    """
    say = on_progress or (lambda words: None)
    with Ledger.read(folder) as ledger:
        task = ledger.task
        for outcome in ledger.outcomes(SPLIT):
            _check_split(outcome)
        check_cover(Cube.parse(name) for name, _ in ledger.leaves())
        if (cube := ledger.misplaced() or ledger.stray()) is not None:
            raise CertificateError(f"the ledger has more about cube {cube[:60]} than it may")
        _check_solutions(ledger, say)
        proofs = None
        if isinstance(task, Claim) and task.proving:
            from kt_models.certificates.proofs.cube_proof import CubeProofs

            say("the formula that all proofs begin from")
            claim = Statement(task.problem, "infeasible" if task.at_least is None else "at-least", task.at_least)
            proofs = CubeProofs(folder, claim, "python" if pure else "auto")
        for number, outcome in enumerate(_finished(ledger), start=1):
            _check_outcome(ledger, outcome, proofs)
            if number % (EACH if proofs is None else 1) == 0:
                say(f"{number:,} cubes checked")
        status = ledger.status()
    return _about_claim(task, status, proofs) if isinstance(task, Claim) else _about_list(task, status)


def _finished(ledger: Ledger) -> Iterator[Outcome]:
    return (outcome for _, outcome in ledger.leaves() if outcome is not None and outcome.state == DONE)


def _check_split(outcome: Outcome) -> None:
    """The parts of a cube are cubes inside it that cover it."""
    whole = Cube.parse(outcome.cube).decisions
    parts = [Cube.parse(name).decisions for name in outcome.parts]
    if any(part[: len(whole)] != whole for part in parts):
        raise CertificateError(f"cube {outcome.cube} was split into something outside it")
    check_cover(sorted((Cube(part[len(whole) :]) for part in parts), key=lambda cube: cube.name))


def _check_outcome(ledger: Ledger, outcome: Outcome, proofs: CubeProofs | None) -> None:
    name, task, keys = outcome.cube, ledger.task, ledger.keys(outcome.cube)
    if ledger.digest(name) != digest_of(keys) or (outcome.found != len(keys) and not task.counting):
        raise CertificateError(f"the solutions of cube {name} are not those it was done with")
    if outcome.found < 0:
        raise CertificateError(f"cube {name} has {outcome.found} solutions")
    if task.by_value:
        counts = ledger.by_value(name).values()
        if sum(counts) != outcome.found or min(counts, default=0) < 0:
            raise CertificateError(f"the numbers by value of cube {name} do not sum to its {outcome.found} solutions")
    if proofs is not None and not outcome.found:
        digest = ledger.proof(name)
        if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
            raise CertificateError(f"cube {name} is done without a proof")
        proofs.check(proof_path(ledger.folder, digest), digest, Cube.parse(name))


def _check_solutions(ledger: Ledger, say: Callable[[str], None]) -> None:
    named_in = ledger.named_in()
    for number, solution in enumerate(ledger.solutions(), start=1):
        key, cubes = next(named_in, ("", []))
        if key != solution.key:
            raise CertificateError(f"solution {min(filter(None, (key, solution.key)))} is kept or named, and not both")
        _check_solution(ledger.task, solution, cubes)
        if number % EACH == 0:
            say(f"{number:,} solutions verified")
    for key, cubes in named_in:
        raise CertificateError(f"solution {key[:60]} of cube {cubes[0][:60]} is not there")


def _check_solution(task: AnyTask, solution: Solution, cubes: list[str]) -> None:
    edges = np.array(solution.edges, dtype=np.int32)
    try:
        if task.key(task.solution(edges)) != solution.key:
            raise InvalidTour("it is not what its key says")
    except InvalidTour as error:
        raise InvalidTour(f"solution {solution.key}: {error}") from None
    if len(cubes) > 1 and not task.up_to_symmetry:
        raise CertificateError(f"solution {solution.key} is counted in cubes {cubes[0]} and {cubes[1]}")
    sets = [set(image.tolist()) for image in task.images(edges)]
    for name in cubes:
        if not any(Cube.parse(name).holds(image) for image in sets):
            raise CertificateError(f"solution {solution.key} does not lie in cube {name}")


def _about_list(task: AnyTask, status: Status) -> Audit:
    how = "counted, not listed" if task.counting else "each verified and counted once"
    start = f"run: {status.found:,} {task.asked}, {how}"
    if not status.complete:
        return Audit(f"{start}; {_open(status)}")
    return Audit(
        f"{start}; done are all {status.cubes:,} cubes, which cover everything; "
        "that a cube has no others is the search's word"
    )


def _about_claim(claim: Claim, status: Status, proofs: CubeProofs | None) -> Audit:
    if status.found:
        raise CertificateError(
            f"run: refuted is the claim: {claim.asked}; a tour in its ledger says otherwise, verified"
        )
    if not status.complete:
        return Audit(f"run: not shown yet: {claim.asked}; {_open(status)}", nothing=True)
    start = f"run: {claim.asked}; done are all {status.cubes:,} cubes, which cover everything"
    if proofs is None:
        return Audit(f"{start}; that a cube has no tour below is the solver's word", nothing=True)
    clauses = sum(proofs.explained.values())
    return Audit(
        f"{start}; certificate checked: a proof for each cube ({proofs.summary}), "
        f"and all {clauses:,} clauses they begin from against the problem"
    )


def _open(status: Status) -> str:
    return f"not complete: {status.done:,} of {status.cubes:,} cubes, which cover everything, are done"
