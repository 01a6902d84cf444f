"""A search for the rows and columns of a rectangle that can be repeated, where a file does not name them.

Nothing here has to be right: `strands` checks what is found.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from random import Random

import numpy as np

from kt_models.errors import CertificateError
from kt_models.limits import NO_LIMITS, Limits
from theorems.growing_tours.bundles import BOTH, Bundle, Slabs
from theorems.growing_tours.inflation import Truths
from theorems.growing_tours.lines import MAX_MARGINS
from theorems.growing_tours.rectangles import RectangleBoard
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

    The first are of a board D(I, J) that grows in both ways. The others are of boards D(i, j) with i < I, which grow
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
        RectangleBoard(family, Slabs(times)).check_one_cycle(MAX_MARGINS)
        choices = [(growth, places) for growth in growths for places in _places(family, times, growth)]
        random = Random(0)
        middle = [places[len(places) // 2] for _, places in choices if places]
        tries = [middle, *([random.choice(places) for _, places in choices if places] for _ in range(TRIES))]
        for bundles in tries if all(places for _, places in choices) else ():
            slabs = Slabs(times, tuple((bundle,) for bundle in bundles), tuple(growth for growth, _ in choices))
            if _can_be_repeated(family, slabs, limits):
                return slabs
    raise CertificateError("no slabs were found that a growth of the family repeats")


def _can_be_repeated(family: TourFamily, slabs: Slabs, limits: Limits) -> bool:
    limits.check()
    try:
        RectangleBoard(family, slabs).inflation().check_one_cycle(limits)
    except CertificateError:
        return False
    return True


def _places(family: TourFamily, times: tuple[int, int], growth: int) -> list[list[Bundle]]:
    """The bundles that a growth may repeat on a board, for each direction of lines and each regime that grows."""
    left, right, low, high = family.zoned
    (columns, rows), width = map(sum, family.added(times)), family.grown(times)[0]
    inner = family.codes[left:right, low:high]
    empty = right + columns == left or high + rows == low
    p, q = family.growths[growth].step
    choices: list[list[Bundle]] = []
    for mirrored, line in enumerate(LINES):
        if (inner == line).any() and not (empty and mirrored):  # Without runs, cells are numbered in one way
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
    # The columns (rows) where the first line leaves the margin and the last one meets the side, or the reverse
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


# -- round a closed loop -----------------------------------------------------------------------------------------------

STEP = 8
"""Columns and rows that a step adds to the squares of which a loop is searched."""
MAX_SQUARES = 10
"""Most squares that are searched for a loop."""
SLACK = 5
"""Least distance between the places of a cut and the corners of the interior."""
PLACE_OFFSETS = range(-4, 5)
"""Offsets at which the places of a cut are searched, from where the sides of the interior put them."""
LOOP = ((0, STEP), (3, STEP // 2), (3, -STEP // 2), (2, STEP), (1, -STEP // 2), (1, STEP // 2))
"""The sides of the six places of a cut, and how far it is to those of the next one."""
SlabPlaces = tuple[int, ...]
"""Places of a cut: bottom, left (lower and upper), top, right (lower and upper)."""


def find_loop(family: TourFamily, limits: Limits = NO_LIMITS) -> tuple[Slabs, ...]:
    """The slab of a square, between a closed loop of lines that sides reflect six times and the next loop.

    Raises
    ------
    CertificateError
        If none is found.
    Stopped
        If a limit is reached.
    """
    if [growth.step for growth in family.growths] == [(STEP, STEP // 2), (0, STEP // 2)]:
        for times in itertools.islice(family.squares(), MAX_SQUARES):
            board = RectangleBoard(family, Slabs(times))
            board.check_one_cycle(MAX_MARGINS)
            for cut in _loops(board):
                if _can_be_repeated(family, slabs := loop_slab(times, cut), limits):
                    return (slabs,)
    raise CertificateError("no cut of a square of the family was found whose slab can be repeated")


def loop_slab(times: tuple[int, int], cut: SlabPlaces) -> Slabs:
    """The slab between a cut and the next one."""
    sides = zip(LOOP, cut, strict=True)
    bundles = tuple(Bundle(side, place if lines > 0 else place + lines, lines) for (side, lines), place in sides)
    return Slabs(times, (bundles,), (BOTH,), along_sides=True)


def _loops(board: RectangleBoard) -> Iterator[SlabPlaces]:
    """Candidates for cuts that no run crosses."""
    left, right, low, high = board.box
    for bottom in range(left + SLACK, right - SLACK - STEP):
        along = bottom - left
        # Lines of slopes 1/2 and 2 through the bottom place meet the other sides here
        up, down = (right - left + along) // 2, (right - left - along) // 2
        cuts: list[SlabPlaces] = [(bottom, low + along // 2, high - along // 2, left + along, low + down, low + up)]
        for k in range(1, len(LOOP)):  # One place after the other; a beam keeps the cuts that the fewest runs cross
            ranked: dict[int, list[SlabPlaces]] = {}
            for cut in cuts:
                for more in PLACE_OFFSETS:
                    moved = (*cut[:k], cut[k] + more, *cut[k + 1 :])
                    below = _below(board, moved)
                    across = int((below[board.first] != below[board.first + 1]).sum())
                    ranked.setdefault(across, []).append(moved)
            cuts = ranked[min(ranked)][:4]
        yield from cuts


def _below(board: RectangleBoard, cut: SlabPlaces) -> Truths:
    """Which nodes are about the bottom left or the top left corner, or in the middle of the right side."""
    bottom, low_left, high_left, top, low_right, high_right = cut
    (left, _, low, high), (x, y) = board.box, board.nodes.cells[board.beside].T
    sides = np.where(x < left, (y < low_left) | (y >= high_left), (low_right <= y) & (y < high_right))
    return np.where(y < low, x < bottom, np.where(y >= high, x < top, sides))
