"""Straight and turning cells and forbidden triples, against brute force of its own; what does not know them refuses."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import gcd
from pathlib import Path
from typing import Any

import pytest

import kt
from encoders.enumeration import enumerate_tours
from encoders.pb.linear import DEGREES, linear_model
from encoders.sat.encodings import encode, encodings
from encoders.solve import solve
from kt_models import KTError, Problem
from kt_models.conditions import (
    CONDITIONS,
    BlackPearls,
    Condition,
    Cycles,
    EdgeSum,
    EdgeSums,
    InOrder,
    Straight,
    Triples,
    Turning,
    WhitePearls,
)
from kt_models.kernel.certificates import Statement
from kt_models.metrics import METRICS
from kt_models.runs.tour_task import TourTask
from tests.command import answered, kt_json, one_line_refusal
from tests.command import kt as run
from tests.effort import part_of

ENGINES = [("cpsat", "circuit"), ("cpsat", "cut-set"), ("sat", "cut-set"), *(("sat", name) for name in encodings())]
Point = tuple[Fraction, ...]
Walk = tuple[int, ...]


# -- brute force -------------------------------------------------------------------------------------------------------


def walks(near: dict[int, set[int]], closed: bool, directed: bool) -> list[Walk]:
    """All tours once each, as orders of vertices."""
    found, stack = [], [(v,) for v in near]
    while stack:
        walk = stack.pop()
        if len(walk) < len(near):
            stack += [(*walk, w) for w in near[walk[-1]] if w not in walk]
        elif not closed or (len(walk) > 2 and walk[0] in near[walk[-1]]):
            if closed and walk[0] != min(walk):
                continue
            back = (walk[0], *walk[:0:-1]) if closed else walk[::-1]
            if directed or walk <= back:
                found.append(walk)
    return found


def places_of(problem: Problem) -> list[Point]:
    graph = problem.graph
    if graph.board is not None:
        return [tuple(map(Fraction, cell)) for cell in graph.board.cells.tolist()]
    assert graph.positions is not None
    return [tuple(map(Fraction, point)) for point in graph.positions.floats.tolist()]


def goes_straight(walk: Walk, vertex: int, points: list[Point], closed: bool) -> bool | None:
    """Whether a walk goes straight on at a vertex; None if it ends there."""
    k = walk.index(vertex)
    if not closed and k in (0, len(walk) - 1):
        return None
    before, after = walk[k - 1], walk[(k + 1) % len(walk)]
    into = [b - a for a, b in zip(points[before], points[vertex], strict=True)]
    out = [b - a for a, b in zip(points[vertex], points[after], strict=True)]
    same = all(into[i] * out[j] == into[j] * out[i] for i in range(len(into)) for j in range(len(into)))
    return same and sum(a * b for a, b in zip(into, out, strict=True)) > 0


def moves_of(walk: Walk, closed: bool, directed: bool) -> set[Any]:
    steps = list(pairwise(walk)) + ([(walk[-1], walk[0])] if closed else [])
    return set(steps) if directed else {frozenset(step) for step in steps}


def celtic_triangles(moves: list[tuple[int, int]]) -> set[frozenset[Any]]:
    """Three pairwise crossing segments with the least triangle, as sets of pairs of cells, near the origin."""
    around = range(-4, 5)
    segments = [((x, y), (x + a, y + b)) for x in around for y in around for a, b in moves]

    def meeting(s: Any, t: Any) -> Any:
        (px, py), (qx, qy) = s
        (rx, ry), (ux, uy) = t
        det = (qx - px) * (uy - ry) - (qy - py) * (ux - rx)
        if det == 0:
            return None
        a = Fraction((rx - px) * (uy - ry) - (ry - py) * (ux - rx), det)
        b = Fraction((rx - px) * (qy - py) - (ry - py) * (qx - px), det)
        return (px + a * (qx - px), py + a * (qy - py)) if 0 < a < 1 and 0 < b < 1 else None

    found: dict[frozenset[Any], Fraction] = {}
    for first in [s for s in segments if s[0] == (0, 0)]:
        crossed = [s for s in segments if meeting(first, s)]
        for s, t in combinations(crossed, 2):
            corners = [meeting(first, s), meeting(first, t), meeting(s, t)]
            if None in corners:
                continue
            (x, y), (u, v), (p, q) = corners
            if area := abs((u - x) * (q - y) - (v - y) * (p - x)):
                found[frozenset([first, s, t])] = area
    least = min(found.values())
    return {triple for triple, area in found.items() if area == least}


# -- cases -------------------------------------------------------------------------------------------------------------

BOARDS = [("3x3", "wazir"), ("2x4", "wazir"), ("3x2", "king"), ("3x4", "1,2"), ("3x3-b2", "1,2"), ("2x3", "rook")]
POINTS = {0: (0, 0), 1: (1, 0), 2: (2, 0), 3: (0.5, 0.5), 4: (1, 1), 5: (3, 0)}


def problems(closed: bool, source: random.Random) -> Iterator[Problem]:
    """Boards, graphs with positions and directed ones, with free and given ends."""
    for board, leaper in BOARDS:
        plain = kt.problem(board, leaper=leaper, open=not closed)
        yield plain
        if not closed:
            ends = source.sample(range(plain.graph.n), source.randint(1, 2))
            yield replace(plain, terminals=tuple(ends))
    for directed in (False, True):
        pairs = [(u, v) for u, v in product(POINTS, POINTS) if u != v and (directed or u < v)]
        edges = [pair for pair in pairs if source.random() < (0.5 if directed else 0.7)]
        if {v for pair in edges for v in pair} == set(POINTS):
            yield kt.problem(edges=edges, pos=POINTS, directed=directed, open=not closed)


def near_of(problem: Problem) -> dict[int, set[int]]:
    graph, directed = problem.graph, problem.graph.directed
    near: dict[int, set[int]] = {v: set() for v in range(graph.vertex_count)}
    for u, v in (directed.arcs if directed is not None else graph.ends).tolist():
        near[u].add(v)
        if directed is None:
            near[v].add(u)
    return near


def some_condition(problem: Problem, source: random.Random) -> tuple[Condition, Callable[[Walk], bool]]:
    """A random condition, and whether a walk keeps it."""
    graph, points, closed = problem.graph, places_of(problem), problem.closed
    directed = graph.directed
    if source.random() < 0.7:
        cells = source.sample(range(len(points)), source.randint(1, 3))
        kind, way = source.choice([(Straight, True), (Turning, False)])
        return kind(tuple(cells)), lambda walk: all(goes_straight(walk, v, points, closed) is way for v in cells)
    edges = range(graph.m) if directed is None else range(graph.m - directed.m, graph.m)
    triples = [tuple(source.sample(edges, 3)) for _ in range(source.randint(1, 30))]
    named: list[Any] = [frozenset(pair) for pair in graph.ends.tolist()]
    if directed is not None:
        named = [None] * (graph.m - directed.m) + [tuple(arc) for arc in directed.arcs.tolist()]

    def keeps(walk: Walk) -> bool:
        made = moves_of(walk, closed, directed is not None)
        return not any(all(named[e] in made for e in triple) for triple in triples)

    return Triples(tuple(triples)), keeps


@pytest.mark.parametrize("closed", [True, False])
def test_counts_of_every_engine_agree_with_brute_force(closed: bool) -> None:
    source = random.Random(f"conditions {closed}")
    for _ in range(part_of(6)):
        for plain in problems(closed, source):
            walks_ = walks(near_of(plain), closed, plain.graph.directed is not None)
            if plain.graph.directed is None:
                ends = set(plain.terminals)
                walks_ = [walk for walk in walks_ if ends <= {walk[0], walk[-1]}]
            made = dict(some_condition(plain, source) for _ in range(source.randint(1, 2)))
            conditions = {type(condition): (condition, keeps) for condition, keeps in made.items()}
            problem = replace(plain, conditions=tuple(condition for condition, _ in conditions.values()))
            expected = sum(all(keeps(walk) for _, keeps in conditions.values()) for walk in walks_)
            for engine in ("sat", "search"):
                assert len(list(enumerate_tours(TourTask(problem), engine=engine))) == expected, (problem.to_json(),)
            assert kt.count(problem) == expected
            engine, encoding = source.choice(ENGINES)
            assert (solve(problem, engine=engine, encoding=encoding).tour is not None) == (expected > 0)
            assert Problem.from_json(problem.to_json()) == problem


def test_straight_is_what_turns_do_not_count() -> None:
    """On boards, tori and graphs with positions, for the pairs of edges at every vertex."""
    from kt_models.quantities import quantity_weights

    for problem in [kt.problem("4x4", leaper="queen"), kt.problem("torus:4x3", minimize="turns"),
                    kt.problem(edges=list(combinations(POINTS, 2)), pos=POINTS)]:  # fmt: skip
        graph = problem.graph
        weights = quantity_weights(graph, "turns") if graph.board else METRICS["turns"].weights(graph, None)
        turning = {(e, f) for e, f, _ in weights.canonical()}
        bound = Straight(tuple(range(graph.n))).on(graph)
        excluded = {tuple(sorted(edges)) for edges, end in bound.exclusions(graph) if end is None}
        assert excluded == turning


def test_celtic_triangles_are_the_smallest() -> None:
    for leaper in ("1,2", "1,3", "1,2+0,1"):
        problem = kt.problem("5x5", leaper=leaper, forbid_triples="celtic")
        graph = problem.graph
        moves = [(int(a), int(b)) for a, b in graph.moves.tolist()] if graph.moves is not None else []
        expected = set()
        for triple in celtic_triangles(moves):
            for dx, dy in product(range(-5, 10), repeat=2):
                placed = [[(x + dx, y + dy) for x, y in segment] for segment in triple]
                if all(0 <= c < 5 for segment in placed for cell in segment for c in cell):
                    expected.add(frozenset(frozenset(segment) for segment in placed))
        cells = [tuple(cell) for cell in graph.board.cells.tolist()] if graph.board is not None else []
        (condition,) = problem.conditions
        assert isinstance(condition, Triples)
        named = {frozenset(frozenset(cells[v] for v in graph.ends[e].tolist()) for e in row) for row in condition.table}
        assert named == expected and all(gcd(*move) == 1 for move in moves)
    board = kt.problem("8x8", forbid_triples="celtic")
    example = sorted(board.graph.find_edge(move) for move in ("b8-c6", "b6-d7", "b5-c7"))
    assert example in board.conditions[0].table.tolist()  # type: ignore[attr-defined]


def test_a_function_of_three_moves_and_a_list_of_triples() -> None:
    def corner(*moves: Any) -> bool:
        """Three sides of a square: two of the moves are opposite and joined by the third."""
        cells = {cell for move in moves for cell in move}
        return len(cells) == 4 and {abs(x - u) + abs(y - v) for x, y in cells for u, v in cells} == {0, 1, 2}

    free = kt.problem("4x4", leaper="wazir")
    asked = kt.problem("4x4", leaper="wazir", forbid_triples=corner)
    assert kt.count(free) == 6 and kt.count(asked) == 0
    listed = kt.problem("4x4", leaper="wazir", forbid_triples=[("b1-a1", "a1-a2", "a2-b2")])
    assert 0 < kt.count(listed) < 6
    assert kt.problem("4x4", leaper="wazir", forbid_triples=[("b2-a2", "a1-b1", "a1-a2")]) == listed
    directed = kt.problem(edges=[(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)], directed=True,
                          forbid_triples=lambda a, b, c: {a, b, c} == {(0, 1), (1, 2), (2, 0)})  # fmt: skip
    assert [list(tour) for tour in kt.tours(directed)] == [[0, 2, 1]]


# -- models for other solvers, proofs ----------------------------------------------------------------------------------

INFEASIBLE = [
    {"straight": ["a1"]},
    {"straight": ["b1", "b2", "b3", "b4", "c2"]},
    {"forbid_triples": [("a1-a2", "a1-b1", move) for move in ("a2-a3", "a2-b2")]},
    {"straight": ["b2"], "turn": ["b2"]},
]


@pytest.mark.parametrize("conditions", INFEASIBLE)
def test_proofs_that_nothing_keeps_a_condition_are_checked(conditions: dict[str, Any], tmp_path: Path) -> None:
    for engine in ("clauses", "cutting-planes"):
        folder = tmp_path / engine
        problem = kt.problem("4x4", leaper="wazir", **conditions)
        assert kt.count(problem) == 0
        words = [f"--{name}" if name == "straight" else f"--{name.replace('_', '-')}" for name in conditions]
        values = [value if isinstance(value[0], str) else None for value in conditions.values()]
        options: list[Any] = []
        for word, value, texts in zip(words, values, conditions.values(), strict=True):
            options += [word, ",".join(value)] if value else [x for t in texts for x in (word, ",".join(t))]
        form = ["--solver", "cadical153"] if engine == "clauses" else []
        answer = answered("solve", "4x4", "--leaper", "wazir", *options, "--proof", folder, *form)
        assert answer[0] == 0, answer
        checked = run("check", folder)
        assert "going straight" in checked.stdout or "turning" in checked.stdout or "all three" in checked.stdout


def test_models_for_other_solvers_have_the_same_solutions() -> None:
    from pysat.solvers import Solver

    problem = kt.problem("4x4", leaper="king", open=True, straight=["b2"], turn=["c3"], start="a1",
                         forbid_triples=[("a1-b2", "b2-c3", "c3-d2")], require=["a1-b2", "c3-d3"])  # fmt: skip
    expected = kt.count(problem)
    assert expected > 0
    for name in encodings():
        formula = encode(problem, name)
        with Solver("cadical153", bootstrap_with=formula.clauses) as solver:
            found = set()
            while solver.solve():
                chosen = formula.edges_of(solver.get_model())
                found.add(tuple(chosen.tolist()))
                solver.add_clause([-formula.edge[e] for e in chosen.tolist()])
        assert len(found) == expected, name
    for name in ("", DEGREES, "flow"):
        plain = len(linear_model(problem.unconstrained, name).rows)
        assert len(linear_model(problem, name).rows) == plain + sum(
            len(list(c.exclusions(problem.graph)))
            for c in problem.conditions  # type: ignore[attr-defined]
        )


# -- what does not know a condition refuses it -------------------------------------------------------------------------

MADE: dict[str, tuple[Condition, list[str]]] = {
    "cycle_count": (Cycles(2), ["--cycles", "2"]),
    "in_order": (InOrder((0, 7, 14, 21)), ["--in-order", "a1,b2,c3,d4"]),
    "straight": (Straight((7,)), ["--straight", "b2"]),
    "turn": (Turning((0,)), ["--turn", "a1"]),
    "white_pearls": (WhitePearls((7,)), ["--white-pearls", "b2"]),
    "black_pearls": (BlackPearls((0,)), ["--black-pearls", "a1"]),
    "forbid_triples": (Triples(rules=("celtic",)), ["--forbid-triples", "celtic"]),
    "sum_of_edges": (EdgeSums((EdgeSum((0, 3), 1, 1),)), ["--sum-of-edges", "a1-b3,b1-a3=1"]),
}
REFUSING = ["find 6x6", "bound 6x6 --minimize turns", "improve t.json --minimize turns", "magic 6x6", "best 6x6"]


def test_every_kind_of_condition_is_in_these_tests() -> None:
    assert set(MADE) == set(CONDITIONS)


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("words", REFUSING)
def test_commands_that_do_not_serve_a_condition_say_so(
    words: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("find", "6x6", "-o", "t.json")
    message = (
        "cycles" if name == "cycle_count" and "bound" not in words and "best" not in words else CONDITIONS[name].title
    )
    one_line_refusal(run(*words.split(), *MADE[name][1]), message)


def plain_of(name: str) -> Problem:
    """A problem that may have the condition."""
    plain = kt.problem("6x6")
    return plain if plain.connectivity in CONDITIONS[name].connectivities else replace(plain, connectivity="any")


@pytest.mark.parametrize("name", MADE)
def test_sweeps_refuse_conditions(name: str) -> None:
    from encoders.counting.count import count_by_halves
    from encoders.counting.several_sums import count_jointly
    from encoders.enumeration import is_swept, sweep
    from heuristics.find import find
    from kt_models.kernel.certificates.frontier import count_solutions

    problem = replace(plain_of(name), conditions=(MADE[name][0],))
    for refused in (
        lambda: count_by_halves(problem),
        lambda: count_solutions(problem),
        lambda: count_jointly(problem, ["turns"]),
        lambda: find(problem),
    ):
        with pytest.raises(KTError, match=CONDITIONS[name].title):
            refused()
    # Tours through stops in order are counted as linkages, which a sweep knows.
    assert (sweep(TourTask(problem, counting=True)) is None) == (name != "in_order")
    assert sweep(TourTask(replace(problem, **limited()), counting=True)) is None
    assert not is_swept(TourTask(problem, counting=True))
    assert problem.is_constrained and not problem.unconstrained.conditions


def limited() -> dict[str, Any]:
    from kt_models.constraints import Constraint

    return {"constraints": (Constraint("turns", 30),)}


@pytest.mark.parametrize("name", MADE)
def test_conditions_are_part_of_the_problem(name: str) -> None:
    plain = plain_of(name)
    problem = replace(plain, conditions=(MADE[name][0],))
    assert problem != plain and name in problem.to_json()
    assert Problem.from_json(problem.to_json()) == problem
    text = Statement(problem, "infeasible").text
    assert text != Statement(plain, "infeasible").text
    with pytest.raises(KTError, match=r"no engine serves both|cannot have them"):
        replace(kt.problem("6x6", numbers={"a1": 1}), conditions=problem.conditions)
    with pytest.raises(KTError, match="two of the kind"):
        replace(plain, conditions=(MADE[name][0], MADE[name][0]))


def test_positions_are_part_of_a_condition_on_directions() -> None:
    edges = list(combinations(range(4), 2))
    spread = {0: (0, 0), 1: (1, 0), 2: (2, 0), 3: (1, 1)}
    other = {0: (0, 0), 1: (1, 0), 2: (1, 1), 3: (2, 0)}
    first, second = (kt.problem(edges=edges, pos=pos, straight=[1]) for pos in (spread, other))
    assert first != second and kt.problem(edges=edges, pos=spread) == kt.problem(edges=edges, pos=other)
    assert replace(first, graph=second.graph) == second


# -- the command line --------------------------------------------------------------------------------------------------


def test_the_command_line_solves_lists_and_checks() -> None:
    words = ["4x4", "--leaper", "wazir", "--straight", "a2,b4"]
    answer = kt_json("solve", *words)
    assert answer["straight"] == [1, 7]
    assert kt_json("enumerate", *words, "--count")["count"] == kt.count("4x4", leaper="wazir", straight=["a2", "b4"])
    tour = " ".join(f"{chr(97 + x)}{y + 1}" for x, y in answer["tour"])
    assert run("check", tour, "--board", "4x4", "--leaper", "wazir", "--straight", "a2,b4").exit_code == 0
    wrong = run("check", tour, "--board", "4x4", "--leaper", "wazir", "--turn", "a2")
    assert wrong.exit_code == 1 and "goes straight on at a2, not turns" in wrong.stdout
    assert kt.check(tour, "4x4", leaper="wazir", straight=["a2"], turn=["a1"]).shown
    cube = kt_json("solve", "3x3x2", "--leaper", "wazir", "--straight", "(1,0,0),(0,1,1)")
    assert len(cube["straight"]) == 2
    rows = answered("solve", "6x6", "--turn", "a1", "--forbid-triples", "celtic")[1]
    assert "turning" in rows and "forbidden  celtic" in rows


WRONG = [
    ("6x6 --straight z9", "z9"),
    ("6x6 --straight ,", "--straight ','"),
    ("6x6 --turn a1 --number a1=1", "no engine serves both"),
    ("6x6 --forbid-triples celtik", "did you mean 'celtic'"),
    ("5x5 --leaper wazir --forbid-triples celtic", "no three moves"),
    ("4x4x4 --forbid-triples celtic", "not a board in the plane"),
    ("6x6 --forbid-triples a1-b3,b3-c5", "three different moves"),
    ("6x6 --forbid-triples a1-b3,a1-b3,b3-c5", "three different moves"),
]


@pytest.mark.parametrize(("words", "says"), WRONG)
def test_senseless_conditions_are_refused(words: str, says: str) -> None:
    one_line_refusal(run("solve", *words.split()), says)


def test_a_graph_without_positions_has_no_straight_vertices() -> None:
    for directed in (False, True):
        with pytest.raises(KTError, match="no positions"):
            kt.problem(edges=[(0, 1), (1, 2), (2, 0)], directed=directed, straight=[1])


def test_a_list_of_graphs_has_no_straight_vertices(tmp_path: Path) -> None:
    (tmp_path / "two.g6").write_text("C~\nC~\n")
    one_line_refusal(run("solve", tmp_path / "two.g6", "--straight", "0"), "--straight")
