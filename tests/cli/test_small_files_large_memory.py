"""No small file takes much memory: headers that declare a hundred million vertices, and boards of huge boxes."""

from __future__ import annotations

import gzip
import json
import resource
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from kt_models import MoveGraph
from kt_models.directed import DirectedGraph
from kt_models.errors import CertificateError
from kt_models.files.graph_forms.write import WRITERS
from kt_models.kernel.certificates import Certificate, Statement
from kt_models.labels import NumberNames
from kt_models.problem import Problem
from tests.command import answered

N = 99_999_999
GIGABYTE = 1 << 30


def graph6_number(n: int) -> str:
    return "~~" + "".join(chr(63 + (n >> shift & 63)) for shift in range(30, -1, -6))


def sparse6(n: int) -> str:
    """The graph on n vertices with the edge 0-1."""
    width = (n - 1).bit_length()
    bits = "1" + f"{0:0{width}b}"  # On to vertex 1, whose neighbour is 0
    bits += "1" * (-len(bits) % 6)
    return f":{graph6_number(n)}" + "".join(chr(63 + int(bits[i : i + 6], 2)) for i in range(0, len(bits), 6))


def tsplib(kind: str, form: str, data: str) -> str:
    return f"NAME : x\nTYPE : {kind}\nDIMENSION : {N}\nEDGE_DATA_FORMAT : {form}\nEDGE_DATA_SECTION\n{data}\n-1\nEOF\n"


def names_of(letter: str) -> str:
    return " ".join(f"{letter}{number}" for number in range(7000))


INFEASIBLE = {
    "pajek.net": f"*Vertices {N}\n*Edges\n1 2\n",
    "weights.net": f"*Vertices {N}\n*Edges\n1 2 7\n",
    "dimacs.col": f"p edge {N} 1\ne 1 2\n",
    "last.col": f"p edge {N} 1\ne {N - 1} {N}\n",
    "list.hcp": tsplib("HCP", "EDGE_LIST", "1 2"),
    "lists.hcp": tsplib("HCP", "ADJ_LIST", "1 2 -1"),
    "sparse.s6": f"{sparse6(N)}\n",
    "matrix.mtx": f"%%MatrixMarket matrix coordinate pattern symmetric\n{N} {N} 1\n2 1\n",
    "graph.json": json.dumps({"vertices": N, "edges": [[0, 1]]}),
}
"""Files whose vertices without an edge decide the answer."""
DIRECTED = {
    "pajek-arcs.net": f"*Vertices {N}\n*Arcs\n1 2\n",
    "directed.hcp": tsplib("HCP_DIRECTED", "EDGE_LIST", "1 2"),
    "last.hcp": tsplib("HCP_DIRECTED", "EDGE_LIST", f"{N - 1} {N}"),
    "general.mtx": f"%%MatrixMarket matrix coordinate pattern general\n{N} {N} 1\n1 2\n",
    "smaller.mtx": "%%MatrixMarket matrix coordinate pattern general\n30000000 30000000 1\n1 2\n",
    "arcs.json": json.dumps({"vertices": N, "arcs": [[0, 1]]}),
    "tour-arcs.json": json.dumps(
        {"version": 2, "kind": "tour", "board": "g", "vertices": N, "arcs": [[0, 1]], "tour": [[0]], "closed": True}
    ),
}
"""Files whose vertices without a predecessor decide the answer."""
REFUSED = {
    "named.net": f'*Vertices {N}\n1 "a"\n2 "b"\n*Edges\n1 2\n',
    "dense.g6": f"{graph6_number(N)}?\n",
    "dense.d6": f"&{graph6_number(N)}?\n",
    "metis.graph": f"{N} 1\n2\n1\n",
    "header.edges": f"{N} 1\n1 2\n",
    "snarks.txt": f"1\n1\n{N}\n1 2 3\n",
    "joined.dot": f"graph {{ {{{names_of('a')}}} -- {{{names_of('b')}}} }}",
    "within.dot": f"graph {{ {{{names_of('a')}}} -- {{{names_of('a')}}} }}",
    "cells.json": json.dumps({"board": "c", "leaper": "1,2", "cells": [[0, 0], [9999, 9999]]}),
    "box.json": json.dumps(
        {"board": "c", "leaper": "1,2", "cells": [[0, 0], [1, 1]], "shape": [9999, 9999], "wraps": [True, True]}
    ),
    "huge.json": json.dumps({"board": "100000x100000", "leaper": "1,2"}),
    "tour.json": json.dumps(
        {"version": 2, "kind": "tour", "board": "100000x100000", "leaper": "1,2", "tour": [[0, 0]], "closed": True}
    ),
    "coordinates.tsp": f"NAME : x\nTYPE : TSP\nDIMENSION : {N}\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n",
}
"""Files that are refused in one line."""
BOARDS = (
    "100000x100000", "10000x10000", "100x100x100x100x100", "torus:100000x100000", "aztec:40000", "cylinder:9x99999999",
)  # fmt: skip


