"""Table of the forms in which graphs are read, and the recognition of a text's form.

The suffix of a file's name determines its form; without a known one, the content does. A text that is different graphs
in two forms is refused, with the option that decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import Any

from kt_models.errors import KTError, row_named, saying, unknown
from kt_models.files.edge_lists import doubt_of_edges, fits_edges, parse_edge_list
from kt_models.files.graph_forms.codes import are_codes, code_lines, read_code
from kt_models.files.graph_forms.form import FormChoices, GraphForm
from kt_models.files.graph_forms.lists import (
    fits_lists,
    fits_metis,
    fits_neighbours,
    fits_rows,
    list_pieces,
    read_lists,
    read_metis,
    read_neighbours,
    read_rows,
    row_pieces,
)
from kt_models.files.graph_forms.tsplib import parse_hcp
from kt_models.files.graph_forms.unread import unread_form, unread_form_of_tools
from kt_models.files.suffixes import GRAPH_SUFFIXES, sign_of
from kt_models.graph import MoveGraph
from kt_models.signs import is_drawing
from kt_models.storage import with_line_feeds


def _signed(suffix: str, *, anywhere: bool = False) -> Callable[[str], bool]:
    """Whether a text has the sign of a suffix."""
    if anywhere:
        return lambda text: bool(sign_of(suffix).search(text))
    return lambda text: bool(sign_of(suffix).match(text))


# These modules take milliseconds to load, and each file has only one form.


def _dimacs(text: str, name: str) -> MoveGraph:
    from kt_models.files.graph_forms.dimacs import parse_dimacs

    return parse_dimacs(text, name)


def _json(text: str, name: str) -> MoveGraph:
    from kt_models.files.graph_forms.documents import read_json_graph

    return read_json_graph(text, name)


def _dot(text: str, name: str) -> MoveGraph:
    from kt_models.files.graph_forms.dot import read_dot

    return read_dot(text, name)


def _gml(text: str, name: str) -> MoveGraph:
    from kt_models.files.graph_forms.gml import read_gml

    return read_gml(text, name)


def _graphml(text: str, name: str) -> MoveGraph:
    from kt_models.files.graph_forms.xml_graphs import read_graphml

    return read_graphml(text, name)


def _gexf(text: str, name: str) -> MoveGraph:
    from kt_models.files.graph_forms.xml_graphs import read_gexf

    return read_gexf(text, name)


def _pajek(text: str, name: str) -> MoveGraph:
    from kt_models.files.graph_forms.pajek import read_pajek

    return read_pajek(text, name)


def _points(text: str, name: str, **choices: Any) -> MoveGraph:
    from kt_models.files.graph_forms.point_list import read_points

    return read_points(text, name, **choices)


def fits_points(text: str) -> bool:
    """Whether the first line of a text names coordinates; other lists of points look like edges."""
    if not re.search(r"[xX]|[lL][oO][nN]|[eE]ast", text[:2000]):
        return False
    from kt_models.files.graph_forms.point_list import is_headed

    return is_headed(text)


def _matrix(text: str, name: str, **choices: Any) -> MoveGraph:
    from kt_models.files.graph_forms.matrix import read_matrix

    return read_matrix(text, name, **choices)


_has_banner = _signed(".mtx")


def _fits_matrix(text: str) -> bool:
    if _has_banner(text):
        return True
    from kt_models.files.graph_forms.matrix_text import fits_matrix

    return fits_matrix(text)


def _is_likely_matrix(text: str) -> bool:
    from kt_models.files.graph_forms.matrix_text import is_likely_matrix

    return is_likely_matrix(text)


def _doubt_of_neighbours(text: str) -> str:
    """Other readings of lists of neighbours: those of each vertex may be as long as a row of a matrix."""
    return "its lines may be a matrix or lists of neighbours: give --form matrix or neighbours" * _fits_matrix(text)


def _doubt_of_matrix(text: str) -> str:
    if _has_banner(text):
        return ""
    from kt_models.files.graph_forms.matrix_text import doubt_of_matrix

    return doubt_of_matrix(text)


def _read_as_bytes(form: str) -> Callable[[str, str], MoveGraph]:
    """Reader of a form that is no text: each character of its text stands for a byte."""

    def read(text: str, name: str) -> MoveGraph:
        from kt_models.files.graph_lists.bytes import only_graph

        piece = only_graph(text.encode("latin-1", "replace"), form, name)
        if piece.fault:
            raise KTError(piece.fault)
        return read_lists(piece.text, name)

    return read


def _byte_form(form: str, rule: str) -> GraphForm:
    def fits(text: str) -> bool:
        from kt_models.files.graph_lists.bytes import stream_form

        return stream_form(text[:1000].encode("latin-1", "replace"), "") == form

    return GraphForm(form, f"{form}: {rule}", fits, _read_as_bytes(form), pieces=None)


_LINE_OF_CODE = "a graph a line, as nauty, plantri and House of Graphs have them, with or without the header >>"
GRAPH_FORMS: dict[str, GraphForm] = {
    "json": GraphForm("JSON", "", lambda text: bool(re.match(r'\s*+\{\s*+("|\}\s*+\Z)', text)), _json),
    "tsplib": GraphForm(
        "TSPLIB",
        "TSPLIB: TYPE, DIMENSION, EDGE_DATA_SECTION, EDGE_WEIGHT_SECTION or NODE_COORD_SECTION, vertices from 1",
        _signed(".hcp", anywhere=True),
        parse_hcp,
        choices=frozenset({"directed", "edges"}),
    ),
    "dimacs": GraphForm(
        "DIMACS",
        "DIMACS: lines 'c ...', 'p edge N M' and 'e U V', vertices from 1; 'n V VALUE' is left out",
        _signed(".col", anywhere=True),
        _dimacs,
    ),
    "graph6": GraphForm("graph6", f"graph6: {_LINE_OF_CODE}graph6<<", are_codes, read_code, False, code_lines),
    "sparse6": GraphForm("sparse6", f"sparse6: {_LINE_OF_CODE}sparse6<<", _signed(".s6"), read_code, True, code_lines),
    "digraph6": GraphForm(
        "digraph6", f"digraph6: {_LINE_OF_CODE}digraph6<<", _signed(".d6"), read_code, True, code_lines
    ),
    "planar_code": _byte_form(
        "planar_code",
        "bytes as plantri, buckygen and benzene write them: how many vertices, and for each its neighbours, from 1, "
        "and a 0",
    ),
    "multi_code": _byte_form(
        "multi_code",
        "bytes as House of Graphs has them: the number of vertices, and for each but the last its greater neighbours, "
        "from 1, and a 0",
    ),
    "edge_code": _byte_form(
        "edge_code",
        "bytes as plantri -E writes them: a length, and for each vertex the numbers of its edges, 255 between them",
    ),
    "letters": _byte_form("letters", "lines as plantri -a writes them: 4 bcd,adc,abd,acb"),
    "scd": _byte_form(
        "scd", "GENREG's short codes, in a file called 12_3_3.scd for 12 vertices of degree 3 and girth 3"
    ),
    "gml": GraphForm("GML", "GML: graph [ node [ id 1 ] edge [ source 1 target 2 ] ]", _signed(".gml"), _gml),
    "graphml": GraphForm("GraphML", "GraphML: <graphml> with one <graph>", _signed(".graphml"), _graphml),
    "gexf": GraphForm("GEXF", "GEXF: <gexf> with a <graph>", _signed(".gexf"), _gexf),
    "pajek": GraphForm("Pajek", "Pajek: *Vertices N, then *Edges or *Arcs", _signed(".net"), _pajek),
    "dot": GraphForm("DOT", "DOT: graph { a -- b } or digraph { a -> b }", _signed(".dot"), _dot),
    "points": GraphForm(
        "lists of points",
        "a list of points: lines 'x y' or 'name x y' (and z), with commas, tabs or spaces, and perhaps a first line of "
        "heads such as 'name,x,y'",
        fits_points,
        _points,
        choices=frozenset({"edges"}),
    ),
    "matrix": GraphForm(
        "matrices",
        "a square matrix of 0 and 1, or of weights: MatrixMarket, with its first line '%%MatrixMarket ...', or n lines "
        "of n numbers, perhaps below a line 'n'",
        _fits_matrix,
        _matrix,
        False,
        choices=frozenset({"directed", "missing"}),
        doubt=_doubt_of_matrix,
    ),
    "lists": GraphForm(
        "lists '1: 2 3'",
        "lists of neighbours: a line '1: 2 5 6' for each vertex, as House of Graphs and showg write them",
        fits_lists,
        read_lists,
        True,
        list_pieces,
        choices=frozenset({"directed"}),
    ),
    "rows": GraphForm(
        "lists of snarks",
        "a list of snarks: how many there are, and of each its number, how many vertices it has, and the neighbours "
        "of each vertex, from 0, on a line",
        fits_rows,
        read_rows,
        True,
        row_pieces,
    ),
    "metis": GraphForm(
        "METIS",
        "METIS: a line 'N M', then the neighbours of each vertex, from 1, on a line",
        fits_metis,
        read_metis,
        False,
    ),
    "edges": GraphForm(
        "lists of edges",
        "a list of edges: lines 'U V' or 'U,V', with a third column for weights; comments begin with # or %",
        fits_edges,
        parse_edge_list,
        False,
        choices=frozenset({"directed"}),
        doubt=doubt_of_edges,
    ),
    "neighbours": GraphForm(
        "lists of neighbours",
        "lists of neighbours: lines 'vertex neighbour neighbour ...', as networkx writes them",
        fits_neighbours,
        read_neighbours,
        False,
        choices=frozenset({"directed"}),
        doubt=_doubt_of_neighbours,
    ),
}
"""Forms of graphs, by the name that `--form` takes; self-describing forms come first."""
OLD_NAMES = {"adjacency": "neighbours"}
"""Former names of forms, which are still read."""


def form_named(name: str) -> GraphForm:
    """The form with a name."""
    name = OLD_NAMES.get(name, name) if isinstance(name, str) else name
    if isinstance(name, str) and name not in GRAPH_FORMS:  # `g6` means graph6, as `.g6` does
        suffixes = {suffix.lstrip("."): names[0] for suffix, names in GRAPH_SUFFIXES.items()}
        raise unknown("form", name, GRAPH_FORMS, suffixes | OLD_NAMES)
    return row_named(name, GRAPH_FORMS, "form")


def forms_text() -> str:
    """All forms in a line, for an error."""
    return f"read are {', '.join(form.words for form in GRAPH_FORMS.values())}"


def likely_forms(text: str, suffix: str) -> list[str]:
    """Names of the forms that a text from a file with a suffix may have.

    It is one if the suffix or the content says so; otherwise all that fit.
    """
    named = GRAPH_SUFFIXES.get(suffix, ())
    if named:
        fitting = [name for name in named if GRAPH_FORMS[name].fits(text)]
        return (fitting if len(named) > 1 else []) or [*named[:1]]
    fitting = []
    for name, form in GRAPH_FORMS.items():
        if form.fits(text):
            fitting.append(name)
            if form.signed or (name == "matrix" and _has_banner(text)):
                return [name]
    if {"matrix", "edges"} <= {*fitting} and not _is_likely_matrix(text):
        fitting.remove("matrix")  # Three edges with weights
    return fitting


def parse_graph(text: str, suffix: str, name: str, choices: FormChoices | str | None = None) -> MoveGraph:
    """The graph of a text, by the suffix of its file or by its content.

    Parameters
    ----------
    name
        Name of the graph.
    choices
        What the user says about the text, or only the name of its form.

    Raises
    ------
    KTError
        If the text has no known form, several forms make different graphs of it, or it may be something else.
    """
    options = choices if isinstance(choices, FormChoices) else FormChoices(choices)
    text = with_line_feeds(text)
    if options.form is not None:
        if options.form in OLD_NAMES and (words := _doubt_of_neighbours(text)):
            raise KTError(words)
        return _read(text, form_named(options.form), name, options)
    if not text.strip() and suffix not in GRAPH_SUFFIXES:
        raise KTError(f"it is empty; {forms_text()}")
    if (words := unread_form(text)) and suffix not in GRAPH_SUFFIXES:
        raise KTError(words)
    names = likely_forms(text, suffix)
    if not names and is_drawing(text):
        raise KTError("it may be a drawn board, which is given as @FILE, or a grid for --clues or --waypoints")
    if not names:
        raise KTError(unread_form_of_tools(text) or f"it is not a graph in a form that is known: {forms_text()}")
    read = dict(_readings(text, names, name, options))
    kept = {form: graph for form, graph in read.items() if isinstance(graph, MoveGraph)}
    if not kept:
        raise next(error for error in read.values() if isinstance(error, KTError))
    (first, graph), *others = kept.items()
    different = [form for form, other in others if not _same(graph, other)]
    if different:
        raise KTError(
            f"it is one graph as {GRAPH_FORMS[first].words} and another as "
            f"{' or '.join(GRAPH_FORMS[form].words for form in different)}: give --form {first} or "
            f"{' or '.join(different)}"
        )
    if suffix not in GRAPH_SUFFIXES and options.missing is None:  # Only a matrix has missing entries
        _refuse_doubtful(text, kept)
    return graph


def _refuse_doubtful(text: str, forms: Iterable[str]) -> None:
    """Refuse a text that may be something else than what its form makes of it."""
    for form in forms:
        doubt = GRAPH_FORMS[form].doubt
        if doubt is not None and (words := doubt(text)):
            raise KTError(words)


def _readings(
    text: str, names: list[str], name: str, options: FormChoices
) -> Iterator[tuple[str, MoveGraph | KTError]]:
    for form in names:
        try:
            yield form, _read(text, GRAPH_FORMS[form], name, options)
        except KTError as error:
            yield form, error


def _read(text: str, form: GraphForm, name: str, options: FormChoices) -> MoveGraph:
    with saying(form.rule) if form.rule else nullcontext():
        return form.read(text, name, **options.for_form(form))


def _same(graph: MoveGraph, second: MoveGraph) -> bool:
    """Whether two readings are one graph, with the same names and weights."""

    def facts(read: MoveGraph) -> object:
        labels = None if read.labels is None else list(map(str, read.labels))
        return labels, None if read.weights is None else read.weights.tolist()

    return graph == second and facts(graph) == facts(second)
