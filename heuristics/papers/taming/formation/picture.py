"""The drawing of a formation tour: each knight's strand in its colour, and every piece framed.

The four knights of the quartet walk four *strands* from junction to junction, side by side on the diagonals and each
on its own way through heels and corners; the junctions tie them together (Besa et al. 2022, Figure 3). A picture of a
board alone shows how the quartet moves: an arrow for every sequence of equal moves, and the knights in the colours of
their strands wherever it enters or leaves a transition.
"""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from drawing.explanation_parts import Arrow, Mark, Outline, Parts
from heuristics.papers.taming.formation.construct import Circuit
from heuristics.papers.taming.formation.gadgets import STYLES, Junction
from heuristics.papers.taming.formation.layout import WORDS
from heuristics.papers.taming.formation.odd import odd_circuit
from heuristics.papers.taming.formation.plane import plane_circuits
from heuristics.papers.taming.formation.quartet import DIAGONAL, POSITIONS, STRAIGHT, Point, plus
from heuristics.papers.taming.formation.styles import Corner
from kt_models.board import Board
from kt_models.errors import KTError
from kt_models.leaper import KNIGHT
from kt_models.tour import Tour

STRANDS = ("#c2417f", "#2467b8", "#109070", "#dd8a10")
"""Colours of the knights that start at positions 0 to 3."""
TIES = "#22262b"
"""Colour of the paths in the junctions."""
FRAMES = {"junction": "#6a4c9c", "heel": "#9a6b2f", "edge": "#4a7f86", "corner": "#9c4a3c"}
DIAGONAL_ARROW, STRAIGHT_ARROW = "#44546a", "#b4532a"
CORNERS: tuple[Corner, ...] = ("heights", "best", "square")

Points = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Placement:
    """A circuit on a board: shifted, with axes possibly exchanged or reversed."""

    circuit: Circuit
    shape: tuple[int, ...]
    shift: int = 0
    transposed: bool = False
    reversed: tuple[bool, bool] = (False, False)

    def at(self, cells: npt.ArrayLike) -> Points:
        """The places of the circuit's cells on the board, shape (k, 2)."""
        points = np.asarray(cells, dtype=np.int64).reshape(-1, 2) + np.array([self.shift, 0])
        points = points[:, ::-1] if self.transposed else points
        return np.where(self.reversed, np.array(self.shape) - 1 - points, points)

    def order(self) -> Points:
        """Cells of the board in the order of the circuit, shape (cells, 2)."""
        height = self.circuit.plan.height
        # A circuit of an odd board has a column left of its own origin
        x, y = np.divmod(self.circuit.order((height, 1), height).astype(np.int64), height)
        return self.at(np.stack([x - 1, y], axis=1))


def strands_of(tour: Tour) -> Parts:
    """The strands and pieces of a formation tour.

    The tour may start anywhere, in either direction, rotated or reflected. It is recognised by comparison with the
    formation tours of its board (rectangles with an even side, and two odd sides without a corner).

    Raises
    ------
    KTError
        If it is not one of these tours.
    """
    board = tour.graph.board
    placed = _recognised(tour)
    if board is None or placed is None:
        raise KTError(
            f"the tour of {tour.graph.name} is not a formation tour in the plane (kt find BOARD --method "
            "formation makes one)"
        )
    circuit = placed.circuit
    rows = np.full(len(tour), len(STRANDS), dtype=np.int32)
    for section in circuit.sections:
        if not section.corner:  # The step after its last cell leads into the junction.
            rows[section.start : section.start + section.length - 1] = section.track
    core_tour = Tour(tour.graph, board.numbers(placed.order()), True)
    at_edge = np.zeros(tour.graph.m, dtype=np.int32)
    at_edge[core_tour.edges] = rows
    return Parts(at_edge[tour.edges], (*STRANDS, TIES), _frames(placed), key=_key(circuit))


