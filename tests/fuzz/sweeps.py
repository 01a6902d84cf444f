"""The attack on sweeps: random small problems and random certificate data, beside an enumeration that shares no code.

    python -m tests.fuzz.sweeps 100000 [SEED]

Whatever the checkers of `regions` and `frontier` accept is compared with the truth, which `values_of` finds by trying
everything in plain Python; so are least values and counts. `tests/kt_models/test_sweep_attack.py` runs some
hundred of these.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any
from unittest.mock import patch

import numpy as np

from encoders.bounds.methods.regions import belts
from kt_models import Board, KTError, Leaper, MoveGraph, Problem, Weights, graph_of
from kt_models.kernel.certificates import regions
from kt_models.kernel.certificates.frontier import (
    Potentials,
    both_ends,
    count_solutions,
    has_solution,
    least_value,
)
from kt_models.kernel.certificates.frontier.bound import bound as frontier_bound
from kt_models.kernel.sweeps import forms, run
from kt_models.leaper import KNIGHT
from kt_models.limits import Limits
from kt_models.symmetry import Symmetry
from tests import brute

MOST_EDGES = 26
LARGER = (("5x5", "path"), ("4x5", "path"), ("3x7", "path"), ("5x6", "cycle"), ("3x10", "cycle"))
"""Boards whose tours are listed once, by `tests.brute`, which shares no code either."""
BOARDS = (
    "1x1", "1x2", "2x2", "2x3", "3x3", "3x4", "4x4", "2x5", "3x5", "4x4-a1,d4", "4x4-b2", "3x4-b2", "5x3-c2", "aztec:2",
    "torus:2x2", "torus:3x3", "torus:2x4", "torus:4x3", "torus:1x5", "torus:3x3-a1", "cylinder:4x2", "cylinder:3x3",
    "cylinder:2x4", "cylinder:5x2", "cylinder:4x3-a1", "2x2x2", "3x2x2", "2x2x3", "torus:2x2x2",
)  # fmt: skip
LEAPERS = ("1,2", "1,2", "1,2", "0,1", "1,1", "0,2", "2,2", "1,3")
SYMMETRIES = ("rot180", "mirror-x", "mirror-y", "diagonal", "rot90")
SCALES = (1, 1, 1, 1, 1, 1, 2**12, 2**16, 2**29, 2**31, 2**40, 2**62, 2**63)

Solution = tuple[int, ...]


# -- the truth -------------------------------------------------------------------------------------------------------


def values_of(problem: Problem) -> Counter[int]:
    """How many solutions a problem has of each value of its objective (of value 0 without one), by trying all."""
    worth = _worth(problem)
    return Counter(worth(chosen) for chosen in solutions_of(problem))


def solutions_of(problem: Problem) -> Iterator[Solution]:
    """Every set of edges that solves a problem."""
    graph = problem.graph
    if (graph.name, problem.connectivity) in LARGER and graph.leaper == KNIGHT:
        yield from _among_tours(problem)
        return
    ends = [(int(u), int(v)) for u, v in graph.ends]
    images = [_edge_images(graph, symmetry) for symmetry in problem.symmetry]
    free = 2 - len(problem.terminals) if problem.connectivity == "path" else 0
    others = [v for v in range(graph.n) if v not in problem.terminals]
    if problem.connectivity == "path" and graph.n == 1:
        yield ()
        return
    for tips in combinations(others, free):
        degrees = [1 if v in problem.terminals or v in tips else 2 for v in range(graph.n)]
        for chosen in _of_degrees(ends, degrees, problem.required, problem.forbidden):
            if any({image[e] for e in chosen} != set(chosen) for image in images):
                continue
            if _connected_as_asked(problem, ends, chosen):
                yield chosen


@cache
def _tours(board: str, connectivity: str) -> list[tuple[frozenset[int], frozenset[int]]]:
    """The edges and the ends of every tour."""
    graph, closed = graph_of(board), connectivity == "cycle"
    return [
        (brute.edge_set(graph, order, closed), frozenset(() if closed else (order[0], order[-1])))
        for order in brute.tours(board, closed)
    ]


def _among_tours(problem: Problem) -> Iterator[Solution]:
    images = [_edge_images(problem.graph, symmetry) for symmetry in problem.symmetry]
    for edges, ends in _tours(problem.graph.name, problem.connectivity):
        fits = problem.required <= edges and not problem.forbidden & edges and ends >= set(problem.terminals)
        if fits and all({image[e] for e in edges} == edges for image in images):
            yield tuple(sorted(edges))


def _of_degrees(
    ends: list[tuple[int, int]], degrees: list[int], required: frozenset[int], forbidden: frozenset[int]
) -> Iterator[Solution]:
    """Every set of edges with these degrees: at each vertex in turn, every choice of the edges to later vertices."""
    n = len(degrees)
    onward: list[list[int]] = [[] for _ in range(n)]
    for e, (u, v) in enumerate(ends):
        if e not in forbidden:
            onward[min(u, v)].append(e)
    if required & forbidden:
        return

    def at(v: int, missing: list[int], chosen: Solution) -> Iterator[Solution]:
        if v == n:
            if required <= set(chosen):
                yield tuple(sorted(chosen))
            return
        for more in combinations(onward[v], missing[v]):
            left = missing[:]
            for e in more:
                left[ends[e][0]] -= 1
                left[ends[e][1]] -= 1
            if min(left) >= 0:
                yield from at(v + 1, left, chosen + more)

    yield from at(0, degrees, ())


def _connected_as_asked(problem: Problem, ends: list[tuple[int, int]], chosen: Solution) -> bool:
    part = list(range(problem.graph.n))

    def root(v: int) -> int:
        while part[v] != v:
            v = part[v]
        return v

    cycles = 0
    for e in chosen:
        u, v = root(ends[e][0]), root(ends[e][1])
        cycles += u == v
        part[u] = v
    parts = len({root(v) for v in range(problem.graph.n)})
    if problem.connectivity == "any":
        return True
    if problem.connectivity in ("cycle", "path"):
        return parts == 1
    joined = all(root(s) == root(t) for s, t in zip(problem.terminals[::2], problem.terminals[1::2], strict=True))
    return cycles == 0 and (joined or problem.connectivity == "paths")


def _worth(problem: Problem) -> Any:
    """The objective of a set of edges, from coordinates or from the rows of the weights."""
    graph = problem.graph
    if isinstance(problem.objective, Weights):
        objective = problem.objective
        rows = list(zip(objective.first.tolist(), objective.second.tolist(), objective.weight.tolist(), strict=True))
        return lambda chosen: sum(w for e, f, w in rows if e in chosen and f in chosen)
    if problem.objective is None:
        return lambda chosen: 0
    ends = graph.ends.tolist()
    step = [tuple(int(c) for c in graph.moves[k]) for k in graph.edge_move]
    cells = [tuple(map(int, cell)) for cell in graph.board.cells]

    def turns(chosen: Solution) -> int:
        out: dict[int, list[tuple[int, ...]]] = {}
        for e in chosen:
            out.setdefault(ends[e][0], []).append(step[e])
            out.setdefault(ends[e][1], []).append(tuple(-c for c in step[e]))
        return sum(len(two) == 2 and any(a + b for a, b in zip(*two, strict=True)) for two in out.values())

    def crossings(chosen: Solution) -> int:
        segments = [(cells[ends[e][0]], cells[ends[e][1]]) for e in chosen]
        return sum(_cross(*s, *t) for s, t in combinations(segments, 2))

    return turns if problem.objective == "turns" else crossings


def _cross(p: tuple[int, ...], q: tuple[int, ...], r: tuple[int, ...], s: tuple[int, ...]) -> bool:
    """Whether two open segments have a point in common."""

    def side(a: tuple[int, ...], b: tuple[int, ...], c: tuple[int, ...]) -> int:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    if side(p, q, r) == side(p, q, s) == 0:
        axis = 0 if p[0] != q[0] else 1
        return max(min(p[axis], q[axis]), min(r[axis], s[axis])) < min(max(p[axis], q[axis]), max(r[axis], s[axis]))
    return side(p, q, r) * side(p, q, s) < 0 and side(r, s, p) * side(r, s, q) < 0


def _edge_images(graph: MoveGraph, symmetry: Symmetry) -> list[int]:
    """Where a symmetry takes each edge, by coordinates modulo the board's periods."""
    board = graph.board
    axes, signs = symmetry.axes, symmetry.signs

    def vector(v: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(s * v[a] for a, s in zip(axes, signs, strict=True))

    def cell(c: tuple[int, ...]) -> tuple[int, ...]:
        doubled = tuple(2 * x - (side - 1) for x, side in zip(c, board.shape, strict=True))
        return tuple((x + side - 1) // 2 for x, side in zip(vector(doubled), board.shape, strict=True))

    def moved(c: tuple[int, ...], v: tuple[int, ...]) -> tuple[int, ...]:
        return tuple((x + y) % side for x, y, side in zip(c, v, board.shape, strict=True))

    cells = [tuple(map(int, c)) for c in board.cells]
    step = [tuple(int(c) for c in graph.moves[k]) for k in graph.edge_move]
    number = {}
    for e, (u, v) in enumerate(graph.ends.tolist()):
        number[cells[u], step[e]] = number[cells[v], tuple(-c for c in step[e])] = e
    images = [(cell(cells[u]), vector(step[e])) for e, (u, _) in enumerate(graph.ends.tolist())]
    return [number[tail, step] if (tail, step) in number else number[moved(tail, step), tuple(-c for c in step)]
            for tail, step in images]  # fmt: skip


# -- random problems and random data ----------------------------------------------------------------------------------


def random_problem(rng: random.Random, larger: float = 0.0) -> Problem:
    """Any kind of problem that is small enough to try everything; now and then one on a board of `LARGER`."""
    while True:
        graph, connectivity = _random_graph(rng), rng.choice(["cycle", "path", "path", "linkage", "paths", "any"])
        if rng.random() < larger:
            board, connectivity = rng.choice(list(LARGER))
            graph = graph_of(board)
        elif graph.m > MOST_EDGES:
            continue
        most = {"cycle": 0, "path": 2, "any": 2}.get(connectivity, 4)
        count = rng.randint(0, min(most, graph.n))
        if connectivity in ("linkage", "paths"):
            count = max(2, count - count % 2)
        if count > graph.n:
            continue
        rare = 1.0
        if graph.m > MOST_EDGES:
            count, rare = count * rng.choice([0, 0, 0, 1]), 0.2
        some = [frozenset(e for e in range(graph.m) if rng.random() < chance * rare) for chance in _chances(rng)]
        try:
            return Problem(
                graph, connectivity, _random_objective(rng, graph), tuple(rng.sample(range(graph.n), count)), *some,
                symmetry=_random_symmetry(rng, graph),
            )  # fmt: skip
        except KTError:  # A symmetry that does not keep the terminals, or is none of the board
            continue


def _chances(rng: random.Random) -> tuple[float, float]:
    return rng.choice([(0, 0), (0, 0), (0.06, 0.05), (0.1, 0), (0, 0.15)])


def _random_graph(rng: random.Random) -> MoveGraph:
    if rng.random() < 0.35:
        n = rng.randint(1, 7)
        pairs = [pair for pair in combinations(range(n), 2) if rng.random() < rng.choice([0.6, 0.8, 1.0])]
        return MoveGraph.from_edges(n, np.array(pairs, dtype=np.int64).reshape(-1, 2))
    board = Board.parse(rng.choice(BOARDS))
    return MoveGraph.of(board, Leaper.parse(rng.choice(LEAPERS)))


def _random_objective(rng: random.Random, graph: MoveGraph) -> str | Weights:
    board = graph.board
    if board is not None and rng.random() < 0.5:
        return "turns" if board.dimension != 2 or any(board.wraps) or rng.random() < 0.4 else "crossings"
    scale = rng.choice(SCALES)
    low = rng.choice([0, 0, 0, -1])
    rows = []
    for _ in range(rng.randint(0, 3 * graph.m) if graph.m else 0):
        e, f = rng.randrange(graph.m), rng.randrange(graph.m)
        weight = rng.randint(low * 5, 5) * scale + (rng.randint(-1, 1) if scale > 1 and low else 0)
        rows.append((e, f, max(-(2**63), min(2**63 - 1, weight))))
    if rng.random() < 0.7:  # Otherwise some pair may be listed twice
        rows = list({(min(e, f), max(e, f)): (e, f, w) for e, f, w in rows}.values())
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    return Weights(table[:, 0].astype(np.int32), table[:, 1].astype(np.int32), table[:, 2])


def _random_symmetry(rng: random.Random, graph: MoveGraph) -> tuple[Symmetry, ...]:
    if graph.board is None or graph.board.dimension != 2 or rng.random() < 0.7:
        return ()
    symmetry = Symmetry.parse(rng.choice(SYMMETRIES), 2)
    return (symmetry,) if symmetry.fixes(graph.board) else ()


def random_regions(rng: random.Random, problem: Problem) -> dict[str, Any]:
    """Regions that overlap or not, closed or not, of cells in any order; or belts, a little altered."""
    if problem.graph.board is not None and problem.graph.board.dimension == 2 and rng.random() < 0.3:
        return _altered_belts(rng, problem.graph.board)
    cells = list(range(problem.graph.n))
    listed = []
    large = problem.graph.m > MOST_EDGES  # There a random order would need to remember too much
    for _ in range(rng.randint(1, 4)):
        if rng.random() < 0.6 and not large:
            rng.shuffle(cells)
        if large:
            cells = [v for v in range(problem.graph.n) if rng.random() < rng.choice([0.3, 0.9])] or [0]
        size = len(cells) if rng.random() < 0.4 else rng.randint(1, len(cells))
        region: dict[str, Any] = {"cells": cells[:size]}
        if rng.random() < 0.8:
            region["closed"] = rng.random() < 0.4
        listed.append(region)
    return {"regions": listed, "laps": rng.randint(1, 4), "penalty": rng.choice([0, 0, 1, 5, 50])}


def _altered_belts(rng: random.Random, board: Board) -> dict[str, Any]:
    listed = []
    for rows in rng.choice([(1,), (2,), (1, 2)]):
        for belt in belts(board, rows):
            for _ in range(rng.randint(0, 2)):
                i, j = rng.randrange(len(belt)), rng.randrange(len(belt))
                belt[i], belt[j] = belt[j], belt[i]
            turned = rng.randrange(len(belt))
            kept = [v for v in belt[turned:] + belt[:turned] if rng.random() < 0.97]
            listed.append({"cells": kept or belt, "closed": rng.random() < 0.8})
    return {"regions": listed, "laps": rng.randint(1, 3), "penalty": rng.choice([0, 1, 6])}


def some_of(rng: random.Random, problem: Problem) -> list[int]:
    """Some of the vertices, all or none among them."""
    return rng.sample(range(problem.graph.n), rng.randint(0, problem.graph.n))


def random_frontier(rng: random.Random, problem: Problem, least: int | None) -> dict[str, Any]:
    """Data of the method `frontier`, with a claim near the truth, and potentials that mean nothing."""
    data: dict[str, Any] = {}
    if rng.random() < 0.6:
        data["at_least"] = (least or 0) + rng.choice([-1, 0, 1, 2, 3, 10, 2**31, -(2**31), 2**40, -(2**62)])
    if rng.random() < 0.3:
        data["relaxed"] = rng.random() < 0.8
    if rng.random() < 0.4:
        data["inner"] = some_of(rng, problem)
    if rng.random() < 0.5:
        data["order"] = rng.sample(range(problem.graph.n), problem.graph.n)
    if rng.random() < 0.6:
        size = rng.choice([3, 20, 20, 2**27, 2**31, 2**40, 2**62])
        edges = [e for e in range(problem.graph.m) if rng.random() < 0.7]
        data["potentials"] = [[e, rng.randint(-size, size)] for e in edges]
        data["denominator"] = rng.choice([1, 2, 3, 7, 60, 2**20, 2**40])
        board = problem.graph.board
        if board is not None and board.dimension == 2 and rng.random() < 0.4:
            data["symmetry"] = [rng.choice(SYMMETRIES)]
    return data


# -- the attack --------------------------------------------------------------------------------------------------------


class Attack:
    """Problems tried, what was accepted, and the faults that came out.

    Attributes
    ----------
    figures
        How often each thing happened.
    faults
        In words, with what brings each back.
    """

    def __init__(self) -> None:
        self.figures: Counter[str] = Counter()
        self.faults: list[str] = []
        self.larger = 0.0

    def run(self, seed: int, count: int) -> None:
        """Try `count` problems: number k is made from `seed` and k alone."""
        for k in range(count):
            self.trial(f"{seed}:{k}")

    def trial(self, name: str) -> None:
        """One problem, several certificates; mostly by sweeps that drop states, as large boards have it."""
        rng = random.Random(name)
        problem = random_problem(rng, self.larger)
        states, bounds = rng.choice([(1, 40), (3, 1), (3, 40), (20, 3000), (both_ends.FIRST_STATES, 3000)])
        with (
            patch.multiple(both_ends, FIRST_STATES=states, MOST_BOUNDS=bounds),
            patch.multiple(run, CHUNK=rng.choice([300, run.CHUNK]), FEWEST_ROWS=rng.choice([1, run.FEWEST_ROWS])),
            patch.multiple(run, PART_BITS=rng.choice([1, run.PART_BITS]), CHUNKS=rng.choice([1, run.CHUNKS])),
            patch.multiple(forms, MAX_SLOTS=rng.choice([2, forms.MAX_SLOTS])),  # Other forms of the same states
            patch.multiple(forms, MAX_DEGREE_SLOTS=rng.choice([2, forms.MAX_DEGREE_SLOTS])),
            patch.multiple(forms, CODE_WORD_BITS=rng.choice([8, 16, forms.CODE_WORD_BITS])),
        ):
            self._tried(name, problem, rng)

    def _tried(self, name: str, problem: Problem, rng: random.Random) -> None:
        values = values_of(problem)
        least = min(values, default=None)
        self.figures["problems"] += 1
        self.figures["problems with a solution"] += bool(values)
        for _ in range(3):
            self._bound(f"regions {name}", regions.bound, problem, random_regions(rng, problem), least)
        for _ in range(2):
            data = random_frontier(rng, problem, least)
            proved = self._bound(f"frontier {name}", frontier_bound, problem, data, least)
            exact = not problem.symmetry and not data.get("relaxed") and data.get("at_least", 2**63) > (least or 0)
            if proved is not None and least is not None and exact and proved != least:
                self.faults.append(f"frontier {name}: {proved} shown, {least} is the least: {data}")
        if not problem.symmetry:
            self._exact(name, problem, values, rng)

    def _bound(self, name: str, checker: Any, problem: Problem, data: dict[str, Any], least: int | None) -> int | None:
        method = name.split()[0]
        try:
            proved = checker(problem, data, Limits(seconds=600))
        except KTError as error:
            self.figures[f"{method} refused"] += 1
            if "no solution" in str(error) and least is not None:
                self.faults.append(f"{name}: {error}, but there is one: {data}")
            return None
        except Exception as error:
            self.faults.append(f"{name}: internal error {error!r}: {data}")
            return None
        self.figures[f"{method} accepted"] += 1
        self.figures[f"{method} tight"] += proved == least
        if least is not None and proved > least:
            self.faults.append(f"{name}: {proved} shown, {least} is the truth: {data}")
        return int(proved)

    def _exact(self, name: str, problem: Problem, values: Counter[int], rng: random.Random) -> None:
        order = rng.choice([None, rng.sample(range(problem.graph.n), problem.graph.n)])
        least = min(values, default=None)
        cap, inner = (least or 0) + rng.randint(-2, 4), some_of(rng, problem)
        some = Potentials(tuple(rng.randint(-9, 9) for _ in range(problem.graph.m)), rng.randint(1, 5))
        few = {value: number for value, number in values.items() if value <= cap}
        asked = [
            ("count", lambda: count_solutions(problem, order=order).total, sum(values.values())),
            ("any", lambda: has_solution(problem, order=order), bool(values)),
            ("values", lambda: count_solutions(problem, by_value=True, order=order).by_value, dict(values)),
            ("few", lambda: count_solutions(problem, by_value=True, at_most=cap, order=order).by_value, few),
            ("least", lambda: least_value(problem, order=order).value, least),
            (
                "capped",
                lambda: least_value(problem, at_most=cap, potentials=some, inner=inner).value,
                least if few else None,
            ),
        ]
        for name_of_question, question, truth in asked:
            try:
                answer = question()
            except KTError:
                self.figures[f"{name_of_question} refused"] += 1
                continue
            except Exception as error:
                self.faults.append(f"{name_of_question} {name}: internal error {error!r}")
                continue
            self.figures[f"{name_of_question} answered"] += 1
            if answer != truth:
                self.faults.append(f"{name_of_question} {name}: {answer}, the truth is {truth}")


def main(count: int, seed: int) -> int:
    attack, started = Attack(), time.monotonic()
    attack.larger = 0.05
    for k in range(count):
        faults = len(attack.faults)
        attack.trial(f"{seed}:{k}")
        for fault in attack.faults[faults:]:
            print(fault, flush=True)
        if (k + 1) % max(1, count // 20) == 0:
            print(f"{time.monotonic() - started:.0f} s", dict(sorted(attack.figures.items())), flush=True)
    print(f"{len(attack.faults)} faults")
    return bool(attack.faults)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
