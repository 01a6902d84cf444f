"""Slabs as files name them: bundles of lines, or places along the sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kt_models.errors import CertificateError
from kt_models.json_values import integer, integers, rows

MAX_STEPS, MAX_SLABS, MAX_BUNDLES, MAX_NUMBER = 40, 40, 20, 2**20
MAX_INFLATIONS = 100
"""Most boards with slabs of one family."""
GROWTHS = ((1, 0), (0, 1), (1, 1))
"""How often a step applies both growths of a family, by what repeats a slab: the first, the second, or both at once."""
BOTH = 2
"""The steps of squares."""
DIRECTIONS, SIDES = 3, 4
"""Directions of the lines of rectangles, and sides of a board."""


@dataclass(frozen=True)
class Bundle:
    """Consecutive lines of a direction, or consecutive places along a side, of which a step inserts a copy.

    Parameters
    ----------
    direction
        Direction of the lines, or the side: bottom, right, top, left.
    first
        Least number of a line, or the first column or row.
    lines
        Number of lines or places; negative if a step inserts their copy below them and not above.
    """

    direction: int
    first: int
    lines: int

    @property
    def end(self) -> int:
        """The number after the last one."""
        return self.first + len(self)

    @property
    def edge(self) -> int:
        """The least number of a line that moves up when the copy is inserted."""
        return self.end if self.lines > 0 else self.first

    def __len__(self) -> int:
        return abs(self.lines)

    def to_json(self) -> list[int]:
        """The three numbers that `read_bundles` reads."""
        return [self.direction, self.first, self.lines]


Bundles = tuple[Bundle, ...]


@dataclass(frozen=True)
class Slabs:
    """A board of a family, and slabs of it that steps repeat.

    Parameters
    ----------
    times
        The board: how often each growth is applied.
    bundles
        The slabs.
    growths
        Which of `GROWTHS` repeats each of them.
    along_sides
        Whether the bundles are places along the sides.
    """

    times: tuple[int, int]
    bundles: tuple[Bundles, ...] = ()
    growths: tuple[int, ...] = ()
    along_sides: bool = False

    @property
    def grows(self) -> tuple[int, ...]:
        """The growths that are named, in order."""
        return tuple(sorted({*self.growths}))

    def cover(self, times: Sequence[int]) -> bool:
        """Whether copies of the slabs lead to the board after some steps of each growth, if none repeats both."""
        steps = enumerate(zip(times, self.times, strict=True))
        return all(time >= least if growth in self.growths else time == least for growth, (time, least) in steps)

    def to_json(self) -> dict[str, Any]:
        """The JSON object that `read_inflations` reads."""
        key = "places" if self.along_sides else "lines"
        slabs = [
            {"growth": growth, key: [bundle.to_json() for bundle in bundles]}
            for growth, bundles in zip(self.growths, self.bundles, strict=True)
        ]
        return {"at": list(self.times), "slabs": slabs}


def read_inflations(data: dict[str, Any], least: int) -> tuple[Slabs, ...]:
    """Read the boards with slabs of a family: under `inflations`, or one square under `steps` and `slabs`.

    Parameters
    ----------
    least
        Fewest steps of a growth.

    Returns
    -------
    Nothing if the file names none.

    Raises
    ------
    CertificateError
        If the data are malformed.
    """
    if "inflations" not in data:
        if "slabs" not in data:
            return ()
        steps, slabs = read_square(data, DIRECTIONS)
        return (Slabs((steps, steps), slabs, (BOTH,) * len(slabs)),)
    boards = data["inflations"]
    if type(boards) is not list or not 1 <= len(boards) <= MAX_INFLATIONS:
        raise CertificateError(f"'inflations' is not a list of 1 to {MAX_INFLATIONS} boards")
    return tuple(_inflation(board, least) for board in boards)


def _inflation(data: Any, least: int) -> Slabs:
    slabs = data.get("slabs") if type(data) is dict else None
    if type(slabs) is not list or not 0 < len(slabs) <= MAX_SLABS or any(type(slab) is not dict for slab in slabs):
        raise CertificateError(f"an inflation is an object with a list of 1 to {MAX_SLABS} 'slabs', which are objects")
    times = integers(data.get("at"), "at", least, MAX_STEPS)
    if len(times) != 2:
        raise CertificateError("'at' of an inflation is two numbers of steps")
    along_sides = "places" in slabs[0]
    key, directions = ("places", SIDES) if along_sides else ("lines", DIRECTIONS)
    return Slabs(
        (times[0], times[1]),
        tuple(read_bundles(slab.get(key), directions) for slab in slabs),
        tuple(integer(slab.get("growth"), "growth", 0, BOTH) for slab in slabs),
        along_sides,
    )


def read_square(data: dict[str, Any], directions: int) -> tuple[int, tuple[Bundles, ...]]:
    """Read `steps` and `slabs`: which square has slabs, and two copies of each bundle, of which the second is meant.

    Raises
    ------
    CertificateError
        If the data are malformed.
    """
    steps, slabs = integer(data.get("steps"), "steps", 0, MAX_STEPS), data.get("slabs")
    if type(slabs) is not list or len(slabs) > MAX_SLABS:
        raise CertificateError(f"'slabs' is not a list of at most {MAX_SLABS} slabs")
    return steps, tuple(tuple(_second(bundle, 1) for bundle in read_bundles(slab, directions)) for slab in slabs)


def write_square(steps: int, slabs: Sequence[Bundles]) -> dict[str, Any]:
    """The shape of the answer of `read_square`."""
    return {"steps": steps, "slabs": [[_second(bundle, -1).to_json() for bundle in slab] for slab in slabs]}


def _second(bundle: Bundle, sign: int) -> Bundle:
    """The second of two copies; negative `lines` count downwards from `first`. Or the first, if the sign is -1."""
    by = bundle.lines if bundle.lines > 0 else 2 * bundle.lines + 1
    return Bundle(bundle.direction, bundle.first + sign * by, bundle.lines)


def read_bundles(data: Any, directions: int) -> Bundles:
    """Read a slab of a file: three numbers for each bundle, the first of them below the number of directions.

    Raises
    ------
    CertificateError
        If the data are malformed.
    """
    bundle_rows = rows(data, "a slab", 3)
    if len(bundle_rows) > MAX_BUNDLES:
        raise CertificateError(f"a slab has more than {MAX_BUNDLES} bundles")
    bundles = tuple(Bundle(*integers(row, "a bundle", -MAX_NUMBER, MAX_NUMBER)) for row in bundle_rows)
    if any(not 0 <= bundle.direction < directions or not bundle.lines for bundle in bundles):
        raise CertificateError(
            f"a bundle is a direction, 0 to {directions - 1}, a number, and how many lines, not none"
        )
    return bundles
