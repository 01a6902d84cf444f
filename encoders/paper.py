"""The paper's lower bounds (`heuristics.paper_bounds`), and certificates of the numbers where there are any.

- `edge` is the linear relaxation with no numbers at all: at each cell the least turn that two moves there can make (and
  one lost for each free end);
- `triplet` is four regions, the cells of each side;
- `central` and `crown` charge turns to straight runs far away, which is neither a dual solution nor a sweep.  But the
  relaxation, or its solution for all sizes, shows more than they do wherever it was looked at: its claim is lowered.

A number for which this fails is the paper's argument and no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from heuristics.paper_bounds import METHODS, paper_bound
from kt_models.certificates import Certificate, Statement
from kt_models.errors import CertificateError, KTError, TooLarge
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS, Limits, Stopped
from kt_models.problem import Problem

MOST_CELLS = {"triplet": 1_000_000, "edge": 100_000, "central": 2500, "crown": 2500}
"""Up to so many cells a certificate is tried, which takes seconds where the number itself takes none."""
SEVERAL = 2500
"""Up to so many cells all orders of the sides are tried."""
RELAXATION = "tree"
"""The kind of certificate that a relaxation makes."""


@dataclass(frozen=True)
class PaperBound:
    """The number that an argument of the paper gives.

    Parameters
    ----------
    method
        One of `heuristics.paper_bounds.METHODS`.
    value
        The number.
    certificate
        What shows that no solution has a lower value, checked; None if there is only the paper's argument.
    """

    method: str
    value: int
    certificate: Certificate | None

    @property
    def argument(self) -> str:
        """Whose statement it is, in words."""
        return METHODS[self.method]


def certify_paper_bound(problem: Problem, method: str, limits: Limits = NO_LIMITS) -> PaperBound:
    """The number of the paper's argument on a board, with a certificate if one can be made.

    Raises
    ------
    KTError
        If the method is unknown, or its argument does not apply to the problem.

    Examples
    --------
    >>> from kt_models import Problem, graph_of
    >>> bound = certify_paper_bound(Problem(graph_of("20x20"), objective="crossings"), "triplet")
    >>> bound.value, bound.certificate.method
    (88, 'regions')
    """
    value = paper_bound(problem, method)
    for name, data in _attempts(problem, method, limits):
        certificate = Certificate(name, Statement(problem, "at-least", value), data)
        try:
            certificate.check(limits)
            return PaperBound(method, value, certificate)
        except Stopped:
            break
        except (CertificateError, TooLarge):  # it shows less, or does not apply
            continue
    return PaperBound(method, value, None)


def _attempts(problem: Problem, method: str, limits: Limits) -> Iterator[tuple[str, dict[str, Any]]]:
    """Certificates that may show the number: a method and its data."""
    if is_large_rectangle(problem) and problem.objective == "turns":
        from encoders import family

        yield "family", family.make(problem, limits=limits)
    if problem.graph.n > MOST_CELLS[method]:
        return
    if method == "triplet":
        yield from (("regions", data) for data in _sides(problem))
        return
    yield RELAXATION, {"multipliers": [[problem.graph.m, 1]]} if problem.free_ends else {}
    if method != "edge":
        from encoders import relaxation

        try:
            made = relaxation.make(problem, limits=limits)
        except KTError:
            return
        if made is not None:
            yield RELAXATION, made


def is_large_rectangle(problem: Problem) -> bool:
    """Whether one dual solution for all sizes shows what the relaxation of this board would, but for rounding."""
    board = problem.graph.board
    if board is None or not board.is_box or board.dimension != 2:
        return False
    return min(board.shape) >= 12 and problem.graph.leaper == KNIGHT


def _sides(problem: Problem) -> Iterator[dict[str, Any]]:
    """The sides as regions: whole, in every order (a corner counts for the first), and each without one of its ends.

    Where ends are free, regions without common cells share them; so the last are better there.
    """
    board = problem.graph.board
    assert board is not None
    grid = board.grid
    around = (grid[0], grid[:, -1], grid[-1, ::-1], grid[::-1, 0])
    sides = [[cell for cell in side.tolist() if cell >= 0] for side in around]
    for part in (slice(1, None), slice(None, -1)) if problem.free_ends else ():
        yield _regions([side[part] for side in sides])
    for order in permutations(sides) if problem.graph.n <= SEVERAL else [sides]:
        yield _regions(list(order))


def _regions(sides: list[list[int]]) -> dict[str, Any]:
    return {"regions": [{"cells": side} for side in sides if side]}
