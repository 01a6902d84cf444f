"""Graphs in files: TSPLIB `.hcp`, DIMACS edges, edge lists and JSON, in and out."""

from __future__ import annotations

import os
import re

import numpy as np
import numpy.typing as npt

from kt_models.board import Board, is_path
from kt_models.errors import KTError, about
from kt_models.files.endings import ending_of
from kt_models.graph import MoveGraph
from kt_models.leaper import KNIGHT, Leaper
from kt_models.storage import read_json, read_text


def graph_of(text: str, leaper: Leaper = KNIGHT) -> MoveGraph:
    """The graph that a command line's BOARD means: a board's text, or a `.hcp`, DIMACS edge or JSON file.

    Raises
    ------
    KTError
        If the text is neither.
    """
    return read_graph(text) if is_path(text) else MoveGraph.of(Board.parse(text), leaper)


def read_graph(path: str | os.PathLike[str]) -> MoveGraph:
    """Read a graph from a TSPLIB `.hcp`, DIMACS edge (`.col`, `.edge`, `.dimacs`), edge list (`.edges`) or JSON file.

    Raises
    ------
    KTError
        If the file cannot be read as one; the message names the file.
    """
    suffix = ending_of(path)
    name = os.path.basename(str(path))
    with about(path):
        if suffix == ".json":
            data = read_json(path)
            if not isinstance(data, dict):
                raise KTError("not a JSON object")
            return MoveGraph.from_json(data)
        return parse_graph(read_text(path), suffix, name)


def parse_graph(text: str, suffix: str, name: str) -> MoveGraph:
    """The graph of a TSPLIB, DIMACS or edge list text, as the ending of its file says."""
    if suffix == ".hcp":
        return _parse_hcp(text, name)
    if suffix == ".edges" and not re.match(r"\s*[cpe]\b", text):
        return _parse_edge_list(text, name)
    return _parse_dimacs(text, name)


def _parse_hcp(text: str, name: str) -> MoveGraph:
    header, found, section = text.partition("EDGE_DATA_SECTION")
    if not found:
        raise KTError("not a TSPLIB graph: no EDGE_DATA_SECTION")
    fields = dict(re.findall(r"^\s*([A-Z_]+)\s*:\s*(\S+)", header, flags=re.MULTILINE))
    if fields.get("TYPE", "HCP") != "HCP":
        raise KTError(f"TYPE is {fields['TYPE']}, not HCP")
    if not re.fullmatch(r"[0-9]{1,9}", fields.get("DIMENSION", "")):
        raise KTError("DIMENSION is missing or is not a number")
    if "FIXED_EDGES_SECTION" in section:
        raise KTError("it has fixed edges, which are not read; require them as moves instead")
    n = int(fields["DIMENSION"])
    layout = fields.get("EDGE_DATA_FORMAT", "EDGE_LIST")
    numbers = _integers(section.partition("EOF")[0].split())
    if layout == "EDGE_LIST":
        if len(numbers) == 0 or numbers[-1] != -1 or (numbers[:-1] < 0).any():
            raise KTError("truncated: the edge list does not end in -1")
        if len(numbers) % 2 == 0:
            raise KTError("the edge list has an odd number of ends")
        pairs = numbers[:-1].reshape(-1, 2)
    elif layout == "ADJ_LIST":
        pairs = _adjacency_pairs(numbers)
    else:
        raise KTError(f"EDGE_DATA_FORMAT {layout} is not known; use EDGE_LIST or ADJ_LIST")
    return MoveGraph.from_edges(n, pairs - 1, name)


def _adjacency_pairs(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Runs `vertex neighbour neighbour ... -1`, ended by one more -1."""
    if len(numbers) < 1 or numbers[-1] != -1:
        raise KTError("truncated: the adjacency list does not end in -1")
    pairs: list[tuple[int, int]] = []
    run: list[int] = []
    for number in numbers.tolist():
        if number == -1:
            pairs.extend((run[0], neighbour) for neighbour in run[1:])
            run = []
        else:
            run.append(number)
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _parse_dimacs(text: str, name: str) -> MoveGraph:
    n, declared, pairs = 0, 0, []
    for line_number, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        if not words or words[0] == "c":
            continue
        if (
            words[0] == "p"
            and len(words) >= 4
            and words[1] in ("edge", "col", "edges")
            and words[2].isdecimal()
            and words[3].isdecimal()
            and max(map(len, words)) < 20
        ):
            n, declared = int(words[2]), int(words[3])
        elif words[0] == "e" and len(words) >= 3:
            pairs.append(words[1:3])
        else:
            raise KTError(f"line {line_number} is not a DIMACS line ('c', 'p edge N M' or 'e U V')")
    if not n:
        raise KTError("there is no line 'p edge N M' with at least one vertex")
    if len(pairs) < declared:
        raise KTError(f"truncated: {declared} edges are declared, {len(pairs)} are there")
    return MoveGraph.from_edges(n, _integers([word for pair in pairs for word in pair]).reshape(-1, 2) - 1, name)


def _parse_edge_list(text: str, name: str) -> MoveGraph:
    """Two vertices a line, from 0, as `graph_to_edge_list` and networkx's `write_edgelist` write them."""
    pairs = []
    for line_number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if len(words) == 1:
            raise KTError(f"line {line_number} has one vertex, not two")
        if words:
            pairs.append(words[:2])
    if not pairs:
        raise KTError("it has no edge")
    ends = _integers([word for pair in pairs for word in pair]).reshape(-1, 2)
    return MoveGraph.from_edges(int(ends.max()) + 1, ends, name)


def _integers(words: list[str]) -> npt.NDArray[np.int64]:
    for word in words:
        if not re.fullmatch(r"-?[0-9]{1,15}", word):
            raise KTError(f"{word[:20]!r} is not a vertex number")
    return np.array(words, dtype=np.int64)


def graph_to_hcp(graph: MoveGraph) -> str:
    """TSPLIB text of a graph; vertices count from 1."""
    lines = [
        f"NAME : {graph.name.replace(' ', '_')}",
        f"COMMENT : kt {graph.name}" + (f" leaper={graph.leaper}" if graph.leaper else ""),
        "TYPE : HCP",
        f"DIMENSION : {graph.n}",
        "EDGE_DATA_FORMAT : EDGE_LIST",
        "EDGE_DATA_SECTION",
        *(f"{u + 1} {v + 1}" for u, v in graph.ends.tolist()),
        "-1",
        "EOF",
    ]
    return "\n".join(lines) + "\n"


def graph_to_dimacs(graph: MoveGraph) -> str:
    """DIMACS edge text of a graph; vertices count from 1."""
    head = f"c kt {graph.name}" + (f" leaper={graph.leaper}" if graph.leaper else "")
    edges = "".join(f"e {u + 1} {v + 1}\n" for u, v in graph.ends.tolist())
    return f"{head}\np edge {graph.n} {graph.m}\n{edges}"


def graph_to_edge_list(graph: MoveGraph) -> str:
    """One edge a line, vertices from 0: what networkx's `read_edgelist` reads."""
    return "".join(f"{u} {v}\n" for u, v in graph.ends.tolist())
