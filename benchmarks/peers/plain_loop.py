"""The simplest program that finds Hamiltonian cycles by SAT: degrees, and a clause for each cycle that is too short.

    python benchmarks/peers/plain_loop.py graph.hcp [glucose4]

Every vertex has two edges. After each answer of the solver, a clause requires an edge that leaves each of its cycles.
This module imports nothing else of kt: `benchmarks/overhead.py` measures how much longer `kt solve` takes.
"""

from __future__ import annotations

import sys
from itertools import combinations


def read(path: str) -> list[tuple[int, int]]:
    """The edges of a file in TSPLIB's HCP format."""
    edges: list[tuple[int, int]] = []
    listed = False
    with open(path) as stream:
        for line in stream:
            words = line.split()
            if listed and len(words) == 2:
                u, v = int(words[0]) - 1, int(words[1]) - 1
                edges.append((min(u, v), max(u, v)))
            elif listed:
                break
            listed = listed or line.strip().startswith("EDGE_DATA_SECTION")
    return sorted(set(edges))


def cycle(edges: list[tuple[int, int]], solver: str) -> list[int] | None:
    """The vertices of a Hamiltonian cycle in order; None if there is none."""
    from pysat.card import CardEnc
    from pysat.solvers import Solver

    n = 1 + max(map(max, edges))
    near: list[dict[int, int]] = [{} for _ in range(n)]
    for number, (u, v) in enumerate(edges, 1):
        near[u][v] = near[v][u] = number
    top = len(edges)
    with Solver(name=solver) as sat:
        for around in near:
            literals = list(around.values())
            if len(literals) < 2:
                return None
            if len(literals) <= 8:
                clauses = [list(some) for some in combinations(literals, len(literals) - 1)]
                clauses += [[-x for x in some] for some in combinations(literals, 3)]
            else:
                counted = CardEnc.equals(literals, 2, top_id=top, encoding=1)
                top, clauses = max(top, counted.nv), counted.clauses
            for clause in clauses:
                sat.add_clause(clause)
        while sat.solve():
            model = sat.get_model()
            chosen: list[list[int]] = [[] for _ in range(n)]
            for (u, v), literal in zip(edges, model, strict=False):
                if literal > 0:
                    chosen[u].append(v)
                    chosen[v].append(u)
            walks, seen = [], [False] * n
            for start in range(n):
                walk = []
                v = start
                while not seen[v]:
                    seen[v] = True
                    walk.append(v)
                    v = next((w for w in chosen[v] if not seen[w]), v)
                if walk:
                    walks.append(walk)
            if len(walks) == 1:
                return walks[0]
            for walk in walks:
                inside = set(walk)
                sat.add_clause([number for v in walk for w, number in near[v].items() if w not in inside])
    return None


if __name__ == "__main__":
    answer = cycle(read(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "glucose4")
    print("none" if answer is None else f"a cycle of {len(answer)} vertices")
