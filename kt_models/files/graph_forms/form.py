"""`GraphForm`: a form of graphs, and functions that its readers share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.directed import DirectedGraph
from kt_models.errors import KTError, excerpt
from kt_models.files.edge_lists import vertices_in_order
from kt_models.graph import MoveGraph, distinct_pairs

if TYPE_CHECKING:
    import networkx


class Piece(NamedTuple):
    """One graph of a file that may hold several.

    Parameters
    ----------
    number
        Number of the graph in the file, from 1.
    line
        The line where it begins, from 1.
    text
        The text for the reader of its form.
    fault
        Why it cannot be read, if that is known already.
    """

    number: int
    line: int
    text: str
    fault: str = ""


@dataclass(frozen=True)
class GraphForm:
    """A form in which graphs are written.

    Parameters
    ----------
    words
        Name of the form, for errors and pages.
    rule
        Rule of the form, for the error about a text that breaks it; empty if `read` explains it.
    fits
        Whether a text may have this form.
    read
        Makes the graph of a text, which gets a name; raises `KTError` if it cannot.
    signed
        Whether only texts of this form fit; otherwise all forms that fit are tried.
    pieces
        Cuts the lines of a file into graphs, if it may hold several.
    """

    words: str
    rule: str
    fits: Callable[[str], bool]
    read: Callable[[str, str], MoveGraph]
    signed: bool = True
    pieces: Callable[[Iterable[str]], Iterator[Piece]] | None = None


SEVERAL = "it holds several graphs: kt solve and kt enumerate --at-least answer each, kt.graphs reads each"


def only_piece(pieces: Iterator[Piece]) -> Piece:
    """The only graph of a text.

    Raises
    ------
    KTError
        If there is no graph, or more than one.
    """
    first = next(pieces, None)
    if first is None:
        raise KTError("there is no graph in it")
    if next(pieces, None) is not None:
        raise KTError(SEVERAL)
    return first


def graph_of_networkx(graph: networkx.Graph, name: str) -> MoveGraph:
    """The graph of a networkx graph, directed or not, with its nodes as labels and its weights, if any."""
    if graph.is_directed():
        made = DirectedGraph.from_networkx(graph, name).split()
        return made.weighed_by_attributes(graph, {node: vertex for vertex, node in enumerate(graph.nodes)})
    return MoveGraph.from_networkx(graph, name)[0]


def graph_of_lists(arcs: Sequence[tuple[Any, Any]], nodes: Iterable[Any], name: str) -> MoveGraph:
    """The graph of lists of neighbours: all edges from both ends, or each from one.

    Parameters
    ----------
    arcs
        A vertex and a neighbour in its list; loops and repetitions are ignored.
    nodes
        The vertices; some may have no neighbour.

    Raises
    ------
    KTError
        If some edges are listed from both ends and others are not: the lists may be damaged, or directed.
    """
    labels = vertices_in_order(nodes)
    number = {label: vertex for vertex, label in enumerate(labels)}
    ends = np.array([(number[u], number[v]) for u, v in arcs], dtype=np.int64).reshape(-1, 2)
    require_both_or_one(ends, labels)
    return MoveGraph.from_edges(len(labels), ends, name, tuple(labels))


def require_both_or_one(ends: npt.NDArray[np.int64], labels: Sequence[Any]) -> None:
    """Refuse lists of neighbours in which only some edges are listed from both ends."""
    n = max(1, len(labels))
    arcs = distinct_pairs(ends[ends[:, 0] != ends[:, 1]], n)
    # arcs without their reverse
    single = ~np.isin(arcs @ [n, 1], arcs @ [1, n])
    # lists name each edge from one end or from both; a mixture is damaged
    if single.any() and not single.all():
        u, v = (labels[vertex] for vertex in arcs[single][0].tolist())
        raise KTError(
            f"vertex {excerpt(u)} lists {excerpt(v)}, which does not list it, and other edges are listed from both "
            "ends: the lists are damaged, or those of a directed graph"
        )


def whole_label(word: str) -> bool:
    """Whether a name is the text of an integer."""
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) < 19 and (word == "0" or digits[0] != "0")


def labels_of(words: Iterable[str]) -> dict[str, Any]:
    """Labels of vertices with these names: integers, if all are."""
    names = list(dict.fromkeys(words))
    whole = all(map(whole_label, names))
    return {name: int(name) if whole else name for name in names}
