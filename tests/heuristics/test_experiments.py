"""Types of tours, random tours and random graphs, the statistics of the experiments, and `kt experiment`."""

from __future__ import annotations

import json
import math
import os
import signal
import threading
from collections import Counter
from contextlib import closing
from functools import partial
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kt as toolkit
from encoders.work.pool import LocalPool
from heuristics.papers.aztec.conversion_rates import tally
from heuristics.papers.aztec.graphs import GraphFamily, binomial_edges, pairing_of
from heuristics.papers.aztec.measurement import Measurement
from heuristics.papers.aztec.path_conversion import cut_path, join_cycles, links_of_pieces
from heuristics.papers.aztec.plot import plot
from heuristics.papers.aztec.random_graphs import run
from heuristics.papers.aztec.tables import TABLES, table_named
from heuristics.papers.aztec.variants import VARIANTS
from heuristics.papers.cube.random_greedy import random_greedy
from heuristics.papers.cube.tour_census import PAPER, census, misread
from heuristics.papers.cube.tour_types import least_sequence, location_codes
from heuristics.papers.euler.closing import Closings, close_open_tours
from heuristics.papers.statistics import cluster_rate, wilson
from heuristics.searches.warnsdorff import Walker
from kt_models import Board, KTError, MoveGraph, Problem, Tour, graph_of, verify
from kt_models.json_version import FORMAT_VERSION
from kt_models.limits import NO_LIMITS, Limits, Report
from tests import brute, command
from tests.command import one_line_refusal
from tests.processes import PATIENCE, at_work
from tests.strategies import boards, tours


def tour_type(tour: Tour) -> bytes:
    """The canonical sequence of location codes of a tour, one byte to a cell."""
    board, _ = tour.graph.geometry
    return least_sequence(location_codes(board)[tour.order], rotate=tour.closed)


SLOW = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
SMALL = TABLES["degree"].row("6", 40)


kt = partial(command.kt, "experiment")


# -- location codes and types ------------------------------------------------------------------------------------------


@SLOW
@given(boards())
def test_codes_count_the_faces_that_look_outside(board: Board) -> None:
    inside = {tuple(cell) for cell in board.cells.tolist()}
    for cell, code in zip(board.cells.tolist(), location_codes(board).tolist(), strict=True):
        faces = 0
        for axis in range(board.dimension):
            for sign in (1, -1):
                there = list(cell)
                there[axis] += sign
                if board.wraps[axis]:
                    there[axis] %= board.shape[axis]
                faces += tuple(there) not in inside
        assert code == faces


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.integers(0, 11), st.booleans(), st.booleans())
def test_least_sequence_is_the_least_and_invariant(codes: list[int], by: int, flip: bool, rotate: bool) -> None:
    array = np.array(codes, dtype=np.uint8)
    ways = [codes, codes[::-1]]
    if rotate:
        ways = [way[i:] + way[:i] for way in ways for i in range(len(codes))]
    assert list(least_sequence(array, rotate=rotate)) == min(ways)
    other = np.roll(array, by) if rotate else array
    assert least_sequence(other[::-1] if flip else other, rotate=rotate) == least_sequence(array, rotate=rotate)


@settings(SLOW, max_examples=15)
@given(tours(), st.data())
def test_canonical_form_and_type_are_invariant(tour: Tour, data: st.DataObject) -> None:
    symmetry = data.draw(st.sampled_from(tour.graph.symmetries()))
    image = tour.transformed(symmetry)
    if data.draw(st.booleans()):
        image = image.reversed()
    if tour.closed:
        image = Tour(tour.graph, np.roll(image.order, data.draw(st.integers(0, len(tour)))), True)
    assert np.array_equal(image.canonical().order, tour.canonical().order)
    assert tour_type(image) == tour_type(tour)


# -- random tours ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("prune", [True, False])
def test_random_greedy_finds_tours_as_asked(prune: bool) -> None:
    graph = graph_of("4x4x4")
    outcome = random_greedy(Problem(graph), limits=Limits(seed=1), prune=prune)
    assert outcome.tour is not None
    verify(outcome.tour)
    assert outcome.tour.closed
    assert 1 <= outcome.statistics["open_tours"] <= outcome.statistics["walks"]
    again = random_greedy(Problem(graph), limits=Limits(seed=1), prune=prune)
    assert again.tour is not None and np.array_equal(again.tour.order, outcome.tour.order)


