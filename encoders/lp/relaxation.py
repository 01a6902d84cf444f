"""The linear relaxation of a problem, solved by HiGHS, with its dual as a certificate in integers.

It has one variable for each choice at a vertex (a pair of its edges; one edge where a path may end) and one for each
edge:

    least      sum of the weights of the choices
    subject to the choices at a vertex sum to 1,
               an edge is chosen at both of its ends, as much as its own variable says,
               rows: cut-sets and blossoms, added as they are violated.

If a group maps the problem to itself, some optimal solution is invariant under it (average the images of any). So one
vertex of each orbit and one variable for each orbit of edges are enough, and a row stands for all its images. The
multipliers of the second kind of rows are the `y` of `kt_models.kernel.certificates.tree`, which explains the
certificate (a tree with a single leaf). They are rounded to the smallest common denominator that still proves the
bound.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from encoders.lp.duals import DENOMINATORS, FINE_DENOMINATORS, TOLERANCE, multipliers, pairs, without_idle
from encoders.lp.program import Entries, Floats, LinearProgram
from encoders.lp.separation import separate
from kt_models.board import Board
from kt_models.errors import CertificateError, KTError, TooLarge
from kt_models.kernel.certificates.cut_inequalities import Cut, Inequality, inequality
from kt_models.kernel.certificates.integers import Ints
from kt_models.kernel.certificates.nodes import Instance
from kt_models.kernel.certificates.rounding import lift_total
from kt_models.kernel.certificates.tree import Images, bound
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.symmetry import Symmetry, generate, orbits, point_symmetries

MAX_CHOICES = 4_000_000
"""Most variables of the linear program: some GB of memory in the solver."""
MAX_ROUNDS = 30
"""Most rounds of adding violated rows: more of them may raise the bound, and take longer."""


def make(problem: Problem, *, limits: Limits = NO_LIMITS, cuts: bool = True) -> dict[str, Any] | None:
    """The data of a certificate of method `tree`, with a single leaf.

    Parameters
    ----------
    cuts
        Whether to add violated cut-sets and blossoms.

    Returns
    -------
    dict or None
        None if time was up before the first solution.

    Raises
    ------
    TooLarge
        Above `MAX_CHOICES` choices at vertices.
    KTError
        If the relaxation has no solution; then the problem has none either.
    """
    model = _Model(problem)
    best: tuple[float, Floats, list[Cut]] | None = None
    rows: list[Cut] = []
    for _ in range(MAX_ROUNDS if cuts else 1):
        if not model.program.solve(limits):
            if best is None and not limits.over:
                raise KTError("the linear relaxation has no solution, so the problem has none")
            if limits.over:
                limits.leave("relaxation")
            break
        best = model.program.value, model.program.duals, list(rows)
        variables = model.program.variables
        new = separate(problem, variables[model.column], model.ending(variables)) if cuts else []
        if not new:
            break
        for row in new:
            model.add(row)
        rows += new
    return None if best is None else _rounded(problem, model, model.dual(*best))


def group_of(problem: Problem) -> list[Symmetry]:
    """The reflections and turns of the board that map the problem to itself, the identity first."""
    board = problem.graph.board
    if board is None or not isinstance(problem.objective, str):
        return [Symmetry.identity(board.dimension if board else 2)]
    ends = set(problem.terminals)
    group = []
    for symmetry in point_symmetries(board):
        vertices, edges = symmetry.permutation(board), problem.graph.edge_permutation(symmetry)
        kept = all({int(edges[e]) for e in chosen} == chosen for chosen in (problem.required, problem.forbidden))
        if kept and {int(vertices[t]) for t in ends} == ends and problem.connectivity != "linkage":
            group.append(symmetry)
    return group


class _Model:
    """The linear program of a problem.

    Columns: orbits of edges, then choices at the least vertex of each orbit. Rows: for each such vertex one for the sum
    # By symmetry, an optimal solution exists that is constant on orbits, so one variable for each is enough. That makes
    # the program smaller by the order of the group.
    of its choices and one for each end of an edge there; then the number of free ends; then the rows of `add`.
    """

    def __init__(self, problem: Problem) -> None:
        graph = problem.graph
        self.problem, self.group = problem, group_of(problem)
        self.images = Images(problem, self.group)
        self.instance = Instance(problem)
        if self.instance.weights.apart < 0:
            raise KTError(
                "the linear relaxation needs weights of at least 0 for pairs of edges without a common vertex"
            )
        vertex_orbit, edge_orbit = orbits(self.images.vertices, graph.n), orbits(self.images.edges, graph.m)
        self.vertices: Ints = np.flatnonzero(vertex_orbit == np.arange(graph.n)).astype(np.int64)
        self.orbit_size = np.bincount(vertex_orbit, minlength=graph.n)
        self.vertex_orbit = vertex_orbit
        kept, self.column = np.unique(edge_orbit, return_inverse=True)
        self.edge_columns = len(kept)
        degree = graph.degrees[self.vertices]
        if int((degree * (degree + 1)).sum()) // 2 > MAX_CHOICES:
            raise TooLarge(f"relaxation of {graph.name}: over the limit of {MAX_CHOICES:,} choices at vertices")
        self.sum_row = np.concatenate([[0], np.cumsum(1 + degree)[:-1]])
        row_count = int((1 + degree).sum())
        # The row of each end of an edge (2e at the tail of edge e, 2e + 1 at its head) at a chosen vertex, -1 elsewhere
        self.row_of = np.full(2 * graph.m, -1)
        for v, base in zip(self.vertices.tolist(), self.sum_row.tolist(), strict=True):
            incident = graph.edges_of(v).astype(np.int64)
            self.row_of[2 * incident + (graph.heads[incident] == v)] = base + 1 + np.arange(len(incident))
        options = self.instance.options_of(self.vertices)
        self.vertex: Ints = np.repeat(self.vertices, np.diff(options.start))  # The vertex of each choice.
        number, single = len(self.vertex), options.second < 0
        first = 2 * options.first + (graph.heads[options.first] == self.vertex)
        second = (2 * options.second + (graph.heads[options.second] == self.vertex))[~single]
        place = np.full(graph.n, -1)
        place[self.vertices] = np.arange(len(self.vertices))
        size = self.orbit_size[self.vertex]
        column = np.arange(number) + self.edge_columns
        darts = np.flatnonzero(self.row_of >= 0)
        entries = [
            (self.sum_row[place[self.vertex]], column, np.ones(number)),
            (self.row_of[first], column, np.ones(number)),
            (self.row_of[second], column[~single], np.ones(len(second))),
            (self.row_of[darts], self.column[darts // 2], -np.ones(len(darts))),
        ]
        lower = np.zeros(row_count)
        lower[self.sum_row] = 1.0
        self.ends_row = row_count
        self.free = single & self.instance.free[self.vertex]
        if problem.free_ends:
            entries.append((np.full(int(self.free.sum()), row_count), column[self.free], size[self.free].astype(float)))
            lower = np.append(lower, float(problem.free_ends))
        cost = np.concatenate([np.zeros(self.edge_columns), (size * options.cost).astype(float)])
        are_edges = np.arange(len(cost)) < self.edge_columns
        self.program = LinearProgram(cost, Entries.joined(entries), lower, lower, are_edges)

    def ending(self, variables: Floats) -> Floats:
        """The share of a free end at each vertex."""
        at = np.zeros(self.problem.graph.n)
        np.add.at(at, self.vertex[self.free], variables[self.edge_columns :][self.free])
        return at[self.vertex_orbit]

    def add(self, cut: Cut) -> None:
        """Add a cut together with all its images."""
        row: Inequality = inequality(self.problem, cut)
        amount = np.bincount(self.column[row.edges], weights=row.signs, minlength=self.edge_columns)
        columns = np.flatnonzero(amount)
        values: Floats = amount[columns].astype(float)
        if len(row.vertices):
            count = np.bincount(self.vertex_orbit[row.vertices], minlength=self.problem.graph.n)
            ending = np.flatnonzero(self.free)
            columns = np.append(columns, self.edge_columns + ending)
            values = np.append(values, count[self.vertex[ending]].astype(float))
        self.program.add_row(columns, values, float(row.least))

    def dual(self, value: float, duals: Floats, cuts: list[Cut]) -> _Dual:
        """The dual solution of the program with these cuts; one image of each orbit has all of it."""
        graph, images = self.problem.graph, self.images
        directed = [2 * e + t for e, t in zip(images.edges, images.swapped, strict=True)]
        heads = [2 * e + 1 - t for e, t in zip(images.edges, images.swapped, strict=True)]
        turned = (np.stack([t, h], axis=1).reshape(-1) for t, h in zip(directed, heads, strict=True))
        orbit = orbits(turned, 2 * graph.m)
        there = np.flatnonzero(self.row_of >= 0)
        total = np.bincount(orbit[there], duals[self.row_of[there]], 2 * graph.m)
        mean = (total / np.maximum(np.bincount(orbit, minlength=2 * graph.m), 1))[orbit]
        chosen = orbits(images.edges, graph.m) == np.arange(graph.m)
        ends = float(duals[self.ends_row]) if self.problem.free_ends else 0.0
        of_cuts = duals[len(duals) - len(cuts) :] / np.array([len(images.of_cut(cut)) for cut in cuts], dtype=float)
        return _Dual(value, np.where(chosen, mean[::2], 0.0), ends, of_cuts, cuts)


class _Dual(NamedTuple):
    """Value and duals of the edges (at their tails), of the number of free ends, and of cuts."""

    value: float
    edges: Floats
    ends: float
    of_cuts: Floats
    cuts: list[Cut]


# -- from floating point to a certificate --------------------------------------------------------------------------


def _rounded(problem: Problem, model: _Model, dual: _Dual) -> dict[str, Any]:
    """The data with the least denominator that proves the solver's bound, or the best bound of any denominator."""
    # The solver's value is inexact; a tolerance below it is what a certificate can be expected to prove.
    hoped = lift_total(problem, math.floor((dual.value - TOLERANCE) * 2**20), 2**20)
    best: dict[str, Any] = {}
    most: int | None = None
    # Coarse denominators first: they give short certificates.
    for denominator in (*DENOMINATORS, *FINE_DENOMINATORS):
        data = _data(model, dual, denominator)
        try:
            least = bound(problem, data)
        except CertificateError:  # The weights times this denominator are too large.
            break
        if most is None or least > most:
            best, most = data, least
        if least >= hoped:
            break
    if most is None:
        raise TooLarge(f"relaxation of {problem.graph.name}: its weights are too large")
    return best


def _data(model: _Model, dual: _Dual, denominator: int) -> dict[str, Any]:
    whole = multipliers(dual.edges, dual.ends, dual.of_cuts, denominator)
    listed = pairs(np.zeros_like(whole), whole).tolist()
    cuts, number = without_idle(dual.cuts, (i for i, _ in listed), model.problem.graph.m + 1)
    data: dict[str, Any] = {"denominator": denominator}
    board = model.problem.graph.board
    if len(model.group) > 1 and board is not None:
        data["symmetry"] = _generators(model.group, board)
    if cuts:
        data["cuts"] = cuts
    data["multipliers"] = [[number.get(i, i), amount] for i, amount in listed]
    return data


def _generators(group: list[Symmetry], board: Board) -> list[str]:
    """A few elements that generate a group."""
    chosen: list[Symmetry] = []
    # Keep an element only if those before it do not generate it.
    known = {group[0]}
    for symmetry in group:
        if symmetry not in known:
            chosen.append(symmetry)
            known = set(generate(chosen, board))
    return [str(symmetry) for symmetry in chosen]
