"""Pictures of the arguments behind the bounds of Besa et al. (2022), on a rectangle: Figures 12, 14, 17 and A.29."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from drawing.explanation_parts import Arrow, Mark, Outline, Parts
from heuristics.papers.taming.bounds import central, crown, edge, triplet
from heuristics.papers.taming.lemmas import in_crown, triplet_weights
from kt_models.errors import KTError, TooLarge
from kt_models.graph import MoveGraph
from kt_models.kernel.certificates.integers import Ints
from kt_models.leaper import KNIGHT
from kt_models.problem import Problem

FORCED, RED, LINE, CROWN, SECTOR = "#4a7f86", "#c23a3a", "#44546a", "#6a4c9c", "#9a6b2f"
CHOSEN, CROSSED = "#2467b8", "#c23a3a"
MAX_CELLS = 250_000
"""Most cells of a board whose argument is drawn."""


def bound_parts(graph: MoveGraph, name: str) -> Parts:
    """The picture of an argument on a rectangle.

    Raises
    ------
    KTError
        If the argument is not about knights on a rectangle, or has nothing to draw there.
    TooLarge
        If the board is too large for a picture.
    """
    board = graph.board
    if board is None or not board.is_box or board.dimension != 2 or graph.leaper != KNIGHT:
        raise KTError(f"--bound {name}: the pictures are of knights on rectangles, and not of {graph.name}")
    if board.n > MAX_CELLS:
        raise TooLarge(f"--bound {name}: {board.n:,} cells; at most {MAX_CELLS:,} are drawn")
    return PICTURES[name](graph)


def _of_edge(graph: MoveGraph) -> Parts:
    """The cells without a straight pair of moves."""
    cells = _forced(graph)
    key = ((FORCED, f"{len(cells)} cells at which every tour turns"),)
    return Parts(frames=(Outline(cells, "", FORCED),), key=key, caption=_caption(graph, "edge"))


def _of_central(graph: MoveGraph) -> Parts:
    """The red cells of a middle column or row, and the lines through the first and the last one (Figure A.29)."""
    board, _ = graph.geometry
    problem = Problem(graph, objective="turns")
    red = central.red_cells(problem, edge.forced_turns(problem))
    columns, rows = (_of_the_middle(red.sum(axis=axis)) for axis in (1, 0))
    if max(columns.max(), rows.max()) == 0:
        raise KTError(f"--bound central: no cell of {board.text} is red, so there is nothing to draw")
    if columns.max() >= rows.max():
        x = _middle_of_most(columns)
        cells = [(x, int(y)) for y in np.flatnonzero(red[x])]
    else:
        y = _middle_of_most(rows)
        cells = [(int(x), y) for x in np.flatnonzero(red[:, y])]
    arrows = []
    for cell in (cells[0], cells[-1]):
        for move in KNIGHT.half_moves(2).tolist():
            ends = [_last(cell, [sign * c for c in move], board.shape) for sign in (1, -1)]
            arrows.append(Arrow(ends[0], ends[1], LINE, head=False))
    marks = tuple(Mark(cell, RED) for cell in cells)
    key = (
        (FORCED, "every tour turns"), (RED, f"{len(cells)} red cells"), (LINE, "lines through the first and the last")
    )  # fmt: skip
    forced = Outline(_forced(graph), "", FORCED)
    return Parts(frames=(forced,), arrows=tuple(arrows), marks=marks, key=key, caption=_caption(graph, "central"))


def _of_the_middle(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The counts of the four middle lines, which the bound tries, and 0 for the others."""
    half = len(counts) // 2
    counts[: max(0, half - 2)] = counts[half + 2 :] = 0
    return counts


def _middle_of_most(counts: npt.NDArray[np.int64]) -> int:
    """The place of the greatest count, the one nearest to the middle."""
    places = np.flatnonzero(counts == counts.max())
    return int(places[np.argmin(np.abs(2 * places - len(counts) + 1))])


def _of_crown(graph: MoveGraph) -> Parts:
    """The crowns along the four sides, and the lines from the corners that bound the sectors (Figures 12 and 14)."""
    board, _ = graph.geometry
    width, height = board.shape
    frames, arrows, bases = [], [], 0
    for side, depth, place in _sides(width, height):
        for low, high in crown.crowns(side, depth):
            across, along = np.divmod(np.arange((high - low + 1) * side), side)
            local = np.stack([across, along], axis=1)
            inside = local[in_crown(local, low, high)]
            frames.append(Outline(place(inside), "", CROWN))
            bases += high - low + 1
    if not frames:
        raise KTError(f"--bound crown: {board.text} is too small for a crown; 100x100 has four")
    reach = (min(width, height) - 1) / 2
    for x, y in itertools.product((0, width - 1), (0, height - 1)):
        inner = (x + reach if x == 0 else x - reach, y + reach if y == 0 else y - reach)
        arrows.append(Arrow((x, y), inner, SECTOR, head=False))
    key = ((CROWN, f"{len(frames)} crowns over {bases} edge cells"), (SECTOR, "lines between the sectors"))
    return Parts(frames=tuple(frames), arrows=tuple(arrows), key=key, caption=_caption(graph, "crown"))