def test_random_greedy_meets_ends_and_moves() -> None:
    graph = graph_of("3x4")
    whole = [Tour(graph, np.array(order), False) for order in brute.tours("3x4", False)]
    ends = (int(whole[0].order[0]), int(whole[0].order[-1]))
    required = frozenset({int(whole[0].edges[4])})
    tour = random_greedy(Problem(graph, "path", terminals=ends, required=required)).tour
    assert tour is not None
    assert (tour.order[0], tour.order[-1]) == ends
    assert required <= set(tour.edges.tolist())


def test_random_greedy_gives_up() -> None:
    assert random_greedy(Problem(graph_of("8x8")), tries=1000).statistics["walks"] == 1000
    assert random_greedy(Problem(graph_of("8x8")), tries=0, limits=Limits(0.2)).tour is None
    stop = threading.Event()
    stop.set()
    assert random_greedy(Problem(graph_of("8x8")), tries=0, limits=Limits(stop=stop)).statistics["walks"] == 0
    assert random_greedy(Problem(graph_of("3x3x3"))).status == "infeasible"
    with pytest.raises(KTError):
        random_greedy(Problem(graph_of("4x4x4")), tries=-1)


def test_census_of_a_small_board_finds_all() -> None:
    found = census(graph_of("3x4"), tours=300, limits=Limits(seed=1))
    known = [Tour(graph_of("3x4"), np.array(order), False) for order in brute.tours("3x4", False)]
    assert found.complete and found.closed.tours == 0
    assert len(found.open.distinct) == len({tour.normalised().order.tobytes() for tour in known})
    assert len(found.open.inequivalent) == len({tour.canonical().order.tobytes() for tour in known})
    assert len(found.open.types) == len({tour_type(tour) for tour in known})
    assert sum(found.open.types.values()) == found.open.tours == 300


@pytest.mark.slow
def test_census_of_the_cube() -> None:
    found = census(graph_of("4x4x4"), tours=60, limits=Limits(seed=2))
    assert found.open.tours + found.closed.tours == 60 == found.open.paper_tours + found.closed.paper_tours
    assert found.runs == 60 + found.failed
    assert found.cells == {3: 8, 2: 24, 1: 24, 0: 8}
    assert sum(found.cells.values()) == 64 > sum(PAPER["cells"].values())
    data = found.to_json()
    assert data["paper"]["open"]["tours"] + data["paper"]["closed"]["tours"] < data["paper"]["tours"]
    assert len(found.closed.inequivalent) <= len(found.closed.distinct) <= found.closed.tours


def test_the_papers_index_function() -> None:
    """Against the program in its appendix, written out again with its indices from 1."""
    board = Board.parse("4x4x4")
    wrong = misread(board)
    assert sorted(wrong.tolist()) == list(range(64))
    for cell, image in zip(board.cells.tolist(), board.cells[wrong].tolist(), strict=True):
        a, column = cell[0] + 1, cell[1] + 1 + 4 * cell[2]
        b = column % 4 or 4
        c = column // 4 + 1
        c = 1 if c == 5 else c
        assert [a - 1, b - 1, c - 1] == image


def test_census_refuses_what_has_no_tour() -> None:
    for board in ("3x3x3", "1x2", "2x2"):
        with pytest.raises(KTError):
            census(graph_of(board), tours=1)
    with pytest.raises(KTError):
        census(graph_of("4x4x4"), tours=0)
    with pytest.raises(KTError):
        census(MoveGraph.from_edges(3, [[0, 1], [1, 2]]), tours=1)


# -- random graphs -----------------------------------------------------------------------------------------------------


@SLOW
@given(st.integers(4, 30), st.integers(1, 6), st.integers(0, 99))
def test_regular_graphs_are_regular_and_simple(n: int, degree: int, seed: int) -> None:
    degree = min(degree, n - 1)
    if n * degree % 2:
        with pytest.raises(KTError):
            GraphFamily(n, shares=((degree, n),))
        return
    edges = np.sort(pairing_of(np.full(n, degree), np.random.default_rng(seed)), axis=1)
    assert (np.bincount(edges.reshape(-1), minlength=n) == degree).all()
    assert (edges[:, 0] < edges[:, 1]).all()
    assert len(np.unique(edges, axis=0)) == len(edges) == n * degree // 2


