"""`python -m tests.chaos`: the long runs."""

from __future__ import annotations

import sys

import click

from tests.chaos.groups import FAULT, GROUPS, chaos


@click.command(help="Faults of the machine; see tests/chaos/__init__.py.")
@click.argument("group", type=click.Choice([*GROUPS, "all"]))
@click.option("--rounds", default=100, show_default=True, help="Rounds of each group.")
@click.option("--first", default=0, help="Number of the first round.")
@click.option("--seed", default=0)
@click.option("--seconds", default=float("inf"), help="Begin no round of a group after so many seconds.")
def main(group: str, rounds: int, first: int, seed: int, seconds: float) -> None:
    faults = 0
    click.echo("| group | rounds | how they ended |\n| --- | ---: | --- |")
    for name in GROUPS if group == "all" else [group]:
        endings = chaos(name, rounds, seed, first, seconds)
        faults += endings[FAULT]
        words = ", ".join(f"{count:,} {ending}" for ending, count in endings.most_common() if count)
        click.echo(f"| {name} | {endings.total():,} | {words} |")
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
