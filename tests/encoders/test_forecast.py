"""Boards of one width and every length, beside brute force and the sweeps."""

from __future__ import annotations

import json
from functools import cache

import pytest

from benchmarks.recurrences import exact_recurrence, shortest
from encoders.counting.forecast import forecast
from encoders.counting.values import count_values_by_halves
from encoders.enumeration import sample
from encoders.enumeration.job import solve_cube
from kt_models import Board, KTError, MoveGraph, Problem, graph_of
from kt_models.kernel.certificates.frontier import count_solutions
from kt_models.leaper import Leaper
from kt_models.limits import Limits
from kt_models.runs.cubes import Cube
from kt_models.runs.tour_task import TourTask
from tests import brute
from tests.command import kt, one_line_refusal
from tests.oracle.row_states import row_matrix

PRIME = 2**31 - 1


@pytest.mark.parametrize(
    ("width", "ends", "lengths"),
    [(3, False, 10), (3, True, 9), pytest.param(4, True, 5, marks=pytest.mark.slow), (2, True, 6)],
)
def test_lengths_beside_brute_force_and_sweeps(width: int, ends: bool, lengths: int) -> None:
    matrix = row_matrix(width, ends=ends)
    terms = matrix.terms(lengths - matrix.first + 1, PRIME)
    assert terms == matrix.exact_terms(len(terms))
    for length, term in enumerate(terms, matrix.first):
        board = f"{width}x{length}"
        whole = count_solutions(Problem(graph_of(board), "path" if ends else "cycle")).total
        assert term == whole == (len(brute.tours(board, not ends)) if width * length <= 15 else whole)


def test_forecasts_of_another_leaper_are_exact() -> None:
    matrix = row_matrix(3, Leaper(0, 1))
    terms = matrix.terms(8, PRIME)
    assert matrix.first == 1
    graphs = [MoveGraph.of(Board.box(3, n), Leaper(0, 1)) for n in range(1, 9)]
    assert terms == [count_solutions(Problem(graph)).total for graph in graphs]


def test_the_recurrence_of_three_rows_is_proved() -> None:
    """As measured for the sequence by itself; Knuth and Elkies found it in 1994."""
    known = exact_recurrence(row_matrix(3), 2)
    assert known is not None
    coefficients, terms = known
    assert coefficients[:3] == [6, 64, -200]
    assert coefficients[20:] == [131072, 0]
    assert terms[4:7] == [16, 176, 1536]


def test_the_shortest_recurrence() -> None:
    fibonacci = [0, 1]
    while len(fibonacci) < 20:
        fibonacci.append(sum(fibonacci[-2:]))
    assert shortest(fibonacci, PRIME) == [1, 1]


@pytest.mark.parametrize(("board", "kind"), [("6x6", "cycle"), ("5x6", "path")])
def test_forecasts_are_about_right(board: str, kind: str) -> None:
    from encoders.counting.count import count_by_halves

    problem = Problem(graph_of(board), kind)  # type: ignore[arg-type]
    expected, count = forecast(problem), count_by_halves(problem)
    assert expected is not None and count is not None
    assert count.peak_states / 2.5 < expected.states < 2.5 * count.peak_states


@pytest.mark.parametrize(
    ("board", "metric"), [("6x7", "turns"), pytest.param("6x8", "crossings", marks=pytest.mark.slow)]
)
def test_forecasts_by_value_are_about_right(board: str, metric: str) -> None:
    problem = Problem(graph_of(board), "cycle", metric)  # type: ignore[arg-type]
    expected, count = forecast(problem, by_value=True), count_values_by_halves(problem)
    assert expected is not None and count is not None
    assert count.peak_states / 3 < expected.states < 3 * count.peak_states


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("5x6", 8),
        ("5x6 --count --symmetry mirror-x", None),
        ("6x6 --symmetry rot90 --up-to-symmetry", 5),
        ("4x5", 0),
        ("aztec:2 --count --open", None),
    ],
)
def test_a_short_list_is_its_own_forecast(words: str, count: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the symmetry and the board: closed lists are those of `kt enumerate`."""
    monkeypatch.setattr(sample, "PART_SECONDS", 100.0)
    data = json.loads(kt("enumerate", *words.split(), "--forecast", "--json").stdout)
    listed = json.loads(kt("enumerate", *words.split(), "--json").stdout)["count"]
    assert data["expected_count"] == listed == (listed if count is None else count)
    assert data["basis"] == "the whole list"


def test_random_parts_stand_for_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts that are always cut three times: the mean of many forecasts of 9,862 tours, or classes, is close to it."""
    task = TourTask(Problem(graph_of("6x6")))
    levels = {Cube().name}

    def solved(text: str, name: str, seconds: float) -> dict[str, object]:
        if len(Cube.parse(name).decisions) < 6:
            return {"reason": "late", "seconds": 0.0}
        levels.add(name)
        return dict(answers(text, name))

    answers = cache(lambda text, name: solve_cube(text, name, 100.0))
    monkeypatch.setattr(sample, "solve_cube", solved)
    means = [sample.forecast_by_sample(task, Limits(seed=seed), seconds=0.0).count for seed in range(100)]
    assert len(levels) > 10 and 0.6 * 9862 < sum(means) / len(means) < 1.6 * 9862


def test_forecasts_on_the_command_line() -> None:
    answer = kt("enumerate", "6x6", "--count", "--forecast")
    assert (answer.exit_code, "states in the largest layer" in answer.stdout) == (0, True)
    one_line_refusal(kt("enumerate", "6x6", "--forecast", "--engine", "sat"), "--engine")
    one_line_refusal(kt("enumerate", "6x6", "--forecast", "--minimize", "turns"), "--minimize")
    one_line_refusal(kt("enumerate", "6x6", "--number", "a1=1", "--forecast"), "numberings")
    more = kt("enumerate", "6x6", "--count", "--forecast", "--by", "turns")
    assert more.exit_code == 0 and more.stdout != answer.stdout
    with pytest.raises(KTError, match="plane"):
        row_matrix(3, Leaper(1, 2, 3))
