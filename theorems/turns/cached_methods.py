"""Cached methods whose results live as long as their object."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from types import MethodType
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")


def cached_method(method: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """Cache a method's results on each object, by its arguments.

    `functools.cache` alone would keep every object, and all its results, for ever.
    """
    # One `functools.cache` per object, stored in the object's own dict: it dies with the object
    cached = cached_property(lambda instance: cache(MethodType(method, instance)))
    return cast(Callable[Concatenate[Any, P], R], cached)
