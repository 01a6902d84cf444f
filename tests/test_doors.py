"""Every form of a board, graph or tour through every door: written, read back the same; damaged, refused in one line.

The table of docs/use/format.md and the one here have the same rows and the same doors.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from click.testing import CliRunner

import kt
from cli.explore.job import Allowance
from cli.explore.job_requests import job_of
from cli.explore.opening import open_text
from cli.main import main
from kt_models import Board, KTError, MoveGraph, Problem, Tour, read_graph
from kt_models.directed import DirectedGraph, SplitGraph
from kt_models.files.given import read_tour
from kt_models.files.graph_forms.write import WRITERS
from kt_models.files.tours import tour_to_tsplib
from kt_models.tour import tour_to_json
from tests.house import ROOT

DOORS = ("command line", "standard input", "Python", "explorer")
CASES = ROOT / "tests/kt_models/cases"
HCP = ("k4.hcp", "k4b.hcp", "fixed-after.hcp", "lower-no-end.hcp")
BOARDS = ("4x5", "3x3-b2", "3x4-a1,c4", "2x3x4", "torus:3x4", "aztec:2")
PLANE = ("4x5", "3x3-c2", "3x4-a1,c4")


def graphs(*names: str) -> list[Problem]:
    """Problems about boards and files of graphs."""
    return [Problem(read_graph(CASES / name) if "." in name else MoveGraph.of(Board.parse(name))) for name in names]


def moves_of(text: str) -> Problem:
    """The moves of a board as a graph without one."""
    graph = MoveGraph.of(Board.parse(text))
    return Problem(MoveGraph.from_edges(graph.n, graph.ends))


def unnamed(problem: Problem) -> MoveGraph:
    """The graph of a board whose name says nothing."""
    board = problem.graph.board
    assert board is not None
    return MoveGraph.of(Board(board.shape, board.mask, board.wraps, "cells:0"))


def names_of(problem: Problem) -> list[str]:
    """What the vertices are called, by number."""
    place = problem.graph.directed if isinstance(problem.graph, SplitGraph) else problem.graph
    return [place.name_of(vertex) for vertex in range(problem.graph.vertex_count)]


def letters(fixed: bool = False) -> Problem:
    """A square with a chord between vertices with names, perhaps with a fixed edge."""
    graph = MoveGraph.from_edges(4, [[0, 1], [1, 2], [2, 3], [0, 3], [0, 2]], labels=("anna", "bert", "carl", "dora"))
    return Problem(graph.having(fixed=frozenset({0} if fixed else ())))


def weighed(problem: Problem) -> Problem:
    """A problem whose edges or arcs weigh something, not all the same."""
    graph = problem.graph
    weights = np.arange(graph.m) * 7 % 5 - 2
    weights[: graph.first_arc if isinstance(graph, SplitGraph) else 0] = 0
    return Problem(graph.having(weights=weights))


def weighing(problem: Problem) -> str:
    """The digest of the problem to make the weight of the graph least."""
    return replace(problem, objective="weight").digest


def directed(fixed: bool = False) -> Problem:
    """A directed graph with two cycles, perhaps with a fixed arc."""
    graph = DirectedGraph.from_arcs(3, [(0, 1), (1, 2), (2, 0), (1, 0), (0, 2), (2, 1)], labels=range(1, 4)).split()
    return Problem(graph.having(fixed=frozenset({graph.joining(2, 1)} if fixed else ())))


RING = kt.problem(nx.DiGraph([(1, 2), (2, 3), (3, 4), (4, 1), (2, 1)]))
"""A directed graph with one cycle."""
ROADS = kt.problem(edges=[(u, v, 3 * u + v) for u in range(1, 5) for v in range(1, u)])
"""A graph with all edges, and weights."""


def matrix_of(problem: Problem) -> np.ndarray:
    """The matrix of a graph: 0 and 1, or weights."""
    graph = problem.graph
    n, split = graph.vertex_count, isinstance(graph, SplitGraph)
    matrix = np.zeros((n, n), dtype=int)
    weights = graph.weights_in_unit() or [1] * (graph.directed.m if isinstance(graph, SplitGraph) else graph.m)
    for (u, v), weight in zip((graph.directed.arcs if split else graph.ends).tolist(), weights, strict=True):
        matrix[u, v] = weight
        if not split:
            matrix[v, u] = weight
    return matrix


def matrix_text(problem: Problem) -> str:
    """The matrix of a graph below its size."""
    rows = matrix_of(problem).tolist()
    return f"{len(rows)}\n" + "".join(" ".join(map(str, row)) + "\n" for row in rows)


def neighbour_lists(problem: Problem, row: str) -> str:
    """A list of neighbours for each vertex."""
    names = names_of(problem)
    return "".join(
        row.format(names[u], " ".join(names[v] for v in np.flatnonzero(line)))
        for u, line in enumerate(matrix_of(problem))
    )


@dataclass(frozen=True)
class Text:
    """A form that is a text in a file.

    Parameters
    ----------
    ending
        Of the file's name.
    problems
        Some that can be written.
    write
        A problem as a text.
    damage
        Places of the first problem's text, and what stands there instead.
    says
        What a refusal has to hold: the form that can be read.
    """

    ending: str
    problems: list[Problem]
    write: Callable[[Problem], str]
    damage: list[tuple[str, str]]
    says: str
    names: bool = True


def mask_of(problem: Problem) -> np.ndarray:
    """The board as an array of Booleans, the top row first."""
    board = problem.graph.board
    assert board is not None
    return (board.grid >= 0).T[::-1]


def drawing(problem: Problem) -> str:
    """The board in characters."""
    return "".join("".join("#" if cell else "." for cell in row) + "\n" for row in mask_of(problem))


def tour_of(problem: Problem) -> Tour:
    """The first tour, of a closed or open problem."""
    tour = kt.find(problem).tour
    assert tour is not None
    return tour


TOUR_TEXTS: dict[str, Text] = {
    "drawn mask": Text(
        ".txt", graphs(*PLANE), drawing, [("#", "x"), ("#", "1"), ("#", "\t"), ("\n", "\n\n")], "'#' (cell)"
    ),
    "TSPLIB graph": Text(
        ".hcp",
        [
            *graphs("k4.hcp", "k4b.hcp", "fixed-after.hcp", "lower-no-end.hcp"),
            moves_of("4x5"),
            letters(),
            letters(True),
            directed(),
            directed(True),
        ],
        lambda problem: WRITERS[".hcp"](problem.graph),
        [
            ("EDGE_DATA_SECTION", "EDGE_DATE_SECTION"),
            ("DIMENSION : 4", "DIMENSION : 3"),
            ("TYPE : HCP", "TYPE : TSP"),
            ("FIXED_EDGES_SECTION", "FIXED_EDGE_SECTION"),
            ("EDGE_LIST", "EDGES"),
            ("\n1 3\n", "\n1 3 2\n"),
            ("\n1 3\n", "\n1 3 2 4\n"),
            ("DIMENSION", 'COMMENT : kt-label 1 "anna"\nDIMENSION'),
            ("\n1 3\n", "\n1 0\n"),
            ("\n1 3\n", "\n1 c\n"),
            ("\n1 3\n", "\n-1\n"),
            ("DIMENSION : 4\n", ""),
            ("-1\nEOF", "1 1\n-1\nEOF"),
            ("EOF", "EOF\n1 2"),
        ],
        "TSPLIB",
    ),
    "DIMACS graph": Text(
        ".col",
        [*graphs("lower-no-end.hcp"), moves_of("4x5"), letters()],
        lambda problem: WRITERS[".col"](problem.graph),
        [
            ("p edge 3 3", "p edge 3 4"),
            ("p edge 3 3", "p edge 2 3"),
            ("p edge 3 3\n", ""),
            ("e 1 2\n", ""),
            ("e 1 2", "e 1"),
            ("e 1 2", "e 1 2 3"),
            ("e 1 2", "e 1 x"),
            ("p edge", "c kt-label 2 7\np edge"),
            ("e 1 2", "a 1 2"),
            ("p edge", "p edges of"),
        ],
        "DIMACS",
    ),
    "list of edges": Text(
        ".edges",
        [*graphs("ids.edges"), moves_of("4x5"), letters(), weighed(letters())],
        lambda problem: WRITERS[".edges"](problem.graph),
        [
            ("10 20", "10"),
            ("10 20", "10 20 x"),
            ("10 20", "10 20 3"),
            ("10 20", "10 20 3 4"),
            ("10 20", "10;20"),
            ("10 20", "(10 20)"),
            ("10 20", "30 2"),
            ("10 20", "10, 20 30"),
            ("10 20", "010 20"),
            ("10 20", "10.0 20"),
        ],
        "a list of edges",
    ),
    "edges below a count": Text(
        ".edges",
        [moves_of("4x5"), *graphs("lower-no-end.hcp"), letters()],
        lambda problem: f"{problem.graph.n}\n" + WRITERS[".edges"](problem.graph),
        [
            ("20\n", "21\n"),
            ("20\n", "0\n"),
            ("20\n", "vertices\n"),
            ("20\n", "20\n19\n20\n21\n"),
            ("\n0 ", "\n0.5 "),
            ("\n0 ", "\n-1 "),
        ],
        "a list of edges",
    ),
    "matrix": Text(
        ".mtx",
        [moves_of("4x5"), *graphs("lower-no-end.hcp"), RING, ROADS],
        matrix_text,
        [
            ("\n0 ", "\n0 0 "),
            ("\n0 ", "\n"),
            ("\n0 ", "\nx1 "),
            (" 1", " 2"),
            (" 1", " -1"),
            (" 1", " inf"),
            ("0 0", "%%MatrixMarket 0 0"),
        ],
        "a square matrix",
    ),
    "lists of neighbours": Text(
        ".adjlist",
        [moves_of("4x5"), letters()],
        lambda problem: neighbour_lists(problem, "{} {}\n"),
        [("\n1 ", "\n1 0 "), ("\n1 ", "\n[1 "), ("\n1 ", "\n1 | ")],
        "lists of neighbours",
    ),
    "lists of nauty": Text(
        ".lst",
        [moves_of("4x5"), *graphs("lower-no-end.hcp"), RING],
        lambda problem: f"Graph 1, order {problem.graph.vertex_count}.\n" + neighbour_lists(problem, "  {} : {};\n"),
        [
            ("order 20", "order 19"),
            ("order 20.", "order 20"),
            ("  1 :", "  2 :"),
            ("  1 :", "  1"),
            ("  1 :", "  1 : x"),
            ("  1 :", "  1 : 77"),
        ],
        "lists of neighbours",
    ),
    "JSON graph": Text(
        ".json",
        [
            *graphs("k4.hcp", "k4b.hcp", "ids.edges"),
            letters(),
            letters(True),
            directed(),
            directed(True),
            *map(weighed, (letters(True), directed(True))),
        ],
        lambda problem: WRITERS[".json"](problem.graph),
        [
            ('"vertices": 4', '"vertices": 3'),
            ('"vertices": 4', '"vertices": "4"'),
            ("[0, 1]", "[0, 1.0]"),
            ("[0, 1]", "[0]"),
            ("[1, 2, 3, 4]", "[1, 2, 3]"),
            ("[1, 2, 3, 4]", "[1, 2, 3, 3]"),
            ('"edges"', '"edge"'),
            ('"required": [0]', '"required": [6]'),
            ("[1, 2, 3, 4]", "[1, 2, 3, null]"),
            *(
                ('"required"', f'"{key}"')
                for key in ("forbidden", "require", "Required", "fixed", "terminals", "weights")
            ),
            ('"labels"', '"label"'),
            ('"kind": "graph"', '"kind": "certificate"'),
            *(
                ('"vertices"', f'{more}, "vertices"')
                for more in (
                    '"directed": true',
                    '"directed": false',
                    '"open": true',
                    '"connectivity": "path"',
                    '"start": 0',
                    '"symmetry": ["rot90"]',
                    '"leaper": "1,2"',
                    '"wraps": [true, true]',
                    '"shape": [2, 2]',
                    '"cells": [[0, 0]]',
                    '"arcs": [[0, 1]]',
                    '"vertices": 4',
                    '"edge_weights": [1, 2]',
                    '"": 0',
                    '"weights": 0',
                )
            ),
        ],
        "JSON",
    ),
    "JSON board": Text(
        ".json",
        [*graphs(*BOARDS), weighed(*graphs("3x4-a1,c4"))],
        lambda problem: WRITERS[".json"](unnamed(problem).having(weights=problem.graph.weights)),
        [
            ("[0, 0], ", "[0, 1], "),
            ("[0, 0], ", "[0, 0.5], "),
            ("[0, 0], ", "[0], "),
            ("[0, 0], ", "[0, -1], "),
            ('"shape": [4, 5]', '"shape": [4, 4]'),
            ('"1,2"', '"1"'),
            ("[false, false]", "[false]"),
            ('"board"', '"bord"'),
            ('"cells"', '"cell"'),
            ('"board"', '"labels": ["a"], "board"'),
            ('"board"', '"edge_weights": [1], "board"'),
            ('"board"', '"holes": [[0, 0]], "board"'),
            ('"board"', '"vertices": 20, "edges": [[0, 1]], "board"'),
        ],
        "JSON",
    ),
    "JSON result": Text(
        ".json",
        [*graphs("k4b.hcp", "fixed-after.hcp", "3x4"), kt.problem(nx.DiGraph([(0, 1), (1, 2), (0, 2)]))],
        lambda problem: json.dumps(kt.solve(problem).to_json()),
        [
            ('"vertices": 4', '"vertices": 3'),
            ("[0, 1]", "[0, 9]"),
            ('"required"', '"forbidden"'),
            ('"edges"', '"egdes"'),
            ('"required"', '"require"'),
            ('"labels"', '"directed": true, "labels"'),
            ('"labels"', '"wraps": [true], "labels"'),
        ],
        "JSON",
    ),
}


def through_command_line(form: Path | str) -> Problem:
    """What a command reads as its BOARD: it converts it, for all other commands read it by the same function."""
    return _converted(str(form), "")


def through_standard_input(text: str, drawn: bool = False) -> Problem:
    """The same of a text on standard input."""
    return _converted("@-" if drawn else "-", text)


def _converted(board: str, text: str) -> Problem:
    with TemporaryDirectory() as folder:
        target = f"{folder}/out.json"
        result = CliRunner().invoke(main, ["convert", board, target], input=text)
        if result.exit_code:
            assert result.exit_code == 2 and result.stdout == "" and result.stderr.count("\n") == 1, result.output
            raise KTError(result.stderr.strip())
        return Problem(read_graph(target))


def through_explorer(name: str, text: str) -> Problem:
    """What the page asks about after a file was opened."""
    form = open_text({"name": name, "text": text})
    return asked({field: form[field] for field in ("board", "leaper") if field in form})


def asked(form: dict[str, Any]) -> Problem:
    """What the page asks about when its fields have these texts."""
    return job_of({"task": "solve", **form}, Allowance()).problem()


def doors_of(name: str, form: Text, text: str, folder: Path) -> Iterator[tuple[str, Callable[[], Problem]]]:
    """The doors that take a text, and how each is gone through."""
    path = folder / f"form{form.ending}"
    path.write_text(text)
    drawn = form.ending == ".txt"
    yield "command line", lambda: through_command_line(f"@{path}" if drawn else path)
    edges = form.ending in (".edges", ".adjlist", ".mtx")
    if not edges or not set("abcd") & set(text):  # Names on standard input are refused
        yield "standard input", lambda: through_standard_input(text, drawn)
    yield "Python", lambda: kt.problem(f"@{path}" if drawn else path)
    yield "explorer", lambda: through_explorer(path.name, text)


@pytest.mark.parametrize("name", TOUR_TEXTS)
def test_a_text_is_the_same_through_every_door(name: str, tmp_path: Path) -> None:
    form = TOUR_TEXTS[name]
    for problem in form.problems:
        for door, read in doors_of(name, form, form.write(problem), tmp_path):
            if door == "explorer" and name == "JSON result":
                continue  # Its tour is shown
            if door == "explorer" and problem.graph.board is not None and problem.graph.weights is not None:
                with pytest.raises(KTError, match="weights"):
                    read()
                continue
            again = read()
            assert again.digest == problem.digest, (door, problem.graph.name)
            if problem.graph.weights is not None:
                assert weighing(again) == weighing(problem), (door, problem.graph.name)
            if problem.graph.labels is not None:
                assert names_of(again) == names_of(problem), (door, problem.graph.name)


DAMAGED = [(name, place) for name, form in TOUR_TEXTS.items() for place in range(len(form.damage))]


@pytest.mark.parametrize(("name", "place"), DAMAGED, ids=[f"{name}-{place}" for name, place in DAMAGED])
def test_a_damaged_text_is_refused_at_every_door(name: str, place: int, tmp_path: Path) -> None:
    form = TOUR_TEXTS[name]
    old, new = form.damage[place]
    text = form.write(form.problems[0])
    assert old in text
    for door, read in doors_of(name, form, text.replace(old, new, 1), tmp_path):
        if door == "explorer" and name == "JSON result":
            continue
        with pytest.raises(KTError) as caught:
            read()
        message = str(caught.value)
        assert "\n" not in message and len(message) < 600, (door, message)
        says = "known: read are" if door == "standard input" and "known: read are" in message else form.says
        if not (door == "explorer" and name == "drawn mask"):  # What is no mask there may be a graph
            assert says in message, (door, message)


# -- texts of boards, and Python data ----------------------------------------------------------------------------------


TEXT_DOORS: dict[str, Callable[[str], Problem]] = {
    "command line": through_command_line,
    "Python": kt.problem,
    "explorer": lambda text: asked({"board": text}),
}


@pytest.mark.parametrize("text", BOARDS)
def test_the_text_of_a_board(text: str) -> None:
    problem = Problem(MoveGraph.of(Board.parse(text)))
    for read in TEXT_DOORS.values():
        assert read(text).digest == problem.digest


WAYS = ("boards are written", "written 8x8-a1,h8", "from a1 to d5", "twice", "dimensions")
"""What can be read, or what is wrong."""


@pytest.mark.parametrize("text", ["4x", "x5", "4y5", "4x5-z9", "4x5-a1,a1", "4x5-", "aztec:", "torus:3", "hexagon:3"])
def test_a_damaged_text_of_a_board(text: str) -> None:
    for read in TEXT_DOORS.values():
        with pytest.raises(KTError) as caught:
            read(text)
        message = str(caught.value).lower()
        assert "\n" not in message and any(way in message for way in WAYS), message


def cells_of(problem: Problem) -> list[tuple[int, ...]]:
    """The cells of a board."""
    assert problem.graph.board is not None
    return [tuple(cell) for cell in problem.graph.board.cells.tolist()]


class Alike:
    """A node that is called what all others are."""

    def __repr__(self) -> str:
        return "node"


def changed(rows: list[Any], value: Any, at: int = 0) -> list[Any]:
    """Rows, one of them another."""
    return [*rows[:at], value, *rows[at + 1 :]]


NUMBERS = nx.relabel_nodes(nx.Graph([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]), {0: 4, 1: 7, 2: 8, 3: 9})
TIES = sorted(NUMBERS.edges())
MATRIX = nx.to_numpy_array(NUMBERS, nodelist=sorted(NUMBERS), dtype=int)
SQUARE = kt.problem(edges=TIES)
PEOPLE = [("anna", "bert"), ("bert", "carl"), ("carl", "dora"), ("dora", "anna"), ("anna", "carl")]
NAMED = [("n", "e"), ("e", "s"), ("s", "w"), ("w", "n")]
BOX = Problem(MoveGraph.of(Board.parse("2x3x4")))
HOLED = Problem(MoveGraph.of(Board.parse("3x4-a1,c4")))

DATA: dict[str, tuple[list[tuple[Problem, dict[str, Any]]], list[dict[str, Any]], str]] = {
    "array or nested list of 0 and 1": (
        [
            (problem, {"board": form})
            for problem in graphs(*PLANE)
            for mask in (mask_of(problem),)
            for form in (mask, mask.astype(int), mask.astype(float), mask.tolist(), mask.astype(np.uint8).tolist())
        ],
        [
            {"board": form}
            for mask in (mask_of(HOLED).astype(int),)
            for form in (
                changed(mask.tolist(), [1, 1]),
                changed(mask.tolist(), [1, 2, 1]),
                changed(mask.tolist(), [1, -1, 1]),
                changed(mask.tolist(), [1, 0.5, 1]),
                changed(mask.tolist(), [1, None, 1]),
                changed(mask.tolist(), "###"),
                mask * 2,
                mask.reshape(-1),
                mask.astype(str),
                mask * 0,
            )
        ],
        "mask",
    ),
    "cells=": (
        [(problem, {"cells": form}) for problem in (HOLED, BOX) for form in (cells_of(problem), set(cells_of(problem)))]
        + [(HOLED, {"cells": [HOLED.graph.name_of(v) for v in range(HOLED.graph.n)]})],
        [
            {"cells": form}
            for form in (
                changed(cells_of(HOLED), (0, 2)),
                changed(cells_of(HOLED), (0, 2, 1)),
                changed(cells_of(HOLED), (0, 1.0)),
                changed(cells_of(HOLED), (0, -1)),
                changed(cells_of(HOLED), "a"),
                changed(cells_of(HOLED), None),
                changed(cells_of(HOLED), (False, 1)),
                np.array(cells_of(HOLED)).T,
            )
        ],
        "cells= takes",
    ),
    "list of cells, tuples of three or more": (
        [(BOX, {"board": cells_of(BOX)}), (BOX, {"board": iter(cells_of(BOX))})],
        [
            {"board": form}
            for form in (
                changed(cells_of(BOX), (0, 0, 1)),
                changed(cells_of(BOX), (0, 1)),
                changed(cells_of(BOX), (0, 0, "x")),
                cells_of(HOLED),
            )
        ],
        "cells",
    ),
    "edges=": (
        [
            (SQUARE, {"edges": TIES}),
            (SQUARE, {"edges": NUMBERS.edges()}),
            (SQUARE, {"edges": np.array(TIES)}),
            (SQUARE, {"edges": [[v, u] for u, v in TIES]}),
            (letters(), {"edges": PEOPLE}),
        ],
        [
            {"edges": form}
            for form in (
                changed(TIES, (4,)),
                changed(TIES, (4, 7, 8, 9)),
                changed(TIES, (4, [7])),
                changed(TIES, (4, 7, 3)),
                changed(TIES, (4, 7, "x")),
                changed(TIES, 4),
                changed(TIES, "ab"),
                changed(TIES, (4, None)),
                [],
                np.array(TIES).T,
                [list(row) for row in np.array(TIES).T],
                np.eye(2, dtype=bool),
                (True, 7),
                MATRIX,
                scipy.sparse.csr_matrix(MATRIX),
                NUMBERS,
            )
        ],
        "edges= takes",
    ),
    "list of edges between nodes that are no numbers": (
        [(kt.problem(nx.Graph(sorted(map(sorted, NAMED)))), {"board": NAMED})],
        [{"board": changed(NAMED, form)} for form in (("n",), ("n", 3, 4, 5), ("n", None), "ne", 3)],
        "edges such as",
    ),
    "adjacency=": (
        [
            (SQUARE, {"adjacency": form})
            for form in (
                MATRIX,
                MATRIX.tolist(),
                MATRIX.astype(bool),
                scipy.sparse.csr_matrix(MATRIX),
                NUMBERS.adj,
                nx.to_dict_of_lists(NUMBERS),
                nx.to_dict_of_dicts(NUMBERS),
            )
        ],
        [
            {"adjacency": form}
            for form in (
                MATRIX * 2,
                MATRIX[:3],
                np.triu(MATRIX),
                changed(MATRIX.tolist(), [0, 1, 1]),
                MATRIX.astype(str),
                3,
                {4: "ab"},
                {4: [7], 7: []},
                {},
                NUMBERS,
            )
        ],
        "adjacency= takes",
    ),
    "networkx graph": (
        [
            (SQUARE, {"board": nx.Graph(sorted(TIES))}),
            (SQUARE, {"board": nx.MultiGraph([*TIES, TIES[0]])}),
            (letters(), {"board": nx.Graph(sorted(map(sorted, PEOPLE)))}),
            (directed(), {"board": nx.DiGraph([(1, 2), (2, 3), (3, 1), (2, 1), (1, 3), (3, 2)])}),
        ],
        [
            {"board": nx.Graph()},
            {"board": nx.DiGraph()},
            {"board": nx.Graph([(Alike(), Alike())])},
            {"board": object()},
        ],
        "networkx.Graph",
    ),
}


@pytest.mark.parametrize("name", DATA)
def test_data_of_python_are_read_the_same_or_refused(name: str) -> None:
    same, damaged, says = DATA[name]
    for problem, form in same:
        assert kt.problem(**form).digest == problem.digest, form
    for form in damaged:
        with pytest.raises(KTError) as caught:
            kt.problem(**form)
        assert "\n" not in str(caught.value) and says in str(caught.value), (form, str(caught.value))


# -- tours -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("open_tour", [False, True])
@pytest.mark.parametrize("ending", [".tour", ".json"])
def test_a_tour_is_the_same_through_every_door(ending: str, open_tour: bool, tmp_path: Path) -> None:
    problems = [kt.problem("5x6", open=open_tour), kt.problem("3x3x4", open=open_tour)]
    if ending == ".json":
        problems += [kt.problem(edges=NAMED, open=open_tour), kt.problem(CASES / "ids.edges", open=open_tour)]
    for problem in problems:
        tour = tour_of(problem)
        text = tour_to_tsplib(tour) if ending == ".tour" else json.dumps(tour_to_json(tour))
        path = tmp_path / f"t{ending}"
        path.write_text(text)
        assert kt.read(path) == tour == read_tour(path)
        assert list(kt.read(path)) == list(tour)
        for words, standard_input in (("check", str(path)), None), (("check", "-"), text):
            result = CliRunner().invoke(main, list(words), input=standard_input)
            assert result.exit_code == 0 and "each move verified" in result.stdout, result.output
        assert open_text({"name": path.name, "text": text})["title"] if problem.graph.board else True


TSPLIB_TOURS = [
    ("TOUR_SECTION", "TOURS_SECTION"),
    ("DIMENSION : 30", "DIMENSION : 29"),
    ("TYPE : TOUR", "TYPE : HCP"),
    ("\n7\n", "\nx\n"),
    ("\n7\n", "\n-1\n"),
    ("\n7\n", "\n31\n"),
    ("\n7\n", "\n8\n"),
    ("\n7\n", "\n"),
    ("board=5x6", "board=5x"),
]
JSON_TOURS = [
    ("[0, 0]", "[0, 0, 0]"),
    ("[0, 0]", "[0, 0.0]"),
    ("[0, 0]", "[0, 9]"),
    ("[0, 0]", "[0, 1]"),
    ('"closed"', '"clsed"'),
    ('"tour": ', '"tours": '),
    ('"5x6"', '"5x"'),
    ('"version": 2', '"version": 9'),
    ("[0, 0], ", ""),
]


@pytest.mark.parametrize(
    ("ending", "old", "new"),
    [*((".tour", *place) for place in TSPLIB_TOURS), *((".json", *place) for place in JSON_TOURS)],
)
def test_a_damaged_tour_is_refused_at_every_door(ending: str, old: str, new: str, tmp_path: Path) -> None:
    tour = tour_of(kt.problem("5x6"))
    text = tour_to_tsplib(tour) if ending == ".tour" else json.dumps(tour_to_json(tour))
    assert old in text
    text = text.replace(old, new, 1)
    path = tmp_path / f"t{ending}"
    path.write_text(text)
    for read in (lambda: kt.read(path), lambda: open_text({"name": path.name, "text": text})):
        with pytest.raises(KTError) as caught:
            read()
        assert "\n" not in str(caught.value)
    for words, standard_input in (("measure", str(path)), None), (("measure", "-"), text):
        result = CliRunner().invoke(main, list(words), input=standard_input)
        assert result.exit_code == 2 and result.stdout == "" and result.stderr.count("\n") == 1, result.output


# -- the page ----------------------------------------------------------------------------------------------------------


def test_the_page_has_these_forms_and_doors() -> None:
    """A row of the table for each form here; a cell says which doors take it."""
    page = (ROOT / "docs/use/format.md").read_text()
    table = page.partition("## What each interface reads")[2].partition("\n## ")[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in table.partition("\n- ")[0].splitlines()
        if line.startswith("|")
    ]
    head, _, *body = rows
    assert tuple(head[1:]) == DOORS
    forms = {row[0]: row[1:] for row in body}
    assert list(forms) == ["text of a board", *TOUR_TEXTS, *DATA, "TSPLIB tour", "JSON tour"]
    for name in TOUR_TEXTS:
        assert all(cell != "-" for cell in forms[name][:3]), name
    for name in DATA:
        assert forms[name][0] == forms[name][1] == forms[name][3] == "-" != forms[name][2], name
