"""Literals that are known, and the exclusive or and conjunction of two, with as few new variables as can be."""

from __future__ import annotations

from collections.abc import Iterable

from encoders.sat.formula import Formula


class Gates:
    """Clauses for a formula in which some literals are constants.

    Attributes
    ----------
    true
        A literal that holds; its negation does not.
    """

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.true = formula.new()
        formula.add([self.true])

    def constant(self, value: int | bool) -> int:
        """A literal that is known to be true, or to be false."""
        return self.true if value else -self.true

    def clause(self, literals: Iterable[int]) -> None:
        """At least one holds; nothing is added where that is known."""
        kept = [x for x in literals if x != -self.true]
        if self.true not in kept:
            self.formula.add(kept)

    def equal(self, guard: int, a: int, b: int) -> None:
        """If `guard`, the two have one value."""
        if a != b:
            self.clause([-guard, -a, b])
            self.clause([-guard, a, -b])

    def xor(self, x: int, y: int) -> int:
        """A literal that holds where exactly one of the two does."""
        for a, b in ((x, y), (y, x)):
            if abs(a) == self.true:
                return -b if a == self.true else b
        gate = self.formula.new()
        self.formula.clauses += [[-gate, x, y], [-gate, -x, -y], [gate, -x, y], [gate, x, -y]]
        return gate

    def both(self, x: int, y: int) -> int:
        """A literal that holds where both do."""
        for a, b in ((x, y), (y, x)):
            if abs(a) == self.true:
                return b if a == self.true else a
        gate = self.formula.new()
        self.formula.clauses += [[-gate, x], [-gate, y], [gate, -x, -y]]
        return gate
