"""Limits are kept, and what they cut off is told: looks are counted, and no outcome depends on the clock."""

from __future__ import annotations

import re
from math import inf, nan
from pathlib import Path

import pytest

import kt as toolkit
from cli.options import LimitOptions
from encoders.bounds import NotShown, certify_lower_bound
from kt_models import KTError, Problem, graph_of
from kt_models.limits import NO_LIMITS, Limits, Stopped
from tests.command import kt
from tests.processes import StopAfter

COMMANDS = [
    ["solve", "6x6"], ["find", "6x6"], ["bound", "6x6"], ["improve", "{tour}", "--minimize", "turns"],
    ["enumerate", "6x6", "--count"], ["longest", "5x5"], ["magic", "4x4"], ["check", "{tour}"], ["best", "6x6"],
    ["compare", "6x6", "--minimize", "turns"], ["aztec", "3"],
]  # fmt: skip


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tours") / "tour.json"
    toolkit.find("6x6").save(path)
    return path


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_every_command_takes_0_seconds_and_refuses_less(words: list[str], tour: Path) -> None:
    """Without time nothing is begun, which is exit status 3 and one line; a negative limit makes no sense."""
    line = [word.format(tour=tour) for word in words]
    nothing = kt(*line, "--time-limit", "0")
    assert nothing.exit_code == 3 and "Traceback" not in nothing.stderr, nothing.stderr
    for wrong in ("-1", "nan", "1e12"):
        refused = kt(*line, "--time-limit", wrong)
        assert refused.exit_code == 2 and re.fullmatch(r"kt: time limit must be .*, got .*\n", refused.stderr)


def test_python_takes_0_seconds_and_refuses_less() -> None:
    for wrong in (-1, 1e9):
        with pytest.raises(KTError, match="time limit must be"):
            toolkit.solve("6x6", time_limit=wrong)
    assert toolkit.find("6x6", time_limit=0).status == "unknown"
    with pytest.raises(NotShown):
        toolkit.bound("6x6", minimize="turns", time_limit=0)
    for wrong in (-1.0, nan):
        with pytest.raises(KTError, match="at least 0 seconds"):
            Limits(wrong)
    assert Limits(inf).left == inf


def bound_after(looks: int) -> tuple[int | None, tuple[str, ...], int]:
    """The bound of 6x6 where the flag is set after so many looks: its value, what was left, and looks that remain."""
    flag = StopAfter(looks)
    limits = Limits(stop=flag)
    problem = Problem(graph_of("6x6"), objective="crossings")
    try:
        certificate = certify_lower_bound(problem, method="regions", limits=limits)
    except NotShown:
        return None, limits.unfinished, flag.looks
    return certificate.bound, limits.unfinished, flag.looks


def test_a_bound_says_whether_it_was_cut_off() -> None:
    """Cut off at a look well before the end it is weaker or as good, and says so; with all looks it says nothing."""
    plenty = 10**9
    whole, left, remaining = bound_after(plenty)
    assert whole and left == ()
    needed = plenty - remaining
    for looks in (0, needed // 4, needed // 2):
        bound, left, _ = bound_after(looks)
        assert left == ("regions",) and (bound is None or bound <= whole), looks


def test_the_command_says_what_was_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit status 3 and a line with its name; 0 and silence where nothing was."""
    whole = kt("bound", "6x6", "--minimize", "crossings", "--method", "regions")
    assert whole.exit_code == 0 and "cut off" not in whole.stderr
    flag = StopAfter(40)
    monkeypatch.setattr("cli.live.Limits", lambda *arguments: Limits(arguments[0], flag, *arguments[2:]))
    cut = kt("bound", "6x6", "--minimize", "crossings", "--method", "regions")
    assert cut.exit_code == 3 and ("regions" in cut.stderr or "was shown" in cut.stderr), cut.stderr


def test_what_limits_left_is_known_to_all_their_parts() -> None:
    limits = Limits(5)
    limits.part(0.5).within(1).until(lambda: False).leave("a")
    limits.leave("a")
    limits.leave("b")
    assert limits.unfinished == ("a", "b")
    NO_LIMITS.within(1).leave("c")
    NO_LIMITS.leave("d")
    assert NO_LIMITS.unfinished == ()


# -- memory ------------------------------------------------------------------------------------------------------------


def test_tables_have_what_is_free_or_what_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kt_models.limits.usable_memory", lambda: 1000)
    assert (Limits().room(10**9), Limits().room(10), Limits(memory=5000).room(10)) == (800, 10, 5000)


def test_more_memory_than_allowed_ends_work_with_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    held = [100]
    monkeypatch.setattr("kt_models.limits.MEMORY_POLL_SECONDS", -1.0)
    monkeypatch.setattr("kt_models.limits.resident_memory", lambda: held[0])
    limits = Limits(memory=50).watched()
    part = limits.part(0.5).until(lambda: False)
    assert not limits.over and not part.over
    held[0] = 151
    assert part.over and limits.over
    with pytest.raises(Stopped, match="of memory were taken"):
        part.check()
    held[0] = 0
    assert limits.over  # For good


def test_what_is_too_large_for_the_memory_is_refused_or_left_out() -> None:
    refused = kt("find", "1000x1000", "--memory", "0.05")
    assert refused.exit_code == 2 and "needs about 0.1 GB, more than the 0.05 GB allowed" in refused.stderr
    line = ("solve", "7x8", "--minimize", "turns", "--no-best", "--engine", "cpsat", "--memory", "0.0005")
    left = kt(*line)
    assert left.exit_code == 3 and "0.0005 GB" in left.stderr


@pytest.mark.parametrize("command", ["solve", "find", "improve", "bound"])
def test_memory_is_an_option(command: str, tour: Path) -> None:
    words = [str(tour), "--minimize", "turns"] if command == "improve" else ["6x6"]
    assert kt(command, *words, "--memory", "4").exit_code in (0, 3)
    assert "gigabytes above 0" in kt(command, *words, "--memory", "0").stderr
    assert LimitOptions(memory=4).memory == 4
