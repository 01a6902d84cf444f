"""Concentric rings of a square: how much symmetry under a quarter turn raises the bound on turns, by sweeps of rings.

Lemma 8 (quarters of a ring) defines rings, and Lemma 10 (rings of all sizes) says why one square is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from kt_models.cells import Cell
from kt_models.errors import CertificateError
from kt_models.json_values import integer
from kt_models.limits import Limits
from theorems.turns.borders import MAX_BORDER_ROWS, Border, BorderSweep
from theorems.turns.sweeps import MOVES, START, WORD, SweepStates, low_mask

# Limits on files: the check of a ring takes a state for each set of open moves.
MAX_RINGS = 4
MAX_TURNS = 4


@dataclass(frozen=True)
class ConcentricRing:
    """A ring `rows` deep with at least `turns` turns in each quarter, in squares with a side of at least `least`."""

    rows: int
    turns: int
    least: int


def read_rings(data: Any, step: int) -> tuple[ConcentricRing, ...]:
    """Read the rings of a file, for a leaper whose longer leg is `step`.

    Raises
    ------
    CertificateError
        If the data are malformed.
    """
    if type(data) is not list or not 1 <= len(data) <= MAX_RINGS:
        raise CertificateError(f"turns: 'rings' is not a list of 1 to {MAX_RINGS} rings")
    rings = []
    for entry in data:
        if type(entry) is not dict or set(entry) != {"rows", "turns"}:
            raise CertificateError("turns: a ring is an object with the keys rows and turns")
        rows = integer(entry["rows"], "turns: rows of a ring", 1, MAX_BORDER_ROWS)
        turns = integer(entry["turns"], "turns: turns of a ring", 1, MAX_TURNS)
        rings.append(ConcentricRing(rows, turns, (turns + 1) * (rows + step)))
    return tuple(rings)


def most_ring_turns(rings: Sequence[ConcentricRing], side: int) -> int:
    """Most turns that disjoint rings show in a square."""
    # Dynamic programming over half the side: the outermost ring is left out, or taken with what is inside it
    best = [0]  # By half the side
    for half in range(1, side // 2 + 1):
        with_ring = [4 * ring.turns + best[half - ring.rows] for ring in rings if ring.least <= 2 * half]
        best.append(max([best[-1], *with_ring]))
    return best[max(side, 0) // 2]


def check_ring(ring: ConcentricRing, moves: Sequence[Cell], limits: Limits) -> None:
    """Check that no ring has fewer turns than `ring` claims (see `proof.md`).

    Checks Lemma 9 (turns of a ring).

    Raises
    ------
    CertificateError
        If a ring may have fewer, or there are too many states.
    """
    if len(moves) > MOVES:
        raise CertificateError("turns: rings need a piece with at most {MOVES} moves")
    reach = ring.rows + max(map(max, moves))
    # The least square whose middle columns see only one side
    side = 2 * reach + 1
    # Excess 1 for a turn, 0 for going straight: the sweep counts turns
    pairs = [(0 if a == (-b[0], -b[1]) else 1, a, b) for a, b in combinations(moves, 2)]
    options = {(x, y): pairs for x in range(side) for y in range(side)}
    sweep = BorderSweep(Border(ring.rows, 2, 0, ring.turns), options, (side, side), moves, reach, 1, limits)
    bottom, right = (sweep.sweep.open_moves(sweep.place(number, reach)) for number in range(2))
    (starts,) = sweep.sweep.advance(START, 0, sweep.place(0, reach), 1).words
    # numpy compares single words fastest, so number and state share one word
    if sweep.sweep.bits + len(starts).bit_length() > WORD:
        raise CertificateError("turns: a ring has too many states")
    # One sweep for all start states: the number of the start state is kept above the bits of the state
    # states of different origins never merge, as their numbers differ
    numbered = SweepStates.of(np.arange(len(starts), dtype=np.uint64) << np.uint64(len(bottom)) | starts)
    states = sweep.advance(sweep.middle(numbered, 0)[0], 0, side - reach, side)
    (ends,) = sweep.middle(sweep.advance(states, 1, ring.rows, reach), 1)[0].words
    # The start states after a quarter turn, in the bits of the right side
    starts_at_right = np.zeros(len(starts), dtype=np.uint64)
    for k, move in enumerate(bottom):
        place = np.uint64(right.index(_quarter_turned(move, ring.rows, moves)))
        starts_at_right |= (starts >> np.uint64(k) & np.uint64(1)) << place
    number = ends >> np.uint64(len(right))
    # A state that returns to itself, turned, would close a ring with too few turns
    if (starts_at_right[number] == ends & low_mask(len(right))).any():
        raise CertificateError(f"turns: a ring of {ring.rows} rows may have fewer than {4 * ring.turns} turns")


def _quarter_turned(move: int, rows: int, moves: Sequence[Cell]) -> int:
    """A move to a column of the bottom (see `CellSweep.open_moves`) as a move to a row of the right side."""
    (later, row), (dx, dy) = divmod(move // MOVES, rows), moves[move % MOVES]
    return MOVES * (later * rows + rows - 1 - row) + moves.index((-dy, dx))
