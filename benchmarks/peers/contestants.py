"""The solvers to measure: this toolkit with its parts, and other solvers as their own users would call them.

`pip install 'knights-tours[peers]'` installs clingo and LKH; those that are not installed are left out. CPMpy is the
package `cpmpy`, Sage is `passagemath-graphs passagemath-polyhedra passagemath-glpk`, and MiniZinc with Gecode is
`minizinc` of Debian.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.peers.graphs import Pairs
from kt_models.errors import KTError
from kt_models.graph import MoveGraph
from kt_models.limits import Limits, Report
from kt_models.problem import Problem

ONE_WORKER = Limits(workers=1)


class GaveUp(KTError):
    """No cycle was found, and nothing was proved."""


@dataclass(frozen=True)
class Contestant:
    """A solver for Hamiltonian cycles.

    Parameters
    ----------
    name, summary
        Its name, and a description in a few words.
    solve
        A function that takes a graph and returns the edges of a cycle, or None if it proved that there is none.
    package
        The package that it needs, by its name in an import, or the program.
    proves
        Whether it can prove that there is none.
    most
        Most vertices and edges of a graph that it is tried on.
    """

    name: str
    summary: str
    solve: Callable[[MoveGraph], Pairs | None]
    package: str = "numpy"
    proves: bool = True
    most: tuple[int, int] = (10**9, 10**9)

    @property
    def is_there(self) -> bool:
        """Whether its package or program is installed."""
        return (shutil.which if self.package in PROGRAMS else find_spec)(self.package) is not None

    def applies(self, graph: MoveGraph, hamiltonian: bool) -> bool:
        """Whether a graph suits it."""
        return (self.proves or hamiltonian) and graph.n <= self.most[0] and graph.m <= self.most[1]


def by_kt(graph: MoveGraph) -> Pairs | None:
    """`kt solve` by default, with one worker."""
    from encoders.solve import solve

    result = solve(Problem(graph), limits=Limits(workers=1))
    if result.status == "unknown":
        raise GaveUp("gave up")
    return None if result.edges is None else _pairs(graph, result.edges)


def by_heuristics(graph: MoveGraph) -> Pairs | None:
    """The first of the heuristics, without a solver."""
    from heuristics.searches.merge import merge

    tour = merge(Problem(graph)).tour
    if tour is None:
        raise GaveUp("gave up")
    return _pairs(graph, tour.edges)


def by_sat(encoding: str) -> Callable[[MoveGraph], Pairs | None]:
    """The SAT engine with an encoding; `kt solve --engine sat` begins with `cut-set`."""

    def solve(graph: MoveGraph) -> Pairs | None:
        from encoders.sat.options import SatOptions
        from encoders.sat.search import search
        from encoders.work.run import Run

        return _of_report(graph, search(Problem(graph), Run(ONE_WORKER), SatOptions(encoding)))

    return solve


def by_cpsat(encoding: str) -> Callable[[MoveGraph], Pairs | None]:
    """CP-SAT with one worker: its circuit constraint, or cut-sets between searches."""

    def solve(graph: MoveGraph) -> Pairs | None:
        from encoders.cpsat import engine
        from encoders.work.run import Run

        return _of_report(graph, engine.solve(Problem(graph), Run(ONE_WORKER), encoding))

    return solve


def by_highs(graph: MoveGraph) -> Pairs | None:
    """HiGHS with one thread: an integer program of degrees, to which violated cut-sets are added after each answer."""
    import highspy

    from encoders.cutsets import violated

    problem = Problem(graph)
    highs = highspy.Highs()
    highs.silent()
    highs.setOptionValue("threads", 1)
    highs.addVars(graph.m, np.zeros(graph.m), np.ones(graph.m))
    every = np.arange(graph.m, dtype=np.int32)
    highs.changeColsIntegrality(graph.m, every, np.full(graph.m, highspy.HighsVarType.kInteger))
    for v in range(graph.n):
        edges = graph.edges_of(v).astype(np.int32)
        highs.addRow(2.0, 2.0, len(edges), edges, np.ones(len(edges)))
    while True:
        highs.run()
        if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        chosen = np.flatnonzero(np.array(highs.getSolution().col_value) > 0.5).astype(np.int32)
        _, cuts = violated(problem, chosen)
        if not cuts:
            return _pairs(graph, chosen)
        for cut in cuts:
            leaving = cut.edges.astype(np.int32)
            highs.addRow(2.0, highspy.kHighsInf, len(leaving), leaving, np.ones(len(leaving)))


CLINGO = """
{ cycle(X,Y) : arc(X,Y) } = 1 :- vertex(X).
{ cycle(X,Y) : arc(X,Y) } = 1 :- vertex(Y).
reached(Y) :- cycle(0,Y).
reached(Y) :- cycle(X,Y), reached(X).
:- vertex(Y), not reached(Y).
#show cycle/2.
"""
"""The usual program of textbooks: each vertex has an arc out and an arc in, and all vertices are reached from one."""


def by_clingo(graph: MoveGraph) -> Pairs | None:
    """The answer set solver clingo."""
    import clingo

    control = clingo.Control()
    facts = [f"vertex(0..{graph.n - 1})."] + [f"arc({u},{v}). arc({v},{u})." for u, v in graph.ends.tolist()]
    control.add("base", [], CLINGO + "\n".join(facts))
    control.ground([("base", [])])
    pairs: Pairs = []

    def on_model(model: Any) -> None:
        pairs.extend((a.arguments[0].number, a.arguments[1].number) for a in model.symbols(shown=True))

    return pairs if control.solve(on_model=on_model).satisfiable else None


def by_lkh(graph: MoveGraph) -> Pairs | None:
    """LKH from the package elkai, with ten runs as by default: edges cost 0, all other pairs 1."""
    import elkai

    cost = np.ones((graph.n, graph.n), dtype=np.int64)
    cost[graph.tails, graph.heads] = cost[graph.heads, graph.tails] = 0
    np.fill_diagonal(cost, 0)
    order = elkai.DistanceMatrix(cost.tolist()).solve_tsp(runs=10)[:-1]
    pairs = list(zip(order, order[1:] + order[:1], strict=True))
    if any(cost[u, v] for u, v in pairs):
        raise GaveUp("gave up")
    return pairs


def by_cpmpy(graph: MoveGraph) -> Pairs | None:
    """CPMpy's circuit of successors, with CP-SAT and one worker."""
    import cpmpy

    next_of = cpmpy.intvar(0, graph.n - 1, shape=graph.n)
    domains = [cpmpy.InDomain(next_of[v], near) for v, near in enumerate(_neighbours(graph))]
    model = cpmpy.Model(cpmpy.Circuit(next_of), *domains)
    return list(enumerate(next_of.value().tolist())) if model.solve(solver="ortools", num_workers=1) else None


