"""Graphs in TSPLIB files, read and written; `kt_models.files.tsplib_weights` reads the weights of all pairs."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kt_models.complete_graph import COMPLETE, CompleteGraph
from kt_models.directed import WHICH_WAY, DirectedGraph, SplitGraph, arcs_once
from kt_models.errors import KTError
from kt_models.files.tsplib import END, Tsplib, parse_tsplib
from kt_models.files.tsplib_weights import MAX_COMPLETE, Measure, all_pairs, measure_of
from kt_models.graph import MoveGraph, distinct_pairs
from kt_models.json_values import is_integer
from kt_models.labels import MAX_LISTED_NUMBERS, labels_from_json, labels_to_json
from kt_models.storage import parse_json

if TYPE_CHECKING:
    from fractions import Fraction

WEIGHED = {"EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT", "EDGE_WEIGHT_SECTION"}
"""Keywords that give edges weights; coordinates alone may only be for a picture."""
DIRECTED_TYPES = ("HCP_DIRECTED", "DIRECTED_HCP", "DHCP", "AHCP", "ATSP")
"""Types of files with arcs; the first is written. TSPLIB itself has only ATSP."""


def parse_hcp(text: str, name: str, directed: bool | None = None, edges: str | None = None) -> MoveGraph:
    """The graph of a TSPLIB text, labelled from 1; its fixed edges are those of the `FIXED_EDGES_SECTION`.

    Parameters
    ----------
    directed
        Whether the edges of `TYPE` HCP are arcs, if the user says it: nauty writes this type for directed graphs, too.
    edges
        What joins the points of a file without edges: `complete`, `delaunay`, `nearest:8` or `within:1.5`.

    Raises
    ------
    KTError
        If the text is not such a file, a fixed edge is not an edge, or edges may be arcs.
    """
    content = parse_tsplib(text)
    weighed = sorted(WEIGHED & {*content.sections, *content.values})
    if "EDGE_DATA_SECTION" not in content.sections and not weighed:
        raise KTError("not a TSPLIB graph: no EDGE_DATA_SECTION, and no weights of all pairs of vertices")
    if "TOUR_SECTION" in content.sections:
        raise KTError("it has a graph and a tour in one file")
    kind = content.values.get("TYPE", "HCP")
    if kind not in ("HCP", "TSP", *DIRECTED_TYPES):
        raise KTError(f"TYPE is {kind[:40]}, not HCP, TSP or, of a directed graph, {' or '.join(DIRECTED_TYPES)}")
    if kind == "TSP" and not weighed:
        raise KTError("TYPE is TSP, and there is neither an EDGE_WEIGHT_SECTION nor an EDGE_WEIGHT_TYPE")
    asked, directed = directed, kind in DIRECTED_TYPES or (directed is True and kind == "HCP")
    if asked is not None and asked != directed:
        raise KTError(f"directed: TYPE {kind} says this itself")
    layout = content.values.get("EDGE_DATA_FORMAT", "EDGE_LIST")
    if layout not in LAYOUTS:
        raise KTError(f"EDGE_DATA_FORMAT {layout[:40]} is not known; use {' or '.join(LAYOUTS)}")
    n = content.dimension
    if edges is not None and ("EDGE_DATA_SECTION" in content.sections or directed):
        raise KTError(f"edges {edges}: it has {'arcs' if directed else 'edges'} already")
    if "EDGE_DATA_SECTION" in content.sections:
        # TSPLIB counts vertices from 1
        pairs = LAYOUTS[layout](content, "EDGE_DATA_SECTION") - 1
        if asked is None and not directed:
            _refuse_arcs_of_nauty(pairs, content.texts)
    elif (named := _on_points(content, n, name, edges)) is not None and not directed:
        if isinstance(named, MoveGraph):
            return named
        pairs = named
    else:
        pairs = all_pairs(n, directed=directed)
    if directed:
        graph: MoveGraph = DirectedGraph.from_arcs(n, pairs, name, range(1, n + 1)).split()
    else:
        graph = MoveGraph.from_edges(n, pairs, name, range(1, n + 1))
    graph = graph.having(labels=labels_from_comments(content.texts, n))
    if weighed:
        graph = _weighed(graph, measure_of(content.values, content.sections, n, directed=directed), content.decimals)
    graph = _placed(graph, content)
    none = np.zeros((0, 2), np.int64)
    fixed = _edge_list(content, "FIXED_EDGES_SECTION") if "FIXED_EDGES_SECTION" in content.sections else none
    return graph.having(fixed=frozenset(_fixed_edge(graph, int(u), int(v)) for u, v in fixed))


def _on_points(content: Tsplib, n: int, name: str, edges: str | None) -> npt.NDArray[np.int64] | MoveGraph | None:
    """The pairs of points that `edges` joins; or the graph of too many points for a list of all pairs.

    None if the file has weights and no points, or all pairs are edges and few enough.
    """
    many = n > MAX_COMPLETE
    by_points = content.values.get("EDGE_WEIGHT_TYPE", "EXPLICIT") != "EXPLICIT"
    if edges is None and not (many and by_points):
        return None
    if not by_points:
        raise KTError(f"edges {edges}: its weights are those of all pairs, and not of points")
    graph = _placed(CompleteGraph(n, name, range(1, n + 1)), content)
    if graph.positions is None:
        raise KTError(graph.unplaced or "there is no NODE_COORD_SECTION")
    if edges is None or (many and edges.strip() == COMPLETE):
        if "FIXED_EDGES_SECTION" in content.sections:
            raise KTError(f"a FIXED_EDGES_SECTION, and over {MAX_COMPLETE:,} points: no method takes both")
        why = f"its {n:,} points have too many pairs to list their weights; --minimize length measures the points"
        return graph.having(unweighted=why, labels=labels_from_comments(content.texts, n))
    from kt_models.files.points import pairs_of

    return pairs_of(graph.positions, edges)


_NAME_OF_NAUTY = re.compile(r"G[1-9][0-9]*")


def _refuse_arcs_of_nauty(pairs: npt.NDArray[np.int64], texts: list[str]) -> None:
    """Refuse what `nauty-listg -H` writes of a directed graph, as TYPE HCP: pairs of which some have no reverse.

    Of an undirected graph it writes each edge in both directions. Its pairs are in ascending order, and a name such as
    G1 is all that it says beside them.
    """
    if len(texts) != 1 or not _NAME_OF_NAUTY.fullmatch(texts[0]) or not len(pairs) or pairs.min() < 0:
        return
    n = int(pairs.max()) + 1
    single = arcs_once(pairs, n)
    if len(single) and np.array_equal(distinct_pairs(pairs, n), pairs):
        u, v = (single[0] + 1).tolist()
        raise KTError(f"{u} {v} is listed without {v} {u}, as nauty-listg -H lists arcs, with TYPE HCP; {WHICH_WAY}")


def _placed(graph: MoveGraph, content: Tsplib) -> MoveGraph:
    """The graph with the coordinates of its vertices, or those for a display.

    Places on the Earth, in degrees and minutes, become degrees east and north.
    """
    section = next(
        (title for title in ("NODE_COORD_SECTION", "DISPLAY_DATA_SECTION") if title in content.sections),
        None,
    )
    if section is None:
        return graph
    from kt_models.files.points import EARTH_NOTE, placed  # Most graphs have no positions.

    numbers, n = content.sections[section], graph.vertex_count
    on_earth = section == "NODE_COORD_SECTION" and content.values.get("EDGE_WEIGHT_TYPE") == "GEO"
    width = len(numbers) // n
    if width not in (3, 4) or sorted(numbers[: n * width : width].tolist()) != list(range(1, n + 1)):
        return graph.having(unplaced=f"its {section} does not name each vertex once, with two or three coordinates")
    rows = sorted(numbers[: n * width].reshape(n, width).tolist())
    if not on_earth:
        return placed(graph, [row[1:] for row in rows])
    return placed(graph, [[degrees(east), degrees(north)] for _, north, east in rows]).having(remark=EARTH_NOTE)


def degrees(place: float) -> Fraction:
    """Degrees of a number of degrees and minutes, `52.30`, as TSPLIB writes them; a multiple of a sixtieth."""
    from fractions import Fraction  # Only degrees need it.

    exact = Fraction(str(place))
    whole = int(exact)
    return whole + (exact - whole) * 5 / 3


def _weighed(graph: MoveGraph, measure: Measure, decimals: int) -> MoveGraph:
    weights = np.zeros(graph.m, dtype=np.int64)
    first = graph.first_arc if isinstance(graph, SplitGraph) else 0
    ends = graph.directed.arcs if isinstance(graph, SplitGraph) else graph.ends
    weights[first:] = measure(ends[:, 0].astype(np.int64), ends[:, 1].astype(np.int64))
    return graph.having(weights=weights, decimals=decimals)


def _fixed_edge(graph: MoveGraph, u: int, v: int) -> int:
    if 1 <= min(u, v) <= max(u, v) <= graph.vertex_count:
        with suppress(KTError):
            return graph.joining(u - 1, v - 1)
    raise KTError(f"the fixed edge {u} {v} is not an edge of the graph")


def _edge_list(content: Tsplib, section: str) -> npt.NDArray[np.int64]:
    """Pairs of vertices, one per line as in TSPLIB, optionally ended by -1.

    More numbers on a line may be weights, or the neighbours of a vertex.
    """
    numbers, lines = content.sections[section], content.lines[section]
    pairs = numbers  # Some files lack the closing -1, and tsplib95 writes two
    for _ in range(2):
        pairs = pairs[:-1] if len(pairs) and pairs[-1] == END else pairs
    if (pairs == END).any():
        raise KTError(f"numbers stand after the -1 that ends the {section}")
    count = Counter(lines[: len(pairs)])
    if len(count) == 1 and len(pairs) == len(numbers) - 2 > 2:
        raise KTError(
            f"the {section} has all its numbers on one line and two -1, as tsplib95 saves a list of edges, which it "
            "reads as a list of neighbours: write each edge on a line of its own"
        )
    if odd := next((line for line in count if count[line] != 2), None):
        raise KTError(
            f"line {odd} of the {section} has not two numbers, but {count[odd]}: an edge has a line of its own "
            "(weights have an EDGE_WEIGHT_SECTION, lists of neighbours the EDGE_DATA_FORMAT ADJ_LIST)"
        )
    return pairs.reshape(-1, 2)


def _adjacency_list(content: Tsplib, section: str) -> npt.NDArray[np.int64]:
    """Lists `vertex neighbour neighbour ... -1`, each on one line, optionally ended by one more -1.

    A list that continues on the next line cannot be distinguished from one that lacks its -1, so both are refused. Only
    the last list may lack it.
    """
    pairs: list[tuple[int, int]] = []
    run: list[int] = []
    begun, ended = 0, False
    for number, line in zip(content.sections[section].tolist(), content.lines[section], strict=True):
        if ended:
            raise KTError(f"numbers stand after the -1 that ends the {section}")
        if number == END:
            ended = not run
            pairs.extend((run[0], neighbour) for neighbour in run[1:])
            run = []
            continue
        if run and line != begun:
            raise KTError(f"line {begun}: the list of vertex {run[0]} has no -1 at its end; each list has one line")
        if number in run:
            twice = "itself" if number == run[0] else f"{number} twice"
            raise KTError(f"line {line}: the list of vertex {run[0]} has {twice}; a list ends in -1")
        begun = line
        run.append(number)
    pairs.extend((run[0], neighbour) for neighbour in run[1:])
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


LAYOUTS: dict[str, Any] = {"EDGE_LIST": _edge_list, "ADJ_LIST": _adjacency_list}
"""Readers of edges, by `EDGE_DATA_FORMAT`."""


def require_unweighted(graph: MoveGraph) -> None:
    """Refuse a graph whose weights would be lost."""
    if graph.weights is not None:
        raise KTError("the file cannot say what edges weigh; .edges files can")


def graph_to_hcp(graph: MoveGraph) -> str:
    """TSPLIB text of a graph; vertices count from 1, and comments have their names."""
    require_unweighted(graph)
    pairs, first = (graph.directed.arcs, graph.first_arc) if isinstance(graph, SplitGraph) else (graph.ends, 0)
    fixed = [f"{u + 1} {v + 1}" for u, v in pairs[[e - first for e in sorted(graph.fixed)]].tolist()]
    lines = [
        f"NAME : {graph.name.replace(' ', '_')}",
        f"COMMENT : kt {graph.name}" + (f" leaper={graph.leaper}" if graph.leaper else ""),
        f"TYPE : {'HCP' if graph.directed is None else DIRECTED_TYPES[0]}",
        *(f"COMMENT : {line}" for line in labels_to_comments(graph.labels)),
        f"DIMENSION : {graph.vertex_count}",
        "EDGE_DATA_FORMAT : EDGE_LIST",
        "EDGE_DATA_SECTION",
        *(f"{u + 1} {v + 1}" for u, v in pairs.tolist()),
        "-1",
        *(["FIXED_EDGES_SECTION", *fixed, "-1"] if fixed else []),
        "EOF",
    ]
    return "\n".join(lines) + "\n"


# -- labels in comments ------------------------------------------------------------------------------------------------

_LABEL = re.compile(r"kt-label ([0-9]{1,9}) (.+)")
_RUN = re.compile(r"kt-labels (-?[0-9]{1,18})\.\.(-?[0-9]{1,18})")


def labels_to_comments(labels: Sequence[Any] | None) -> list[str]:
    """Labels as comments of a file that numbers vertices from 1; none if they are these numbers.

    They are `kt-label 1 "anna"` and so on, or for consecutive integers `kt-labels 0..99`.
    """
    if labels is None:
        return []
    if isinstance(labels, range):
        return [] if labels[0] == 1 else [f"kt-labels {labels[0]}..{labels[-1]}"]
    data = [*labels_to_json(labels)]
    if all(map(is_integer, data)) and data == list(range(data[0], data[0] + len(data))):
        return [] if data[0] == 1 else [f"kt-labels {data[0]}..{data[-1]}"]
    return [f"kt-label {number} {json.dumps(label)}" for number, label in enumerate(data, start=1)]


def labels_from_comments(comments: Iterable[str], n: int) -> Sequence[Any]:
    """Labels of `n` vertices in comments that `labels_to_comments` wrote; otherwise their numbers, from 1.

    Raises
    ------
    KTError
        If some vertices have no label or two labels, or if a label cannot be read.
    """
    lines = [comment for comment in map(str.strip, comments) if re.match(r"kt-labels? ", comment)]
    if not lines:
        return range(1, n + 1)
    if len(lines) == 1 and (run := _RUN.fullmatch(lines[0])) and int(run[2]) - int(run[1]) == n - 1:
        numbers = range(int(run[1]), int(run[2]) + 1)
        return numbers if n > MAX_LISTED_NUMBERS else tuple(numbers)
    matches = [_LABEL.fullmatch(line) for line in lines]
    if [match and int(match[1]) for match in matches] != list(range(1, n + 1)):
        raise KTError(
            f"its comments 'kt-label NUMBER NAME' are not one for each vertex from 1 to {n:,}, in their order"
        )
    return labels_from_json([parse_json(match[2]) for match in matches if match], n)
