"""Gates: constant literals, and the exclusive or and conjunction of two literals, with as few variables as possible."""

from __future__ import annotations

from collections.abc import Iterable

from encoders.sat.formula import Formula


class Gates:
    """Gates for a formula in which some literals are constants.

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
        """Require at least one of the literals; add nothing if one is known to hold."""
        kept = [x for x in literals if x != -self.true]
        if self.true not in kept:
            self.formula.add(kept)

    def equal(self, guard: int, a: int, b: int) -> None:
        """Require that the two literals are equal if `guard` holds."""
        if a != b:
            self.clause([-guard, -a, b])
            self.clause([-guard, a, -b])

    def xor(self, x: int, y: int) -> int:
        """A literal that holds if exactly one of the two does."""
        for a, b in ((x, y), (y, x)):
            if abs(a) == self.true:
                return -b if a == self.true else b
        gate = self.formula.new()
        self.formula.clauses += [[-gate, x, y], [-gate, -x, -y], [gate, -x, y], [gate, x, -y]]
        return gate

    def both(self, x: int, y: int) -> int:
        """A literal that holds if both do."""
        for a, b in ((x, y), (y, x)):
            if abs(a) == self.true:
                return b if a == self.true else a
        gate = self.formula.new()
        self.formula.clauses += [[-gate, x], [-gate, y], [gate, -x, -y]]
        return gate
