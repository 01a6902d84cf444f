"""Auditing a run (see `runs`): what its files show without trusting who wrote them."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np

from kt_models.cubes import Cube, check_cover
from kt_models.enumeration import Task, images
from kt_models.errors import CertificateError, InvalidTour
from kt_models.runs import DONE, SPLIT, Ledger, Outcome, Solution, Status, digest_of


def audit(folder: str | os.PathLike[str], on_progress: Callable[[str], None] | None = None) -> str:
    """Check a run from its files alone, and say in a line what they show.

    That is: the cubes cover everything and do not overlap; every tour solves the problem, has the value asked for, has
    the key it is kept under and lies in the cubes that name it, and in no two of them; each cube's digest and number
    are those of its solutions.  That a cube has no further solution is the word of what searched it.

    Raises
    ------
    InvalidTour, CertificateError
        If something is wrong.
    KTError
        If it cannot be read.
    """
    with Ledger.read(folder) as ledger:
        task, leaves = ledger.task, ledger.leaves()
        for outcome in ledger.outcomes():
            if outcome.state == SPLIT:
                _check_split(outcome)
        check_cover(Cube.parse(name) for name in leaves)
        keys = {name: ledger.keys(name) for name in leaves}
        _check_outcomes(ledger, leaves, keys)
        cubes_of: dict[str, list[str]] = {}
        for name, members in keys.items():
            for key in members:
                cubes_of.setdefault(key, []).append(name)
        known = 0
        for known, solution in enumerate(ledger.solutions(), start=1):
            _check_solution(task, solution, cubes_of.get(solution.key, []))
            if on_progress and known % 100 == 0:
                on_progress(f"{known:,} tours verified")
        if known != len(cubes_of):
            raise CertificateError(f"{len(cubes_of)} solutions are named, {known} are there")
        status = ledger.status()
    return _verdict(task, status)


def _check_split(outcome: Outcome) -> None:
    """The parts of a cube are cubes inside it that cover it."""
    whole = Cube.parse(outcome.cube).decisions
    parts = [Cube.parse(name).decisions for name in outcome.parts]
    if any(part[: len(whole)] != whole for part in parts):
        raise CertificateError(f"cube {outcome.cube} was split into something outside it")
    check_cover(Cube(part[len(whole) :]) for part in parts)


def _check_outcomes(ledger: Ledger, leaves: dict[str, Outcome | None], keys: dict[str, list[str]]) -> None:
    digests = ledger.digests()
    for name, outcome in leaves.items():
        done = outcome is not None and outcome.state == DONE
        if not done and keys[name]:
            raise CertificateError(f"cube {name} is not done, and has solutions")
        if outcome is None or not done:
            continue
        if digests[name] != digest_of(keys[name]) or (outcome.found != len(keys[name]) and not ledger.task.counting):
            raise CertificateError(f"the solutions of cube {name} are not those it was done with")
        if outcome.found < 0:
            raise CertificateError(f"cube {name} has {outcome.found} solutions")
    if stray := ledger.inhabited() - leaves.keys():
        raise CertificateError(f"solutions of cube {min(stray)[:60]}, which is not one of this run")


def _check_solution(task: Task, solution: Solution, cubes: list[str]) -> None:
    try:
        tour = task.tour(np.array(solution.edges, dtype=np.int32))
        if task.key(tour) != solution.key:
            raise InvalidTour("it is not what its key says")
    except InvalidTour as error:
        raise InvalidTour(f"solution {solution.key}: {error}") from None
    if len(cubes) > 1 and not task.up_to_symmetry:
        raise CertificateError(f"solution {solution.key} is counted in cubes {cubes[0]} and {cubes[1]}")
    sets = [set(image.tolist()) for image in images(task, np.array(solution.edges))]
    for name in cubes:
        if not any(Cube.parse(name).holds(edges) for edges in sets):
            raise CertificateError(f"solution {solution.key} does not lie in cube {name}")


def _verdict(task: Task, status: Status) -> str:
    problem = task.problem
    kind = "closed" if problem.closed else "open"
    value = f" with {task.value} {problem.objective_name}" if task.value is not None else ""
    symmetry = f", symmetric under {' '.join(s.name for s in problem.symmetry)}" if problem.symmetry else ""
    what = "classes of " if task.up_to_symmetry else ""
    how = "counted, not listed" if task.counting else "each verified and counted once"
    start = f"run: {status.found:,} {what}{kind} tours of {problem.graph.name}{value}{symmetry}, {how}"
    cover = f"{status.cubes:,} cubes, which cover everything"
    if not status.complete:
        return f"{start}; not complete: {status.done:,} of {cover}, are done"
    return f"{start}; done are all {cover}; that a cube has no others is the search's word"
