"""The known families: read from `heuristics/gadgets/strands-*.json`, with the commands that find them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from heuristics.constructions.strands.walk import interior
from kt_models.errors import KTError
from kt_models.json_version import read_document
from kt_models.storage import read_json
from theorems.growing_tours.codes import count
from theorems.growing_tours.zones import CHAINS_KIND, KIND, SPIRALS_KIND, SQUARES_KIND, TourFamily

FOLDER = Path(__file__).parents[2] / "gadgets"
FILES = {"turns": ("turns",), "crossings": ("crossings", "both"), "both": ("turns", "both")}
"""The files for each objective: `strands-NAME.json` and `strands-NAME-*.json`."""
SQUARE_KINDS = (SQUARES_KIND, CHAINS_KIND, SPIRALS_KIND)
"""Kinds of families that consist of squares."""
MIN_SIDE = 10
"""Least side of a board in a family; for a smaller one no file is read."""
SETTLED = 6
"""Steps of a growth after which each further step adds the same number of turns and crossings."""


@cache
def load_families(metric: str, kinds: Sequence[str] = (KIND,)) -> tuple[TourFamily, ...]:
    """The families with few turns, with few crossings, or with few of both together; all boards, or only squares.

    Raises
    ------
    KTError
        If a file is not such a list, or contains something else.
    """
    families: list[TourFamily] = []
    for name in FILES[metric]:
        for path in sorted([*FOLDER.glob(f"strands-{name}.json"), *FOLDER.glob(f"strands-{name}-*.json")]):
            data = read_json(path)
            if not isinstance(data, dict) or data.get("kind") not in (KIND, *SQUARE_KINDS):
                raise KTError(f"{path.name}: not a file of strands tours")
            data = read_document(data, data["kind"])
            if data["kind"] in kinds:
                families += [TourFamily.from_json(entry) for entry in data["families"]]
    return tuple(families)


@dataclass(frozen=True, eq=False)
class Member:
    """A board of a family.

    Parameters
    ----------
    times
        The number of applications of each growth.
    transposed
        Whether the requested board has columns and rows exchanged.
    """

    family: TourFamily
    times: tuple[int, ...]
    transposed: bool

    def count(self, metric: str) -> int:
        """Turns, crossings or both together, in constant time once each growth step adds the same number."""
        if metric == "both":
            return self.count("turns") + self.count("crossings")
        family = self.family
        lined = interior(family, self.times) != (0, 0, 0, 0) and (metric == "turns" or family.one_direction)
        near = tuple(
            min(k, growth.least + SETTLED) if lined else k for k, growth in zip(self.times, family.growths, strict=True)
        )
        if family.times(*family.grown(near)) != near:
            near = self.times
        total = base = count(family.board_codes(near), metric)
        for i, (k, part) in enumerate(zip(self.times, near, strict=True)):
            if k > part:
                more = (*near[:i], part + 1, *near[i + 1 :])
                total += (k - part) * (count(family.board_codes(more), metric) - base)
        return total


def members(width: int, height: int, metric: str) -> Iterator[Member]:
    """The members of families that a board is, in either orientation."""
    for transposed, (w, h) in ((False, (width, height)), (True, (height, width))):
        if (transposed and w == h) or min(w, h) < MIN_SIDE:
            return
        squares = load_families(metric, SQUARE_KINDS) if w == h else ()
        for family in (*load_families(metric), *squares):
            if (times := family.times(w, h)) is not None:
                yield Member(family, times, transposed)
