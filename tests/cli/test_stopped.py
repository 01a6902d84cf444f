"""Commands that are stopped print what they have, and say of each row whether it is complete."""

from __future__ import annotations

import json
import signal
from typing import Any

import pytest

from kt_models.limits import Limits
from tests.command import kt
from tests.effort import slow
from tests.processes import PATIENCE, StopAfter, at_work

COMMANDS: dict[str, tuple[list[str], str]] = {
    "pareto": (["6x7"], "encoders.pareto:pareto"),
    "magic": (["8x8", "--open"], "encoders.magic:search_magic"),
    "longest": (["9x9", "--open", "--uncrossed"], "encoders.longest:longest"),
    "search": (["heel", "--leaper", "1,4", "--minimize", "turns"], "encoders.gadgets:search"),
    "compare": (["6x6", "6x8", "--minimize", "crossings"], "encoders.compare:compare"),
    "table": (["6x6", "6x8"], "encoders.table:BoardTable"),
    "best": (["6x6", "6x8"], "encoders.best:best"),
}


def says_what_is_there(name: str, data: dict[str, Any], stopped: bool) -> None:
    """Judge the object that a command printed."""
    rows = data.get("rows", data.get("best"))
    if rows is None:
        # One answer: its status says whether it is the whole one.
        assert data["status"] in ("unknown", "feasible", "optimal", "infeasible")
        assert not stopped or not data.get("complete")
        if name == "pareto" and stopped and data.get("front"):
            assert data["missing"]
        return
    assert all(isinstance(row["complete"], bool) for row in rows)
    # What was not stopped is complete; whatever is not complete was stopped.
    assert stopped or all(row["complete"] for row in rows)
    assert data.get("complete", True) == (not stopped) or "complete" not in data


@pytest.mark.parametrize("looks", [1, 50, *slow([10, 250])])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_stopped_command_prints_what_it_has(name: str, looks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command is stopped at a look at its limits: the first, or one further into the work."""
    words, _ = COMMANDS[name]
    flag = StopAfter(looks)
    monkeypatch.setattr("cli.live.Limits", lambda seconds, stop, *more: Limits(seconds, flag, *more))
    done = kt(name, *words, "--json")
    assert done.exit_code in (0, 3) and "Traceback" not in done.stderr, done.stderr
    says_what_is_there(name, json.loads(done.stdout), done.exit_code == 3)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_tiny_limit_leaves_one_object(name: str) -> None:
    words, _ = COMMANDS[name]
    done = kt(name, *words, "--json", "--time-limit", "0.05")
    assert done.exit_code in (0, 3) and "Traceback" not in done.stderr, done.stderr
    says_what_is_there(name, json.loads(done.stdout), done.exit_code == 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_signal_during_the_work_leaves_one_object(name: str) -> None:
    words, function = COMMANDS[name]
    process = at_work(function, name, *words, "--json")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode in (0, 3) and "Traceback" not in err, err
    says_what_is_there(name, json.loads(out), process.returncode == 3)
