"""Boards and graphs from Python data: each form as it is meant, or refused in one line that names the others."""

from __future__ import annotations

import itertools
import math
from collections import namedtuple
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import kt
from kt_models import Board, KTError
from kt_models.files.boards import graph_from

FRAME = [[1, 1, 1], [1, 0, 1], [1, 1, 1]]
CYCLE = nx.cycle_graph(5)
LETTERS = [("a", "b"), ("b", "c"), ("c", "a")]
PAIRS = np.array([[0, 1], [1, 2], [2, 0]])


class Table:
    """What a data frame of pandas is here: names of columns, which it goes through, and an array."""

    columns = ("source", "target")

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return PAIRS


class Hashed:
    """What an array is in libraries where it has a hash: one by one, whatever is in it."""

    ndim = 2

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return PAIRS.T


class Other:
    """A graph that is not of networkx."""

    def nodes(self) -> list[int]:
        return [0, 1, 2]

    def edges(self) -> list[tuple[int, int]]:
        return [(0, 1), (1, 2), (2, 0)]


Row = namedtuple("Row", "Index source target")
FIVE = [[0, 1], [0, 4], [1, 2], [2, 3], [3, 4]]

# -- masks -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", [bool, int, np.int8, np.uint8, np.int64, float, np.float32, object], ids=lambda kind: kind.__name__
)
def test_an_array_of_0_and_1_is_a_mask(kind: type) -> None:
    frame = Board.parse("3x3-b2")
    for mask in (np.array(FRAME, dtype=kind), np.array(FRAME, dtype=kind).tolist(), list(np.array(FRAME, dtype=kind))):
        assert kt.graph(mask).board == frame
        assert kt.solve(mask).status == "feasible"
    assert kt.graph(np.ones((8, 8), dtype=kind)).board == Board.box(8, 8)
    assert kt.graph(np.ones((8, 8), dtype=kind)).name == "8x8"


def is_like_a_graph(mask: np.ndarray) -> bool:
    """Whether it may be the matrix of a graph as well, which kt asks about."""
    return mask.shape[0] == mask.shape[1] and bool((mask == mask.T).all()) and not mask.diagonal().any()


SHAPES = st.tuples(st.integers(1, 6), st.integers(1, 6))
MASKS = arrays.arrays(np.bool_, SHAPES).filter(lambda mask: mask.any() and not is_like_a_graph(mask))


@given(MASKS)
def test_a_mask_is_the_same_board_through_every_door(
    tmp_path_factory: pytest.TempPathFactory, mask: np.ndarray
) -> None:
    """The first row is the top one: in an array, a nested list, a list of tuples of Booleans, and a file."""
    top = len(mask) - 1
    cells = [(x, top - row) for row in range(len(mask)) for x in range(mask.shape[1]) if mask[row, x]]
    path = tmp_path_factory.mktemp("mask") / "m.txt"
    path.write_text("\n".join("".join("#" if cell else "." for cell in row) for row in mask) + "\n")
    forms: list[Any] = [mask, mask.tolist(), mask.astype(int), mask.astype(int).tolist(), [*map(tuple, mask.tolist())]]
    # Without cells= a drawing may be a map with walls, which kt asks about
    for form, signs in (*((form, {}) for form in forms), (f"@{path}", {"cells": "#"})):
        board = kt.graph(form, **signs).board
        assert board is not None and sorted(map(tuple, board.cells.tolist())) == sorted(cells)
        assert board.shape == mask.shape[::-1]
    board = kt.graph(mask).board
    assert board is not None and Board.from_json(board.to_json()) == board


def test_masks_of_more_dimensions_are_indexed_by_coordinates() -> None:
    solid = np.zeros((2, 3, 4), dtype=int)
    solid[1, 2, 3] = solid[0, 0, 0] = 1
    for form in (solid, solid.astype(bool), solid.tolist()):
        board = kt.graph(form).board
        assert board is not None and board.cells.tolist() == [[0, 0, 0], [1, 2, 3]]


# -- lists that can mean only one thing --------------------------------------------------------------------------------


