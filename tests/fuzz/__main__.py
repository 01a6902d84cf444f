"""`python -m tests.fuzz`: the long runs."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import click


@click.group(help="Robustness runs; see tests/fuzz/__init__.py.")
def fuzz() -> None: ...


@fuzz.command("readers")
@click.option("--inputs", default=80_000)
def readers_command(inputs: int) -> None:
    from tests.fuzz.checks import readers

    with tempfile.TemporaryDirectory() as folder:
        click.echo(f"readers: {readers(Path(folder), inputs)}")


@fuzz.command("commands")
@click.option("--inputs", default=20_000)
def commands_command(inputs: int) -> None:
    from tests.fuzz.checks import commands

    with tempfile.TemporaryDirectory() as folder:
        click.echo(f"commands: {commands(Path(folder), inputs)}")


@fuzz.command("coverage")
@click.option("--seconds", default=600)
def coverage_command(seconds: int) -> None:
    from tests.fuzz.coverage import guided

    guided(seconds)


if __name__ == "__main__":
    sys.exit(fuzz())
