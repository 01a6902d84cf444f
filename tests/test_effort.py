"""The line about processor time at the end of a run."""

from __future__ import annotations

from tests.effort import BUDGET, used_by_rooms


def test_the_time_of_each_room_is_added_up() -> None:
    reports = [
        ("tests/cli/test_a.py::test_one", 1.5),
        ("tests/test_b.py::test_two[a::b]", 2.0),
        ("tests/cli/test_c.py", 3),
    ]
    line = f"processor seconds: 6 (cli 4, tests 2); the default tests may use {BUDGET}"
    assert used_by_rooms(reports) == line
    assert used_by_rooms([]) == f"processor seconds: 0 (); the default tests may use {BUDGET}"
