"""One cube as a job: JSON in, JSON out, nothing shared, so that any process on any machine can do it."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from functools import lru_cache
from typing import Any

from kt_models.cubes import Cube
from kt_models.enumeration import Task
from kt_models.errors import TooLarge

MOST_TOURS = 2_000_000
"""Most tours that a cube may have: they are held in memory until it is finished.  With more it is cut finer."""
LATE, MEMORY, MANY = "out of time", "out of memory", "more tours than a cube may have"
SWEEP_MEMORY = 2_000_000_000


def solve_cube(
    task_text: str, name: str, seconds: float, engine: str = "auto", memory: int = SWEEP_MEMORY
) -> dict[str, Any]:
    """All solutions of a cube, or why not.

    Parameters
    ----------
    task_text
        The task's JSON.
    name
        The cube.
    seconds
        How long it may take.
    memory
        Bytes that a count's tables may take.

    Returns
    -------
    dict
        `cube`, `seconds`, `engine`, and either `found` with `solutions` (pairs of key and edges; empty where they are
        only counted) or `reason`.
    """
    task = _task(task_text)
    started = time.monotonic()
    answer: dict[str, Any] = {"cube": name, "solutions": []}
    try:
        part = replace(task, problem=Cube.parse(name).of(task.problem))
        answer |= _counted(part, seconds, memory) if _by_sweep(task, engine) else _listed(task, part, seconds, engine)
    except MemoryError:
        answer |= {"reason": MEMORY, "solutions": []}
    answer["seconds"] = time.monotonic() - started
    return answer


@lru_cache(maxsize=4)
def _task(text: str) -> Task:
    return Task.from_json(json.loads(text))


def _by_sweep(task: Task, engine: str) -> bool:
    return task.counting and engine == "auto" and not task.problem.symmetry


def _counted(part: Task, seconds: float, memory: int) -> dict[str, Any]:
    from kt_models.frontier import Stopped, count_solutions

    deadline = time.monotonic() + seconds
    problem = part.problem if part.value is not None else replace(part.problem, objective=None)
    try:
        counts = count_solutions(
            problem,
            by_value=part.value is not None,
            at_most=part.value,
            memory=memory,
            stop=lambda: time.monotonic() > deadline,
        )
    except Stopped:
        return {"engine": "sweep", "reason": LATE}
    except TooLarge:
        return {"engine": "sweep", "reason": MEMORY}
    found = counts.total if part.value is None else (counts.by_value or {}).get(part.value, 0)
    return {"engine": "sweep", "found": found}


def _listed(task: Task, part: Task, seconds: float, engine: str) -> dict[str, Any]:
    from encoders.enumeration import chosen_engine, enumerate_tours
    from encoders.run import Run, Stopped

    solutions: dict[str, list[int]] = {}
    count, name = 0, chosen_engine(part, engine)
    try:
        for tour in enumerate_tours(part, Run(max(seconds, 1e-3), 1, minimises=False), engine=engine):
            count += 1
            if task.counting:
                continue
            solutions[task.key(tour)] = sorted(task.representative(tour).edges.tolist())
            if len(solutions) > MOST_TOURS:
                return {"engine": name, "reason": MANY}
    except Stopped:
        return {"engine": name, "reason": LATE}
    return {"engine": name, "found": count, "solutions": list(solutions.items())}
