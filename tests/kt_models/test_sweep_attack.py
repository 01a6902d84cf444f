"""Some hundred random problems of the attack on sweeps (`tests.fuzz.sweeps`): nothing false is accepted."""

from __future__ import annotations

import random

import pytest

from tests.effort import part_of, slow
from tests.fuzz.sweeps import Attack, random_problem, values_of


@pytest.mark.parametrize("seed", [0, *slow(range(1, 4))])
def test_whatever_is_accepted_is_true(seed: int) -> None:
    attack = Attack()
    attack.run(seed, part_of(100))
    assert not attack.faults
    assert attack.figures["regions accepted"] > part_of(20) and attack.figures["frontier accepted"] > part_of(20)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 104))
def test_whatever_is_accepted_is_true_in_the_long_run(seed: int) -> None:
    attack = Attack()
    attack.larger = 0.1
    attack.run(seed, 2500)
    assert not attack.faults


def test_the_problems_are_of_every_kind() -> None:
    """The attack would be worth little if its problems had no solutions, or were all alike."""
    problems = [random_problem(random.Random(k)) for k in range(300)]
    kinds = {(p.connectivity, len(p.terminals)) for p in problems if values_of(p)}
    assert len(kinds) >= 9
    assert any(p.symmetry for p in problems) and any(p.required for p in problems)
