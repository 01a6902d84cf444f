"""No proof is accepted of a small formula that has a model, and both engines say the same."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import product
from random import Random

import dratify
import pytest

from kt_models import CertificateError
from kt_models.certificates.proofs import drat
from kt_models.certificates.proofs.drat import replay
from tests.effort import part_of

Steps = list[tuple[bool, list[int]]]


def has_model(clauses: list[list[int]], top: int) -> bool:
    """Whether some choice of truth values makes every clause true."""
    return any(
        all(any((x > 0) == values[abs(x) - 1] for x in clause) for clause in clauses)
        for values in product((False, True), repeat=top)
    )


def code(literal: int) -> int:
    return 2 * (abs(literal) - 1) + (literal < 0)


def random_clause(random: Random, top: int, most: int) -> list[int]:
    return [random.choice([-1, 1]) * random.randint(1, top) for _ in range(random.randint(1, most))]


def tempting_proof(random: Random, clauses: list[list[int]], top: int) -> Steps:
    """Random steps, deletions and new variables among them, of which dratify's defaults accept each."""
    formula = dratify.CNF(top + 2)
    formula.clauses = [tuple(map(code, dict.fromkeys(clause))) for clause in clauses]
    checker = dratify.DRATChecker(formula)
    steps: Steps = []
    standing = [list(clause) for clause in clauses]
    every = [
        [x for x in signs if x]
        for signs in product(*[(0, v, -v) for v in range(1, top + 1)])
        if random.random() < 0.9 and any(signs)
    ]
    every.sort(key=len, reverse=True)  # a way to the empty clause where there is one
    turns = random.choice([1, 2, 5, 10])
    for turn in range(turns + len(every)):
        if turn >= turns:
            if checker.check_step("a", [code(x) for x in every[turn - turns]]):
                steps.append((False, every[turn - turns]))
            continue
        deletes = random.random() < 0.4
        if deletes:
            clause = list(random.choice(standing)) if random.random() < 0.9 else random_clause(random, top + 2, 3)
            random.shuffle(clause)
        else:
            clause = random_clause(random, top + 2, 3) if random.random() < 0.9 else []
        if not deletes and checker._root_conflict:
            clause = []
        if checker.check_step("d" if deletes else "a", [code(x) for x in clause]):
            steps.append((deletes, clause))
            standing += [] if deletes or not clause else [clause]
            if not deletes and not clause:
                return steps
    return [*steps, (False, [])]


def attack(seed: int, count: int) -> Counter[str]:
    """How many proofs were accepted; fails where one is, of a formula that has a model."""
    random = Random(seed)
    figures: Counter[str] = Counter()
    size = drat.BLOCK_STEPS
    drat.GROWTH = 0
    try:
        for _ in range(count):
            top = random.randint(1, 3)
            clauses = [random_clause(random, top, 3) for _ in range(random.randint(1, 3 * top))]
            if random.random() < 0.3:  # no unit follows: only longer steps lead to the empty clause
                top = 3
                clauses = [[a, 2 * b, 3 * c] for a, b, c in product((1, -1), repeat=3) if random.random() < 0.95]
            steps = tempting_proof(random, clauses, top)
            satisfiable = has_model(clauses, top)
            drat.BLOCK_STEPS = random.choice([1, 2, 5, size])
            outcomes = []
            for engine in ("native", "python"):
                try:
                    done = replay(clauses, lambda steps=steps: steps, engine)  # type: ignore[misc, arg-type]
                    outcomes.append((True, done.rat_steps > 0))
                except CertificateError:
                    outcomes.append((False, False))
            figures["proofs"] += 1
            figures["of formulas with a model"] += satisfiable
            figures["accepted"] += outcomes[0][0]
            figures["accepted with RAT steps"] += outcomes[0][1]
            packed = [("d" if deletes else "a", tuple(map(code, clause))) for deletes, clause in steps]
            formula = dratify.CNF(top + 2)
            formula.clauses = [tuple(map(code, dict.fromkeys(clause))) for clause in clauses]
            figures["false ones that dratify's defaults accept"] += (
                satisfiable and dratify.check_proof(formula, packed, engine="python").ok
            )
            assert outcomes[0] == outcomes[1], (clauses, steps, outcomes)
            assert not (satisfiable and outcomes[0][0]), (clauses, steps)
    finally:
        drat.BLOCK_STEPS, drat.GROWTH = size, 1
    return figures


def test_no_formula_with_a_model_is_refuted() -> None:
    figures = attack(1, part_of(1000))
    assert figures["accepted"] > part_of(200) and figures["accepted with RAT steps"] > part_of(50), figures
    assert figures["false ones that dratify's defaults accept"], figures


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 22))
def test_no_formula_with_a_model_is_refuted_at_length(seed: int) -> None:
    attack(seed, 5_000)


if __name__ == "__main__":
    print(attack(int(sys.argv[1]), int(sys.argv[2])))
