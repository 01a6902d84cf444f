"""The search for places of slabs in rectangles, for makers of files and for older files that name none.

Nothing here has to be right: `strands` checks what is found.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from random import Random

from kt_models.errors import CertificateError
from kt_models.limits import NO_LIMITS, Limits
from theorems.growing_tours.rectangles import RectangleBoard, SlabRectangle, Slabs
from theorems.growing_tours.slabs import MAX_MARGINS, Bundle
from theorems.growing_tours.zones import LINES, TourFamily

MAX_LINES_CROSSED = 5
"""Most lines that a move crosses."""
MAX_GROWTH_STEPS = 24
"""Most steps of a growth that are tried."""
TRIES = 40
"""Most choices of slabs that are tried on one board."""
REGIMES = (("bottom", "left"), ("right", "left"), ("right", "top"))
"""The sides that lines of direction (-2, 1) join, in the order of their numbers."""


def find_slabs(family: TourFamily, limits: Limits = NO_LIMITS) -> tuple[Slabs, ...]:
    """Slabs of boards from which all boards of a family follow, except for finitely many.

    The first are of a board D(I, J) that grows in both ways.  The others are of boards D(i, j) with i < I, which grow
    in the second way, and with j < J, which grow in the first.

    Raises
    ------
    CertificateError
        If none are found.
    Stopped
        If a limit is reached.
    """
    first, second = (growth.least for growth in family.growths)
    diagonal = ((first + more, second + more) for more in range(1, MAX_GROWTH_STEPS))
    slabs = [_first(family, diagonal, (0, 1), limits)]
    last = slabs[0].times
    for j in range(second, last[1]):
        slabs.append(_first(family, ((first + more, j) for more in range(MAX_GROWTH_STEPS)), (0,), limits))
    for i in range(first, last[0]):
        slabs.append(_first(family, ((i, second + more) for more in range(MAX_GROWTH_STEPS)), (1,), limits))
    return tuple(slabs)


def _first(family: TourFamily, boards: Iterator[tuple[int, int]], growths: Sequence[int], limits: Limits) -> Slabs:
    """Slabs of the first of some boards that has any which are repeated by growths."""
    for times in boards:
        if not family.has(*times):
            continue
        RectangleBoard(family, times).check_one_cycle(MAX_MARGINS)
        choices = [(growth, places) for growth in growths for places in _places(family, times, growth)]
        random = Random(0)
        middle = [places[len(places) // 2] for _, places in choices if places]
        tries = [middle, *([random.choice(places) for _, places in choices if places] for _ in range(TRIES))]
        for bundles in tries if all(places for _, places in choices) else ():
            limits.check()
            slabs = Slabs(times, tuple((bundle,) for bundle in bundles), tuple(growth for growth, _ in choices))
            try:
                SlabRectangle(family, slabs).inflation().check_one_cycle(limits)
            except CertificateError:
                continue
            return slabs
    raise CertificateError("no slabs were found that a growth of the family repeats")


def _places(family: TourFamily, times: tuple[int, int], growth: int) -> list[list[Bundle]]:
    """The bundles that a growth may repeat on a board, for each direction of lines and each regime that grows."""
    left, right, low, high = family.zoned
    (columns, rows), width = map(sum, family.added(times)), family.grown(times)[0]
    inner = family.codes[left:right, low:high]
    empty = right + columns == left or high + rows == low
    p, q = family.growths[growth].step
    choices: list[list[Bundle]] = []
    for mirrored, line in enumerate(LINES):
        if (inner == line).any() and not (empty and mirrored):  # without runs, cells are numbered in one way
            image = family.mirrored if mirrored else family
            for sides, lines in zip(REGIMES, (p, 2 * q - p, p), strict=True):
                if lines:
                    cuts = _cuts(image, times, sides, lines) if lines > 0 else ()
                    choices.append(
                        [Bundle(0, width - t - lines, lines) if mirrored else Bundle(2, t, lines) for t in cuts]
                    )
    return choices


def _cuts(family: TourFamily, times: tuple[int, int], sides: tuple[str, str], lines: int) -> Iterator[int]:
    """The least numbers of so many lines that meet the margins only in copies of one zone on each side."""
    width, height = family.grown(times)
    for t in range(MAX_LINES_CROSSED, width + 2 * height - lines):
        if all(_in_one_zone(family, times, side, t, lines) for side in sides):
            yield t


def _in_one_zone(family: TourFamily, times: tuple[int, int], side: str, t: int, lines: int) -> bool:
    """Whether lines, and those about them, meet the margin of a side only in copies of one zone."""
    width, height = family.grown(times)
    first, last = t - MAX_LINES_CROSSED, t + lines + MAX_LINES_CROSSED - 1
    # the columns (rows) where the first line leaves the margin and the last one meets the side, or the reverse
    if side == "bottom":
        low, high = first - 2 * (family.rows[0].start - 1), last
    elif side == "top":
        low, high = first - 2 * (height - 1), last - 2 * (height - family.size[1] + family.rows[-1].end)
    elif side == "left":
        low, high = (first - family.columns[0].start + 1) // 2, (last + 1) // 2
    else:
        depth = family.size[0] - family.columns[-1].end
        low, high = (first - width + 1) // 2, (last - width + depth + 1) // 2
    axis = 0 if side in ("bottom", "top") else 1
    zones, added = (family.columns, family.rows)[axis], family.added(times)[axis]
    shifts = [0, *itertools.accumulate(added)]
    return any(zone.start + shifts[k] <= low and high < zone.end + shifts[k + 1] for k, zone in enumerate(zones))
