"""Tours: verified with the first fault named, canonical forms, files both ways."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kt
from cli.output import tour_text
from kt_models import (
    Board,
    InvalidTour,
    KTError,
    Leaper,
    MoveGraph,
    Symmetry,
    Tour,
    graph_of,
    read_tour,
    verify,
    write_tour,
)
from kt_models.tour import tour_from_json, tour_to_json
from tests import brute
from tests.strategies import SMALL_TOURS, tours


def repickled(tour: Tour) -> Tour:
    again: Tour = pickle.loads(pickle.dumps(tour))
    return again


def a_tour(board: str = "5x6", closed: bool = True) -> Tour:
    return Tour(graph_of(board), np.array(brute.tours(board, closed)[0]), closed)


@given(tours())
def test_every_known_tour_verifies(tour: Tour) -> None:
    verify(tour)
    assert len(set(tour.edges.tolist())) == len(tour) - (not tour.closed)


@given(tours(), st.data())
def test_a_tour_stays_a_tour_under_every_symmetry(tour: Tour, data: st.DataObject) -> None:
    symmetry = data.draw(st.sampled_from(tour.graph.symmetries()))
    image = tour.transformed(symmetry)
    verify(image)
    assert np.array_equal(image.canonical().order, tour.canonical().order)
    assert (symmetry in tour.symmetries()) == (set(image.edges.tolist()) == set(tour.edges.tolist()))


@given(tours(), st.integers(0, 29), st.booleans())
def test_canonical_form_forgets_start_and_direction(tour: Tour, turn: int, flip: bool) -> None:
    order = tour.order[::-1] if flip else tour.order
    if tour.closed:
        order = np.roll(order, turn)
    same = Tour(tour.graph, order, tour.closed)
    assert np.array_equal(same.normalised().order, tour.normalised().order)
    assert np.array_equal(same.canonical().order, tour.canonical().order)
    verify(tour.canonical())


@given(tours(), st.integers(0, 29), st.booleans(), st.sampled_from([lambda t: t, copy.copy, copy.deepcopy, repickled]))
def test_equal_tours_are_equal_values(tour: Tour, turn: int, flip: bool, copied: Callable[[Tour], Tour]) -> None:
    """Start and direction do not count: what a user puts into a set is a tour, not the order it was found in."""
    order = np.roll(tour.order, turn) if tour.closed else tour.order
    other = copied(Tour(graph_of(tour.graph.name), order[::-1] if flip else order, tour.closed))
    assert other == tour and hash(other) == hash(tour) and {other} == {tour}
    assert other.canonical() == tour.canonical() and other.normalised() == tour.normalised()
    assert (other.reversed(), other.transformed(Symmetry.identity(2))) == (tour, tour)
    assert {*map(frozenset, other.moves)} == {*map(frozenset, tour.moves)}
    with pytest.raises(ValueError, match="read-only"):
        other.order[0] = 1


@pytest.mark.parametrize(("board", "closed"), SMALL_TOURS)
def test_tours_are_equal_exactly_when_they_make_the_same_moves(board: str, closed: bool) -> None:
    tours = [Tour(graph_of(board), np.array(order), closed) for order in brute.tours(board, closed)]
    assert len(set(tours)) == len({frozenset(tour.edges.tolist()) for tour in tours}) == len(tours)
    assert tours[0] != list(tours[0]) and tours[0] != None  # noqa: E711


def test_tours_of_other_boards_or_kinds_differ() -> None:
    order = next(iter(brute.tours("5x6", True)))
    tour, opened = Tour(graph_of("5x6"), order, True), Tour(graph_of("5x6"), order, False)
    camel = Tour(MoveGraph.of(Board.parse("5x6"), Leaper(1, 3)), order, True)
    assert len({tour, opened, camel}) == 3
    tops = [Tour(graph_of("5x6"), [order[0]] * n, True) for n in (1, 2)]
    assert tops[0] != tops[1] and tops[1] == Tour(graph_of("5x6"), [order[0]] * 2, True)  # Wrong ones are values too


def test_on_a_torus_the_moves_count_too() -> None:
    """Between the same two cells there can be several moves: tours that make different ones differ."""
    graph = graph_of("torus:1x4")
    right, left = ([[2, 1]] * 4, [[-2, 1]] * 4)
    straight, mixed = Tour(graph, range(4), True, right), Tour(graph, range(4), True, [*right[:3], left[3]])
    assert straight == Tour(graph, range(4), True, [[2, 1]] * 4) == straight.reversed() != mixed
    assert straight.canonical() == mixed.canonical()
    with pytest.raises(KTError, match="one vector for each step"):
        Tour(graph, range(4), True, right[:3])


@pytest.mark.parametrize("key", ["tour", "moves", "closed"])
@pytest.mark.parametrize("value", [True, None, 0, 1.5, "a1", {}, {"a": 1}, [1], [[1]], [[0, 0], None], [[2, 1]] * 3])
def test_a_file_with_a_wrong_value_is_refused(key: str, value: object) -> None:
    data = tour_to_json(Tour(graph_of("torus:1x4"), range(4), True, [[2, 1]] * 4))
    if value == (data[key]):
        return
    with pytest.raises(KTError):
        verify(tour_from_json({**data, key: value}))


@given(tours())
def test_a_tour_is_a_sequence_of_cells(tour: Tour) -> None:
    cells = list(tour)
    assert [tour[i] for i in range(len(tour))] == cells == [tour[i - len(tour)] for i in range(len(tour))]
    assert (tour[2:9:3], tour[::-1], tour[-2:]) == (cells[2:9:3], cells[::-1], cells[-2:])
    assert list(reversed(tour)) == cells[::-1] and cells[3] in tour and (99, 99) not in tour
    for wrong, error in ((len(tour), IndexError), ("a1", TypeError)):
        with pytest.raises(error):
            tour[wrong]


@given(tours())
def test_numbers_are_the_grid_that_is_printed(tour: Tour) -> None:
    rows = [[int(word) for word in line.split()] for line in tour_text(tour).splitlines()]
    assert tour.numbers.tolist() == rows
    height = tour.numbers.shape[0]
    assert all(tour.numbers[height - 1 - y, x] == place for place, (x, y) in enumerate(tour, start=1))


def test_numbers_at_holes_and_in_space() -> None:
    holes = kt.read("a1 b3 c1 a2 c3 b1 a3 c2", "3x3-b2")
    verify(holes)
    assert holes.numbers.tolist() == [[7, 2, 5], [4, 0, 8], [1, 6, 3]]
    box = Tour(kt.graph("2x2x2"), [2], False)
    assert box.numbers[0, 1, 0] == 1 == box.numbers.sum() and box.numbers.shape == (2, 2, 2)
    with pytest.raises(KTError, match="no board"):
        Tour(MoveGraph.from_edges(3, [[0, 1]]), [0], False).numbers  # noqa: B018


def test_tours_are_read_from_cells() -> None:
    tour = a_tour("3x10")
    names = [tour.graph.name_of(v) for v in tour.order.tolist()]
    for board in ("3x10", Board.parse("3x10"), tour.graph):
        for cells in (list(tour), names, np.array(list(tour)), iter(names), [list(cell) for cell in tour]):
            assert kt.read(cells, board, closed=True) == tour
    path = a_tour("3x4", False)
    assert kt.read(list(path), "3x4", closed=False) == path and not path.closed
    square = networkx.cycle_graph(["n", "e", "s", "w"])
    assert kt.read(["n", "e", "s", "w"], square)[1] == "e"
    for wrong in ([(9, 9)], np.array([[9, 9]]), ["z9"], "a1", 7, [None], [(0, 0.0)], [(0, True)]):
        with pytest.raises(KTError):
            kt.read(wrong, "3x10", closed=True)


def test_classes_by_canonical_form_agree_with_burnside() -> None:
    """Each class has |group| / |stabiliser| members: the 8 tours of 5×6 add up."""
    classes = {}
    for order in brute.tours("5x6", True):
        tour = Tour(graph_of("5x6"), np.array(order), True)
        classes[tuple(tour.canonical().order.tolist())] = len(tour.symmetries())
    assert sum(4 // stabiliser for stabiliser in classes.values()) == 8


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda o: [*o[:5], o[2], *o[6:]], "is visited twice, at positions 3 and 6"),
        (lambda o: o[:-1], "is not visited: the tour has 29 of 30"),
        (lambda o: [99, *o[1:]], "position 1 is not a vertex"),
        (lambda o: [-1, *o[1:]], "position 1 is not a vertex"),
        (lambda o: [o[1], o[0], *o[2:]], "is not a 1,2 move"),
        (lambda o: [*o[:-2], o[-1], o[-2]], "is not a 1,2 move"),
        (lambda o: [], "is not visited"),
    ],
)
def test_verify_names_the_first_fault(change, message: str) -> None:
    good = a_tour()
    with pytest.raises(InvalidTour, match=message):
        verify(Tour(good.graph, np.array(change(good.order.tolist()), dtype=np.int32), True))


def test_an_open_tour_does_not_close() -> None:
    tour = next(Tour(graph_of("5x5"), np.array(o), True) for o in brute.tours("5x5", False))
    with pytest.raises(InvalidTour, match="the tour does not close"):
        verify(tour)


@given(tours(), st.data())
def test_swapping_two_cells_is_always_noticed(tour: Tour, data: st.DataObject) -> None:
    i, j = data.draw(st.lists(st.integers(0, len(tour) - 1), min_size=2, max_size=2, unique=True))
    order = tour.order.copy()
    order[[i, j]] = order[[j, i]]
    swapped = Tour(tour.graph, order, tour.closed)
    around = brute.edge_set  # A swap that happens to be a tour is one of the known tours
    try:
        verify(swapped)
    except InvalidTour:
        return
    known = {around(tour.graph, o, tour.closed) for o in brute.tours(tour.graph.name, tour.closed)}
    assert frozenset(swapped.edges.tolist()) in known


@given(tours())
def test_files_give_the_tour_back(tmp_path_factory, tour: Tour) -> None:
    folder = tmp_path_factory.mktemp("tours")
    for suffix in ("json", "tour"):
        path = folder / f"t.{suffix}"
        write_tour(path, tour)
        back = read_tour(path)
        assert back.graph == tour.graph
        assert back.closed == tour.closed
        assert np.array_equal(back.order, tour.order)


def test_tours_of_strangers_graphs_in_files(tmp_path) -> None:
    square = MoveGraph.from_edges(4, [[0, 1], [1, 2], [2, 3], [0, 3]], "square")
    tour = Tour(square, np.array([0, 1, 2, 3]), True)
    write_tour(tmp_path / "t.json", tour)
    verify(read_tour(tmp_path / "t.json"))
    write_tour(tmp_path / "t.tour", tour)
    verify(read_tour(tmp_path / "t.tour", square))
    with pytest.raises(InvalidTour, match="0 to 2 is not an edge"):
        verify(Tour(square, np.array([0, 2, 1, 3]), True))


def test_a_torus_tour_keeps_which_moves_it_makes() -> None:
    graph = graph_of("torus:1x4")
    order = [0, 1, 2, 3]
    steps = np.array([[2, 1]] * 4)
    tour = Tour(graph, np.array(order), True, steps)
    verify(tour)
    assert tour.measure("turns") == 0
    back = tour_from_json(json.loads(json.dumps(tour_to_json(tour))))
    assert np.array_equal(back.steps.kinds, tour.steps.kinds)
    assert np.array_equal(back.steps.forward, tour.steps.forward)


BAD_JSON = {
    "truncated": '{"version": 2, "kind": "tour", "board": "5x5", "tour": [[0, 0], [1',
    "empty": "",
    "not json": "hello",
    "a number": "3",
    "nothing in it": "{}",
    "no version": '{"board": "5x5", "tour": [[0, 0]], "closed": false}',
    "future version": '{"version": 99, "board": "5x5", "tour": [[0, 0]], "closed": false}',
    "no closed": '{"version": 2, "board": "5x5", "tour": [[0, 0]]}',
    "NaN": '{"version": 2, "board": "5x5", "closed": true, "tour": [[NaN, 0]]}',
    "infinity": '{"version": 2, "board": "5x5", "closed": true, "tour": [[Infinity, 0]]}',
    "floats": '{"version": 2, "board": "5x5", "closed": true, "tour": [[0.0, 0]]}',
    "booleans": '{"version": 2, "board": "5x5", "closed": true, "tour": [[true, 0]]}',
    "texts": '{"version": 2, "board": "5x5", "closed": true, "tour": [["a", "b"]]}',
    "names": '{"version": 2, "board": "5x5", "closed": true, "tour": ["a1", "b3"]}',
    "ragged": '{"version": 2, "board": "5x5", "closed": true, "tour": [[0, 0], [1]]}',
    "deep": '{"version": 2, "board": "5x5", "closed": true, "tour": ' + "[" * 100000 + "]" * 100000 + "}",
    "too large a number": '{"version": 2, "board": "5x5", "closed": true, "tour": [[99999999999999999999, 0]]}',
    "huge integer": '{"version": 2, "board": "5x5", "closed": true, "tour": [[' + "9" * 5000 + ", 0]]}",
    "off the board": '{"version": 2, "board": "5x5", "closed": true, "tour": [[5, 0]]}',
    "three coordinates": '{"version": 2, "board": "5x5", "closed": true, "tour": [[0, 0, 0]]}',
    "no board": '{"version": 2, "closed": true, "tour": [[0, 0]]}',
    "board of wrong type": '{"version": 2, "board": [5, 5], "closed": true, "tour": [[0, 0]]}',
    "huge board": '{"version": 2, "board": "1000000000x1000000000", "closed": true, "tour": [[0, 0]]}',
    "bad leaper": '{"version": 2, "board": "5x5", "leaper": "0,0", "closed": true, "tour": [[0, 0]]}',
    "cells of wrong type": '{"version": 2, "board": "@m", "cells": [[0]], "closed": true, "tour": [[0, 0]]}',
    "negative cells": '{"version": 2, "board": "@m", "cells": [[0, -1]], "closed": true, "tour": [[0, 0]]}',
    "empty tour": '{"version": 2, "board": "5x5", "closed": true, "tour": []}',
}


@pytest.mark.parametrize("text", BAD_JSON.values(), ids=BAD_JSON.keys())
def test_bad_tour_files_are_named_in_one_line(tmp_path, text: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(KTError) as caught:
        verify(read_tour(path))
    assert str(path) in str(caught.value) or isinstance(caught.value, InvalidTour)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "text",
    [
        "",
        "TOUR_SECTION\n1\n2\n",
        "TOUR_SECTION\n1\nx\n-1\n",
        "DIMENSION : 3\nTOUR_SECTION\n1\n2\n-1\n",
        "TOUR_SECTION\n0\n-1\n",
        "TOUR_SECTION\n26\n-1\n",
    ],
)
def test_bad_tsplib_files(tmp_path, text: str) -> None:
    path = tmp_path / "bad.tour"
    path.write_text(text)
    with pytest.raises(KTError) as caught:
        read_tour(path, graph_of("5x5"))
    assert str(caught.value).startswith(str(path))


def test_binary_and_missing_files(tmp_path) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(b"\xff\xfe\x00")
    for bad in (path, tmp_path / "none.json", tmp_path):
        with pytest.raises(KTError, match=r"cannot read|not a text"):
            read_tour(bad)
