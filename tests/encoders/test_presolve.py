"""Problems are reduced exactly: what is decided is right, and what is left is as solvable as the whole."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, count
from random import Random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.peers.graphs import (
    Pairs,
    behind_a_cut,
    chains,
    dot_products,
    expanded_triangles,
    faces_with_triangles,
    flower_snark,
    inflated,
    meredith,
    necklace,
    petersen,
    relabelled,
    tutte,
    with_fragments,
)
from encoders.presolve import applies
from encoders.presolve.decide import decide
from encoders.presolve.edge_cuts import quadruples, rings, triples
from encoders.presolve.reduce import reduce
from encoders.presolve.refute import quick_refutation, refutation, refuting_steps, wide_refutation
from encoders.presolve.split import split
from encoders.presolve.subgraph import Contradiction, Subgraph
from encoders.presolve.sweep import TooWide, sweep
from encoders.solve import solve
from kt_models import MoveGraph, Problem, graph_of
from kt_models.errors import CertificateError
from kt_models.kernel.certificates import Certificate, Statement
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import solution_edges, verify_edges
from kt_models.walks import walks_of
from tests.brute import cycles
from tests.effort import part_of, slow


def nothing() -> None:
    """No limit."""


@st.composite
def sparse_graphs(draw: st.DrawFn) -> MoveGraph:
    """Graphs of up to 11 vertices, often with chains, bridges and small cuts, and often with a Hamiltonian cycle."""
    n = draw(st.integers(3, 11))
    order = draw(st.permutations(range(n)))
    pairs = [(order[i], order[(i + 1) % n]) for i in range(n)]
    if draw(st.booleans()):
        pairs = draw(st.lists(st.sampled_from(pairs), min_size=1, unique=True))
    vertex = st.integers(0, n - 1)
    more = draw(st.lists(st.tuples(vertex, vertex), max_size=n + 4))
    return MoveGraph.from_edges(n, pairs + more)


@settings(max_examples=part_of(200), deadline=None)
@given(sparse_graphs())
def test_what_is_left_of_a_graph_has_a_cycle_if_it_has_one(graph: MoveGraph) -> None:
    """The steps alone: chains, cuts of two and of three edges, and how they are undone."""
    part = Subgraph.of(graph.n, graph.ends.tolist())
    try:
        left, cycle = split(part, nothing)
        answers = [decide(piece.copy(), nothing) for piece in left]
    except Contradiction:
        answers, cycle = [None], set()
    assert (None not in answers) == bool(cycles(graph))
    if None not in answers:
        verify_edges(Problem(graph), np.array(sorted(part.lift(cycle.union(*answers)))))


@settings(max_examples=part_of(200), deadline=None)
@given(sparse_graphs())
def test_a_sweep_decides_as_brute_force_does(graph: MoveGraph) -> None:
    if not nx.is_connected(graph.to_networkx()):
        return
    cycle = sweep(Subgraph.of(graph.n, graph.ends.tolist()), nothing)
    assert (cycle is not None) == bool(cycles(graph))
    if cycle is not None:
        verify_edges(Problem(graph), np.array(sorted(cycle)))


@settings(max_examples=part_of(100), deadline=None)
@given(st.integers(0, 2**32))
def test_cuts_of_cubic_graphs(seed: int) -> None:
    """All cuts of two and three edges, by removing every two and three."""
    rng = np.random.default_rng(seed)
    graph = nx.random_regular_graph(3, 12, seed=int(rng.integers(2**31)))
    if not nx.is_connected(graph):
        return
    plain = MoveGraph.from_edges(12, list(graph.edges))
    part = Subgraph.of(12, plain.ends.tolist())
    ends = plain.ends.tolist()

    def cuts(size: int) -> set[frozenset[int]]:
        found = set()
        for some in combinations(range(plain.m), size):
            rest = plain.to_networkx()
            rest.remove_edges_from([ends[e] for e in some])
            if not nx.is_connected(rest):
                found.add(frozenset(some))
        return found

    if cuts(1):
        with pytest.raises(Contradiction):
            rings(part)
        return
    twos = cuts(2)
    assert {frozenset(pair) for ring in rings(part) for pair in combinations(ring, 2)} == twos
    if not twos:
        around = {frozenset(edges) for edges in part.at.values()}
        assert {frozenset(cut) for cut in triples(part)} == cuts(3) - around


def test_a_wide_graph_is_left_to_others() -> None:
    graph = MoveGraph.from_edges(40, [(u, v) for u in range(40) for v in range(u)])
    with pytest.raises(TooWide):
        sweep(Subgraph.of(40, graph.ends.tolist()), nothing)
    reduced = reduce(Problem(graph), NO_LIMITS)
    assert reduced is not None
    assert not reduced.changed


@pytest.mark.parametrize("pairs", [petersen(17), tutte()], ids=["GP(17,2)", "Tutte"])
def test_absence_of_a_cycle_has_a_certificate(pairs: list[tuple[int, int]]) -> None:
    graph = MoveGraph.from_edges(1 + max(map(max, pairs)), pairs)
    result = solve(Problem(graph))
    assert result.status == "infeasible"
    certificate = result.certificate
    assert certificate is not None
    assert certificate.method == "parts"
    assert Certificate.from_json(certificate.to_json()).check()


@settings(max_examples=part_of(200), deadline=None)
@given(sparse_graphs(), st.integers(0, 2))
def test_whatever_presolve_refutes_has_a_certificate(graph: MoveGraph, conditions: int) -> None:
    required = frozenset(range(min(conditions, graph.m)))
    for problem in (Problem(graph, required=required), Problem(graph, "path", required=required)):
        if reduce(problem, NO_LIMITS) is None:
            assert refutation(problem, NO_LIMITS) is not None
        if problem.closed and not required:
            assert (refuting_steps(problem) is None) == bool(cycles(graph))  # As small as these, all are decided


@pytest.mark.parametrize("seed", [*range(3), *slow(range(3, 6))])
def test_glued_graphs_that_presolve_refutes_have_a_certificate(seed: int) -> None:
    """Random cubic graphs whose vertices become triangles, fragments and the like: cuts within cuts."""
    rng = Random(seed)
    pairs = tutte() if seed % 2 else list(nx.random_regular_graph(3, 40, seed=seed).edges)
    if not seed % 2:
        pairs = necklace(3, behind_a_cut(40) if seed % 4 else pairs)
    problem = Problem(relabelled(inflated(pairs, rng, 0.7), "glued"))
    steps = refuting_steps(problem)
    assert reduce(problem, NO_LIMITS) is not None or steps is not None
    if steps is not None:
        assert Certificate("parts", Statement(problem, "infeasible"), {"steps": steps}).check()


NONE: list[tuple[str, Callable[[], Pairs]]] = [
    ("Meredith", meredith),
    ("2 snarks", lambda: dot_products(2)),
    ("10 snarks", lambda: dot_products(10)),
    ("flower snark", lambda: flower_snark(31)),
    ("Tutte inflated", lambda: inflated(tutte(), Random(1))),
    ("Tutte inflated twice", lambda: inflated(inflated(tutte(), Random(1)), Random(2), 0.5)),
    ("behind a cut", lambda: behind_a_cut(400)),
    ("planted triangles", lambda: faces_with_triangles(60)),
]


@pytest.mark.parametrize(
    ("name", "draw"),
    [
        pytest.param(
            *case, id=case[0], marks=pytest.mark.slow if case[0] in ("10 snarks", "Tutte inflated twice") else ()
        )
        for case in NONE
    ],
)
def test_graphs_without_a_cycle_get_a_certificate(name: str, draw: Callable[[], Pairs]) -> None:
    result = solve(Problem(relabelled(draw(), name)), limits=Limits(workers=1))
    assert result.status == "infeasible"
    assert result.certificate is not None
    assert Certificate.from_json(result.certificate.to_json()).check()


@pytest.mark.parametrize("draw", [tutte, lambda: inflated(tutte(), Random(1)), lambda: behind_a_cut(400)])
def test_parts_behind_three_edges_come_before_any_linear_program(
    draw: Callable[[], Pairs], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("encoders.lp.toughness.too_many_pieces")
    result = solve(Problem(relabelled(draw(), "a graph without a cycle")), limits=Limits(workers=1))
    assert result.certificate is not None and result.certificate.method == "parts"


def test_a_quick_attempt_takes_no_large_remainder() -> None:
    assert quick_refutation(Problem(relabelled(petersen(53), "a graph of 106 vertices")), NO_LIMITS) is None
    assert quick_refutation(Problem(relabelled(dot_products(10), "parts behind four edges")), NO_LIMITS) is not None
    assert quick_refutation(Problem(relabelled(petersen(17), "a graph of 34 vertices")), NO_LIMITS) is not None
    assert quick_refutation(Problem(relabelled(petersen(20), "a graph with a cycle")), NO_LIMITS) is None
    assert quick_refutation(Problem(relabelled(tutte(), "Tutte")), Limits(0)) is None


def test_a_certificate_does_not_depend_on_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock takes longer than the one before, as on the busiest of machines."""
    looks = count(1)
    monkeypatch.setattr("time.monotonic", lambda: 1.02 ** next(looks))
    result = solve(Problem(relabelled(petersen(17), "a graph without a cycle")), engine="sat")
    assert result.status == "infeasible"
    assert result.certificate is not None


