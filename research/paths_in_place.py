"""Disjoint knight's paths that cover a region and join given ends, amid given moves: the least by CP-SAT.

The search behind `formation_gadgets.py`: the model is `encoders.cpsat.model.Model` of a problem of connectivity
`paths`, whose weights have the moves around in them, with labels that are carried along the paths from their sources.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from ortools.sat.python import cp_model

from encoders.cpsat.model import Model
from heuristics.papers.taming.formation.quartet import Point
from kt_models import KNIGHT, Board, Leaper, MoveGraph, Problem, Weights, pair_weights
from kt_models.walks import walks_of

Edge = frozenset  # Of two cells


@dataclass
class Place:
    """What a gadget has to do: cover `region` by paths from `sources` to `targets`, amid the moves `around`.

    `pairings` lists what is allowed: pairing[i] is the number of the target that source i is joined to; without
    targets the sources are joined to each other, anyhow.
    """

    region: frozenset[Point]
    sources: Sequence[Point]
    targets: Sequence[Point] = ()
    pairings: Sequence[Sequence[int]] = ()
    around: frozenset[Edge] = frozenset()
    required: Sequence[Edge] = ()
    leaper: Leaper = KNIGHT


def search(
    place: Place, metrics: Sequence[str], effort: float = 120.0, seed: int = 0
) -> tuple[list[list[Point]] | None, dict]:
    """The paths with the least of the first metric, then of the second; the values, or what is known of them."""
    ends = [*place.sources, *place.targets]
    knots = sorted(place.region | set(ends))
    number = {cell: k for k, cell in enumerate(knots)}
    moves = [
        (a, b)
        for a, b in itertools.combinations(knots, 2)
        if sorted((abs(a.x - b.x), abs(a.y - b.y))) == [place.leaper.a, place.leaper.b]
        and frozenset((a, b)) not in place.around
    ]
    graph = MoveGraph.from_edges(len(knots), [(number[a], number[b]) for a, b in moves])
    weights = {metric: weights_of(place, moves, metric) for metric in metrics}
    each = [(pairs, 1000**before) for pairs, before in zip(weights.values(), range(len(metrics))[::-1], strict=True)]
    both = Weights(
        np.concatenate([pairs.first for pairs, _ in each]),
        np.concatenate([pairs.second for pairs, _ in each]),
        np.concatenate([pairs.weight * factor for pairs, factor in each]),
    )
    required = frozenset(k for k, move in enumerate(moves) if frozenset(move) in place.required)
    terminals = tuple(number[cell] for cell in ends)
    model = Model(Problem(graph, "paths", both, terminals, required), "circuit")
    if place.targets:
        _pair(model, place, number)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = effort
    solver.parameters.random_seed, solver.parameters.randomize_search = seed, seed > 0
    status = solver.solve(model.cp)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None, {"status": solver.status_name(status)}
    chosen = np.flatnonzero([solver.boolean_value(x) for x in model.edge])
    values: dict = {metric: pairs.value(chosen) for metric, pairs in weights.items()}
    paths = []
    for walk in walks_of(graph.n, graph.ends[chosen]):
        first, last = (terminals.index(walk.vertices[at]) for at in (0, -1))
        along = walk.vertices if first < last else walk.vertices[::-1]
        paths.append((min(first, last), [knots[v] for v in along]))
    return [path for _, path in sorted(paths)], values | {"status": solver.status_name(status).lower()}


def weights_of(place: Place, moves: list[tuple[Point, Point]], metric: str) -> Weights:
    """What pairs of the moves weigh, and each by itself with the moves around."""
    reach = [cell for edge in (*place.around, *moves) for cell in edge]
    low = Point(min(c[0] for c in reach), min(c[1] for c in reach))
    board = Board.box(max(c[0] for c in reach) - low.x + 1, max(c[1] for c in reach) - low.y + 1)
    graph = MoveGraph.of(board, place.leaper)

    def edge(cells: Iterable[Point]) -> int:
        u, v = (board.number((c[0] - low.x, c[1] - low.y)) for c in cells)
        return graph.edges_between(u, v)[0]

    places = {edge(move): k for k, move in enumerate(moves)}
    around = dict.fromkeys(map(edge, place.around))
    there = places.keys() | around.keys()
    rows = []
    pairs = pair_weights(graph, metric)
    for e, f, weight in zip(pairs.first.tolist(), pairs.second.tolist(), pairs.weight.tolist(), strict=True):
        if (e in places or f in places) and e in there and f in there:
            rows.append((places.get(e, places.get(f)), places.get(f, places.get(e)), weight))
    first, second, weight = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return Weights(first.astype(np.int32), second.astype(np.int32), weight)


def _pair(model: Model, place: Place, number: dict[Point, int]) -> None:
    """The sources are joined to the targets by an allowed pairing: the number of the source is carried along."""
    cp, count = model.cp, len(place.sources)
    label = [[cp.new_bool_var("") for _ in range(count)] for _ in number]
    for literal in label:
        cp.add_exactly_one(literal)
    for x, (u, v) in zip(model.edge, model.problem.graph.ends.tolist(), strict=True):
        for a, b in zip(label[u], label[v], strict=True):
            cp.add_bool_or(~x, ~a, b)
            cp.add_bool_or(~x, a, ~b)
    for i, source in enumerate(place.sources):
        cp.add_bool_or(label[number[source]][i])
    picked = [cp.new_bool_var("") for _ in place.pairings]
    cp.add_exactly_one(picked)
    for choice, pairing in zip(picked, place.pairings, strict=True):
        for i, target in enumerate(pairing):
            cp.add_implication(choice, label[number[place.targets[target]]][i])


def moves_of(paths: Iterable[Sequence[Point]]) -> set[Edge]:
    return {frozenset(step) for path in paths for step in itertools.pairwise(path)}
