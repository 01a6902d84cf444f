"""Decimals are exact: beside `Fraction` and `Decimal`, for every kind of number that people pass."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from kt_models import KTError, Weights
from kt_models.decimals import MAX_WEIGHT, decimal_words, exact, in_unit, scaled
from tests.effort import part_of

KINDS: dict[str, Any] = {
    "float": float,
    "Decimal": lambda text: Decimal(text),
    "Fraction": lambda text: Fraction(text),
    "NumPy": lambda text: np.float64(text),
}


def random_texts(random: Random) -> list[str]:
    """Decimals with up to six digits before the point and up to six after it."""
    places = random.randint(0, 6)
    return [
        f"{random.choice(('', '-'))}{random.randint(0, 10 ** random.randint(0, 6))}"
        + (f".{random.randint(0, 10**places - 1):0{places}}" if places else "")
        for _ in range(random.randint(1, 12))
    ]


@pytest.mark.parametrize("kind", [*KINDS, "array"])
@pytest.mark.parametrize("seed", range(part_of(60)))
def test_scaled_integers_are_the_decimals_in_the_least_unit(kind: str, seed: int) -> None:
    texts = random_texts(Random(seed))
    values: Any = np.array(list(map(float, texts))) if kind == "array" else list(map(KINDS[kind], texts))
    integers, decimals = scaled(values)
    assert [Fraction(n, 10**decimals) for n in integers.tolist()] == list(map(Fraction, texts))
    assert decimals == 0 or any(n % 10 for n in integers.tolist())
    assert [Decimal(str(in_unit(n, decimals))) for n in integers.tolist()] == list(map(Decimal, texts))
    assert [Fraction(decimal_words(n, decimals).replace(",", "")) for n in integers.tolist()] == list(
        map(Fraction, texts)
    )


@pytest.mark.parametrize("seed", range(part_of(60)))
def test_an_array_and_a_list_of_its_floats_are_read_alike(seed: int) -> None:
    random = Random(seed)
    digits = random.randint(1, 17)
    values = np.array([random.randint(-(10**digits), 10**digits) / 10 ** random.randint(0, 9) for _ in range(5)])
    answers = []
    for numbers in (values, values.tolist()):
        try:
            integers, decimals = scaled(numbers)
            answers.append((integers.tolist(), decimals))
        except KTError as error:
            answers.append((str(error), 0))
    assert answers[0] == answers[1]


def test_integers_stay_integers() -> None:
    assert scaled([3, 4.0, Decimal("5.00"), np.int8(-2)])[0].tolist() == [3, 4, 5, -2]
    assert type(in_unit(300, 2)) is int and in_unit(300, 2) == 3
    assert scaled([]).integers.tolist() == []


def test_a_float_of_less_precision_means_its_own_shortest_decimal() -> None:
    assert exact(np.float32(0.1)) == exact(np.float16(0.1)) == Fraction(1, 10)


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (float("nan"), "finite"),
        (float("-inf"), "finite"),
        (Decimal("NaN"), "finite"),
        (Fraction(1, 3), "decimal"),
        (1e22, "at most"),
        (MAX_WEIGHT + 1, "at most"),
        pytest.param(10**5000, "at most", id="5000 digits"),
        (Decimal("1e999999999"), "at most"),
        (Decimal("1e-999999999"), "at most"),
        (1e-300, "at most"),
        (2**0.5, "over 15 digits; round it, for instance to 11 decimals"),
        (True, "a number"),
        (np.True_, "a number"),
        ("1.5", "a number"),
        (1j, "a number"),
        (None, "a number"),
    ],
)
def test_other_values_are_refused_in_one_line(value: object, fault: str) -> None:
    with pytest.raises(KTError, match=fault) as caught:
        scaled([1, value], "the weight of edge {}".format)
    assert "the weight of edge 1" in str(caught.value)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 300


def test_numbers_that_have_over_15_digits_in_one_unit_are_refused() -> None:
    for values in ([10**12, 0.0001], np.array([1e12, 0.0001])):
        with pytest.raises(KTError, match=r"number 1 is 0\.0001, and another number is as large as 1,000,000,000,000"):
            scaled(values)


@pytest.mark.parametrize("seed", range(part_of(60)))
def test_sums_of_tables_with_decimals_are_those_of_fractions(seed: int) -> None:
    random = Random(seed)
    tables, fractions = [], []
    for _ in range(2):
        texts = [f"{random.randint(-99, 99)}.{random.randint(0, 9)}{random.choice('05')}" for _ in range(6)]
        integers, decimals = scaled(list(map(float, texts)))
        tables.append(Weights.of_edges(integers, decimals=decimals))
        fractions.append(list(map(Fraction, texts)))
    factor = random.choice((2, 0.5, -3, Decimal("1.25")))
    chosen = [e for e in range(6) if random.random() < 0.6]

    def weighs(weights: Weights) -> Fraction:
        return Fraction(weights.cost(chosen), 10**weights.decimals)

    first, second = (sum(row[e] for e in chosen) for row in fractions)
    assert weighs(tables[0] + tables[1]) == first + second
    assert weighs(tables[0] - tables[1]) == first - second
    assert weighs(factor * tables[0]) == Fraction(factor) * first
    assert tables[0] + tables[1] == tables[1] + tables[0]
    assert 2 * tables[0] == tables[0] + tables[0] and hash(2 * tables[0]) == hash(tables[0] + tables[0])


def test_equal_weights_are_equal_tables_in_any_unit() -> None:
    assert Weights.of_edges([30, 50], decimals=1) == Weights.of_edges([3, 5])
    assert Weights.of_edges([3, 5], decimals=1) != Weights.of_edges([3, 5])
