"""Interpretations of written numbers as a tour: its board, the base (0 or 1), and whether it is closed.

Each function makes the possible `Reading`s of data, and `choose` takes the one that is a tour. Nothing is guessed: if
two different readings are tours, the error names the option that decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations, product
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.board import Board
from kt_models.cells import cell_name
from kt_models.directed import SplitGraph
from kt_models.errors import InvalidTour, KTError
from kt_models.graph import MoveGraph
from kt_models.leaper import Leaper, usual_leaper
from kt_models.tour import Tour, verify

Wholes = npt.NDArray[np.integer[Any]]
"""Coordinates, or numbers."""
MAX_NAMED_HOLES = 20
"""Most holes of a box that its text names; a box with more holes is a mask."""
MAX_BOXES = 200
"""Most boxes that are tried for the indices of a list."""
GIVE_BOARD = "give --board"


@dataclass(frozen=True)
class GivenFacts:
    """Known facts about a tour, besides its data.

    Parameters
    ----------
    graph
        The graph of the tour, if it is given.
    leaper
        The piece, if no graph names it; the knight by default.
    closed
        Whether the tour is closed; data that say otherwise are wrong.
    otherwise
        Whether the tour is closed if neither the data nor `closed` say so: as the problem is that it is given to. By
        default it is closed if its ends are a move apart.
    base
        The least number, 0 or 1: of the visit, or of a coordinate or cell.
    """

    graph: MoveGraph | None = None
    leaper: Leaper | None = None
    closed: bool | None = None
    base: int | None = None
    otherwise: bool | None = None

    @property
    def kind(self) -> bool | None:
        """Whether the tour is closed, for data that do not say it themselves."""
        return self.otherwise if self.closed is None else self.closed

    def on(self, board: Board) -> MoveGraph:
        """The graph of a board that the data determine."""
        return MoveGraph.of(board, self.leaper or usual_leaper(board))

    @cached_property
    def board(self) -> Board | None:
        """The given board, if there is one."""
        return None if self.graph is None else self.graph.board


NO_FACTS = GivenFacts()


@dataclass(frozen=True)
class Reading:
    """One way to read data as a tour, which may be wrong.

    Parameters
    ----------
    graph, order
        The graph, and the vertices in the order of the visit, as `Tour.of` takes them.
    first
        The number that the data give the first cell.
    closed
        Whether the tour is closed, if the data or the caller say so.
    note
        The convention by which it was read, if several were possible.
    told
        Whether the board and the piece were given, and not inferred.
    """

    graph: MoveGraph
    order: Wholes
    first: int = 1
    closed: bool | None = None
    note: str = ""
    facts: bool = True

    @cached_property
    def tour(self) -> Tour:
        """The tour; it is closed if its ends are a move apart and it is not given as open."""
        closed = self.closed
        if closed is None:
            closed = len(self.order) > 2 and _joined(self.graph, int(self.order[-1]), int(self.order[0]))
        return Tour.of(self.graph, self.order, closed)

    def require_valid(self) -> None:
        """Verify the tour; the error refers to the numbers as they were written.

        Raises
        ------
        InvalidTour
            If it is not a tour; the message names the first fault.
        """
        try:
            verify(self.tour)
        except InvalidTour:
            if self.graph.board is not None:
                self._require_visits()
                self._require_steps()
            raise

    def _require_visits(self) -> None:
        seen: dict[int, int] = {}
        for place, vertex in enumerate(self.order.tolist(), start=self.first):
            if vertex in seen:
                raise InvalidTour(f"{self.graph.name_of(vertex)} is visited twice, as {seen[vertex]} and {place}")
            seen[vertex] = place

    def _require_steps(self) -> None:
        board, moves = self.graph.geometry
        cells = board.cells[self.order].astype(np.int64)
        gaps = np.roll(cells, -1, axis=0) - cells
        for axis, (wraps, side) in enumerate(zip(board.wraps, board.shape, strict=True)):
            if wraps:
                # The representative nearest to 0 around a wrapped axis
                gaps[:, axis] = (gaps[:, axis] + side // 2) % side - side // 2
        known = {tuple(move) for move in np.concatenate([moves, -moves]).tolist()}
        if any(board.wraps):  # A long move may have a shorter name
            sides = [side if wraps else 0 for wraps, side in zip(board.wraps, board.shape, strict=True)]
            known = {
                tuple((c + side // 2) % side - side // 2 if side else c for c, side in zip(move, sides, strict=True))
                for move in known
            }
        bad = [place for place, gap in enumerate(map(tuple, gaps.tolist())) if gap not in known]
        inner = [place for place in bad if place < len(self.order) - 1]
        if inner:
            names = [self.graph.name_of(int(self.order[place])) for place in (inner[0], inner[0] + 1)]
            number = self.first + inner[0]
            raise InvalidTour(
                f"{number} and {number + 1} are not {_a_move(self.graph)} apart ({names[0]} and {names[1]})"
                f"{self._other_piece(gaps[:-1])}"
            )
        if bad and self.tour.closed:
            names = [self.graph.name_of(int(self.order[place])) for place in (-1, 0)]
            raise InvalidTour(
                f"{self.first + len(self.order) - 1} and {self.first} are not {_a_move(self.graph)} apart "
                f"({names[0]} and {names[1]}), so the tour is not closed"
            )

    def _other_piece(self, gaps: Any) -> str:
        """Advice, if all steps are moves of one other piece."""
        kinds = {tuple(sorted(map(abs, gap))) for gap in gaps.tolist()}
        if len(kinds) == 1 and len(gaps) > 1 and not self.facts:
            return f"; all steps are moves of the leaper {','.join(map(str, kinds.pop()))}: give --leaper"
        return ""


def _joined(graph: MoveGraph, u: int, v: int) -> bool:
    if isinstance(graph, SplitGraph):
        return bool((graph.directed.arcs == (u, v)).all(axis=1).any())
    if graph.moves is None:
        return bool(graph.edges_between(u, v))
    try:
        return len(Tour(graph, np.array([u, v]), False).steps.tails) == 1
    except InvalidTour:
        return False


def _a_move(graph: MoveGraph) -> str:
    leaper = graph.leaper
    if leaper is None:
        return "an edge"
    return f"a {leaper.piece}'s move"


Candidate = Callable[[], Iterable[Reading]]
"""A function that returns the readings of one form, or raises if the data do not have it."""


def choose(ways: Sequence[tuple[str, Candidate]]) -> Reading:
    """The reading that is a tour.

    Parameters
    ----------
    ways
        Candidates with the names of their forms, the most plausible first. If none is a tour, its fault is reported.

    Raises
    ------
    InvalidTour, KTError
        If no candidate is a tour, or several are and no symmetry of the board maps one to the other.
    """
    fault: KTError | None = None
    kept: list[tuple[str, Reading]] = []
    for name, way in ways:
        try:
            readings = list(way())
        except KTError as error:
            fault = fault or error
            continue
        for reading in readings:
            try:
                reading.require_valid()
            except KTError as error:
                fault = fault or error
            else:
                kept.append((name, reading))
    if not kept:
        raise fault or KTError("there is no tour in it")
    name, reading = kept[0]
    for other_name, second in kept[1:]:
        # Readings that agree up to symmetry are no ambiguity
        if second.graph == reading.graph and second.tour.canonical() == reading.tour.canonical():
            continue
        if name != other_name:
            raise KTError(f"it is a tour as {name} and another as {other_name}: give --form {name} or {other_name}")
        raise KTError(f"it is a tour of two boards, {reading.graph.name} and {second.graph.name}: {GIVE_BOARD}")
    return reading


# -- numbered cells ----------------------------------------------------------------------------------------------------


def by_numbers(cells: Wholes, numbers: Wholes, shape: Sequence[int], facts: GivenFacts) -> Iterable[Reading]:
    """Readings of cells with their numbers, from 0 or from 1.

    Parameters
    ----------
    cells, numbers
        Shapes (n, dimension) and (n,); cells that have no number are left out.
    shape
        The sides of the box that the data fill.
    """
    zeros = int((numbers == 0).sum())
    if facts.board is not None and facts.board.shape != tuple(shape):
        sides = "x".join(map(str, shape))
        raise InvalidTour(f"the grid has {sides} places, and the box of {facts.board.text} has "
                          f"{'x'.join(map(str, facts.board.shape))}")  # fmt: skip
    counted = numbers >= (0 if facts.base == 0 else 1)
    if zeros != 1 or facts.base is not None:
        yield _numbered(cells[counted], numbers[counted], shape, facts)
        return
    # The first number, or a hole: what follows the first number is always a tour, so that alone is no other reading
    faults, readings = [], []
    for kept in (numbers >= 0, counted):
        try:
            reading = _numbered(cells[kept], numbers[kept], shape, facts)
            reading.require_valid()
        except KTError as error:
            faults.append(error)
        else:
            readings.append(reading)
    if not readings:
        raise faults[0]
    if len(readings) == 2 and readings[1].tour.closed and not readings[0].tour.closed:
        boards = " and with a hole of ".join(reading.graph.name for reading in readings)
        raise KTError(f"0 may be the first number or a hole, as it is a tour of {boards}: give --base 0 or 1")
    if len(readings) == 2:
        readings[0] = replace(readings[0], note="the numbers begin with 0, which is no hole")
    yield readings[0]


def _numbered(cells: Wholes, numbers: Wholes, shape: Sequence[int], facts: GivenFacts) -> Reading:
    if not len(numbers):
        raise KTError("there is no number in it")
    # Stable: of two equal numbers the error names the places in the order of the board
    ranked = np.argsort(numbers, kind="stable")
    values = numbers[ranked]
    if (same := np.flatnonzero(values[1:] == values[:-1])).size:
        where = [cell_name(cells[ranked[same[0] + k]].tolist()) for k in (0, 1)]
        missing = sorted(set(range(1, len(values) + 1)) - set(values.tolist()))
        more = f", and {missing[0]} is missing" if missing and values[-1] <= len(values) else ""
        raise InvalidTour(f"{values[same[0]]} occurs twice, at {where[0]} and {where[1]}{more}")
    first = int(values[0])
    if facts.base is not None and first != facts.base and first < 2:
        raise InvalidTour(f"the numbers begin with {first}, not with {facts.base}")
    if first > 1:
        raise InvalidTour(f"the numbers begin with {first}, not with 0 or 1")
    if (gap := np.flatnonzero(np.diff(values) > 1)).size:
        name = cell_name(cells[ranked[-1]].tolist())
        raise InvalidTour(
            f"{values[gap[0]] + 1} is missing: {len(values)} cells have numbers up to {values[-1]} at {name}"
        )
    graph = facts.graph
    if graph is None:
        graph = facts.on(_board_of(cells, shape))
    elif graph.board is None:
        raise KTError(f"{graph.name} has no board, and this is a grid of numbers")
    order = graph.board.numbers(cells[ranked])  # type: ignore[union-attr]
    if (order < 0).any():
        place = int(np.argmax(order < 0))
        name = cell_name(cells[ranked[place]].tolist())
        raise InvalidTour(f"{values[place]} stands at {name}, which is a hole of {graph.name}")
    if len(order) < graph.n:
        missed = np.ones(graph.n, dtype=bool)
        missed[order] = False
        raise InvalidTour(f"{graph.name_of(int(np.argmax(missed)))} has no number")
    return Reading(graph, order, first, facts.kind, facts=facts.leaper is not None or facts.graph is not None)


def _board_of(cells: Wholes, shape: Sequence[int]) -> Board:
    """The board of the cells in a box, with holes elsewhere."""
    mask = np.zeros(tuple(shape), dtype=bool)
    mask[tuple(cells.T)] = True
    if mask.all():
        return Board(tuple(shape))
    holes = np.argwhere(~mask).tolist()
    if len(holes) <= MAX_NAMED_HOLES:
        return Board(tuple(shape)).without(holes)
    return Board(tuple(shape), mask, text="mask")


# -- edges in any order ------------------------------------------------------------------------------------------------


def are_edges(rows: Wholes) -> bool:
    """Whether rows of two numbers are edges rather than cells: no number occurs more than twice, or twice in a row.

    Cells of a board have one corner with two equal coordinates, and share columns and rows.
    """
    _, times = np.unique(rows, return_counts=True)
    return bool(times.max() <= 2 and (rows[:, 0] != rows[:, 1]).all())


def order_of_edges(edges: Sequence[Sequence[Any]]) -> tuple[list[Any], bool]:
    """The vertices of the one cycle or path that edges in any order make, and whether it is a cycle.

    Raises
    ------
    KTError
        If they make something else.
    """
    near: dict[Any, list[Any]] = {}
    for u, v in edges:
        near.setdefault(u, []).append(v)
        near.setdefault(v, []).append(u)
    ends = [vertex for vertex, others in near.items() if len(others) == 1]
    order, before = [ends[0] if ends else next(iter(near))], None
    while len(order) <= len(near):
        onward = [vertex for vertex in near[order[-1]] if vertex != before]
        if not onward or onward[0] == order[0]:
            break
        before = order[-1]
        order.append(onward[0])
    closed = not ends
    whole = len(order) == len(near) and len(edges) == len(near) - (not closed) and len(ends) in (0, 2)
    if not whole or max(map(len, near.values())) > 2:
        raise KTError("it is a set of edges, not one cycle or path; no other set of edges is read as a tour")
    return order, closed


# -- cells in order ----------------------------------------------------------------------------------------------------


def by_cells(rows: Wholes, facts: GivenFacts, *, exact: bool = False) -> Iterable[Reading]:
    """Reading of cells in the order of the visit, shape (n, dimension).

    Parameters
    ----------
    exact
        Whether their coordinates are kt's own, as those of algebraic squares are; otherwise they may count from 1, and
        be rows and columns.
    """
    if not exact and rows.shape[1] == 2 and len(rows) > 1 and are_edges(rows):
        order, joined = order_of_edges(rows.tolist())
        yield from by_indices(
            np.array(order), replace(facts, closed=joined if facts.closed is None else facts.closed), own_numbers=True
        )
        return
    rows, closed = _without_return(rows, facts)
    if facts.graph is not None:
        yield replace(_on_given(rows, facts, exact), closed=closed)
        return
    least = rows.min(axis=0)
    # Coordinates may count from 0, 1 or any number that is the least on every axis
    base = int(least[0]) if not exact and (least == least[0]).all() else 0
    if facts.base is not None and not exact:
        base = facts.base
    if not exact and (least < 0).any():
        raise KTError(f"a coordinate is below 0: {GIVE_BOARD}")
    moved = rows - base
    shape = tuple((moved.max(axis=0) + 1).tolist())
    # Python integers, as large coordinates overflow; a tour fills its box up to holes, so a much larger box is a
    # misreading
    if np.prod(shape, dtype=object) > 4 * len(rows) + 64:
        missing = f"its {len(rows):,} cells do not fill the box {'x'.join(map(str, shape))}"
        raise KTError(f"{missing}: {GIVE_BOARD}")
    reading = Reading(
        facts.on(Board(shape)),
        Board(shape).numbers(moved),
        closed=closed,
        facts=facts.leaper is not None,
        note="" if exact else _note(rows.shape[1], base, columns_first=True),
    )
    reading._require_visits()
    if len(rows) < Board(shape).n:
        seen = np.zeros(Board(shape).n, dtype=bool)
        seen[reading.order] = True
        name = Board(shape).name(int(np.argmin(seen)))
        raise InvalidTour(f"{name} is not visited; if it is a hole, {GIVE_BOARD} {'x'.join(map(str, shape))}-{name}")
    yield reading


def _without_return(visit: Wholes, facts: GivenFacts) -> tuple[Wholes, bool | None]:
    """Distinct cells of a visit, and whether it is closed, if it ends where it began.

    If the graph has at least as many cells as listed, the last one is not a return to the first.
    """
    has_all = facts.graph is not None and len(visit) <= facts.graph.vertex_count
    if len(visit) < 3 or not (visit[0] == visit[-1]).all() or has_all:
        return visit, facts.kind
    if facts.closed is False:
        raise InvalidTour("it returns to the first cell, so it is not open")
    return visit[:-1], True


def _note(dimension: int, base: int, *, columns_first: bool) -> str:
    if dimension != 2:
        return f"coordinates count from {base}"
    order = "x,y from the lower left" if columns_first else "row,column"
    return f"coordinates are {order}, from {base}"


def _on_given(rows: Wholes, facts: GivenFacts, exact: bool) -> Reading:
    board = facts.board
    assert facts.graph is not None
    if board is None:
        raise KTError(f"{facts.graph.name} has no board, and these are cells of one")
    if rows.shape[1] != board.dimension:
        raise InvalidTour(f"its cells have {rows.shape[1]} coordinates; {board.text} has {board.dimension}")
    if facts.base is not None and not exact:
        rows, exact = rows - facts.base, True
    images = list(_images(rows, board.dimension, board.cells.min(axis=0), exact))
    for moved, words in images:
        order = board.numbers(moved)
        if (order >= 0).all():
            return Reading(facts.graph, order, note=words)
    moved = images[0][0]
    place = int(np.argmax(board.numbers(moved) < 0))
    raise InvalidTour(f"place {place + 1}: {cell_name(moved[place].tolist())} is not a cell of {facts.graph.name}")


def _images(rows: Wholes, dimension: int, low: Wholes, exact: bool) -> Iterable[tuple[Wholes, str]]:
    """The cells as they are, and as in other conventions, each moved to the board."""
    if exact:
        yield rows, ""
        return
    start = rows.min(axis=0)
    if (start == low).all() or not (start == low + 1).all():
        yield rows, _note(dimension, 0, columns_first=True)
    yield rows - start + low, _note(dimension, int(start[0] - low[0]), columns_first=True)
    if dimension != 2:
        return
    for axes, signs in product(permutations(range(2)), product((1, -1), repeat=2)):
        image = rows[:, list(axes)] * np.array(signs)
        image = image - image.min(axis=0) + low
        yield image, "coordinates as " + ("row,column" if axes == (1, 0) else "x,y") + f", turned by {signs}"


# -- numbers of cells in order -----------------------------------------------------------------------------------------


def by_indices(
    numbers: Wholes, facts: GivenFacts, *, own_numbers: bool = False, base: int | None = None
) -> list[Reading]:
    """Readings of the numbers of cells, or of vertices, in the order of the visit.

    Parameters
    ----------
    own_numbers
        Whether cells are first looked for by kt's own numbers, which go along columns, as in files of graphs.
    base
        The number of the first cell; by default the least one there is, 0 or 1.
    """
    numbers, closed = _without_return(numbers, facts)
    if not len(numbers):
        raise KTError("there is no number in it")
    least, most = int(numbers.min()), int(numbers.max())
    base = facts.base if base is None else base
    if base is None and facts.board is not None and least > 1 and most < facts.board.grid.size - 1:
        both: list[Reading] = []
        for start in (1, 0):
            with suppress(KTError):
                both += by_indices(numbers, replace(facts, closed=closed), own_numbers=own_numbers, base=start)
        if both:
            return _of_one_base(both)
    if base is None:
        last = facts.graph.vertex_count if facts.board is None and facts.graph is not None else 0
        last = facts.board.grid.size if facts.board is not None else last
        base = 1 if least == 1 or most == last else 0
    if least < base:
        raise InvalidTour(f"{least} is not the number of a cell: they count from {base}")
    numbers = numbers - base
    ranked = np.sort(numbers)
    if (same := np.flatnonzero(ranked[1:] == ranked[:-1])).size:
        twice = ranked[same[0]]
        places = (np.flatnonzero(numbers == twice)[:2] + 1).tolist()
        raise InvalidTour(f"{twice + base} is visited twice, at places {places[0]} and {places[1]}")
    say = {"closed": closed, "first": 1}
    if facts.graph is not None and facts.board is None:
        if ranked[-1] >= facts.graph.vertex_count:
            raise InvalidTour(f"{ranked[-1] + base} is not a vertex of {facts.graph.name}")
        return [Reading(facts.graph, numbers.astype(np.int32), **say)]  # type: ignore[arg-type]
    if facts.graph is not None and facts.board is not None:
        readings = []
        for words, order in _numberings(facts.board, numbers, own_numbers=own_numbers):
            readings.append(Reading(facts.graph, order, note=words and f"{words}, from {base}", **say))  # type: ignore[arg-type]
        if not readings:
            raise InvalidTour(f"{ranked[-1] + base} is not a cell of {facts.board.text}, whose cells count from {base}")
        return _first_valid(readings)
    n = len(numbers)
    if ranked[-1] != n - 1:
        lacking = next(k for k, value in enumerate(ranked.tolist()) if value != k)
        raise InvalidTour(f"{lacking + base} is missing: {n} numbers go up to {ranked[-1] + base}; with holes, "
                          f"{GIVE_BOARD}")  # fmt: skip
    sides = [w for w in range(1, n + 1) if n % w == 0][:MAX_BOXES]
    sides.sort(key=lambda w: (abs(w - n // w), w))
    fitting, first = [], None
    for width in sides:
        board = Board((width, n // width))
        readings = [
            Reading(facts.on(board), order, note=words and f"{words} of {board.text}, from {base}",
                    facts=facts.leaper is not None, **say)  # type: ignore[arg-type]
            for words, order in list(_numberings(board, numbers, own_numbers=own_numbers))[:1]
        ]  # fmt: skip
        reading = _first_valid(readings)[0]
        first = first or reading
        if _is_valid(reading):
            fitting.append(reading)
    if fitting:
        return fitting
    assert first is not None
    if first.graph.geometry[0].shape[0] ** 2 == n:
        return [first]
    raise KTError(f"it is a tour of no box of {n} cells that is read row by row: {GIVE_BOARD}")


def _of_one_base(readings: list[Reading]) -> list[Reading]:
    """The reading that is a tour, unless two readings are different tours."""
    valid = [reading for reading in readings if _is_valid(reading)]
    if len(valid) > 1 and valid[0].tour.canonical() != valid[1].tour.canonical():
        raise KTError("cells may be numbered from 0 or from 1, as both are tours: give --base 0 or 1")
    return (valid or readings)[:1]


def _is_valid(reading: Reading) -> bool:
    try:
        verify(reading.tour)
    except KTError:
        return False
    return True


def _first_valid(readings: list[Reading]) -> list[Reading]:
    """The first reading that is a tour, in the order of conventions; otherwise the first reading."""
    return [next((reading for reading in readings if _is_valid(reading)), readings[0])]


def _numberings(board: Board, numbers: Wholes, *, own_numbers: bool) -> Iterable[tuple[str, Wholes]]:
    """Cells with these numbers from 0, for each way to number the cells of a board."""
    if board.dimension == 2:
        rows = np.ascontiguousarray(board.grid.T[::-1]).reshape(-1)
        ways = [("cells are numbered row by row from the top", rows[rows >= 0])]
        if (rows < 0).any():
            ways.append(("places are numbered row by row from the top, holes counted", rows))
    else:
        ways = []
    kt_numbering = ("cells are numbered column by column from the lower left", np.arange(board.n, dtype=np.int32))
    for words, cells in [kt_numbering, *ways] if own_numbers or not ways else ways:
        if numbers.max() < len(cells) and (cells[numbers] >= 0).all():
            yield words, cells[numbers]
