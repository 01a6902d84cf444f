"""The fewest on all boards of one width, against brute force and against sweeps of single boards."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest

from encoders.bounds import certify_lower_bound
from encoders.bounds.methods.strip import period_of
from kt_models import CertificateError, KTError, Leaper, Problem, graph_of
from kt_models.files.check import check_file
from kt_models.json_version import FORMAT_VERSION
from kt_models.kernel.certificates import Checked
from kt_models.kernel.certificates.frontier import least_value
from kt_models.limits import Limits, Stopped
from research.strips import longest_claim
from tests import brute
from tests.effort import part_of
from theorems.narrow_boards.strips import (
    KIND,
    Columns,
    StateCosts,
    Strip,
    StripStatement,
    check,
    claim_to_json,
    periodic_statement,
)

RESULTS = Path(__file__).parents[2] / "heuristics" / "delivered" / "results"
WAZIR = Leaper(0, 1)
FAR = 1 << 28
"""What costs so much is not possible."""


def file_of(statement: StripStatement, column: int, period: int) -> dict[str, object]:
    entry = {"claim": claim_to_json(statement), "column": column, "period": period}
    return {"version": FORMAT_VERSION, "kind": KIND, "strips": [entry]}


@cache
def fewest(strip: Strip, columns: int) -> int | None:
    return least_value(strip.problem(columns)).value


@pytest.mark.parametrize(
    ("width", "metric", "closed"),
    [
        (2, "turns", True),
        (3, "turns", True),
        (2, "turns", False),
        (2, "crossings", False),
        pytest.param(3, "crossings", False, marks=pytest.mark.slow),
    ],
)
def test_strips_agree_with_brute_force(width: int, metric: str, closed: bool) -> None:
    strip = Strip(width, metric, closed, WAZIR)
    found = period_of(strip, 40)
    assert found is not None
    statement = longest_claim(strip, *found, 8)
    assert statement.least == 8
    measure = brute.turns if metric == "turns" else brute.crossings
    for columns in range(8, 11):
        graph = graph_of(f"{columns}x{width}", WAZIR)
        orders = (brute.cycles if closed else brute.paths)(graph)
        assert statement.at(columns) == min((measure(graph, order, closed) for order in orders), default=None)


@pytest.mark.parametrize(
    ("strip", "column", "period", "values", "more"),
    [
        (Strip(3, "turns"), 13, 4, (39, None, 42, None), 8),
        pytest.param(Strip(3, "crossings"), 13, 4, (75, None), 6, marks=pytest.mark.slow),
        pytest.param(Strip(3, "turns", False), 21, 60, (34,), 2, marks=pytest.mark.slow),
        pytest.param(Strip(3, "crossings", False), 17, 12, (60,), 2, marks=pytest.mark.slow),
    ],
    ids=["closed turns", "closed crossings", "open turns", "open crossings"],
)
def test_claims_about_three_rows_are_those_of_single_boards(
    strip: Strip, column: int, period: int, values: tuple[int | None, ...], more: int
) -> None:
    statement = periodic_statement(strip, 16, column, period)
    assert statement == StripStatement(strip, 16, values, more)
    assert all(statement.at(columns) == fewest(strip, columns) for columns in range(16, 25, 1 if strip.closed else 5))
    assert check(file_of(statement, column, period)) == (statement,)


def test_what_is_delivered_says_what_single_boards_do() -> None:
    """The claims themselves are checked by `kt check`; those of five and six rows take minutes."""
    for name in ("strips.json", "strips-5.json", "strips-6.json"):
        for entry in json.loads((RESULTS / name).read_text())["strips"]:
            claim = entry["claim"]
            if claim["closed"]:
                single = json.loads((RESULTS / f"{claim['metric']}-{claim['width']}x16.json").read_text())
                assert (claim["least"], claim["values"][0]) == (16, single["value"]) and single["status"] == "optimal"


@pytest.mark.slow
def test_the_delivered_file_checks() -> None:
    verdict = check_file(RESULTS / "strips.json")
    assert len(verdict.shown) == 6 and "of a board 3 x n are 39 for n = 16, none for n = 17" in verdict.text


class Steps:
    """Steps and ends of random costs in the place of a strip's."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.size = int(rng.integers(1, 6))
        self.steps = np.where(rng.random((self.size,) * 2) < 0.5, rng.integers(0, 4, (self.size,) * 2), FAR)
        self.ends = np.where(rng.random(self.size) < 0.7, rng.integers(0, 4, self.size), FAR)

    ahead = Columns.ahead

    def column(self, front: StateCosts) -> StateCosts:
        costs = (front.costs[:, None] + self.steps[front.rows[:, 0]]).min(axis=0, initial=FAR)
        there = np.flatnonzero(costs < FAR)
        return StateCosts(there[:, None].astype(np.int16), costs[there].astype(np.int32))

    def close(self, front: StateCosts) -> int | None:
        least = int((front.costs + self.ends[front.rows[:, 0]]).min(initial=FAR))
        return least if least < FAR else None