GECODE = """
include "circuit.mzn";
array[int] of set of int: near = [NEAR];
array[index_set(near)] of var index_set(near): next;
constraint forall(v in index_set(near))(next[v] in near[v]);
constraint circuit(next);
solve :: int_search(next, first_fail, indomain_min) satisfy;
output [show(next)];
"""


def by_gecode(graph: MoveGraph) -> Pairs | None:
    """MiniZinc's circuit of successors, with Gecode, smallest domains first."""
    near = ", ".join("{" + ", ".join(str(u + 1) for u in row) + "}" for row in _neighbours(graph))
    with tempfile.NamedTemporaryFile("w", suffix=".mzn") as file:
        file.write(GECODE.replace("NEAR", near))
        file.flush()
        command = ["minizinc", "--solver", "gecode", file.name]
        answer = subprocess.run(command, capture_output=True, text=True).stdout
    if "UNSATISFIABLE" in answer:
        return None
    if not (found := re.search(r"\[.*\]", answer)):  # Its limit of processor time ended it
        raise GaveUp("gave up")
    order: list[int] = json.loads(found[0])
    return [(v, u - 1) for v, u in enumerate(order)]


def by_sage(graph: MoveGraph) -> Pairs | None:
    """Sage's `hamiltonian_cycle`, by its integer program, with GLPK."""
    import sage.all__sagemath_graphs  # noqa: F401 -- sets Sage up
    from sage.categories.sets_cat import EmptySetError
    from sage.graphs.graph import Graph

    try:
        cycle = Graph(graph.ends.tolist()).hamiltonian_cycle(algorithm="tsp")
    except EmptySetError:
        return None
    return [(int(u), int(v)) for u, v in cycle.edges(labels=False)]


