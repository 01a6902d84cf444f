"""`Cut`: the inequalities of cut-sets and blossoms that certificates name; the checker derives them from the problem.

Let S be a proper nonempty set of vertices that contains k of the given ends (terminals), x(d(S)) the number
of chosen edges that leave it, and f(S) the number of ends of a path in S that are not given.

- *Cut-set*: every solution without a cycle apart leaves S. One cycle or path: x(d(S)) + f(S) >= 2 - k, because each
  end of the path inside replaces an edge out. Several paths between terminals (`linkage`, `paths`):
  x(d(S)) >= 2 if S holds no terminal; in a linkage, also at least the number of pairs that S separates.
- *Blossom* (Edmonds 1965), T a set of edges that leave S, |T| + k odd: x(d(S) - T) - x(T) + f(S) >= 1 - |T|.  The
  degrees in S sum to 2|S| - k - f(S), so x(d(S)) has the parity of k + f(S). If f(S) = 0, the chosen edges of d(S)
  cannot be exactly T: the left side, at least -|T| anyway, is not -|T|.  If f(S) > 0, it is at least f(S) - |T|.  This
  uses only the degrees.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kt_models.errors import CertificateError
from kt_models.json_values import integers, rows
from kt_models.kernel.certificates.integers import Ints
from kt_models.problem import Problem


@dataclass(frozen=True)
class Cut:
    """A cut-set (no `teeth`) or a blossom: `vertices` is S, `teeth` is T, edge numbers."""

    vertices: tuple[int, ...]
    teeth: tuple[int, ...] = ()


class Inequality(NamedTuple):
    """`signs` times the chosen among `edges`, plus the free ends among `vertices`, is at least `least`."""

    edges: Ints
    signs: Ints
    vertices: Ints
    least: int


def inequality(problem: Problem, cut: Cut) -> Inequality:
    """The inequality of a cut.

    Raises
    ------
    CertificateError
        If the cut does not hold for every solution.
    """
    graph = problem.graph
    inside = np.zeros(graph.n, dtype=bool)
    inside[list(cut.vertices)] = True
    held = int(inside.sum())
    if not 0 < held < graph.n or held < len(cut.vertices):
        raise CertificateError("the vertices of a cut are none, all, or not distinct")
    leaving = np.flatnonzero(inside[graph.tails] != inside[graph.heads])
    signs = np.ones(len(leaving), dtype=np.int64)
    free = inside.copy() if problem.free_ends else np.zeros(graph.n, dtype=bool)
    free[list(problem.terminals)] = False
    terminals = [bool(inside[t]) for t in problem.terminals]
    if cut.teeth:
        teeth = np.array(sorted(set(cut.teeth)), dtype=np.int64)
        if len(teeth) < len(cut.teeth) or not np.isin(teeth, leaving).all():
            raise CertificateError("the teeth of a blossom are not distinct edges that leave it")
        if (len(teeth) + sum(terminals)) % 2 == 0:
            raise CertificateError("the teeth and terminals of a blossom are an even number")
        # The teeth change sides in the blossom inequality
        signs[np.isin(leaving, teeth)] = -1
        least = 1 - len(teeth)
    else:
        least = _least_leaving(problem, terminals)
    return Inequality(leaving, signs, np.flatnonzero(free), least)


def _least_leaving(problem: Problem, inside: list[bool]) -> int:
    """Right-hand side of a cut-set; `inside` tells for each terminal whether it is in the set."""
    if problem.connectivity in ("cycle", "path"):
        return 2 - sum(inside)
    if problem.connectivity in ("linkage", "paths") and not any(inside):
        return 2
    if problem.connectivity == "linkage":
        # Each separated pair needs a path across
        return sum(s != t for s, t in zip(inside[::2], inside[1::2], strict=True))
    raise CertificateError("a cut-set that requires no edge")


def read_cuts(problem: Problem, data: Any) -> list[Cut]:
    """Read the cuts of a certificate, `[vertices, teeth]` each."""
    n, m = problem.graph.n, problem.graph.m
    return [
        Cut(tuple(integers(vertices, "a cut's vertices", 0, n - 1)), tuple(integers(teeth, "a cut's teeth", 0, m - 1)))
        for vertices, teeth in rows(data, "cuts", 2)
    ]
