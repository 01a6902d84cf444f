"""Decimals of users as integers in a unit that is a power of ten, exactly, and such integers as decimals again.

Weights and lengths are integers inside kt, so that everything that is claimed of their sums is exact. Users give
decimals: `scaled` multiplies them by the least power of ten that makes all of them integers. A float means its
shortest decimal, as Python prints it: 0.1 is a tenth. The integers have at most 15 digits, so that floats are read as
the decimals that users mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Integral, Number, Rational
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.errors import KTError, excerpt

if TYPE_CHECKING:
    from fractions import Fraction

MAX_WEIGHT = 10**15
"""Largest absolute value of a weight in input, before it is scaled and after: the sum of 9,000 of them fits into 64
bits, and floats tell decimals of 15 digits apart."""
MAX_DECIMALS = 22
"""Most decimals: powers of ten up to this one are exact as floats."""
WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
"""An integer in a text."""
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
"""A decimal number in a text."""
_POWERS = [10**decimals for decimals in range(MAX_DECIMALS + 1)]


class Scaled(NamedTuple):
    """Decimals as integers: number i is `integers[i] / 10**decimals`, and `decimals` is as small as possible."""

    integers: npt.NDArray[np.int64]
    decimals: int


def scaled(values: Sequence[Any] | npt.NDArray[Any], name: Callable[[int], str] = "number {}".format) -> Scaled:
    """Decimals as integers in one unit.

    Parameters
    ----------
    values
        Integers, floats, `Decimal`, fractions, and numbers of NumPy, shape (p,).
    name
        Makes the name of a number from its index, for errors: `the weight of the edge 1-2`.

    Raises
    ------
    KTError
        If one is not a number, is NaN or infinite, or is not a decimal, such as 1/3; or if one of the integers is over
        `MAX_WEIGHT`.

    Examples
    --------
    >>> integers, decimals = scaled([0.1, 2, 3.25])
    >>> integers.tolist(), decimals
    ([10, 200, 325], 2)
    """
    array = np.array(values) if type(values) is list and {*map(type, values)} <= {int} else values
    if isinstance(array, np.ndarray) and (array.dtype.kind in "iu" or array.dtype == np.float64):
        together = _scaled_array(array)
        if together is not None:
            return together
    # One by one, also to name the first number that cannot be read
    numbers = [exact(value, name(index)) for index, value in enumerate(values)]
    places = [_decimals_of(number) for number in numbers]
    decimals = max(places, default=0)
    integers = [int(number * _POWERS[decimals]) for number in numbers]
    if max(map(abs, integers), default=0) > MAX_WEIGHT:
        most, index = max(map(abs, numbers)), places.index(decimals)
        raise KTError(
            f"{name(index)} is {_text(values[index])}, and another number is as large as {int(most):,}: in one unit "
            f"they have over 15 digits; round them, for instance to {_room(most)} decimals"
        )
    return Scaled(np.array(integers, dtype=np.int64), decimals)


def _scaled_array(values: npt.NDArray[Any]) -> Scaled | None:
    """The same for integers or floats at once; `None` if one of them cannot be read."""
    if values.dtype.kind in "iu":
        fits = not len(values) or (int(values.max()) <= MAX_WEIGHT and int(values.min()) >= -MAX_WEIGHT)
        return Scaled(values.astype(np.int64), 0) if fits else None
    if not np.isfinite(values).all():
        return None
    left = values
    for decimals in range(MAX_DECIMALS + 1):
        # At most one decimal of 15 digits is nearest to a float, and then it is the shortest one
        integers = np.rint(left * 10.0**decimals)
        left = left[(np.abs(integers) > MAX_WEIGHT) | (integers / 10.0**decimals != left)]
        if not len(left):
            integers = np.rint(values * 10.0**decimals)
            fits = np.abs(integers).max(initial=0) <= MAX_WEIGHT
            return Scaled(integers.astype(np.int64), decimals) if fits else None
    return None


def is_decimal(value: Any) -> bool:
    """Whether a value is of a type that `scaled` reads."""
    from decimal import Decimal  # Only decimals need it.

    return isinstance(value, Rational | float | np.floating | Decimal) and not isinstance(value, bool | np.bool_)


def exact(value: Any, name: str = "a number") -> Fraction:
    """The number that a value is; a float is its shortest decimal.

    Raises
    ------
    KTError
        As `scaled` does, of one number.
    """
    from decimal import Decimal  # Only decimals need these.
    from fractions import Fraction

    if not is_decimal(value):
        raise KTError(f"{name} must be a number, got {excerpt(value)}")
    if isinstance(value, Integral):
        number = Fraction(int(value))
    elif isinstance(value, Rational):
        number = Fraction(value)
    else:
        # `str` of a float of any precision is the shortest text that is read as this float
        decimal = value if isinstance(value, Decimal) else Decimal(str(value))
        if not decimal.is_finite():
            raise KTError(f"{name} must be a finite number, got {_text(value)}")
        # Before a fraction is made: its integers could have a billion digits
        if decimal and not -2 * MAX_DECIMALS < decimal.adjusted() < 2 * MAX_DECIMALS:
            raise _out_of_range(value, name)
        number = Fraction(decimal)
    if abs(number) > MAX_WEIGHT or _POWERS[-1] % number.denominator:
        raise _out_of_range(value, name)
    if abs(number.numerator) > MAX_WEIGHT:
        raise KTError(
            f"{name} is {_text(value)}, which has over 15 digits; round it, for instance to {_room(number)} decimals"
        )
    return number


def _out_of_range(value: Any, name: str) -> KTError:
    return KTError(
        f"{name} must be a decimal of at most {MAX_WEIGHT:,} with at most {MAX_DECIMALS} decimals, got {_text(value)}"
    )


def _text(value: Any) -> str:
    """A number for a message; an integer or a fraction may have any number of digits."""
    return str(value)[:40] if isinstance(value, Number) and not isinstance(value, Rational) else excerpt(value)


def _decimals_of(number: Fraction) -> int:
    """Number of decimals of a fraction that is a decimal."""
    return next(decimals for decimals, power in enumerate(_POWERS) if power % number.denominator == 0)


def _room(number: Fraction) -> int:
    """A number of decimals that numbers up to this one may have: their sums have room for a thousand more."""
    return max(0, 12 - len(str(int(abs(number)))))


# -- what users see ----------------------------------------------------------------------------------------------------


def in_unit(integer: int, decimals: int) -> int | float:
    """The number that an integer stands for: an integer if it is one, otherwise a float.

    >>> in_unit(325, 2), in_unit(300, 2)
    (3.25, 3)
    """
    whole, rest = divmod(integer, 10**decimals)
    # Python divides integers of any size with one rounding, so that the float is the nearest to the decimal
    return integer / 10**decimals if rest else whole


def decimal_words(integer: int, decimals: int = 0) -> str:
    """The number that an integer stands for, with all its digits.

    >>> decimal_words(12345, 1), decimal_words(-70, 1)
    ('1,234.5', '-7')
    """
    whole, rest = divmod(abs(integer), 10**decimals)
    digits = f"{rest:0{decimals}}".rstrip("0") if rest else ""
    return f"{'-' if integer < 0 else ''}{whole:,}{'.' if digits else ''}{digits}"


@dataclass(frozen=True)
class Unit:
    """How an integer that is minimised inside kt, a *cost*, and a value that users see are converted into each other.

    Parameters
    ----------
    decimals
        Number of decimals of values; a cost of 1 is the last of them.
    maximised
        Whether users asked for the greatest value: the cost is then its negative.
    offset
        What every value has beside the cost, in units of its last decimal.

    Examples
    --------
    >>> unit = Unit(decimals=1, maximised=True)
    >>> unit.value(-125), unit.cost(12.5), unit.words(-125)
    (12.5, -125, '12.5')
    """

    decimals: int = 0
    maximised: bool = False
    offset: int = 0

    def value(self, cost: int | None) -> Any:
        """The value of a cost, an integer if it is one and otherwise a float; `None` of None."""
        if cost is None:
            return None
        return in_unit(self._seen(cost), self.decimals)

    def _seen(self, cost: int) -> int:
        """The integer that users see behind their decimal point."""
        return (-int(cost) if self.maximised else int(cost)) + self.offset

    def cost(self, value: Any, name: str = "value") -> Any:
        """The cost of a value; `None` of None.

        Raises
        ------
        KTError
            If it is no number, or has too many decimals.
        """
        if value is None:
            return None
        if isinstance(value, int | np.integer) and not self.decimals and not isinstance(value, bool):
            return self.offset - int(value) if self.maximised else int(value) - self.offset
        scaled_value = exact(value, name) * 10**self.decimals
        if scaled_value.denominator > 1:
            decimals = f"{self.decimals} decimal{'s' * (self.decimals > 1)}" if self.decimals else "no decimals"
            raise KTError(f"{name} must be a number with {decimals}, got {_text(value)}")
        seen = scaled_value.numerator
        return self.offset - seen if self.maximised else seen - self.offset

    def words(self, cost: int) -> str:
        """The value of a cost with all its digits."""
        return decimal_words(self._seen(cost), self.decimals)

    def gap(self, cost: int, bound: int) -> Any:
        """The difference between a cost and a bound, as users see it."""
        return in_unit(int(cost) - int(bound), self.decimals)


PLAIN = Unit()
"""The unit of integers that are minimised."""


def number_in(text: str | None) -> Any:
    """The number that a text is, exactly; any other text as it is."""
    word = (text or "").strip()
    if WHOLE.fullmatch(word):
        return int(word)
    from decimal import Decimal  # Only decimals need it.

    return Decimal(word) if NUMBER.fullmatch(word) else text
