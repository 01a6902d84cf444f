"""2-factors with few turns: the delivered one has as few as the paper says, and the program finds others."""

from __future__ import annotations

from collections import Counter

import pytest

from kt_models.errors import KTError
from kt_models.files.check import check_file
from kt_models.storage import read_json
from research.two_factors import two_factor
from tests.house import ROOT

FILE = ROOT / "heuristics" / "delivered" / "two_factors" / "turns-22x22.json"


def turns(cycles: list[list[list[int]]]) -> int:
    """Cells at which cycles change direction, counted by a few lines that share no code."""
    count = 0
    for cycle in cycles:
        for before, cell, after in zip(cycle[-1:] + cycle, cycle, cycle[1:] + cycle[:1], strict=False):
            (a, b), (c, d) = ([q - p for p, q in zip(x, y, strict=True)] for x, y in ((before, cell), (cell, after)))
            assert sorted(map(abs, (a, b))) == [1, 2]
            count += (a, b) != (c, d)
    return count


def test_the_delivered_2_factor_is_one_with_8n_minus_22_turns() -> None:
    cycles = read_json(FILE)["cycles"]
    assert len(cycles) > 1 and set(Counter(tuple(cell) for cycle in cycles for cell in cycle).values()) == {1}
    assert sum(map(len, cycles)) == 22 * 22 and turns(cycles) == 8 * 22 - 22
    assert "with 154 turns" in check_file(FILE).text
    assert "research.two_factors 22 154" in (ROOT / "docs" / "paper" / "fewest-turns.md").read_text()


def test_two_factors_are_found_on_small_squares() -> None:
    result = two_factor(6, 32)
    assert result.value is not None and result.value <= 32
    assert turns(result.to_json()["cycles"]) == result.value
    with pytest.raises(KTError, match="no 2-factor"):
        two_factor(6, 20)