def test_states_limit_the_sweep_of_a_wide_graph() -> None:
    problem = Problem(relabelled(flower_snark(5), "a snark"))
    found = [wide_refutation(problem, NO_LIMITS, work) for work in (10, 100, 1 << 30)]
    assert found[:2] == [None, None]
    assert found[2] is not None
    assert found[2].check()


def test_graphs_with_a_tour_are_not_refuted() -> None:
    graph = MoveGraph.from_edges(40, petersen(20))
    with pytest.raises(CertificateError, match="there is a solution"):
        Certificate("sweep", Statement(Problem(graph), "infeasible"), {}).check()
    assert refutation(Problem(graph), NO_LIMITS) is None
    for pairs in (petersen(21), chains(40, 3), necklace(4, petersen(9)), with_fragments(6), expanded_triangles(40)):
        assert refuting_steps(Problem(relabelled(pairs, "a graph with a cycle"))) is None


@pytest.mark.parametrize("seed", range(3))
def test_cuts_of_four_edges(seed: int) -> None:
    """The four edges that join two halves are found, and whatever is found is a cut."""
    first, second = (list(nx.random_regular_graph(3, n, seed=seed).edges) for n in (14, 16))
    (a, b), (c, d) = first[0], next(pair for pair in first if not {*pair} & {*first[0]})
    (p, q), (r, s) = second[0], next(pair for pair in second if not {*pair} & {*second[0]})
    joints = [(a, p + 14), (b, q + 14), (c, r + 14), (d, s + 14)]
    kept = [pair for pair in first if pair not in ((a, b), (c, d))]
    kept += [(u + 14, v + 14) for u, v in second if (u, v) not in ((p, q), (r, s))]
    graph = MoveGraph.from_edges(30, kept + joints)
    part, ends = Subgraph.of(30, graph.ends.tolist()), graph.ends.tolist()
    cuts = [{tuple(ends[edge]) for edge in cut} for cut in quadruples(part)]
    assert set(joints) in cuts
    for cut in cuts:
        rest = graph.to_networkx()
        rest.remove_edges_from(cut)
        assert not nx.is_connected(rest)