@pytest.mark.parametrize("key", TABLES["spread"].default)
def test_spread_has_the_degrees_it_says(key: str) -> None:
    family = TABLES["spread"].row(key, 100).family
    assert family.mean == 10
    degrees = np.concatenate([family.draw(np.random.default_rng(seed)).degrees for seed in range(20)])
    assert degrees.mean() == pytest.approx(10, abs=0.4)
    assert degrees.var() == pytest.approx(family.variance, rel=0.2)


@given(st.integers(3, 40), st.integers(0, 9))
@settings(deadline=None)
def test_binomial_graphs_use_every_pair(n: int, seed: int) -> None:
    assert (
        len(np.unique(np.sort(binomial_edges(n, 1.0, np.random.default_rng(seed)), axis=1), axis=0)) == n * (n - 1) // 2
    )
    edges = binomial_edges(n, 0.4, np.random.default_rng(seed))
    assert len(np.unique(edges, axis=0)) == len(edges)
    assert len(edges) == 0 or (0 <= edges[:, 0].min() and (edges[:, 0] < edges[:, 1]).all() and edges.max() < n)


def test_connected_graphs_only() -> None:
    graph, dropped = GraphFamily(30, 3).draw_connected(np.random.default_rng(5))
    assert nx.is_connected(graph.to_networkx())
    assert dropped >= 0
    with pytest.raises(KTError, match="not connected"):
        GraphFamily(200, 0.5).draw_connected(np.random.default_rng(0))


@pytest.mark.parametrize("pairs", [True, False])
def test_the_tally_is_that_of_path_conversion(pairs: bool) -> None:
    """Paths and cuttings exactly; the joined ones too, up to the order of joining, which hardly ever matters."""
    from heuristics.simple_graph import SimpleGraph

    ours = theirs = 0
    for seed in range(12):
        graph, _ = GraphFamily(60, 7).draw_connected(np.random.default_rng(seed))
        rng = np.random.default_rng(0)
        walker = Walker(SimpleGraph(Problem(graph), graph, None, np.arange(graph.m)), "ordered", rng)
        paths = 0
        for number in walker.turns(1):
            if not walker.walk(number, hopeless=False):
                continue
            paths += 1
            pieces = cut_path(walker, "greatest", pairs)
            if pieces is not None:
                links = links_of_pieces(walker.path, pieces)
                theirs += join_cycles(graph, links, "number", rng, NO_LIMITS) == 1
        counted = tally(graph, pairs=pairs)
        assert counted.paths == paths
        assert counted.least == min(degree for _, degree in graph.to_networkx().degree)
        assert counted.cycles == 0 or counted.least > 1
        ours += counted.cycles
    assert theirs > 20
    assert abs(ours - theirs) <= 0.05 * theirs


def test_readings_of_the_rule() -> None:
    """Every one against a plain walk that says in a line what the reading is."""
    graph, _ = GraphFamily(60, 6).draw_connected(np.random.default_rng(3))
    around = {v: sorted(graph.to_networkx().neighbors(v)) for v in range(60)}

    def stuck(path: list[int], name: str, sign: int = 1) -> int:
        """Go on from the end of a path until there is no way; the number of vertices reached."""
        seen = set(path)

        def ways(v: int) -> list[int]:
            return [u for u in around[v] if u not in seen]

        def rank(v: int) -> tuple[int, ...]:
            forced = sum(len(ways(u)) <= 2 for u in ways(v))
            forks, ahead = len(ways(v)) > 1 and forced > 1, sum(len(ways(u)) for u in ways(v))
            ties = {"tied-forks": forks, "few-forced": forced, "lookahead": ahead, "most-ahead": -ahead}.get(name, 0)
            return name == "forks" and forks, len(ways(v)), ties, sign * v

        while ways(path[-1]):
            path.append(min(ways(path[-1]), key=rank))
            seen.add(path[-1])
        return len(path)

    for name in VARIANTS:
        paths = 0
        for start in range(60):
            path = [start]
            turns, rotations = int(name == "turn"), {"rotate": 1, "rotate-5": 5}.get(name, 0)
            while stuck(path, name) < 60 and turns + rotations:
                places = [0] if turns else [path.index(u) + 1 for u in around[path[-1]]]
                free = [p for p in places if turns or (p < len(path) - 1 and set(around[path[p]]) - set(path))]
                if not free:
                    break
                path[free[0] :] = path[free[0] :][::-1]
                turns, rotations = 0, max(0, rotations - 1)
            if name == "two-tries" and len(path) < 60:
                stuck(path := [start], name, -1)
            paths += len(path) == 60
        assert tally(graph, variant=name).paths == paths, name


