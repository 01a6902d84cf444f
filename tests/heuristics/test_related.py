"""Related work: Parberry's quadrants, tours of tori, existence on boxes, leapers of three offsets."""

from __future__ import annotations

import itertools
import json
import pickle
import shlex
from dataclasses import replace
from importlib.resources import files
from math import prod

import networkx
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import heuristics
from cli.main import main
from encoders import solve
from heuristics.constructions.parberry import base_tours, parberry_order
from heuristics.constructions.torus import grid_order, torus_grid
from heuristics.constructions.uncrossed import LINES, order
from heuristics.find import construct, find
from heuristics.obstruction import find_obstruction
from kt_models import (
    Board,
    Certificate,
    CertificateError,
    KTError,
    Leaper,
    MoveGraph,
    Problem,
    Symmetry,
    Tour,
    check,
    graph_of,
)
from kt_models import verify as verify_tour
from kt_models.errors import TooLarge
from kt_models.existence import closed_tour_exists, open_tour_exists
from kt_models.kernel.certificates import Statement
from kt_models.kernel.certificates.frontier import count_solutions
from kt_models.limits import Limits
from tests import brute
from tests.effort import part_of
from tests.strategies import leapers

# -- Parberry -------------------------------------------------------------------------------------------------------


def structure(width: int, height: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The eight moves that a structured tour of a board has."""
    moves = []
    for right in (False, True):
        for top in (False, True):
            for two in (((1, 0), (0, 2)), ((2, 0), (0, 1))):
                first, second = ((width - 1 - u if right else u, height - 1 - v if top else v) for u, v in two)
                moves.append((first, second))
    return moves


def has_structure(order: np.ndarray, width: int, height: int) -> bool:
    cells = [divmod(int(v), height) for v in order]
    moves = {frozenset(move) for move in itertools.pairwise([*cells, cells[0]])}
    return all(frozenset(move) in moves for move in structure(width, height))


def test_base_tours_are_structured_tours() -> None:
    even = [(6, 6), (6, 8), (8, 8), (8, 10), (10, 10), (10, 12)]
    odd = [(6, 7), (8, 7), (8, 9), (10, 9), (10, 11), (12, 11)]
    assert {(w, h) for w, h, corner in base_tours() if not corner} == {*even, *odd}
    assert {(w, h) for w, h, corner in base_tours() if corner} == {(7, 7), (9, 9), (11, 11)}
    for (width, height, corner), cells in base_tours().items():
        graph = graph_of(f"{width}x{height}" + "-a1" * corner)
        order = graph.board.numbers(np.array(cells))
        verify_tour(Tour(graph, order, True))
        if not corner:
            assert has_structure(order, width, height)
            continue
        moves = {frozenset(pair) for pair in zip(cells, cells[1:] + cells[:1], strict=True)}
        far = width - 1
        for first, second in (((1, 0), (0, 2)), ((far - 1, far), (far, far - 2)), ((far - 2, far), (far, far - 1))):
            assert frozenset((first, second)) in moves


def test_base_tours_come_from_their_commands() -> None:
    data = json.loads(files(heuristics).joinpath("gadgets", "parberry.json").read_text())
    entry = data["boards"][0]
    result = CliRunner().invoke(main, [*shlex.split(entry["command"])[1:], "--json"])
    graph = graph_of("6x6")
    order = graph.board.numbers(np.array(json.loads(result.stdout)["tour"]))
    verify_tour(Tour(graph, order, True))
    assert has_structure(order, 6, 6)


@pytest.mark.parametrize("difference", [-2, pytest.param(0, marks=pytest.mark.slow), 2])
def test_parberry_tours_every_board_it_names(difference: int) -> None:
    for height in range(6, 202, 2):
        width = height + difference
        if width >= 6:
            order = parberry_order(width, height)
            verify_tour(Tour(graph_of(f"{width}x{height}"), order, True))
            assert height > 40 or has_structure(order, width, height)


def test_parberry_tours_with_an_odd_side() -> None:
    for short in range(6, 50):
        for width, height in ((short, short + 1), (short + 1, short)):
            order = parberry_order(width, height)
            verify_tour(Tour(graph_of(f"{width}x{height}"), order, True))
            assert height > 40 or has_structure(order, width, height)
    for side in range(7, 60, 2):
        verify_tour(Tour(graph_of(f"{side}x{side}-a1"), parberry_order(side, side, corner=True), True))
    for board in ("7x7-g7", "13x13-a13", "21x21-u1", "7x8", "8x7"):
        assert find(Problem(graph_of(board)), "parberry").tour is not None


def test_parberry_tours_that_a_quarter_turn_keeps() -> None:
    for side in range(14, 63, 8):
        for name in ("rot90", "rot180"):
            symmetry = Symmetry.parse(name)
            tour = find(Problem(graph_of(f"{side}x{side}"), symmetry=(symmetry,)), "parberry").tour
            assert tour is not None and symmetry in tour.symmetries()
    for board in ("10x10", "16x16", "14x16"):
        with pytest.raises(KTError, match=r"4k \+ 2"):
            find(Problem(graph_of(board), symmetry=(Symmetry.parse("rot180"),)), "parberry")


@pytest.mark.parametrize(
    "board", ["4x4", "4x6", "8x12", "7x7", "8x11", "torus:8x8", "8x8x8", "8x8-a1", "9x9-b1", "7x9-a1"]
)
def test_parberry_refuses_other_boards(board: str) -> None:
    with pytest.raises(KTError, match="parberry"):
        find(Problem(graph_of(board)), "parberry")


def test_parberry_order_refuses_other_sizes() -> None:
    with pytest.raises(KTError):
        parberry_order(4, 4)


def test_parberry_answers_open_and_required() -> None:
    graph = graph_of("12x14")
    for seed in range(3):
        outcome = find(Problem(graph, "path", None, (5,)), "parberry", limits=Limits(seed=seed))
        assert outcome.tour is not None and 5 in (outcome.tour.order[0], outcome.tour.order[-1])
    edge = graph.find_edge("a1-b3")
    assert find(Problem(graph, required=frozenset([edge])), "parberry").tour is not None
    assert find(Problem(graph, forbidden=frozenset([edge])), "parberry").tour is None  # Every tour has it
    with pytest.raises(KTError, match="parberry"):
        find(Problem(graph_of("8x8", Leaper(1, 4))), "parberry")


# -- tori -----------------------------------------------------------------------------------------------------------


def test_every_torus_of_the_plane_has_a_knights_tour() -> None:
    for width, height in itertools.product(range(1, 21), repeat=2):
        outcome = find(Problem(graph_of(f"torus:{width}x{height}")), "torus")
        if width * height == 1:
            assert outcome.tour is None
            continue
        assert outcome.tour is not None and outcome.tour.closed
        verify_tour(outcome.tour)


@given(st.lists(st.integers(1, 7), min_size=2, max_size=4).filter(lambda s: 3 <= prod(s) <= 800), leapers)
@settings(max_examples=part_of(200), deadline=None)
def test_a_torus_has_a_tour_exactly_if_it_is_connected(shape: list[int], leaper: Leaper) -> None:
    graph = MoveGraph.of(Board.torus(*shape), leaper)
    outcome = find(Problem(graph), "torus")
    connected = networkx.is_connected(networkx.Graph(graph.to_networkx()))
    assert (outcome.tour is not None) == connected == (outcome.status != "infeasible")
    if outcome.tour is not None:
        verify_tour(outcome.tour)


def test_the_grid_of_a_torus() -> None:
    grid = torus_grid((6, 9), Leaper(1, 2).half_moves(2))
    assert grid is not None and sorted(grid.reshape(-1)) == list(range(54))
    assert sorted(grid_order(grid)) == list(range(54))
    assert torus_grid((4, 4), Leaper(2, 2).half_moves(2)) is None


@pytest.mark.parametrize("board", ["8x8", "cylinder:4x8", "torus:4x4-a1", "aztec:3"])
def test_torus_refuses_other_boards(board: str) -> None:
    with pytest.raises(KTError, match="torus"):
        find(Problem(graph_of(board)), "torus")


def test_open_tours_of_a_torus_start_where_asked() -> None:
    graph = graph_of("torus:5x6")
    for start in (0, 7, 29):
        outcome = find(Problem(graph, "path", None, (start,)), "torus", limits=Limits(seed=start))
        assert outcome.tour is not None and start in (outcome.tour.order[0], outcome.tour.order[-1])


@pytest.mark.parametrize("leaper", ["1,2", "1,4", "2,3", "0,1"])
def test_tours_of_a_torus_that_do_not_cross_themselves(leaper: str) -> None:
    for width, height in itertools.combinations_with_replacement(range(2, 13), 2):
        problem = Problem(graph_of(f"torus:{width}x{height}", Leaper.parse(leaper)), objective="crossings")
        tour = find(replace(problem, objective=None), "uncrossed").tour
        if leaper == "1,2" and width * height > 2:
            assert (tour is None) == (width % 6 == height % 6 == 0)
        if tour is not None:
            verify_tour(tour)
            assert tour.closed and tour.measure("crossings") == 0


@pytest.mark.parametrize("board", ["3x3", pytest.param("3x4", marks=pytest.mark.slow)])
def test_there_are_no_other_tours_of_a_torus_without_crossings(board: str) -> None:
    """Every choice of a move for each line, held against a count of all tours by their crossings."""
    problem = Problem(graph_of(f"torus:{board}"), objective="crossings")
    torus, half = problem.graph.geometry
    tours = set()
    for x, y in LINES:
        across = [move for move in np.concatenate([half, -half]) if x * move[1] - y * move[0] == 1]
        for row in itertools.product(across, repeat=torus.n // order(torus.shape, (x, y))):
            steps = np.array(list(itertools.islice(itertools.cycle(row), torus.n)))
            cells = np.cumsum(steps, axis=0) % torus.shape
            if len(np.unique(cells, axis=0)) == torus.n:
                tour = Tour(problem.graph, torus.numbers(cells), True, np.roll(steps, -1, axis=0))
                tours.add(frozenset(tour.edges.tolist()))
    assert len(tours) == count_solutions(problem, by_value=True).by_value[0]


def test_an_uncrossed_tour_is_taken_where_crossings_count() -> None:
    result = construct(Problem(graph_of("torus:8x8"), objective="crossings"))
    assert result is not None and (result.value, result.engine) == (0, "find/uncrossed")
    for board in ("8x8", "torus:4x4x4", "torus:4x4-a1"):
        with pytest.raises(KTError, match="uncrossed"):
            find(Problem(graph_of(board)), "uncrossed")


# -- existence ------------------------------------------------------------------------------------------------------


def boxes(dimension: int, longest: int, cells: int) -> list[tuple[int, ...]]:
    sides = itertools.combinations_with_replacement(range(2, longest + 1), dimension)
    return [shape for shape in sides if prod(shape) <= cells]


@pytest.mark.parametrize("shape", boxes(2, 9, 60) + boxes(3, 7, 100) + boxes(4, 5, 130) + boxes(5, 4, 110))
def test_existence_theorem_against_the_solver(shape: tuple[int, ...]) -> None:
    result = solve(Problem(graph_of("x".join(map(str, shape)))))
    assert result.status != "unknown"
    assert closed_tour_exists(shape) == (result.tour is not None)


@pytest.mark.parametrize("shape", [s for s in boxes(2, 6, 20) if prod(s) > 2])
def test_open_existence_theorem_against_all_tours(shape: tuple[int, int]) -> None:
    assert open_tour_exists(shape) == brute.has_tour("x".join(map(str, shape)), False)


def test_existence_does_not_look_at_order_or_sides_of_one() -> None:
    assert closed_tour_exists((1, 8, 8)) and not closed_tour_exists((4, 1, 7)) and not closed_tour_exists((1, 9))
    assert closed_tour_exists((4, 3, 2)) and closed_tour_exists((3, 2, 4)) and not closed_tour_exists((10, 2, 2))
    assert not closed_tour_exists((2, 3, 3)) and not closed_tour_exists((1, 1))
    assert open_tour_exists((1, 1)) and open_tour_exists((3, 3, 3)) is None and open_tour_exists((3, 4, 2))


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("2x2x1000001", "DeMaio and Mathew 2011"),
        ("101x101x101", "1,030,301 cells are odd"),
        ("2x2x2x100000", "Erde"),
        ("1x3x200001", "Schwenk"),
    ],
)
def test_large_boxes_without_tour_are_answered_at_sight(board: str, words: str) -> None:
    certificate = find_obstruction(Problem(graph_of(board)))
    assert certificate is not None and certificate.method == "theorem"
    assert words in check(Certificate.from_json(json.loads(json.dumps(certificate.to_json()))))


@pytest.mark.parametrize(("board", "leaper"), [("2x3x4", "1,2"), ("2x3x3", "1,4"), ("torus:2x2x3", "1,2")])
def test_the_theorem_rules_out_nothing_else(board: str, leaper: str) -> None:
    problem = Problem(graph_of(board, Leaper.parse(leaper)))
    with pytest.raises(CertificateError):
        check(Certificate("theorem", Statement(problem, "infeasible"), {}))


# -- leapers of three offsets ---------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 4), min_size=2, max_size=4).filter(any), st.integers(2, 5))
def test_moves_are_all_arrangements_of_the_offsets(offsets: list[int], dimension: int) -> None:
    leaper = Leaper(*offsets)
    if len(leaper.offsets) > dimension:
        with pytest.raises(KTError, match="dimensions"):
            leaper.half_moves(dimension)
        return
    padded = sorted([c for c in offsets if c] + [0] * dimension)
    padded = padded[len(padded) - dimension :]
    box = itertools.product(range(-4, 5), repeat=dimension)
    expected = [v for v in box if sorted(map(abs, v)) == padded and v > (0,) * dimension]
    assert [tuple(v) for v in leaper.half_moves(dimension).tolist()] == sorted(expected)


def test_offsets_of_zero_are_dropped_beyond_two() -> None:
    assert Leaper(0, 1, 2) == Leaper(1, 2) == Leaper.parse("2, 0,1") and hash(Leaper(0, 1, 2)) == hash(Leaper(1, 2))
    assert Leaper(0, 0, 1) == Leaper(0, 1) and str(Leaper(0, 0, 1)) == "0,1"
    assert str(Leaper(3, 1, 2)) == "1,2,3" and repr(Leaper(3, 1, 2)) == "Leaper(1, 2, 3)"
    assert (Leaper(2, 1).a, Leaper(2, 1).b) == (1, 2)
    assert graph_of("3x4x5", Leaper(0, 1, 2)) == graph_of("3x4x5")
    assert pickle.loads(pickle.dumps(Leaper(3, 1, 2))) == Leaper(1, 2, 3)
    with pytest.raises(CertificateError, match="two offsets"):
        _ = Leaper(1, 2, 3).b


@pytest.mark.parametrize("offsets", [(), (1,), (0, 0, 0), (-1, 2, 3), (1, 2, 10**7)])
def test_bad_offsets_are_refused(offsets: tuple[int, ...]) -> None:
    with pytest.raises(KTError):
        Leaper(*offsets)


@pytest.mark.parametrize("text", ["1,2,3,4,5,6,7,8,9", "0,0,0", "1,2,", "1,,2", "1,2,x", "1,2,-3"])
def test_bad_texts_are_refused(text: str) -> None:
    with pytest.raises(KTError):
        Leaper.parse(text)


def test_too_many_moves_are_refused() -> None:
    with pytest.raises(TooLarge, match="moves"):
        Leaper(1, 2, 3, 4, 5, 6, 7, 8).half_moves(8)


def test_degrees_of_a_three_offset_leaper() -> None:
    graph = graph_of("7x7x7", Leaper(1, 2, 3))
    assert len(graph.moves) == 24
    assert graph.degrees[graph.board.number((3, 3, 3))] == 48 and graph.degrees[0] == 6
    assert graph.m == 24 * 6 * 5 * 4
    assert (graph_of("torus:7x7x7", Leaper(1, 2, 2)).degrees == 24).all()


def test_a_tour_of_a_three_offset_leaper() -> None:
    graph = graph_of("6x7x8", Leaper(1, 2, 2))
    result = solve(Problem(graph))
    assert result.status == "feasible" and result.tour is not None
    verify_tour(result.tour)
    again = Tour(MoveGraph.from_json(json.loads(json.dumps(graph.to_json()))), result.tour.order, True)
    verify_tour(again)
    assert again.graph.leaper == Leaper(1, 2, 2)
    steps = np.abs(np.diff(result.tour.coordinates, axis=0))
    assert (np.sort(steps, axis=1) == [1, 2, 2]).all()


def test_impossible_boards_of_three_offset_leapers() -> None:
    for board, leaper in [("4x4x4", "1,2,3"), ("6x6x6", "1,2,2")]:  # Colours; a cut
        certificate = find_obstruction(Problem(graph_of(board, Leaper.parse(leaper))))
        assert certificate is not None and certificate.method == "cut"
