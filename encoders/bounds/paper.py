"""Certificates of the numbers that the paper's arguments give (`heuristics.paper_bounds`), where there are any.

- `edge` is the linear relaxation with no numbers at all: at each cell the least turn that two moves there can make (and
  one lost for each free end);
- `triplet` is four regions, the cells of each side;
- `central` and `crown` charge turns to straight runs far away, which is neither a dual solution nor a sweep.  But the
  relaxation, or its solution for all sizes, shows more than they do wherever it was looked at: its claim is lowered.

A number for which this fails is the paper's argument and no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from encoders.bounds.methods import is_large_rectangle
from kt_models.certificates import Certificate, Statement
from kt_models.errors import CertificateError, KTError, TooLarge
from kt_models.limits import Limits, Stopped
from kt_models.problem import Problem

Attempts = Iterable[tuple[str, dict[str, Any]]]
"""Kinds of certificates, and data that may show a number."""


def certificate_of(problem: Problem, value: int, attempts: Attempts, limits: Limits) -> Certificate | None:
    """The first of several certificates that shows a number, checked."""
    for kind, data in attempts:
        certificate = Certificate(kind, Statement(problem, "at-least", value), data)
        try:
            certificate.check(limits)
            return certificate
        except Stopped:
            break
        except (CertificateError, TooLarge):  # it shows less, or does not apply
            continue
    return None


def attempts_on_turns(
    problem: Problem, limits: Limits, cells: int, relaxed: bool
) -> Iterator[tuple[str, dict[str, Any]]]:
    """What may show a number of turns, up to so many cells besides one for all sizes; `relaxed`: with numbers."""
    if is_large_rectangle(problem):
        from encoders.bounds.methods import family

        yield "family", family.make(problem, limits=limits)
    if problem.graph.n > cells:
        return
    yield "tree", {"multipliers": [[problem.graph.m, 1]]} if problem.free_ends else {}
    if relaxed:
        from encoders.lp import relaxation

        try:
            data = relaxation.make(problem, limits=limits)
        except KTError:
            return
        if data is not None:
            yield "tree", data