def test_bare_lists_that_can_mean_only_one_thing() -> None:
    box = list(itertools.product(range(3), range(3), range(4)))
    assert kt.graph(box).board == Board.box(3, 3, 4) == kt.graph(cells=box).board == kt.graph(cells=np.array(box)).board
    assert kt.graph(iter(box)).board == Board.box(3, 3, 4)
    assert set(kt.solve(LETTERS).tour or ()) == set("abc")
    assert kt.graph([("b", "a", 3), ("b", "c", 4)]).labels == ("a", "b", "c")
    assert kt.graph([["a", "b"], ["b", "c"]]) == kt.graph([("a", "b"), ("b", "c")])


REFUSED: dict[str, tuple[Callable[[], Any], tuple[str, ...]]] = {
    "pairs of integers": (lambda: kt.solve(list(CYCLE.edges())), ("cells=", "edges=")),
    "a view of edges": (lambda: kt.solve(CYCLE.edges()), ("cells=", "edges=")),
    "an array of pairs": (lambda: kt.solve(np.array([[0, 1], [1, 2], [2, 3]])), ("cells=", "edges=")),
    "nested pairs": (lambda: kt.solve([[0, 1], [1, 2], [2, 3]]), ("cells=", "edges=")),
    "tuples of 0 and 1": (lambda: kt.solve([(1, 1, 1), (1, 0, 1)]), ("mask", "cells=")),
    "tuples of tuples": (lambda: kt.solve(((1, 1, 1), (1, 0, 1))), ("mask", "cells=")),
    "a mask with a 2": (lambda: kt.solve([[1, 1, 1], [1, 2, 1], [1, 1, 1]]), ("0 and 1", "cells=")),
    "an array with a 2": (lambda: kt.solve(np.full((8, 8), 2)), ("0 and 1", "adjacency=")),
    "visit numbers": (lambda: kt.solve(np.arange(12).reshape(3, 4)), ("0 and 1", "cells=")),
    "half a mask": (lambda: kt.solve(np.full((3, 3), 0.5)), ("0 and 1",)),
    "not a number": (lambda: kt.solve(np.full((3, 3), np.nan)), ("0 and 1",)),
    "a ragged mask": (lambda: kt.solve([[1, 1, 1], [1, 1]]), ("lengths", "mask")),
    "an empty mask": (lambda: kt.solve(np.zeros((3, 3), int)), ("no cell",)),
    "a masked array": (lambda: kt.solve(np.ma.array(np.ones((3, 3)), mask=np.eye(3))), ("hides",)),
    "a masked matrix": (lambda: kt.solve(adjacency=np.ma.array(np.ones((3, 3)))), ("hidden",)),
    "one dimension": (lambda: kt.solve(np.ones(8)), ("0 and 1",)),
    "a size": (lambda: kt.solve((8, 8)), ("did you mean '8x8'",)),
    "a dictionary": (lambda: kt.solve({0: [1]}), ("adjacency=",)),
    "the matrix of a graph": (lambda: kt.solve(nx.to_numpy_array(nx.petersen_graph())), ("mask", "adjacency=")),
    "nothing": (lambda: kt.solve(), ("cells=", "edges=", "adjacency=")),
    "two things": (lambda: kt.solve("8x8", edges=[(0, 1)]), ("board and edges",)),
    "several lengths": (lambda: kt.solve([(0, 0, 0), (1, 2)]), ("coordinates",)),
    "a number": (lambda: kt.solve(8), ("cells=",)),
    "texts": (lambda: kt.solve(["a1", "b3"]), ("cells=",)),
    "cells twice": (lambda: kt.solve(cells=[(0, 0), (1, 2), (0, 0)]), ("a1", "twice")),
    "names twice": (lambda: kt.solve(cells=["a1", "b3", "a1"]), ("a1", "twice")),
    "triples twice": (lambda: kt.solve([(0, 0, 0), (0, 1, 2), (0, 0, 0)]), ("0,0,0", "twice")),
    "holes twice": (lambda: kt.solve("8x8-a1,h8,a1"), ("a1", "twice")),
    "a mask as cells": (lambda: kt.solve(cells=FRAME), ("twice",)),
    "cells of floats": (lambda: kt.solve(cells=[(0.0, 1.0)]), ("whole numbers",)),
    "cells below 0": (lambda: kt.solve(cells=[(0, -1)]), ("from 0",)),
    "no cells": (lambda: kt.solve(cells=[]), ("coordinates",)),
    "cells of a text": (lambda: kt.solve(cells="8x8"), ("cells",)),
    "no edges": (lambda: kt.solve(edges=[]), ("empty",)),
    "an edge of one": (lambda: kt.solve(edges=[(0,)]), ("pair",)),
    "an edge as a text": (lambda: kt.solve(edges=["ab"]), ("pair",)),
    "a weight that is none": (lambda: kt.solve(edges=[(0, 1, "x")]), ("a weight must be a number",)),
    "some weights": (lambda: kt.solve(edges=[(0, 1, 2), (1, 2)]), ("no weight",)),
    "two weights": (lambda: kt.solve(edges=[(0, 1, 2), (1, 0, 3)]), ("two weights",)),
    "a node that is a list": (lambda: kt.solve(edges=[([0], 1)]), ("hashed",)),
    "names that are alike": (lambda: kt.graph(edges=[(Odd(), Odd())]), ("same name", "odd")),
    "a matrix of 2": (lambda: kt.solve(adjacency=2 * np.eye(3)[::-1]), ("the entry (0, 1) is 0", "missing=0")),
    "no square": (lambda: kt.solve(adjacency=np.ones((2, 3))), ("square",)),
    "no matrix": (lambda: kt.solve(adjacency=[1, 0]), ("square",)),
    "no symmetry": (lambda: kt.solve(adjacency=[[0, 1], [0, 0]]), ("0 leads to 1", "from both ends")),
    "no symmetry in a dictionary": (lambda: kt.solve(adjacency={"a": ["b"], "b": []}), ("a leads to b",)),
    "an edge index": (lambda: kt.solve(edges=np.array([[0, 1, 2], [1, 2, 0]])), ("transpose",)),
    "an edge index as lists": (lambda: kt.solve(edges=[[0, 1, 2, 3], [1, 2, 3, 0]]), ("transpose",)),
    "columns": (lambda: kt.solve(edges=list(PAIRS.T)), ("transpose",)),
    "coordinates apart": (lambda: kt.solve(cells=np.nonzero(np.ones((3, 4)))), ("transpose",)),
    "edges of Booleans": (lambda: kt.solve(edges=np.eye(2, dtype=bool)), ("no Booleans",)),
    "Boolean nodes": (lambda: kt.solve(edges=[(True, False)]), ("Boolean",)),
    "a node that is not a number": (lambda: kt.solve(edges=[(0, math.nan), (1, math.nan)]), ("NaN",)),
    "an array of more dimensions": (lambda: kt.solve(edges=np.zeros((2, 2, 2))), ("one row for each",)),
    "a table as edges": (lambda: kt.solve(edges=Table()), ("to_numpy",)),
    "a table as cells": (lambda: kt.solve(cells=Table()), ("to_numpy",)),
    "numbered rows of a table": (lambda: kt.solve(edges=[Row(0, 0, 1), Row(1, 1, 2)]), ("index=False",)),
    "a sparse matrix as edges": (lambda: kt.solve(edges=scipy.sparse.eye_array(3).tocoo()), ("pairs of nodes",)),
    "a graph as edges": (lambda: kt.solve(edges=nx.grid_2d_graph(3, 4)), ("pairs of nodes",)),
    "a graph as cells": (lambda: kt.solve(cells=nx.grid_2d_graph(3, 4)), ("(0, 0)",)),
    "a graph as adjacency": (lambda: kt.solve(adjacency=nx.grid_2d_graph(3, 4)), ("by itself",)),
    "keys of a multigraph": (lambda: kt.solve(edges=nx.MultiGraph([(0, 1), (1, 2)]).edges), ("multigraph",)),
    "arcs of a directed graph": (lambda: kt.solve(edges=ARCS.edges), ("directed=True",)),
    "arcs from their heads": (lambda: kt.solve(edges=ARCS.in_edges(data=True)), ("directed=True",)),
    "arcs with keys": (lambda: kt.solve(edges=nx.MultiDiGraph(ARCS).edges(keys=True)), ("directed",)),
    "a matrix of texts": (lambda: kt.solve(adjacency=np.full((3, 3), "1", dtype=object)), ("0 and 1",)),
    "a mask of nothing": (lambda: kt.solve(np.full((3, 3), None)), ("0 and 1",)),
    "a dictionary like a matrix": (lambda: kt.solve(adjacency={0: {0: 0, 1: 1}, 1: {0: 1, 1: 0, 2: 0}}), ("0 and 1",)),
    "weights of parallel edges": (lambda: kt.solve(adjacency=PARALLEL.adj), ("multigraph",)),
    "a node that cannot be written": (lambda: kt.solve(edges=[(Mute(), 1), (1, 2)]), ("cannot be written",)),
    "a node whose hash fails": (lambda: kt.solve(edges=[(Loud(), 1), (1, 2)]), ("hashed",)),
    "triples that are no cells": (lambda: kt.solve([(0, 1, 5), (1, 2, 6), (2, 0, 7)]), ("cells=", "edges=")),
    "a drawing in lists": (lambda: kt.solve([list("##"), list("#.")]), ("drawn mask", "edges=")),
    "bytes as an edge": (lambda: kt.solve(edges=[b"01", b"12"]), ("pair",)),
    "a weight that is not a number": (
        lambda: kt.solve(LETTERS, minimize={("a", "b"): math.nan}),
        ("must be a finite number",),
    ),
    "a start below 0": (lambda: kt.solve("5x6", start=(-1, 0)), ("cell -1,0 is not on the board",)),
    "named arrays": (lambda: kt.solve([("x", Hashed()), ("edge_index", Hashed())]), ("cells=", "edges=")),
    "arrays as nodes": (lambda: kt.solve(edges=[(0, Hashed()), (1, Hashed())]), ("hashed",)),
    "a graph of another library": (lambda: kt.solve(Other()), ("networkx.Graph",)),
    "neighbours as a text": (lambda: kt.solve(adjacency={"a": "b"}), ("neighbours",)),
}


