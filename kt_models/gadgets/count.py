"""How many gadgets there are, counted exactly by a sweep, which shows that a list is complete and none is better."""

from __future__ import annotations

from dataclasses import replace

from kt_models.certificates.frontier import count_solutions
from kt_models.errors import KTError
from kt_models.gadgets.frame import Frame
from kt_models.gadgets.wanted import MAX_PAIRED, Wanted
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem


def count_gadgets(
    frame: Frame, wanted: Wanted, metric: str | None = None, at_most: int | None = None, limits: Limits = NO_LIMITS
) -> int:
    """The number of gadgets of a frame that are wanted, with at most so many turns or crossings.

    A pairing of the ports is a linkage of the ends of their lines.  So the gadgets with a pairing are the solutions of
    a problem of that connectivity, and no gadget has two pairings.

    Raises
    ------
    KTError
        If the frame is periodic or has too many ports.
    TooLarge
        If the sweep would take more memory than it may.
    Stopped
        If the limits are reached.
    """
    if frame.periodic or not 2 <= len(frame.ports) <= MAX_PAIRED:
        raise KTError(f"gadgets are counted where there is no period, and 2 to {MAX_PAIRED} ports")
    problem = frame.problem(metric)
    if wanted == Wanted():
        return _count(problem, at_most, limits)
    total = 0
    for pairing in wanted.pairings(frame):
        terminals = tuple(frame.ends[k] for pair in sorted(map(sorted, pairing)) for k in pair)
        total += _count(replace(problem, connectivity="linkage", terminals=terminals), at_most, limits)
    return total


def _count(problem: Problem, at_most: int | None, limits: Limits) -> int:
    """Solutions of at most a value, from the numbers of all values: quicker than with a cap, on so few cells."""
    counts = count_solutions(problem, by_value=at_most is not None, limits=limits)
    if counts.by_value is None or at_most is None:
        return counts.total
    return sum(count for value, count in counts.by_value.items() if value <= at_most)
