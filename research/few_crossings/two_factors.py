"""The fewest crossings of any 2-factor of a rectangle, by the bounds of method `bands`, which are exact so far."""

from __future__ import annotations

from encoders.bounds import certify_lower_bound
from kt_models import Problem, graph_of
from kt_models.limits import Report


def show_fewest(width: int, height: int) -> None:
    """The fewest crossings of a 2-factor of a board that has one, with a line for each step on the way."""
    name = f"{width}x{height}"

    def show(now: Report) -> None:
        print(f"{name}: {now.text}", flush=True)

    certify_lower_bound(Problem(graph_of(name), "any", "crossings"), method="bands", on_progress=show)