ARCS = nx.DiGraph([(0, 1), (1, 2), (0, 2)])
PARALLEL = nx.MultiGraph([(0, 1, {"weight": 5}), (0, 1, {"weight": 2}), (1, 2, {"weight": 1}), (2, 0, {"weight": 1})])


class Mute:
    """An object that has no words."""

    def __repr__(self) -> str:
        raise RuntimeError


class Loud:
    """An object that has no hash."""

    def __hash__(self) -> int:
        raise RuntimeError


class Odd:
    """Two of these have one name."""

    def __repr__(self) -> str:
        return "odd"


@pytest.mark.parametrize("name", REFUSED)
def test_ambiguous_data_are_refused(name: str) -> None:
    call, words = REFUSED[name]
    with pytest.raises(KTError) as caught:
        call()
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 450
    assert all(word in str(caught.value) for word in words), str(caught.value)


SPARSE = ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")
# -- keywords ----------------------------------------------------------------------------------------------------------


def test_edges_and_adjacency_are_one_graph() -> None:
    matrix = nx.to_numpy_array(CYCLE, dtype=int)
    forms: list[dict[str, Any]] = [
        {"edges": list(CYCLE.edges())},
        {"edges": CYCLE.edges()},
        {"edges": np.array(CYCLE.edges())},
        {"edges": [[v, u] for u, v in CYCLE.edges()]},
        {"adjacency": matrix},
        {"adjacency": matrix.astype(bool)},
        {"adjacency": matrix.astype(float)},
        {"adjacency": matrix.tolist()},
        {"adjacency": nx.to_scipy_sparse_array(CYCLE)},
        *({"adjacency": scipy.sparse.coo_matrix(matrix).asformat(kind)} for kind in SPARSE),
        {"adjacency": matrix.astype(object)},
        {"adjacency": np.asmatrix(matrix)},
        {"adjacency": nx.to_dict_of_lists(CYCLE)},
        {"adjacency": nx.to_dict_of_dicts(CYCLE)},
        {"adjacency": CYCLE.adj},
        {"board": CYCLE},
    ]
    for form in forms:
        graph = kt.graph(**form)
        assert graph.ends.tolist() == FIVE and graph.labels is not None and list(graph.labels) == [0, 1, 2, 3, 4]
        assert kt.solve(**form).status == "feasible" and kt.count(**form) == 1


