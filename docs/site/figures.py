"""Draws docs/images/explain-*.svg, the figures of the explanation pages: `python docs/site/figures.py [NAME ...]`.

What is drawn is computed here, by the code that the page explains, or read from heuristics/delivered. No
solver searches and nothing is left to chance, so that the same pictures come out every time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

SITE = Path(__file__).resolve().parent
DOCS = SITE.parent
sys.path[:0] = [str(DOCS.parent), str(SITE)]  # The modules of this checkout, installed or not

from bound_figures import belt, border, corner_cut, depths, facing_strip, orbit, planes, potentials, windows  # noqa: E402
from sheet import (  # noqa: E402
    BLUE,
    COLOURS,
    FAINT,
    GREEN,
    INK,
    ORANGE,
    PAPER,
    PURPLE,
    SOFT_INK,
    Figure,
    Sheet,
    board_of,
    crossings,
    moves_of,
    moves_of_links,
    segments,
    svg,
)

import kt  # noqa: E402
from kt_models import Board, Problem, Result, graph_of  # noqa: E402
from kt_models.graph import MoveGraph  # noqa: E402
from kt_models.walks import walks_of  # noqa: E402


def turns_and_crossings() -> Figure:
    """boards.md: what is a turn, what is a crossing, and what is neither."""
    graph = graph_of("5x5")
    sheet = Sheet([board_of(graph)] * 3, 40, gap=0.9, below=64)
    way = [(0, 0), (1, 2), (2, 4), (4, 3), (2, 2), (3, 0)]
    sheet.lines(0, [way], BLUE, 3.4)
    sheet.dots(0, way[2:5], INK, 5)
    sheet.dots(0, way[1:2], PAPER, 4.5, edge=BLUE, rim=2.1)
    sheet.under(0, "three turns", "and one cell, in white, where", "the path goes straight on")
    lines = [[(0, 2), (2, 3)], [(0, 3), (1, 1)], [(1, 4), (2, 2)], [(2, 0), (4, 1)], [(3, 2), (4, 0)]]
    points = crossings(graph, lines)
    sheet.lines(1, lines, BLUE, 3.4)
    sheet.discs(1, points)
    sheet.under(1, f"{('no', 'one', 'two', 'three')[len(points)]} crossings", "moves that meet", "between their ends")
    apart = [[(0, 1), (2, 2)], [(2, 2), (3, 0)], [(1, 3), (3, 4)], [(3, 1), (4, 3)]]
    sheet.lines(2, apart, BLUE, 3.4)
    sheet.under(2, f"{('no', 'one')[len(crossings(graph, apart))]} crossing", "a common end", "is not one")
    return Figure(
        sheet,
        "Turns and crossings",
        "Three small boards: a path with three turns and one cell where it goes straight on; five moves with three "
        "crossings; four moves without any, two of which meet at a cell.",
    )


def geometry() -> Figure:
    """geometry.md: a crossing, an overlap, a touching that is none, and turns, of edges between points."""
    graph = graph_of("5x4")
    sheet = Sheet([board_of(graph)] * 4, 30, gap=0.7, below=64)
    pairs = [
        ([[(0, 0), (4, 3)], [(0, 3), (3, 0)]], ("one crossing", "the open segments", "have a common point")),
        ([[(0, 1), (3, 1)], [(1, 1), (4, 1)]], ("one crossing", "an overlap counts once", "")),
        ([[(0, 0), (4, 2)], [(2, 1), (1, 3)]], ("no crossing", "an end lies inside the", "other edge: a touching")),
    ]
    for place, (lines, words) in enumerate(pairs):
        ends = [point for line in lines for point in line]
        points = kt.graph(points=ends, edges=[(0, 1), (2, 3)])
        assert len(kt.pair_weights(points, "crossings").weight) == (words[0] == "one crossing")
        sheet.lines(place, lines[:1], BLUE, 3.4)
        sheet.lines(place, lines[1:], ORANGE, 3.4)
        sheet.dots(place, ends, INK, 4.5)
        sheet.under(place, *filter(None, words))
    way = [(0, 0), (1, 1), (3, 3), (4, 1), (2, 0), (3, 2)]
    path = kt.graph(points=way, edges=[(i, i + 1) for i in range(5)])
    assert len(kt.pair_weights(path, "turns").weight) == 3
    sheet.lines(3, [way], BLUE, 3.4)
    sheet.dots(3, way[2:5], INK, 5)
    sheet.dots(3, way[1:2], PAPER, 4.5, edge=BLUE, rim=2.1)
    sheet.under(3, "three turns", "and one vertex, in white,", "where the path goes straight on")
    return Figure(
        sheet,
        "Crossings, touchings and turns",
        "Four small drawings: two edges that cross; two that overlap, which counts as one crossing; an edge that ends "
        "inside another, which is none; a path with three turns and one vertex where it goes straight on.",
    )


def cut_set() -> Figure:
    """models.md: a 2-factor, what the cut-set of its least cycle says, and a tour that keeps to it."""
    from heuristics.merging import merge_cycles
    from heuristics.two_factor import random_cover

    graph = graph_of("6x6")
    board = board_of(graph)
    colour = (board.cells.sum(axis=1) % 2).astype(np.int8)
    links = random_cover(graph, colour, np.random.default_rng(SEED_OF_COVER))
    assert links is not None
    chosen = sorted(moves_of_links(links))
    cycles = sorted(walks_of(graph.n, np.array(chosen)), key=lambda walk: len(walk.vertices))
    inside = set(cycles[0].vertices)
    leaving = [pair for pair in graph.ends.tolist() if (pair[0] in inside) != (pair[1] in inside)]
    tour = links.copy()
    assert merge_cycles(graph, tour, np.random.default_rng(0)) == 1
    joined = moves_of_links(tour)
    used = [pair for pair in leaving if tuple(sorted(pair)) in joined]

    sheet = Sheet([board] * 3, 34.5, gap=0.8, below=64)
    cells = board.cells[sorted(inside)]
    for panel in range(3):
        sheet.tint(panel, cells, ORANGE, 0.22)
    for walk, shade in zip(cycles, (ORANGE, BLUE, GREEN, PURPLE), strict=False):
        sheet.lines(0, segments(board, [chosen[e] for e in walk.edges]), shade, 3)
    sheet.under(0, f"{len(cycles)} cycles", "the cells of the least", f"are S, {len(inside)} of {graph.n}")
    sheet.lines(1, segments(board, leaving), INK, 1.3)
    sheet.dots(1, cells, ORANGE, 4)
    sheet.under(1, f"{len(leaving)} moves leave S", "none of them was chosen;", "the model gets: at least two are")
    sheet.lines(2, segments(board, sorted(joined - {tuple(sorted(pair)) for pair in used})), FAINT, 2.4)
    sheet.lines(2, segments(board, used), ORANGE, 3.6, order=2)
    sheet.under(2, "a tour", "goes into S and out again:", f"{len(used)} of its moves leave S")
    return Figure(
        sheet,
        "A cut-set",
        f"Left, two moves at each cell of 6x6, in {len(cycles)} cycles, the least of which covers a set S of "
        f"{len(inside)} cells. Middle, the {len(leaving)} moves that leave S, none of them chosen on the left. "
        f"Right, a tour, with the {len(used)} of its moves that leave S in colour.",
    )


SEED_OF_COVER = 283
"""Of the random 2-factor above: one with a small cycle."""


def frontier() -> Figure:
    """frontier.md: two partial tours with the same state, and the state."""
    from kt_models.kernel.sweeps.net import good_order
    from research.every_tour import every_tour

    graph = graph_of("6x6")
    board, ends = board_of(graph), graph.ends.tolist()
    taken = set(good_order(graph)[:TAKEN].tolist())
    decided = [(u, v) for u, v in ends if u in taken or v in taken]
    edge = sorted({v for pair in decided for v in pair} - taken)

    def state(moves: set[tuple[int, int]]) -> tuple[int, ...]:
        """State of each frontier cell: itself if it is untouched, -1 if it has two moves, or its path's other end."""
        other = {v: v for v in edge}
        degree = np.bincount(np.array(sorted(moves)).reshape(-1), minlength=graph.n)
        for walk in walks_of(graph.n, np.array(sorted(moves))):
            first, last = walk.vertices[0], walk.vertices[-1]
            if first in other and last in other:
                other[first], other[last] = last, first
        return tuple(-1 if degree[v] == 2 else other[v] for v in edge)

    seen: dict[tuple[int, ...], set[tuple[int, int]]] = {}
    pairs = []
    for tour in islice(every_tour(Problem(graph)), 3000):
        moves = moves_of(tour) & set(decided)
        key = state(moves)
        kinds = [key.count(-1), sum(a == b for a, b in zip(key, edge, strict=True))]
        pairs.append((len(moves ^ seen.setdefault(key, moves)) + 8 * (min(kinds) > 0), key, seen[key], moves))
    _, key, early, late = max(pairs, key=lambda pair: pair[0])

    sheet = Sheet([board] * 3, 34.5, gap=0.8, below=88)
    shade: dict[int, str] = {}
    for v, other in zip(edge, key, strict=True):
        if other not in (-1, v) and v not in shade:
            shade[v] = shade[other] = COLOURS[len(shade) // 2]
    for panel, moves in enumerate((early, late)):
        for walk in walks_of(graph.n, np.array(sorted(moves))):
            if walk.edges:
                steps = segments(board, [sorted(moves)[e] for e in walk.edges])
                sheet.lines(panel, steps, shade[walk.vertices[0]], 3)
    for panel in range(3):
        sheet.tint(panel, board.cells[sorted(taken)], SOFT_INK, 0.16)
        sheet.frame(panel, board.cells[edge], INK, 1.6)
        for v, other in zip(edge, key, strict=True):
            at = board.cells[[v]]
            if other == v:
                sheet.dots(panel, at, PAPER, 5, edge=INK, rim=1.6)
            elif other == -1:
                sheet.dots(panel, at, INK, 5)
            else:
                sheet.dots(panel, at, shade[v], 8, edge=PAPER, rim=1.3)
    sheet.under(0, "one partial tour", f"{TAKEN} cells (grey) are taken,", "all their moves decided")
    sheet.under(1, "another", "other moves, but the same", "on the frontier (framed)")
    sheet.under(
        2, "the state of both", "a colour: the ends of one path;", "white: untouched;", "black: has its two moves"
    )
    return Figure(
        sheet,
        "A state of the sweep",
        f"Two partial tours of 6x6 after {TAKEN} cells, with different moves. On the frontier they agree: the same "
        "cells are untouched, have their two moves, or are ends of the same paths. Right, the frontier alone.",
    )


TAKEN = 15
"""Cells that the sweep in the figure above has taken."""


def path_conversion() -> Figure:
    """finding.md: an open tour, its pieces, and the tour that they are joined to."""
    from heuristics.papers.aztec.path_conversion import cut_path, join_cycles, links_of_pieces
    from heuristics.searches.warnsdorff import Walker
    from heuristics.simple_graph import simple_graph_or_result

    graph = graph_of("aztec:4")
    board, instance = board_of(graph), simple_graph_or_result(Problem(graph))
    assert not isinstance(instance, Result) and instance.graph.n == graph.n
    walker = Walker(instance, "ordered", np.random.default_rng(0))
    start = next(number for number in walker.turns(1) if number >= START and walker.walk(number))
    pieces = cut_path(walker, "greatest", True)
    assert pieces is not None and start == START
    path = walker.path.copy()
    links = links_of_pieces(path, pieces)
    apart = moves_of_links(links)
    assert join_cycles(graph, links, "number", np.random.default_rng(0), lambda: False) == 1
    joined = moves_of_links(links)
    walk = [(min(pair), max(pair)) for pair in zip(path[:-1].tolist(), path[1:].tolist(), strict=True)]

    sheet = Sheet([board] * 3, 26.5, gap=0.8, below=64)
    sheet.lines(0, [board.cells[path]], INK, 2)
    sheet.dots(0, board.cells[path[:1]], BLUE, 6.5, edge=PAPER, rim=1.3)
    sheet.dots(0, board.cells[path[-1:]], BLUE, 6, marker="square", edge=PAPER, rim=1.3)
    sheet.under(0, "an open tour", "by Warnsdorff's rule, from", "the disc to the square")
    parts = np.split(path, pieces[1:])
    cycle_of = {v: number for number, part in enumerate(parts) for v in part.tolist()}
    for panel, moves in ((1, apart & set(walk)), (2, joined & apart)):
        for u, v in sorted(moves):
            sheet.lines(panel, segments(board, [(u, v)]), COLOURS[cycle_of[u]], 2.6)
    closing = segments(board, sorted(apart - set(walk)))
    sheet.lines(1, closing, INK, 2.6, order=2, dash=2)
    lengths = ", ".join(str(len(part)) for part in parts)
    sheet.under(1, f"cut into {len(parts)} pieces", f"of {lengths} cells, each closed", "by one move (dashed)")
    sheet.lines(2, segments(board, sorted(apart - joined)), SOFT_INK, 2, dash=1)
    sheet.lines(2, segments(board, sorted(joined - apart)), INK, 3.2, order=2)
    count = len(joined - apart)
    sheet.under(2, "joined", f"{count} moves (black) in place of", f"{count} parallel ones (dotted)")
    return Figure(
        sheet,
        "Path conversion",
        f"Three Aztec diamonds of radius 4: an open tour; its {len(parts)} pieces, of {lengths} cells, each closed by "
        f"a move; and the closed tour they are joined to by exchanging {count} moves for {count} others.",
    )


START = 3
"""Where the walk of the figure above begins: the least number whose walk is cut into cycles without a single edge."""


def aztec_lemmas() -> Figure:
    """aztec.md: why there is no dissection into smaller diamonds, and why a quadrant has no tour."""
    from heuristics.papers.aztec.lemmas import quadrant

    radius, smaller = 6, 3
    board, piece = Board.aztec(radius), MoveGraph.of(quadrant(radius))
    corner = piece.board
    assert corner is not None
    sheet = Sheet([board, corner], 25, gap=4, below=64, aside=40)
    placed = Board.aztec(smaller).cells + np.array([2, 1]) * (radius - smaller)  # The one place at the right tip
    covered = set(map(tuple, placed.tolist()))
    free = set(map(tuple, board.cells.tolist())) - covered
    # Any diamond has, beside each of its cells, another one in the same column, and one in the same row
    beside = {(x, y): ({(x, y - 1), (x, y + 1)}, {(x - 1, y), (x + 1, y)}) for x, y in free}
    lost = sorted(cell for cell, pairs in beside.items() if not all(free & pair for pair in pairs))
    sheet.tint(0, placed, BLUE, 0.3)
    sheet.frame(0, placed, BLUE)
    sheet.tint(0, lost, ORANGE, 0.6)
    leaves = f"a diamond that covers a tip leaves {len(lost)} cells,"
    sheet.under(0, "Lemma 2", leaves, "in orange, that no other can cover")
    odd = corner.cells.sum(axis=1) % 2 == 1
    sheet.tint(1, corner.cells[odd], BLUE, 0.3)
    sheet.tint(1, corner.cells[~odd], ORANGE, 0.3)
    tip = corner.number((0, radius - 1))
    sheet.lines(1, segments(corner, piece.ends[piece.edges_of(tip)]), INK, 2.4)
    sheet.dots(1, corner.cells[[tip]], INK, 5)
    counts = f"{odd.sum()} blue and {(~odd).sum()} orange cells,"
    sheet.under(1, "Lemma 3", counts, f"and a tip with {piece.degrees[tip]} move")
    return Figure(
        sheet,
        "Lemmas 2 and 3",
        f"Left, the Aztec diamond of radius {radius} with one of radius {smaller} at its right tip; {len(lost)} cells "
        f"beside it can be in no other. Right, a quadrant of the diamond with {odd.sum()} cells of one colour, "
        f"{(~odd).sum()} of the other, and a tip that has only {piece.degrees[tip]} move.",
    )


def uniform_order() -> Figure:
    """edge-deletion.md: how far the path has come, three times."""
    from heuristics.papers.large_boards.edge_deletion import edge_deletion

    outcome = edge_deletion(Problem(graph_of("20x20")), order="uniform")
    assert outcome.tour is not None and outcome.statistics["backtracks"] == 0
    board, path = board_of(outcome.tour.graph), outcome.tour.order
    sheet = Sheet([board] * 3, 10.75, gap=1.4, below=34)
    for panel, part in enumerate((0.2, 0.5, 0.8)):
        done = round(part * len(path))
        sheet.tint(panel, board.cells[path[:done]], BLUE, 0.25)
        sheet.lines(panel, [board.cells[path[:done]]], BLUE, 1.5)
        sheet.dots(panel, board.cells[path[:1]], INK, 4)
        sheet.dots(panel, board.cells[path[done - 1 : done]], ORANGE, 5)
        sheet.under(panel, f"{done} of {len(path)} cells")
    return Figure(
        sheet,
        "The uniform order on 20x20",
        "Three boards of 20x20 with the path after a fifth, a half and four fifths of the cells: what is left is one "
        "region, and the path goes through it in parallel lines.",
    )


def cubes() -> Figure:
    """runs.md: five cubes as the leaves of a tree of decisions."""
    from encoders.enumeration.split import Splitter
    from kt_models.runs.cubes import Cube, check_cover
    from kt_models.runs.tour_task import TourTask

    graph = graph_of("6x6")
    board = board_of(graph)
    with Splitter(TourTask(Problem(graph))) as splitter:
        leaves = splitter.split(Cube(), 5)
    assert check_cover(leaves) == len(leaves)
    sheet = Sheet([board] * len(leaves), 19, gap=1.4, above=210, below=32)
    step = 64 / sheet.cell  # Between two levels of the tree
    top = board.shape[1] - 0.5 + 195 / sheet.cell
    names = {
        e: f"{e}: " + "–".join(board.name(v) for v in graph.ends[e].tolist())
        for leaf in leaves
        for e, _ in leaf.decisions
    }
    middle = (board.shape[0] - 1) / 2

    def place(decisions: tuple[Any, ...]) -> tuple[float, float]:
        below = [i for i, leaf in enumerate(leaves) if leaf.decisions[: len(decisions)] == decisions]
        if len(below) == 1:
            return sheet.left[below[0]] + middle, board.shape[1] - 0.5 + 6 / sheet.cell
        sides = [place((*decisions, (leaves[below[0]].decisions[len(decisions)][0], made))) for made in (True, False)]
        return (sides[0][0] + sides[1][0]) / 2, top - step * len(decisions)

    for node in sorted({leaf.decisions[:k] for leaf in leaves for k in range(len(leaf.decisions))}):
        cut = next(
            leaf.decisions[len(node)][0]
            for leaf in leaves
            if leaf.decisions[: len(node)] == node and len(leaf.decisions) > len(node)
        )
        for made in (True, False):
            end = place((*node, (cut, made)))
            sheet.lines(0, [[place(node), end]], BLUE if made else ORANGE, 2.4, dash=2 * (not made))
            if not node:
                at = (np.array(place(node)) + end) / 2 + np.array([0, 1.3])
                sheet.write(0, at, "made" if made else "not made", BLUE if made else ORANGE)
        sheet.label(0, place(node), names[cut])
    for panel, leaf in enumerate(leaves):
        for e, made in leaf.decisions:
            line = segments(board, graph.ends[[e]])
            sheet.lines(panel, line, BLUE if made else ORANGE, 3.4, dash=1.6 * (not made))
            sheet.dots(panel, line[0], BLUE if made else ORANGE, 3.2)
        sheet.under(panel, leaf.name)
    return Figure(
        sheet,
        "Five cubes of 6x6",
        f"A tree of decisions about single moves, with {len(leaves)} leaves. Under each leaf a board of 6x6 with the "
        "moves that are made as full lines and those that are not as dashed lines, and the name of the cube.",
    )


FIGURES: dict[str, Callable[[], Figure]] = {
    figure.__name__.replace("_", "-"): figure
    for figure in (
        turns_and_crossings,
        geometry,
        cut_set,
        potentials,
        depths,
        border,
        planes,
        facing_strip,
        windows,
        orbit,
        frontier,
        belt,
        corner_cut,
        path_conversion,
        aztec_lemmas,
        uniform_order,
        cubes,
    )
}


def main(names: Sequence[str]) -> None:
    from kt_models.writing import write_atomic

    for name in names or FIGURES:
        write_atomic(DOCS / "images" / f"explain-{name}.svg", svg(FIGURES[name]()))


if __name__ == "__main__":
    main(sys.argv[1:])
