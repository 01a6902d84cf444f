"""The work on one cube of a run, as a function from JSON to JSON, which any process on any machine can do."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from functools import lru_cache
from typing import Any

from encoders.enumeration import SWEEP, Listing, is_swept, sweep_tours
from kt_models.errors import NoMemory, TooLarge
from kt_models.limits import Limits, Stopped
from kt_models.runs.bound_task import BoundTask
from kt_models.runs.cubes import Cube
from kt_models.runs.gadget_task import GadgetTask
from kt_models.runs.kinds import task_of_json
from kt_models.runs.task import Task
from kt_models.runs.tour_task import TourTask
from kt_models.tour import Tour

MAX_SOLUTIONS = 2_000_000
"""Most solutions of a cube: they stay in memory until it is finished. A cube with more is cut finer."""
LATE, MEMORY, MANY = "out of time", "out of memory", "more solutions than a cube may have"
SWEEP_MEMORY = 2_000_000_000


def solve_cube(
    task_text: str, cube_name: str, seconds: float, engine: str = "auto", memory: int = SWEEP_MEMORY
) -> dict[str, Any]:
    """Find all solutions of a cube, or the reason why it failed.

    Parameters
    ----------
    task_text
        The task's JSON.
    cube_name
        Name of the cube, which lists its decisions.
    seconds
        Time for the cube.
    engine
        The engine that lists tours.
    memory
        Bytes for the tables of a count.

    Returns
    -------
    dict
        `cube`, `seconds` (of the processor), `engine`; and either `count` with `solutions` (pairs of key and edges;
        empty if they are only counted), `by_value` (pairs) and, for a bound, `proof` and the digest of its `formula`;
        or `reason`.
    """
    task, cube = _task(task_text), Cube.parse(cube_name)
    if isinstance(task, BoundTask):
        from encoders.enumeration.refute import base_of, refute

        base = base_of(task_text)  # The base is made once in a process, outside of the cube's time.
    started = time.process_time()
    answer: dict[str, Any] = {"cube": cube_name, "solutions": [], "by_value": []}
    limits = Limits(seconds, workers=1)
    try:
        if isinstance(task, BoundTask):
            answer |= {"engine": "sat"} | refute(base, cube, limits)
        elif isinstance(task, GadgetTask):
            answer |= _gadgets(task, cube, limits)
        elif isinstance(task, TourTask):
            cube_task = replace(task, problem=cube.of(task.problem))
            if is_swept(task, engine):
                answer["engine"] = SWEEP
                try:
                    answer |= _answer(sweep_tours(cube_task, replace(limits, memory=memory)))
                except NoMemory:
                    raise
                except TooLarge:  # However small the cube, it is too wide for a sweep.
                    answer |= _listed(task, cube_task, limits, engine)
            else:
                answer |= _listed(task, cube_task, limits, engine)
    except (MemoryError, TooLarge) as error:
        if isinstance(error, TooLarge) and answer.get("engine") != SWEEP:
            raise
        answer |= {"reason": MEMORY, "solutions": []}
    except Stopped:
        answer |= {"reason": LATE, "solutions": []}
    answer["seconds"] = time.process_time() - started
    return answer


@lru_cache(maxsize=4)
def _task(text: str) -> Task:
    return task_of_json(json.loads(text))


def _listed(task: TourTask, cube_task: TourTask, limits: Limits, engine: str) -> dict[str, Any]:
    """The tours of a task in one cube."""
    from encoders.enumeration import list_tours

    solutions: dict[str, list[int]] = {}

    def keep(tour: Tour, count: int) -> None:
        if not task.counting:
            solutions[task.key(tour)] = sorted(task.representative(tour).edges.tolist())
        if len(solutions) > MAX_SOLUTIONS:
            raise Stopped(MANY)

    listing = list_tours(cube_task, limits, engine, keep)
    if not listing.complete:
        return {"engine": listing.engine, "reason": MANY if len(solutions) > MAX_SOLUTIONS else LATE}
    return _answer(listing) | {"solutions": list(solutions.items())}


def _answer(listing: Listing) -> dict[str, Any]:
    by_value = list((listing.by_value or {}).items())
    return {"engine": listing.engine, "count": listing.count, "by_value": by_value}


def _gadgets(task: GadgetTask, cube: Cube, limits: Limits) -> dict[str, Any]:
    from encoders.gadgets.search import search_cube

    result = search_cube(task, cube, MAX_SOLUTIONS, limits)
    if not result.complete:
        return {"engine": "sat", "reason": LATE if limits.over else MANY}
    solutions = [(task.key(gadget), sorted(gadget.edges.tolist())) for gadget in result.gadgets]
    return {"engine": "sat", "count": len(solutions), "solutions": solutions}
