"""Random small problems of every kind, and all their solutions by brute force.

Nothing here is used by a checker or a maker: what a symmetry does to moves, what is a solution and what it weighs is
worked out again from cells, displacements and lists of edges, in plain Python.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from kt_models import KTError, Leaper, MoveGraph, Problem, Symmetry, Weights, graph_of
from kt_models.problem import PARTIAL

BOARDS = {
    "1,2": [
        "1x1",
        "1x2",
        "2x2",
        "1x5",
        "2x3",
        "3x2",
        "2x4",
        "3x3",
        "3x3-b2",
        "3x4",
        "4x3",
        "2x3x2",
        "torus:2x3",
        "torus:1x4",
        "torus:2x2",
        "torus:3x2",
        "torus:1x5",
        "3x4-a1",
        "3x5-b2,b4",
        "aztec:2-b2,b1",
    ],
    "0,1": [
        "1x1",
        "1x2",
        "1x3",
        "2x2",
        "1x4",
        "2x3",
        "3x3",
        "3x3-b2",
        "2x4",
        "2x5",
        "3x4",
        "2x2x2",
        "1x2x2",
        "torus:2x2",
        "torus:1x2",
        "torus:1x3",
        "torus:2x3",
        "torus:1x6",
        "torus:2x1",
        "3x3-a1",
        "3x3-a1,c3",
        "4x4-b2,c3,b3,c2",
    ],
    "1,1": ["2x2", "3x3", "3x3-b2", "2x4", "torus:2x2", "torus:3x2", "torus:2x4", "torus:1x4", "3x2x2"],
    "0,2": ["3x3", "1x5", "torus:4x1", "torus:4x2", "torus:3x1", "5x1"],
    "1,3": ["2x4", "torus:2x4", "torus:4x1"],
}
SYMMETRIES = ["rot180", "rot90", "mirror-x", "mirror-y", "diagonal", "antidiagonal", "identity"]
WEIGHTS = [0, 1, 1, 2, 3, 5, -1, -4, 2**31 - 1, 2**31, 2**40, -(2**40), 2**62, -(2**63)]
MOST_EDGES = 20


def random_problem(random: Random, objective: bool = False, most: int = MOST_EDGES, positive: bool = True) -> Problem:
    """A problem of at most so many edges; `objective`: whether it may have one (if `positive` seldom below 0)."""
    while True:
        try:
            problem = _random_problem(random, objective, positive)
        except KTError:
            continue
        if problem.graph.m <= most:
            return problem


def _random_problem(random: Random, objective: bool, positive: bool) -> Problem:
    graph = _random_graph(random)
    n, m = graph.n, graph.m
    connectivity = random.choice(["cycle", "cycle", "path", "path", "cycle", "path", "linkage", "paths", "any"])
    most = {"cycle": 0, "path": 2}.get(connectivity, n)
    count = random.randint(0, min(most, 6, n))
    if connectivity in ("linkage", "paths"):
        count = max(2, count - count % 2)
    terminals = tuple(random.sample(range(n), min(count, n)))
    required = frozenset(random.sample(range(m), min(m, random.choice([0, 0, 0, 1, 2]))))
    forbidden = frozenset(random.sample(range(m), min(m, random.choice([0, 0, 0, 1, 2, 3]))))
    symmetry: tuple[Symmetry, ...] = ()
    if graph.board is not None and random.random() < 0.5:
        if graph.board.dimension == 2:
            names = random.sample(SYMMETRIES, random.choice([1, 1, 2]))
        else:
            names = random.sample(["(-x,-y,-z)", "(x,y,-z)", "(-x,y,z)", "(y,x,z)"], random.choice([1, 2]))
        symmetry = tuple(Symmetry.parse(name, graph.board.dimension) for name in names)
    weights: str | Weights | None = None
    if objective:
        if graph.board is not None and not any(graph.board.wraps) and random.random() < 0.4:
            weights = "turns"
        elif m:
            rows = random.randint(0, 8)
            pick = WEIGHTS[:7] if positive else WEIGHTS
            pick = pick if random.random() < 0.3 else [1, 1, 2, 3]
            weights = Weights(
                np.array([random.randrange(m) for _ in range(rows)], dtype=np.int32),
                np.array([random.randrange(m) for _ in range(rows)], dtype=np.int32),
                np.array([random.choice(pick) for _ in range(rows)], dtype=np.int64),
            )
    return Problem(graph, connectivity, weights, terminals, required, forbidden, symmetry)  # type: ignore[arg-type]


def leaving_out(random: Random, problem: Problem) -> Problem:
    """The same problem where some vertices may be left out; itself if none can be."""
    others = sorted(set(range(problem.graph.n)) - set(problem.terminals))
    if problem.connectivity not in PARTIAL or not others:
        return problem
    size = random.choice([1, len(others), random.randint(1, len(others))])
    optional = frozenset(random.sample(others, size))
    return replace(problem, connectivity=PARTIAL[problem.connectivity], optional=optional)


def _random_graph(random: Random) -> MoveGraph:
    if random.random() < 0.35:
        n = random.randint(1, 7)
        pairs = [(u, v) for u in range(n) for v in range(u)]
        chosen = random.sample(pairs, random.randint(0, len(pairs)))
        return MoveGraph.from_edges(n, np.array(chosen, dtype=np.int64).reshape(-1, 2))
    leaper = random.choice(["1,2", "1,2", "0,1", "0,1", "0,1", "1,1", "0,2", "1,3"])
    return graph_of(random.choice(BOARDS[leaper]), Leaper.parse(leaper))


def solutions(problem: Problem) -> list[frozenset[int]]:
    """Every set of edges that solves a problem."""
    graph, n = problem.graph, problem.graph.n
    ends = [tuple(map(int, pair)) for pair in graph.ends.tolist()]
    images = [edge_images(problem, symmetry) for symmetry in problem.symmetry]
    last = {v: e for e, pair in enumerate(ends) for v in pair}
    terminals, optional = set(problem.terminals), problem.optional
    path, alone = problem.connectivity in ("path", "subpath"), problem.connectivity == "path" and n == 1
    if any(v not in last and v not in optional for v in range(n)) and not alone:
        return []
    most = [1 if v in terminals else 2 for v in range(n)]
    degree = [0] * n
    chosen: list[int] = []
    found: list[frozenset[int]] = []

    def leaf() -> None:
        edges = set(chosen)
        single = [v for v in range(n) if degree[v] == 1]
        if path and not alone:
            if len(single) != 2 or not terminals <= set(single):
                return
        elif alone:
            if edges:
                return
        elif set(single) != terminals:
            return
        if all({image[e] for e in edges} == edges for image in images) and _connected(problem, ends, chosen):
            found.append(frozenset(edges))

    def go(e: int) -> None:
        if e == len(ends):
            leaf()
            return
        u, v = ends[e]
        for take in (True, False):
            if (e in problem.forbidden and take) or (e in problem.required and not take):
                continue
            if take and (degree[u] >= most[u] or degree[v] >= most[v]):
                continue
            degree[u] += take
            degree[v] += take
            low = 1 if path else 2
            out = [w for w in (u, v) if w in optional and not degree[w]]
            if all(last[w] != e or w in out or degree[w] >= min(low, most[w]) for w in (u, v)):
                if take:
                    chosen.append(e)
                go(e + 1)
                if take:
                    chosen.pop()
            degree[u] -= take
            degree[v] -= take

    go(0)
    return found


def _connected(problem: Problem, ends: list[tuple[int, ...]], chosen: list[int]) -> bool:
    n = problem.graph.n
    part = list(range(n))

    def root(v: int) -> int:
        while part[v] != v:
            v = part[v]
        return v

    for e in chosen:
        u, v = ends[e]
        part[root(u)] = root(v)
    used = {v for e in chosen for v in ends[e]} if problem.optional else set(range(n))
    roots = [root(v) if v in used else -1 for v in range(n)]
    if problem.connectivity in ("subcycle", "subpath"):
        return len(set(roots) - {-1}) == 1 and len(used) >= (3 if problem.connectivity == "subcycle" else 2)
    if problem.connectivity == "any":
        return True
    if problem.connectivity in ("cycle", "path"):
        return len(set(roots)) == 1
    inside = [root(ends[e][0]) for e in chosen]
    if any(inside.count(r) >= roots.count(r) for r in set(roots) - {-1}):  # A cycle has as many edges as vertices
        return False
    pairs = zip(problem.terminals[::2], problem.terminals[1::2], strict=True)
    return problem.connectivity == "paths" or all(roots[s] == roots[t] for s, t in pairs)


def edge_images(problem: Problem, symmetry: Symmetry) -> list[int]:
    """The image of each edge, from cells and displacements."""
    graph, board = problem.graph, problem.graph.board
    assert board is not None and graph.moves is not None
    shape = board.shape

    def move(point: tuple[int, ...]) -> tuple[int, ...]:
        """Image of a point, in twice the coordinates about the centre."""
        turned = [s * (2 * point[a] - shape[a] + 1) for a, s in zip(symmetry.axes, symmetry.signs, strict=True)]
        return tuple((c + shape[i] - 1) // 2 for i, c in enumerate(turned))

    cells = [tuple(map(int, cell)) for cell in board.cells.tolist()]
    number = {cell: v for v, cell in enumerate(cells)}
    image = [number[move(cell)] for cell in cells]
    steps = [tuple(map(int, graph.moves[k])) for k in graph.edge_move.tolist()]
    at = {}
    for e, (u, v) in enumerate(graph.ends.tolist()):
        at[u, steps[e]] = e
        at[v, tuple(-c for c in steps[e])] = e
    turned = [tuple(s * step[a] for a, s in zip(symmetry.axes, symmetry.signs, strict=True)) for step in steps]
    return [at[image[u], turned[e]] for e, (u, _) in enumerate(graph.ends.tolist())]


def orbits(problem: Problem) -> list[int]:
    """The least edge of the orbit of each edge, under all that the symmetries generate."""
    part = list(range(problem.graph.m))
    for symmetry in problem.symmetry:
        for e, f in enumerate(edge_images(problem, symmetry)):
            a, b = part[e], part[f]
            part = [min(a, b) if p in (a, b) else p for p in part]
    return part


def value(problem: Problem, edges: frozenset[int]) -> int | None:
    """What a set of edges weighs."""
    objective, graph = problem.objective, problem.graph
    if objective is None:
        return None
    if isinstance(objective, Weights):
        rows = zip(objective.first.tolist(), objective.second.tolist(), objective.weight.tolist(), strict=True)
        return sum(weight for e, f, weight in rows if e in edges and f in edges)
    assert objective == "turns" and graph.moves is not None
    total = 0
    for v in range(graph.n):
        out = []
        for e in edges:
            u, w = graph.ends[e].tolist()
            step = graph.moves[graph.edge_move[e]].tolist()
            out += [step] if u == v else [[-c for c in step]] if w == v else []
        total += sum(a != [-c for c in b] for i, a in enumerate(out) for b in out[:i])
    return total