def _neighbours(graph: MoveGraph) -> list[list[int]]:
    near: list[list[int]] = [[] for _ in range(graph.n)]
    for u, v in graph.ends.tolist():
        near[u].append(v)
        near[v].append(u)
    return near


def by_plain_loop(solver: str) -> Callable[[MoveGraph], Pairs | None]:
    """The plainest program (`benchmarks.peers.plain_loop`)."""

    def solve(graph: MoveGraph) -> Pairs | None:
        from benchmarks.peers.plain_loop import cycle

        order = cycle([(u, v) for u, v in graph.ends.tolist()], solver)
        return None if order is None else list(zip(order, order[1:] + order[:1], strict=True))

    return solve


def _of_report(graph: MoveGraph, report: Report) -> Pairs | None:
    if report.status == "infeasible":
        return None
    if report.edges is None:
        raise GaveUp("gave up")
    return _pairs(graph, report.edges)


def _pairs(graph: MoveGraph, edges: Any) -> Pairs:
    return [(u, v) for u, v in graph.ends[edges].tolist()]


BASE = "kt solve"
PROGRAMS = ("minizinc",)
"""Names of packages that are programs, and no packages of Python."""
MAX_ENCODING_EDGES = (10**9, 3_000)
"""Most vertices and edges for which a complete encoding is tried."""


def contestants() -> dict[str, Contestant]:
    """All contestants by name; the first is the one that the others are compared with."""
    from encoders.sat.encodings import encodings

    rows = [
        Contestant(BASE, "as it is, one worker: reductions, heuristics, then engines", by_kt),
        Contestant("SAT engine", "lazy cut-sets, CaDiCaL", by_sat("cut-set")),
        Contestant("heuristics", "kt find --method merge", by_heuristics, proves=False),
        Contestant("CP-SAT", "its circuit constraint", by_cpsat("circuit"), "ortools"),
        Contestant("clingo", "the textbook program", by_clingo, "clingo"),
        Contestant("HiGHS", "an integer program, cut-sets added", by_highs, "highspy"),
        Contestant("LKH", "through elkai", by_lkh, "elkai", proves=False, most=(1_000, 10**9)),
        Contestant("plain Glucose", "cut-sets added, nothing else", by_plain_loop("glucose4"), "pysat"),
        Contestant("plain CaDiCaL", "cut-sets added, nothing else", by_plain_loop("cadical153"), "pysat"),
        Contestant("CPMpy", "a circuit of successors, CP-SAT", by_cpmpy, "cpmpy"),
        Contestant("Gecode", "MiniZinc's circuit of successors", by_gecode, "minizinc"),
        Contestant("Sage", "hamiltonian_cycle", by_sage, "sage"),
        Contestant("CP-SAT cut-set", "cut-sets added", by_cpsat("cut-set"), "ortools"),
        *(Contestant(name, "a complete encoding", by_sat(name), most=MAX_ENCODING_EDGES) for name in encodings()),
    ]
    return {row.name: row for row in rows}


PEERS = (
    *(BASE, "SAT engine", "heuristics", "CP-SAT", "clingo", "HiGHS", "LKH", "plain Glucose", "plain CaDiCaL"),
    *("CPMpy", "Gecode", "Sage"),
)
"""Solvers of other people, and the parts of kt that they are compared with."""
