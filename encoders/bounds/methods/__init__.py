"""The ways to make a lower bound, by name: the modules here declare them, each as a `BoundMethod`.

A new method is a new module (docs/use/extending.md); its name is written nowhere else.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kt_models.certificates import Certificate, Checked, Statement
from kt_models.errors import row_named
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.registry import rows

Data = dict[str, Any]


@dataclass(frozen=True)
class BoundMethod:
    """A way to make a lower bound.

    Parameters
    ----------
    name
        As it is asked for.
    summary
        In a few words.
    make
        From a problem and keyword parameters, of which it gets those that it has: `limits`, `on_progress`, `at_least`
        (the bound to be shown, if it is no method that gives the best it can), `enough` (the same, for a method that
        does but need not), and what is its own.  It returns the data of a certificate, or the checked certificate where
        there are several kinds; None if time was up.
    kind
        Of the certificate that it makes data for (`kt_models.certificates.methods`).
    rank
        When `auto` tries it: from the quickest on, 0; None for never.
    worth
        Whether `auto` tries it for a problem and the bound that is asked for, if one is.
    number
        The number that an argument of a paper gives, be there a certificate of it or not.
    """

    name: str
    summary: str
    make: Callable[..., Data | Checked | None]
    kind: str = "tree"
    rank: int | None = None
    worth: Callable[[Problem, int | None], bool] = lambda problem, at_least: True
    number: Callable[[Problem], int] | None = None

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of what can be said besides the problem."""
        return tuple(inspect.signature(self.make).parameters)[1:]

    @property
    def aims(self) -> bool:
        """Whether it shows a bound that is asked for, in a time that grows quickly with the board."""
        return "at_least" in self.parameters

    def certify(
        self, problem: Problem, at_least: int | None = None, limits: Limits = NO_LIMITS, **given: Any
    ) -> Checked | None:
        """A checked certificate, of `at_least` if the method aims; None if time was up.

        Raises
        ------
        KTError
            If the method does not apply to the problem, or shows nothing.
        Stopped
            If the limits were reached before it could give what it has.
        """
        given |= {"at_least": at_least, "enough": at_least, "limits": limits}
        made = self.make(problem, **{name: value for name, value in given.items() if name in self.parameters})
        if made is None or isinstance(made, Checked):
            return made
        if not self.aims:
            return Checked.of_bound(self.kind, problem, made, limits)
        return Certificate(self.kind, Statement(problem, "at-least", at_least), made).checked(limits)


def methods() -> dict[str, BoundMethod]:
    """Every method by name, in the order in which `auto` tries them; those that it never tries are the last."""
    return dict(sorted(rows(__name__, BoundMethod).items(), key=lambda item: (item[1].rank is None, item[1].rank)))


def summaries() -> dict[str, str]:
    """What can be asked for, by name, in a few words."""
    automatic = {"auto": "relaxations, then whatever it takes to show the bound asked for"}
    return automatic | {name: row.summary for name, row in methods().items()}


def method_named(name: str) -> BoundMethod:
    """The method with a name (see `row_named`)."""
    return row_named(name, methods(), "method", ("auto",))


def is_large_rectangle(problem: Problem) -> bool:
    """Whether one dual solution for all sizes shows what the relaxation of this board would, but for rounding."""
    board = problem.graph.board
    if board is None or not board.is_box or board.dimension != 2:
        return False
    return min(board.shape) >= 12 and problem.graph.leaper == KNIGHT
