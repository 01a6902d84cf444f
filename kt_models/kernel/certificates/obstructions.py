"""Obstructions: short proofs that a problem has no solution, and their checkers.

Each checker takes a problem, the data of its certificate and limits, and returns the reason in words, or raises
`CertificateError`. Each names the connectivities that it covers, and refuses the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.board import IntArray
from kt_models.directed import SplitGraph
from kt_models.errors import CertificateError, TooLarge
from kt_models.existence import closed_tour_exists, open_tour_exists
from kt_models.graph import MoveGraph
from kt_models.json_values import integer, integers
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.walks import components

MAX_VERTICES = 2_000_000
"""Largest graph on which obstructions are checked."""
CHECK_EVERY = 1024
"""Forced moves between two checks of the clock."""

"""Beginning of a reason about a directed graph that mentions these parts."""

_Edges = npt.NDArray[np.integer[Any]]


# -- too few vertices --------------------------------------------------------------------------------------------------


def refute_small(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> str:
    """Check that a closed tour would have fewer than three vertices (or two joined by two different moves)."""
    graph = problem.graph
    if problem.closed and (graph.n == 1 or (graph.n == 2 and graph.m < 2)):
        return f"{graph.words.a_cycle} needs at least 3 {graph.words.places}"
    raise CertificateError("small: this method needs closed tours of one or two cells")


# -- a vertex without an edge ------------------------------------------------------------------------------------------


def refute_isolated(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> str:
    """Check that a vertex has no edge that may be used; nothing is allocated for the other vertices.

    In each connectivity a vertex has an edge of the solution, unless it is the only vertex of a path.
    """
    graph = problem.graph
    if isinstance(graph, SplitGraph):
        return _refute_without_predecessor(graph, data)
    vertex = integer(data.get("vertex"), "isolated: 'vertex'", 0, graph.n - 1)
    there = (graph.ends == vertex).any(axis=1)
    if problem.forbidden:
        there[list(problem.forbidden)] = False
    if graph.n == 1 or there.any():
        raise CertificateError(f"isolated: {graph.name_of(vertex)} has an edge, or is the only vertex")
    return f"{graph.name_of(vertex)} has no {graph.words.move}, and there are {graph.n:,} {graph.words.places}"


def _refute_without_predecessor(graph: SplitGraph, data: dict[str, Any]) -> str:
    """Check that no arc leads to a vertex; for paths, which begin at one, to neither of two."""
    directed = graph.directed
    names = ("vertex", "other") if graph.is_open else ("vertex",)
    vertices = {integer(data.get(name), f"isolated: {name!r}", 0, directed.n - 1) for name in names}
    if directed.n == 1 or len(vertices) < len(names):
        raise CertificateError("isolated: there is only one vertex")
    for vertex in vertices:
        if (directed.arcs[:, 1] == vertex).any():
            raise CertificateError(f"isolated: an arc leads to {directed.name_of(vertex)}")
    listed = " or ".join(map(directed.name_of, sorted(vertices)))
    return f"no arc leads to {listed}, and there are {directed.n:,} vertices"


# -- cuts --------------------------------------------------------------------------------------------------------------


def refute_by_cut(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> str:
    """Toughness (Chvátal 1973): a solution that is cut in few places does not fall into many pieces.

    Take s vertices and s' moves (`removed` and `moves` of the data) out of the graph; forbidden moves are not in it. A
    cycle then falls into at most s + s' pieces (one, if nothing was taken). Disjoint paths, p of them, fall
    into at most s + s' + p, one less for each end that was taken; an open tour is p = 1. As a solution meets every
    vertex, and each piece of it lies in one piece of the graph, the graph falls into no more.

    Colour balance is the case where a colour class is removed; a cell with fewer than two moves, a cut vertex, a
    disconnected graph and the 4×n boards are cases too.
    """
    graph = problem.graph
    if problem.connectivity == "any":
        raise CertificateError("cut: a choice of moves by degrees alone may fall into any number of pieces")
    require_size(graph)
    removed = integers(data.get("removed"), "cut: 'removed', vertices", 0, graph.n - 1, distinct=True)
    moves = integers(data.get("moves", []), "cut: 'moves'", 0, graph.m - 1, distinct=True)
    there = np.ones(graph.m, dtype=bool)
    there[[*problem.forbidden, *moves]] = False
    pieces = _pieces(graph.n, graph.ends[there], removed)
    most = _most_pieces(problem, removed, len(moves))
    if pieces <= most:
        raise CertificateError(
            f"cut: {len(removed)} vertices and {len(moves)} moves leave {pieces} pieces, which rules nothing out"
        )
    return _describe_cut(problem, removed, moves, pieces, most)


def _most_pieces(problem: Problem, removed: Sequence[int], moves: int) -> int:
    if problem.closed:
        # Removing s things cuts a cycle into at most s paths; nothing removed leaves one piece
        return max(1, len(removed) + moves)
    paths = 1 if problem.connectivity == "path" else len(problem.terminals) // 2
    # Each removal splits a path once more, except at its given end
    return len(removed) + moves + paths - len(set(removed) & set(problem.terminals))


def require_size(graph: MoveGraph) -> None:
    if graph.n > MAX_VERTICES:
        raise TooLarge(f"{graph.name}: {graph.n:,} vertices, over the limit of {MAX_VERTICES:,} for this certificate")


def _pieces(n: int, ends: _Edges, removed: Sequence[int] = ()) -> int:
    """Number of connected components left when some vertices are removed."""
    left = np.ones(n, dtype=bool)
    left[list(removed)] = False
    label = components(n, ends[left[ends].all(axis=1)])
    # A component is labelled by its least vertex, so count vertices with their own label
    return int((label[left] == np.flatnonzero(left)).sum())


def _describe_cut(problem: Problem, removed: list[int], moves: list[int], pieces: int, most: int) -> str:
    graph = problem.graph
    words = graph.words
    if isinstance(graph, SplitGraph):
        return _describe_split_cut(problem, graph, removed, moves, pieces, most)
    kind = {"cycle": words.a_cycle, "path": words.a_path}.get(problem.connectivity, "such paths")
    whole = "graph" if graph.board is None else "board"
    if not removed and not moves:
        cause = f"a {graph.leaper} leaper cannot reach every cell" if graph.leaper else "the graph is not connected"
        cause = f"{words.moves} are forbidden" if problem.forbidden else cause
        most_text = "" if most == 1 else f", and {kind} would lie in at most {most}"
        return f"{cause}: the graph has {pieces} separate parts{most_text}"
    if problem.closed and not moves:
        colours = _colour_class_sizes(graph)
        # Removing one colour class isolates the cells of the other: say it in terms of colours
        if colours and len(removed) == min(colours) and pieces == max(colours):
            return (
                f"every {words.move} joins two classes of {max(colours)} and {min(colours)} {words.places}, "
                f"and {words.a_cycle} would have as many of one as of the other"
            )
    if problem.connectivity == "path" and len(problem.terminals) == 2 and (reason := _ends_of_wrong_colour(problem)):
        return reason
    if problem.closed and len(removed) == 1 and not moves:
        parts = f"removing {graph.name_of(removed[0])} splits the {whole} into {pieces} parts"
        return f"{parts}, so {kind} would pass it twice"
    taken = [_listed(graph, removed)] if removed else []
    taken += [
        f"the {words.moves if len(moves) > 1 else words.move} {', '.join(map(graph.edge_name, moves[:8]))}"
    ] * bool(moves)
    parts = f"removing {' and '.join(taken)} splits the {whole} into {pieces} parts"
    return f"{parts}; {kind} {'allow' if kind == 'such paths' else 'allows'} at most {most}"


def _describe_split_cut(
    problem: Problem, graph: SplitGraph, removed: list[int], moves: list[int], pieces: int, most: int
) -> str:
    """The same for a directed graph, of which `SplitGraph` has parts of vertices: in words of its vertices and arcs."""
    directed, kind = graph.directed, "cycle" if problem.closed else "path"
    if problem.closed and directed.n == 1:
        return "a cycle needs two vertices or more, as a loop is no arc"
    if reason := _without_neighbours(problem, graph):
        return reason
    if problem.closed and not moves:
        for first, side, ways in ((graph.exits, 1, ("to", "into")), (graph.entries, 0, ("from", "out of"))):
            part = np.array(removed, dtype=np.int64) - first  # Whose exits, or whose entries, were taken
            if len(part) in (0, directed.n) or part.min() < 0 or part.max() >= directed.n:
                continue
            inside = np.zeros(directed.n, dtype=bool)
            inside[part] = True
            crossing = np.flatnonzero(inside[directed.arcs[:, side]] & ~inside[directed.arcs[:, 1 - side]])
            if problem.forbidden.issuperset((crossing + graph.first_arc).tolist()):
                allowed = "allowed " * bool(len(crossing))
                names = [directed.name_of(v) for v in part.tolist()]
                if len(names) == 1:
                    return f"no {allowed}arc leads {ways[0]} {names[0]}"
                return f"no {allowed}arc leads {ways[1]} the part {', '.join(names[:8])}{', ...' * (len(names) > 8)}"
    middles, exits, entries = (
        [directed.name_of(v - first) for v in removed if first <= v < first + directed.n]
        for first in (0, graph.exits, graph.entries)
    )
    without = [f"the arcs from {_few(exits)}"] * bool(exits) + [f"the arcs to {_few(entries)}"] * bool(entries)
    without += [_few([graph.told(e) for e in moves])] * bool(moves)
    left = [f"without {' and '.join(without)}"] * bool(without)
    left += [f"with the arcs to {_few(middles)} kept apart from the arcs from there"] * bool(middles)
    left += ["wherever it begins or ends"] * (len(removed) > len(middles) + len(exits) + len(entries))
    parts = f"the graph falls into {pieces} parts, and a Hamiltonian {kind} would fall into at most {most}"
    return ", ".join([*left, parts])


def _few(names: Sequence[str]) -> str:
    """Some names, the first eight of many."""
    return ", ".join(names[:8]) + (f", ... ({len(names):,} in all)" if len(names) > 8 else "")


def _without_neighbours(problem: Problem, graph: SplitGraph) -> str | None:
    """Vertices that no allowed arc leads to, or from, if a cycle or path cannot have so many; otherwise `None`."""
    directed = graph.directed
    allowed = np.ones(directed.m, dtype=bool)
    allowed[[e - graph.first_arc for e in problem.forbidden if e >= graph.first_arc]] = False
    ends = graph.ends_of(problem.required)
    for side, terminal, word, place, verb in (
        (1, ends[0], "predecessor", "first", "begins"), (0, ends[1], "successor", "last", "ends"),
    ):  # fmt: skip
        lonely = np.setdiff1d(np.arange(directed.n), directed.arcs[allowed, side]).tolist()
        if not problem.closed and terminal is not None:
            lonely = [v for v in lonely if v != terminal]
        if len(lonely) < (2 if problem.closed or terminal is None else 1):
            continue
        names = [directed.name_of(v) for v in lonely]
        listed = " and ".join([", ".join(names[:-1]), names[-1]]) if 1 < len(names) <= 8 else _few(names)
        reason = f"{listed} {'have' if len(names) > 1 else 'has'} no {word}"
        if not allowed.all():
            reason += " by an allowed arc"
        if problem.closed:
            return reason
        if terminal is not None:
            return f"{reason}, and the path {verb} at {directed.name_of(terminal)}"
        return f"{reason}, and only the {place} vertex of a path may have none"
    return None


def _ends_of_wrong_colour(problem: Problem) -> str | None:
    graph = problem.graph
    colours = two_colouring(graph.n, graph.ends)
    if colours is None or _pieces(graph.n, graph.ends) > 1:
        return None
    s, t = problem.terminals
    # Colours alternate along a path, so its ends agree exactly if it has an odd number of cells
    if (colours[s] == colours[t]) == (graph.n % 2 == 1):
        return None
    same = "the same colour" if colours[s] == colours[t] else "different colours"
    path = f"a path of {graph.n} {graph.words.places}"
    return f"{graph.name_of(s)} and {graph.name_of(t)} have {same}, and the ends of {path} do not"


def _listed(graph: MoveGraph, vertices: list[int]) -> str:
    names = ", ".join(graph.name_of(v) for v in vertices[:8])
    return names if len(vertices) <= 8 else f"{len(vertices)} {graph.words.places} ({names}, ...)"


def _colour_class_sizes(graph: MoveGraph) -> tuple[int, int] | None:
    colours = two_colouring(graph.n, graph.ends)
    return None if colours is None else (int((colours == 0).sum()), int((colours == 1).sum()))


def two_colouring(n: int, ends: IntArray) -> IntArray | None:
    """A colouring of the vertices with 0 and 1 in which every edge joins different colours; `None` if there is none.

    Each connected component has its least vertex coloured 0. In the bipartite double cover, whose vertices are
    (v, 0) and (v, 1), a component of a two-colourable graph falls apart into two.
    """
    # Bipartite double cover: v and v + n are connected exactly if there is an odd closed walk
    cover = np.concatenate([ends, ends[:, ::-1]]) + np.array([0, n])
    label = components(2 * n, cover)
    if (label[:n] == label[n:]).any():
        return None
    # Labels are least vertices: the least vertex of each component gets the colour 0
    return (label[:n] > label[n:]).astype(np.int32)


# -- forced moves ------------------------------------------------------------------------------------------------------


def refute_by_force(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> str:
    """Forced moves, in closed and open tours of three vertices or more.

    A vertex with two moves left uses both, one with two forced moves loses the rest, and a move that would close a
    cycle too early is lost; followed to the end, some vertex has too few or too many, or a short cycle is forced.
    """
    for edge in sorted(problem.required & problem.forbidden):
        return f"the {problem.graph.words.move} {problem.graph.edge_name(edge)} is both required and forbidden"
    if problem.connectivity not in ("cycle", "path") or problem.graph.n < 3:
        raise CertificateError("forced: this method needs closed or open tours of at least three cells")
    require_size(problem.graph)
    reason = _propagate(problem, *plain_graph(problem), limits)
    if reason is None:
        raise CertificateError("forced: following the forced moves leads to no contradiction")
    graph = problem.graph
    return (_without_neighbours(problem, graph) if isinstance(graph, SplitGraph) else None) or reason


def plain_graph(problem: Problem) -> tuple[int, _Edges]:
    """Number of vertices and the edges, shape (m, 2), of a graph whose Hamiltonian cycles are the tours.

    - Vertices 0..n-1 are the graph's; forbidden edges are left out.
    - For a path, vertex n joins its two ends: it is adjacent to every vertex that may be an end (to the two given
      terminals only; where one is given, to it through a vertex n+1 of degree 2, so that this terminal is one end).
    - Each required edge, in order of number, is cut in two by a new vertex of degree 2.

    There are three vertices or more, so that a cycle uses no two parallel edges, and they count once.
    """
    graph, n = problem.graph, problem.graph.n
    there = np.ones(graph.m, dtype=bool)
    there[list(problem.forbidden | problem.required)] = False
    parts: list[_Edges] = [graph.ends[there].astype(np.int64)]
    size = n
    if problem.connectivity == "path":
        # A further vertex joins both ends of the path, which becomes a cycle
        end, size = n, n + 1
        if len(problem.terminals) == 2:
            joined = np.array(problem.terminals)
        else:
            joined = np.arange(n)
            if problem.terminals:
                (terminal,) = problem.terminals
                joined = joined[joined != terminal]
                parts.append(np.array([[terminal, size], [size, end]]))
                size += 1
        parts.append(np.stack([joined, np.full(len(joined), end)], axis=1))
    for edge in sorted(problem.required):
        u, v = (int(x) for x in graph.ends[edge])
        # A required edge is subdivided: its middle has degree two, so both halves are forced
        parts.append(np.array([[u, size], [size, v]]))
        size += 1
    return size, np.concatenate(parts)


def _propagate(problem: Problem, size: int, ends: _Edges, limits: Limits) -> str | None:
    left: list[set[int]] = [set() for _ in range(size)]
    for u, v in ends.tolist():
        left[u].add(v)
        left[v].add(u)
    forced: list[set[int]] = [set() for _ in range(size)]
    other_end = list(range(size))  # Other end of the forced path that ends here
    length = [1] * size  # Number of vertices on that path
    required, words = sorted(problem.required), problem.graph.words
    # A work list: vertices whose edges changed are examined again
    todo = list(range(size))

    def name(v: int) -> str:
        if v < problem.graph.n:
            return problem.graph.name_of(v)
        if v >= size - len(required):
            edge = required[v - size + len(required)]
            if isinstance(problem.graph, SplitGraph) and edge < problem.graph.first_arc:
                return problem.graph.told(edge)
            return f"the required {words.move} {problem.graph.edge_name(edge)}"
        return "the end of the path"

    def drop(u: int, v: int) -> None:
        left[u].discard(v)
        left[v].discard(u)
        for w in (u, v):
            if len(left[w]) == 2:
                left[w] = set(left[w])  # Rebuilt, because a set that was large stays slow to iterate
        todo.extend((u, v))

    looks = 0
    while todo:
        looks += 1
        if not looks % CHECK_EVERY:
            limits.check()
        v = todo.pop()
        if len(left[v]) < 2 and v >= size - len(required):
            return f"{name(v)} is ruled out by the other forced {words.moves}"
        if len(left[v]) < 2 and isinstance(problem.graph, SplitGraph):
            return _fault_of_arcs(problem, problem.graph, v, left)
        if len(left[v]) < 2:
            return f"the forced {words.moves} leave {name(v)} with fewer than two"
        if len(forced[v]) == 2:
            # Two forced moves: the others are dropped
            for u in list(left[v] - forced[v]):
                drop(u, v)
        elif len(left[v]) == 2:
            # Sorted, so that the reason does not depend on the order of a set
            for u in sorted(left[v] - forced[v]):
                if len(forced[u]) == 2 or len(forced[v]) == 2:
                    three = u if len(forced[u]) == 2 else v
                    if isinstance(problem.graph, SplitGraph):
                        return _fault_of_arcs(problem, problem.graph, three)
                    return f"{name(three)} is forced to have three {words.moves}"
                start, end = other_end[v], other_end[u]
                if start == u:  # This move closes the forced path
                    if length[v] < size and _is_whole_path(problem, v, forced):
                        return f"the forced {words.moves} lead from the first vertex to the last, and miss the rest"
                    if length[v] < size:
                        return f"the forced {words.moves} close a cycle through {name(v)} that misses the rest"
                    continue
                forced[u].add(v)
                forced[v].add(u)
                total = length[start] + length[end]
                other_end[start], other_end[end] = end, start
                length[start] = length[end] = total
                # With two vertices, the closing move is the forced move itself
                if 2 < total < size and end in left[start]:
                    drop(start, end)
                todo.extend((u, v, start, end))
    return None


def _is_whole_path(problem: Problem, v: int, forced: list[set[int]]) -> bool:
    """Whether what is forced at a vertex joins both ends of a path of a directed graph."""
    if problem.closed or not isinstance(problem.graph, SplitGraph):
        return False
    reached, todo = {v}, [v]
    while todo:
        todo += (fresh := forced[todo.pop()] - reached)
        reached |= fresh
    return problem.graph.n in reached


def _fault_of_arcs(problem: Problem, graph: SplitGraph, v: int, left: list[set[int]] | None = None) -> str:
    """Why a part of a vertex of a directed graph has too few edges `left` or, without them, too many, in words."""
    directed, whole = graph.directed, graph.vertex_of(v) if v < graph.n else None
    if v >= graph.n:
        return "the path would begin or end at two vertices"
    if whole is None:
        side = "begin" if v == directed.n else "end"
        return f"the path would {side} at two vertices" if left is None else f"the path has no vertex to {side} at"
    name = directed.name_of(whole)
    if left is not None and v >= directed.n and whole in left[v]:
        way, place = ("from", "last") if v < graph.entries else ("to", "first")
        return f"the forced arcs leave none {way} {name}" + ("" if problem.closed else f", which cannot be {place}")
    return f"what is forced would pass {name} twice"


# -- symmetry ----------------------------------------------------------------------------------------------------------


def refute_by_symmetry(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> str:
    """Refute a symmetry by its action on a cycle or path (Bergholt; Jelliss, "Symmetry in knight's tours", 1999).

    A symmetry of a cycle of N vertices is a rotation, which moves every vertex, or a reflection, which has order 2 and
    fixes two vertices, or reverses two edges, or one of each if N is odd. A symmetry of a path is its reversal. If
    every move changes colour, a rotation by r steps swaps colours if and only if r is odd. This holds for three
    vertices or more, where a tour does not use two moves that join the same two cells.
    """
    board = problem.graph.board
    if board is None or not problem.symmetry:
        raise CertificateError("symmetry: the problem has no symmetry")
    if problem.connectivity not in ("cycle", "path") or problem.graph.n < 3:
        raise CertificateError("symmetry: this method needs closed or open tours of at least three cells")
    require_size(problem.graph)
    colours = two_colouring(problem.graph.n, problem.graph.ends)
    for element in problem.group[1:]:
        limits.check()
        image = element.permutation(board)
        if len(problem.terminals) == 2 and {int(image[t]) for t in problem.terminals} != set(problem.terminals):
            return f"{element.name} does not map the ends of the path to themselves"
        fault = _symmetry_fault(problem, image, problem.graph.edge_permutation(element), colours)
        if fault:
            kind = "closed" if problem.closed else "open"
            return f"no {kind} tour is symmetric under {element.name}: {fault}"
    raise CertificateError("symmetry: counting rules nothing out")


def _symmetry_fault(problem: Problem, image: IntArray, edge_image: IntArray, colours: IntArray | None) -> str | None:
    graph, n = problem.graph, problem.graph.n
    vertices = np.arange(n)
    if np.array_equal(image, vertices):
        return None  # It moves nothing, as a mirror of a board one cell thick
    order, power = 1, image
    # Order of the symmetry as a permutation of the cells
    while not np.array_equal(power, vertices):
        if problem.closed and order > 1 and (power == vertices).any():
            return "some of its powers fix a cell but not every cell"
        order, power = order + 1, image[power]
    fixed = int((image == vertices).sum())
    kept = edge_image == np.arange(graph.m)
    # Edges whose ends are exchanged: a reflection of the cycle may have its axis there
    reversed_edges = int((kept & (image[graph.tails] == graph.heads)).sum())
    # The effect on one cell decides for all, as colours alternate on a connected graph
    swaps = None if colours is None or _pieces(n, graph.ends) > 1 else bool(colours[image[0]] != colours[0])
    if not problem.closed:
        if order > 2:
            return "a path has no symmetry but its reversal"
        if fixed != n % 2:
            return f"the reversal of a path of {n} cells fixes {n % 2} of them, this fixes {fixed}"
        if n % 2 == 0 and not reversed_edges:
            return "the middle move would have to be turned around, and it turns around no move"
        return None
    # A reflection of a cycle has two axis points, each a vertex or the middle of an edge
    reflection = order == 2 and (
        fixed == 2 or (fixed == 0 and reversed_edges >= 2) or (fixed == 1 and reversed_edges >= 1)
    )
    if reflection and n % 2 == 0 and fixed == 1:
        reflection = False
    if fixed and not reflection:
        cells = f"{fixed} cells, and the tour would have to be turned about them"
        return f"it fixes {cells if fixed > 1 else 'one cell, and the tour would have to be turned about it'}"
    if not fixed and n % order:
        return f"it would turn a cycle of {n} cells by a fraction of order {order}"
    rotation = not fixed
    # A rotation by n / order steps changes colours exactly if that number is odd
    if rotation and swaps is not None and order % 2 == 0 and swaps != ((n // order) % 2 == 1):
        rotation = False
    if rotation or reflection:
        return None
    change = "changes" if swaps else "keeps"
    return f"it would turn the tour by an odd multiple of {n // order} moves, but it {change} the colour of cells"


# -- theorems ----------------------------------------------------------------------------------------------------------


def refute_by_theorem(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> str:
    """Refute rectangles and boxes without a knight's tour by published theorems, which are not proved here.

    What holds for every closed or open tour of a board also holds with given ends, moves or symmetry.
    """
    board, graph = problem.graph.board, problem.graph
    if problem.connectivity not in ("cycle", "path"):
        raise CertificateError("theorem: this method needs closed or open tours")
    if board is None or not board.is_box or graph.leaper != KNIGHT:
        raise CertificateError("theorem: this method needs knights on full rectangles and boxes")
    if problem.closed and not closed_tour_exists(board.shape):
        source = _source(board.shape)
        if board.n % 2 == 1:
            return f"a closed tour alternates colours, and {board.n:,} cells are odd in number ({source})"
        return f"no {_sorted_sides(board.shape)} board has a closed knight's tour ({source})"
    if not problem.closed and open_tour_exists(board.shape) is False:
        return f"no {_sorted_sides(board.shape)} board has an open knight's tour (Chia and Ong 2005)"
    raise CertificateError("theorem: it does not rule this board out")


def _sorted_sides(shape: Sequence[int]) -> str:
    return "x".join(map(str, sorted(shape)))


def _source(shape: Sequence[int]) -> str:
    dimensions = sum(side > 1 for side in shape)
    if dimensions <= 2:
        return "Schwenk 1991"
    return "DeMaio and Mathew 2011" if dimensions == 3 else "Erde, Golénia and Golénia 2012"