def test_every_function_that_takes_a_board_takes_the_keywords() -> None:
    square = [(0, 1), (1, 2), (2, 3), (3, 0)]
    assert kt.problem(edges=square).digest == kt.problem(nx.Graph(square)).digest
    assert kt.find(edges=square).tour is not None
    assert kt.longest(edges=square).moves == 4
    assert len(list(kt.tours(edges=square))) == 1
    rectangle = list(itertools.product(range(3), range(4)))
    assert kt.bound(cells=rectangle, open=True).statement.value is not None
    assert "<svg" in (kt.draw(cells=rectangle) or "")
    assert kt.best(cells=rectangle, open=True).result is not None
    assert kt.magic(cells=list(itertools.product(range(4), range(4))), time_limit=20).status in (
        "infeasible",
        "unknown",
    )


def test_the_nodes_of_edges_are_the_users() -> None:
    graph = kt.graph(edges=[(30, 10), (20, 30), (10, 20)])
    assert graph.labels == (10, 20, 30)
    assert kt.graph(edges=[[np.array(0), np.array(1)], [np.int8(1), np.uint64(0)]]).labels == (0, 1)
    assert kt.graph(adjacency={0: {1: 0, 2: 5}, 1: {0: 0, 2: 1}, 2: {0: 5, 1: 1}}).weights.tolist() == [0, 5, 1]  # type: ignore[union-attr]
    weighted = kt.graph(edges=[("x", "y", 3), ("y", "z", {"weight": 4}), ("z", "x", np.int64(5))])
    assert (
        weighted.labels == ("x", "y", "z") and weighted.weights is not None and weighted.weights.tolist() == [3, 5, 4]
    )
    assert kt.graph(edges=[(1, "1")]).name_of(1) == "'1'"
    points = kt.graph(edges=[((0, 0), (1, 2)), ((1, 2), (2, 0))])
    assert points.name_of(1) == "(1, 2)" and kt.solve(edges=[((0, 0), (1, 2)), ((1, 2), (2, 0))], open=True).tour


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=12))
def test_edges_mean_what_networkx_means(pairs: list[tuple[int, int]]) -> None:
    graph = graph_from(edges=pairs)
    other = nx.Graph(pairs)
    other.remove_edges_from(nx.selfloop_edges(other))
    assert graph.labels is not None and set(graph.labels) == set(other)
    mine = {frozenset((graph.labels[u], graph.labels[v])) for u, v in graph.ends.tolist()}
    assert mine == set(map(frozenset, other.edges()))


def test_adjacency_that_is_not_symmetric_is_directed() -> None:
    forms: list[dict[str, Any]] = [
        {"adjacency": [[0, 1, 0], [0, 0, 1], [1, 0, 0]]},
        {"adjacency": scipy.sparse.csr_matrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]])},
        {"adjacency": {0: [1], 1: [2], 2: [0]}},
        {"board": nx.DiGraph([(0, 1), (1, 2), (2, 0)])},
    ]
    for form in forms:
        assert list(kt.solve(**form).tour or ()) in ([0, 1, 2], [1, 2, 0], [2, 0, 1])
    assert kt.solve(adjacency={0: [1, 2], 1: [2], 2: [1]}).status == "infeasible"


def test_an_arc_is_no_set_as_sets_have_no_order() -> None:
    pairs = [frozenset({0, 1}), frozenset({1, 2}), frozenset({2, 0})]
    assert kt.solve(edges=pairs).tour is not None
    with pytest.raises(kt.KTError, match="an edge is a pair of nodes"):
        kt.solve(edges=pairs, directed=True)
