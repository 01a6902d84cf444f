"""What functions and constructors ask of their arguments: one check for each kind, with one line where it fails.

Callers may give anything, so nothing here trusts `repr`, `len` or a comparison of theirs.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.errors import KTError, excerpt


def require(value: object, what: str, kinds: type | tuple[type, ...], wanted: str) -> None:
    """Refuse a value of another kind.

    Parameters
    ----------
    wanted
        What may stand there, in words: `a Board`.

    Raises
    ------
    KTError
        Naming `what` it is, what was wanted, and what was given.
    """
    if not isinstance(value, kinds):
        raise KTError(f"{what} must be {wanted}, got {excerpt(value)}")


def require_boolean(value: object, what: str) -> bool:
    """True or False; numbers are neither."""
    require(value, what, (bool, np.bool_), "True or False")
    return bool(value)


def require_text(value: Any, what: str, wanted: str = "a text") -> str:
    """A text."""
    require(value, what, str, wanted)
    return str(value)


def require_whole(value: Any, what: str, least: int | None = None, most: int | None = None) -> int:
    """A whole number, in a range if one is given; True and False are none."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise KTError(f"{what} must be a whole number, got {excerpt(value)}")
    number = int(value)
    if (least is not None and number < least) or (most is not None and number > most):
        span = f"at least {least:,}" if most is None else f"from {least:,} to {most:,}"
        raise KTError(f"{what} must be a whole number {span}, got {excerpt(number)}")
    return number


def exact_integer(value: Any, what: str, most: int) -> int:
    """An integer that a number is equal to, `3` or `3.0`, of at most that absolute value.

    Raises
    ------
    KTError
        If it is another kind of value, a fraction, or too large.
    """
    fraction = isinstance(value, Real) and not isinstance(value, bool | np.bool_) and not isinstance(value, Integral)
    if fraction and math.isfinite(value) and value == int(value):
        value, fraction = int(value), False
    if isinstance(value, bool | np.bool_) or not isinstance(value, Integral) or abs(int(value)) > most:
        how = "; multiply all of them by a power of ten, or round them" if fraction else ""
        raise KTError(f"{what} must be an integer of at most {most:,}, got {excerpt(value)}{how}")
    return int(value)


def require_number(value: Any, what: str) -> float:
    """A number that is not infinite and not NaN."""
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise KTError(f"{what} must be a number, got {excerpt(value)}")
    return float(value)


def require_items(values: Any, what: str, wanted: str) -> list[Any]:
    """What a list, or anything else that can be gone through, holds; a text or a dict is none."""
    if isinstance(values, str | bytes | Mapping):
        raise KTError(f"{what} must be {wanted}, got {excerpt(values)}")
    try:
        items = iter(values)
    except TypeError:
        raise KTError(f"{what} must be {wanted}, got {excerpt(values)}") from None
    return list(items)


def require_wholes(values: Any, what: str, width: int | None = None, wanted: str = "") -> npt.NDArray[np.int64]:
    """Whole numbers as an array of shape (n,), or rows of `width` of them as one of shape (n, width).

    Parameters
    ----------
    wanted
        What may stand there, in words.

    Raises
    ------
    KTError
        If they are something else, or one does not fit into 64 bits.
    """
    if not wanted:
        wanted = "a list of whole numbers" if width is None else f"a list of rows of {width} whole numbers"
    dimensions = 1 if width is None else 2
    try:
        array = values if isinstance(values, np.ndarray) else np.array(require_items(values, what, wanted))
    except (TypeError, ValueError):  # rows of several lengths
        raise KTError(f"{what} must be {wanted}, got {excerpt(values)}") from None
    if array.size == 0 and array.ndim <= dimensions:
        return np.zeros((0,) if width is None else (0, width), dtype=np.int64)
    fits = array.dtype.kind in "iu" and array.ndim == dimensions and (width is None or array.shape[1] == width)
    if not fits or (array.dtype.kind == "u" and array.max() > np.iinfo(np.int64).max):
        raise KTError(f"{what} must be {wanted}, got {excerpt(values)}")
    return array.astype(np.int64)


def require_callable(function: Any, what: str, count: int, words: str) -> Callable[..., Any]:
    """A function that can be called with so many arguments; that is known before it is called.

    Parameters
    ----------
    words
        What it is called with: `one argument, a report`.
    """
    if not callable(function):
        raise KTError(f"{what} must be a function of {words}, got {excerpt(function)}")
    try:
        inspect.signature(function).bind(*[None] * count)
    except ValueError:  # some functions written in C do not say what they take
        pass
    except TypeError:
        raise KTError(f"{what} must be a function of {words}; this one cannot be called so") from None
    return function
