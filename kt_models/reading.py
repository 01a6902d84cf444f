"""What stands in a JSON file, read with its kind and range: one place for all that reads one.

JSON knows one kind of number and Python three: a boolean is an `int` to `isinstance`, and `1.0` is equal to `1`.  Here
an integer is an integer.
"""

from __future__ import annotations

from typing import Any, TypeGuard

from kt_models.errors import KTError


def is_integer(value: Any) -> TypeGuard[int]:
    """Whether a value is an integer; a boolean or a float is none."""
    return type(value) is int


def is_number(value: Any) -> TypeGuard[int | float]:
    """Whether a value is an integer or a float; a boolean is none."""
    return type(value) is int or type(value) is float


def are_integers(values: Any, least: int | None = None, most: int | None = None) -> TypeGuard[list[int]]:
    """Whether a value is a list of integers, in a range if one is given."""
    if type(values) is not list or not all(map(is_integer, values)):
        return False
    return not values or ((least is None or min(values) >= least) and (most is None or max(values) <= most))


def whole_number(value: Any, what: str, least: int, most: int) -> int:
    """An integer in a range.

    Raises
    ------
    KTError
        Naming `what` it should have been.
    """
    if not is_integer(value) or not least <= value <= most:
        raise KTError(f"{what}: it is a whole number from {least:,} to {most:,}")
    return value
