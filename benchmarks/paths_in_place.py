"""Disjoint knight's paths that cover a region and join given ends, amid given moves: the least by CP-SAT.

The search behind `formation_gadgets.py`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ortools.sat.python import cp_model

from heuristics.constructions.formation.quartet import Point
from kt_models import Board, Leaper, MoveGraph, pair_weights

Edge = frozenset  # of two cells


@dataclass
class Place:
    """What a gadget has to do: cover `region` by paths from `sources` to `targets`, amid the moves `around`.

    `pairings` lists what is allowed: pairing[i] is the number of the target that source i is joined to.  `shifts`
    are displacements under which the gadget is repeated: its images count as moves around it.
    """

    region: frozenset[Point]
    sources: Sequence[Point]
    targets: Sequence[Point]
    pairings: Sequence[Sequence[int]]
    around: frozenset[Edge] = frozenset()
    shifts: Sequence[Point] = ()
    required: Sequence[Edge] = ()
    leaper: Leaper = field(default_factory=lambda: Leaper(1, 2))


def search(
    place: Place, metrics: Sequence[str], effort: float = 120.0, workers: int = 1
) -> tuple[list[list[Point]] | None, dict]:
    """The paths with the least of the first metric, then of the second; the values, or what is known of them."""
    knots = place.region | set(place.sources) | set(place.targets)
    reach = [cell for edge in place.around for cell in edge] + list(knots)
    for shift in place.shifts:
        reach += [Point(c.x + shift.x, c.y + shift.y) for c in knots]
    low = Point(min(c[0] for c in reach), min(c[1] for c in reach))
    shape = (max(c[0] for c in reach) - low.x + 1, max(c[1] for c in reach) - low.y + 1)
    graph = MoveGraph.of(Board.box(*shape), place.leaper)
    board = graph.board
    assert board is not None

    def number(cell: Sequence[int]) -> int:
        return board.number((cell[0] - low.x, cell[1] - low.y))

    edge_of = {frozenset((int(u), int(v))): e for e, (u, v) in enumerate(zip(graph.tails, graph.heads, strict=True))}
    model = cp_model.CpModel()
    own: dict[int, cp_model.IntVar] = {}
    literal: dict[int, cp_model.IntVar | int] = {}
    for edge in place.around:
        literal[edge_of[frozenset(map(number, edge))]] = 1
    inside = {number(c): c for c in knots}
    ends = {number(c) for c in (*place.sources, *place.targets)}
    for u, v in zip(graph.tails.tolist(), graph.heads.tolist(), strict=True):
        e = edge_of[frozenset((u, v))]
        if u in inside and v in inside and e not in literal:
            own[e] = literal[e] = model.new_bool_var(f"e{e}")
    for e, variable in list(own.items()):
        for shift in place.shifts:
            cells = [inside[int(v)] for v in (graph.tails[e], graph.heads[e])]
            moved = edge_of[frozenset(number((c.x + shift.x, c.y + shift.y)) for c in cells)]
            literal[moved] = variable
    at: dict[int, list[int]] = {v: [] for v in inside}
    for e in own:
        at[int(graph.tails[e])].append(e)
        at[int(graph.heads[e])].append(e)
    for v, edges in at.items():
        model.add(sum(own[e] for e in edges) == (1 if v in ends else 2))
    for edge in place.required:
        model.add(own[edge_of[frozenset(map(number, edge))]] == 1)
    _one_circuit(model, graph, own, inside, [number(c) for c in place.sources], [number(c) for c in place.targets])
    _paired(model, graph, own, inside, place, number)
    terms = {}
    for metric in metrics:
        pairs = pair_weights(graph, metric)
        total: list = []
        for e, f, weight in zip(pairs.first.tolist(), pairs.second.tolist(), pairs.weight.tolist(), strict=True):
            if (e in own or f in own) and e in literal and f in literal:
                a, b = literal[e], literal[f]
                # a pair with an image of the gadget is met twice, from either side: as (own, image) only once per shift
                if isinstance(a, int) or isinstance(b, int) or a.index == b.index:
                    total.append(weight * (b if isinstance(a, int) else a))
                else:
                    both = model.new_bool_var("")
                    model.add_bool_or(~a, ~b, both)
                    total.append(weight * both)
        terms[metric] = sum(total)
    if metrics:
        model.minimize(sum(terms[m] * 1000 ** (len(metrics) - 1 - i) for i, m in enumerate(metrics)))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = workers
    solver.parameters.max_deterministic_time = effort
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None, {"status": solver.status_name(status)}
    chosen = [e for e in own if solver.value(own[e])]
    values = {m: int(solver.value(terms[m])) for m in metrics}
    values["status"] = solver.status_name(status).lower()
    return _paths(graph, chosen, [number(c) for c in place.sources], inside), values


def free_paths(
    region: frozenset[Point], ends: Sequence[Point], leaper: Leaper, effort: float, seed: int, turns: bool
) -> list[list[Point]]:
    """Disjoint paths that cover a region and have the given ends, in any pairing; with few turns, as time allows."""
    knots = sorted(region | set(ends))
    index = {cell: i for i, cell in enumerate(knots)}
    model = cp_model.CpModel()
    vectors = [
        (s * a, t * b) for a, b in ((leaper.a, leaper.b), (leaper.b, leaper.a)) for s in (1, -1) for t in (1, -1)
    ]
    arc = {}
    for cell in knots:
        for vector in vectors:
            other = Point(cell.x + vector[0], cell.y + vector[1])
            if other in index and not (cell in ends and other in ends):
                arc[cell, other] = model.new_bool_var("")
    arcs = [(index[a], index[b], variable) for (a, b), variable in arc.items()]
    arcs += [(index[a], index[b], model.new_bool_var("")) for a in ends for b in ends if a != b]
    model.add_circuit(arcs)
    turned = []
    for cell in knots:
        at = {
            v: arc[cell, o] + arc[o, cell]
            for v in vectors
            if (o := Point(cell.x + v[0], cell.y + v[1])) in index and (cell, o) in arc
        }
        model.add(sum(at.values()) == (1 if cell in ends else 2))
        if cell in ends:
            continue
        straight = []
        for v, edge in at.items():
            if v > (0, 0) and (-v[0], -v[1]) in at:
                both = model.new_bool_var("")
                model.add(edge >= both)
                model.add(at[-v[0], -v[1]] >= both)
                straight.append(both)
        turned.append(1 - sum(straight))
    if turns:
        model.minimize(sum(turned))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    solver.parameters.randomize_search = True
    solver.parameters.max_deterministic_time = effort
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise SystemExit("no junction found in the time")
    joined: dict[Point, list[Point]] = {cell: [] for cell in knots}
    for (a, b), variable in arc.items():
        if solver.value(variable):
            joined[a].append(b)
            joined[b].append(a)
    paths = []
    for end in ends:
        path, before = [end], None
        while following := [c for c in joined[path[-1]] if c != before]:
            before = path[-1]
            path.append(following[0])
        if ends.index(path[-1]) > ends.index(end):
            paths.append(path)
    print("turns", sum(solver.value(t) for t in turned), flush=True)
    return paths


def _one_circuit(model, graph, own, inside, sources, targets) -> None:
    """No closed cycle: the paths, each target led on to some source, make one circuit."""
    index = {v: i for i, v in enumerate(inside)}
    arcs = []
    for e, variable in own.items():
        u, v = int(graph.tails[e]), int(graph.heads[e])
        there, back = model.new_bool_var(""), model.new_bool_var("")
        model.add(there + back == variable)
        for tail, head, arc in ((u, v, there), (v, u, back)):
            if head in sources or tail in targets:
                model.add(arc == 0)
            else:
                arcs.append((index[tail], index[head], arc))
    for target in targets:
        arcs += [(index[target], index[source], model.new_bool_var("")) for source in sources]
    model.add_circuit(arcs)


def _paired(model, graph, own, inside, place, number) -> None:
    """The sources are joined to the targets by an allowed pairing: the number of the source is carried along."""
    count = len(place.sources)
    label = {v: [model.new_bool_var("") for _ in range(count)] for v in inside}
    for v in inside:
        model.add_exactly_one(label[v])
    for e, variable in own.items():
        for a, b in zip(label[int(graph.tails[e])], label[int(graph.heads[e])], strict=True):
            model.add_bool_or(~variable, ~a, b)
            model.add_bool_or(~variable, a, ~b)
    for i, source in enumerate(place.sources):
        model.add(label[number(source)][i] == 1)
    picked = [model.new_bool_var("") for _ in place.pairings]
    model.add_exactly_one(picked)
    for choice, pairing in zip(picked, place.pairings, strict=True):
        for i, target in enumerate(pairing):
            model.add_implication(choice, label[number(place.targets[target])][i])


def _paths(graph, chosen, sources, inside) -> list[list[Point]]:
    """The chosen moves as paths of cells, from each source."""
    joined: dict[int, list[int]] = {}
    for e in chosen:
        u, v = int(graph.tails[e]), int(graph.heads[e])
        joined.setdefault(u, []).append(v)
        joined.setdefault(v, []).append(u)
    paths = []
    for source in sources:
        path, before = [source], -1
        while following := [v for v in joined[path[-1]] if v != before][:1]:
            before = path[-1]
            path += following
        paths.append([inside[v] for v in path])
    return paths


def moves_of(paths: Iterable[Sequence[Point]]) -> set[Edge]:
    return {frozenset(step) for path in paths for step in itertools.pairwise(path)}
