"""`Positions`: points of the vertices of a graph, exactly, as integers in one unit.

A position is a point in the plane or in space whose coordinates are rational. A float means its shortest decimal, as
Python prints it, so that the points 0.1, 0.2 and 0.3 are evenly spaced. A text means the number that it shows. All
coordinates are scaled to integers once, and the unit is kept, so that signs of determinants are exact.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import gcd, lcm
from numbers import Integral, Rational
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.errors import KTError, excerpt
from kt_models.json_values import is_integer

DIMENSIONS = (2, 3)
"""Numbers of coordinates that a position can have."""
MAX_EXPONENT = 400
"""Largest power of ten of a coordinate: floats have at most 324."""
MAX_BITS = 62
"""Most bits of coordinates that are stored as integers of the machine: their differences fit into 64 bits."""
MAX_INTEGER_BITS = 320
"""Most bits of a coordinate in the unit: the product of three differences is within the range of floats."""
MAX_PLAIN_DECIMALS = 60
"""Most decimals of numbers that are read together."""
TOO_FINE = "in one unit the coordinates have over 96 digits; round them"
_RATIONAL = re.compile(r"[+-]?(\d{1,400}/\d{1,400}|(\d{1,400}\.?\d{0,400}|\.\d{1,400})([eE][+-]?\d{1,3})?)", re.ASCII)

_SHORT = re.compile(r"[+-]?\d(\.\d{1,20})?[eE]-\d\d", re.ASCII)
_PLAIN = re.compile(r"[+-]?\d{1,40}(\.\d{0,60})?", re.ASCII)

CoordinateArray = npt.NDArray[Any]


def coordinate(value: Any, name: str = "a coordinate") -> Fraction:
    """The number that a value is: a float is its shortest decimal, a text what it shows.

    Raises
    ------
    KTError
        If it is not a number, or is NaN or infinite.

    Examples
    --------
    >>> coordinate(0.1), coordinate("1.50"), coordinate("1/3")
    (Fraction(1, 10), Fraction(3, 2), Fraction(1, 3))
    """
    from decimal import Decimal

    if isinstance(value, bool | np.bool_):
        raise KTError(f"{name} must be a number, got {excerpt(value)}")
    if isinstance(value, Integral):
        return Fraction(int(value))
    if isinstance(value, Rational):
        return Fraction(value)
    if isinstance(value, str):
        text = value.strip()
        if not _RATIONAL.fullmatch(text):
            raise KTError(f"{name} must be a number, got {excerpt(value)}")
        if "/" in text:
            over, under = text.split("/")
            if not int(under):
                raise KTError(f"{name} must be a number, got {excerpt(value)}")
            return Fraction(int(over), int(under))
        value = Decimal(text)
    elif isinstance(value, float | np.floating):
        # The text of a float of any precision is the shortest one that is read as this float.
        value = Decimal(str(value))
    elif not isinstance(value, Decimal):
        raise KTError(f"{name} must be a number, got {excerpt(value)}")
    if not value.is_finite():
        raise KTError(f"{name} must be a finite number, got {value}")
    if value and not -MAX_EXPONENT < value.adjusted() < MAX_EXPONENT:
        raise KTError(f"{name} is beyond what is read: {excerpt(str(value))}")
    return Fraction(value)


@dataclass(frozen=True, eq=False)
class Positions:
    """Points of vertices.

    Parameters
    ----------
    coordinates
        Integers in units of `unit`, shape (n, 2) or (n, 3); Python integers where 64 bits do not suffice.
    unit
        The number that 1 stands for: one divided by the least common denominator of all coordinates.
    precision
        The precision of lengths, a power of ten; None for a millionth of the largest extent.

    Examples
    --------
    >>> places = Positions.of([(0.1, 1), (0.25, 2)])
    >>> places.coordinates.tolist(), places.unit
    ([[2, 20], [5, 40]], Fraction(1, 20))
    """

    coordinates: CoordinateArray
    unit: Fraction = Fraction(1)
    precision: Fraction | None = None

    @classmethod
    def of(cls, rows: Sequence[Any] | npt.NDArray[Any], names: Any = None) -> Positions:
        """Positions from rows of coordinates of any numbers.

        Parameters
        ----------
        rows
            A row of two or three coordinates for each vertex.
        names
            Makes the name of a vertex from its number, for errors.

        Raises
        ------
        KTError
            If a coordinate is no finite number, or the rows have different lengths.
        """
        name = names or (lambda index: f"vertex {index}")
        if isinstance(rows, np.ndarray) and rows.dtype.kind in "iu" and rows.ndim == 2 and rows.shape[1] in DIMENSIONS:
            return cls._reduced(rows.tolist(), 1)
        points = [list(row) for row in rows]
        wide = {len(row) for row in points}
        if not points:
            raise KTError("positions: there are none")
        if len(wide) > 1:
            odd = next(index for index, row in enumerate(points) if len(row) != len(points[0]))
            raise KTError(
                f"positions: {name(odd)} has {len(points[odd])} coordinates, and {name(0)} has {len(points[0])}"
            )
        if not wide <= set(DIMENSIONS):
            raise KTError(f"positions: {name(0)} has {wide.pop()} coordinates; a position has two or three")
        if all(type(value) is int for value in chain.from_iterable(points)):
            return cls._reduced(points, 1)
        if (plain := _plain_decimals(points)) is not None:
            return cls._reduced(*plain)
        fractions = [
            [coordinate(value, f"a coordinate of {name(index)}") for value in row] for index, row in enumerate(points)
        ]
        common = lcm(*{value.denominator for value in chain.from_iterable(fractions)})
        if common.bit_length() > MAX_INTEGER_BITS:
            raise KTError(f"positions: {TOO_FINE}")
        return cls._reduced([[int(value * common) for value in row] for row in fractions], common)

    @classmethod
    def _reduced(cls, rows: list[list[int]], common: int) -> Positions:
        """Positions from integers and their common denominator, which has no more factors than it needs."""
        if common > 1:
            factor = gcd(common, *chain.from_iterable(rows))
            common, rows = common // factor, [[value // factor for value in row] for row in rows]
        return cls(_array(rows), Fraction(1, common))

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.coordinates)

    @property
    def dimension(self) -> int:
        """Number of coordinates of a point: 2 or 3."""
        return int(self.coordinates.shape[1])

    @cached_property
    def floats(self) -> npt.NDArray[np.float64]:
        """The points in the user's unit, rounded; for pictures and distances that need not be exact."""
        if self.coordinates.dtype == object:
            return np.array([[float(value * self.unit) for value in row] for row in self.coordinates.tolist()])
        floats: npt.NDArray[np.float64] = self.coordinates / float(self.unit.denominator)
        return floats

    @cached_property
    def centred(self) -> npt.NDArray[np.float64]:
        """The points around the first one, with the extent 1: far from the origin, floats lose their digits."""
        whole = self.coordinates - self.coordinates[0]
        extent = max(1, int(np.abs(whole).max()))
        if whole.dtype == object:
            return np.array([[value / extent for value in row] for row in whole.tolist()])
        return np.asarray(whole / extent, dtype=np.float64)

    @cached_property
    def extent(self) -> Fraction:
        """The largest difference of two coordinates on one axis, in the user's unit."""
        low, high = self.coordinates.min(axis=0).tolist(), self.coordinates.max(axis=0).tolist()
        return max(int(b) - int(a) for a, b in zip(low, high, strict=True)) * self.unit

    @cached_property
    def decimals(self) -> int:
        """Number of decimals of lengths: `precision` is `10**-decimals`."""
        if self.precision is not None:
            return _exponent(1 / self.precision)
        # The largest power of ten that is at most a millionth of the extent.
        return 6 - _exponent(self.extent) if self.extent else 0

    def with_precision(self, precision: Any) -> Positions:
        """The same points with a precision of lengths.

        Raises
        ------
        KTError
            If it is not a power of ten.
        """
        exact = coordinate(precision, "the precision")
        if exact <= 0 or Fraction(10) ** _exponent(exact) != exact:
            raise KTError(f"precision {excerpt(precision)}: it is a power of ten, such as 0.001 or 10")
        return replace(self, precision=exact)

    def taken(self, vertices: Any) -> Positions:
        """The positions of some vertices, in their order; lengths keep their precision."""
        precise = Fraction(1, 10**self.decimals) if self.decimals >= 0 else Fraction(10**-self.decimals)
        return replace(self, coordinates=self.coordinates[vertices], precision=precise)

    def point(self, vertex: int) -> tuple[Fraction, ...]:
        """The exact coordinates of a vertex."""
        return tuple(int(value) * self.unit for value in self.coordinates[vertex].tolist())

    def words(self, vertex: int) -> str:
        """The coordinates of a vertex in words."""
        return f"({', '.join(map(number_text, self.point(vertex)))})"

    @cached_property
    def _key(self) -> tuple[Any, ...]:
        return self.unit, self.precision, tuple(map(tuple, self.coordinates.tolist()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Positions) and (self is other or self._key == other._key)

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"Positions({self.n:,} points, {self.dimension}-dimensional, unit {self.unit})"

    # -- files -----------------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """The key `positions`, rows of integers; `unit` and `precision`, as texts, if they are not the usual ones."""
        data: dict[str, Any] = {"positions": self.coordinates.tolist()}
        if self.unit != 1:
            data["unit"] = str(self.unit)
        if self.precision is not None:
            data["precision"] = str(self.precision)
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any], n: int) -> Positions | None:
        """The positions of a JSON object with `n` vertices; None if it has none. CoordinateArray may be decimals.

        Raises
        ------
        KTError
            If they are of the wrong type or number.
        """
        if "positions" not in data:
            if odd := next((key for key in ("unit", "precision") if key in data), None):
                raise KTError(f"it has {odd!r}, and no 'positions'")
            return None
        rows = data["positions"]
        if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows) or len(rows) != n:
            raise KTError(f"'positions' is not a list of coordinates of {n:,} vertices")
        for row in rows:
            if not all(is_integer(value) or type(value) is float for value in row):
                raise KTError("'positions' has a coordinate that is not a number")
        unit = data.get("unit", "1")
        if not isinstance(unit, str | int) or coordinate(unit, "'unit'") <= 0:
            raise KTError("'unit' is not a number above 0, as a text such as '1/100'")
        places = cls.of(rows)
        scale = coordinate(unit, "'unit'") * places.unit
        if scale != 1:
            scaled = [[value * scale.numerator for value in row] for row in places.coordinates.tolist()]
            places = cls._reduced(scaled, scale.denominator)
        if "precision" not in data:
            return places
        if not isinstance(data["precision"], str | int | float):
            raise KTError("'precision' is not a number")
        return places.with_precision(data["precision"])


