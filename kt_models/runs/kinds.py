"""Kinds of tasks of runs: their table, and the reader of tasks."""

from __future__ import annotations

from typing import Any

from kt_models.errors import KTError
from kt_models.runs.bound_task import BoundTask
from kt_models.runs.gadget_task import GadgetTask
from kt_models.runs.task import Task
from kt_models.runs.tour_task import TourTask

TASK_KINDS: dict[str, type[Task]] = {kind.kind: kind for kind in (TourTask, BoundTask, GadgetTask)}


def task_of_json(data: Any) -> Task:
    """Read the task of a JSON object that `Task.to_json` wrote.

    Raises
    ------
    KTError
        If a key is missing or of the wrong type.
    """
    kind = data.get("kind") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in TASK_KINDS:
        raise KTError(f"a run of kind {str(kind)[:40]!r}: known are {', '.join(TASK_KINDS)}")
    return TASK_KINDS[kind].from_json(data)
