"""The fewest crossings of a closed knight's tour of a small torus, by a SAT solver (docs/theory/related.md).

    python benchmarks/torus.py 6x6

One more crossing is allowed until there is a tour. Pairs of moves that cross fall into few classes under the
symmetries and shifts of the torus. So one pair of a class is required, and the classes before it are forbidden.
"""

from __future__ import annotations

import itertools
import sys
import time

import networkx as nx
import numpy as np
from pysat.card import CardEnc
from pysat.solvers import Cadical153

from encoders.sat.formula import Formula
from encoders.sat.lazy import clauses_broken_by
from kt_models import Problem, graph_of
from kt_models.pairs import pair_weights
from kt_models.symmetry import point_symmetries

Pair = tuple[int, int]


def classes(problem: Problem) -> dict[Pair, Pair]:
    """A pair for each pair of edges that cross, which all its images share."""
    graph = problem.graph
    board, _ = graph.geometry
    cells, kinds = np.nonzero(graph.edge_at >= 0)
    start = np.empty(graph.m, dtype=np.int64)
    start[graph.edge_at[cells, kinds]] = cells
    images = [graph.edge_permutation(symmetry) for symmetry in point_symmetries(board)]
    for shift in ([1, 0], [0, 1]):
        images.append(graph.edge_at[board.numbers((board.cells + shift) % board.shape)[start], graph.edge_move])
    pairs = [(e, f) for e, f, _ in pair_weights(graph, "crossings").canonical()]
    union = nx.utils.UnionFind(pairs)
    for (e, f), image in itertools.product(pairs, images):
        union.union((e, f), (min(image[e], image[f]), max(image[e], image[f])))
    return {pair: union[pair] for pair in pairs}


def has_tour(formula: Formula, most: int, forbidden: set[Pair], required: Pair | tuple[()]) -> bool:
    """Whether a tour has at most so many crossings, none of some pairs and one of another.

    Clauses about connectivity stay with the formula.
    """
    solver, top, counted = Cadical153(formula.clauses), formula.top, []
    for e, f, weight in pair_weights(formula.problem.graph, "crossings").canonical():
        top += 1
        solver.add_clause([-formula.edge[e], -formula.edge[f], *([] if (e, f) in forbidden else [top])])
        counted += [top] * weight
    for clause in CardEnc.atmost(counted, most, top_id=top).clauses:
        solver.add_clause(clause)
    for edge in required:
        solver.add_clause([formula.edge[edge]])
    while solver.solve():
        _, broken = clauses_broken_by(formula, formula.edges_of(x for x in solver.get_model() if x > 0))
        if not broken:
            return True
        formula.clauses += broken
        solver.append_formula(broken)
    return False


def main() -> None:
    problem = Problem(graph_of(f"torus:{sys.argv[1]}"), objective="crossings")
    formula, kind = Formula(problem), classes(problem)
    kinds = list(dict.fromkeys(kind.values()))
    for most in itertools.count():
        found = has_tour(formula, 0, set(kind), ()) if most == 0 else False
        for number, pair in enumerate(kinds if most else []):
            before = {other for other in kind if kind[other] in kinds[:number]}
            found = found or has_tour(formula, most, before, pair)
        seconds = f"{time.process_time():.1f} s"
        print(f"{most} crossings: {'a tour' if found else 'no tour'}; {len(kinds)} classes, {seconds}", flush=True)
        if found:
            return


if __name__ == "__main__":
    main()
