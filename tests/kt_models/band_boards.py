"""What the tests of bounds by bands of columns share: random prices and holes, and fewest crossings by trying all."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from encoders.bounds.methods.bands import widths_of
from kt_models import CertificateError, Problem, graph_of
from kt_models.kernel.certificates.bands.board import BandBoard, set_prices
from kt_models.kernel.certificates.bands.bound import bound
from tests import brute

FEWEST = {(5, 6): 44, (6, 6): 50, (6, 7): 55, (6, 8): 58}
"""Fewest crossings of 2-factors."""


def fewest_by_trying(width: int, height: int, holes: frozenset[int] = frozenset()) -> int | None:
    """The fewest crossings of a 2-factor: the moves of one cell after the other, each way with two at each cell."""
    cells = [(x, y) for x, y in itertools.product(range(width), range(height)) if y * width + x not in holes]
    moves = [(a, b) for a, b in itertools.combinations(cells, 2) if {abs(a[0] - b[0]), abs(a[1] - b[1])} == {1, 2}]
    at = {c: [i for i, move in enumerate(moves) if c in move] for c in cells}
    cross = [[brute._meet(*first, *second) for second in moves] for first in moves]
    cells.sort(key=lambda c: (c[1], c[0]) if width < height else c)
    best: list[int] = []

    def go_on(k: int, chosen: list[int], decided: frozenset[int], value: int) -> None:
        if best and value >= best[-1]:
            return
        if k == len(cells):
            best.append(value)
            return
        missing = 2 - sum(cells[k] in moves[i] for i in chosen)
        new = [i for i in at[cells[k]] if i not in decided]
        for some in itertools.combinations(new, missing) if missing >= 0 else ():
            more = [cross[i][j] for i in some for j in chosen]
            go_on(k + 1, [*chosen, *some], decided | set(new), value + sum(more))

    go_on(0, [], frozenset(), 0)
    return best[-1] if best else None


def problem_of(width: int, height: int, connectivity: Any = "cycle") -> Problem:
    return Problem(graph_of(f"{width}x{height}"), connectivity, "crossings")


def prices_of(width: int, height: int, most: int = 0, seed: int = 0, widths: list[int] | None = None) -> dict[str, Any]:
    """Data with random prices."""
    width, height = sorted((width, height))
    number = len(BandBoard(width, height, [width]).moves)
    random = np.random.default_rng(seed)
    across, middle = random.integers(-most, most + 1, (2, number)).tolist()
    row = {"row": random.integers(-most, most + 1, width).tolist()} if height % 2 else {}
    return {"bands": widths or widths_of(width), "across": across, "middle": middle, **row}


def give(board: BandBoard, data: dict[str, Any]) -> None:
    """Set the prices of a board that is the same upside down."""
    across, middle, row = (np.array(data.get(name, []), dtype=np.int64) for name in ("across", "middle", "row"))
    set_prices([board], [across], middle, row)


def is_shown(width: int, height: int, data: dict[str, Any], at_least: int) -> bool:
    try:
        return bound(problem_of(width, height, "any"), {**data, "at_least": at_least}) == at_least
    except CertificateError:
        return False


def greatest(width: int, height: int, data: dict[str, Any], top: int) -> int:
    """The greatest bound that is shown, of those next to a value."""
    values = [at_least for at_least in (top - 1, top, top + 1) if is_shown(width, height, data, at_least)]
    assert values in ([], [top - 1], [top - 1, top], [top - 1, top, top + 1])
    return values[-1]


def moved(moves: frozenset[frozenset[int]], image: Callable[[int], int]) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(map(image, move)) for move in moves)


def with_holes(width: int, height: int, number: int, random: np.random.Generator) -> frozenset[int]:
    """A number of holes, half of them of either colour; of an odd number, one more of the colour of the corners."""
    cells = random.permutation(width * height).tolist()
    black = [cell for cell in cells if (cell % width + cell // width) % 2 == 0]
    white = [cell for cell in cells if (cell % width + cell // width) % 2]
    return frozenset([*black[: (number + 1) // 2], *white[: number // 2]])