def _plain_decimals(rows: list[list[Any]]) -> tuple[list[list[int]], int] | None:
    """Integers, floats and texts of decimals as integers and their common denominator.

    It is `coordinate` of each in a tenth of the time; None if one of them is anything else.
    """
    from decimal import Decimal

    width, kinds = len(rows[0]), {*map(type, chain.from_iterable(rows))}
    if not kinds <= {int, float, str}:
        return None
    values = chain.from_iterable(rows)
    texts = [value if type(value) is str else repr(value) for value in values]
    # A float below a ten-thousandth has an exponent.
    texts = [f"{Decimal(text):f}" if _SHORT.fullmatch(text) else text for text in texts]
    if not all(map(_PLAIN.fullmatch, texts)):
        return None
    parts = [text.partition(".") for text in texts]
    most = max(len(part) for _, _, part in parts)
    if most > MAX_PLAIN_DECIMALS:
        return None
    whole = [int(head + part + "0" * (most - len(part))) for head, _, part in parts]
    return [whole[at : at + width] for at in range(0, len(whole), width)], 10**most


def _array(rows: list[list[int]]) -> CoordinateArray:
    """Rows of integers, as integers of 64 bits if they and their differences fit."""
    most = max(map(abs, chain.from_iterable(rows)), default=0)
    if most.bit_length() > MAX_INTEGER_BITS:
        raise KTError(f"positions: {TOO_FINE}")
    array = np.array(rows, dtype=np.int64 if most.bit_length() <= MAX_BITS else object)
    array.setflags(write=False)
    return array


def _exponent(number: Fraction) -> int:
    """The largest k with 10**k at most the number."""
    k = len(str(number.numerator)) - len(str(number.denominator))
    while Fraction(10) ** k > number:
        k -= 1
    while Fraction(10) ** (k + 1) <= number:
        k += 1
    return k


def number_text(number: Fraction) -> str:
    """A rational number as a decimal, if it is one, otherwise as a fraction."""
    rest, places = number.denominator, 0
    while rest % 10 == 0:
        rest, places = rest // 10, places + 1
    for factor in (2, 5):
        while rest % factor == 0:
            rest, places = rest // factor, places + 1
    if rest != 1:
        return str(number)
    whole, part = divmod(abs(number.numerator) * 10**places // number.denominator, 10**places)
    digits = f"{part:0{places}}".rstrip("0") if places else ""
    return f"{'-' if number < 0 else ''}{whole}{'.' if digits else ''}{digits}"
