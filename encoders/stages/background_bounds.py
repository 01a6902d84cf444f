"""Lower bounds of crossings, proved in a background thread while other stages look for tours."""

from __future__ import annotations

from encoders.stages import Solving, Stage


def work(solving: Solving) -> None:
    """Start the thread."""
    solving.helpers.start_bounds()


STAGE = Stage(
    "bounds",
    "bounds of crossings, beside all that follows",
    frozenset({"bound"}),
    work,
    lambda solving: solving.helpers.bounds is not None,
)
