"""The figures of the pages on lower bounds (see docs/site/figures.py, which draws them)."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sheet import (
    BLUE,
    COLOURS,
    FAINT,
    INK,
    ORANGE,
    PAPER,
    PURPLE,
    SOFT_INK,
    Cell,
    Figure,
    Point,
    Sheet,
    board_of,
    crossings,
    moves_of,
    segments,
    signed,
)

from drawing.drawn_moves import way_of
from drawing.explanation_parts import Arrow, Parts, draw_marks
from kt_models import Board, Problem, graph_of
from kt_models.leaper import KNIGHT
from kt_models.pairs import pair_weights
from kt_models.symmetry import board_symmetries
from kt_models.tour import Tour

if TYPE_CHECKING:
    from theorems.turns.planes import Plane

DELIVERED = Path(__file__).resolve().parents[2] / "heuristics" / "delivered"


def tour_in(file: str) -> Tour:
    """The tour of a result in docs."""
    data = json.loads((DELIVERED / file).read_text())
    graph = graph_of(data["board"])
    return Tour(graph, board_of(graph).numbers(np.array(data["tour"])), closed=True)


def potentials() -> Figure:
    """bounds.md: the multipliers of a certificate, the least cost of each cell with them, and a tour that costs it."""
    from kt_models.kernel.certificates import tree
    from kt_models.kernel.certificates.nodes import Instance

    result = json.loads((DELIVERED / "results" / "turns-5x6.json").read_text())
    data, tour = result["certificate"]["data"], tour_in("results/turns-5x6.json")
    problem = Problem(tour.graph, objective="turns")
    board, graph = board_of(tour.graph), tour.graph
    evaluator = tree.read_evaluator(Instance(problem), data)
    assert evaluator.denominator == 1  # So that every number is whole
    prices = evaluator.base
    least = np.concatenate(list(evaluator.minima(prices)))
    assert least.sum() == result["bound"] == tour.measure("turns")

    sheet = Sheet([board] * 3, 40, gap=0.9, below=64)
    at_ends = np.stack([prices.tail, prices.head], axis=1)
    carrying = np.flatnonzero(at_ends[:, 0])
    lines = segments(board, graph.ends[carrying]).astype(float)
    sheet.lines(0, lines, FAINT, 2.4)
    for line, numbers in zip(lines, at_ends[carrying].tolist(), strict=True):
        along = (line[1] - line[0]) / np.hypot(*(line[1] - line[0]))
        for point, number in ((line[0] + 0.78 * along, numbers[0]), (line[1] - 0.78 * along, numbers[1])):
            sheet.dots(0, [point], BLUE if number > 0 else ORANGE, 6.5, edge=PAPER, rim=1.1)
            sheet.write(0, point, "+" if number > 0 else "−", PAPER, bold=True)
    sheet.under(0, "multipliers", "+1 and −1 at the ends", f"of {len(carrying)} moves, else 0")
    sheet.values(1, board.cells.tolist(), least.tolist())
    sheet.under(1, "what a cell costs at least", "1 if it turns, and its multipliers;", f"the sum is {least.sum()}")
    steps = segments(board, sorted(moves_of(tour)))
    turning = way_of(board, [tour], along=True).turns
    sheet.lines(2, steps, BLUE, 2.6)
    sheet.dots(2, turning, INK, 4.5)
    sheet.under(2, f"a tour with {len(turning)} turns", "so no tour has fewer")
    return Figure(
        sheet,
        "Multipliers on 5x6",
        f"Left, {len(carrying)} moves of 5x6 with +1 at one end and -1 at the other. Middle, the least cost of every "
        f"cell, {least.sum()} together. Right, a closed tour with {len(turning)} turns.",
    )


def depths() -> Figure:
    """theorem-turns.md: the four numbers of the proof by hand, and the cheapest pair of moves at each depth."""
    sheet = Sheet([Board.parse("11x6"), Board.parse("16x6"), Board.parse("1x6")], 22, gap=0.8, below=52, aside=26)
    numbered = (((1, 0), (2, 2), 1), ((3, 0), (5, 1), 1), ((6, 1), (7, 3), -1), ((8, 2), (10, 3), -1))
    by_vector = {(start[1], abs(end[1] - start[1])): number for start, end, number in numbered}

    def number_at(cell: Cell, other: Cell) -> int:
        nearer, farther = sorted((cell, other), key=lambda place: place[1])
        number = by_vector.get((nearer[1], farther[1] - nearer[1]), 0)
        return number if cell == nearer else -number

    def coin(panel: int, at: Point, number: int) -> None:
        colour = BLUE if number > 0 else ORANGE if number < 0 else SOFT_INK
        sheet.dots(panel, [at], colour, 10.5, order=4, edge=PAPER, rim=1.1)
        sheet.write(panel, at, signed(number), PAPER)

    for start, end, _ in numbered:
        sheet.lines(0, [[start, end]], INK, 2.4)
        coin(0, start, number_at(start, end))
        coin(0, end, number_at(end, start))
    pairs = (
        ((0, 2), (1, 0), (2, 2)),
        ((3, 0), (5, 1), (7, 2)),
        ((8, 0), (9, 2), (10, 4)),
        ((11, 2), (13, 3), (15, 4)),
    )
    costs = []
    for before, cell, after in pairs:
        turn = (cell[0] - before[0], cell[1] - before[1]) != (after[0] - cell[0], after[1] - cell[1])
        costs.append(turn + number_at(cell, before) + number_at(cell, after))
        sheet.lines(1, [[before, cell, after]], INK, 2.4)
        coin(1, cell, costs[-1])
    costs += [0, 0]  # No number reaches so deep, and a tour may go straight on
    sheet.values(2, [(0, depth) for depth in range(6)], costs)
    for depth in range(6):
        sheet.write(0, (-1, depth), str(depth), SOFT_INK)
    for panel, width in enumerate((11, 16, 1)):
        sheet.lines(panel, [[(-0.5, -0.5), (width - 0.5, -0.5)]], INK, 3.2)
    sheet.under(0, "numbers at the ends of moves", "all other moves have 0")
    sheet.under(1, "the cheapest two moves at each depth", "1 if they turn, and their numbers at the cell")
    sheet.under(2, "least", f"sum {sum(costs)}")
    return Figure(
        sheet,
        "The proof by hand",
        "Left, four moves near the side of a board, with the numbers +1 and -1 at their ends. Middle, for each depth "
        f"from 0 to 3 the two moves of a cell that cost least: {', '.join(map(str, costs[:4]))}. Right, these costs in "
        f"a column; they sum to {sum(costs)}.",
    )


def border() -> Figure:
    """fewest-turns.md: the border of two sides, and what its cells may choose."""
    from kt_models.leaper import KNIGHT
    from theorems.turns.borders import transposed
    from theorems.turns.theorem import excesses, read

    family = read(json.loads((DELIVERED / "results" / "turns-border-0-1-mod-4.json").read_text()), KNIGHT)
    assert family.border is not None and family.border.along == 1
    board = Board.parse("21x20")
    cells = family.border.order(21, 20)
    least = {  # The first side of the border is the height of the board in the file
        cell: [moves for more, *moves in pairs if more == 0]
        for cell, pairs in transposed(excesses(family, 20, 21)).items()
    }
    wanted = {(cell, move) for cell, pairs in least.items() for pair in pairs for move in pair}
    both = [
        (x, y, dx, dy)
        for (x, y), (dx, dy) in wanted
        if dx > 0 and ((x + dx, y + dy), (-dx, -dy)) in wanted and {(x, y), (x + dx, y + dy)} <= {*cells}
    ]
    sheet = Sheet([board, board], 16, gap=0.9, below=52)
    sheet.tint(0, cells, BLUE, 0.12)
    for cell in cells:
        sheet.write(0, cell, str(len(least[cell])), size=12)
    sheet.under(0, "how many least pairs of moves", f"each of the {len(cells)} cells has")
    sheet.lines(1, [[(x, y), (x + dx, y + dy)] for x, y, dx, dy in sorted(both)], BLUE, 1.1)
    sheet.under(1, f"the {len(both)} moves that are in least pairs", "at both their ends")
    return Figure(
        sheet,
        "The border of two sides",
        f"Left, the {len(cells)} cells of a border of 7 rows along the bottom and the right side of {board.text}, with "
        f"the number of least pairs of each. Right, the {len(both)} moves inside it that are in a least pair at both "
        "ends; no choice of a least pair for each cell takes every move at both its ends or at neither.",
    )


def lines_of_plane(plane: Plane, square: Sequence[int]) -> dict[Cell, list[list[Cell]]]:
    """The moves of a plane within a square of columns and rows, by their directions."""
    moves: dict[Cell, list[list[Cell]]] = {plane.first: [], plane.second: []}
    for x, y in itertools.product(square, repeat=2):
        dx, dy = plane.direction(x, y)
        if x + dx in square and y + dy in square:
            moves[dx, dy].append([(x, y), (x + dx, y + dy)])
    return moves


def planes() -> Figure:
    """fewest-turns.md: three planes, as the interior of a square without turns looks."""
    from theorems.turns.planes import Plane
    from theorems.turns.planes import planes as all_planes

    board, inside = Board.parse("16x16"), range(16)
    panels = (
        (Plane((1, 2), (1, 2)), "one direction", "(1, 2)"),
        (Plane((1, 2), (2, -1), frozenset({0})), "one class of five", "(1, 2), in one class (2, −1)"),
        (Plane((1, 2), (1, -2), frozenset({0, 1})), "chevrons", "(1, 2) and (1, −2)"),
    )
    sheet = Sheet([board] * 3, 13, gap=1.4, below=58)
    for panel, (plane, *words) in enumerate(panels):
        for direction, colour in ((plane.second, ORANGE), (plane.first, BLUE)):
            sheet.lines(panel, lines_of_plane(plane, inside)[direction], colour, 1.7)
        sheet.under(panel, *words)
    return Figure(
        sheet,
        f"Three of the {len(list(all_planes()))} planes",
        "Squares of 16x16 cells that are filled with parallel lines of knight's moves. Left, all lines have the "
        "direction (1, 2). In the middle, one class of cells in five has the direction (2, -1). Right, two classes in "
        "four have the direction (1, -2), and the lines form chevrons.",
    )


def facing_strip() -> Figure:
    """fewest-turns.md: the strip between the left half of the bottom and the right half of the top."""
    from theorems.turns.facing import facing_sum
    from theorems.turns.planes import Plane
    from theorems.turns.side_walks import WINDOW

    side, rows, first = 62, 7, 7
    plane, board = Plane((1, 2), (2, -1), frozenset({0})), Board.parse(f"{side}x{side}")
    inside = range(rows, side - rows)
    turned = facing_sum(side, rows) - first  # First column of the window of the top after a half turn
    last = side - turned - WINDOW
    sheet = Sheet([board], 8, above=12, below=50)
    outside = [(x, y) for x, y in itertools.product(range(side), repeat=2) if {x, y} - set(inside)]
    sheet.tint(0, outside, BLUE, 0.1)
    strip, others = [], []
    for move in lines_of_plane(plane, inside)[plane.first]:
        (x, y), _ = move
        begins = x - (y - rows) / 2  # Where its line comes to the bottom of the inner square
        (strip if rows <= begins < side / 2 - rows / 2 else others).append(move)
    sheet.lines(0, others, FAINT, 0.8)
    sheet.lines(0, lines_of_plane(plane, inside)[plane.second], FAINT, 0.8)
    sheet.lines(0, strip, BLUE, 1.1)
    for corner in ((first, 0), (last, side - rows)):
        window = [(corner[0] + x, corner[1] + y) for x in range(WINDOW) for y in range(rows)]
        sheet.tint(0, window, ORANGE, 0.35)
        sheet.frame(0, window, ORANGE)
    cut = [first + WINDOW / 2 - 0.5, last + WINDOW / 2 - 0.5]
    ends = [(cut[0], -0.5), (cut[0], rows - 0.5), (cut[1], side - rows - 0.5), (cut[1], side - 0.5)]
    sheet.lines(0, [ends], INK, 1.6, order=4, dash=3)
    sheet.under(0, "the strip between two facing sides", "windows that face each other, and the cut through them")
    return Figure(
        sheet,
        "The strip between two facing sides",
        f"A square of {side}x{side} cells with a rim of {rows} rows. Lines of the direction (1, 2) lead from the left "
        f"half of the bottom to the right half of the top. A window of {WINDOW} columns is framed at the bottom, and "
        "the one that faces it at the top; a dashed cut leads through the middles of both.",
    )


def windows() -> Figure:
    """fewest-turns.md: two walks of a side, with what they join, and what joins the same lines at the top."""
    from kt_models.leaper import KNIGHT
    from kt_models.limits import NO_LIMITS
    from theorems.turns.circuits import InteriorSweep
    from theorems.turns.facing import Facing, facing_sum
    from theorems.turns.planes import Plane
    from theorems.turns.side_walks import WINDOW
    from theorems.turns.theorem import excesses, read

    data = json.loads((DELIVERED / "results" / "turns-facing-2-mod-20.json").read_text())
    family, side, rows = read(data, KNIGHT), 182, 7
    sweep = InteriorSweep(
        data["interior"]["excess"], 0, lambda n: excesses(family, n, n), rows, family.reach, 4, NO_LIMITS
    )
    facing = Facing(sweep, Plane((1, 2), (2, -1), frozenset({0})), side % 20)
    bottom, _, top, _ = facing.circuit.walks

    def lows_and_highs() -> Iterator[tuple[Any, Any, frozenset[tuple[int, int]], frozenset[tuple[int, int]]]]:
        """Windows of the bottom and the top that face each other, and the lines that each joins."""
        both = 2 * WINDOW - rows  # A line has two numbers, which add up to this when counted from the first columns
        highs = sorted(top.essential_windows, key=repr)
        for low in sorted(bottom.essential_windows, key=repr):
            for high in highs:
                if (low.nodes[0][0] + high.nodes[0][0] - facing_sum(side, rows)) % facing.period == 0:
                    above = frozenset((both - b, both - a) for a, b in top.joined(high))
                    yield low, high, bottom.joined(low), above

    pairs = list(itertools.islice(lows_and_highs(), 4000))
    most = max(pairs, key=lambda pair: len(pair[2]) if not pair[2] & pair[3] else -1)
    cycle = max(pairs, key=lambda pair: len(pair[2] & pair[3]))
    gap, shift = 6, 7  # The window above is so far to the right that lines lead from one to the other
    width, height = WINDOW + shift, 2 * rows + gap
    board = Board.parse(f"{width}x{height}")
    sheet = Sheet([board] * 2, 12, gap=1.4, below=58)
    for panel, (low, high, below, above) in enumerate((most, cycle)):
        rim = [(x, y) for x in range(WINDOW) for y in range(rows)]
        known = {*rim, *((width - 1 - x, height - 1 - y) for x, y in rim)}
        sheet.tint(
            panel, [cell for cell in itertools.product(range(width), range(height)) if cell not in known], PAPER, 1
        )
        moves = []
        for window, place in ((low, lambda x, y: (x, y)), (high, lambda x, y: (width - 1 - x, height - 1 - y))):
            for x, column in enumerate(window.columns):
                for y, pair in enumerate(column):
                    for dx, dy in pair:
                        inside = 0 <= y + dy < rows and 0 <= x + dx < WINDOW
                        end = (x + dx, y + dy) if inside else (x + dx / 2, y + dy / 2)
                        moves.append([place(x, y), place(*end)])
        sheet.lines(panel, moves, FAINT, 1.2)
        lowest, highest = rows - 0.1, rows + gap - 0.9
        for line in sorted({line for pair in below | above for line in pair}):
            sheet.lines(panel, [[((line + y) / 2, y) for y in (lowest, highest)]], FAINT, 1.2)
        for number, (pair, colour) in enumerate(zip(sorted(below | above), itertools.cycle(COLOURS), strict=False)):
            for joined, at, sign in ((below, lowest, 1), (above, highest, -1)):
                if pair in joined:
                    rise = at + sign * (0.5 + 0.3 * (number % 4))
                    corners = [[((line + y) / 2, y) for y in (at, rise)] for line in pair]
                    sheet.lines(panel, [[*corners[0], *reversed(corners[1])]], colour, 2.2, order=2)
        shared = len(below & above)
        words = "apart: no two lines are joined by both" if not shared else f"{shared} pairs of lines are joined twice"
        sheet.under(panel, words, f"the bottom joins {len(below)} pairs of lines, the top {len(above)}")
    return Figure(
        sheet,
        "Two windows of the bottom with windows of the top that face them",
        f"Twice {WINDOW} columns of the rim at the bottom, with the moves of a walk without excess, and above them the "
        "walk that faces it at the top. Brackets show which lines each of the two joins. Left, no two lines are joined "
        "by both. Right, some are, and they form cycles.",
    )


def orbit() -> Figure:
    """branching.md: the two children of a node, by a move and by all its images."""
    graph = graph_of("8x8")
    board = board_of(graph)
    edge = next(e for e, (u, v) in enumerate(graph.ends.tolist()) if (board.name(u), board.name(v)) == ("b1", "c3"))
    images = sorted({int(graph.edge_permutation(symmetry)[edge]) for symmetry in board_symmetries(board)})
    sheet = Sheet([board] * 2, 27, gap=3, below=48, aside=30)
    sheet.lines(0, segments(board, graph.ends[[edge]]), BLUE, 5)
    sheet.dots(0, board.cells[graph.ends[edge]], BLUE, 5)
    sheet.under(0, "first child", "the move b1–c3 is used")
    ends = board.cells[graph.ends[images].reshape(-1)]
    sheet.lines(1, segments(board, graph.ends[images]), ORANGE, 3, dash=2)
    sheet.dots(1, ends, ORANGE, 4)
    sheet.under(1, "second child", f"none of its {len(images)} images is used")
    return Figure(
        sheet,
        "Orbital branching",
        f"Two boards of 8x8. Left, the move b1-c3, which is used. Right, its {len(images)} images under the symmetries "
        "of the board, none of which is used.",
    )


def belt() -> Figure:
    """crossing-bounds.md: the sweep of a belt half way around, and the crossings of a tour that it speaks of."""
    from encoders.bounds.methods.regions import belts
    from kt_models.kernel.certificates import regions

    tour = tour_in("records/crossings-12x12.json")
    graph, board = tour.graph, board_of(tour.graph)
    (ring,) = belts(board, 2)
    data = {"regions": [{"cells": ring, "closed": True}], "laps": 2}
    bound = regions.bound(Problem(graph, objective="crossings"), data)

    sheet = Sheet([board] * 2, 27, gap=1.1, below=64)
    for panel in range(2):
        sheet.tint(panel, board.cells[ring], BLUE, 0.14)
        sheet.frame(panel, board.cells[ring], BLUE, 1.4)
    done, ahead = ring[:SWEPT], ring[SWEPT : SWEPT + len(ring) // 4]
    decided, reached = (np.asarray(np.isin(graph.ends, cells).any(axis=1)) for cells in (done, ahead))
    pairs, to_come = pair_weights(graph, "crossings"), reached & ~decided
    needed = decided & reached  # By a cell ahead, or by a crossing with a move that is still to come
    needed[pairs.first[to_come[pairs.second]]] = needed[pairs.second[to_come[pairs.first]]] = True
    known = [e for e in tour.edges.tolist() if decided[e]]
    sheet.tint(0, board.cells[done], BLUE, 0.2)
    sheet.lines(0, segments(board, graph.ends[[e for e in known if not needed[e]]]), SOFT_INK, 1.8)
    sheet.lines(0, segments(board, graph.ends[[e for e in known if needed[e]]]), ORANGE, 3.4, order=2)
    sheet.under(
        0,
        "the sweep, half way around",
        "grey: moves at the cells swept so far;",
        "orange: the state, what is needed ahead",
    )
    draw_marks(sheet.canvas, Parts(arrows=(Arrow((5.2, 10.5), (2.4, 10.5)),)))
    seen = np.isin(graph.ends[tour.edges], ring).any(axis=1)
    near = segments(board, graph.ends[tour.edges[seen]])
    sheet.lines(1, segments(board, graph.ends[tour.edges[~seen]]), FAINT, 1.4)
    sheet.lines(1, near, SOFT_INK, 1.6)
    points, every = crossings(graph, near), crossings(graph, segments(board, graph.ends[tour.edges]))
    assert len(every) == tour.measure("crossings")
    sheet.dots(1, every, PAPER, 2.6, 3, edge=FAINT, rim=1.1)
    sheet.dots(1, points, ORANGE, 3.8, 4, edge=PAPER, rim=0.9)
    sheet.under(
        1,
        f"the {len(points)} crossings that the belt sees",
        f"in a tour with {len(every)};",
        f"no tour has fewer than {bound} there",
    )
    return Figure(
        sheet,
        "A belt around 12x12",
        "Left, two rows around a board of 12x12, swept from the lower left corner half way around, with the moves that "
        "matter ahead in orange. Right, a tour; "
        f"{len(points)} of its {len(every)} crossings are between moves at the belt, where there are at least {bound}.",
    )


def corner_cut() -> Figure:
    """crossing-bounds.md: a corner of a tour, a cut, what crosses it, and the crossings in its window."""
    from heuristics.constructions.octants import octants
    from theorems.crossings.corner_cuts import CutWindow

    graph = graph_of("68x68")
    tour = octants(Problem(graph, objective="crossings")).tour
    assert tour is not None
    window, corner = CutWindow(KNIGHT, 6, CUT), Board.box(CORNER, CORNER)
    level = corner.cells.max(axis=1)
    sheet = Sheet([corner], 21, below=46)
    sheet.tint(0, corner.cells[(level >= window.lowest) & (level <= window.highest)], SOFT_INK, 0.16)
    sheet.frame(0, corner.cells[level < CUT], INK, 1.6)
    moves = board_of(graph).cells[graph.ends[tour.edges]]
    moves = moves[(moves < CORNER).all(axis=(1, 2))]
    inside = moves.max(axis=2) < CUT
    cut = inside[:, 0] != inside[:, 1]
    white = np.where(inside[:, 0], moves[:, 0].sum(axis=1), moves[:, 1].sum(axis=1)) % 2 == 0
    for chosen, colour, width in ((~cut, FAINT, 1.2), (cut & white, BLUE, 2.6), (cut & ~white, PURPLE, 2.6)):
        sheet.lines(0, moves[chosen].tolist(), colour, width)
    near = moves[(moves.max(axis=2) >= window.lowest - 2).any(axis=1)]
    belt = near.min(axis=(1, 2)) == 0
    every, of_belt = (crossings(graph, part.tolist()) for part in (near, near[belt]))
    cells = [point for point in map(tuple, every) if point not in {*map(tuple, of_belt)}]
    cells = [point for point in cells if window.lowest <= max(point) < window.highest]
    sheet.dots(0, [point for point in of_belt if max(point) < CORNER - 1], PAPER, 2.6, 3, edge=SOFT_INK, rim=1.1)
    sheet.dots(0, cells, ORANGE, 4.0, 4, edge=PAPER, rim=0.9)
    leave = int((cut & white).sum()), int((cut & ~white).sum())
    assert leave[0] - leave[1] == window.wanted == 2
    sheet.under(0, f"{leave[0]} moves leave white cells (blue), {leave[1]} black ones (purple):", "the flux is 2")
    return Figure(
        sheet,
        "A cut around a corner",
        f"The {CORNER}x{CORNER} cells at a corner of an octant tour, with the cut {CUT} and its window of six rows. "
        f"{leave[0]} moves leave the square inside the cut from white cells and {leave[1]} from black cells. "
        f"There are {len(cells)} crossings in the window, besides those at the sides.",
    )


CUT, CORNER = 11, 21
"""The cut of the figure above, and how many cells of each side it shows."""


SWEPT = 44
"""Cells of the belt in the figure above that the sweep has done."""
