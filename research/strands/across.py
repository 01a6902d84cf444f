"""Tours of single squares with 8n - 19 or 8n - 20 turns, whose lines have the directions (2, 1) and (1, -2).

Two lines of these directions cross in a cell only if 2x + y is the same modulo 5 on both; so each of the five classes
of cells may choose its direction. The four sides have patterns of period 10 with 2 turns per unit, and each corner is
a block of 5x5 free cells, as in `research.strands.squares`. A quarter turn exchanges the two directions: so
all is said of the bottom and of the bottom left corner, and each side is the bottom of a *view* of the board.

The choices with the fewest turns have several cycles. Exchanges join them: a few cells at a side get other moves, with
as many turns in all, or with one more where the limit allows it.

`python -m research.strands.across N FILE` looks for a tour of the NxN board with at most 8N - 19 turns. Where
larger sides follow FILE, the same exchanges, as far from the ends or the middle of their sides, have to make tours of
these boards too.
"""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from drawing.save import save
from encoders.gadgets import frames
from encoders.gadgets.search import search
from heuristics.constructions.strands.walk import FIRST, FOLLOW, STEPS, cycle_of
from heuristics.searches.sides.data import PERPENDICULAR_PLANE, lines_of
from heuristics.searches.sides.views import quarter_turns, view
from kt_models import Problem, Result, Tour, graph_of
from kt_models.errors import KTError
from kt_models.gadgets.frame import Frame
from kt_models.jit import kernel
from kt_models.kernel.certificates.integers import Ints
from kt_models.limits import NO_LIMITS, Limits
from research.strands.corner import Block, fewest_turns, fillings
from research.strands.sides import codes_of_period
from research.strands.squares import cycles
from theorems.growing_tours.codes import MOVES, PAIRS, Codes, turns

PERIOD, DEPTH, CORNER = 10, 3, 5
CLASSES = 5
DIRECTIONS = ((2, 1), (1, -2))
RUNS = [PAIRS.index(pair) for pair in ((1, 5), (3, 7))]
"""The codes of cells on lines of either direction."""
BOXES = ((7, 4), (10, 4), (8, 5)), ((7, 7), (8, 8))
"""Columns and rows of the blocks in which moves are exchanged, along the sides and in the corners."""
OTHERS = 40
"""Most ways to fill such a block that are looked at."""
IDLE = 15
"""After so many exchanges in a row that join nothing a choice is given up."""

Choice = tuple[int, int, int, int]
"""The numbers of the patterns of the four sides: bottom, right, top, left."""
Exchange = tuple[int, int, int, Codes]
"""By how much it raises the number of turns, in which view and from which column on, and the new moves."""


@cache
def patterns(first: frozenset[int]) -> tuple[Codes, ...]:
    """The bottom patterns with the fewest turns, if these classes of cells by 2x + y have the direction (2, 1)."""
    rising, falling = (frames.strip("bottom", PERIOD, DEPTH, direction) for direction in DIRECTIONS)

    def chosen(frame: Frame, wanted: bool) -> list[Any]:
        return [p for p in frame.ports if ((2 * p.cell[0] + p.cell[1]) % CLASSES in first) == wanted]

    frame = Frame(rising.cells, (*chosen(rising, True), *chosen(falling, False)), rising.period)
    found = search(frame, minimize="turns", at_most=2 * PERIOD).gadgets
    return tuple(
        sorted((codes_of_period(pattern, (PERIOD, DEPTH)) for pattern in found), key=lambda codes: codes.tobytes())
    )


def views_of(first: frozenset[int], side: int) -> list[frozenset[int]]:
    """The classes with the direction (2, 1) in the four views of a square."""
    found = [first]
    for _ in range(3):
        others = set(range(CLASSES)) - found[-1]
        found.append(frozenset((2 * c + side - 1) % CLASSES for c in others))
    return found


def lines(first: frozenset[int], side: int) -> Codes:
    """A square of lines alone, if these classes of cells by 2x + y have the direction (2, 1)."""
    return lines_of(PERPENDICULAR_PLANE, first, side, side)


