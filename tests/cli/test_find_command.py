"""`kt find`: what it prints and writes, what it refuses, and how it ends."""

from __future__ import annotations

import json
import signal
from functools import partial

import pytest

from encoders.find import METHODS
from kt_models.errors import TooLarge
from tests.command import kt, one_line_refusal
from tests.effort import slow
from tests.heuristics.test_find import OWN
from tests.processes import PATIENCE, at_work

kt_find = partial(kt, "find")


@pytest.mark.parametrize("name", ["", *sorted({*OWN} - {"path-conversion"}), *slow(["path-conversion"])])
def test_the_command_finds(name: str) -> None:
    chosen = ["--method", name] if name else []
    result = kt_find(
        "5x6" if name != "path-conversion" else "8x8", *chosen, "--json", *["--open"] * (name == "warnsdorff")
    )
    data = json.loads(result.stdout)
    assert result.exit_code == 0 and result.stderr == ""
    assert data["status"] == "feasible" and data["how"] == "tour verified"
    assert data["method"] == (name or "merge") and data["engine"] == f"find/{name or 'merge'}"
    assert all(isinstance(v, int | float) for v in data.get("statistics", {}).values())


def test_the_command_prints_and_writes(tmp_path) -> None:
    path = tmp_path / "tour.json"
    result = kt_find("8x8", "--method", "euler", "--from", "c3", "--statistics", "-o", path)
    assert result.exit_code == 0
    assert "engine     find/euler" in result.stdout and "nearer" in result.stdout
    data = json.loads(path.read_text())
    assert data["tour"][0] == [2, 2]
    assert kt("check", path).exit_code == 0


def test_the_command_minimizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heuristics.find.IMPROVING_SECONDS", 0.5)
    plain = json.loads(kt_find("8x8", "--seed", "3", "--json").stdout)
    result = kt_find("8x8", "--seed", "3", "--minimize", "turns", "--json")
    data = json.loads(result.stdout)
    assert result.exit_code == 0 and data["status"] == "feasible"
    assert data["value"] == data["turns"] <= plain["turns"]
    assert "None" not in kt_find("6x6", "--minimize", "crossings").stdout


def test_a_board_too_large_to_improve_keeps_its_tour(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise TooLarge("too many pairs")

    monkeypatch.setattr("heuristics.local_search.improve", refuse)
    result = kt_find("8x8", "--minimize", "turns", "--json")
    assert result.exit_code == 0 and json.loads(result.stdout)["status"] == "feasible"
    assert "not improved" in result.stderr


def test_the_command_says_that_there_is_none() -> None:
    result = kt_find("4x6")
    assert result.exit_code == 0 and "infeasible" in result.stdout and "certificate checked" in result.stdout
    assert "certificate checked" in kt_find("5x5").stdout  # The search is complete there, and a reason says more
    result = kt_find("4x6", "--method", "random-walk", "--json")
    data = json.loads(result.stdout)
    assert result.exit_code == 0 and data["status"] == "infeasible" and "random-walk" in data["reason"]


def test_the_command_says_what_it_tried() -> None:
    result = kt_find("aztec:30", "--method", "random-walk", "--time-limit", "0.2", "--json")
    data = json.loads(result.stdout)
    assert result.exit_code == 3 and data["status"] == "unknown"
    assert "random-walk" in data["reason"] and "time limit" in data["reason"]
    result = kt_find("4x6", "--method", "warnsdorff")
    assert result.exit_code == 3 and "gave up" in result.stderr


def test_find_refuses_wrong_parameters() -> None:
    one_line_refusal(kt_find("8x8", "--method", "warnsdorf"), "unknown method", "warnsdorff")
    one_line_refusal(kt_find("8x8", "--method", "euler", "--set", "twist=1"), "no parameter", "begin=")
    one_line_refusal(kt_find("8x8", "--method", "euler", "--set", "turns=many"), "turns", "integer")
    one_line_refusal(kt_find("8x8", "--method", "euler", "--set", "begin=badly"), "begin", "lookahead")
    one_line_refusal(kt_find("8x8", "--method", "euler", "--set", "turns"), "KEY=VALUE")
    one_line_refusal(kt_find("8x8", "--method", "euler", "--set", "turns=1", "--set", "turns=2"), "twice")
    one_line_refusal(kt_find("8x8", "--set", "turns=1"), "--method")
    one_line_refusal(kt_find("8x8", "--method", "euler", "--set", "turns=-1"), "turns")
    one_line_refusal(kt_find("8x8", "--method", "random-walk", "--set", "steps=-1"), "steps")
    one_line_refusal(kt_find("8x8", "--method", "path-conversion", "--set", "passes=0"), "passes")
    one_line_refusal(kt_find("8x8", "--method", "warnsdorff", "--set", "origin=z9"), "z9")
    one_line_refusal(kt_find("8x8", "--time-limit", "nan"), "time limit")
    one_line_refusal(kt_find("8x8", "--seed", "-1"), "seed")
    one_line_refusal(kt_find("8x8", "--minimize", "moves"), "moves")
    one_line_refusal(kt_find("8x8", "--symmetry", "rot180", "--method", "merge"), "symmetry")


def test_the_methods_are_listed() -> None:
    result = kt_find("--methods")
    assert result.exit_code == 0 and all(name in result.stdout for name in METHODS)
    assert "--set cut=greatest|fewest|even" in result.stdout


def test_a_signal_ends_the_search() -> None:
    words = ["find", "aztec:30", "--method", "random-walk", "--json"]
    with at_work("heuristics.papers.aztec.random_walk:_search", *words) as process:
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3 and "Traceback" not in errors
    assert json.loads(output)["status"] == "unknown"
