"""Lower bounds of crossings, proved in a background thread while other stages look for tours."""

from __future__ import annotations

from encoders.stages import Solving, Stage


def work(solving: Solving) -> None:
    """Start the thread."""
    bounding, run = solving.bounding, solving.run
    if bounding is not None:
        run.helpers.callback(bounding.interrupt)
        bounding.begin(run)


STAGE = Stage(
    "bounds",
    "bounds of crossings, beside all that follows",
    12,  # The delivered certificate comes first: it may complete the answer.
    frozenset({"bound"}),
    work,
    lambda solving: solving.bounding is not None,
)
