"""Pictures of certificates: the cut of a graph, the dual numbers of its moves, or the tree of cases.

A cut: the removed cells and the remaining components, in two colours if every move joins the two. A tree of cases: the
tree. A single dual solution: its number on every move, and the least cost of each cell.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from drawing.canvas import INK, PAPER, SOFT_INK, Canvas, Dots, Lines, Polygons, Rectangles
from drawing.drawn_moves import FloatArray
from drawing.lines import arrowheads
from drawing.options import DrawOptions
from drawing.page import DIGIT, TITLE, Page, fitting, page_of
from drawing.page_entries import Shading, layer_of, left_by_cut
from drawing.squares import draw_squares, write_names
from kt_models.board import Board
from kt_models.errors import KTError
from kt_models.kernel.certificates import Certificate, tree
from kt_models.kernel.certificates.nodes import LIGHT, UNUSED, USED, Branching, Instance
from kt_models.problem import Problem

MAX_NUMBERED = 400
"""Most moves with their numbers beside them."""
MAX_NAMED = 40
"""Most leaves of a tree whose nodes have names."""
MAX_NODES = 200_000
LEAF_COLOUR = "#1f5fa8"
MIN_NUMBER_HEIGHT = 5.0
"""Least height of a number on a move, in pixels."""
MAX_MOVES = 4000
"""Most moves that are drawn below a cut."""
TEXT, LINE, SWATCH = 11.0, 16.0, 20.0
"""Height of words and of their lines, and width of a colour sample with its gap, in pixels."""


def draw_argument(certificate: Certificate, options: DrawOptions) -> tuple[Canvas, str]:
    """The picture of a certificate that was checked, and its title.

    Raises
    ------
    KTError
        If nothing of the argument can be drawn.
    """
    board = certificate.problem.graph.board
    if certificate.method == "tree" and len(certificate.data.get("nodes", [0])) > 1:
        canvas, title = _draw_tree(certificate, options)
    elif board is not None and board.dimension == 2 and (layer := layer_of(certificate)) is not None:
        canvas, title = _draw_board(certificate, layer, options)
    else:
        raise KTError(
            f"a certificate by {certificate.method!r} has no picture of cells or cases; .html shows its claim"
        )
    return canvas, title


# -- on the board ------------------------------------------------------------------------------------------------------


def _draw_board(certificate: Certificate, layer: Shading, options: DrawOptions) -> tuple[Canvas, str]:
    """The board, with a cut in colours or the dual numbers on the moves, and the title."""
    graph = certificate.problem.graph
    board = graph.board
    assert board is not None
    title = certificate.statement.text
    dual = certificate.method == "tree"
    if dual:
        words, sums = _dual_words(certificate)
        swatches = []
    else:
        words, swatches = [f"{certificate.words}"], [(layer.palette[row], text) for row, text in layer.key]
    caption = title if options.caption is None else options.caption
    page = page_of(board, caption, _with_large_cells(options, board) if dual else options)
    canvas = Canvas(_with_lines(page, words, swatches) if options.names else page)
    draw_squares(canvas)
    cells = board.cells.astype(np.float64)
    for row, colour in enumerate(layer.palette):
        members = cells[layer.rows == row]
        if len(members):
            corners = np.concatenate([members - 0.5, members + 0.5], axis=1)
            canvas.put(Rectangles(name=f"class-{row}", order=0.3, corners=corners, colour=colour, opacity=0.9))
    if dual:
        _write_dual(canvas, certificate, cells, sums)
    else:
        _draw_moves(canvas, certificate, cells)
    if options.names:
        _write_lines(canvas, words, swatches)
    write_names(canvas, board, caption, options.title)
    return canvas, options.title or caption or title


def _draw_moves(canvas: Canvas, certificate: Certificate, cells: FloatArray) -> None:
    """Draw the moves that the removal of a cut's cells leaves.

    If the cut is a colour class it leaves no moves, and all moves are drawn instead.
    """
    graph = certificate.problem.graph
    if graph.m > MAX_MOVES:
        return
    left = left_by_cut(certificate)
    ends = cells[
        graph.ends[left if left.any() else np.setdiff1d(np.arange(graph.m), list(certificate.problem.forbidden))]
    ]
    canvas.put(Lines(name="moves", order=1, points=list(ends), colours=INK, width=canvas.pixels(0.02, 0.7)))


def _with_large_cells(options: DrawOptions, board: Board) -> DrawOptions:
    """The options with a size such that a cell has room for the numbers of its moves, of which a knight has eight."""
    return options if options.size else replace(options, size=min(120 * max(board.shape) + 60, 1400))


def _dual_words(certificate: Certificate) -> tuple[list[str], list[Fraction]]:
    """Lines about the sum, and the least payment of each cell."""
    instance = Instance(certificate.problem)
    evaluator = tree.read_evaluator(instance, certificate.data)
    least = [int(value) for block in evaluator.minima(evaluator.base) for value in block]
    whole = sum(least) + evaluator.base.constant + evaluator.denominator * instance.weights.apart
    total, more = Fraction(whole, evaluator.denominator), whole - sum(least)
    beside = f", and {Fraction(more, evaluator.denominator)} for ends and cuts" if more else ""
    words = [
        "A move costs its number where its arrow begins, and earns as much where it leads: tours cost what they did.",
        "In the middle of a cell: the least that any two of its moves cost there, its turn included.",
        f"These add up to {total}{beside}: at least {certificate.cost_bound}.",
    ]
    return words, [Fraction(value, evaluator.denominator) for value in least]


def _write_dual(canvas: Canvas, certificate: Certificate, cells: FloatArray, sums: list[Fraction]) -> None:
    """The dual number of each move: an arrow from the paying cell to the paid one, thicker for larger numbers."""
    graph = certificate.problem.graph
    evaluator = tree.read_evaluator(Instance(certificate.problem), certificate.data)
    paid = evaluator.base.tail
    chosen = np.flatnonzero(paid)
    height = min(0.13 * canvas.page.cell, 14.0)
    written = len(chosen) <= MAX_NUMBERED and height >= MIN_NUMBER_HEIGHT
    if written:
        for (x, y), value in zip(cells.tolist(), sums, strict=True):
            canvas.write(x, y, str(value), 1.5 * height, "least", bold=True)
    if not len(chosen):
        return
    reversed_ends = paid[chosen] < 0
    ends = np.where(reversed_ends[:, None], graph.ends[chosen][:, ::-1], graph.ends[chosen])
    tail, head = cells[ends[:, 0]], cells[ends[:, 1]]
    share = np.abs(paid[chosen]) / np.abs(paid).max()
    along = (head - tail) / np.hypot(*(head - tail).T)[:, None]
    tail, head = tail + 0.2 * along, head - 0.3 * along  # What stands in the cells stays free
    for level in range(4):
        of_level = np.ceil(share * 4).astype(int) == level + 1
        lines = list(np.stack([tail[of_level], head[of_level]], axis=1))
        width = canvas.pixels(0.008 * (level + 1), 0.5)
        canvas.put(Lines(name="paid", order=1, points=lines, colours=INK, width=width))
    canvas.put(Polygons(name="heads", order=1.5, points=arrowheads(head, along, 0.06, 0.6), colours=INK))
    if not written:
        return
    at = tail + 0.22 * along
    texts = [str(Fraction(int(abs(value)), evaluator.denominator)) for value in paid[chosen]]
    wide = np.array([DIGIT * height * len(text) / canvas.page.cell / 2 + 0.01 for text in texts])
    tall = np.full(len(texts), 0.6 * height / canvas.page.cell)
    boxes = np.stack([at[:, 0] - wide, at[:, 1] - tall, at[:, 0] + wide, at[:, 1] + tall], axis=1)
    canvas.put(Rectangles(name="labels", order=2, corners=boxes, colour=PAPER, opacity=0.9))
    for (x, y), text in zip(at.tolist(), texts, strict=True):
        canvas.write(x, y, text, height, "multipliers")


def _with_lines(page: Page, words: list[str], swatches: list[tuple[str, str]]) -> Page:
    """The page with room below for lines of text."""
    lines = [*words, *(text for _, text in swatches)]
    width = max(page.width, math.ceil(max(DIGIT * 0.92 * TEXT * len(text) for text in lines) + SWATCH + 24))
    more = round(LINE * len(lines) + 6)
    left = page.left + (width - page.width) // 2
    return page._replace(width=width, height=page.height + more, bottom=page.bottom + more, left=left)


def _write_lines(canvas: Canvas, words: list[str], swatches: list[tuple[str, str]]) -> None:
    page = canvas.page
    lines = [*((None, text) for text in words), *swatches]
    wide = max(DIGIT * 0.92 * TEXT * len(text) + (SWATCH if colour else 0) for colour, text in lines)
    x = canvas.left + (page.width - wide) / 2 / page.cell
    for number, (colour, text) in enumerate(reversed(lines)):
        y = canvas.bottom + (10 + 1.9 * page.caption + LINE * number + TEXT / 2) / page.cell
        at = x + (SWATCH / page.cell if colour else 0.0)
        canvas.write(at, y, text, TEXT, "key", anchor="start")
        if colour:
            side = 0.5 * TEXT / page.cell
            box = np.array([[x, y - side, x + 2 * side, y + side]])
            canvas.put(Rectangles(name="key", order=5, corners=box, colour=colour))


# -- a tree of cases ---------------------------------------------------------------------------------------------------


class _Case(NamedTuple):
    """A node: its parent, its depth, its question, its answer to the parent's question, and its bound."""

    parent: int
    depth: int
    question: str
    answer: str
    bound: int | None


