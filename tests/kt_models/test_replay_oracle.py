"""No proof is accepted of a small formula that has a model, and what is accepted follows by unit propagation."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from encoders.proof.log import log_proof
from kt_models import CertificateError
from kt_models.kernel.certificates.proofs.dimacs import ProofStep, proof_steps
from kt_models.kernel.certificates.proofs.lrat import replay
from tests.effort import part_of


def has_model(clauses: list[list[int]], top: int) -> bool:
    """Whether some choice of truth values makes every clause true."""
    return any(
        all(any((x > 0) == values[abs(x) - 1] for x in clause) for clause in clauses)
        for values in product((False, True), repeat=top)
    )


def follows(clauses: list[list[int]], clause: list[int]) -> bool:
    """Whether a clause is true in every model, by trying all."""
    top = max((abs(x) for literals in [*clauses, clause] for x in literals), default=0)
    return not has_model([*clauses, *([-x] for x in clause)], top)


def random_formula(random: Random, top: int) -> list[list[int]]:
    if random.random() < 0.3:  # No unit follows: only longer steps lead to the empty clause
        return [[a, 2 * b, 3 * c] for a, b, c in product((1, -1), repeat=3) if random.random() < 0.97]
    most = random.randint(1, 4 * top)
    return [[random.choice([-1, 1]) * random.randint(1, top) for _ in range(random.randint(1, 3))] for _ in range(most)]


def honest_steps(clauses: list[list[int]], folder: Path) -> list[ProofStep]:
    log_proof(clauses, folder / "proof")
    with open(folder / "proof", "rb") as stream:
        return list(proof_steps(stream, folder / "proof"))


def mutated(random: Random, steps: list[ProofStep], top: int, last: int) -> list[ProofStep]:
    """A proof with a few changes: of literals, hints and numbers, and of steps dropped, doubled and exchanged."""
    changed = [ProofStep(number, None if clause is None else [*clause], [*hints]) for number, clause, hints in steps]
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(changed))
        number, clause, hints = changed[at]
        kind = random.choice(["literal", "hint", "number", "drop", "double", "exchange", "delete"])
        if kind == "literal" and clause is not None:
            i = random.randint(0, len(clause))
            clause[i : i + random.randint(0, 1)] = [random.choice([-1, 1]) * random.randint(1, top)] * random.randint(
                0, 1
            )
        elif kind == "hint":
            i = random.randint(0, len(hints))
            hints[i : i + random.randint(0, 1)] = [random.randint(-2, last + 3)] * random.randint(0, 1)
        elif kind == "number":
            changed[at] = ProofStep(number + random.choice([-2, -1, 1, 2]), clause, hints)
        elif kind == "drop" and len(changed) > 1:
            del changed[at]
        elif kind == "double":
            changed.insert(at, changed[at])
        elif kind == "exchange":
            other = random.randrange(len(changed))
            changed[at], changed[other] = changed[other], changed[at]
        elif kind == "delete":
            changed.insert(at, ProofStep(number, None, [random.randint(1, last)]))
    return changed


def attack(seed: int, count: int) -> Counter[str]:
    """How many proofs were accepted; fails where one is that it should not be."""
    random = Random(seed)
    figures: Counter[str] = Counter()
    donors: list[tuple[list[list[int]], list[ProofStep]]] = []
    with TemporaryDirectory() as name:
        while figures["proofs"] < count:
            top = random.randint(1, 4)
            clauses = random_formula(random, top)
            top = max(abs(x) for clause in clauses for x in clause)
            refutable = not has_model(clauses, top)
            if refutable:
                steps = honest_steps(clauses, Path(name))
                assert replay(clauses, steps) == len(steps), (clauses, steps)
                donors = [*donors[-50:], (clauses, steps)]
                figures["honest"] += 1
            elif not donors:
                continue
            else:  # A formula that another one's proof nearly refutes
                clauses, steps = random.choice(donors)
                clauses = [clause for clause in clauses if random.random() < 0.9] or [[1]]
                refutable = not has_model(clauses, max(abs(x) for clause in clauses for x in clause))
            for _ in range(4):
                tried = mutated(random, steps, top, len(clauses) + len(steps))
                figures["proofs"] += 1
                figures["of formulas with a model"] += not refutable
                try:
                    done = replay(clauses, tried)
                except CertificateError:
                    continue
                figures["accepted"] += 1
                assert refutable, (clauses, tried)
                known = list(clauses)
                for _, clause, _ in tried[:done]:
                    if clause is not None:
                        assert follows(known, clause), (clauses, tried, clause)
                        known.append(clause)
    return figures


def test_no_formula_with_a_model_is_refuted() -> None:
    figures = attack(1, part_of(4000))
    assert figures["accepted"] > part_of(200) and figures["honest"] > part_of(100), figures
    assert figures["of formulas with a model"] > part_of(200), figures


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_no_formula_with_a_model_is_refuted_at_length(seed: int) -> None:
    attack(seed, 20_000)


if __name__ == "__main__":
    print(attack(int(sys.argv[1]), int(sys.argv[2])))
