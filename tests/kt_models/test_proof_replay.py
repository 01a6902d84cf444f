"""The steps of proofs: what the solver logs, and what is replayed and what is not."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from random import Random

import pytest

from encoders.proof.log import LoggedOracle, log_proof
from kt_models import CertificateError, KTError
from kt_models.kernel.certificates.proofs.dimacs import ProofStep, proof_steps
from kt_models.kernel.certificates.proofs.lrat import replay
from kt_models.kernel.certificates.proofs.manifest import PROOF
from tests.effort import part_of
from tests.proof_tools import pigeons

SQUARE = [[1, 2], [-1, 2], [1, -2], [-1, -2]]


def steps_of(text: str) -> list[ProofStep]:
    return list(proof_steps(BytesIO(text.encode()), Path(PROOF)))


@pytest.mark.parametrize("clauses", [pigeons(1), pigeons(5), [[1], [-1]], [[1, 2], []], [[1, 1, -1], [2, 2], [-2]]])
def test_logs_of_the_solver_are_replayed(clauses: list[list[int]], tmp_path: Path) -> None:
    log_proof(clauses, tmp_path / PROOF)
    steps = steps_of((tmp_path / PROOF).read_text())
    assert replay(clauses, steps) == len(steps)


def test_a_formula_with_a_model_is_no_proof(tmp_path: Path) -> None:
    with pytest.raises(KTError, match="nothing to prove"):
        log_proof([[1, 2], [-1]], tmp_path / PROOF)
    assert not (tmp_path / PROOF).exists()


def random_clause(random: Random, variables: int) -> list[int]:
    clause = [random.choice((-1, 1)) * random.randint(1, variables) for _ in range(random.choice((2, 3, 3, 3)))]
    return clause if random.random() < 0.98 else [*clause, -clause[0]]


@pytest.mark.parametrize("seed", range(part_of(40)))
def test_clauses_that_are_added_between_answers_are_part_of_the_proof(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    variables = random.choice((4, 20, 60, 150))
    formula = [random_clause(random, variables) for _ in range(2 * variables)]
    added: list[list[int]] = []
    with LoggedOracle(formula) as oracle:
        while oracle.solve():
            assert satisfies(oracle.model(), [*formula, *added])
            more = [random_clause(random, variables) for _ in range(random.randint(1, variables))]
            added += more if random.random() < 0.99 else [[]]
            oracle.add(added[-len(more) :] if added[-1] else [[]])
        needed = oracle.write(tmp_path / PROOF)
    assert needed == sorted(set(needed)) and (not needed or 0 <= needed[0] <= needed[-1] < len(added))
    steps = steps_of((tmp_path / PROOF).read_text())
    proved = [*formula, *(added[i] for i in needed)]
    assert replay(proved, steps) == len(steps)


def satisfies(model: list[int], clauses: list[list[int]]) -> bool:
    true = set(model)
    return all(any(literal in true for literal in clause) for clause in clauses)


def test_clauses_and_steps_that_a_proof_does_not_need_are_left_out(tmp_path: Path) -> None:
    hard = pigeons(5)
    top = max(abs(literal) for clause in hard for literal in clause)
    with LoggedOracle(hard[1:]) as oracle:
        assert oracle.solve()
        oracle.add([[top + 1, top + 2], [-top - 1, top + 2]])
        assert oracle.solve()
        oracle.add([[top + 3, -top - 2], hard[0], [top + 1, -top - 3]])
        assert not oracle.solve()
        assert oracle.write(tmp_path / PROOF) == [3]
    used = {hint for step in steps_of((tmp_path / PROOF).read_text()) if step.clause is not None for hint in step.hints}
    numbers = [step.number for step in steps_of((tmp_path / PROOF).read_text()) if step.clause is not None]
    assert used >= set(numbers[:-1])


def test_steps_are_read_as_the_solver_logs_them() -> None:
    assert steps_of("5 2 0 1 2 0\nc 7\n5 d 1 2 0\n\n6 0 5 3 4 0\n") == [
        (5, [2], [1, 2]),
        (5, None, [1, 2]),
        (6, [], [5, 3, 4]),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "5 2 0 1 2 0\n6 0 5 3 4 0\n",
        "7 2 0 1 2 0\n9 0 7 3 4 0\n",  # Numbers may be left out
        "5 2 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n",
        "5 2 0 1 2 0\n5 d 0\n6 0 5 4 3 0\n",
        "5 2 -2 0 1 2 0\n6 2 0 2 1 0\n7 0 6 3 4 0\n",  # A tautology
        "5 2 0 1 2 0\n6 0 5 3 4 0\n7 1 0 99 0\n",  # What comes behind the empty clause is not looked at
    ],
)
def test_proofs_that_are_right(text: str) -> None:
    assert replay(SQUARE, steps_of(text)) >= 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "cut short"),
        ("5 2 0 1 2 0\n", "cut short"),
        ("5 0 1 2 3 4 0\n", "step 1 .* not follow"),  # Two literals are left of the first
        ("5 2 0 1 0\n", "not follow"),  # No clause is false
        ("5 2 0 2 1 5 0\n", "step 2|cut short"),
        ("5 2 0 5 0\n", "not follow"),  # Itself
        ("5 2 0 6 0\n6 0 5 3 4 0\n", "not follow"),  # One to come
        ("5 2 0 1 2 0\n5 d 3 0\n6 0 5 3 4 0\n", "step 3 .* not follow"),
        ("5 2 0 1 2 0\n5 d 9 0\n", "does not exist"),
        ("5 d 1 1 0\n", "does not exist"),
        ("5 2 0 1 2 0\n5 0 5 3 4 0\n", "repeated"),
        ("4 2 0 1 2 0\n", "repeated"),
        ("-5 2 0 1 2 0\n", "repeated"),
        ("5 1 0 -1 -2 3 0\n", "not follow"),  # A RAT step
        ("5 3 0 0\n", "not follow"),
        ("5 0 0\n", "not follow"),
    ],
)
def test_proofs_that_are_wrong(text: str, words: str) -> None:
    with pytest.raises(CertificateError, match=words):
        replay(SQUARE, steps_of(text))


def test_hints_behind_the_conflict_are_not_looked_at() -> None:
    assert replay(SQUARE, steps_of("5 2 0 1 2 77 0\n6 0 5 3 4 0\n")) == 2