def moves_of(board: Board) -> Parts:
    """The moves of the quartet on a board, in formation throughout: heel `plain`, junctions of Algorithm 1.

    Raises
    ------
    KTError
        If no plane formation tour covers the board.
    """
    placed = next((p for p in _placed(board, "plain", "heights") if p.shift == 0), None)
    if placed is None:
        raise KTError(f"board {board.text} is not a rectangle with a formation tour (docs/constructions/formation.md)")
    circuit = placed.circuit
    word = _word(circuit)
    arrows, at = [], circuit.plan.start
    for move, group in itertools.groupby(word):
        step, count = (STRAIGHT | DIAGONAL)[move], len(list(group))
        end = Point(at.x + count * step.x, at.y + count * step.y)
        colour = STRAIGHT_ARROW if move in STRAIGHT else DIAGONAL_ARROW
        arrows.append(Arrow(_middle(placed, at), _middle(placed, end), colour))
        at = end
    if at != circuit.plan.finish:
        raise AssertionError("the moves lead from junction to junction")
    orthogonal = sum(move in STRAIGHT for move in word)
    return Parts(
        palette=STRANDS,
        frames=_frames(placed),
        arrows=tuple(arrows),
        marks=tuple(_marks(placed)),
        key=(
            (DIAGONAL_ARROW, "diagonal moves"),
            (STRAIGHT_ARROW, "straight moves"),
            *((colour, f"knight {knight}") for knight, colour in enumerate(STRANDS, 1)),
        ),
        caption=f"{board.text}, {len(word) - orthogonal} diagonal and {orthogonal} straight moves of four knights",
    )


def _recognised(tour: Tour) -> Placement | None:
    board = tour.graph.board
    if board is None or not tour.closed or tour.graph.leaper != KNIGHT:
        return None
    for style, corner in itertools.product(STYLES, CORNERS):
        for placed in _placed(board, style, corner):
            order = board.numbers(placed.order())
            if len(order) == len(tour) and order.min() >= 0 and Tour(tour.graph, order, True) == tour:
                return placed
    return None


def _placed(board: Board, style: str, corner: Corner) -> Iterator[Placement]:
    """The circuit of a board in each of its eight positions that its axes allow; the plain one first."""
    if board.dimension != 2 or any(board.wraps) or board.n < math.prod(board.shape) - 1:
        return
    missing = board.n < math.prod(board.shape)
    for transposed in (False, True):
        width, height = board.shape[::-1] if transposed else board.shape
        circuit: Circuit | None = None
        with contextlib.suppress(ValueError):
            if missing:
                circuit = odd_circuit(width, height, style)
            elif width % 2 == 0:
                circuit = next(plane_circuits(width, height, style, corner), None)
        if circuit is not None:
            for reverse in itertools.product((False, True), repeat=2):
                yield Placement(circuit, board.shape, int(missing), transposed, (reverse[0], reverse[1]))


def _frames(placed: Placement) -> tuple[Outline, ...]:
    plan = placed.circuit.plan
    far = np.array([plan.width - 1, plan.height - 1])
    frames = [_frame(placed, "junction", _inner(placed.circuit.bottom_left))]
    frames.append(_frame(placed, "junction", far - _inner(placed.circuit.top_right)))
    for transition in plan.transitions:
        cells = [plus(transition.entry, cell) for path in transition.gadget.paths for cell in path]
        frames.append(_frame(placed, transition.gadget.name, np.array(cells)))
    return tuple(frames)


def _inner(junction: Junction) -> Points:
    return np.array([cell for path in junction.paths for cell in path[1:-1]])


def _frame(placed: Placement, name: str, cells: Points) -> Outline:
    return Outline(placed.at(cells), name, FRAMES.get(name, FRAMES["corner"]))


def _key(circuit: Circuit) -> tuple[tuple[str, str], ...]:
    """The strands in the order of the tour, from its corner on."""
    tracks = [section for section in circuit.sections if not section.corner]
    named = [(STRANDS[s.track], f"strand {i}, {'out' if s.forward else 'back'}") for i, s in enumerate(tracks, 1)]
    return (*named, (TIES, "junctions"))


def _word(circuit: Circuit) -> str:
    """All moves of the quartet. A transition rotated by 180° and walked backwards has its moves in reverse order."""
    plan = circuit.plan
    words = []
    for number, run in enumerate(plan.runs()):
        words.append("ab"[number % 2] * run)
        if number < len(plan.transitions):
            word = WORDS[plan.transitions[number].gadget.name]
            words.append(word if number % 2 == 0 else word[::-1])
    return "".join(words)


def _marks(placed: Placement) -> Iterator[Mark]:
    """The knights at both ends of every diagonal run."""
    plan, where = placed.circuit.plan, placed.circuit.tracks.positions
    places = [(plan.start, 0), (plan.finish, -1)]
    for number, transition in enumerate(plan.transitions):
        places += [(transition.entry, number), (transition.exit, number + 1)]
    for place, number in places:
        for knight, colour in enumerate(STRANDS):
            x, y = placed.at([plus(place, POSITIONS[where[knight, number]])])[0].tolist()
            yield Mark((x, y), colour)


def _middle(placed: Placement, place: Point) -> tuple[float, float]:
    """The centre of a quartet."""
    x, y = placed.at([plus(place, p) for p in POSITIONS]).mean(axis=0).tolist()
    return x, y
