"""Progress of a list at a terminal: a bar where the size of the file is known, a count where it is not."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import many
from cli.main import main


class _Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> _Terminal:
    """Standard error, seen by kt as a terminal, where progress begins at once."""
    screen = _Terminal()
    for name, value in {"TERM": "xterm", "COLUMNS": "100", "NO_COLOR": "1"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(many, "PROGRESS_SECONDS", 0.0)
    return screen


def _answered(terminal: _Terminal, monkeypatch: pytest.MonkeyPatch, *words: str, text: str | None = None) -> str:
    """What the command prints on standard output; the terminal has what it draws."""
    monkeypatch.setattr("cli.live._is_watched", lambda: True)
    plain = many.live_progress

    def watched(first: str, after: float) -> object:
        monkeypatch.setattr(sys, "stderr", terminal)
        return plain(first, after)

    monkeypatch.setattr(many, "live_progress", watched)
    done = CliRunner().invoke(main, words, input=text)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_file_has_a_bar(terminal: _Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "list.g6").write_text("Bw\nC~\nB?\n")
    out = _answered(terminal, monkeypatch, "solve", str(tmp_path / "list.g6"), "--workers", "1")
    assert [line.split()[:2] for line in out.splitlines()] == [
        ["1", "feasible"],
        ["2", "feasible"],
        ["3", "infeasible"],
    ]
    drawn = terminal.getvalue()
    assert "89%  3 answered" in drawn and "a second" in drawn and "━" in drawn


def test_a_pipe_has_a_count(terminal: _Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    _answered(terminal, monkeypatch, "solve", "-", "--workers", "1", text="Bw\nC~\n")
    assert "2 answered" in terminal.getvalue() and "%" not in terminal.getvalue()


def test_a_quick_list_draws_nothing(terminal: _Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many, "PROGRESS_SECONDS", 1e6)
    _answered(terminal, monkeypatch, "solve", "-", "--workers", "1", text="Bw\nC~\n")
    assert "answered" not in terminal.getvalue() and "\x1b" not in terminal.getvalue()
