"""Sums of weighted literals, kept below a number (Bailleux and Boufkhad 2003; with weights, Joshi et al. 2015)."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from itertools import pairwise
from typing import TYPE_CHECKING

from kt_models.errors import TooLarge

if TYPE_CHECKING:
    from kt_models.kernel.certificates.proofs.manifest import Node

Clause = list[int]

MAX_SUM_CLAUSES = 5_000_000
"""Most clauses of a limit on one sum: about half a gigabyte."""


class Totalizer:
    """A tree of literals for "the weights of the true literals below add up to `sum` or more".

    A node has a literal for every sum that its two parts can make; sums above `most` share one literal.

    Parameters
    ----------
    inputs
        Literals and their weights, above 0.
    most
        The greatest limit that will be requested.
    new
        Returns a new variable each time.
    parts
        1 to have a literal for every sum at the root, which implies those of smaller sums (that makes descent faster);
        2 to leave the last two parts unjoined, for one limit and a proof.
    clauses
        To which the clauses are added.

    Attributes
    ----------
    clauses
        Clauses that define the literals, in the one direction that an upper bound needs.
    nodes
        The tree; items are the inputs, in their order, and then the nodes.
    """

    def __init__(
        self,
        inputs: Sequence[tuple[int, int]],
        most: int,
        new: Callable[[], int],
        check: Callable[[], None] = lambda: None,
        parts: int = 1,
        clauses: list[Clause] | None = None,
    ) -> None:
        self.clauses: list[Clause] = [] if clauses is None else clauses
        self.nodes: list[Node] = []
        self._new, self._most, self._ordered = new, most, parts == 1
        # A limit is refused before it fills the memory; the sums of an objective are kept small elsewhere
        self._room = MAX_SUM_CLAUSES if parts > 1 else None
        items = [{weight: literal} for literal, weight in inputs]
        level = list(range(len(items)))
        while len(level) > parts:
            above = []
            for left, right in zip(level[::2], level[1::2], strict=False):
                check()
                above.append(len(items))
                items.append(self._join(left, right, items))
            level = above + level[len(level) - len(level) % 2 :]
        self._parts = [items[item] for item in level]

    def _join(self, left: int, right: int, items: list[dict[int, int]]) -> dict[int, int]:
        from kt_models.kernel.certificates.proofs.manifest import Node  # Formulas without sums do not need it.

        self._take_room(items[left], items[right])
        sums: dict[int, list[Clause]] = {}
        for a, x in [(0, 0), *items[left].items()]:
            for b, y in [(0, 0), *items[right].items()]:
                if a + b:
                    sums.setdefault(min(a + b, self._most + 1), []).append([-z for z in (x, y) if z])
        out = {total: self._new() for total in sorted(sums) if total}
        self.nodes.append(Node(left, right, min(out.values(), default=1), tuple(out)))
        self.clauses += [[*clause, out[total]] for total in out for clause in sums[total]]
        if self._ordered:
            self.clauses += [[-higher, lower] for lower, higher in pairwise(out.values())]
        return out

    def _take_room(self, left: Sized, right: Sized) -> None:
        """Refuse the clauses of each two sums of two parts before they fill the memory."""
        if self._room is None:
            return
        self._room -= (len(left) + 1) * (len(right) + 1)
        if self._room < 0:
            raise TooLarge(f"a limit of a sum takes more than {MAX_SUM_CLAUSES:,} clauses")

    def at_most(self, value: int) -> list[int]:
        """Assumptions that keep the whole sum at `value` or less (at most `most`), if there is one part."""
        return [-literal for part in self._parts for total, literal in part.items() if total > value][:1]

    def limit(self) -> list[Clause]:
        """Clauses that keep the whole sum at `most` or less."""
        if len(self._parts) > 1:
            self._take_room(*self._parts[:2])
        first, second, *_ = [[(0, 0), *part.items()] for part in self._parts] + [[(0, 0)]] * 2
        return [[-z for z in (x, y) if z] for a, x in first for b, y in second if a + b > self._most]


def clauses_of_at_least(weights: Sequence[int], least: int) -> int:
    """The number of clauses of `at_least`, or a little more."""
    level, total = [min(weight, least) for weight in weights], 0
    while len(level) > 1:
        pairs = list(zip(level[::2], level[1::2], strict=False))
        total += sum((left + 1) * (right + 1) for left, right in pairs)
        level = [min(least, left + right) for left, right in pairs] + level[len(level) - len(level) % 2 :]
    return total


def at_least(
    inputs: Sequence[tuple[int, int]], least: int, new: Callable[[], int], check: Callable[[], None] = lambda: None
) -> list[Clause]:
    """Clauses that keep a sum of weighted literals at a number, above 0, or above: a totalizer that counts the others.

    A node has a literal for each number up to `least`, which implies that its inputs come to that or more.
    """
    clauses: list[Clause] = []
    level = [[literal] * min(weight, least) for literal, weight in inputs]
    while len(level) > 1:
        above = []
        for left, right in zip(level[::2], level[1::2], strict=False):
            check()
            out = [new() for _ in range(min(least, len(left) + len(right)))]
            for a in range(len(left) + 1):
                for b in range(max(0, min(len(right), least - 1 - a) + 1)):
                    if a + b < len(out):
                        clauses.append([-out[a + b], *left[a : a + 1], *right[b : b + 1]])
            above.append(out)
        level = above + level[len(level) - len(level) % 2 :]
    (top,) = level or [[]]
    return [*clauses, top[least - 1 : least]]
