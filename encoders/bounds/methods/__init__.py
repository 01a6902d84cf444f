"""The ways to prove a lower bound; each module here declares one, as a `BoundMethod`.

A new method is a new module (docs/use/extending.md); its name is written nowhere else.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

from kt_models.errors import CertificateError, row_named
from kt_models.kernel.certificates import Certificate, Checked, Statement
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.registry import rows

Data = dict[str, Any]
MIN_LARGE_CELLS = 400
"""Cells from which on a rectangle without some cells counts as large."""


@dataclass(frozen=True)
class BoundMethod:
    """A way to prove a lower bound.

    Parameters
    ----------
    name
        The name for `--method`.
    summary
        Its argument in a few words.
    make
        Makes the data of a certificate from a problem and those keywords that it has as parameters: `limits`,
        `on_progress`, `at_least` (the bound to prove, unless the method gives the best it can), `enough` (a bound that
        is enough for a method that gives the best it can), and its own ones. It returns the data, or the checked
        certificate if there are several kinds; None if time was up. If stronger data take longer, it yields the
        quickest first, so that there is an answer at any time.
    kind
        The kind of its certificate (`kt_models.kernel.certificates.methods`).
    rank
        Its place in the order of `auto`, the quickest first, from 0; None for never.
    worth
        Whether `auto` tries it for a problem and the claimed bound, if any.
    cost
        Reference seconds (`kt_models.speed`) for a problem, with a number of workers, until it has its first
        certificate, if it can take long: `auto` leaves it out if they do not fit into the time that is left. None for a
        moment, and where nothing is known.
    number
        The number that the argument of a paper gives, with a certificate or without.
    by_formula
        Whether it needs the sides of a rectangle and none of its cells.
    """

    name: str
    summary: str
    make: Callable[..., Data | Checked | Iterator[Data] | Iterator[Checked] | None]
    kind: str = "tree"
    rank: int | None = None
    worth: Callable[[Problem, int | None], bool] = lambda problem, at_least: True
    cost: Callable[[Problem, int], float | None] = lambda problem, workers: None
    number: Callable[[Problem], int] | None = None
    by_formula: bool = False

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its parameters besides the problem."""
        return tuple(inspect.signature(self.make).parameters)[1:]

    @property
    def aims(self) -> bool:
        """Whether it proves a claimed bound, in a time that grows quickly with the board."""
        return "at_least" in self.parameters

    def certificates(
        self, problem: Problem, at_least: int | None = None, limits: Limits = NO_LIMITS, **arguments: Any
    ) -> Iterator[Checked]:
        """Checked certificates, the quickest first, of `at_least` if the method aims; none if time was up.

        Raises
        ------
        KTError
            If the method does not apply to the problem, or proves nothing.
        Stopped
            If the limits were reached before there was an answer, or between two of them.
        """
        arguments |= {"at_least": at_least, "enough": at_least, "limits": limits}
        made = self.make(problem, **{name: value for name, value in arguments.items() if name in self.parameters})
        proved, refusal = False, None
        for data in made if isinstance(made, Iterator) else (made,):
            if data is None:
                continue
            try:
                certificate = self._checked(problem, at_least, data, limits)
            except CertificateError as error:
                refusal = error  # Other data may show something.
                continue
            proved = True
            yield certificate
        if refusal is not None and not proved:
            raise refusal

    def _checked(self, problem: Problem, at_least: int | None, data: Data | Checked, limits: Limits) -> Checked:
        if isinstance(data, Checked):
            return data
        if not self.aims:
            return Checked.of_bound(self.kind, problem, data, limits)
        return Certificate(self.kind, Statement(problem, "at-least", at_least), data).checked(limits)

    def certify(
        self, problem: Problem, at_least: int | None = None, limits: Limits = NO_LIMITS, **arguments: Any
    ) -> Checked | None:
        """The best of all its certificates; None if time was up. It raises what `certificates` raises."""
        made = self.certificates(problem, at_least, limits, **arguments)
        return max(made, key=lambda certificate: certificate.bound or 0, default=None)


def methods() -> dict[str, BoundMethod]:
    """Every method by name, in the order of `auto`; the methods that it never tries come last."""
    return dict(sorted(rows(__name__, BoundMethod).items(), key=lambda item: (item[1].rank is None, item[1].rank)))


def summaries() -> dict[str, str]:
    """The names and summaries of all methods."""
    automatic = {"auto": "relaxations, then whatever is needed to prove the bound"}
    return automatic | {name: row.summary for name, row in methods().items()}


def method_named(name: str) -> BoundMethod:
    """The method with a name (see `row_named`)."""
    return row_named(name, methods(), "method", ("auto",))


def is_large_rectangle(problem: Problem) -> bool:
    """Whether one dual solution for all sizes proves what the relaxation of this board would, up to rounding."""
    board = problem.graph.board
    if board is None or not board.is_box or board.dimension != 2:
        return False
    return min(board.shape) >= 12 and problem.graph.leaper == KNIGHT


def lacks_few_cells(problem: Problem) -> bool:
    """Whether a board is a large rectangle without some cells: what all sizes share proves almost what its own does."""
    board = problem.graph.board
    if board is None or board.dimension != 2 or any(board.wraps) or problem.graph.leaper != KNIGHT:
        return False
    return board.n > MIN_LARGE_CELLS and 0 < prod(board.shape) - board.n <= min(board.shape) // 4
