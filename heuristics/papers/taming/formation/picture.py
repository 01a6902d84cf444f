"""The drawing of a formation tour: each knight's strand in its colour, and every piece framed.

The four knights of the quartet walk four *strands* from junction to junction, side by side on the diagonals and each
on its own way through heels and corners; the junctions tie them together (Besa et al. 2022, Figure 3). So do sixteen
giraffes. A picture of a board alone shows how the formation moves: an arrow for every sequence of equal moves, and the
knights in the colours of their strands wherever it enters or leaves a transition. In space each level has a picture.
"""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import numpy.typing as npt

from drawing.canvas import hexadecimal
from drawing.drawn_moves import distinct
from drawing.explanation_parts import Arrow, Mark, Outline, Parts
from heuristics.papers.taming.formation.boxes import box_walk, snake
from heuristics.papers.taming.formation.construct import Circuit, Section
from heuristics.papers.taming.formation.gadgets import STYLES, Junction
from heuristics.papers.taming.formation.giraffe import EDGE, GIRAFFE, HEEL, giraffe_circuit
from heuristics.papers.taming.formation.layout import WORDS, Layout
from heuristics.papers.taming.formation.odd import odd_circuit, symmetric_order
from heuristics.papers.taming.formation.plane import SAFE_DISTANCE, plane_circuits
from heuristics.papers.taming.formation.quartet import DIAGONAL, STRAIGHT, Point, plus, square, widened
from heuristics.papers.taming.formation.styles import Corner
from kt_models.board import Board
from kt_models.errors import InvalidTour, KTError
from kt_models.graph import MoveGraph
from kt_models.kernel.certificates.integers import Ints
from kt_models.leaper import KNIGHT
from kt_models.tour import Tour

STRANDS = ("#c2417f", "#2467b8", "#109070", "#dd8a10")
"""Colours of the knights that start at positions 0 to 3."""
TIES = "#22262b"
"""Colour of the paths in the junctions."""
FRAMES = {"junction": "#6a4c9c", "heel": "#9a6b2f", "edge": "#4a7f86", "corner": "#9c4a3c"}
DIAGONAL_ARROW, STRAIGHT_ARROW = "#44546a", "#b4532a"
LEAVES, ARRIVES = "#2467b8", "#dd8a10"
"""Colours of the places from which the quartet goes to the next level, and at which it comes from the one before."""
CORNERS: tuple[Corner, ...] = ("heights", "best", "square")

