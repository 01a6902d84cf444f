"""`display=True`: the progress of a call on standard output, as in other solvers."""

from __future__ import annotations

from functools import partial

import pytest

import drawing.live
import kt
from kt_models import KTError


def test_each_better_value_or_bound_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    result = kt.solve("5x6", minimize="turns", hint=True, display=True)
    lines = capsys.readouterr().out.splitlines()
    assert result.value == 28
    assert lines
    assert all(" s   value " in line and "   bound " in line for line in lines)
    assert len(lines) == len({line.split("value")[1] for line in lines})


def test_verbose_prints_lines_in_a_notebook_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing.live, "in_notebook", lambda: True)
    for call in (partial(kt.solve, "5x6"), partial(kt.find, "5x6"), partial(kt.improve, kt.find("5x6"))):
        call(minimize="turns", verbose=True, time_limit=1)
        assert " s   value " in capsys.readouterr().out


def test_nothing_is_shown_unasked(capsys: pytest.CaptureFixture[str]) -> None:
    kt.solve("5x6", minimize="turns")
    kt.find("6x6", display=False)
    assert capsys.readouterr().out == ""


def test_two_listeners_and_what_is_no_boolean_are_refused() -> None:
    with pytest.raises(KTError, match="leave one of them out"):
        kt.solve("5x6", display=True, on_progress=lambda now: None)
    with pytest.raises(KTError, match="display and verbose"):
        kt.solve("5x6", display=True, verbose=True)
    with pytest.raises(KTError, match="verbose"):
        kt.solve("5x6", verbose=1)  # type: ignore[arg-type]
    with pytest.raises(KTError, match="display"):
        kt.solve("5x6", display=1)  # type: ignore[arg-type]
