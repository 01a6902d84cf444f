"""A forecast of a list from random parts of it, for tours of any board, graph and symmetry.

The task is cut as a run is. Where a part takes longer than a moment, one of its parts is chosen at random and stands
for all of them, so that the expected sum is the true one (Knuth, "Estimating the efficiency of backtrack programs",
1975).
Few parts give the order of magnitude: large parts are rare, and one that was not met is missing.
"""

from __future__ import annotations

import json
import random
import time
from dataclasses import dataclass
from typing import Any

from encoders.counting.forecast import rounded, spelt
from encoders.enumeration.job import solve_cube
from encoders.enumeration.split import Splitter
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.runs.cubes import Cube
from kt_models.runs.tour_task import TourTask

SAMPLE_SECONDS = 10.0
"""Seconds of the clock for all parts, beyond which no further one begins."""
PART_SECONDS = 0.5
PARTS = 8


@dataclass(frozen=True)
class SampleForecast:
    """The expected cost of a list.

    Parameters
    ----------
    seconds
        Seconds of one processor.
    count
        Tours, or classes of tours.
    parts
        Parts that were listed; 1 if it was the whole list.
    whole
        Whether nothing was left to estimate.
    """

    seconds: float
    count: float
    parts: int
    whole: bool

    def to_json(self) -> dict[str, Any]:
        """The keys `expected_seconds`, `expected_count` (null if no part had a tour) and `basis`."""
        count = round(self.count) if self.count or self.whole else None
        keys = {"expected_seconds": round(self.seconds, 1), "expected_count": count}
        return {**keys, "basis": self.basis}

    @property
    def basis(self) -> str:
        """The grounds of the forecast, in words."""
        if self.whole:
            return "the whole list"
        return "1 random part" if self.parts == 1 else f"{self.parts:,} random parts, which give the order of magnitude"

    @property
    def text(self) -> str:
        """In words."""
        about = f"about {rounded(self.count)} to list" if self.count else "no tour in the parts that were listed"
        found = f"{self.count:,.0f} to list" if self.whole else about
        return f"{found}, {spelt(self.seconds)} of one processor, by {self.basis}"


def forecast_by_sample(
    task: TourTask, limits: Limits = NO_LIMITS, on_progress: Listener = silent, seconds: float = SAMPLE_SECONDS
) -> SampleForecast:
    """The expected cost of listing tours, one by one; a sweep may count them sooner.

    Raises
    ------
    Stopped
        If the limits are reached before the first part is listed.
    """
    text = json.dumps(task.to_json(), sort_keys=True)
    choice = random.Random(limits.seed or 0)
    ends = time.monotonic() + seconds
    cut: dict[str, list[Cube]] = {}
    costs: list[tuple[float, float]] = []
    with Splitter(task, limits) as splitter:
        while not costs or (time.monotonic() < ends and not limits.over):
            cube, times = Cube(), 1
            while True:
                limits.check()
                if cube.name not in cut:
                    answer = solve_cube(text, cube.name, PART_SECONDS)
                    parts = splitter.split(cube, PARTS) if "reason" in answer else []
                    if len(parts) < 2:
                        break
                    cut[cube.name] = parts
                times *= len(cut[cube.name])
                cube = choice.choice(cut[cube.name])
            costs.append((times * answer["seconds"], times * answer.get("count", 0)))
            on_progress(Report(words=f"{len(costs):,} parts listed"))
            if times == 1:
                break
    total, count = (sum(column) / len(costs) for column in zip(*costs, strict=True))
    return SampleForecast(total, count, len(costs), not cut)
