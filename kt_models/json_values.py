"""Checks of the values in JSON files, by kind and range, for all readers.

JSON has one kind of number and Python three: `isinstance` takes a boolean for an `int`, and `1.0` equals `1`. Here only
integers are integers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

from kt_models.errors import CertificateError, KTError

if TYPE_CHECKING:
    from fractions import Fraction


def is_integer(value: Any) -> TypeGuard[int]:
    """Whether a value is an integer, and not a boolean or a float."""
    return type(value) is int


def is_boolean(value: Any) -> TypeGuard[bool]:
    """Whether a value is true or false."""
    return type(value) is bool


def is_number(value: Any) -> TypeGuard[int | float]:
    """Whether a value is an integer or a float, and not a boolean."""
    return type(value) is int or type(value) is float


def are_integers(values: Any, least: int | None = None, most: int | None = None) -> TypeGuard[list[int]]:
    """Whether a value is a list of integers, in a range if one is given."""
    if type(values) is not list or not all(map(is_integer, values)):
        return False
    return not values or ((least is None or min(values) >= least) and (most is None or max(values) <= most))


def integer(value: Any, name: str, least: int, most: int, fault: type[KTError] = CertificateError) -> int:
    """An integer in a range.

    Raises
    ------
    KTError
        If the value is not such an integer: an error of the class `fault`; the message begins with the name.
    """
    if not is_integer(value) or not least <= value <= most:
        text = f"{value:,}" if is_integer(value) and abs(value) < 10**30 else str(type(value).__name__)
        raise fault(f"{name}: {text} stands where an integer from {least:,} to {most:,} should")
    return value


def integers(values: Any, name: str, least: int, most: int, *, distinct: bool = False) -> list[int]:
    """A list of integers in a range, distinct on request."""
    if type(values) is not list:
        raise CertificateError(f"{name}: not a list of integers")
    for value in values:
        if not is_integer(value) or not least <= value <= most:
            integer(value, name, least, most)
    if distinct and len(set(values)) < len(values):
        raise CertificateError(f"{name}: a number is listed twice")
    return values


def rows(values: Any, name: str, width: int) -> list[list[Any]]:
    """A list of lists of one width."""
    if type(values) is not list or not all(type(row) is list and len(row) == width for row in values):
        raise CertificateError(f"{name}: not a list of lists of {width}")
    return values


def fraction(pair: Any, most: int) -> Fraction:
    """A fraction, written `[numerator, denominator]`, of integers up to `most`."""
    from fractions import Fraction  # Few files have fractions.

    if type(pair) is not list or len(pair) != 2:
        raise CertificateError("a fraction is [numerator, denominator]")
    return Fraction(integer(pair[0], "numerator", -most, most), integer(pair[1], "denominator", 1, most))