# -- statistics --------------------------------------------------------------------------------------------------------


def test_wilson_by_its_formula() -> None:
    """Wilson (1927): the roots p of (s/n - p)^2 = z^2 p(1 - p)/n."""
    for successes, trials in ((0, 10), (3, 10), (10, 10), (708, 928)):
        rate, z = wilson(successes, trials), 1.959963984540054
        for p in (rate.low, rate.high):
            assert (successes / trials - p) ** 2 == pytest.approx(z**2 * p * (1 - p) / trials, abs=1e-9)
        assert 0 <= rate.low <= rate.value <= rate.high <= 1
    assert wilson(0, 0).to_json() is None and wilson(0, 0).text == "-"


def test_clustered_intervals() -> None:
    rng = np.random.default_rng(0)
    even = cluster_rate(rng.binomial(100, 0.3, 200), np.full(200, 100))
    plain = wilson(round(even.value * 20_000), 20_000)
    assert even.high - even.low == pytest.approx(plain.high - plain.low, rel=0.2)  # Independent: the same
    together = cluster_rate(100 * rng.binomial(1, 0.3, 200), np.full(200, 100))
    assert together.high - together.low > 5 * (plain.high - plain.low)  # One outcome to a cluster: ten times as wide
    assert math.isnan(cluster_rate([0], [0]).value)


# -- tables ------------------------------------------------------------------------------------------------------------


def test_misprints_of_the_paper() -> None:
    found = {(t.name, key): row.misprints for t in TABLES.values() for key, row in t.printed.items() if row.misprints}
    table3 = {("regular", str(d)): ("conversion",) for d in range(8, 16)}
    assert found == {("degree", "10"): ("conversion",), **table3}
    assert [len(t.printed) for t in TABLES.values()] == [9, 9, 9, 0]
    assert table_named("2") is TABLES["size"]


@pytest.mark.slow
def test_workers_and_interruptions_change_nothing(tmp_path: Path) -> None:
    rows = [SMALL, TABLES["regular"].row("4", 40), TABLES["degree"].row("6", 40)]
    state = str(tmp_path / "state.json")
    whole = run(rows, graphs=25, limits=Limits(seed=4))
    with closing(LocalPool(2)) as pool:
        assert [m.counts for m in run(rows, graphs=25, limits=Limits(seed=4), pool=pool)] == [m.counts for m in whole]
    part = run(rows[:1], graphs=8, limits=Limits(seed=4), state=state)
    assert part[0].counts == whole[0].counts[:8]
    stop = threading.Event()
    limits = Limits(stop=stop, seed=4)
    interrupted = run(rows, graphs=25, state=state, limits=limits, on_progress=lambda now: stop.set())
    assert not all(m.complete for m in interrupted)
    assert [m.counts for m in run(rows, graphs=25, limits=Limits(seed=4), state=state)] == [m.counts for m in whole]
    kept = (tmp_path / "state.json").read_text()
    reports: list[Report] = []
    again = run(rows, graphs=25, limits=Limits(seed=4), state=state, on_progress=reports.append)
    assert [m.counts for m in again] == [m.counts for m in whole]
    assert [now.words for now in reports] == ["50 of 50 graphs"]  # Nothing was done again
    assert (tmp_path / "state.json").read_text() == kept
    assert run(rows, graphs=25, limits=Limits(seed=5))[0].counts != whole[0].counts


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not of kt"),
        ("[]", "not of kt"),
        ('{"kind": "random-graphs", "version": 2, "seed": 1, "pairs": true, "rows": {}}', "seed 1"),
        ('{"kind": "random-graphs", "version": 2, "seed": 0, "pairs": true}', "rows"),
        ('{"kind": "random-graphs", "version": 2, "seed": 0, "pairs": true, "rows": {"a": [[1, 2, 0, 1]]}}', "rows"),
        ('{"kind": "random-graphs", "version": 2, "seed": 0, "pairs": true, "rows": {"a": [[1, "2", 0, 1]]}}', "rows"),
    ],
)
def test_bad_states_are_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "state.json"
    path.write_text(text)
    one_line_refusal(kt("random-graphs", "--table", 1, "--graphs", 1, "--workers", 1, "--state", path), words)
    assert path.read_text() == text


