"""A *family*: one small closed tour, the seed, and the columns and rows of it that may be repeated.

The seed is given by the two moves at each cell.  A *zone* of columns is a run of neighbouring columns; it may be
repeated where the two columns before it carry the same moves, in every row, as its own last two.  Zones of rows
likewise.  A larger board is the seed with zones repeated: cell (x, y) has the two moves of seed cell (fx(x), fy(y)),
where fx and fy name the column and the row that is repeated there.

Why these moves fit together.  Repeating a zone once more changes the row of columns ... p q | zone | ... into
... p q | zone | zone | ...; the zone's last two columns look like p q.  So any three neighbouring columns of the larger
board look like three neighbouring columns of the seed, and a knight reaches no farther; the same for rows.  Whenever
one cell has a move to another, a pair of seed cells that look the same has it too, so the other has it back.  Hence
the larger board has two moves at each cell.  For the same reason a zone that is there once may be left out.  Whether
all moves are one cycle is another matter: see `heuristics.strands.proof`.

How zones grow together is said by *growths*: each names how many columns and rows it adds to every zone.  A board of
w x h cells belongs to the family if it is the seed with some growths, each a whole number of times.  One growth that
adds as many columns as rows makes a family of squares; two make rectangles.
"""

from __future__ import annotations

import itertools
import string
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.errors import KTError

MOVES = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
"""The knight's moves, clockwise; move k + 4 (modulo 8) undoes move k."""
PAIRS = tuple(itertools.combinations(range(8), 2))
"""The two moves at a cell, by code."""
LINE = PAIRS.index((2, 6))
"""The code of a *line cell*, with the moves (2, -1) and (-2, 1)."""
LETTERS = string.ascii_letters[: len(PAIRS)]
"""How a code is written in a file."""
REACH = 2
"""How far a knight's move goes along an axis."""

Codes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Zone:
    """Neighbouring columns, or rows, `start` to `start + period - 1` of the seed."""

    start: int
    period: int

    @property
    def end(self) -> int:
        return self.start + self.period


@dataclass(frozen=True)
class Growth:
    """Columns added to each zone of columns, and rows to each zone of rows, in one step; `least` steps or more."""

    columns: tuple[int, ...]
    rows: tuple[int, ...]
    least: int = 0