@dataclass(eq=False)
class AcrossSearch:
    """The squares of a side, with a choice of the classes of cells by 2x + y that have the direction (2, 1).

    The blocks in the corners have a side of `block` cells.
    """

    side: int
    first: frozenset[int]
    limits: Limits = NO_LIMITS
    block: int = CORNER
    _filled: dict[Any, tuple[int, tuple[Codes, ...]] | None] = field(default_factory=dict)

    @property
    def views(self) -> list[frozenset[int]]:
        """The classes with this direction in the four views."""
        return views_of(self.first, self.side)

    def paint(self, chosen: dict[int, int]) -> Codes:
        """Lines, and the patterns of some sides; what is at the corners does not fit together."""
        codes = lines(self.first, self.side)
        for k, side_view in enumerate(self.views):
            if k in chosen:
                codes[:, :DEPTH] = patterns(side_view)[chosen[k]][np.arange(self.side) % PERIOD]
            codes = view(codes)
        return codes

    def corner(self, k: int, choice: int, before: int) -> tuple[int, tuple[Codes, ...]] | None:
        """The fewest turns of the block at the bottom left of a view, and a way to have them."""
        block = Block.of(view(self.paint({k: choice, (k - 1) % 4: before}), k), (0, 0, self.block, self.block))
        key = tuple(block.ports.items())
        if key not in self._filled:
            self._filled[key] = fewest_turns(block, 1, self.limits)
        return self._filled[key]

    def ranked(self, most: int) -> Iterator[tuple[int, Choice]]:
        """Choices of four patterns with at most so many turns, the fewest first, with their turns."""
        shape = tuple(len(patterns(side_view)) for side_view in self.views)
        total = np.zeros(shape)
        for k, side_view in enumerate(self.views):
            sides = [
                turns(codes[np.arange(self.block, self.side - self.block) % PERIOD]) for codes in patterns(side_view)
            ]
            total += np.reshape(sides, [-1 if axis == k else 1 for axis in range(4)])
            before = (k - 1) % 4
            for pair in itertools.product(range(shape[k]), range(shape[before])):
                found = self.corner(k, *pair)
                where: list[Any] = [slice(None)] * 4
                where[k], where[before] = pair
                total[tuple(where)] += np.inf if found is None else found[0]
        for value, place in sorted((total[tuple(at)], tuple(at.tolist())) for at in np.argwhere(total <= most)):
            yield int(value), place

    def board(self, chosen: Choice) -> Codes:
        """A choice with its corners: two moves at each cell, in some cycles."""
        codes = self.paint(dict(enumerate(chosen)))
        for k in range(4):
            found = self.corner(k, chosen[k], chosen[k - 1])
            assert found is not None
            codes[: self.block, : self.block] = found[1][0]
            codes = view(codes)
        return codes


@dataclass(frozen=True, eq=False)
class Cycles:
    """The cycles of a board: of each cell, the number of its cycle and its place there; and their lengths."""

    labels: npt.NDArray[Any]
    places: npt.NDArray[Any]
    lengths: list[int]

    @classmethod
    def of(cls, codes: Codes) -> Cycles:
        """Follow the moves of all cells."""
        labels, places = np.full(codes.shape, -1), np.zeros(codes.shape, dtype=np.int64)
        lengths = np.zeros(codes.size, dtype=np.int64)
        number = _labelled(np.ascontiguousarray(codes), FOLLOW, STEPS, FIRST, labels, places, lengths)
        return cls(labels, places, lengths[:number].tolist())

    def rotate(self, times: int) -> Cycles:
        """The same after so many quarter turns clockwise."""
        return Cycles(quarter_turns(self.labels, times), quarter_turns(self.places, times), self.lengths)

    def change(self, seen: Codes, x: int, other: Codes) -> int:
        """By how much the number of cycles changes if a block at the bottom, from column x on, gets other moves."""
        box = np.s_[x : x + other.shape[0], : other.shape[1]]
        ports = []
        for cell in np.ndindex(*other.shape):
            cell_here = cell[0] + x, cell[1]
            for move in PAIRS[seen[cell_here]]:
                there = cell_here[0] + MOVES[move][0], cell_here[1] + MOVES[move][1]
                if not (0 <= there[0] - x < other.shape[0] and there[1] < other.shape[1]):
                    label, place, after = (
                        int(self.labels[cell_here]),
                        int(self.places[cell_here]),
                        int(self.places[there]),
                    )
                    leaves = (place + 1) % self.lengths[label] == after
                    ports.append((label, place if leaves else after, leaves, (*cell, move)))
        ports.sort()
        around: dict[tuple[int, ...], tuple[int, ...]] = {}  # From port to port, outside the block
        for _, group in itertools.groupby(ports, key=lambda port: port[0]):
            ends = [port[2:] for port in group]
            for (leaves, port), (_, following) in zip(ends, ends[1:] + ends[:1], strict=True):
                if leaves:
                    around[port], around[following] = following, port
        return _joined(around, other) - _joined(around, seen[box])