COMMANDS: dict[str, tuple[str, ...]] = {
    "solve": ("solve", "FILE"),
    "open": ("solve", "FILE", "--open"),
    "proof": ("solve", "FILE", "--proof", "OUT"),
    "sat": ("solve", "FILE", "--engine", "sat"),
    "find": ("find", "FILE"),
    "list": ("enumerate", "FILE"),
    "count": ("enumerate", "FILE", "--count"),
    "at-least": ("enumerate", "FILE", "--at-least", "2"),
    "run": ("enumerate", "FILE", "--run", "OUT"),
    "longest": ("longest", "FILE"),
    "longest-open": ("longest", "FILE", "--open"),
    "bound": ("bound", "FILE", "--minimize", "weight"),
    "table": ("table", "FILE", "--minimize", "weight", "--seconds", "1"),
    "compare": ("compare", "FILE", "--minimize", "weight", "--tries", "1"),
    "pareto": ("pareto", "FILE", "--minimize", "weight,-weight"),
    "least-weight": ("solve", "FILE", "--minimize", "weight"),
    "measure": ("measure", "FILE"),
    "draw": ("draw", "FILE", "-o", "OUT.svg"),
    "convert": ("convert", "FILE", "OUT.hcp"),
    "model": ("convert", "FILE", "OUT.cnf"),
    "check": ("check", "FILE"),
}
"""What is asked of a file, by name."""
PACKED = {
    "repeated.col.gz": (b"p edge 10 3000000\n", b"e 1 2\n", 20_000_000),
    "empty.net.gz": (b"*Vertices 3\n*Edges\n1 2\n", b"\n", 50_000_000),
    "line.dot.gz": (b"graph {", b"a -- b;", 20_000_000),
    "graph.json.gz": (b'{"vertices": 3, "edges": [[0, 1]', b", [0, 1]", 20_000_000),
}
"""Files of some ten thousand bytes that unpack to many more: the beginning, what is repeated, and to how many bytes."""


def words_of(command: str, file: Path) -> list[str]:
    """The words of a command for a file; what it writes stands beside the file."""
    return [word.replace("FILE", str(file)).replace("OUT", str(file.parent / "out")) for word in COMMANDS[command]]


@contextmanager
def memory_watched() -> Iterator[Callable[[], int]]:
    """The most bytes that Python and NumPy held at once within."""
    peaks: list[int] = []
    tracemalloc.start()
    try:
        yield lambda: peaks[0]
    finally:
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()


