"""Tours of Aztec diamonds by rings: every radius gives a tour, and the proof of that refuses damaged data."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from importlib.resources import files
from typing import Any

import numpy as np
import pytest

import heuristics
from encoders import solve
from heuristics.constructions.rings import rings
from heuristics.constructions.rings.fill import fill_order, load_rings
from heuristics.searches.merge import merge
from kt_models import Board, CertificateError, KTError, MoveGraph, Problem, Symmetry, Tour, graph_of, verify
from kt_models.limits import Limits
from kt_models.problem import solution_edges, verify_edges
from kt_models.walks import walks_of
from research.rings import all_patterns, patterned, search_rings, splices, strands_of, to_json
from tests.effort import slow
from theorems.aztec_rings.ring_data import (
    RingFamily,
    cell_on,
    column,
    depth,
    frame,
    is_move,
    pattern,
    read_rings,
    rotate_vector,
    turned_cell,
)
from theorems.aztec_rings.rings import check, check_rings

HALF_TURN = (Symmetry.parse("rot180"),)


def tour_of(radius: int, data: RingFamily | None = None) -> Tour:
    graph = graph_of(f"aztec:{radius}")
    order = np.full(graph.n, -1, dtype=np.int32)
    written = list(fill_order(order, radius, data))
    assert written[-1] == graph.n
    return Tour(graph, order, True)


def data(name: str = "half-turn") -> Any:
    return delivered()["rings"][name == "quarter-turn"]


def delivered() -> Any:
    return json.loads(files(heuristics).joinpath("gadgets", "rings.json").read_text())


# -- tours -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("radius", [*range(2, 18), *slow(range(18, 61))])
def test_every_radius_has_a_tour_with_a_half_turn(radius: int) -> None:
    problem = Problem(graph_of(f"aztec:{radius}"), symmetry=HALF_TURN)
    outcome = rings(problem)
    assert outcome.tour is not None and outcome.tour.closed
    verify(outcome.tour)
    solution_edges(problem, outcome.tour)
    core, count = outcome.statistics["core"], outcome.statistics["rings"]
    assert 2 <= core <= 5 and core + 4 * count == radius


@pytest.mark.parametrize("radius", [297, 298, 299, 300, *slow([1000])])
def test_large_radii_have_a_tour(radius: int) -> None:
    verify(tour_of(radius))


def test_seeds_give_images() -> None:
    problem = Problem(graph_of("aztec:9"))
    tours = [rings(problem, limits=Limits(seed=seed)).tour for seed in range(9)]
    orders = {tuple(tour.normalised().order.tolist()) for tour in tours if tour is not None}
    assert len(orders) == 4  # The half turn maps the tour to itself
    assert len({tuple(tour.canonical().order.tolist()) for tour in tours if tour is not None}) == 1


@pytest.mark.parametrize("board", ["8x8", "aztec:4-d1", "4x4x4", "3x10", "torus:8x8", "1000x100000"])
def test_other_boards_are_refused(board: str) -> None:
    with pytest.raises(KTError, match="Aztec diamonds"):
        rings(Problem(MoveGraph.of(Board.parse(board))))


QUARTER_TURN = (Symmetry.parse("rot90"),)


@pytest.mark.parametrize("radius", [*range(2, 19), *slow(range(19, 48))])
def test_tours_with_a_quarter_turn_are_where_they_can_be(radius: int) -> None:
    """There are such tours for n = 1 or 2 modulo 4, from 5 on; otherwise a quarter of the cells is an even number."""
    problem = Problem(graph_of(f"aztec:{radius}"), symmetry=QUARTER_TURN)
    tour = rings(problem).tour
    assert (tour is not None) == (radius >= 5 and radius % 4 in (1, 2))
    if tour is not None:
        solution_edges(problem, tour)


def test_symmetries_that_it_has_not() -> None:
    graph = graph_of("aztec:9")
    for name in ("mirror-x", "diagonal"):
        assert rings(Problem(graph, symmetry=(Symmetry.parse(name),))).tour is None
    assert rings(Problem(graph, "path", symmetry=HALF_TURN)).tour is None


def test_a_stop_is_heeded() -> None:
    stop = threading.Event()
    stop.set()
    assert rings(Problem(graph_of("aztec:30")), limits=Limits(stop=stop)).tour is None
    assert rings(Problem(graph_of("aztec:30")), limits=Limits(0)).tour is None


# -- open tours, required and forbidden moves --------------------------------------------------------------------------


def solved(problem: Problem, seed: int = 0) -> bool:
    tour = rings(problem, limits=Limits(seed=seed)).tour
    if tour is not None:
        verify(tour)
        assert tour.closed == problem.closed
        verify_edges(problem, tour.edges)
        if not tour.closed:
            assert set(problem.terminals) <= {int(tour.order[0]), int(tour.order[-1])}
    return tour is not None


def test_open_tours_begin_at_every_cell() -> None:
    graph = graph_of("aztec:7")
    assert solved(Problem(graph, "path"))
    assert all(solved(Problem(graph, "path", terminals=(v,))) for v in range(graph.n))
    closed = rings(Problem(graph)).tour
    assert closed is not None
    for u, v in zip(closed.order.tolist()[:20], closed.order.tolist()[1:21], strict=True):
        assert solved(Problem(graph, "path", terminals=(u, v)))
        assert solved(Problem(graph, "path", terminals=(v, u)))
    assert not solved(Problem(graph, "path", terminals=(0, graph.n - 1)))  # Two far cells: never neighbours


def test_required_and_forbidden_moves() -> None:
    graph = graph_of("aztec:7")
    closed = rings(Problem(graph)).tour
    assert closed is not None
    used = closed.edges.tolist()
    unused = sorted(set(range(graph.m)) - set(used))
    assert solved(Problem(graph, required=frozenset(used), forbidden=frozenset(unused)))
    image = graph.edge_permutation(Symmetry.parse("diagonal"))
    assert solved(Problem(graph, required=frozenset(image[used].tolist())))
    assert not solved(Problem(graph, required=frozenset([*used, unused[0]]) - {used[0]}))
    assert not solved(Problem(graph, forbidden=frozenset(used[:1]), required=frozenset(used[1:])))
    assert solved(Problem(graph, "path", forbidden=frozenset(used[:1]), required=frozenset(used[1:])))
    ends = (int(closed.order[0]), int(closed.order[1]))
    assert solved(Problem(graph, "path", terminals=ends, required=frozenset(used[1:])))
    assert not solved(Problem(graph, "path", terminals=ends, required=frozenset(used)))


# -- the proof ---------------------------------------------------------------------------------------------------------


def test_the_file_shows_the_theorem() -> None:
    assert [claim.text for claim in check(delivered())] == [
        "every Aztec diamond of radius n >= 2 has a closed knight's tour that a half turn maps to itself",
        "every Aztec diamond of radius n >= 5 and n = 1 or 2 (mod 4) has a closed knight's tour "
        "that a quarter turn maps to itself",
    ]
    assert sorted(load_rings().cores) == [2, 3, 4, 5]
    assert sorted(load_rings("quarter-turn").cores) == [5, 6]


@pytest.mark.parametrize(
    ("claim", "change"),
    [
        (0, {"boards": {"shape": "aztec diamonds", "least": 1}}),
        (0, {"symmetry": "rot90"}),
        (0, {"symmetry": "mirror-x"}),
        (0, {"boards": {"shape": "squares", "least": 2}}),
        (0, {"leaper": "1,4"}),
        (0, {"closed": False}),
        (1, {"boards": {"shape": "aztec diamonds", "least": 5}}),
        (1, {"boards": {"shape": "aztec diamonds", "least": 2, "modulus": 4, "residues": [1, 2]}}),
        (1, {"boards": {"shape": "aztec diamonds", "least": 5, "modulus": 4, "residues": [1, 2, 3]}}),
        (1, {"boards": {"shape": "aztec diamonds", "least": 5, "modulus": 2, "residues": [1]}}),
    ],
)
def test_claims_that_are_too_strong(claim: int, change: dict[str, Any]) -> None:
    changed = delivered()
    changed["claims"][claim].update(change)
    with pytest.raises(CertificateError):
        check(changed)


def test_a_core_left_out_takes_its_radii_away() -> None:
    changed = delivered()
    del changed["rings"][0]["cores"]["4"]
    with pytest.raises(CertificateError, match="no ring satisfies"):
        check(changed)
    changed["claims"][0]["boards"] |= {"modulus": 4, "residues": [1, 2, 3]}
    assert check(changed)[0].boards.residues == (1, 2, 3)


def test_the_cells_of_a_frame_are_those_of_its_depths() -> None:
    for radius, width in [(5, 2), (6, 4), (9, 4)]:
        cells = [(x - radius, y - radius) for x, y in frame(radius, width).cells.tolist()]
        assert len(cells) == 2 * width * (2 * radius - width + 1)
        assert {depth(cell) for cell in cells} == set(range(radius - width + 1, radius + 1))
        assert {turned_cell(cell, 1) for cell in cells} == set(cells)
        assert all(turned_cell(cell, 4) == cell and 0 <= column(cell) < depth(cell) for cell in cells)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("outward", [[7, 10], [5, 11]]),  # The other way round: a-c and b-d are no moves
        ("outward", [[5, 10], [7, 11]]),  # No move of the ring
        ("outward", [[6, 11], [4, 10]]),  # A move of the ring, but not one that leads on
        ("outward", [[4, 1], [6, 0]]),  # In the lower part
        ("outward", [[5, 11]]),
        ("outward", [["a", 1], [2, 3]]),
        ("path", []),
        ("path", [[6, 9], [6, 8]]),
        ("path", None),
        ("cores", {}),
        ("cores", []),
        ("cores", {"two": [[0, 0]]}),
        ("cores", {"2": [[0, 0]]}),
        ("cores", {"7": [[0, 0]]}),
    ],
)
def test_damaged_data_are_refused(key: str, value: Any) -> None:
    with pytest.raises(CertificateError):
        check_rings(read_rings({**data(), key: value}))


@pytest.mark.parametrize("key", ["radius", "width", "cut", "turn"])
@pytest.mark.parametrize("value", [-1, 0, 1, 3, 5, 7, 10**9, 2.0, "2", None, True])
def test_wrong_numbers_are_refused(key: str, value: Any) -> None:
    with pytest.raises(CertificateError):
        check_rings(read_rings({**data(), key: value}))


@pytest.mark.parametrize("tour", ["path", "2", "3", "4", "5"])
def test_any_two_cells_exchanged_are_noticed(tour: str) -> None:
    for position in range(0, 10, 3):
        changed = data()
        cells = changed["path"] if tour == "path" else changed["cores"][tour]
        cells[position], cells[position + 1] = cells[position + 1], cells[position]
        with pytest.raises(CertificateError):
            read_rings(changed)


@pytest.mark.parametrize("radius", [pytest.param(2, marks=pytest.mark.slow), 3, 4, 5])
def test_a_core_without_the_move_is_refused(radius: int) -> None:
    known, graph = load_rings(), graph_of(f"aztec:{radius}")
    assert graph.board is not None
    u, v = (graph.board.number([c + radius for c in known.at_tip(cell, radius)]) for cell in known.outward)
    edge = frozenset(graph.edges_between(u, v))
    without = Problem(graph, symmetry=HALF_TURN, forbidden=edge)
    having = Problem(graph, symmetry=HALF_TURN, required=edge)
    tours = [solve(problem, engine="cpsat", hint=False, limits=Limits(workers=1)).tour for problem in (without, having)]
    changed = [
        replace(
            known, cores={**known.cores, radius: tuple((x - radius, y - radius) for x, y in tour.coordinates.tolist())}
        )
        for tour in tours
        if tour is not None
    ]
    with pytest.raises(CertificateError, match=f"core of radius {radius}"):
        check_rings(changed[0])
    check_rings(changed[1])
    verify(tour_of(radius + 8, changed[1]))


@pytest.mark.parametrize("radius", [3, 4, 5])
def test_a_core_without_the_symmetry_is_refused(radius: int) -> None:
    tour = merge(Problem(graph_of(f"aztec:{radius}"))).tour
    assert tour is not None and len(tour.symmetries()) == 1
    core = tuple((x - radius, y - radius) for x, y in tour.coordinates.tolist())
    with pytest.raises(CertificateError, match="not symmetric"):
        replace(load_rings(), cores={**load_rings().cores, radius: core})


def test_a_ring_without_patterns_is_refused() -> None:
    graph = MoveGraph.of(frame(6, 4))
    assert graph.board is not None
    a, b = load_rings().ends
    ends = [[c + 6 for c in turned_cell(cell, q)] for q in (0, 2) for cell in (a, b)]
    problem = Problem(graph, "linkage", terminals=tuple(map(graph.board.number, ends)), symmetry=HALF_TURN)
    for seed in range(4):
        walks = solve(problem, engine="cpsat", hint=False, limits=Limits(workers=1, seed=seed)).walks
        path = next(walk.vertices for walk in walks if problem.terminals[0] in walk.vertices)
        cells = [(int(x) - 6, int(y) - 6) for x, y in graph.board.cells[list(path)]]
        ring = replace(load_rings(), path=tuple(cells if cells[0] == a else cells[::-1]))
        with pytest.raises(CertificateError, match=r"pattern|joins parts"):
            check_rings(ring)


def paths_when_grown(data: RingFamily, radius: int) -> list[frozenset[tuple[int, ...]]]:
    """Grow a ring as the proof says, but by hand: the ends of its paths, and nothing for a cycle; degrees are right."""
    more = radius - data.radius
    moves = set()
    for a, b in data.moves:
        if data.part(a) == data.part(b):
            out = rotate_vector((0, more), data.part(a))
            moves.add(frozenset((x + out[0], y + out[1]) for x, y in (a, b)))
    for side in range(4):
        for i, j, change in pattern(data, side):
            for x in range(data.cut - 2, data.cut + more + 2):
                if min(x, x + change) < data.cut + more and max(x, x + change) >= data.cut:
                    ends = ((i, x), (j, x + change))
                    moves.add(frozenset(cell_on(side, at, radius - data.width + row + 1) for row, at in ends))
    board = frame(radius, data.width)
    numbers = np.array([[board.number((x + radius, y + radius)) for x, y in move] for move in moves])
    assert all(is_move(*move) for move in moves)
    degree = np.full(board.n, 2)
    for q in data.turns:
        for cell in data.ends:
            x, y = turned_cell(data.at_tip(cell, radius), q)
            degree[board.number((x + radius, y + radius))] = 1
    assert (np.bincount(numbers.reshape(-1), minlength=board.n) == degree).all()
    walks = walks_of(board.n, numbers)
    tips = [[tuple((board.cells[walk.vertices[k]] - radius).tolist()) for k in (0, -1)] for walk in walks]
    return [frozenset() if walk.closed else frozenset(two) for walk, two in zip(walks, tips, strict=True)]


def stays_together(data: RingFamily, radius: int) -> bool:
    wanted = [{turned_cell(data.at_tip(cell, radius), q) for cell in data.ends} for q in data.turns]
    paths = paths_when_grown(data, radius)
    return len(paths) == len(wanted) and all(path in wanted for path in paths)


def test_the_grown_ring_consists_of_paths() -> None:
    assert all(stays_together(load_rings(), radius) for radius in range(6, 30))
    quarter = load_rings("quarter-turn")
    assert all(stays_together(quarter, radius) for radius in range(9, 40) if radius % 4 in (1, 2))


def test_a_ring_that_falls_apart_when_it_grows_is_refused() -> None:
    """Where the check refuses a ring because of a radius, the ring of that radius is the first to have fallen apart."""
    graph = MoveGraph.of(frame(6, 4))
    refused = accepted = 0
    patterns = [kinds for kinds in all_patterns(4) if strands_of(kinds) == 4]
    for problem in patterned(graph, 6, 2, patterns, 2):
        for four in splices(6, 2)[::7]:
            known = ring_of(problem, four)
            if known is None:
                continue
            message = ""
            try:
                check_rings(known)
            except CertificateError as error:
                message = str(error)
            if not message:
                accepted += 1
                assert all(stays_together(known, radius) for radius in range(6, 30))
            elif "does not consist of paths" in message:
                refused += 1
                radius = next(radius for radius in range(6, 99) if not stays_together(known, radius))
                assert f"the ring of radius {radius} " in message
            if refused >= 3:
                return
    pytest.fail(f"{refused} refused, {accepted} accepted")


def ring_of(problem: Problem, four: Any) -> RingFamily | None:
    """A ring that joins a and b, whether or not it leads on to a ring around it."""
    a, b = four[:2]
    board = problem.graph.board
    assert board is not None
    ends = [[c + 6 for c in turned_cell(cell, q)] for q in (0, 2) for cell in (a, b)]
    asked = replace(problem, connectivity="linkage", terminals=tuple(map(board.number, ends)))
    result = solve(asked, engine="cpsat", hint=False, limits=Limits(workers=1))
    if result.edges is None:
        return None
    path = next(walk.vertices for walk in result.walks if asked.terminals[0] in walk.vertices)
    cells = [(int(x) - 6, int(y) - 6) for x, y in board.cells[list(path)]]
    return replace(load_rings(), path=tuple(cells if cells[0] == a else cells[::-1]))


# -- the search --------------------------------------------------------------------------------------------------------


def test_search_goes_through_all_patterns_of_rings() -> None:
    counts = [strands_of(kinds) for kinds in all_patterns(4)]
    assert sorted(counts) == [1] * 6 + [2] * 6 + [4] * 3 + [5] * 2 + [6]
    assert [strands_of(kinds) for kinds in all_patterns(2)] == [3]
    assert (*load_rings().ends, *load_rings().outward) in splices(6, 2)
    assert {strands_of(pattern(load_rings(), side)) for side in range(4)} == {2}


@pytest.mark.parametrize("name", ["half-turn", "quarter-turn"])
def test_rings_are_read_as_written(name: str) -> None:
    assert read_rings(to_json(load_rings(name))) == load_rings(name)
    assert to_json(load_rings(name)) == data(name)


def test_frames_of_width_2_and_3_have_no_tour() -> None:
    for radius, width in [(4, 2), (5, 2), (6, 2), (12, 2), (8, 3), (12, 3)]:
        problem = Problem(MoveGraph.of(frame(radius, width)), "any")
        assert solve(problem, engine="cpsat", limits=Limits(workers=1)).status == "infeasible"


@pytest.mark.slow
def test_the_search_finds_a_ring_again() -> None:
    again = search_rings(6, (2, 3, 4, 5), 2, {2}, 2)
    assert again is not None
    check_rings(again)
    for radius in range(2, 30):
        verify(tour_of(radius, again))


@pytest.mark.slow
def test_the_search_finds_a_ring_for_quarter_turns_again() -> None:
    again = search_rings(9, (5, 6), 1, {4, 6}, 3, first=True)
    assert again is not None
    check_rings(again)
    for radius in (5, 6, 9, 10, 21, 22):
        verify(tour_of(radius, again))
