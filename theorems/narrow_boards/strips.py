"""Strips: the fewest turns or crossings on all boards of one width, by a sweep whose columns repeat.

Lemma 1 (a step is near) and Lemma 2 (one column after the other) say why one board of 2 margin + 1 columns is enough.
Cells and moves are named by their position relative to the next cell to be taken, so functions of states can be
compared wherever they are on the board.

The file
--------
Each entry of `strips` has a `claim`, and `column` and `period`: the k and p at which the costs repeat.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.board import Board
from kt_models.errors import CertificateError, KTError
from kt_models.graph import MoveGraph
from kt_models.json_values import integer
from kt_models.kernel.certificates.frontier.objective import costs_of
from kt_models.kernel.certificates.frontier.sweep import run, whole_sweep
from kt_models.kernel.sweeps.forms import GAIN
from kt_models.kernel.sweeps.net import net_of
from kt_models.kernel.sweeps.run import Layer
from kt_models.leaper import KNIGHT, Leaper
from kt_models.limits import NO_LIMITS, Limits
from kt_models.metrics import BOARD_METRICS
from kt_models.problem import Problem
from theorems.statement import document_of, leaper_of, tour_of

KIND = "strips"
# Limits on files. The number of states grows exponentially with the width and with the reach of the piece.
MAX_WIDTH, MAX_REACH, MAX_COLUMNS, MAX_STRIPS = 8, 4, 1000, 16
MAX_COST = 1 << 30
"""Cost of a state after many columns; 1,000 columns of the widest board cost far less."""
HUB = 1 << 14
"""Name of the hub of open tours, which has no position."""

StateRows = npt.NDArray[np.int16]


@dataclass(frozen=True)
class Strip:
    """The boards of one width, and the objective."""

    width: int
    metric: str
    closed: bool = True
    leaper: Leaper = KNIGHT

    @property
    def margin(self) -> int:
        """Most columns that a step looks away."""
        # Proved in Lemma 1: a step concerns vertices up to two moves away, on either side
        return 4 * self.leaper.b

    def problem(self, columns: int) -> Problem:
        """Tours of the board with a number of columns."""
        graph = MoveGraph.of(Board.box(columns, self.width), self.leaper)
        return Problem(graph, "cycle" if self.closed else "path", self.metric)

    def impossible(self, columns: int) -> bool:
        """Whether there is no closed tour because every move changes the colour and the number of cells is odd."""
        return self.closed and sum(self.leaper.offsets) % 2 == 1 and self.width * columns % 2 == 1


@dataclass(frozen=True)
class StripStatement:
    """The least values for all numbers of columns from `least` on.

    Parameters
    ----------
    strip
        The boards and the objective.
    least
        Least number of columns.
    values
        Least values for `least`, `least` + 1, ... columns; `None` where there is no tour.
    more
        Amount added whenever the columns increase by the number of values.
    """

    strip: Strip
    least: int
    values: tuple[int | None, ...]
    more: int

    def at(self, columns: int) -> int | None:
        """Least value for a number of columns, at least `least`; `None` where there is no tour."""
        rounds, place = divmod(columns - self.least, len(self.values))
        value = self.values[place]
        return None if value is None else value + rounds * self.more

    @property
    def text(self) -> str:
        """The statement in words, complete."""
        strip, period = self.strip, len(self.values)
        tour = tour_of(strip.leaper, strip.closed)
        numbers = ", ".join(
            f"{'none' if value is None else value} for n = {self.least + i}" for i, value in enumerate(self.values)
        )
        return (
            f"the fewest {strip.metric} of a{'' if strip.closed else 'n'} {tour} of a board {strip.width} x n are "
            f"{numbers}, and for every larger n {self.more} more than for n - {period}"
        )

    @classmethod
    def of(cls, strip: Strip, least: int, values: list[int | None], period: int, more: int) -> StripStatement | None:
        """The shortest statement about values that all grow by `more` in `period` columns; `None` if they do not."""
        for size in range(1, period + 1):
            rise, left = divmod(more * size, period)
            statement = cls(strip, least, tuple(values[:size]), rise)
            if not left and period % size == 0 and values == [statement.at(least + i) for i in range(len(values))]:
                return statement
        return None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class StateCosts:
    """Least cost of each state behind a column; `rows` has a row for each state."""

    rows: StateRows
    costs: npt.NDArray[np.int32]

    def sorted(self) -> StateCosts:
        """The same with the states in order."""
        whole = np.ascontiguousarray(self.rows)
        order = np.argsort(whole.view(np.dtype((np.void, whole.itemsize * whole.shape[1]))).ravel(), kind="stable")
        return StateCosts(whole[order], self.costs[order])

    def where(self, chosen: npt.NDArray[np.bool_]) -> StateCosts:
        """Some of the states."""
        return StateCosts(self.rows[chosen], self.costs[chosen])

    def above(self, before: StateCosts) -> npt.NDArray[np.int32] | None:
        """Each cost less that in an earlier front, both sorted; `None` if the fronts have different states."""
        if self.rows.shape != before.rows.shape or not len(self.costs) or (self.rows != before.rows).any():
            return None
        return self.costs - before.costs


class Columns:
    """Sweep of a board that has a margin on either side of one column."""

    def __init__(self, strip: Strip, limits: Limits = NO_LIMITS) -> None:
        self.strip, self.limits = strip, limits
        # One column with a full margin on either side: its steps are those of every inner column
        problem = strip.problem(2 * strip.margin + 1)
        board, _ = problem.graph.geometry
        net = net_of(problem)
        # Column by column, so that the state after a column has the same form as after the next
        order = np.lexsort([board.cells[:, 1], board.cells[:, 0]])
        self.costs = costs_of(net, problem.weights, limits=limits)
        self.sweep = whole_sweep(net, order, self.costs, largest=MAX_COST)
        self._place = np.full(net.n, HUB)
        self._place[order] = np.arange(len(order))
        self._here, self._next = strip.margin * strip.width, (strip.margin + 1) * strip.width
        # The entries of both states must mean the same cells and moves, one column on
        if self._frame(self._here) != self._frame(self._next):
            raise CertificateError("strips: the states behind one column and behind the next have different entries")

    @cached_property
    def constant(self) -> int:
        """Cost of each further column, whatever the tour does."""
        fewer, constant = (
            costs_of(net_of(problem), problem.weights).constant
            for problem in (self.strip.problem(2 * self.strip.margin + k) for k in (1, 2))
        )
        return constant - fewer

    def start(self) -> StateCosts:
        """States and costs after the first columns, as many as the margin."""
        return self._front(self._run(0, None, self._here), self._here)

    def column(self, front: StateCosts) -> StateCosts:
        """States and costs after one more column."""
        return self._front(self._run(self._here, self._layer(front, self._here), self._next), self._next)

    def close(self, front: StateCosts) -> int | None:
        """Least cost after the last columns, as many as the margin; `None` if there is no tour."""
        layer = self._run(self._next, self._layer(front, self._next), self.sweep.steps)
        return min((int(self._costs(rows).min()) for rows in layer.parts if len(rows)), default=None)

    def rise(self, first: StateCosts, last: StateCosts, period: int) -> int | None:
        """Cost of `period` more columns, for ever, if they lead from one front to another, both sorted (see 4).

        `None` if it is not shown.
        """
        more = last.above(first)
        if more is None:
            return None
        # States may grow at different rates: each level is followed by itself
        rise, levels = None, np.unique(more).tolist()
        for level in levels[:-1]:
            ends, left = self.ahead(first.where(more <= level), period)
            change = left.sorted().above(last.where(more <= level))
            if change is None or change.any():
                return None
            if rise is None and any(end is not None for end in ends):
                if ends != self.ahead(first, period)[0]:
                    return None
                rise = level
        return levels[-1] if rise is None else int(rise)

    def ahead(self, front: StateCosts, columns: int) -> tuple[list[int | None], StateCosts]:
        """Least costs of boards that end after the last columns, one column later, and so on; and the final front."""
        ends = []
        for _ in range(columns):
            ends.append(self.close(front))
            front = self.column(front)
        return ends, front

    def objective_value(self, columns: int, cost: int) -> int:
        """Objective value of a tour of a board, from its cost in this sweep."""
        return cost + self.costs.constant + (columns - 2 * self.strip.margin - 1) * self.constant

    def _run(self, begin: int, layer: Layer | None, end: int) -> Layer:
        def watch(step: int, now: Layer) -> Layer | None:
            return None if step + 1 == end else now

        return run(self.sweep, counting=False, limits=self.limits, watch=watch, begin=begin, layer=layer).layer

    def _costs(self, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.int32]:
        return self.sweep.costs(rows).astype(np.int32)

    def _alive(self, step: int) -> tuple[dict[int, int], list[tuple[int, int]]]:
        """Slots by vertex before a step, and remembered edges with their bits, each in a fixed order."""
        held = dict(self.sweep.plan.steps[step - 1].held)
        remembered = self.sweep.remembered
        edges = [(e, bit) for e, bit in remembered.bits.items() if remembered.decided[e] < step <= remembered.until[e]]
        slots = {v: held[v] for v in sorted(held, key=lambda v: self._name(v, step))}
        return slots, sorted(edges, key=lambda edge: self._ends(edge[0], step))

    def _name(self, vertex: int, step: int) -> int:
        place = int(self._place[vertex])
        return HUB if place == HUB else place - step

    def _ends(self, edge: int, step: int) -> tuple[int, int]:
        near = self.sweep.order[self.sweep.remembered.decided[edge]]
        u, v = self.sweep.net.ends[edge].tolist()
        return self._name(near, step), self._name(u + v - near, step)

    def _frame(self, step: int) -> tuple[list[int], list[tuple[int, int]]]:
        """The subjects of the entries of a state."""
        vertices, edges = self._alive(step)
        return [self._name(v, step) for v in vertices], [self._ends(e, step) for e, _ in edges]

    def _front(self, layer: Layer, step: int) -> StateCosts:
        sweep, (vertices, edges) = self.sweep, self._alive(step)
        table = np.ascontiguousarray(np.concatenate(layer.parts))
        codes = np.empty((len(table), sweep.plan.slots), dtype=np.int64)
        assert sweep.form.spell is not None, "a strip asks for tours"
        sweep.form.spell(table, sweep.form.layout(step), np.zeros(2 * GAIN, dtype=np.int64), codes)
        # Slots are renamed by position, so that states of different columns compare equal
        names = np.zeros(sweep.plan.slots + 2, dtype=np.int16)
        names[[-1, -2]] = -1, -2  # Untouched, and full
        names[list(vertices.values())] = [self._name(v, step) for v in vertices]
        rows = np.empty((len(table), len(vertices) + len(edges)), dtype=np.int16)
        rows[:, : len(vertices)] = names[codes[:, list(vertices.values())]]
        for k, (_, bit) in enumerate(edges, len(vertices)):
            rows[:, k] = (table[:, sweep.form.words + bit // 64] >> np.uint64(bit % 64)) & np.uint64(1)
        return StateCosts(rows, self._costs(table))

    def _layer(self, front: StateCosts, step: int) -> Layer:
        sweep, (vertices, edges) = self.sweep, self._alive(step)
        table = np.zeros((len(front.costs), sweep.key), dtype=np.uint64)
        codes = np.full((len(table), sweep.plan.slots), -1, dtype=np.int64)
        slot_of = np.zeros(HUB + 3, dtype=np.int64)
        slot_of[[-1, -2]] = -1, -2
        slot_of[[self._name(v, step) for v in vertices]] = list(vertices.values())
        codes[:, list(vertices.values())] = slot_of[front.rows[:, : len(vertices)]]
        assert sweep.form.compose is not None, "a strip asks for tours"
        sweep.form.compose(codes, sweep.form.layout(step), np.zeros(2 * GAIN, dtype=np.int64), table)
        for k, (_, bit) in enumerate(edges, len(vertices)):
            table[:, sweep.form.words + bit // 64] |= front.rows[:, k].astype(np.uint64) << np.uint64(bit % 64)
        table[:, -1] |= front.costs.astype(np.uint64) << np.uint64(self.sweep.cost_at)
        return Layer([table])


def check(data: Any, limits: Limits = NO_LIMITS) -> tuple[StripStatement, ...]:
    """Check the claims of a file, each from the problem alone (see `proof.md`).

    Raises
    ------
    CertificateError
        If a claim is not shown, or the data are malformed.
    TooLarge
        If a sweep would take more memory than it may.
    Stopped
        If a limit is reached.
    """
    data = document_of(data, KIND)
    entries = data.get("strips")
    if type(entries) is not list or not 1 <= len(entries) <= MAX_STRIPS:
        raise CertificateError(f"strips: 'strips' is not a list of 1 to {MAX_STRIPS} entries")
    statements = []
    for entry in entries:
        if type(entry) is not dict or set(entry) != {"claim", "column", "period"}:
            raise CertificateError("strips: an entry has 'claim', 'column' and 'period'")
        claim = read(entry["claim"])
        column = integer(entry["column"], "column", claim.strip.margin, MAX_COLUMNS)
        proved = periodic_statement(
            claim.strip, claim.least, column, integer(entry["period"], "period", 1, MAX_COLUMNS), limits
        )
        if proved != claim:
            raise CertificateError(f"strips: it claims that {claim}; what is shown is that {proved}")
        statements.append(claim)
    return tuple(statements)


def periodic_statement(
    strip: Strip, least: int, column: int, period: int, limits: Limits = NO_LIMITS
) -> StripStatement:
    """The statement about all boards with at least `least` columns, if the costs behind a column repeat after a period.

    Checks Lemma 3 (costs that repeat), Lemma 4 (several rates) and Lemma 5 (the fewest on the first boards).

    Raises
    ------
    CertificateError
        If they do not repeat, or the values on smaller boards do not agree with those on larger ones.
    """
    if least < 2 * strip.margin or column < strip.margin:
        raise CertificateError(f"strips: at least {2 * strip.margin} columns are needed")
    columns = Columns(strip, limits)
    front, first = columns.start(), None
    values: list[int | None] = []
    for k in range(strip.margin, max(column, least - strip.margin) + period):
        if k == column:
            first = front.sorted()
        n = k + strip.margin
        if n >= least:
            cost = None if strip.impossible(n) else columns.close(front)
            values.append(None if cost is None else columns.objective_value(n, cost))
        front = columns.column(front)
        if k + 1 == column + period:
            more = None if first is None else columns.rise(first, front.sorted(), period)
    if more is None:
        raise CertificateError(f"strips: the costs after {column} columns are not those after {column + period}")
    statement = StripStatement.of(strip, least, values, period, more + period * columns.constant)
    if statement is None:
        raise CertificateError(f"strips: the least values do not grow evenly from {least} columns on")
    return statement


def strip_of(problem: Problem) -> tuple[Strip, int] | None:
    """The strip of a rectangle and its number of columns; `None` if the problem is not about its tours."""
    board, leaper = problem.graph.board, problem.graph.leaper
    if board is None or leaper is None or not board.is_box or board.dimension != 2:
        return None
    if (
        problem.connectivity not in ("cycle", "path")
        or problem.objective not in BOARD_METRICS
        or len(leaper.offsets) != 2
    ):
        return None
    strip = Strip(min(board.shape), str(problem.objective), problem.closed, leaper)
    return (strip, max(board.shape)) if strip.width <= MAX_WIDTH and 1 <= leaper.b <= MAX_REACH else None


def bound(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> int:
    """The least value on a narrow board, from the `column` and the `period` of its strip.

    Given ends, moves and symmetries only leave fewer tours, so it is a bound for these, too.

    Raises
    ------
    CertificateError
        If the problem is not about a strip, the board is too short, or there is no tour at all.
    TooLarge, Stopped
        As for `check`.
    """
    strip_and_columns = strip_of(problem)
    if strip_and_columns is None:
        raise CertificateError("strip: this method needs the turns or crossings of tours of a narrow rectangle")
    strip, columns = strip_and_columns
    column = integer(data.get("column"), "column", strip.margin, MAX_COLUMNS)
    statement = periodic_statement(
        strip, column + strip.margin, column, integer(data.get("period"), "period", 1, MAX_COLUMNS), limits
    )
    value = statement.at(columns) if columns >= statement.least else None
    if value is None:
        raise CertificateError(f"strip: nothing is shown about {strip.width}x{columns}")
    return value


def read(claim: Any) -> StripStatement:
    """Read the statement of a claim of a file.

    Raises
    ------
    CertificateError
        If it makes no sense.
    """
    if type(claim) is not dict or set(claim) != {"width", "leaper", "closed", "metric", "least", "values", "more"}:
        raise CertificateError("strips: a claim has the wrong keys")
    values = claim["values"]
    if type(claim["leaper"]) is not str or type(claim["closed"]) is not bool or claim["metric"] not in BOARD_METRICS:
        raise CertificateError("strips: 'leaper', 'closed' or 'metric' is wrong")
    if type(values) is not list or not 1 <= len(values) <= MAX_COLUMNS:
        raise CertificateError(f"strips: 'values' is not a list of 1 to {MAX_COLUMNS} numbers")
    try:
        leaper = leaper_of(claim["leaper"])
    except KTError as error:
        raise CertificateError(f"strips: {error}") from None
    if len(leaper.offsets) != 2 or not 1 <= leaper.b <= MAX_REACH:
        raise CertificateError(f"strips: this method is not for the leaper {leaper}")
    strip = Strip(integer(claim["width"], "width", 1, MAX_WIDTH), claim["metric"], claim["closed"], leaper)
    return StripStatement(
        strip,
        integer(claim["least"], "least", 2 * strip.margin, MAX_COLUMNS),
        tuple(None if value is None else integer(value, "a value", 0, 1 << 40) for value in values),
        integer(claim["more"], "more", 0, 1 << 40),
    )


def claim_to_json(statement: StripStatement) -> dict[str, Any]:
    """The claim that `read` reads."""
    strip = statement.strip
    return {
        "width": strip.width,
        "leaper": str(strip.leaper),
        "closed": strip.closed,
        "metric": strip.metric,
        "least": statement.least,
        "values": list(statement.values),
        "more": statement.more,
    }
