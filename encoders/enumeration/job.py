"""One cube as a job: JSON in, JSON out, nothing shared, so that any process on any machine can do it."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from typing import Any

from kt_models.errors import TooLarge
from kt_models.limits import Limits, Stopped
from kt_models.runs.bounds import BoundTask
from kt_models.runs.cubes import Cube
from kt_models.runs.gadgets import GadgetTask
from kt_models.runs.kinds import task_of_json
from kt_models.runs.task import Task
from kt_models.runs.tours import TourTask

MOST_TOURS = 2_000_000
"""Most solutions that a cube may have: they are held in memory until it is finished.  With more it is cut finer."""
LATE, MEMORY, MANY = "out of time", "out of memory", "more solutions than a cube may have"
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
    engine
        Who lists tours.
    memory
        Bytes that a count's tables may take.

    Returns
    -------
    dict
        `cube`, `seconds` (of the processor), `engine`, and either `count` with `solutions` (pairs of key and edges;
        empty where they are only counted), `by_value` (pairs) and, of a bound, `proof` and the digest of the `formula`
        it begins from; or `reason`.
    """
    task, cube = _task(task_text), Cube.parse(name)
    if isinstance(task, BoundTask):
        from encoders.enumeration.refute import base_of, refute

        base = base_of(task_text)  # once in a process, and not in the cube's time
    started = time.process_time()
    answer: dict[str, Any] = {"cube": name, "solutions": [], "by_value": []}
    limits = Limits(seconds, workers=1)
    try:
        if isinstance(task, BoundTask):
            answer |= {"engine": "sat"} | refute(base, cube, limits)
        elif isinstance(task, GadgetTask):
            answer |= _gadgets(task, cube, limits)
        elif isinstance(task, TourTask):
            part = replace(task, problem=cube.of(task.problem))
            if _by_sweep(task, engine):
                answer |= _counted(part, limits, memory)
            else:
                answer |= _listed(task, part, limits, engine)
    except MemoryError:
        answer |= {"reason": MEMORY, "solutions": []}
    except Stopped:
        answer |= {"reason": LATE, "solutions": []}
    answer["seconds"] = time.process_time() - started
    return answer


@lru_cache(maxsize=4)
def _task(text: str) -> Task:
    return task_of_json(json.loads(text))


def _by_sweep(task: TourTask, engine: str) -> bool:
    return task.counting and engine == "auto" and not task.problem.symmetry


def _counted(part: TourTask, limits: Limits, memory: int) -> dict[str, Any]:
    from kt_models.certificates.frontier import count_solutions

    valued = part.value is not None or part.by_value
    try:
        counts = count_solutions(
            part.problem if valued else replace(part.problem, objective=None),
            by_value=valued,
            at_most=part.value,
            limits=replace(limits, memory=memory),
        )
    except Stopped:
        return {"engine": "sweep", "reason": LATE}
    except TooLarge:
        return {"engine": "sweep", "reason": MEMORY}
    by_value = counts.by_value or {}
    found = counts.total if part.value is None else by_value.get(part.value, 0)
    return {"engine": "sweep", "count": found, "by_value": list(by_value.items()) if part.by_value else []}


def _listed(task: TourTask, part: TourTask, limits: Limits, engine: str) -> dict[str, Any]:
    from encoders.enumeration import chosen_engine, enumerate_tours

    solutions: dict[str, list[int]] = {}
    values: Counter[int | None] = Counter()
    name, count = chosen_engine(part, engine), 0
    for tour in enumerate_tours(part, limits, engine=engine):
        count += 1
        if task.by_value:
            values[task.problem.value(tour.edges)] += 1
        if task.counting:
            continue
        solutions[task.key(tour)] = sorted(task.representative(tour).edges.tolist())
        if len(solutions) > MOST_TOURS:
            return {"engine": name, "reason": MANY}
    return {
        "engine": name,
        "count": count,
        "solutions": list(solutions.items()),
        "by_value": sorted(values.items()) if task.by_value else [],
    }


def _gadgets(task: GadgetTask, cube: Cube, limits: Limits) -> dict[str, Any]:
    from encoders.gadgets.search import search_cube

    found = search_cube(task, cube, MOST_TOURS, limits)
    if not found.complete:
        return {"engine": "sat", "reason": LATE if limits.over else MANY}
    solutions = [(task.key(gadget), sorted(gadget.edges.tolist())) for gadget in found.gadgets]
    return {"engine": "sat", "count": len(solutions), "solutions": solutions}
