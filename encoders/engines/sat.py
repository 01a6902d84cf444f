"""`sat`: SAT solvers, each in its own process."""

from __future__ import annotations

from encoders.cpsat import excess
from encoders.engines import EngineKind, asks_any_tour
from encoders.numbering import is_plain
from encoders.work.run import Engine
from kt_models.problem import Problem


def _start(problem: Problem, threads: int, encoding: str, solver: str) -> list[Engine]:
    if problem.numbers is not None:
        from encoders.numbering.engine import sat_engines

        return sat_engines(problem, encoding, solver)
    from encoders.sat import portfolio

    return portfolio.engines(problem, threads, encoding, solver)


def _share(problem: Problem, threads: int) -> int:
    """No thread if all pairs meet at a vertex (turns of 10x10: not in 40 s), and otherwise half, or all there are.

    Without an objective it is far faster (a random cubic graph of 1000 vertices in 1 s, CP-SAT not in 30), and takes
    all threads but one. Crossings: it proves 6x8 and has the better bound on 8x8 (60 against 54 in 40 s).

    With given numbers, one beside CP-SAT, if there are no sums and no objective.
    """
    if problem.numbers is not None:
        return int(threads > 1 and is_plain(problem))
    if excess(problem):
        return threads
    if asks_any_tour(problem):
        return threads - (threads > 2)
    if problem.pairs_meet:
        return 0
    return threads // 2 or 1


def _encodings() -> tuple[str, ...]:
    from encoders.sat.encodings import encodings
    from encoders.sat.options import CUT_SET

    return (CUT_SET, *encodings())


ENGINE = EngineKind(
    "sat",
    "clauses, by any SAT solver",
    _start,
    _share,
    _encodings,
    solvers=True,
    synonyms=("pysat",),
    numbered=True,
    constrained=True,
)
