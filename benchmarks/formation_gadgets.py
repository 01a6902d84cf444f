"""Find the gadgets of the formation tours: heels, corners and junctions with the fewest turns or crossings.

    python benchmarks/formation_gadgets.py heels|corners|junctions|... -o heuristics/gadgets/formation_NAME.json

A gadget is a set of disjoint knight's paths that cover a region and join given ends.  CP-SAT chooses the moves; turns
and crossings are counted in the region and with the moves around it (the tour it is meant for, with the gadgets found
so far), those asked for first, the others to break ties.  Every gadget is proved least for its place unless the time
limit is named in the file.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ortools.sat.python import cp_model

from heuristics.formation.gadgets import junction_region, load_heels, transitions
from heuristics.formation.giraffe import HEIGHT, SIDE, giraffe_region
from heuristics.formation.layout import Layout, formation_gadgets, high_of, layout
from heuristics.formation.quartet import DIAGONAL, MATCHINGS, POSITIONS, STRAIGHT, Cell, Gadget, permuted, plus, square
from heuristics.formation.square import PLACE, above_region, side_region
from kt_models import Board, Leaper, MoveGraph, pair_weights
from kt_models.files import write_atomic

Edge = frozenset  # of two cells


@dataclass
class Place:
    """What a gadget has to do: cover `region` by paths from `sources` to `targets`, amid the moves `around`.

    `pairings` lists what is allowed: pairing[i] is the number of the target that source i is joined to.  `shifts`
    are displacements under which the gadget is repeated: its images count as moves around it.
    """

    region: frozenset[Cell]
    sources: Sequence[Cell]
    targets: Sequence[Cell]
    pairings: Sequence[Sequence[int]]
    around: frozenset[Edge] = frozenset()
    shifts: Sequence[Cell] = ()
    required: Sequence[Edge] = ()
    leaper: Leaper = field(default_factory=lambda: Leaper(1, 2))


def search(
    place: Place, metrics: Sequence[str], effort: float = 120.0, workers: int = 1
) -> tuple[list[list[Cell]] | None, dict]:
    """The paths with the least of the first metric, then of the second; the values, or what is known of them."""
    knots = place.region | set(place.sources) | set(place.targets)
    reach = [cell for edge in place.around for cell in edge] + list(knots)
    for shift in place.shifts:
        reach += [Cell(c.x + shift.x, c.y + shift.y) for c in knots]
    low = Cell(min(c[0] for c in reach), min(c[1] for c in reach))
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


def _paths(graph, chosen, sources, inside) -> list[list[Cell]]:
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


def moves_of(paths: Iterable[Sequence[Cell]]) -> set[Edge]:
    return {frozenset(step) for path in paths for step in itertools.pairwise(path)}


# -- what is searched ------------------------------------------------------------------------------------------------

METRICS = {"turns": ("turns", "crossings"), "crossings": ("crossings", "turns")}
KEEPS_H = [p for p in itertools.permutations(range(4)) if permuted("H", p) == "H"]
"""Where the four knights may end up so that Lemma 1 (a horizontal matching stays one) still holds."""


def moves_around(plan: Layout, skip: int | None = None) -> frozenset[Edge]:
    """The moves of a layout but for those of one transition; those inside the junctions are not there."""
    found = set()
    at = plan.start
    for number, length in enumerate(plan.runs()):
        step = DIAGONAL["a" if number % 2 == 0 else "b"]
        for _ in range(length):
            found |= {frozenset((plus(at, p), plus(plus(at, step), p))) for p in POSITIONS}
            at = plus(at, step)
        if number < len(plan.transitions):
            transition = plan.transitions[number]
            if number != skip:
                found |= moves_of([plus(at, c) for c in path] for path in transition.gadget.paths)
            at = transition.exit
    return frozenset(found)


def near(moves: frozenset[Edge], cells: Iterable[Cell], margin: int = 3) -> frozenset[Edge]:
    """The moves that can meet a move between the cells."""
    cells = list(cells)
    low = min(c.x for c in cells) - margin, min(c.y for c in cells) - margin
    high = max(c.x for c in cells) + margin, max(c.y for c in cells) + margin
    return frozenset(e for e in moves if all(low[0] <= c.x <= high[0] and low[1] <= c.y <= high[1] for c in e))


def gadget_like(plan: Layout, number: int, metrics: Sequence[str], effort: float) -> tuple[Gadget | None, dict]:
    """The best gadget on the cells of a transition of a layout."""
    transition = plan.transitions[number]
    gadget = transition.gadget
    cells = frozenset(plus(transition.entry, c) for path in gadget.paths for c in path)
    around = near(moves_around(plan, number), cells)
    sources = [plus(transition.entry, p) for p in POSITIONS]
    targets = [plus(transition.exit, p) for p in POSITIONS]
    paths, found = search(Place(cells, sources, targets, KEEPS_H, around), metrics, effort)
    if paths is None:
        return None, found
    back = Cell(-transition.entry.x, -transition.entry.y)
    return Gadget(gadget.name, tuple(tuple(plus(c, back) for c in path) for path in paths), gadget.exit), found


def search_heels(effort: float) -> dict:
    """The heels of Figure 11, amid diagonals and heels of the plain kind, which changes nothing here."""
    found = {}
    for metric, order in METRICS.items():
        gadgets = formation_gadgets()
        plan = layout(70, 52, 5, high_of(70, 52), gadgets)
        middle = 8
        assert plan.transitions[middle].gadget.name == "heel"
        gadget, values = gadget_like(plan, middle, order, effort)
        assert gadget is not None
        found[metric] = {"paths": gadget.paths, "exit": gadget.exit, **values}
    return found


def search_corners(effort: float) -> dict:
    """For each heel the best corners, amid that heel."""
    found: dict = {}
    for metric, order in METRICS.items():
        gadgets = formation_gadgets()
        heel = load_heels()[metric]
        gadgets["heel"] = heel
        for name, width in (("corner 4", 42), ("corner 6", 44), ("corner 2", 40)):
            plan = layout(width, 60, 5, high_of(width, 60), gadgets)
            number = next(i for i, t in enumerate(plan.transitions) if t.gadget.name == name and i % 2 == 0)
            gadget, values = gadget_like(plan, number, order, effort)
            assert gadget is not None
            gadgets[name] = gadget
            found.setdefault(metric, {})[name] = {"paths": gadget.paths, "exit": gadget.exit, **values}
    return found


def search_junctions(effort: float) -> dict:
    """Two paths that fill a corner and end at the quartet, for every height and matching, amid each heel."""
    found: dict = {}
    for metric, order in METRICS.items():
        gadgets = formation_gadgets() | {"heel": load_heels()[metric]}
        for height in range(5, 9):
            plan = layout(62, 60 + height % 4, height, high_of(62, 60 + height % 4, height), gadgets)
            region = junction_region(height)
            around = near(moves_around(plan), region)
            for matching in ("H", "V"):
                (a, b), (c, d) = MATCHINGS[matching]
                at = [plus(plan.start, p) for p in POSITIONS]
                place = Place(region, [at[a], at[c]], [at[b], at[d]], [(0, 1)], around)
                paths, values = search(place, order, effort)
                print(metric, height, matching, values, flush=True)
                assert paths is not None
                found.setdefault(metric, {})[f"{height}{matching}"] = {"paths": paths, **values}
    return found


def search_odd(effort: float) -> dict:
    """What covers one more column on the left, but for its bottom cell (section 5.2), with the fewest turns.

    Transitions are given as at the lower right end, before they are turned by 180°: the column is on their right.
    """
    found: dict = {}
    for style, order in (("turns", METRICS["turns"]), ("crossings", METRICS["crossings"])):
        gadgets = transitions(style)
        own = found.setdefault(style, {})
        upper = dict(gadgets)
        for name, width, rows in (("edge", 42, (0, 4)), ("corner 6", 44, (-2, 2)), ("corner 2", 40, (-3, 3))):
            plan = layout(width, 60, 5, high_of(width, 60), upper)
            numbers = [i for i, t in enumerate(plan.transitions) if t.gadget.name == name and i % 2 == 0]
            transition = plan.transitions[numbers[len(numbers) // 2]]
            gadget = transition.gadget
            column = {Cell(width, transition.entry.y + y) for y in range(*rows)}
            cells = frozenset(plus(transition.entry, c) for path in gadget.paths for c in path) | column
            around = near(moves_around(plan, numbers[len(numbers) // 2]), cells)
            place = Place(
                cells,
                [plus(transition.entry, p) for p in POSITIONS],
                [plus(transition.exit, p) for p in POSITIONS],
                list(itertools.permutations(range(4))),
                around,
            )
            paths, values = search(place, order, effort)
            print(style, name, values, flush=True)
            assert paths is not None
            back = Cell(-transition.entry.x, -transition.entry.y)
            own[name] = {
                "paths": [[plus(c, back) for c in path] for path in paths],
                "exit": gadget.exit,
                **values,
            }
            upper[name] = Gadget(name, tuple(tuple(map(Cell._make, p)) for p in own[name]["paths"]), gadget.exit)
        plan = layout(44, 60, 5, high_of(44, 60), gadgets)
        for matching in ("H", "V"):
            (a, b), (c, d) = MATCHINGS[matching]
            at = [plus(plan.start, p) for p in POSITIONS]
            region = junction_region(5) | {Cell(-1, y) for y in range(1, 7)}
            around = near(moves_around(plan), region)
            required = [frozenset((Cell(0, 0), Cell(-1, 2)))]
            place = Place(region, [at[a], at[c]], [at[b], at[d]], [(0, 1)], around, required=required)
            paths, values = search(place, order, effort)
            print(style, matching, values, flush=True)
            assert paths is not None
            own[f"5{matching}"] = {"paths": paths, **values}
    return found


def search_levels(effort: float) -> dict:
    """Four paths that fill a corner, from its diagonal to where the quartet changes levels."""
    found: dict = {}
    for height in range(5, 9):
        plan = layout(62, 60 + height % 4, height, high_of(62, 60 + height % 4, height), transitions("turns"))
        region = junction_region(height)
        around = near(moves_around(plan), region)
        sources = [plus(plan.start, p) for p in POSITIONS]
        for name, at in (("first", Cell(0, 0)), ("last", Cell(2, 0))):
            every = list(itertools.permutations(range(4)))
            place = Place(region, sources, [plus(at, p) for p in POSITIONS], every, around)
            paths, values = search(place, ("turns",), effort)
            print(height, name, values, flush=True)
            assert paths is not None
            relative = [[Cell(c.x, c.y - height) for c in path] for path in paths]
            found[f"{name} {height}"] = {"paths": relative, "exit": Cell(at.x, at.y - height), **values}
    return found


def search_giraffe(effort: float) -> dict:
    """Two junctions of sixteen giraffes whose matchings together are one cycle (section 5.4).

    Any pairing of the ends will do.  The first is the one with the fewest turns found; others are tried until one fits.
    """
    ends = [Cell(p.x, p.y + HEIGHT) for p in square(SIDE)]
    low = free_paths(giraffe_region(), ends, Leaper(1, 4), effort, 0, True)
    for seed in itertools.count(1):
        high = free_paths(giraffe_region(), ends, Leaper(1, 4), effort, seed, True)
        joined: dict[Cell, list[Cell]] = {end: [] for end in ends}
        for paths, turn in ((low, False), (high, True)):
            for path in paths:
                a, b = (ends[15 - ends.index(c)] if turn else c for c in (path[0], path[-1]))
                joined[a].append(b)
                joined[b].append(a)
        at, length = ends[0], 0
        while length == 0 or at != ends[0]:  # along low and high in turn
            at, length = joined[at][length % 2], length + 1
        print("giraffe", seed, length, flush=True)
        if length == 16:
            return {"bottom left": {"paths": low}, "top right": {"paths": high}}
    raise AssertionError


def free_paths(
    region: frozenset[Cell], ends: Sequence[Cell], leaper: Leaper, effort: float, seed: int, turns: bool
) -> list[list[Cell]]:
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
            other = Cell(cell.x + vector[0], cell.y + vector[1])
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
            if (o := Cell(cell.x + v[0], cell.y + v[1])) in index and (cell, o) in arc
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
    joined: dict[Cell, list[Cell]] = {cell: [] for cell in knots}
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


def search_square(effort: float) -> dict:
    """The 6×6 junction of Figure 8, and the moves of the quartet around it for every constant of the first diagonal."""
    quartet = [plus(PLACE, p) for p in POSITIONS]
    box = frozenset(Cell(x, y) for x in range(6) for y in range(6))
    place = Place(box - set(quartet), [quartet[0], quartet[2]], [quartet[1], quartet[3]], [(0, 1)])
    paths, values = search(place, ("turns", "crossings"), effort)
    found: dict = {"junction": {"paths": paths, **values}}
    for constant in range(6, 10):
        beside, above = side_region(constant), above_region(constant)
        x = 2 * (constant - 2)
        found[f"beside {constant}"] = {"word": fewest_straight(PLACE, Cell(x + 2, 3), beside)}
        found[f"above {constant}"] = {"word": fewest_straight(Cell(4, constant), Cell(0, constant + 4), above)}
        print(constant, found[f"beside {constant}"], found[f"above {constant}"], flush=True)
    return found


def fewest_straight(start: Cell, goal: Cell, region: frozenset[Cell], limit: int = 2_000_000) -> str:
    """The moves of a quartet that cover a region once, with few straight ones: a depth-first search, cut short."""
    moves = {**STRAIGHT, **DIAGONAL}
    best, steps = "", 0

    def walk(at: Cell, left: frozenset[Cell], word: str, straight: int) -> None:
        nonlocal best, steps
        steps += 1
        if steps > limit or (best and straight >= sum(m in STRAIGHT for m in best)):
            return
        if not left:
            if at == goal:
                best = word
            return
        old = {plus(at, p) for p in POSITIONS}
        for name, move in moves.items():
            to = plus(at, move)
            new = {plus(to, p) for p in POSITIONS} - old
            if new <= left:
                walk(to, left - new, word + name, straight + (name in STRAIGHT))

    walk(start, region, "", 0)
    return best


SEARCHES = {
    "heels": search_heels,
    "corners": search_corners,
    "junctions": search_junctions,
    "odd": search_odd,
    "levels": search_levels,
    "giraffe": search_giraffe,
    "square": search_square,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=SEARCHES)
    parser.add_argument(
        "--effort",
        type=float,
        default=120.0,
        help="work for each gadget, in CP-SAT's deterministic units, about seconds",
    )
    parser.add_argument("-o", "--output", required=True)
    given = parser.parse_args()
    found = {
        "version": 1,
        "command": f"python benchmarks/formation_gadgets.py {given.what} --effort {given.effort:g} -o FILE",
        "gadgets": SEARCHES[given.what](given.effort),
    }
    write_atomic(given.output, json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