def _cases(certificate: Certificate) -> Iterator[_Case]:
    """Nodes in preorder."""
    problem = certificate.problem
    instance = Instance(problem)
    evaluator = tree.read_evaluator(instance, certificate.data)
    walk = tree.Preorder(instance, evaluator)
    waiting: list[tuple[int, int, str]] = [(-1, 0, "")]  # As `walk.pending`: parent, depth, answer
    for number, node in enumerate(certificate.data["nodes"]):
        parent, depth, answer = waiting.pop()
        before = len(walk.pending) - 1  # The node itself is the last one
        state, multipliers, branching = walk.step(node)
        bound, question = None, ""
        if branching is None:
            total = evaluator.bound(state, multipliers) + evaluator.denominator * instance.weights.apart
            bound = -(-total // evaluator.denominator)
        else:
            question = _question(problem, branching)
            first, second = ("yes", "no") if branching.kind in (USED, LIGHT) else ("no", "yes")
            if len(walk.pending) - before == 2:
                waiting += [(number, depth + 1, second), (number, depth + 1, first)]
            elif len(walk.pending) - before == 1:  # The other has no solution at all, and is not in the certificate
                there = next(instance.children(state, branching)) is not None
                waiting.append((number, depth + 1, first if there else second))
        yield _Case(parent, depth, question, answer, bound)


def _question(problem: Problem, branching: Branching) -> str:
    graph = problem.graph
    if branching.kind in (USED, UNUSED):
        return f"{graph.edge_name(branching.subject)}?"
    cell = graph.name_of(branching.subject)
    if problem.objective_name == "turns" and branching.threshold == 0:
        return f"straight at {cell}?"
    return f"{cell} at most {branching.threshold}?"


def _draw_tree(certificate: Certificate, options: DrawOptions) -> tuple[Canvas, str]:
    """The tree of cases, with the leaves side by side at the bottom, and the title."""
    if len(certificate.data["nodes"]) > MAX_NODES:
        raise KTError(f"{len(certificate.data['nodes']):,} cases; at most {MAX_NODES:,} are drawn")
    cases = list(_cases(certificate))
    place = np.zeros((len(cases), 2))
    leaves = 0
    children: list[list[int]] = [[] for _ in cases]
    for number, case in enumerate(cases):
        if case.parent >= 0:
            children[case.parent].append(number)
    for number in range(len(cases) - 1, -1, -1):  # Children come after their parent
        place[number, 1] = -cases[number].depth
        if children[number]:
            place[number, 0] = np.mean([place[child, 0] for child in children[number]])
        else:
            place[number, 0] = -leaves
            leaves += 1
    place[:, 0] += leaves - 1
    depth = max(case.depth for case in cases)
    named = leaves <= MAX_NAMED and options.names
    title = f"{certificate.statement.text}: {leaves:,} cases"
    caption = title if options.caption is None else options.caption
    canvas = Canvas(_tree_page(leaves, depth, caption, named, options))
    page = canvas.page
    place *= (1.0, (page.squares.shape[1] - 1) / max(depth, 1))
    place[:, 1] += page.squares.shape[1] - 1
    lines = [place[[case.parent, number]] for number, case in enumerate(cases) if case.parent >= 0]
    canvas.put(
        Lines(name="branches", order=1, points=lines, colours=SOFT_INK, width=max(0.4, min(1.4, 4 * page.cell / 30)))
    )
    ends = np.array([not below for below in children])
    radius = max(1.2, min(4.0, 0.12 * page.cell))
    canvas.put(Dots(name="cases", order=2, points=place[~ends], radius=radius, colours=INK))
    canvas.put(Dots(name="leaves", order=2, points=place[ends], radius=radius, colours=LEAF_COLOUR))
    if named:
        for (x, y), case in zip(place.tolist(), cases, strict=True):
            if case.answer:
                px, py = place[case.parent]
                middle = np.array([(x + px) / 2, (y + py) / 2])
                half = np.array([DIGIT * TEXT * len(case.answer) / 2, TEXT / 2]) / page.cell
                box = np.concatenate([middle - half, middle + half])[None]
                canvas.put(Rectangles(name="answers", order=3, corners=box, colour=PAPER))
                canvas.write(float(middle[0]), float(middle[1]), case.answer, TEXT * 0.85, "answers", colour=SOFT_INK)
            if case.question:
                canvas.write(x, y + 13 / page.cell, case.question, TEXT, "questions")
            elif case.bound is not None:
                canvas.write(x, y - 13 / page.cell, f"≥ {case.bound}", TEXT, "bounds", colour=LEAF_COLOUR)
    canvas.write_title(options.title)
    if canvas.page.caption and (options.names or options.caption):
        canvas.write_caption(caption)
    return canvas, options.title or caption or title


def _tree_page(leaves: int, depth: int, caption: str, named: bool, options: DrawOptions) -> Page:
    """A page on which leaves are side by side; positions are in units of the distance between two leaves."""
    width = options.size or int(min(1400, max(360, leaves * (52 if named else 4), DIGIT * TEXT * len(caption) + 40)))
    cell = (width - 48) / max(leaves, 1)
    height = max(120, min((depth + 1) * (46 if named else 14), width))
    rows = max(2, round(height / cell) + 1)
    squares = np.zeros((max(leaves, 1), rows), dtype=np.int8)
    offsets = np.zeros((1, 2), dtype=np.int64)
    line = min(TEXT, (width - 20) / (DIGIT * len(caption))) if caption else 0.0
    if options.caption:
        line = fitting(caption, TEXT, width - 20, "caption")
    title = fitting(options.title, TITLE * TEXT, width - 20, "title")
    below, above = 46, 24 + round(1.9 * title)
    return Page(squares, offsets, cell, 0.0, line, 0.0, 24, below, width, round(rows * cell) + below + above, title)