@kernel("int64(uint8[:, ::1], int8[:, ::1], int64[:, ::1], int64[::1], int64[:, ::1], int64[:, ::1], int64[::1])")
def _labelled(
    codes: Codes, follow: npt.NDArray[np.int8], steps: Ints, first: Ints, labels: Ints, places: Ints, lengths: Ints
) -> int:
    """Number the cycles; of each cell, note that number and the place on its cycle."""
    number = 0
    for a in range(codes.shape[0]):
        for b in range(codes.shape[1]):
            if labels[a, b] < 0:
                x, y, move, place = a, b, first[codes[a, b]], 0
                while place == 0 or x != a or y != b:
                    labels[x, y], places[x, y] = number, place
                    place += 1
                    x, y = x + steps[move, 0], y + steps[move, 1]
                    move = follow[codes[x, y], move]
                lengths[number] = place
                number += 1
    return number


def _joined(around: dict[tuple[int, ...], tuple[int, ...]], block: Codes) -> int:
    """How many cycles go through a block, if its ports are joined so outside it."""
    left, number = set(np.ndindex(*block.shape)), 0
    while left:
        cell = next(iter(left))
        move = PAIRS[block[cell]][0]
        while cell in left:
            left.remove(cell)
            port = (*cell, move)
            if port in around:
                x, y, back = around[port]
                cell, led = (x, y), (back + 4) % 8
            else:
                cell, led = (cell[0] + MOVES[move][0], cell[1] + MOVES[move][1]), move
            move = int(FOLLOW[block[cell], led])
        number += 1
    return number