@pytest.mark.parametrize("name", INFEASIBLE)
@pytest.mark.parametrize("options", [(), ("--open",)], ids=["closed", "open"])
def test_a_vertex_without_an_edge_decides_and_nothing_is_made_for_the_others(
    name: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    file, result = tmp_path / name, tmp_path / "result.json"
    file.write_text(INFEASIBLE[name])
    with memory_watched() as taken:
        status, text, complaint = answered("solve", file, *options, "-o", result, "--json")
        assert (status, answered("check", result)[0]) == (0, 0), complaint
    data = json.loads(text)
    vertex = 3 if data.get("labels") else 2
    vertex = 1 if name == "last.col" else vertex
    assert data["status"] == "infeasible" and data["reason"].startswith(f"{vertex} has no edge")
    assert result.stat().st_size < 10_000
    assert taken() < GIGABYTE // 10


@pytest.mark.parametrize("name", DIRECTED)
@pytest.mark.parametrize("options", [(), ("--open",)], ids=["closed", "open"])
def test_a_vertex_without_a_predecessor_decides(name: str, options: tuple[str, ...], tmp_path: Path) -> None:
    file, result = tmp_path / name, tmp_path / "result.json"
    file.write_text(DIRECTED[name])
    with memory_watched() as taken:
        status, text, complaint = answered("solve", file, *options, "-o", result, "--json")
        assert (status, answered("check", result)[0]) == (0, 0), complaint
    data = json.loads(text)
    first = 0 if name.endswith(".json") else 1
    others = first + (1 if name == "last.hcp" else 2)
    vertices = f"{first} or {others}" if options else str(first)
    assert data["status"] == "infeasible" and data["reason"].startswith(f"no arc leads to {vertices}, and")
    assert taken() < GIGABYTE // 10


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("command", ["solve", "check"])
def test_a_huge_header_is_refused_before_anything_is_made_for_it(command: str, name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(REFUSED[name])
    assert file.stat().st_size < 100_000
    with memory_watched() as taken:
        status, text, complaint = answered(command, file)
    # A check takes numbers for a tour, and a tour for a wrong one
    assert status == 2 or (command == "check" and status == 1)
    assert (complaint or text).count("\n") == 1 and not (text and complaint)
    assert taken() < GIGABYTE // 2


@pytest.mark.parametrize("board", BOARDS)
def test_a_huge_board_is_refused_before_anything_is_made_for_it(board: str) -> None:
    with memory_watched() as taken:
        status, text, complaint = answered("solve", board)
    assert status == 2 and not text and "over the limit" in complaint
    assert taken() < GIGABYTE // 10


@pytest.mark.parametrize("name", ["weights.net", "general.mtx"])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_answers_or_refuses_a_graph_of_many_vertices_without_an_edge(
    command: str, name: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_text((INFEASIBLE | DIRECTED)[name])
    with memory_watched() as taken:
        status, _, complaint = answered(*words_of(command, file))
    assert status in (0, 2)
    assert complaint.count("\n") <= 1 or status == 0
    assert taken() < GIGABYTE // 4


@pytest.mark.parametrize("suffix", WRITERS)
@pytest.mark.parametrize("name", ["dimacs.col", "directed.hcp"])
def test_a_graph_of_many_vertices_without_an_edge_is_written_by_its_edges_or_refused(
    name: str, suffix: str, tmp_path: Path
) -> None:
    file, target = tmp_path / name, tmp_path / f"out{suffix}"
    file.write_text((INFEASIBLE | DIRECTED)[name])
    with memory_watched() as taken:
        status, _, complaint = answered("convert", file, target)
    written = target.exists()
    assert status == (0 if written else 2) and complaint.count("\n") == 1
    assert not written or target.stat().st_size < 1000
    assert taken() < GIGABYTE // 10


@pytest.mark.parametrize("name", PACKED)
def test_a_packed_file_unpacks_to_a_hundred_times_its_size_at_most(name: str, tmp_path: Path) -> None:
    begin, again, size = PACKED[name]
    file = tmp_path / name
    file.write_bytes(gzip.compress(begin + again * (size // len(again)), mtime=0))
    assert file.stat().st_size < 100_000
    with memory_watched() as taken:
        status, text, complaint = answered("solve", file)
    assert status == 2 and not text and "unpack it yourself" in complaint
    assert taken() < GIGABYTE // 4


@pytest.mark.slow
@pytest.mark.parametrize("name", [*INFEASIBLE, *DIRECTED, *REFUSED])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_process_takes_less_than_a_gigabyte_and_a_minute(command: str, name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text((INFEASIBLE | DIRECTED | REFUSED)[name])
    program = subprocess.Popen([sys.executable, "-m", "kt", *words_of(command, file)], stderr=subprocess.PIPE)
    hurry = threading.Timer(60, program.terminate)
    hurry.start()
    try:
        _, complaint = program.communicate()
    finally:
        hurry.cancel()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert program.returncode in (0, 1, 2) and b"internal error" not in complaint
    # The most of all processes so far
    assert usage.ru_maxrss * 1024 < GIGABYTE


# -- the certificate ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vertex", [0, 1, 2, 3, -1, 4, None, "2", True])
@pytest.mark.parametrize("open", [False, True], ids=["closed", "open"])
@pytest.mark.parametrize("forbidden", [(), (0,), (0, 1)], ids=str)
def test_only_a_vertex_without_an_edge_is_isolated(vertex: object, open: bool, forbidden: tuple[int, ...]) -> None:
    problem = Problem(
        MoveGraph.from_edges(4, [(0, 1), (1, 2)]), "path" if open else "cycle", forbidden=frozenset(forbidden)
    )
    isolated = {(): {3}, (0,): {0, 3}, (0, 1): {0, 1, 2, 3}}[forbidden]
    certificate = Certificate("isolated", Statement(problem, "infeasible"), {"vertex": vertex})
    if type(vertex) is int and vertex in isolated:
        assert "has no edge" in certificate.check()
    else:
        with pytest.raises(CertificateError):
            certificate.check()


def test_the_only_vertex_of_a_path_needs_no_edge() -> None:
    problem = Problem(MoveGraph.from_edges(1, np.zeros((0, 2), dtype=np.int64)), "path")
    with pytest.raises(CertificateError):
        Certificate("isolated", Statement(problem, "infeasible"), {"vertex": 0}).check()


def test_names_of_consecutive_numbers_are_those_of_a_table() -> None:
    numbers = range(-2, 12)
    names, table = NumberNames(numbers), {str(number): place for place, number in enumerate(numbers)}
    table |= {repr(name): place for name, place in table.items()}
    assert dict(names) == table and len(names) == len(table)
    for name in (*table, "12", "-3", "-0", "00", "01", "'1", "1'", "", "x", "٣", " 1", "9" * 30):
        assert names.get(name) == table.get(name)


@pytest.mark.parametrize("data", [{}, {"vertex": 0, "other": 0}, {"vertex": 1, "other": 0}, {"vertex": 0, "other": 3}])
@pytest.mark.parametrize("open", [False, True])
def test_only_vertices_without_a_predecessor_are_isolated(data: dict[str, object], open: bool) -> None:
    graph = DirectedGraph.from_arcs(3, [[0, 1]]).split(open=open)
    problem = Problem(graph, "path" if open else "cycle", terminals=graph.terminals)
    isolated = data.get("vertex") == 0 and not open
    claim = Certificate("isolated", Statement(problem, "infeasible"), data)
    if isolated:
        assert claim.check() == "no arc leads to 0, and there are 3 vertices"
    else:
        with pytest.raises(CertificateError):
            claim.check()


def test_a_path_of_arcs_has_one_vertex_without_a_predecessor() -> None:
    graph = DirectedGraph.from_arcs(3, [[0, 1]]).split(open=True)
    claim = Statement(Problem(graph, "path", terminals=graph.terminals), "infeasible")
    words = Certificate("isolated", claim, {"vertex": 0, "other": 2}).check()
    assert words == "no arc leads to 0 or 2, and there are 3 vertices"