@dataclass(frozen=True, eq=False)
class Family:
    """A seed, its zones, and how they grow.  That the zones may be repeated is checked when it is made.

    Parameters
    ----------
    codes
        The two moves at each cell of the seed, as an index into `PAIRS`: shape (width, height), by x and y.
    columns, rows
        The zones, from left to right and from the bottom up.
    growths
        One or two, in different directions.

    Raises
    ------
    KTError
        If the moves do not fit together, a zone may not be repeated, or the growths make no sense.
    """

    codes: Codes
    columns: tuple[Zone, ...]
    rows: tuple[Zone, ...]
    growths: tuple[Growth, ...]

    def __post_init__(self) -> None:
        check_codes(self.codes)
        for zones, codes in ((self.columns, self.codes), (self.rows, self.codes.T)):
            _check_zones(zones, codes)
        if not self.columns or not self.rows:
            raise KTError("a family has a zone of columns and a zone of rows")
        if not 1 <= len(self.growths) <= 2:
            raise KTError("a family has one growth or two")
        for growth in self.growths:
            if len(growth.columns) != len(self.columns) or len(growth.rows) != len(self.rows):
                raise KTError("a growth names columns and rows for every zone")
            for zone, added in zip(self.columns + self.rows, growth.columns + growth.rows, strict=True):
                if added % zone.period:
                    raise KTError("a growth adds whole periods")
        if np.linalg.matrix_rank(self._steps) < len(self.growths):
            raise KTError("the growths of a family are not independent")

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the seed."""
        return self.codes.shape[0], self.codes.shape[1]

    @property
    def zoned(self) -> tuple[int, int, int, int]:
        """First column of the first zone, and the one after the last zone; the same of rows."""
        return self.columns[0].start, self.columns[-1].end, self.rows[0].start, self.rows[-1].end

    @cached_property
    def _steps(self) -> Ints:
        """Columns and rows that each growth adds: shape (growths, 2)."""
        return np.array([(sum(growth.columns), sum(growth.rows)) for growth in self.growths], dtype=np.int64)

    def times(self, width: int, height: int) -> tuple[int, ...] | None:
        """How often each growth is applied to reach a size; None if the board is not of this family."""
        wanted = np.array([width, height]) - self.size
        found, *_ = np.linalg.lstsq(self._steps.T.astype(float), wanted.astype(float), rcond=None)
        times = np.rint(found).astype(np.int64)
        if (times @ self._steps != wanted).any() or any(
            k < growth.least for k, growth in zip(times.tolist(), self.growths, strict=True)
        ):
            return None
        columns, rows = self.added(times.tolist())
        pairs = zip(self.columns + self.rows, columns + rows, strict=True)
        return tuple(times.tolist()) if all(added >= -zone.period for zone, added in pairs) else None

    def grown(self, times: Sequence[int]) -> tuple[int, int]:
        """Width and height after applying each growth so often."""
        width, height = (np.array(self.size) + np.array(times) @ self._steps).tolist()
        return width, height

    def added(self, times: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Columns and rows added to every zone."""
        columns, rows = (
            tuple(
                sum(k * getattr(growth, axis)[i] for k, growth in zip(times, self.growths, strict=True))
                for i in range(len(zones))
            )
            for axis, zones in (("columns", self.columns), ("rows", self.rows))
        )
        return columns, rows

    def sources(self, times: Sequence[int]) -> tuple[Ints, Ints]:
        """The seed's column for every column of the larger board (fx), and the row for every row (fy)."""
        width, height = self.grown(times)
        columns, rows = self.added(times)
        return sources(np.arange(width), self.columns, columns), sources(np.arange(height), self.rows, rows)

    def codes_at(self, times: Sequence[int], cells: Ints) -> Codes:
        """The two moves at cells of the larger board, shape (m, 2): constant time for each, whatever the board."""
        columns, rows = self.added(times)
        return self.codes[sources(cells[:, 0], self.columns, columns), sources(cells[:, 1], self.rows, rows)]

    def interior(self, times: Sequence[int]) -> tuple[int, int, int, int]:
        """Columns from and up to, rows from and up to which there are line cells alone; nothing if there are others."""
        left, right, low, high = self.zoned
        if not (self.codes[left:right, low:high] == LINE).all():
            return 0, 0, 0, 0
        width, height = self.grown(times)
        return left, right + width - self.size[0], low, high + height - self.size[1]

    def board_codes(self, times: Sequence[int]) -> Codes:
        """The two moves at each cell of the larger board."""
        return self.codes[np.ix_(*self.sources(times))]

    def to_json(self) -> dict[str, Any]:
        """The keys of a family in a file; rows of the seed from the bottom up, a letter for each cell."""
        letters = np.array(list(LETTERS))
        return {
            "seed": ["".join(letters[row]) for row in self.codes.T],
            "columns": [[zone.start, zone.period] for zone in self.columns],
            "rows": [[zone.start, zone.period] for zone in self.rows],
            "growths": [
                {"columns": list(g.columns), "rows": list(g.rows), **({"least": g.least} if g.least else {})}
                for g in self.growths
            ],
        }

    @classmethod
    def from_json(cls, data: Any) -> Family:
        """The family of a JSON object.

        Raises
        ------
        KTError
            If it is none.
        """
        try:
            rows = [[LETTERS.index(letter) for letter in row] for row in data["seed"]]
            codes = np.array(rows, dtype=np.uint8).T
            columns, own_rows = (tuple(Zone(*map(int, zone)) for zone in data[key]) for key in ("columns", "rows"))
            growths = tuple(
                Growth(tuple(map(int, g["columns"])), tuple(map(int, g["rows"])), int(g.get("least", 0)))
                for g in data["growths"]
            )
        except (KeyError, TypeError, ValueError) as error:
            raise KTError(f"not a family of strands tours: {error}") from None
        return cls(codes, columns, own_rows, growths)


def sources(at: Ints, zones: Sequence[Zone], added: Sequence[int]) -> Ints:
    """The seed's columns that are at columns of a board: `added` columns more of each zone, or its own fewer.

    The number of operations for each column does not depend on the board.
    """
    found, moved = at.copy(), 0
    for zone, more in zip(zones, added, strict=True):
        begin, end = zone.start + moved, zone.end + moved + more
        found = np.where((at >= begin) & (at < end), zone.start + (at - begin) % zone.period, found)
        moved += more
        found = np.where(at >= end, at - moved, found)
    return found


def check_codes(codes: Codes) -> None:
    """Check that every move leads to a cell of the board that has it back.

    Raises
    ------
    KTError
        Naming a cell whose move does not.
    """
    if codes.ndim != 2 or min(codes.shape) < 3 or codes.max() >= len(PAIRS):
        raise KTError("the moves at the cells are not a table of codes")
    has = np.zeros((8, *codes.shape), dtype=bool)
    for move in range(8):
        has[move] = np.isin(codes, [code for code, pair in enumerate(PAIRS) if move in pair])
    width, height = codes.shape
    for move, (dx, dy) in enumerate(MOVES):
        back = np.zeros_like(has[move])
        to = has[(move + 4) % 8]
        x, y = max(0, -dx), max(0, -dy)
        u, v = width - max(0, dx), height - max(0, dy)
        back[x:u, y:v] = to[x + dx : u + dx, y + dy : v + dy]
        if (wrong := np.argwhere(has[move] & ~back)).size:
            raise KTError(f"the move {dx},{dy} of cell {tuple(wrong[0].tolist())} leads to no cell that has it back")


def _check_zones(zones: Sequence[Zone], codes: Codes) -> None:
    at = REACH
    for zone in zones:
        if zone.period < 1 or zone.start < at or zone.end > len(codes) - REACH:
            raise KTError(f"zone {zone.start} to {zone.end - 1} is not inside the seed, or meets the one before")
        at = zone.end
        if not np.array_equal(codes[zone.start - REACH : zone.start], codes[zone.end - REACH : zone.end]):
            raise KTError(f"zone {zone.start} to {zone.end - 1} may not be repeated: what is before it looks different")
