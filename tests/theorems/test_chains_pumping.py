"""Pumping chains, tested apart from the squares that the checker follows: what conditions 1 to 5 say of any cycle.

Moves near a corner are exchanged, so that most squares fall into several cycles.  Where the slabs are still accepted,
the cycle through the bottom left cell has to go on as the argument says: its cells are a polynomial of degree two.
"""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from kt_models.errors import CertificateError
from tests.effort import slow
from theorems.growing_tours.chains import ChainBoard, ChainFamily
from theorems.growing_tours.codes import MOVES, PAIRS, Codes

DATA = json.loads((Path(__file__).parents[2] / "heuristics" / "gadgets" / "strands-turns-chains.json").read_text())
FAMILIES = [ChainFamily.from_json(entry) for entry in DATA["families"]]
CORNER = 8
"""Columns and rows of the corners that are in no zone, nor in front of one."""


def exchanged(codes: Codes, random: Random) -> Codes:
    """The moves of a table with two moves of a corner replaced by two others between the same four cells."""
    found, size = codes.copy(), len(codes)
    side = [*range(CORNER), *range(size - CORNER, size)]
    while True:
        cells = [(random.choice(side), random.choice(side))]
        pairs = random.randrange(8), random.randrange(8)
        for move in (*pairs, (pairs[0] + 4) % 8):  # round a parallelogram
            cells.append((cells[-1][0] + MOVES[move][0], cells[-1][1] + MOVES[move][1]))
        steps = [*pairs, *((move + 4) % 8 for move in pairs)]
        if len({*cells}) < 4 or any(x not in side or y not in side for x, y in cells):
            continue
        made = [{*PAIRS[found[cell]]} for cell in cells]
        ahead, behind = steps, [(steps[k - 1] + 4) % 8 for k in range(4)]
        old, new = ([one[k % 2][k] for k in range(4)] for one in ((ahead, behind), (behind, ahead)))
        if all(old[k] in made[k] and new[k] not in made[k] for k in range(4)):
            for k, cell in enumerate(cells):
                found[cell] = PAIRS.index(tuple(sorted(made[k] - {old[k]} | {new[k]})))
            return found


@pytest.mark.parametrize("number", [0, *slow(range(1, 8))])
def test_a_cycle_of_several_grows_as_it_should(number: int) -> None:
    random, accepted, several = Random(number), 0, 0
    family = FAMILIES[number]
    for _ in range(8):
        other = replace(family, codes=exchanged(family.codes, random))
        boards = [ChainBoard(other, family.steps + more) for more in range(6)]
        try:
            boards[0].check_pumping()
        except CertificateError:
            continue
        accepted += 1
        several += boards[0].cells < other.grown((family.steps, family.steps))[0] ** 2
        assert not np.diff([board.cells for board in boards], 3).any()
    assert accepted >= several > 0
