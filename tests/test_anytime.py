"""benchmarks/anytime.py: its arithmetic, that it goes on where it ended, and that its problems are commands."""

from __future__ import annotations

import pytest

from benchmarks.anytime import LIMITS, PROBLEMS, Gaps, area, gap_of, key, measure, runs, table
from tests.docs.commands import fault_of


@pytest.mark.parametrize(
    ("data", "gap"),
    [
        ({"status": "optimal", "value": 40, "bound": 40, "certificate": {"method": "tree"}}, 0),
        ({"status": "feasible", "value": 40, "bound": 30, "certificate": {"method": "tree"}}, 0.25),
        ({"status": "feasible", "value": 40, "bound": 30, "certificate": None}, 1),
        ({"status": "unknown", "bound": 30, "certificate": {"method": "tree"}}, 1),
        ({"status": "optimal", "value": 0, "bound": 0, "certificate": {"method": "belts"}}, 0),
        ({"status": "infeasible"}, 0),
        ({}, 1),
    ],
)
def test_only_certified_bounds_close_the_gap(data: dict[str, object], gap: float) -> None:
    assert gap_of("solve 8x8 --minimize turns --no-best", data) == gap


@pytest.mark.parametrize(
    ("problem", "data", "gap"),
    [
        ("magic 8x8 --leaper king --diagonals", {"status": "unknown"}, 1),
        ("magic 8x8 --leaper king --diagonals", {"status": "feasible", "tour": [[0, 0]]}, 0),
        ("bound 600x600 --metric crossings", {"bound": 1304}, 0.5),
        ("bound 600x600 --metric crossings", {"bound": 5216}, 0),
        ("bound 600x600 --metric crossings", {"status": "unknown"}, 1),
        ("search heel --leaper 1,4 --minimize turns", {"value": 326}, 0.5),
        ("compare 8x8 --metric crossings", {"rows": []}, 1),
        (
            "compare 8x8 --metric crossings",
            {"rows": [{"best_known": 70, "bound": 63, "certificate": {"method": "bands"}}]},
            0.1,
        ),
    ],
)
def test_each_kind_of_command_has_a_gap(problem: str, data: dict[str, object], gap: float) -> None:
    assert gap_of(problem, data) == pytest.approx(gap)


def test_an_area_is_the_mean_of_medians() -> None:
    gaps = {key("old", "8x8", 1): [0.2, 1.0, 0.4], key("old", "8x8", 3): [0.0, 0.0, 0.9]}
    assert area(gaps, "old", "8x8", (1, 3)) == pytest.approx(0.2)


def test_what_was_measured_is_not_measured_again() -> None:
    """Broken off after five runs, it makes the others, each once."""
    gaps: Gaps = {}
    made: list[tuple[str, str, int]] = []

    def once(side: str, problem: str, limit: int) -> float:
        if len(made) == 5 and not gaps.get("again"):
            raise KeyboardInterrupt
        made.append((side, problem, limit))
        return 0.5

    with pytest.raises(KeyboardInterrupt):
        measure(gaps, (1, 3), 2, once, lambda: None)
    gaps["again"] = [1.0]
    measure(gaps, (1, 3), 2, once, lambda: None)
    assert sorted(made) == sorted((side, problem, limit) for side, problem, limit, _ in runs((1, 3), 2))


def test_the_table_marks_what_became_worse() -> None:
    gaps = {key(side, p, limit): [0.1] for side in ("old", "new") for p in PROBLEMS[:2] for limit in (1, 3)}
    gaps[key("new", PROBLEMS[1], 3)] = [0.2]
    lines = table(gaps, (1, 3)).splitlines()
    assert [("worse" in line) for line in lines] == [False, False, False, True, False]
    assert lines[-1].endswith("| 0.200 | 0.250 |") and {line.count("|") for line in lines} == {6}


def test_the_problems_are_commands() -> None:
    assert len(set(PROBLEMS)) == len(PROBLEMS) == 39 and LIMITS == (1, 2, 5, 10, 20)
    for problem in PROBLEMS:
        assert not fault_of(f"kt {problem} --time-limit 1 --json")
    chosen = {problem for _, problem, _, _ in runs((1,), 1, ["magic", "bound 600x600"])}
    assert chosen == {problem for problem in PROBLEMS if problem.startswith(("magic", "bound 600x600"))}
