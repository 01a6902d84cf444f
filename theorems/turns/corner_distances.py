"""How far from its corners a square with few turns inside may differ from a plane, a regular pattern of lines.

The numbers are those of the proof: Lemma 15 (empty lines are near corners), Lemma 16 (wrong runs are near corners),
Lemma 17 (corners without turns), Lemma 18 (disturbed ends) and Lemma 19 (sets off the plane).
"""

from __future__ import annotations

MAX_INTERIOR_TURNS = 5
"""Most turns inside for which claims are accepted."""


def least_side(turns: int) -> int:
    """Sufficient side of S."""
    # These formulas are proved by hand: a change here needs a change in the lemmas
    return 165 * (turns + 1)


def corner_square(turns: int) -> int:
    """Side u of the squares at the corners outside of which no line is empty."""
    return 11 * turns + 6


def corner_zone(turns: int) -> int:
    """Side of the squares at the corners that must contain a turn if the smaller squares differ from the plane."""
    return 3 * corner_square(turns)


def turn_reach(turns: int) -> int:
    """Largest distance, in columns and rows, from a disturbed end to its own turn."""
    return 6 * turns


def set_span(turns: int) -> int:
    """Largest difference of columns or rows between the outer cells of a set off the plane."""
    paths = turns // 2 + 1
    return (
        2 * (max(turns + (paths + own_turns) * (turns - own_turns) for own_turns in range(turns + 1)) - 1)
        if turns
        else 0
    )
