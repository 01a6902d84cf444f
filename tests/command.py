"""The command line as the tests call it."""

from __future__ import annotations

import json

from click.testing import CliRunner, Result

from cli.main import main


def kt(*arguments: object) -> Result:
    """What the words of a command line are answered: `exit_code`, `stdout`, `stderr`."""
    return CliRunner().invoke(main, [str(a) for a in arguments])


def answered(*arguments: object) -> tuple[int, str, str]:
    """The exit status, and what is written to stdout and to stderr."""
    result = kt(*arguments)
    return result.exit_code, result.stdout, result.stderr


def kt_json(*arguments: object) -> dict:
    """The one JSON object that a command prints on stdout, with its exit status under `exit`."""
    result = kt(*arguments, "--json")
    assert all(line.startswith("written ") for line in result.stderr.splitlines()), result.stderr
    assert result.stdout.count("\n") == 1, (result.stdout, result.exception)
    return json.loads(result.stdout) | {"exit": result.exit_code}


def one_line_refusal(result: Result, *words: str) -> None:
    """Exit status 2, nothing on stdout, one line on stderr that holds the words."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1, result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr) < 500
    for word in words:
        assert word in result.stderr
