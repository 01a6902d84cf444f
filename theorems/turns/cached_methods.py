"""Methods whose results are kept as long as their object is."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from types import MethodType
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")


def cached_method(method: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """A method that finds what it gives once for each object and all arguments.

    With `functools.cache` alone the objects, and all that is found for them, would stay for ever.
    """
    found = cached_property(lambda own: cache(MethodType(method, own)))
    return cast(Callable[Concatenate[Any, P], R], found)
