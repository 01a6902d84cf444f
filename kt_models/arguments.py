"""Checks of arguments: one function for each kind of value, which raises one line if the value is of another kind.

Callers may pass anything, so nothing here trusts the `repr`, `len` or comparisons of a value.
"""

from __future__ import annotations

import inspect
import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.errors import MAX_PATH, KTError, TooLarge, excerpt

MAX_DIGITS = 30
"""Most digits of a whole number: Python refuses to print numbers of thousands of digits."""
MAX_ENTRIES = 1_600_000_000
"""Most numbers of an array: the coordinates of the largest board, 200 million cells, in eight dimensions."""
MAX_ITEMS = 50_000_000
"""Most items of a list or another iterable; without a limit, an endless iterable would fill the memory."""


def require(value: object, name: str, kinds: type | tuple[type, ...], wanted: str) -> None:
    """Refuse a value of another kind.

    Parameters
    ----------
    wanted
        What the argument may be, in words: `a Board`.

    Raises
    ------
    KTError
        The message says the name, what was wanted, and what was given.
    """
    if not isinstance(value, kinds):
        raise KTError(f"{name} must be {wanted}, got {excerpt(value)}")


def require_boolean(value: object, name: str) -> bool:
    """Require True or False; numbers are neither."""
    require(value, name, (bool, np.bool_), "True or False")
    return bool(value)


def require_text(value: Any, name: str, wanted: str = "a text") -> str:
    """Require a text."""
    require(value, name, str, wanted)
    return str(value)


def require_whole(value: Any, name: str, least: int | None = None, most: int | None = None) -> int:
    """Require a whole number, in a range if one is given; True and False do not count as numbers."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise KTError(f"{name} must be a whole number, got {excerpt(value)}")
    number = int(value)
    if abs(number) >= 10**MAX_DIGITS:
        raise KTError(f"{name} must be a whole number of at most {MAX_DIGITS} digits")
    if (least is not None and number < least) or (most is not None and number > most):
        span = f"at least {least:,}" if most is None else f"from {least:,} to {most:,}"
        raise KTError(f"{name} must be a whole number {span}, got {excerpt(number)}")
    return number


def exact_integer(value: Any, name: str, most: int) -> int:
    """Integer that equals a number, `3` or `3.0`, with an absolute value of at most `most`.

    Raises
    ------
    KTError
        If the value has another type, is a fraction, or is too large.
    """
    fraction = isinstance(value, Real) and not isinstance(value, bool | np.bool_) and not isinstance(value, Integral)
    if fraction and _is_finite(value) and value == int(value):
        value, fraction = int(value), False
    if isinstance(value, bool | np.bool_) or not isinstance(value, Integral) or abs(int(value)) > most:
        remedy = "; multiply all of them by a power of ten, or round them" if fraction else ""
        raise KTError(f"{name} must be an integer of at most {most:,}, got {excerpt(value)}{remedy}")
    return int(value)


def require_number(value: Any, name: str) -> float:
    """Require a number that is neither infinite nor NaN."""
    if isinstance(value, bool) or not isinstance(value, Real) or not _is_finite(value):
        raise KTError(f"{name} must be a number, got {excerpt(value)}")
    return float(value)


def _is_finite(value: Real) -> bool:
    """Whether a number is finite and in the range of a float."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def require_path(value: Any, name: str = "path") -> str:
    """Text of a path."""
    try:
        path = os.fspath(value)
    except TypeError:  # Not a path, or an object whose `__fspath__` gives none
        path = None
    if not isinstance(path, str):
        raise KTError(f"{name} must be a path, got {excerpt(value)}")
    if len(path) > MAX_PATH:
        raise KTError(f"{name} {excerpt(path)}: too long for the name of a file")
    return path


def require_items(values: Any, name: str, wanted: str) -> list[Any]:
    """Items of a list or another iterable, but not of a text or a dict."""
    if isinstance(values, str | bytes | Mapping):
        raise KTError(f"{name} must be {wanted}, got {excerpt(values)}")
    try:
        return items_of(values, name)
    except TypeError:
        raise KTError(f"{name} must be {wanted}, got {excerpt(values)}") from None


def items_of(values: Any, name: str) -> list[Any]:
    """All items of an iterable; one that is endless or announces too many items is refused.

    Raises
    ------
    TypeError
        If the value is not iterable.
    TooLarge
        If it has more than `MAX_ITEMS` entries.
    """
    long = isinstance(values, Sequence) and len(values) > MAX_ITEMS
    items = [] if long else list(islice(iter(values), MAX_ITEMS + 1))
    if long or len(items) > MAX_ITEMS:
        raise TooLarge(f"{name}: over the limit of {MAX_ITEMS:,} items")
    return items


def require_wholes(values: Any, name: str, width: int | None = None, wanted: str = "") -> npt.NDArray[np.int64]:
    """Whole numbers as an array of shape (n,), or rows of `width` of them as an array of shape (n, width).

    Parameters
    ----------
    wanted
        What the argument may be, in words.

    Raises
    ------
    KTError
        If an entry is not an integer, or does not fit into 64 bits.
    """
    if not wanted:
        wanted = "a list of whole numbers" if width is None else f"a list of rows of {width} whole numbers"
    dimensions = 1 if width is None else 2
    try:
        array = array_of(values if isinstance(values, np.ndarray) else require_items(values, name, wanted), name)
    except (TypeError, ValueError):  # Rows of different lengths
        raise KTError(f"{name} must be {wanted}, got {excerpt(values)}") from None
    if array.size == 0 and array.ndim <= dimensions:
        return np.zeros((0,) if width is None else (0, width), dtype=np.int64)
    fits = array.dtype.kind in "iu" and array.ndim == dimensions and (width is None or array.shape[1] == width)
    if not fits or (array.dtype.kind == "u" and array.max() > np.iinfo(np.int64).max):
        raise KTError(f"{name} must be {wanted}, got {excerpt(values)}")
    return array.astype(np.int64)


def array_of(values: Any, name: str) -> npt.NDArray[Any]:
    """Values as a NumPy array, a view where possible; raises NumPy's errors.

    Raises
    ------
    KTError
        If it is a masked array, whose hidden entries NumPy would show.
    TooLarge
        If there are more than `MAX_ENTRIES`.
    """
    # Looked up, not imported: loading numpy.ma takes a while, and before it there are no masked arrays.
    masked = sys.modules.get("numpy.ma")
    # Another thread may still be loading it.
    if isinstance(values, getattr(masked, "MaskedArray", ())):
        raise KTError(f"{name}: a masked array hides entries, got {excerpt(values)}")
    try:
        array = np.asarray(values)
    except MemoryError:
        raise TooLarge(f"{name}: larger than memory") from None
    if array.size > MAX_ENTRIES:
        raise TooLarge(f"{name}: {array.size:,} numbers, over the limit of {MAX_ENTRIES:,}")
    return array


def require_callable(function: Any, name: str, count: int, words: str) -> Callable[..., Any]:
    """Require a function that can be called with `count` arguments, before it is called.

    Parameters
    ----------
    words
        The arguments of the function, in words: `one argument, a report`.
    """
    if not callable(function):
        raise KTError(f"{name} must be a function of {words}, got {excerpt(function)}")
    try:
        inspect.signature(function).bind(*[None] * count)
    except ValueError:  # Some functions written in C have no signature
        if isinstance(function, type):
            raise KTError(f"{name} must be a function of {words}, got {excerpt(function)}") from None
    except TypeError:
        raise KTError(f"{name} must be a function of {words}; this one cannot be called so") from None
    return function