@dataclass(eq=False)
class Joiner:
    """Joins the cycles of a board by exchanges, as long as there are at most so many turns.

    Where `near` is given, they are no farther than so many cells from an end or from the middle of their side.
    """

    most: int
    limits: Limits
    random: random.Random
    near: int | None = None
    _others: dict[Any, tuple[Codes, ...]] = field(default_factory=dict)

    def join(self, *boards: Codes) -> list[Codes] | None:
        """One cycle, on each of some boards by the same exchanges, if they lead to it.

        The boards after the first one are larger squares with the same moves at the corners and along the sides.
        """
        joined, idle = list(boards), 0
        while idle < IDLE:
            every = [Cycles.of(codes) for codes in joined]
            if all(len(board.lengths) == 1 for board in every):
                return joined
            flat = []
            seen = [[view(codes, k) for k in range(4)] for codes in joined]
            turned = [[board.rotate(k) for k in range(4)] for board in every]
            most = max(every, key=lambda board: len(board.lengths))
            for exchange in self.exchanges(joined[0], most):
                self.limits.check()
                k = exchange[1]
                changes = [
                    _change(views[k], board[k], seen[0][k], exchange) for views, board in zip(seen, turned, strict=True)
                ]
                if max(changes) <= 0 and min(changes) < 0:
                    idle = 0
                    break
                if not any(changes) and exchange[0] <= 0:
                    flat.append(exchange)
            else:
                if not flat:
                    return None
                exchange, idle = self.random.choice(flat), idle + 1
            joined = [with_exchange(codes, moved(exchange, len(joined[0]), len(codes))) for codes in joined]
        return None

    def exchanges(self, codes: Codes, labelled: Cycles) -> list[Exchange]:
        """Exchanges at the sides at which different cycles meet, those with the fewest turns first.

        The cycles may be those of a larger square, with the same exchanges.
        """
        spare = min(1, self.most - turns(codes))
        found = []
        for k in range(4):
            seen, marks = view(codes, k), quarter_turns(labelled.labels, k)
            side, larger = len(codes), len(marks)
            along = [(x, *box) for box in BOXES[0] for x in range(side - box[0] + 1) if self._may(x, box[0], side)]
            for x, columns, rows in [*along, *((0, *box) for box in BOXES[1])]:
                box, at = np.s_[x : x + columns, :rows], _moved_to(x, columns, side, larger)
                marked = marks[at : at + columns, :rows]
                if len(np.unique(marked)) > 1:
                    now = turns(seen[box])
                    found += [
                        (turns(other) - now, k, x, other)
                        for other in self._ways(Block.of(seen, (x, 0, columns, rows)), now + spare)
                        if len(np.unique(marked[other != seen[box]])) > 1
                    ]
        self.random.shuffle(found)
        return sorted(found, key=lambda exchange: exchange[0])

    def _may(self, x: int, columns: int, side: int) -> bool:
        distance = min(x, abs(x + columns // 2 - side // 2), side - x - columns)
        return self.near is None or distance <= self.near

    def _ways(self, block: Block, most: int) -> tuple[Codes, ...]:
        left, *shape = block.box[0], *block.box[2:]
        key = most, *shape, tuple((x - left, y, moves) for (x, y), moves in block.ports.items())
        if key not in self._others:
            self._others[key] = fillings(block, most, OTHERS, self.limits)
        return self._others[key]


def moved(exchange: Exchange, side: int, larger: int) -> Exchange:
    """An exchange on a larger square: as far from the nearest of both ends and the middle of its side."""
    more, k, x, other = exchange
    return more, k, _moved_to(x, len(other), side, larger), other


def _moved_to(x: int, columns: int, side: int, larger: int) -> int:
    return x + (larger - side) * round((2 * x + columns) / side) // 2


def _change(seen: Codes, labelled: Cycles, first: Codes, exchange: Exchange) -> int:
    """What an exchange of the first board does to the number of cycles of a board; 1 if it is another place there.

    Of the boards and the cycles the view is given that the exchange belongs to.
    """
    _, _, x, other = moved(exchange, len(first), len(seen))
    columns, place = (slice(begin, begin + len(other)) for begin in (exchange[2], x))
    if not np.array_equal(seen[place, : other.shape[1]], first[columns, : other.shape[1]]):
        return 1
    return labelled.change(seen, x, other)


def with_exchange(codes: Codes, exchange: Exchange) -> Codes:
    """The board after an exchange."""
    _, k, x, other = exchange
    seen = view(codes, k).copy()
    seen[x : x + other.shape[0], : other.shape[1]] = other
    return view(seen, -k)


def square_tours(sides: Sequence[int], most: int, limits: Limits = NO_LIMITS) -> list[Codes] | None:
    """The moves at the cells of a square's tour with at most so many turns, if one is found; choices in random order.

    With it, those of larger squares with the same choice and the same exchanges.

    Raises
    ------
    Stopped
        If the limits are reached.
    """
    luck = random.Random(limits.seed)
    joiner = Joiner(most, limits, luck)
    choices = []
    for first in itertools.combinations(range(CLASSES), 2):  # Three of them: the same boards, turned
        sizes = [AcrossSearch(side, frozenset(first), limits) for side in sides]
        choices += [(value, sizes, chosen) for value, chosen in sizes[0].ranked(most)]
    luck.shuffle(choices)
    boards = [(value, [size.board(chosen) for size in sizes]) for value, sizes, chosen in choices]
    ranked = sorted(boards, key=lambda board: board[0] + max(cycles(codes)[0] for codes in board[1]))
    found = (joiner.join(*codes) for _, codes in ranked)
    return next((codes for codes in found if codes is not None), None)


def main(arguments: list[str]) -> None:
    """The command line `python -m research.strands.across N FILE [LARGER ...]`."""
    sides = [int(text) for text in arguments[:1] + arguments[2:] if text.isdecimal()]
    if len(arguments) < 2 or len(sides) < len(arguments) - 1 or sides[0] < 2 * (CORNER + PERIOD):
        usage = f"usage: python -m {__package__}.across N FILE [LARGER ...], N from 30 on"
        raise SystemExit(str(KTError(usage)))
    side = sides[0]
    found = square_tours(sides, 8 * side - 19)
    if found is None:
        raise SystemExit(str(KTError(f"{side}x{side}: no tour with {8 * side - 19} turns was found")))
    problem = Problem(graph_of(f"{side}x{side}"), objective="turns")
    result = Result(problem, "feasible", Tour(problem.graph, cycle_of(found[0]), True), engine="strands_across")
    save(result, arguments[1])


if __name__ == "__main__":
    main(sys.argv[1:])