def test_rates_of_a_row() -> None:
    measured = Measurement(SMALL, [[4, 2, 1, 3], [0, 0, 0, 1], [6, 0, 2, 2]], 5)
    assert not measured.complete
    assert (measured.paths, measured.cycles, measured.drops) == (10, 2, 3)
    assert (measured.with_path, measured.with_cycle, measured.leafless) == (2, 1, 2)
    assert measured.conversion.value == 0.2 and measured.mean_conversion == 0.25
    assert measured.success.value == 0.5
    assert measured.agreement is None


@pytest.mark.slow
def test_the_plot_is_the_same_for_the_same_data() -> None:
    measured = [Measurement(TABLES["degree"].row("8"), [[4, 2, 1, 3], [9, 0, 0, 2]], 2), Measurement(SMALL, [], 2)]
    assert plot(measured, "svg") == plot(measured, "svg")
    assert plot(measured, "png").startswith(b"\x89PNG")
    assert plot([], "svg")


# -- closing open tours ------------------------------------------------------------------------------------------------


def test_every_rule_gets_the_same_open_tours() -> None:
    graph = graph_of("8x8")
    experiment = close_open_tours(graph, tours=60, limits=Limits(seed=3))
    assert experiment.complete and experiment.tours == 60 and experiment.full == 60 + experiment.closed
    for rule, closings in experiment.rules.items():
        assert closings.closed + closings.stuck + closings.given_up == 60
        assert closings.given_up == 0 or rule == "least"
    nearer, wander = experiment.rules["nearer"], experiment.rules["wander"]
    farthest = max(nx.eccentricity(nx.Graph(list(zip(graph.tails, graph.heads, strict=True)))).values())
    assert max(nearer.turns) < farthest == 6  # Each brings the last cell at least one move nearer to the first
    assert nearer.stuck > 0 and wander.stuck == 0 and max(wander.turns) > max(nearer.turns)
    assert close_open_tours(graph, tours=60, limits=Limits(seed=3)).to_json() == experiment.to_json()
    few = close_open_tours(graph, tours=60, turns=1, limits=Limits(seed=3))
    assert set(few.rules["nearer"].turns) == {1} and few.rules["wander"].given_up > 0


def test_quantiles_of_turns() -> None:
    closings = Closings(Counter({1: 5, 2: 4, 50: 1}))
    assert [closings.quantile(share) for share in (0.5, 0.51, 0.9, 0.91, 1.0)] == [1, 2, 2, 50, 50]
    assert closings.mean == 6.3 and closings.many == 1
    assert Closings().mean is None and Closings().quantile(0.5) is None


def test_closing_stops_and_refuses() -> None:
    stop = threading.Event()
    stop.set()
    assert close_open_tours(graph_of("8x8"), limits=Limits(stop=stop)).tours == 0
    for board, wanted in (("4x4", 10), ("3x3x3", 10), ("8x8", 0), ("8x8", 10**9)):
        with pytest.raises(KTError):
            close_open_tours(graph_of(board), tours=wanted)


# -- the command -------------------------------------------------------------------------------------------------------


def test_tour_types_command() -> None:
    result = kt("tour-types", "4x4x4", "--tours", 20)
    assert result.exit_code == 0 and result.stderr == ""
    for words in ("48 symmetries", "24 cells", "831", "inequivalent"):
        assert words in result.stdout
    data = json.loads(kt("tour-types", "3x4", "--tours", 20, "--json").stdout)
    assert data["tours"] == 20 and data["complete"] and data["paper"] is None
    assert "paper" not in kt("tour-types", "3x4", "--tours", 5).stdout


def test_closing_command() -> None:
    result = kt("closing", "8x8", "--tours", 20)
    assert result.exit_code == 0 and result.stderr == ""
    for words in ("open tours", "wander", "nearer", "least", "over 40"):
        assert words in result.stdout
    data = json.loads(kt("closing", "6x6", "--tours", 5, "--json").stdout)
    assert data["kind"] == "closing" and data["tours"] == 5 and set(data["rules"]) == {"wander", "nearer", "least"}
    assert kt("closing", "8x8", "--time-limit", 0).exit_code == 3


