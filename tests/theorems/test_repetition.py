"""Sequences that repeat, beside sequences that are followed term by term."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from random import Random

import pytest

from kt_models.errors import CertificateError
from kt_models.limits import NO_LIMITS, Limits, Stopped
from tests.effort import part_of
from theorems.repetition import Repetition


def follow(after: list[int], added: list[int], phases: int, first: int) -> Iterator[tuple[int, int, int]]:
    """States, of which each leads to another, with the step modulo a number, which matters too, and what was added."""
    state, cost = first, 0
    for step in count():
        yield step % phases, state, cost
        place = state * phases + step % phases
        state, cost = after[place], cost + added[place]


def test_terms_of_any_number() -> None:
    random, late, long = Random(7), 0, 0
    for _ in range(part_of(3000)):
        states, phases = random.randint(1, 9), random.randint(1, 4)
        after = [random.randrange(states) for _ in range(states * phases)]
        added = [random.randint(-3, 3) for _ in after]
        direct = follow(after, added, phases, random.randrange(states))
        terms = list(islice(direct, 5 * states * phases + 5))
        found = Repetition.of(iter(terms), states * phases, "?", NO_LIMITS, lambda term: term[:2])
        assert [found.at(n)[:2] for n in range(len(terms))] == [term[:2] for term in terms]
        # No earlier term is met again, and the number that is only added grows evenly
        assert len({term[:2] for term in found.terms}) == len(found.terms) == found.start + found.period
        assert list(found.terms) == terms[: len(found.terms)]
        rises = {terms[n + found.period][2] - terms[n][2] for n in range(found.start, len(terms) - found.period)}
        assert len(rises) == 1
        late += found.start > 0
        long += found.period > phases
    assert late and long


def test_a_sequence_that_does_not_repeat_soon_enough() -> None:
    circle = [n % 10 for n in range(30)]
    assert Repetition.of(circle, 10, "late", NO_LIMITS) == Repetition(tuple(range(10)), 0)
    for sequence, most in ((circle, 9), (range(100), 50), ([], 5), ([3], 5), ([3, 3], 0)):
        with pytest.raises(CertificateError, match="late"):
            Repetition.of(sequence, most, "late", NO_LIMITS)
    with pytest.raises(Stopped):
        Repetition.of(count(), 10**9, "late", Limits(0))


def test_a_term_that_leaves_out_what_matters_is_no_term() -> None:
    """States alone, without the step modulo 2, are met again before they repeat."""
    terms = list(islice(follow([0, 1, 1, 1], [0] * 4, 2, 0), 9))
    states = [state for _, state, _ in terms]
    found = Repetition.of(states, 9, "?", NO_LIMITS)
    assert [found.at(n) for n in range(9)] != states
    both = Repetition.of(terms, 9, "?", NO_LIMITS)
    assert [both.at(n) for n in range(9)] == terms
