"""The engines that solve problems; every module here declares one, as an `EngineKind`.

A new engine is a new module (docs/use/extending.md); its name is written nowhere else. The race expects this of an
engine:

- `interrupt` comes from another thread, possibly several times. `work` returns within a second of it, and of any limit
  (`limits.check()` raises `Stopped`, which the race expects).
- An engine that minimises reports every better solution and every bound. A report that is `conclusive` settles the
  question.
- By default it takes no threads (`share`), unless it was measured to be worth it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from encoders.work.run import Engine
from kt_models.errors import KTError, TooLarge, excerpt, unknown
from kt_models.problem import Problem
from kt_models.registry import rows


@dataclass(frozen=True)
class EngineKind:
    """An engine that finds solutions.

    Parameters
    ----------
    name
        The name for `--engine`.
    summary
        Its work in a few words.
    start
        Makes the engine for a problem, from a number of threads, an encoding and a solver; an empty text stands for the
        choice that measured best.
    share
        How many of the given threads it takes if no engine is named; 0 if it then stays out.
    encodings
        The names of its encodings.
    solvers
        Whether there are SAT solvers to choose from.
    synonyms
        Other names of the engine.
    numbered
        Whether it applies to problems with given numbers.
    constrained
        Whether it serves problems with constraints.
    """

    name: str
    summary: str
    start: Callable[[Problem, int, str, str], list[Engine]]
    share: Callable[[Problem, int], int] = lambda problem, threads: 0
    encodings: Callable[[], tuple[str, ...]] = tuple
    solvers: bool = False
    synonyms: tuple[str, ...] = ()
    numbered: bool = False
    constrained: bool = False


def engines() -> dict[str, EngineKind]:
    """Every engine by name."""
    return rows(__name__, EngineKind)


def engine_names() -> tuple[str, ...]:
    """The values of `--engine`."""
    return ("auto", *engines())


def encodings_of(engine: str) -> tuple[str, ...]:
    """The encodings of an engine; for `auto`, those of all engines."""
    chosen = [row for row in engines().values() if engine in ("auto", row.name)]
    return tuple(dict.fromkeys(name for row in chosen for name in row.encodings()))


def asks_any_tour(problem: Problem) -> bool:
    """Whether any closed or open tour will do: there SAT solvers are far ahead, once heuristics have failed."""
    asks_more = problem.objective is not None or problem.symmetry or problem.is_constrained
    return problem.connectivity in ("cycle", "path") and not asks_more


def check_choice(engine: str, encoding: str, solver: str, program: str = "") -> None:
    """Refuse an unknown engine, or an encoding or solver that the engine lacks, whether or not it will be needed.

    Parameters
    ----------
    program
        The outside program in place of a solver, as the user named it.

    Raises
    ------
    KTError
        Naming the known ones.
    """
    if engine == "auto" and not (encoding or solver or program):
        return
    known = engines()
    if engine not in engine_names():
        synonyms = {synonym: row.name for row in known.values() for synonym in row.synonyms}
        raise unknown("engine", engine, engine_names(), synonyms)
    if solver or program:
        from encoders.sat.oracle import check_solver

        able = [row.name for row in known.values() if row.solvers]
        if engine not in ("auto", *able):
            named = excerpt(solver or program)
            raise KTError(f"solver {named}: only the engine {' or '.join(able)} has solvers to choose from")
        if solver:
            check_solver(solver)
        engine = "sat" if program else engine
    if encoding and encoding not in encodings_of(engine):
        raise unknown(f"encoding for the engine {engine}:", encoding, encodings_of(engine))


def start(problem: Problem, threads: int, engine: str = "auto", encoding: str = "", solver: str = "") -> list[Engine]:
    """The engines for a problem: the one named, the one that has the named encoding or solver, or those that measured
    best.

    Raises
    ------
    TooLarge
        If the problem is too large for all of them.
    """
    rows = list(engines().values())
    for asked_for, served, feature in (
        (problem.numbers is not None, "numbered", "given numbers"),
        (problem.is_constrained, "constrained", "constraints or stops"),
    ):
        able_rows = [row for row in rows if getattr(row, served)] if asked_for else rows
        if engine not in ("auto", *(row.name for row in able_rows)):
            raise KTError(
                f"engine {engine}: it supports no {feature}; {' and '.join(row.name for row in able_rows)} do"
            )
        rows = able_rows
    chosen = [row for row in rows if row.name == engine]
    if engine == "auto" and (encoding or solver):
        chosen = [row for row in rows if (row.solvers if solver else encoding in row.encodings())][:1]
    shares = [(row, threads) for row in chosen] or [(row, row.share(problem, threads)) for row in rows]
    able: list[Engine] = []
    refusals: list[TooLarge] = []
    for row, share in shares:
        try:
            able += row.start(problem, share, encoding, solver) if share else []
        except TooLarge as error:  # The other engines go on.
            refusals.append(error)
    if refusals and not able:
        raise refusals[0]
    return able