def _of_legs(graph: MoveGraph) -> Parts:
    """A leg D1 of an edge cell, and legs of cells above it that would meet it, within 60 rows (Figure 13)."""
    board, _ = graph.geometry
    width, height = board.shape
    if width < 6 or height < 12:
        raise KTError("--bound legs: the legs are drawn on boards of 6 columns and 12 rows or more")
    legs = ((1, 2), (2, 1), (2, -1), (1, -2))
    start = (0, (height - 6) // 3)
    arrows, marks = [], [Mark(start, LINE)]
    for number in (2, 3, 4):
        above = (0, start[1] + crown.MODULUS[1, number])
        arrows.append(Arrow(above, _last(above, list(legs[number - 1]), board.shape), RED, head=False))
        marks.append(Mark(above, RED))
        ways = [
            {(c[0] + k * dx, c[1] + k * dy) for k in range(60)}
            for c, (dx, dy) in ((start, legs[0]), (above, legs[number - 1]))
        ]
        marks += [Mark(cell, SECTOR) for cell in ways[0] & ways[1]]
    arrows.append(Arrow(start, _last(start, list(legs[0]), board.shape), LINE, head=False))
    key = ((LINE, "a leg of an edge cell"), (RED, "legs that meet it"), (SECTOR, "where"))
    return Parts(arrows=tuple(arrows), marks=tuple(marks), key=key, caption=f"{graph.name}, legs that meet at a cell")


def _of_triplet(graph: MoveGraph) -> Parts:
    """The choice of moves at edge cells with the fewest crossings, repeated along each side (Figure 17)."""
    board, _ = graph.geometry
    width, height = board.shape
    if min(width, height) < 9:
        raise KTError("--bound triplet: the pattern is drawn on boards with sides of 9 cells or more")
    within, between = triplet_weights()
    pattern = int(np.argmin(within + np.diag(between)))
    pairs = itertools.combinations(range(4), 2)
    choice = list(itertools.product(pairs, repeat=3))[pattern]
    arrows, marks = [], []
    for side, _, place in _sides(width, height):
        first = (side - 6) % 3 // 2 + 3  # Triplets in the middle of the side, away from the corners
        moves = []
        for at in range(first, first + (side - 6) // 3 * 3):
            for direction in choice[(at - first) % 3]:
                x, y = triplet.DIRECTIONS[direction]
                moves.append(((0, at), (y, at + x)))
        ends = place(np.array(moves).reshape(-1, 2)).reshape(-1, 2, 2)
        arrows += [Arrow(tuple(a), tuple(b), CHOSEN, head=False) for a, b in ends.tolist()]
        marks += [Mark(point, CROSSED) for point in _crossings(ends)]
    key = ((CHOSEN, "moves of edge cells"), (CROSSED, "crossings, three to a triplet"))
    return Parts(arrows=tuple(arrows), marks=tuple(marks), key=key, caption=_caption(graph, "triplet"))


def _caption(graph: MoveGraph, name: str) -> str:
    objective = "crossings" if name == "triplet" else "turns"
    problem = Problem(graph, objective=objective)
    number = {"edge": edge, "central": central, "crown": crown, "triplet": triplet}[name].bound(problem)
    return f"{graph.name}, at least {number:,} {objective} by the method {name}"


def _forced(graph: MoveGraph) -> Ints:
    board, _ = graph.geometry
    return board.cells[edge.forced_turns(Problem(graph, objective="turns"))].astype(np.int64)


def _last(cell: tuple[int, int], move: list[int], shape: tuple[int, ...]) -> tuple[int, ...]:
    """The last cell that repeated moves reach."""
    room = min(
        (side - 1 - c) // step if step > 0 else c // -step for c, step, side in zip(cell, move, shape, strict=True)
    )
    return tuple(c + room * step for c, step in zip(cell, move, strict=True))


def _sides(width: int, height: int) -> Iterator[tuple[int, int, Callable[[Ints], Ints]]]:
    """The four sides: their lengths, their depths, and the cells at places (across, along)."""
    far = np.array([width - 1, height - 1])
    yield height, width, lambda places: places
    yield height, width, lambda places: np.stack([far[0] - places[:, 0], places[:, 1]], axis=1)
    yield width, height, lambda places: places[:, ::-1]
    yield width, height, lambda places: np.stack([places[:, 1], far[1] - places[:, 0]], axis=1)


def _crossings(ends: Ints) -> Iterator[tuple[float, float]]:
    """Where moves along a side cross inside both."""
    for i, j in itertools.combinations(range(len(ends)), 2):
        (a, b), (c, d) = ends[i], ends[j]
        if np.abs(a - c).max() > 4:
            continue
        u, v, w = b - a, d - c, c - a
        turn = int(u[0] * v[1] - u[1] * v[0])
        if turn == 0:
            continue
        s, t = (w[0] * v[1] - w[1] * v[0]) / turn, (w[0] * u[1] - w[1] * u[0]) / turn
        if 0 < s < 1 and 0 < t < 1:
            yield float(a[0] + s * u[0]), float(a[1] + s * u[1])


PICTURES: dict[str, Callable[[MoveGraph], Parts]] = {
    "edge": _of_edge,
    "central": _of_central,
    "crown": _of_crown,
    "legs": _of_legs,
    "triplet": _of_triplet,
}
