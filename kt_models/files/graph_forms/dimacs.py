"""DIMACS files of graphs, as in colouring: `p edge N M`, then a line `e U V` for each edge."""

from __future__ import annotations

import re

import numpy as np

from kt_models.errors import KTError
from kt_models.files.graph_forms.tsplib import labels_from_comments, labels_to_comments, require_unweighted
from kt_models.graph import MoveGraph, require_undirected
from kt_models.storage import lines_of

_BESIDE = re.compile(r"[ndvx]( .*)?")
"""Lines without an edge: a value of a vertex, the dimension of a picture, coordinates, parameters of a generator."""


def parse_dimacs(text: str, name: str) -> MoveGraph:
    """The graph of a DIMACS text; lines `n VERTEX VALUE` say nothing about edges."""
    n, declared, pairs, comments = 0, 0, [], []
    for line_number, line in enumerate(lines_of(text), start=1):
        words = line.split()
        if not words or words[0] == "c":
            # The names of vertices stand in comments, as DIMACS has no place for them
            comments.append(line.strip()[1:])
        elif (
            words[0] == "p"
            and len(words) == 4
            and words[1] in ("edge", "col", "edges")
            and words[2].isdecimal()
            and words[3].isdecimal()
            and max(map(len, words)) < 20
            and not n
        ):
            n, declared = int(words[2]), int(words[3])
        elif words[0] == "e" and len(words) == 3 and not n:
            raise KTError(f"line {line_number} has an edge above the line 'p edge N M'")
        elif words[0] == "e" and len(words) == 3:
            pairs += words[1:]
        elif _BESIDE.fullmatch(" ".join(words)):
            _require_beside(words, n, line_number)
        else:
            raise KTError(f"line {line_number} is not a DIMACS line")
    if not n:
        raise KTError("there is no line 'p edge N M' with at least one vertex")
    if word := next((word for word in pairs if not re.fullmatch(r"[0-9]{1,15}", word)), None):
        raise KTError(f"{word[:20]!r} is not a vertex number")
    graph = MoveGraph.from_edges(n, np.array(pairs, dtype=np.int64).reshape(-1, 2) - 1, name, range(1, n + 1))
    graph = graph.having(labels=labels_from_comments(comments, n))
    if declared not in (len(pairs) // 2, graph.m):  # Some files list each edge from both ends, and count it once
        kind = "truncated: " if len(pairs) // 2 < declared else ""
        raise KTError(f"{kind}{declared} edges are declared, {len(pairs) // 2} are there")
    return graph


def _require_beside(words: list[str], n: int, line: int) -> None:
    """Refuse a line `n VERTEX VALUE` without a known vertex or a value; lines of other letters are ignored."""
    if words[0] == "n" and not (len(words) == 3 and re.fullmatch("[0-9]{1,15}", words[1]) and 1 <= int(words[1]) <= n):
        raise KTError(f"line {line} is not a DIMACS line: 'n VERTEX VALUE', below 'p edge N M'")


def graph_to_dimacs(graph: MoveGraph) -> str:
    """DIMACS edge text of a graph; vertices count from 1, and comments have their names."""
    require_undirected(graph, "a DIMACS file")
    if graph.fixed:
        raise KTError("a DIMACS file cannot say which edges are fixed; .hcp and .json files can")
    require_unweighted(graph)
    head = f"c kt {graph.name}" + (f" leaper={graph.leaper}" if graph.leaper else "")
    names = "".join(f"c {line}\n" for line in labels_to_comments(graph.labels))
    edges = "".join(f"e {u + 1} {v + 1}\n" for u, v in graph.ends.tolist())
    return f"{head}\n{names}p edge {graph.n} {graph.m}\n{edges}"
