"""The graphs that are measured on are what is said of them, and so are the timings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import networkx as nx
import pytest

from benchmarks import families
from benchmarks.overhead import write
from benchmarks.peers.contestants import BASE, by_sat, contestants
from benchmarks.peers.graphs import (
    FRAGMENT,
    SMALL,
    Pairs,
    chains,
    dense,
    expanded_triangles,
    flower_snark,
    instances,
    necklace,
    not_tough,
    petersen,
    planted,
    published,
    relabelled,
    sheehan,
    snark_and_edge,
    tutte,
    with_fragments,
    without_edge,
)
from benchmarks.peers.measure import GraphTimings, Timing, time_all
from benchmarks.peers.table import rows_to_json, table
from encoders.solve import solve
from kt_models import MoveGraph, Problem
from kt_models.limits import Limits
from tests.brute import cycles, paths


@pytest.mark.parametrize(
    ("pairs", "count"),
    [
        (petersen(5), 0),
        (petersen(9), 3),
        (without_edge(petersen(9)), 1),
        (flower_snark(5), 0),
        (expanded_triangles(8), 3),
        (expanded_triangles(16), 3),
        (without_edge(expanded_triangles(14)), 1),
        (sheehan(9), 1),
        (sheehan(12), 1),
    ],
)
def test_families_have_the_published_number_of_cycles(pairs: Pairs, count: int) -> None:
    assert len(cycles(relabelled(pairs, "graph"))) == count


@pytest.mark.parametrize(
    ("draw", "hamiltonian"),
    [
        pytest.param(lambda: petersen(17), False, marks=pytest.mark.slow),
        (lambda: petersen(20), True),
        (lambda: flower_snark(7), False),
        (lambda: snark_and_edge(5), True),
        pytest.param(lambda: snark_and_edge(7), True, marks=pytest.mark.slow),
        (lambda: snark_and_edge(25), True),
        (lambda: planted(20), True),
        (lambda: chains(20, 3), True),
        (lambda: necklace(3, petersen(9)), True),
        pytest.param(lambda: necklace(3, petersen(5)), False, marks=pytest.mark.slow),
        (lambda: with_fragments(6), True),
        (tutte, False),
        (lambda: not_tough("glued", 40), False),
        (lambda: not_tough("planted", 40), False),
        (lambda: not_tough("small parts", 40), False),
        (lambda: dense(12, 1.0), True),
        (lambda: dense(30, 0.5), True),
    ],
)
def test_small_members_of_each_family(draw: Callable[[], Pairs], hamiltonian: bool) -> None:
    graph = relabelled(draw(), "graph")
    result = solve(Problem(graph), limits=Limits(workers=1))
    assert result.status == ("feasible" if hamiltonian else "infeasible")
    assert (by_sat("cut-set")(graph) is not None) == hamiltonian


def test_tutte_fragment_is_passed_by_its_first_corner() -> None:
    ways = {frozenset((order[0], order[-1])) for order in paths(MoveGraph.from_edges(15, list(FRAGMENT)))}
    assert {0, 1} in ways
    assert {0, 2} in ways
    assert {1, 2} not in ways


def test_graphs_are_those_that_their_names_say() -> None:
    assert nx.is_isomorphic(nx.Graph(tutte()), nx.tutte_graph())
    assert nx.is_isomorphic(nx.Graph(petersen(5)), nx.petersen_graph())
    assert len(sheehan(909)) == 206_571
    assert set(SMALL) <= {instance.name for instance in instances()}
    for pairs in (planted(30), expanded_triangles(30), with_fragments(6), necklace(3, petersen(9)), flower_snark(5)):
        assert {degree for _, degree in nx.Graph(pairs).degree} == {3}


def test_a_graph_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "GP_9.hcp"
    write(relabelled(petersen(9), "graph"), path)
    (row,) = time_all([published(str(path))], [contestants()["plain Glucose"]], 60, Limits())
    assert (row.instance.name, row.instance.family, row.vertices) == ("GP_9", "GP", 18)
    assert row.timings["plain Glucose"].status == "found"


@pytest.mark.slow
def test_each_solver_is_timed_on_each_graph() -> None:
    graphs = [instance for instance in instances() if instance.name in ("8×8", "GP(17,2), none")]
    solvers = [contestants()[name] for name in (BASE, "heuristics", "HiGHS")]
    rows = list(time_all(graphs, solvers, 60, Limits()))
    assert [sorted(row.timings) for row in rows] == [
        ["HiGHS", "heuristics", "kt solve"],
        ["HiGHS", "kt solve"],
    ]
    assert {timing.status for timing in rows[0].timings.values()} == {"found"}
    assert {timing.status for timing in rows[1].timings.values()} == {"none"}


def test_a_comparison_that_is_stopped_gives_back_what_is_done() -> None:
    assert list(time_all(instances()[:1], [contestants()[BASE]], 60, Limits(seconds=0))) == []


def test_a_table_has_a_time_or_a_word_for_each_solver() -> None:
    graph = instances()[0]
    timings = {BASE: Timing("found", 0.5), "clingo": Timing("found", 1.0), "CP-SAT": Timing("limit")}
    rows = [GraphTimings(graph, 64, 168, timings)]
    lines = table(rows, [BASE, "clingo", "CP-SAT", "LKH"], 5)
    assert lines[2] == "| 8×8 | 64 | 168 | 0.5 | 1.0 (2.0) | limit (>10) | – |"
    assert rows_to_json(rows, 5)["rows"][0]["timings"]["clingo"] == {"status": "found", "seconds": 1.0, "ratio": 2.0}


def test_files_are_counted_by_family() -> None:
    rows = [
        {"file": "COL_10", "vertices": 10, "status": "feasible", "seconds": 0.5},
        {"file": "COL_20", "vertices": 20, "status": "unknown", "seconds": 9.0},
        {"file": "COL_30", "vertices": 30, "status": "feasible", "seconds": 1.0},
        {"file": "graph7", "vertices": 1_234, "status": "unknown", "seconds": None},
    ]
    assert families.table(rows)[2:] == [
        "| COL | 10 to 30 | 2 of 3 | 0.75 | 1.00 |",
        "| graph | 1,234 to 1,234 | 0 of 1 |  |  |",
    ]
