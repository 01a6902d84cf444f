"""`cpsat`: OR-Tools CP-SAT."""

from __future__ import annotations

from encoders.cpsat import ENCODINGS, excess
from encoders.engines import EngineKind, asks_any_tour
from encoders.numbering import is_plain
from encoders.work.run import Engine
from kt_models.problem import Problem


def _start(problem: Problem, threads: int, encoding: str, solver: str) -> list[Engine]:
    if problem.numbers is not None:
        from encoders.numbering.engine import cpsat_engines

        return cpsat_engines(problem, threads, encoding)
    from encoders.cpsat import engine

    return engine.engines(problem, threads, encoding)


def _share(problem: Problem, threads: int) -> int:
    """All threads if all pairs meet at a vertex, as turns do: its linear relaxation wins there (10x10 in 10 s).

    Otherwise half of them: it answers small problems while the processes of other engines start. If any tour will do,
    one of three or more: SAT solvers are far faster there.

    With given numbers, all but one, which is for SAT if that applies to the problem.
    """
    if problem.numbers is not None:
        return threads - (threads > 1 and is_plain(problem))
    if excess(problem):
        return 0
    if problem.pairs_meet:
        return threads
    if asks_any_tour(problem):
        return int(threads > 2)
    return threads - threads // 2 if threads > 1 else 0


ENGINE = EngineKind(
    "cpsat",
    "a model of integers, clauses and linear constraints",
    _start,
    _share,
    lambda: ENCODINGS,
    synonyms=("cp-sat", "ortools"),
    numbered=True,
    constrained=True,
)
