"""The bound that a dual solution of the linear relaxation shows.

The relaxation asks for the right degrees and for any number of *rows*: inequalities that every solution satisfies,

- a cut-set, `x(δ(S)) >= 2`: a tour leaves every set of vertices S, unless it is empty or all;
- a blossom, `x(δ(S) \\ T) >= x(T) + 1 - |T|` for a set T of edges out of S: by parity, what leaves S cannot be exactly
  these edges.

A dual solution is a potential at each end of each edge and a multiplier >= 0 of each row.  Where the potentials of an
edge sum to minus what the rows multiply it by, any solution costs what `local` says with these potentials, plus what
the rows add, which is at least the sum of their right hand sides.  So nothing has to be assumed of the numbers: the
potential at an edge's tail is read, that at its head follows.

Data, integers throughout:

- `denominator` d of all numbers below;
- `symmetry`: signed axis permutations; every number is meant for all images under the group they generate;
- `potentials`: [edge, potential at its tail] of edges, others have 0;
- `rows`: objects with `vertices`, `teeth` (edges, none for a cut-set) and `multiplier`;
- `ending`: what an end of a path costs, where ends are free.

The sum is rounded up to a value that the objective can have: a multiple of the greatest common divisor of what it
is a sum of, which is more than 1 for some objectives and under some symmetries.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from kt_models.board import IntArray
from kt_models.bounds.local import LARGEST, MAX_VERTICES, Ints, ends_of, exact_sum, least_choices, local_weights
from kt_models.errors import CertificateError, KTError
from kt_models.problem import Problem
from kt_models.symmetry import Symmetry, generate

MAX_IMAGES = 100_000
"""Most rows, images included."""


def bound(problem: Problem, data: dict[str, Any]) -> int:
    """The bound that `data` shows (see the module).

    Raises
    ------
    CertificateError
        If the data is wrong, or the problem is none that this method speaks of.
    """
    graph = problem.graph
    weights = problem.weights
    assert weights is not None
    if not 3 <= graph.n <= MAX_VERTICES:
        raise CertificateError(f"relaxation: for graphs of 3 to {MAX_VERTICES:,} vertices")
    scale = integer(data.get("denominator", 1), "denominator", 1)
    heaviest = int(np.abs(weights.weight).max(initial=0))
    if scale * heaviest > LARGEST:
        raise CertificateError("relaxation: the weights times the denominator are too large")
    images = edge_images(problem, data.get("symmetry", []))
    total, coefficient = 0, np.zeros(graph.m, dtype=np.int64)
    ending = np.full(graph.n, integer(data.get("ending", 0), "ending", -LARGEST), dtype=np.int64)
    for row in _rows(problem, data.get("rows", []), images):
        coefficient += row.multiplier * row.coefficient
        ending -= row.multiplier * row.ends
        total += row.multiplier * row.least
        if np.abs(coefficient).max(initial=0) > LARGEST or ending.min() < -LARGEST:
            raise CertificateError("relaxation: the multipliers are too large")
    potential = potentials(problem, data.get("potentials", []), images, coefficient)
    local = local_weights(problem)
    least = least_choices(problem, ends_of(problem), local, scale, potential, ending)
    total += exact_sum(least) - problem.free_ends * int(data.get("ending", 0)) + scale * local.apart
    return lifted(problem, total, scale)


def lifted(problem: Problem, total: int, scale: int) -> int:
    """The least value the objective can have that is at least total / scale."""
    step = value_step(problem)
    return -(-total // (scale * step)) * step


def value_step(problem: Problem) -> int:
    """A number that every value of the objective is a multiple of.

    The chosen edges being invariant under the problem's symmetry, pairs of them come in whole orbits; so the value is
    a sum of the weights of orbits.
    """
    weights = problem.weights
    assert weights is not None
    if not len(weights.weight):
        return 1
    total = weights.weight.astype(np.int64)
    if len(problem.group) > 1:
        size = problem.graph.m
        keys = []
        for symmetry in problem.group:
            image = problem.graph.edge_permutation(symmetry).astype(np.int64)
            a, b = image[weights.first], image[weights.second]
            keys.append(np.minimum(a, b) * size + np.maximum(a, b))
        _, number = np.unique(np.minimum.reduce(keys), return_inverse=True)
        total = np.zeros(number.max() + 1, dtype=np.int64)
        np.add.at(total, number, weights.weight)
    return math.gcd(*map(int, np.unique(total))) or 1


# -- reading the data ----------------------------------------------------------------------------------------------


def integer(value: Any, name: str, least: int = 0) -> int:
    """An integer between `least` and `LARGEST`, or `CertificateError`."""
    if type(value) is not int or not least <= value <= LARGEST:
        raise CertificateError(f"{name!r} is not an integer between {least} and 2^40")
    return value


def numbers(value: Any, name: str, size: int) -> list[int]:
    """A list of distinct numbers of vertices or edges, below `size`."""
    if not isinstance(value, list) or not all(type(v) is int and 0 <= v < size for v in value):
        raise CertificateError(f"{name!r} is not a list of numbers below {size}")
    if len(set(value)) < len(value):
        raise CertificateError(f"{name!r} has a number twice")
    return value


class Images:
    """The images of vertices and edges under a group, and whether an edge's tail goes to its image's head."""

    def __init__(self, problem: Problem, group: list[Symmetry]) -> None:
        graph = problem.graph
        self.vertices: list[IntArray] = [np.arange(graph.n, dtype=np.int32)]
        self.edges: list[IntArray] = [np.arange(graph.m, dtype=np.int32)]
        for symmetry in group[1:]:
            assert graph.board is not None
            self.vertices.append(symmetry.permutation(graph.board))
            self.edges.append(graph.edge_permutation(symmetry))
        self.turned = [v[graph.tails] != graph.tails[e] for v, e in zip(self.vertices, self.edges, strict=True)]


def edge_images(problem: Problem, texts: Any) -> Images:
    """The images under the group that a list of symmetries generates."""
    board = problem.graph.board
    if not isinstance(texts, list) or not all(isinstance(t, str) for t in texts) or len(texts) > 16:
        raise CertificateError("'symmetry' is not a list of at most 16 texts")
    if not texts:
        return Images(problem, [Symmetry.identity(2)])
    if board is None:
        raise CertificateError("a graph without a board has no geometric symmetry")
    try:
        generators = [Symmetry.parse(text, board.dimension) for text in texts]
        if not all(generator.fixes(board) for generator in generators):
            raise CertificateError("a symmetry of the certificate is none of the board")
        return Images(problem, generate(generators, board.dimension))
    except KTError as error:
        raise CertificateError(str(error)) from None


def potentials(problem: Problem, pairs: Any, images: Images, coefficient: Ints) -> Ints:
    """The potential of each end of each edge, shape (2m,): read at the tails, following at the heads."""
    graph = problem.graph
    if not isinstance(pairs, list) or not all(isinstance(p, list) and len(p) == 2 for p in pairs):
        raise CertificateError("'potentials' is not a list of [edge, potential]")
    edges = np.array(numbers([p[0] for p in pairs], "potentials", graph.m), dtype=np.int64)
    values = np.array([integer(p[1], "potential", -LARGEST) for p in pairs], dtype=np.int64)
    tail = np.zeros(graph.m, dtype=np.int64)
    for image, turned in zip(images.edges[::-1], images.turned[::-1], strict=True):  # the identity last: it prevails
        there = image[edges]
        tail[there] = np.where(turned[edges], -values - coefficient[there], values)
    return np.stack([tail, -tail - coefficient], axis=1).reshape(-1)


class _Row:
    """`coefficient` times the chosen edges, plus `ends` times the free ends of a path, is at least `least`."""

    def __init__(self, problem: Problem, inside: np.ndarray, teeth: np.ndarray, multiplier: int) -> None:
        graph = problem.graph
        self.multiplier = multiplier
        leaving = inside[graph.tails] != inside[graph.heads]
        if not leaving[teeth].all():
            raise CertificateError("a tooth of a row does not leave its vertices")
        self.coefficient = leaving.astype(np.int64)
        self.ends = np.zeros(graph.n, dtype=np.int64)
        terminals = int(inside[list(problem.terminals)].sum())
        if len(teeth):
            if problem.free_ends or (len(teeth) + terminals) % 2 == 0:
                raise CertificateError("a blossom's teeth have to be of the other parity than what leaves its vertices")
            self.coefficient[teeth] = -1
            self.least = 1 - len(teeth)
            return
        if not 0 < inside.sum() < graph.n or problem.connectivity == "any":
            raise CertificateError("a cut-set needs vertices, not all of them, where connectivity is asked for")
        if problem.connectivity not in ("cycle", "path") and terminals:
            raise CertificateError("a cut-set with a terminal, where paths may stay inside")
        self.ends = inside.astype(np.int64) if problem.free_ends else self.ends
        self.least = 2 - terminals  # an end inside makes up for an edge out


def _rows(problem: Problem, rows: Any, images: Images) -> Iterator[_Row]:
    """Every row and its images, each once."""
    if not isinstance(rows, list) or len(rows) * len(images.edges) > MAX_IMAGES:
        raise CertificateError(f"'rows' is not a list of at most {MAX_IMAGES:,} rows, images included")
    for row in rows:
        if not isinstance(row, dict):
            raise CertificateError("a row is not an object")
        multiplier = integer(row.get("multiplier"), "multiplier")
        vertices = numbers(row.get("vertices"), "vertices", problem.graph.n)
        teeth = numbers(row.get("teeth", []), "teeth", problem.graph.m)
        seen = set()
        for places, edges in zip(images.vertices, images.edges, strict=True):
            inside = np.zeros(problem.graph.n, dtype=bool)
            inside[places[vertices]] = True
            image = np.sort(edges[teeth]) if teeth else np.zeros(0, dtype=np.int32)
            key = inside.tobytes(), image.tobytes()
            if key not in seen:
                seen.add(key)
                yield _Row(problem, inside, image, multiplier)
