"""Counts and lists beside brute force, over a product: shape × piece × open or closed × symmetry × way to count.

A fault of counts lay where four factors met that no test had together. So each *cell* of the product is decided three
ways: by the count, by the length of kt's own list, and by brute force over coordinates that shares no code with kt.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, pairwise, permutations, product
from math import gcd, prod
from typing import Any

import numpy as np
import pytest

import kt
from encoders.counting.count import count_by_halves
from encoders.enumeration import list_tours, sweep
from kt_models.kernel.certificates.frontier import count_solutions
from kt_models.limits import NO_LIMITS
from kt_models.runs.tour_task import TourTask
from tests.effort import part_of

SHAPES = (
    "3x3", "4x3", "5x3", "2x5", "4x4",
    "3x3-b2", "4x3-a1", "4x4-a1,d4", "5x3-c2", "4x4-b2,c3",
    "cylinder:3x3", "cylinder:4x3", "cylinder:5x2", "cylinder:2x4", "cylinder:4x3-a2", "cylinder:3x2x2",
    "torus:3x3", "torus:2x4", "torus:2x5", "torus:3x3-b2", "torus:4x3",
    "aztec:2", "L", "plus", "2x2x2", "3x2x2",
)  # fmt: skip
MASKS = {
    "L": [(x, y) for x in range(4) for y in range(4) if x < 2 or y < 2],
    "plus": [(x, y) for x in range(4) for y in range(4) if x in (1, 2) or y in (1, 2)],
}
PIECES = (
    "1,2", "0,1", "0,1+1,1", "0,1+0,2", "1,2+0,1", "1,1+0,2", "0,1+0,3", "0,2+1,2", "0,1+2,2", "1,3+0,1", "1,1+1,2",
)  # fmt: skip
MOST_TOURS = 600
"""Tours that a board and a piece may have: listing them in all ways takes seconds."""
MOST_SYMMETRIES = 10
"""Symmetries of a board that are combined with each way to count; of larger groups some are drawn."""

Order = tuple[int, ...]
Pairs = frozenset[frozenset[int]]
Move = tuple[int, tuple[int, ...]]
"""The lesser cell of a move, and the vector from it."""


@dataclass(frozen=True)
class Told:
    """A tour that is told apart by its moves, and its sums."""

    moves: frozenset[Move]
    pairs: Pairs
    turns: int
    length: int


@dataclass(frozen=True)
class Question:
    """Keywords of `kt.count`, and the tours that they ask for, by brute force."""

    name: str
    words: dict[str, Any]
    wanted: int
    """The right number."""
    at_least: bool = False
    """Whether `at_least` is asked, too."""


class Truth:
    """Everything about the tours of a board, by brute force over coordinates."""

    def __init__(self, shape: str, piece: str, is_open: bool) -> None:
        self.is_open = is_open
        board: Any = kt.Board.from_cells(MASKS[shape], shape) if shape in MASKS else shape
        self.graph = kt.graph(board, leaper=piece)
        assert self.graph.board is not None
        self.cells = [tuple(cell) for cell in self.graph.board.cells.tolist()]
        self.sides, self.wraps = self.graph.board.shape, self.graph.board.wraps
        self.number = {cell: v for v, cell in enumerate(self.cells)}
        self.joined = self._joined(piece)
        self.orders = list(islice(self._orders(), MOST_TOURS + 1))
        self.tours: dict[Pairs, Order] = {self.pairs(order): order for order in self.orders}
        assert len(self.tours) == len(self.orders)

    def _orders(self) -> Iterator[Order]:
        """Every tour once: a closed one from the first cell, in the direction of its lower neighbour."""
        n = len(self.cells)
        near: list[list[int]] = [[] for _ in range(n)]
        for u, v in map(sorted, self.joined):
            near[u].append(v)
            near[v].append(u)

        def extended(order: list[int], left: set[int]) -> Iterator[Order]:
            if not left:
                if (order[0] <= order[-1]) if self.is_open else (order[1] < order[-1] and order[0] in near[order[-1]]):
                    yield tuple(order)
                return
            for v in near[order[-1]]:
                if v in left:
                    left.remove(v)
                    yield from extended([*order, v], left)
                    left.add(v)

        for start in range(n if self.is_open else int(n > 2)):
            yield from extended([start], set(range(n)) - {start})

    def _joined(self, piece: str) -> dict[frozenset[int], list[tuple[int, tuple[int, ...]]]]:
        """The moves between each two cells: the tail and the vector of each."""
        dimension, vectors = len(self.sides), set()
        for part in piece.split("+"):
            offsets = [*map(int, part.split(",")), *[0] * (dimension - 2)]
            for signs in product((1, -1), repeat=dimension):
                vectors |= {tuple(s * d for s, d in zip(signs, p, strict=True)) for p in permutations(offsets)}
        joined: dict[frozenset[int], list[tuple[int, tuple[int, ...]]]] = {}
        for v, cell in enumerate(self.cells):
            for vector in vectors:
                u = self.number.get(self._place([c + d for c, d in zip(cell, vector, strict=True)]))
                if u is not None and u > v:
                    joined.setdefault(frozenset((u, v)), []).append((v, vector))
        return joined

    def _place(self, cell: list[int]) -> tuple[int, ...]:
        return tuple(c % s if w else c for c, s, w in zip(cell, self.sides, self.wraps, strict=True))

    def steps(self, order: Order) -> list[tuple[int, int]]:
        return list(pairwise(order if self.is_open else (*order, order[0])))

    def pairs(self, order: Order) -> Pairs:
        return frozenset(map(frozenset, self.steps(order)))

    def image(self, symmetry: kt.Symmetry) -> list[int]:
        """The image of each cell, from the text of the symmetry: coordinates from the centre, then a translation."""
        image, parts = [], [re.fullmatch(r"(-?)(\w)([+-]\d+)?", p) for p in str(symmetry).strip("()").split(",")]
        for cell in self.cells:
            from_centre = [2 * c - (s - 1) for c, s in zip(cell, self.sides, strict=True)]
            there = []
            for part, side in zip(parts, self.sides, strict=True):
                assert part is not None
                twice = (-1 if part[1] else 1) * from_centre["xyzw".index(part[2])] + 2 * int(part[3] or 0)
                there.append((twice + side - 1) // 2)
            image.append(self.number[self._place(there)])
        return image

    @cache  # noqa: B019
    def group(self) -> list[list[int]]:
        """The permutations of the cells by symmetries of the box, all that keep the board: from coordinates alone."""
        return sorted({tuple(image): list(image) for *_, image in self.motions()}.values())

    @cache  # noqa: B019
    def motions(self) -> list[tuple[tuple[int, ...], tuple[int, ...], list[int]]]:
        """All axes, signs and images of the cells of a symmetry, also those that move the cells alike."""
        found = []
        axes = range(len(self.sides))
        shifts = [range(s) if w else (0,) for s, w in zip(self.sides, self.wraps, strict=True)]
        for way in permutations(axes):
            if any(self.sides[a] != self.sides[i] or self.wraps[a] != self.wraps[i] for i, a in enumerate(way)):
                continue
            for signs, shift in product(product((1, -1), repeat=len(axes)), product(*shifts)):
                there = [
                    self._place([
                        (cell[a] if sign > 0 else self.sides[i] - 1 - cell[a]) + shift[i]
                        for i, (a, sign) in enumerate(zip(way, signs, strict=True))
                    ])
                    for cell in self.cells
                ]  # fmt: skip
                if all(place in self.number for place in there):
                    found.append((way, signs, [self.number[place] for place in there]))
        return found

    @cache  # noqa: B019
    def move_maps(self) -> list[dict[Move, Move]]:
        """The symmetries as maps of moves."""
        maps = []
        for way, signs, image in self.motions():
            moved: dict[Move, Move] = {}
            for pair, moves in self.joined.items():
                there = frozenset(image[v] for v in pair)
                for tail, vector in moves:
                    turned = tuple(sign * vector[a] for a, sign in zip(way, signs, strict=True))
                    backwards = image[tail] != min(there)
                    moved[tail, vector] = (min(there), tuple(-d for d in turned) if backwards else turned)
            maps.append(moved)
        return maps

    def moved(self, tour: Pairs, image: list[int]) -> Pairs:
        return frozenset(frozenset(image[v] for v in pair) for pair in tour)

    @cache  # noqa: B019
    def class_of(self, tour: Pairs) -> frozenset[Pairs]:
        return frozenset(self.moved(tour, image) for image in self.group())

    def classes(self, tours: list[Pairs]) -> int:
        return len(set(map(self.class_of, tours)))

    @cache  # noqa: B019
    def told(self) -> list[Told]:
        """The tours told apart by their moves."""
        every = []
        for order in self.orders:
            ways = [self.joined[frozenset(step)] for step in self.steps(order)]
            for chosen in product(*ways):
                heading = []
                for (u, _), (tail, vector) in zip(self.steps(order), chosen, strict=True):
                    whole = gcd(*vector) * (1 if u == tail else -1)
                    heading.append(tuple(d // whole for d in vector))
                ends = pairwise(heading if self.is_open else [*heading, heading[0]])
                length = sum(abs(d) for _, vector in chosen for d in vector)
                every.append(Told(frozenset(chosen), self.pairs(order), sum(a != b for a, b in ends), length))
        return every

    def by_turns(self) -> Counter[int]:
        """The numbers of tours, told apart by their moves, by their turns."""
        return Counter(tour.turns for tour in self.told())

    def told_classes(self, tours: list[Told]) -> int:
        """The classes of tours that are told apart by their moves."""
        return len(
            {min(sorted(moved[m] for m in tour.moves) for moved in self.move_maps()).__repr__() for tour in tours}
        )

    def numberings(self, numbers: dict[int, int]) -> int:
        """The numberings in which cells have given numbers."""
        total = 0
        for order in self.orders:
            for way in (order, order[::-1]):
                for first in range(1 if self.is_open else len(order)):
                    turned = way[first:] + way[:first]
                    total += all(turned[number - 1] == v for v, number in numbers.items())
        return total


def questions(truth: Truth, draw: random.Random) -> Iterator[Question]:
    """Every way to count, with every symmetry."""
    tours, graph = list(truth.tours), truth.graph
    joined = sorted(truth.joined, key=sorted)
    symmetries = graph.symmetries()[1:]
    if len(symmetries) > MOST_SYMMETRIES:
        symmetries = draw.sample(symmetries, MOST_SYMMETRIES)

    def name(v: int) -> Any:
        return truth.cells[v]

    conditions: list[tuple[str, dict[str, Any], list[Pairs]]] = [("all", {}, tours)]
    if tours:
        first, second = draw.choice(sorted(draw.choice(tours), key=sorted)), draw.choice(joined)
        first_name, second_name = (tuple(map(name, sorted(pair))) for pair in (first, second))
        conditions += [
            ("require", {"require": [first_name]}, [t for t in tours if first in t]),
            ("forbid", {"forbid": [first_name]}, [t for t in tours if first not in t]),
            ("require two", {"require": [first_name, second_name]}, [t for t in tours if {first, second} <= t]),
            ("require and forbid", {"require": [first_name], "forbid": [second_name]},
             [t for t in tours if first in t and second not in t]),
        ]  # fmt: skip
    if tours and truth.is_open:
        start = truth.tours[draw.choice(tours)][0]
        end = draw.choice([v for v in range(len(truth.cells)) if v != start])
        ends = {t: {truth.tours[t][0], truth.tours[t][-1]} for t in tours}
        conditions += [
            ("start", {"start": name(start)}, [t for t in tours if start in ends[t]]),
            ("start and end", {"start": name(start), "end": name(end)}, [t for t in tours if {start, end} == ends[t]]),
        ]
    for condition, words, wanted in conditions:
        yield Question(condition, words, len(wanted))
        yield Question(f"classes, {condition}", words | {"up_to_symmetry": True}, truth.classes(wanted))
        for symmetry in symmetries:
            image = truth.image(symmetry)
            symmetric = [t for t in wanted if truth.moved(t, image) == t]
            asked = words | {"symmetry": symmetry}
            yield Question(f"{symmetry}, {condition}", asked, len(symmetric))
            yield Question(
                f"{symmetry}, classes, {condition}", asked | {"up_to_symmetry": True}, truth.classes(symmetric)
            )
    told = sum(prod(len(truth.joined[pair]) for pair in tour) for tour in tours)
    if told > MOST_TOURS:
        return
    if any(truth.wraps):
        yield Question("moves", {"distinguish_moves": True}, told)
    turns = truth.by_turns()
    for value in {min(turns, default=3), max(turns, default=3) + 1, *draw.sample(sorted(turns), min(1, len(turns)))}:
        yield Question(f"{value} turns", {"by": "turns", "value": value}, turns[value])
        at_most = {"at_most": {"turns": value}}
        yield Question(f"at most {value} turns", at_most, sum(n for v, n in turns.items() if v <= value))
    yield from sums(truth, draw)
    if len(truth.cells) > 2:
        numbered = dict(
            zip(draw.sample(range(len(truth.cells)), 2), draw.sample(range(len(truth.cells)), 2), strict=True)
        )
        numbers = {name(v): k + 1 for v, k in numbered.items()}
        right = truth.numberings({v: k + 1 for v, k in numbered.items()})
        yield Question(f"numbers {numbers}", {"numbers": numbers}, right)


SUMS = {
    "turns": lambda tour: tour.turns,
    "length:manhattan": lambda tour: tour.length,
    "length:manhattan - 3*turns": lambda tour: tour.length - 3 * tour.turns,
    "2*turns - length:manhattan": lambda tour: 2 * tour.turns - tour.length,
}
"""Sums with terms of both signs, whose values may be negative."""


def sums(truth: Truth, draw: random.Random) -> Iterator[Question]:
    """Least and greatest sums, their limits, required moves beside them, and classes of tours that moves tell apart."""
    every, periodic = truth.told(), any(truth.wraps)
    parallel = any(len(moves) > 1 for moves in truth.joined.values())
    if not every:
        return
    pair = draw.choice(sorted(draw.choice(every).pairs, key=sorted))
    cells = tuple(truth.cells[v] for v in sorted(pair))
    conditions: list[tuple[str, dict[str, Any], list[Told]]] = [
        ("all", {"distinguish_moves": True} if periodic else {}, every),
        ("require", {"require": [cells]}, [tour for tour in every if pair in tour.pairs]),
    ]
    # A weight of three decimals for each move, in another unit than the sums
    heavy = {pair: draw.randint(-2000, 2000) for pair in sorted(truth.joined, key=sorted)}
    table = kt.edge_weights(
        truth.graph, {tuple(truth.cells[v] for v in sorted(pair)): weight / 1000 for pair, weight in heavy.items()}
    )

    def weight(tour: Told) -> int:
        return sum(heavy[pair] for pair in tour.pairs)

    limit = weight(draw.choice(every))
    conditions.append(("weight", {"at_most": {table: limit / 1000}}, [tour for tour in every if weight(tour) <= limit]))
    name, value = draw.choice(list(SUMS.items()))
    least = value(draw.choice(every))
    conditions.append((f"{name} >= {least}", {"at_least": {name: least}}, [t for t in every if value(t) >= least]))
    for condition, words, some in conditions:
        for name, value in SUMS.items():
            values = sorted(map(value, some))
            for sense, best in (("minimize", values[0]), ("maximize", values[-1])):
                wanted = [tour for tour in some if value(tour) == best]
                yield Question(f"{sense} {name}, {condition}", words | {sense: name}, len(wanted))
                classes = truth.told_classes(wanted)
                asked = words | {sense: name, "up_to_symmetry": True}
                yield Question(f"{sense} {name}, {condition}, classes", asked, classes)
    if parallel:
        asked = {"distinguish_moves": True, "up_to_symmetry": True}
        yield Question("classes of moves", asked, truth.told_classes(every))


def asked_of(truth: Truth, draw: random.Random) -> Iterator[Question]:
    """The same, where every third asks for `at_least`, too."""
    for number, question in enumerate(questions(truth, draw)):
        yield replace(question, at_least=number % 3 == 0)


def check(truth: Truth, question: Question) -> None:
    """Decide a question by a count, by a list and by `at_least`."""
    asked = {"open": truth.is_open, **question.words}
    label = f"{truth.graph.name}, {truth.graph.leaper}, {'open' if truth.is_open else 'closed'}: {question.name}"
    assert kt.count(truth.graph, **asked) == question.wanted, label
    listed = list(kt.tours(truth.graph, **asked))
    assert len(listed) == question.wanted, label
    if "numbers" not in asked:
        assert len(set(listed)) == len(listed), label
    if question.at_least:
        assert not kt.at_least(truth.graph, question.wanted + 1, **asked), label
        assert question.wanted == 0 or kt.at_least(truth.graph, question.wanted, **asked), label


def check_sweeps(truth: Truth) -> None:
    """Each sweep for itself, and by value."""
    label = f"{truth.graph.name}, {truth.graph.leaper}, {'open' if truth.is_open else 'closed'}"
    problem = kt.problem(truth.graph, open=truth.is_open)
    halved = count_by_halves(problem.by_cells)
    assert halved is None or halved.total == len(truth.tours), label
    if truth.is_open or len(truth.cells) > 2:
        assert count_solutions(problem.by_cells).total == len(truth.tours), label
    told = sum(prod(len(truth.joined[pair]) for pair in tour) for tour in truth.tours)
    if told > MOST_TOURS:
        return
    task = TourTask(kt.problem(truth.graph, open=truth.is_open, minimize="turns"), counting=True, by_value=True)
    swept, listed = sweep(task), list_tours(task, NO_LIMITS, "sat")
    assert swept is not None and swept.by_value == listed.by_value == dict(sorted(truth.by_turns().items())), label


def truth_of(shape: str, piece: str, is_open: bool) -> Truth | None:
    """What is true of a board; None if it has too many tours to list them in all ways."""
    truth = Truth(shape, piece, is_open)
    return truth if len(truth.orders) <= MOST_TOURS else None


def drawn(*words: object) -> random.Random:
    return random.Random(repr(words))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_sample_of_the_product(shape: str) -> None:
    """A few cells of each shape."""
    draw = drawn(shape)
    for piece, is_open in draw.sample(list(product(PIECES, (False, True))), max(1, part_of(6))):
        truth = truth_of(shape, piece, is_open)
        if truth is None:
            continue
        check_sweeps(truth)
        every = list(asked_of(truth, draw))
        for question in draw.sample(every, min(4, len(every))):
            check(truth, question)


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "piece"), list(product(SHAPES, PIECES)))
def test_the_whole_product(shape: str, piece: str) -> None:
    """More than 20,000 cells over all shapes and pieces."""
    for is_open in (False, True):
        truth = truth_of(shape, piece, is_open)
        if truth is None:
            continue
        check_sweeps(truth)
        for question in asked_of(truth, drawn(shape, piece, is_open)):
            check(truth, question)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_group_is_that_of_the_board(shape: str) -> None:
    truth = Truth(shape, "1,3", False)
    assert sorted({tuple(truth.image(s)) for s in truth.graph.symmetries()}) == list(map(tuple, truth.group()))
    for symmetry in truth.graph.symmetries():
        assert np.array_equal(truth.image(symmetry), symmetry.permutation(truth.graph.board))