@pytest.mark.slow
def test_what_is_said_for_ever_is_so_of_random_steps() -> None:
    """Costs of random steps, most of which do not all grow alike, followed for forty rounds."""
    rng, unlike = np.random.default_rng(1), 0
    for _ in range(part_of(4000)):
        steps = Steps(rng)
        fronts = [StateCosts(np.zeros((1, 1), dtype=np.int16), np.zeros(1, dtype=np.int32))]
        for _ in range(160):
            fronts.append(steps.column(fronts[-1]))
        first, period = int(rng.integers(0, 12)), int(rng.integers(1, 4))
        rise = Columns.rise(steps, fronts[first], fronts[first + period], period)  # type: ignore[arg-type]
        if rise is None:
            continue
        unlike += len(set((fronts[first + period].costs - fronts[first].costs).tolist())) > 1
        ends = [steps.close(front) for front in fronts]
        for k in range(first, len(fronts) - period):
            now, then = ends[k], ends[k + period]
            assert (now is None) == (then is None)
            assert now is None or then is None or then == now + rise
    assert unlike > part_of(20)


@pytest.mark.parametrize(
    ("closed", "column", "period"), [(True, 13, 4), pytest.param(False, 17, 12, marks=pytest.mark.slow)]
)
def test_nothing_false_is_accepted(closed: bool, column: int, period: int) -> None:
    """Not all states of open tours cost the same for each column."""
    rng, strip, accepted = Random(1), Strip(3, "crossings", closed), 0
    true = periodic_statement(strip, 16, column, period)
    rise = true.more * period // len(true.values)
    for _ in range(part_of(120)):
        least, first = rng.randint(15, 20), column + rng.choice((-5, -1, 0, 0, 1))
        after = rng.choice((period // 2, period - 1, period, period))
        size = rng.choice((1, len(true.values), len(true.values), 4))
        values = [true.at(max(16, least) + i) for i in range(size)]
        if rng.random() < 0.3 and values[0] is not None:
            values[0] += rng.choice((-1, 1, 6))
        more = rng.choice((1, size * rise // period, size * rise // period, rise))
        statement = StripStatement(strip, least, tuple(values), more)
        try:
            check(file_of(statement, first, after))
        except CertificateError:
            continue
        accepted += 1
        assert all(statement.at(n) == fewest(strip, n) for n in range(least, 28, 1 if closed else 5))
    assert accepted


@pytest.mark.parametrize(
    "change",
    [
        {"width": 0}, {"width": 9}, {"width": "3"}, {"leaper": "1,2,3"}, {"leaper": "9,5"}, {"leaper": 1},
        {"leaper": "1,2" + 20 * " " + "x"},
        {"closed": 1}, {"metric": "length"}, {"least": 15}, {"least": 10**9}, {"values": []}, {"values": [39.0]},
        {"values": ["39"]}, {"values": [True]}, {"values": [-1]}, {"more": -1}, {"more": None}, {"extra": 1},
    ],
    ids=str,
)  # fmt: skip
def test_wrong_claims_are_refused(change: dict[str, object]) -> None:
    data = file_of(StripStatement(Strip(3, "turns"), 16, (39, None, 42, None), 8), 13, 4)
    entry = copy.deepcopy(data["strips"][0])
    entry["claim"] |= change
    with pytest.raises(KTError):
        check(data | {"strips": [entry]})


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "other"}, {"version": 1}, {"strips": []}, {"strips": {}}, {"strips": [1]}, {"strips": [{}]},
        {"strips": [{"claim": [], "column": 13, "period": 4}]},
    ],
    ids=str,
)  # fmt: skip
def test_wrong_files_are_refused(change: dict[str, object]) -> None:
    data = file_of(StripStatement(Strip(3, "turns"), 16, (39, None, 42, None), 8), 13, 4)
    with pytest.raises(KTError):
        check(data | change)


def test_strips_keep_limits() -> None:
    with pytest.raises(Stopped):
        periodic_statement(Strip(5, "turns"), 16, 47, 20, Limits(0.2))


@pytest.mark.slow
def test_the_bound_of_a_long_board() -> None:
    """3x200 as the rule has it, whatever the sides are called; a short board and one without a tour show nothing."""
    for board, value in (("3x200", 407), ("200x3", 407)):
        problem = Problem(graph_of(board), objective="turns")
        assert Checked.of_bound("strip", problem, {"column": 13, "period": 4}).bound == value
    for board, column, period in (("3x20", 13, 4), ("3x201", 13, 4), ("3x200", 12, 3), ("9x200", 13, 4)):
        with pytest.raises(CertificateError):
            Checked.of_bound("strip", Problem(graph_of(board), objective="turns"), {"column": column, "period": period})
    made = certify_lower_bound(Problem(graph_of("4x300"), "path", "turns"))
    assert (made.method, made.bound) == ("strip", 4 * 300 - 4)


def test_a_claim_in_words() -> None:
    statement = StripStatement(Strip(3, "turns", False, Leaper(1, 4)), 40, (None, 80), 8)
    assert statement.text == (
        "the fewest turns of an open 1,4-leaper's tour of a board 3 x n are none for n = 40, 80 for n = 41, "
        "and for every larger n 8 more than for n - 2"
    )
    assert [statement.at(n) for n in (40, 41, 42, 45)] == [None, 80, None, 96]