Points = npt.NDArray[np.int64]
Map = Callable[[npt.ArrayLike], npt.NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class FormedTour:
    """A formation tour of a box, with its strands and pieces.

    Parameters
    ----------
    shape
        Sides of the box.
    cells
        In the order of the tour, shape (cells, axes).
    tracks
        The strand of each step, from 0; that of a step in a junction, or between quarters, is their number.
    colours
        Of the strands.
    key
        The strands, each with its name, in the order of the tour.
    pieces
        Names and cells of the pieces.
    """

    shape: tuple[int, ...]
    cells: Points
    tracks: Ints
    colours: tuple[str, ...]
    key: tuple[tuple[int, str], ...]
    pieces: tuple[tuple[str, Points], ...]

    def parts(self, tour: Tour, place: Map) -> Parts:
        """The explanation of a tour that has the same moves after the map."""
        board, _ = tour.graph.geometry
        formed = Tour(tour.graph, board.numbers(place(self.cells).astype(np.int64)), True)
        at_edge = np.zeros(tour.graph.m, dtype=np.int32)
        at_edge[formed.edges] = self.tracks
        palette = (*self.colours, TIES)
        key = (*((palette[track], name) for track, name in self.key), (TIES, "junctions"))
        frames = tuple(_frame(name, place(cells).astype(np.int64)) for name, cells in self.pieces)
        return Parts(at_edge[tour.edges], palette, frames, key=key)


def strands_of(tour: Tour) -> Parts:
    """The strands and pieces of a formation tour.

    The tour may start anywhere, in either direction, rotated or reflected. It is recognised by comparison with the
    formation tours of its board: rectangles with an even side, two odd sides without a corner, squares of side 4k + 2
    with a quarter turn, boxes, and those of giraffes.

    Raises
    ------
    KTError
        If it is not one of these tours.
    """
    board = tour.graph.board
    turns = -1
    with contextlib.suppress(InvalidTour):
        turns = tour.measure("turns")
    if board is not None and tour.closed and turns >= 0 and not any(board.wraps):
        for formed in _formed_tours(tour.graph):
            if len(formed.cells) != len(tour):
                continue
            for place in _images(formed.shape, board.shape):
                order = board.numbers(place(formed.cells).astype(np.int64))
                if order.min() < 0:
                    continue
                candidate = Tour(tour.graph, order, True)
                if candidate == tour:
                    return formed.parts(tour, place)
                if candidate.measure("turns") != turns:
                    break  # All its images have as many
    raise KTError(f"the tour of {tour.graph.name} is not a formation tour (kt find BOARD --method formation makes one)")


def moves_of(graph: MoveGraph) -> Parts:
    """The moves of the formation on a board, without breaking up: heel `plain`, junctions of Algorithm 1.

    Raises
    ------
    KTError
        If no formation tour covers the board.
    """
    board = graph.board
    if board is not None and board.is_box:
        for plan, circuit, sides in _plans(graph, "plain", "heights"):
            for place in _images((plan.width, plan.height, *sides), board.shape):
                return _moves(board, plan, circuit, sides, place)
    raise KTError(f"board {graph.name} is not a rectangle with a formation tour (docs/constructions/formation.md)")


# -- formation tours of a board ----------------------------------------------------------------------------------------


def _images(source: tuple[int, ...], target: tuple[int, ...]) -> Iterator[Map]:
    """Maps of a box onto another: its axes in another order, and each as it is or reversed; the plain ones first."""
    if len(source) < len(target):
        source = (*source, *(1,) * (len(target) - len(source)))

    def image(axes: tuple[int, ...], reverse: tuple[bool, ...]) -> Map:
        def place(points: npt.ArrayLike) -> npt.NDArray[np.float64]:
            rows = np.asarray(points, dtype=np.float64)
            rows = rows.reshape(-1, rows.shape[-1])
            rows = np.pad(rows, ((0, 0), (0, len(axes) - rows.shape[1])))[:, axes]
            return np.where(reverse, np.array(target) - 1 - rows, rows)

        return place

    for axes in itertools.permutations(range(len(source))):
        if tuple(source[axis] for axis in axes) == target:
            for reverse in itertools.product((False, True), repeat=len(target)):
                if all(side > 1 or not back for side, back in zip(target, reverse, strict=True)):
                    yield image(axes, reverse)


def _formed_tours(graph: MoveGraph) -> Iterator[FormedTour]:
    board, _ = graph.geometry
    if board.mask is None:
        for style, corner in itertools.product(STYLES, CORNERS):
            for plan, circuit, sides in _plans(graph, style, corner):
                if circuit is not None:
                    yield _of_circuit(circuit)
                else:
                    yield _of_box(plan, style, sides)
    sides = tuple(side for side in board.shape if side > 1)
    if len(sides) != 2 or graph.leaper != KNIGHT:
        return
    missing = board.n < math.prod(sides)
    for style in STYLES:
        if missing:
            for width, height in itertools.permutations(sides):
                with contextlib.suppress(ValueError):
                    yield _of_circuit(odd_circuit(width, height, style), 1)
        elif sides[0] == sides[1] and sides[0] % 4 == 2:
            with contextlib.suppress(ValueError):
                yield _of_quarters(sides[0], style)


def _plans(graph: MoveGraph, style: str, corner: Corner) -> Iterator[tuple[Layout, Circuit | None, tuple[int, ...]]]:
    """Layouts for a box, each with its circuit if the box is in the plane, or else the other sides."""
    board, _ = graph.geometry
    sides = tuple(side for side in board.shape if side > 1)
    if graph.leaper == GIRAFFE and len(sides) == 2:
        for width, height in itertools.permutations(sides):
            with contextlib.suppress(ValueError):
                giraffes = giraffe_circuit(width, height)
                yield giraffes.plan, giraffes, ()
    if graph.leaper != KNIGHT or len(sides) < 2:
        return
    for axes in itertools.permutations(range(len(sides)), 2):
        width, height = (sides[axis] for axis in axes)
        others = tuple(side for axis, side in enumerate(sides) if axis not in axes)
        if width % 2 or (others and (width < SAFE_DISTANCE[0] or height < SAFE_DISTANCE[1] or corner == "square")):
            continue
        with contextlib.suppress(ValueError):
            if (circuit := next(plane_circuits(width, height, style, corner), None)) is not None:
                yield circuit.plan, None if others else circuit, others


def _of_circuit(circuit: Circuit, shift: int = 0) -> FormedTour:
    """The tour of a circuit in the plane; that of an odd board has a column left of its own origin."""
    plan = circuit.plan
    # A circuit of an odd board reaches the column -1
    x, y = np.divmod(circuit.order((plan.height, 1), plan.height).astype(np.int64), plan.height)
    pieces = [
        ("junction", _inner(circuit.bottom_left)),
        ("junction", np.array([plan.width - 1, plan.height - 1]) - _inner(circuit.top_right)),
        *_transitions(plan),
    ]
    moved = tuple((name, cells + np.array([shift, 0])) for name, cells in pieces)
    cells = np.stack([x - 1 + shift, y], axis=1)
    return FormedTour(
        (plan.width + shift, plan.height), cells, _tracks(circuit.sections, plan.side**2), _colours(plan.side),
        _key(circuit.sections, plan.side), moved,
    )  # fmt: skip


def _of_quarters(side: int, style: str) -> FormedTour:
    """The tour that a quarter turn maps to itself: the tours of four quarters, joined around the middle."""
    half = side // 2
    quarter = _of_circuit(odd_circuit(half, half, style), 1)
    cells = np.stack(np.divmod(symmetric_order(side, style).astype(np.int64), side), axis=1)

    def turned(points: Points, times: int) -> Points:
        for _ in range(times):
            points = np.stack([-1 - points[:, 1], points[:, 0]], axis=1)
        return points + half

    def keys(points: Points) -> Ints:
        numbers = points @ np.array([side, 1])
        onward = np.roll(numbers, -1)
        return np.minimum(numbers, onward) * side**2 + np.maximum(numbers, onward)

    known = np.concatenate([keys(turned(quarter.cells, times)) for times in range(4)])
    order, wanted = np.argsort(known), keys(cells)
    at = np.searchsorted(known, wanted, sorter=order).clip(max=len(known) - 1)
    same = known[order[at]] == wanted
    tracks = np.where(same, np.tile(quarter.tracks, 4)[order[at]], len(quarter.colours))
    pieces = tuple((name, turned(points, times)) for times in range(4) for name, points in quarter.pieces)
    key = tuple((track, name.partition(",")[0]) for track, name in quarter.key)
    return replace(quarter, shape=(side, side), cells=cells, tracks=tracks, pieces=pieces, key=key)


def _of_box(plan: Layout, style: str, sides: tuple[int, ...]) -> FormedTour:
    """The tour of a box, level by level."""
    shape = (plan.width, plan.height, *sides)
    walk = box_walk(plan, style, sides)
    cells = np.stack(np.unravel_index(np.concatenate(walk.numbers), shape), axis=1).astype(np.int64)
    levels, far = snake(sides), np.array([plan.width - 1, plan.height - 1])
    pieces = []
    for number, level in enumerate(levels):
        corners = [("corner", points) for points, _, _ in walk.corners(number, len(levels))]
        for name, points in [*_transitions(plan), *corners]:
            flat = far - points if number % 2 else points
            pieces.append((name, np.hstack([flat, np.tile(level, (len(flat), 1))])))
    pieces += [("junction", walk.junction(corner, shape)) for corner in ("low", "high")]
    return FormedTour(shape, cells, _tracks(walk.sections, 4), STRANDS, _key(walk.sections, 2), tuple(pieces))


def _tracks(sections: Iterable[Section], count: int) -> Ints:
    """The strand of each step; the step after the last cell of a strand leads into a junction."""
    listed = tuple(sections)
    tracks = np.full(sum(section.length for section in listed), count, dtype=np.int64)
    for section in listed:
        if not section.corner:
            tracks[section.start : section.start + section.length - 1] = section.track
    return tracks


def _colours(side: int) -> tuple[str, ...]:
    return STRANDS if side == 2 else tuple(hexadecimal(distinct(side**2)))


def _key(sections: Iterable[Section], side: int) -> tuple[tuple[int, str], ...]:
    """The strands in the order of the tour, from its corner on; of sixteen only the first is named in full."""
    tracks = [section for section in sections if not section.corner]
    if side == 2:
        return tuple(
            (s.track, f"strand {number}, {'out' if s.forward else 'back'}") for number, s in enumerate(tracks, 1)
        )
    return tuple((s.track, f"{'strand ' if number == 1 else ''}{number}") for number, s in enumerate(tracks, 1))


def _transitions(plan: Layout) -> list[tuple[str, Points]]:
    return [
        (
            transition.gadget.name,
            np.array([plus(transition.entry, cell) for path in transition.gadget.paths for cell in path]),
        )
        for transition in plan.transitions
    ]


def _inner(junction: Junction) -> Points:
    return np.array([cell for path in junction.paths for cell in path[1:-1]])


def _frame(name: str, cells: Points) -> Outline:
    return Outline(cells, name, FRAMES.get(name, FRAMES["corner"]))


# -- the moves of the formation ----------------------------------------------------------------------------------------


def _moves(board: Board, plan: Layout, circuit: Circuit | None, sides: tuple[int, ...], place: Map) -> Parts:
    levels = snake(sides)
    word, far = _word(plan), np.array([plan.width - 1, plan.height - 1])
    middle = (plan.side - 1) / 2
    arrows, marks, frames = [], [], []

    def on_level(points: npt.ArrayLike, number: int) -> npt.NDArray[np.float64]:
        flat = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        flat = far - flat if number % 2 else flat
        return place(np.hstack([flat, np.tile(levels[number], (len(flat), 1))]))

    for number in range(len(levels)):
        at = plan.start
        for move, group in itertools.groupby(word):
            step = STRAIGHT[move] if move in STRAIGHT else widened(DIAGONAL[move], plan.side)
            count = len(list(group))
            end = Point(at.x + count * step.x, at.y + count * step.y)
            colour = STRAIGHT_ARROW if move in STRAIGHT else DIAGONAL_ARROW
            ends = on_level([(p.x + middle, p.y + middle) for p in (at, end)], number).tolist()
            arrows.append(Arrow(tuple(ends[0]), tuple(ends[1]), colour))
            at = end
        if at != plan.finish:
            raise AssertionError("the moves lead from junction to junction")
        frames += [_frame(name, on_level(cells, number).astype(np.int64)) for name, cells in _transitions(plan)]
    if circuit is None:
        walk = box_walk(plan, "plain", sides)
        for number in range(len(levels)):
            for cells, quartet, leaves in walk.corners(number, len(levels)):
                frames.append(_frame("corner", on_level(cells, number).astype(np.int64)))
                centre = on_level((quartet.x + middle, quartet.y + middle), number)[0].tolist()
                marks.append(Mark(tuple(centre), LEAVES if leaves else ARRIVES))
        for corner in ("low", "high"):
            placed = place(walk.junction(corner, (plan.width, plan.height, *sides)))
            frames.append(_frame("junction", placed.astype(np.int64)))
        key: tuple[tuple[str, str], ...] = ((LEAVES, "to the next level"), (ARRIVES, "from the last level"))
    else:
        inner = (_inner(circuit.bottom_left), far - _inner(circuit.top_right))
        frames = [*(_frame("junction", on_level(cells, 0).astype(np.int64)) for cells in inner), *frames]
        colours = _colours(plan.side)
        for cell, knight in _knights(circuit):
            marks.append(Mark(tuple(on_level(cell, 0)[0].tolist()), colours[knight]))
        named = "knight {}" if plan.side == 2 else "{}"
        key = tuple((colour, named.format(number)) for number, colour in enumerate(colours, 1))
    orthogonal = sum(move in STRAIGHT for move in word)
    leapers = "four knights" if plan.side == 2 else "sixteen giraffes"
    moves = " moves" if plan.side == 2 else ""
    each = " on each level" if circuit is None else ""
    return Parts(
        palette=_colours(plan.side),
        frames=tuple(frames),
        arrows=tuple(arrows),
        marks=tuple(marks),
        key=((DIAGONAL_ARROW, f"diagonal{moves}"), (STRAIGHT_ARROW, f"straight{moves}"), *key),
        caption=f"{board.text}, {len(word) - orthogonal} diagonal and {orthogonal} straight moves of {leapers}{each}",
    )


def _word(plan: Layout) -> str:
    """All moves of the formation. A transition rotated by 180° and walked backwards has its moves in reverse order."""
    known = WORDS if plan.side == 2 else {"heel": HEEL, "edge": EDGE}
    words = []
    for number, run in enumerate(plan.runs()):
        words.append("ab"[number % 2] * run)
        if number < len(plan.transitions):
            word = known[plan.transitions[number].gadget.name]
            words.append(word if number % 2 == 0 else word[::-1])
    return "".join(words)


def _knights(circuit: Circuit) -> Iterator[tuple[Point, int]]:
    """The leapers at both ends of every diagonal run: the cell and the strand of each."""
    plan, where = circuit.plan, circuit.tracks.positions
    places = [(plan.start, 0), (plan.finish, -1)]
    for number, transition in enumerate(plan.transitions):
        places += [(transition.entry, number), (transition.exit, number + 1)]
    positions = square(plan.side)
    for place, number in places:
        for knight in range(plan.side**2):
            yield plus(place, positions[cast("int", where[knight, number])]), knight
