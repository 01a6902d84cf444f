"""A `Formula` as DIMACS CNF, the format that every SAT solver reads."""

from __future__ import annotations

from collections import defaultdict

from encoders.sat.formula import Formula


def to_dimacs(formula: Formula, encoding: str = "") -> str:
    """The text of a `.cnf` file.

    Comments name the variables: `c x1 a1-b3` says that variable 1 is the move from a1 to b3 (several moves if a
    symmetry makes them one), `c x81 end a1` that the path ends at a1. Variables without a name belong to the encoding.
    """
    problem, graph = formula.problem, formula.problem.graph
    moves: dict[int, list[str]] = defaultdict(list)
    for edge, variable in enumerate(formula.edge):
        moves[variable].append(graph.edge_name(edge))
    lines = [f"c kt {graph.name}" + (f" leaper={graph.leaper}" if graph.leaper else "")]
    lines.append(f"c {problem.connectivity}" + "".join(f" {graph.name_of(t)}" for t in problem.terminals))
    if encoding:
        lines.append(f"c encoding {encoding}")
    lines += [f"c x{variable} {' '.join(names)}" for variable, names in moves.items()]
    lines += [f"c x{variable} end {graph.name_of(v)}" for v, variable in enumerate(formula.end) if variable]
    lines.append(f"p cnf {formula.top} {len(formula.clauses)}")
    lines += [" ".join(map(str, (*clause, 0))) for clause in formula.clauses]
    return "\n".join(lines) + "\n"