def test_wide_parts_come_back_as_problems() -> None:
    """Two wide graphs joined by two edges, each with an edge taken out."""
    rng = np.random.default_rng(5)
    pairs = []
    for first in (0, 60):
        order = first + rng.permutation(60)
        rim = [(int(order[i]), int(order[(i + 1) % 60])) for i in range(60)]
        pairs += rim[1:] + [(int(u), int(v)) for u, v in first + rng.integers(60, size=(200, 2)) if u != v]
        pairs.append((int(order[0]), int(order[1]) + (60 if first == 0 else -60)))
    graph = MoveGraph.from_edges(120, pairs)
    problem = Problem(graph)
    reduced = reduce(problem, NO_LIMITS)
    assert reduced is not None
    assert len(reduced.parts) == 2
    answers = []
    for part in reduced.problems():
        result = solve(part, engine="sat")
        assert result.edges is not None
        answers.append(result.edges)
    solution_edges(problem, reduced.lift(answers))
    assert solve(problem).status == "feasible"


@pytest.mark.parametrize("board", ["6x6", "aztec:3", "torus:4x4"])
def test_boards_are_served_too(board: str) -> None:
    problem = Problem(graph_of(board))
    assert applies(problem)
    reduced = reduce(problem, NO_LIMITS)
    assert reduced is not None
    if not reduced.parts:
        solution_edges(problem, reduced.lift([]))
    assert len(walks_of(problem.graph.n, problem.graph.ends[solve(problem).edges])) == 1


def test_a_large_board_is_left_alone_before_its_edges_are_listed() -> None:
    """Listing 100 million edges takes ten seconds in which nobody looks at the time limit."""
    graph = graph_of("5000x5000")
    assert not applies(Problem(graph))
    assert not {"_ends", "edge_at"} & vars(graph).keys()
