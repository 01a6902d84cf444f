"""A formula and its derivation, line by line, for a checker of cutting-planes proofs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kt_models.kernel.certificates.cut_inequalities import Cut, inequality
from kt_models.kernel.certificates.proofs.cutting_planes import formula_of
from kt_models.kernel.certificates.proofs.zero_one import ZeroOneModel
from kt_models.problem import Problem

HEADER = "pseudo-Boolean proof version 1.2"


class CuttingPlanes(NamedTuple):
    """A formula and its refutation."""

    model: ZeroOneModel
    lines: list[str]

    @property
    def proof(self) -> str:
        """The text of a `.pbp` file."""
        return "\n".join(self.lines) + "\n"


class Derivation:
    """A proof while it is written.

    Parameters
    ----------
    problem, bound
        The claim to refute: that there is a solution below the bound, or any (None).
    cuts
        The cuts of the proof: rows of the formula or, with a flow, the first lines of the proof.
    flow
        The source of a flow, if the formula is to express connectivity in full.

    Attributes
    ----------
    cut_row
        The place of the first cut, in the numbering of `row`.
    """

    def __init__(self, problem: Problem, bound: int | None, cuts: Sequence[Cut], flow: int | None = None) -> None:
        model = self.model = formula_of(problem, bound, cuts if flow is None else (), flow)
        self.numbers, number = [], 1
        for constraint in model.rows:
            self.numbers.append(number)
            number += 1 + constraint.equal  # An equation has a second row, reversed.
        self.next = number
        self.lines = [HEADER, f"f {model.inequalities}"]
        self.cut_row = model.cut_row
        if flow is not None:
            self.cut_row = len(self.numbers)
            self.numbers += [self._derive(cut) for cut in cuts]

    def line(self, text: str) -> int:
        """Write a line that derives a constraint; return its number, as the checker counts."""
        self.lines.append(text)
        self.next += 1
        return self.next - 1

    def row(self, row: int, times: int) -> str:
        """A multiple of a row (or a cut), as words of `pol`; a negative multiple is of the reversed equation."""
        number = self.numbers[row] + (times < 0)
        return f"{number} {abs(times)} *" if abs(times) != 1 else f"{number}"

    def pol(self, words: Sequence[str], after: str = "") -> int:
        """Add up constraints, each given as words of `pol`."""
        return self.line("pol " + words[0] + "".join(f" {word} +" for word in words[1:]) + after)

    def rup(self, clause: Iterable[int] = ()) -> int:
        """Derive a clause, with literals as in DIMACS, by unit propagation."""
        return self.line("rup " + "".join(f"1 {literal(x)} " for x in clause) + ">= 1 ;")

    def delete(self, numbers: Iterable[int]) -> None:
        """Delete constraints."""
        self.lines.append("del id " + " ".join(map(str, numbers)))

    def conclude(self, number: int) -> CuttingPlanes:
        """The complete proof, with the number of its contradiction."""
        return CuttingPlanes(self.model, [*self.lines, f"c {number}"])

    def degrees(self, vertices: Iterable[int], sign: int) -> list[str]:
        """Words for the degree rows of some vertices: their degrees are at least (1) or at most (-1) two."""
        model, graph = self.model, self.model.problem.graph
        words = []
        for v in vertices:
            at = [(e, side) for e in graph.edges_of(v).tolist() for side in (0, 1) if graph.ends[e][side] == v]
            rows = [int(model.edge_rows[e, side]) for e, side in at]
            rows += [int(row) for row in [model.end_row[v]] if row >= 0]
            words += [self.row(row, -sign) for row in rows]
            words.append(self.row(model.vertex_row + v, sign * (1 if v in model.problem.terminals else 2)))
        return words

    # -- cuts ------------------------------------------------------------------------------------------------------

    def _derive(self, cut: Cut) -> int:
        """Derive a cut-set or a blossom: the degrees make a number even, and half of it is rounded.

        At the vertices of the cut, twice the edges inside plus those that leave and the free ends equal the sum of
        degrees. For a blossom this bounds the edges inside and the teeth by half of an odd number; for a cut-set it
        bounds the edges inside, because one edge leaves.
        """
        model, inside = self.model, set(cut.vertices)
        says = inequality(model.problem, cut)
        ends = [f"x{model.end[v]}" for v in says.vertices.tolist()]
        if cut.teeth:
            signs = zip(says.edges.tolist(), says.signs.tolist(), strict=True)
            odd = [f"{'~' if sign < 0 else ''}x{model.edge[e]}" for e, sign in signs]
        elif says.least < 2:
            return self.pol([str(self._leave(says.edges.tolist(), inside)), *ends])
        elif not any(u in inside and v in inside for u, v in model.instance.ends):
            return self.pol(self.degrees(cut.vertices, 1))
        else:
            odd = [str(self._leave(says.edges.tolist(), inside))]
        rest = "".join(f" {word} +" for word in self.degrees(cut.vertices, 1))
        return self.pol([*self.degrees(cut.vertices, -1), *odd, *ends], f" 2 d 2 *{rest}")

    def _leave(self, edges: list[int], inside: set[int]) -> int:
        """Derive that one of the edges that leave some vertices is chosen, because something flows there."""
        model, n = self.model, self.model.problem.graph.n
        away = inside if model.source not in inside else set(range(n)) - inside
        words = [self.row(model.balance_row(v), 1) for v in sorted(away)]
        words += [word for e in edges for word in self.inflow(e, 0 if model.instance.ends[e][0] in away else 1)]
        return self.pol(words, f" {n - 1} d")

    def inflow(self, edge: int, side: int) -> list[str]:
        """Words for the bound of the net flow at one side of an edge by n - 1 times the edge."""
        terms = self.model.flow_terms(edge, side)
        return [self.row(self.model.capacity_row(edge), 1), *(f"x{x} {2 * c} *" for c, x in terms)]


def literal(x: int) -> str:
    """A literal in the format; a negative number is negated."""
    return f"{'~' if x < 0 else ''}x{abs(x)}"
