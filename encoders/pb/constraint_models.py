"""A problem for constraint and SMT solvers: MiniZinc and XCSP3 with their constraint `circuit`, SMT-LIB with clauses.

Degrees, conditions, limits of sums and the objective are the rows of `linear_model`, as in every other model. In
MiniZinc and XCSP3 each vertex has a successor besides, and an edge is chosen if one of its ends follows the other. The
ends of a path have one more vertex between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from encoders.pb.linear import CIRCUIT, DEGREES, linear_model, mark, unit_lines
from kt_models.errors import KTError
from kt_models.kernel.certificates.proofs.zero_one import LinearConstraint, ZeroOneModel
from kt_models.problem import Problem

WIDTH = 100
"""Characters after which a list goes on in the next line."""


class _Circuit:
    """A linear model beside the successors of its vertices.

    Attributes
    ----------
    model
        The rows.
    next
        The vertices that may follow each one, from 0.
    edges
        Variable, tail and head of each edge, vertices from 0; one that no circuit has is missing.
    """

    def __init__(self, problem: Problem, encoding: str) -> None:
        if encoding not in (CIRCUIT, DEGREES):
            raise KTError(f"--encoding {encoding}: a model with successors has {CIRCUIT} or {DEGREES}")
        if problem.connectivity not in ("cycle", "path"):
            raise KTError("a model with successors is for one closed or open tour")
        model = linear_model(problem, DEGREES)
        assert isinstance(model, ZeroOneModel)  # Every vertex is visited.
        self.model = model
        self.whole = encoding == CIRCUIT
        self.edges = [
            (variable, int(a), int(b))
            for variable, (a, b) in zip(self.model.edge, problem.graph.ends.tolist(), strict=True)
        ]
        n = problem.graph.n
        follow: list[set[int]] = [set() for _ in range(n)]
        for _, a, b in self.edges:
            follow[a].add(b)
            follow[b].add(a)
        if problem.connectivity == "path":
            ends = [v for v in range(n) if self.model.end[v] or v in problem.terminals]
            for v in ends:
                follow[v].add(n)
            follow.append(set(ends))
        self.next = [sorted(vertices) for vertices in follow]
        self.parallel = _parallel(self.edges)


def _parallel(edges: Sequence[tuple[int, int, int]]) -> dict[tuple[int, int], list[int]]:
    """The variables of all edges between two vertices."""
    between: dict[tuple[int, int], list[int]] = {}
    for variable, a, b in edges:
        between.setdefault((min(a, b), max(a, b)), []).append(variable)
    return between


def _lines(words: Iterable[str]) -> Iterator[str]:
    """Words in lines of `WIDTH` characters."""
    line = ""
    for word in words:
        if line and len(line) + len(word) > WIDTH:
            yield line
            line = ""
        line = f"{line} {word}".strip()
    if line:
        yield line


# -- MiniZinc -------------------------------------------------------------------------------------------------------


def to_minizinc(problem: Problem, encoding: str = "") -> str:
    """MiniZinc, for Gecode, Chuffed, OR-Tools and others: `circuit` over successors; it prints `x1 1`, `x2 0`, ..."""
    circuit = _Circuit(problem, encoding or CIRCUIT)
    model = circuit.model
    lines = [f"% {line}" for line in (mark(problem), *unit_lines(problem))]
    lines += ['include "circuit.mzn";', f"array[1..{model.top}] of var 0..1: x;"]
    if circuit.whole:
        lines.append(f"array[1..{len(circuit.next)}] of var 1..{len(circuit.next)}: successor;")
        for v, others in enumerate(circuit.next, start=1):
            lines.append(f"constraint successor[{v}] in {{{', '.join(str(w + 1) for w in others)}}};")
        lines.append("constraint circuit(successor);")
        for (a, b), variables in circuit.parallel.items():
            chosen = " + ".join(f"x[{variable}]" for variable in variables)
            lines.append(
                f"constraint {chosen} = bool2int(successor[{a + 1}] = {b + 1}) + "
                f"bool2int(successor[{b + 1}] = {a + 1});"
            )
    lines += [line for row in model.rows for line in _minizinc_row(row)]
    if model.objective and problem.objective is not None:
        total = "\n".join(_lines(_sum(model.objective)))
        lines.append(f"solve minimize {total};")
    else:
        lines.append("solve satisfy;")
    last = max(model.edge, default=0)
    lines.append(f'output ["x\\(i) \\(x[i])\\n" | i in 1..{last}];')
    return "\n".join(lines) + "\n"


def _sum(terms: Iterable[tuple[int, int]]) -> Iterator[str]:
    """The terms of a sum in MiniZinc."""
    for place, (c, x) in enumerate(terms):
        sign = "-" if c < 0 else "+" if place else ""
        yield f"{sign} x[{x}]" if abs(c) == 1 else f"{sign} {abs(c)}*x[{x}]"


def _minizinc_row(row: LinearConstraint) -> Iterator[str]:
    *most, last = (
        _lines([*_sum(row.terms), f"{'=' if row.equal else '>='} {row.right};"])
        if row.terms
        else (f"0 {'=' if row.equal else '>='} {row.right};",)
    )
    begin = "constraint "
    for line in (*most, last):
        yield f"{begin}{line}"
        begin = "  "


# -- XCSP3 ----------------------------------------------------------------------------------------------------------


def to_xcsp3(problem: Problem, encoding: str = "") -> str:
    """XCSP3, for ACE, Choco, PicatSAT and others: `circuit` over successors, and sums."""
    circuit = _Circuit(problem, encoding or CIRCUIT)
    model, minimises = circuit.model, problem.objective is not None and bool(circuit.model.objective)
    kind = "COP" if minimises else "CSP"
    lines = [f"<!-- {line.replace('--', '- -')} -->" for line in (mark(problem), *unit_lines(problem))]
    lines += [f'<instance format="XCSP3" type="{kind}">', "  <variables>"]
    lines += [f'    <var id="x{x}"> 0 1 </var>' for x in range(1, model.top + 1)]
    if circuit.whole:
        lines += [
            f'    <var id="s{v}"> {" ".join(map(str, others)) or "-1"} </var>' for v, others in enumerate(circuit.next)
        ]
    lines += ["  </variables>", "  <constraints>"]
    if circuit.whole:
        names = "\n      ".join(_lines(f"s{v}" for v in range(len(circuit.next))))
        lines.append(f"    <circuit> <list> {names} </list> </circuit>")
        for (a, b), variables in circuit.parallel.items():
            chosen = f"x{variables[0]}" if len(variables) == 1 else f"add({','.join(f'x{x}' for x in variables)})"
            lines.append(f"    <intension> eq({chosen},add(eq(s{a},{b}),eq(s{b},{a}))) </intension>")
    lines += [_xcsp3_sum(row) for row in model.rows if row.terms]
    if any(not row.terms and (row.right > 0 or (row.equal and row.right)) for row in model.rows):
        lines.append("    <intension> ne(x1,x1) </intension>")
    lines.append("  </constraints>")
    if minimises:
        lines += [
            "  <objectives>",
            f'    <minimize type="sum"> {_terms(model.objective)} </minimize>',
            "  </objectives>",
        ]
    return "\n".join([*lines, "</instance>"]) + "\n"


def _terms(terms: Sequence[tuple[int, int]]) -> str:
    """The variables of a sum, and their coefficients if these are not all 1."""
    names = "\n      ".join(_lines(f"x{x}" for _, x in terms))
    if all(c == 1 for c, _ in terms):
        return f"<list> {names} </list>"
    coefficients = "\n      ".join(_lines(str(c) for c, _ in terms))
    return f"<list> {names} </list> <coeffs> {coefficients} </coeffs>"


def _xcsp3_sum(row: LinearConstraint) -> str:
    condition = f"({'eq' if row.equal else 'ge'},{row.right})"
    return f"    <sum> {_terms(row.terms)} <condition> {condition} </condition> </sum>"


# -- SMT-LIB --------------------------------------------------------------------------------------------------------


def to_smt_lib(problem: Problem, encoding: str = "") -> str:
    """SMT-LIB 2 in QF_LIA, for Z3, cvc5 and others: a Boolean for each move; `(minimize ...)` is for Z3 alone."""
    if encoding == CIRCUIT:
        raise KTError(f"--encoding {encoding}: SMT-LIB has no circuits; leave it out")
    model = linear_model(problem, encoding)
    lines = [f"; {line}" for line in (mark(problem), *unit_lines(problem))]
    lines += ["(set-option :produce-models true)", "(set-logic QF_LIA)"]
    lines += [f"(declare-fun x{x} () Bool)" for x in range(1, model.top + 1)]
    lines += [_assertion(row) for row in model.rows]
    if problem.objective is not None and model.objective:
        lines.append(f"(minimize {_weighted(model.objective)})")
    names = "\n  ".join(_lines(f"x{x}" for x in range(1, max(model.edge, default=0) + 1)))
    return "\n".join([*lines, "(check-sat)", f"(get-value (\n  {names}))"]) + "\n"


def _assertion(row: LinearConstraint) -> str:
    """A row: a clause, if it is one, as a disjunction."""
    negative = sum(c < 0 for c, _ in row.terms)
    if not row.equal and row.right == 1 - negative and all(abs(c) == 1 for c, _ in row.terms):
        words = [f"x{x}" if c > 0 else f"(not x{x})" for c, x in row.terms]
        text = f"(or {' '.join(words)})" if len(words) > 1 else words[0] if words else "false"
    else:
        text = f"({'=' if row.equal else '>='} {_weighted(row.terms)} {_integer(row.right)})"
    return f"(assert {text})"


def _weighted(terms: Sequence[tuple[int, int]]) -> str:
    words = [f"(ite x{x} {_integer(c)} 0)" for c, x in terms]
    return f"(+ {' '.join(words)})" if len(words) > 1 else words[0] if words else "0"


def _integer(number: int) -> str:
    return f"(- {-number})" if number < 0 else str(number)