def test_random_graphs_command(tmp_path: Path) -> None:
    state, figure = tmp_path / "s.json", tmp_path / "f.svg"
    arguments = ["random-graphs", "--table", 2, "--rows", "30,100", "--graphs", 5, "--workers", 1]
    result = kt(*arguments, "--state", state, "--plot", figure)
    assert result.exit_code == 0
    assert sorted(result.stderr.splitlines()) == sorted(f"written {path}" for path in (state, figure))
    assert "87.73%" in result.stdout and figure.read_text().count("<svg") == 1
    data = json.loads(kt(*arguments, "--state", state, "--json").stdout)
    assert [row["row"] for row in data["rows"]] == ["30", "100"]
    assert data["rows"][0]["paper"] is None and data["rows"][1]["paper"]["paths"] == 81354
    assert json.loads(kt(*arguments, "--json").stdout) == data
    assert "few-forced" in kt("random-graphs", "--variants").stdout
    one_line_refusal(kt(*arguments, "--state", state, "--variant", "forks"), "begun with variant None")
    assert "* row 10: the paper prints 18.74%" in kt("random-graphs", "--table", 1, "--time-limit", 0).stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tour-types", "3x3x3"], "3x3x3"),
        (["tour-types", "--tours", "0"], "tours"),
        (["tour-types", "--seed", "-1"], "seed"),
        (["tour-types", "--time-limit", "nan"], "time limit"),
        (["closing", "4x4"], "4x4"),
        (["closing", "--turns", "-1"], "turns"),
        (["random-graphs", "--table", "7"], "'7'"),
        (["random-graphs", "--rows", "7"], "--table"),
        (["random-graphs", "--table", "3", "--rows", "3", "--vertices", "7"], "odd"),
        (["random-graphs", "--table", "spread", "--rows", "4"], "'4'"),
        (["random-graphs", "--table", "2", "--vertices", "50"], "--rows"),
        (["random-graphs", "--graphs", "0"], "graphs"),
        (["random-graphs", "--variant", "fork"], "forks"),
        (["random-graphs", "--workers", "0"], "workers"),
        (["random-graphs", "--state", "/nowhere/x.json"], "/nowhere"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], words: str) -> None:
    one_line_refusal(kt(*arguments), words)


WORKERS = "heuristics.papers"


@pytest.mark.parametrize(
    ("number", "arguments", "function"),
    [
        (signal.SIGINT, ["tour-types", "5x5x5"], "heuristics.papers.cube.tour_census:census"),
        pytest.param(
            signal.SIGINT,
            ["closing", "8x8", "--tours", "1000000"],
            f"{WORKERS}.euler.closing:close_open_tours",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            signal.SIGINT,
            ["random-graphs", "--table", "1", "--workers", "1"],
            f"{WORKERS}.aztec.random_graphs:measure_row",
            marks=pytest.mark.slow,
        ),
        (signal.SIGTERM, ["random-graphs", "--table", "1", "--workers", "2"], "heuristics.calls:_await"),
    ],
)
def test_a_signal_gives_what_is_done(number: int, arguments: list[str], function: str) -> None:
    with at_work(function, "experiment", *arguments, "--json", start_new_session=True) as child:
        os.killpg(child.pid, number)  # As a terminal does: to the workers too
        out, err = child.communicate(timeout=PATIENCE)
    assert child.returncode == 3, err
    assert json.loads(out)["version"] == FORMAT_VERSION
    assert err.count("\n") == 1 and "stopped" in err


PRINTED = """
6 59 26 37 / 57 12 55 8 / 48 7 36 17 / 11 56 63 54
47 34 5 18 / 42 19 2 23 / 3 46 41 38 / 62 13 20 45
4 25 60 27 / 61 58 9 16 / 32 35 28 53 / 49 10 15 64
33 30 51 24 / 50 43 40 1 / 29 52 31 22 / 14 21 44 39
"""
"""The tour of Miller (2018): the layers from the bottom up, each with its rows from the top down."""


def test_the_printed_tour_of_the_cube_is_a_closed_tour() -> None:
    layers = [[row.split() for row in layer.split("/")] for layer in PRINTED.strip().splitlines()]
    numbers = {
        int(number): (x, 3 - row, z)
        for z, layer in enumerate(layers)
        for row, line in enumerate(layer)
        for x, number in enumerate(line)
    }
    tour = toolkit.read([numbers[place] for place in range(1, 65)], "4x4x4", closed=True)
    assert (tour.measure("turns"), tour.measure("crossings")) == (64, 42)
