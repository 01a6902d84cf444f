"""Patterns of pairs of moves, and integer vectors, for metrics of boards."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from kt_models.metrics import Pattern, Vector


def patterns_where(
    moves: tuple[Vector, ...],
    together: Callable[[Vector, Vector, Vector], bool],
    offsets: Callable[[Vector, Vector], set[Vector]],
) -> tuple[Pattern, ...]:
    """Each unordered pair once: the first move has the smaller number, or the smaller tail if the numbers are equal."""
    patterns = []
    for i, a in enumerate(moves):
        for j in range(i, len(moves)):
            zero = tuple(0 for _ in a)
            for offset in sorted(offsets(a, moves[j])):
                if (i < j or offset > zero) and together(a, moves[j], offset):
                    patterns.append(Pattern(i, j, offset))
    return tuple(patterns)


def same_way(a: Vector, b: Vector) -> bool:
    """Whether two vectors have the same direction."""
    along = sum(u * v for u, v in zip(a, b, strict=True))
    return along > 0 and all(u * w == v * t for (u, v), (t, w) in combinations(zip(a, b, strict=True), 2))


def plus(a: Vector, b: Vector) -> Vector:
    """The sum of two vectors."""
    return tuple(u + v for u, v in zip(a, b, strict=True))


def minus(a: Vector, b: Vector) -> Vector:
    """The difference of two vectors."""
    return tuple(u - v for u, v in zip(a, b, strict=True))
