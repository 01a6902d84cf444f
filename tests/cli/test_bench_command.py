"""`kt bench` refuses what makes no sense, and gives back what is done."""

from __future__ import annotations

import json
from functools import partial

from tests import command

kt = partial(command.kt, "bench")


def test_no_such_graph() -> None:
    result = kt("--only", "nowhere")
    assert result.exit_code == 2
    assert "no graph's name contains it" in result.stderr


def test_seconds_make_sense() -> None:
    assert kt("--seconds", "0").exit_code == 2
    assert kt("--seconds", "nan").exit_code == 2


def test_a_limit_that_comes_at_once_gives_back_nothing_and_says_so() -> None:
    result = kt("--json", "--time-limit", "0.000001")
    assert result.exit_code == 3
    data = json.loads(result.stdout)
    assert data["rows"] == []
    assert not data["complete"]
