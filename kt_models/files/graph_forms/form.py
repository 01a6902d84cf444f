"""`GraphForm`: a form of graphs, and functions that its readers share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.directed import WHICH_WAY, DirectedGraph, arcs_once
from kt_models.errors import KTError, excerpt
from kt_models.files.edge_lists import vertices_in_order
from kt_models.graph import MoveGraph, distinct_pairs

if TYPE_CHECKING:
    import networkx


Missing = frozenset[float | None]
"""Numbers of a matrix that mean that there is no edge; `None` stands for NaN."""


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
    directed
        Whether the graph is directed, if the user says it.
    """

    number: int
    line: int
    text: str
    fault: str = ""
    directed: bool | None = None


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
        Makes the graph of a text, which gets a name, with the keywords in `choices`; raises `KTError` if it cannot.
    signed
        Whether only texts of this form fit; otherwise all forms that fit are tried.
    pieces
        Cuts the lines of a file into graphs, if it may hold several.
    choices
        The fields of `FormChoices` that `read` takes as keywords.
    doubt
        What else a text may be that `read` accepts, with the options that decide; empty if nothing. It is asked where
        neither the user nor the suffix of a file names the form.
    """

    words: str
    rule: str
    fits: Callable[[str], bool]
    read: Callable[..., MoveGraph]
    signed: bool = True
    pieces: Callable[[Iterable[str]], Iterator[Piece]] | None = None
    choices: frozenset[str] = frozenset()
    doubt: Callable[[str], str] | None = None


@dataclass(frozen=True)
class FormChoices:
    """A user's answers about a file of a graph where the file leaves them open.

    Parameters
    ----------
    form
        The name of the form.
    directed
        Whether lists, edges or a matrix are those of a directed graph.
    missing
        Numbers of a matrix that mean that there is no edge; `None` if nothing is said about them.
    edges
        What joins points: `complete`, `delaunay`, `nearest:8` or `within:1.5`.
    """

    form: str | None = None
    directed: bool | None = None
    missing: Missing | None = None
    edges: str | None = None

    def for_form(self, form: GraphForm) -> dict[str, Any]:
        """The keywords for the reader of a form.

        Raises
        ------
        KTError
            If the form has no use for a choice.
        """
        choices: dict[str, Any] = {"directed": self.directed, "missing": self.missing, "edges": self.edges}
        named = {name: value for name, value in choices.items() if value is not None}
        if odd := next((name for name in named if name not in form.choices), None):
            raise KTError(f"{odd}: it decides nothing about {form.words}")
        return named


def read_piece(piece: Piece, form: GraphForm, name: str) -> MoveGraph:
    """The graph of a part of a file, named by the file and its number."""
    choices = FormChoices(directed=piece.directed).for_form(form)
    return form.read(piece.text, f"{name} ({piece.number})", **choices)


NO_CHOICES = FormChoices()
"""The user says nothing."""
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
    """The graph of a networkx graph, directed or not, with its nodes as labels, its weights and positions, if any."""
    from kt_models.files.points import coordinates_of, placed

    if graph.is_directed():
        made: MoveGraph = DirectedGraph.from_networkx(graph, name).split()
        made = made.weighed_by_attributes(graph, {node: vertex for vertex, node in enumerate(graph.nodes)})
    else:
        made = MoveGraph.from_networkx(graph, name)[0]
    return placed(made, [coordinates_of(attributes) for _, attributes in graph.nodes(data=True)])


def graph_of_lists(
    arcs: Sequence[tuple[Any, Any]],
    nodes: Iterable[Any],
    name: str,
    directed: bool | None = None,
    *,
    of_nauty: bool = False,
) -> MoveGraph:
    """The graph of lists of neighbours: undirected if all edges are listed from both ends, or each from the upper list.

    Parameters
    ----------
    arcs
        A vertex and a neighbour in its list; loops and repetitions are ignored.
    nodes
        The vertices in the order of their lists; some may have no neighbour.
    directed
        Whether the graph is directed, if the user says it.
    of_nauty
        Whether nauty wrote the lists. It lists an edge from both ends, and an arc from its tail. Only its option `-t`
        lists edges once, each from the upper list.

    Raises
    ------
    KTError
        If the lists may be those of an undirected and of a directed graph, or are damaged.
    """
    order = {node: place for place, node in enumerate(dict.fromkeys(nodes))}
    labels = vertices_in_order(order)
    number = {label: vertex for vertex, label in enumerate(labels)}
    ends = np.array([(number[u], number[v]) for u, v in arcs], dtype=np.int64).reshape(-1, 2)
    if directed is None:
        directed = _are_directed(ends, labels, order, of_nauty=of_nauty)
    if directed:
        return DirectedGraph.from_arcs(len(labels), ends, name, tuple(labels)).split()
    return MoveGraph.from_edges(len(labels), ends, name, tuple(labels))


def _are_directed(ends: npt.NDArray[np.int64], labels: Sequence[Any], order: dict[Any, int], *, of_nauty: bool) -> bool:
    """Whether lists are those of a directed graph, as far as they tell."""
    single = arcs_once(ends, len(labels))
    if not len(single):
        return False
    places = np.array([order[label] for label in labels], dtype=np.int64)
    upward = single[places[single[:, 0]] > places[single[:, 1]]]
    if of_nauty and (len(upward) or not _all_once(ends, single, len(labels))):
        return True
    require_both_or_one(ends, labels, decided=True)
    u, v = (excerpt(labels[vertex]) for vertex in (upward if len(upward) else single)[0].tolist())
    if of_nauty:
        raise KTError(
            f"{u} lists {v}, {v} does not list {u}, and so for all edges: it is half of the lists of an undirected "
            f"graph, or a directed graph; {WHICH_WAY}"
        )
    if len(upward):
        raise KTError(
            f"{u} lists {v}, whose list is above and has not {u}: it is an undirected or a directed graph; {WHICH_WAY}"
        )
    return False


def _all_once(ends: npt.NDArray[np.int64], single: npt.NDArray[np.int64], n: int) -> bool:
    """Whether no arc has a reverse."""
    return len(single) == len(distinct_pairs(ends[ends[:, 0] != ends[:, 1]], max(1, n)))


def require_both_or_one(ends: npt.NDArray[np.int64], labels: Sequence[Any], *, decided: bool = False) -> None:
    """Refuse lists in which some edges are listed from both ends and others from one.

    Parameters
    ----------
    decided
        Whether the user can say that the graph is directed.
    """
    single = arcs_once(ends, len(labels))
    if len(single) and not _all_once(ends, single, len(labels)):
        u, v = (labels[vertex] for vertex in single[0].tolist())
        raise KTError(
            f"vertex {excerpt(u)} lists {excerpt(v)}, which does not list it, and other edges are listed from both "
            f"ends: the lists are damaged, or those of a directed graph{f'; {WHICH_WAY}' if decided else ''}"
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
