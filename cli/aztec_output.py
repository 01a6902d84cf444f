"""Output of the ledger of Aztec diamonds and of the checks of the lemmas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from cli.tables import print_table
from kt_models.kernel.certificates import Certificate, check
from kt_models.result import SOLVER_SAYS

if TYPE_CHECKING:
    from encoders.papers.aztec.ledger import AztecLedger
    from encoders.papers.aztec.settle import Entry, Existence
    from heuristics.papers.aztec.lemmas import RadiusLemmas


def print_ledger(ledger: AztecLedger, radii: list[int]) -> None:
    """Print a row for each radius, then what the ledger means for the two open problems."""
    rows: list[tuple[str, ...]] = [("radius", "cells", "open", "closed", "seconds", "how")]
    for radius in radii:
        if entry := ledger.entries.get(radius):
            words = [_word(entry.open), _word(entry.closed)]
            rows.append((str(radius), f"{entry.cells:,}", *words, f"{entry.seconds:.2f}", _evidence(entry)))
    print_table(rows, left=(2, 3, 5))
    entries = [ledger.entries[r] for r in radii if r in ledger.entries]
    unknown = ledger.missing(radii)
    click.echo()
    click.echo(f"no open tour:                 {ranges(e.radius for e in entries if e.open.exists is False)}")
    neither = (e.radius for e in entries if e.open.exists and e.closed.exists is False)
    click.echo(f"an open but no closed tour:   {ranges(neither)}")
    both = (e.radius for e in entries if e.open.exists and e.closed.exists)
    click.echo(f"both:                         {ranges(both)}")
    if unknown:
        click.echo(f"not settled:                  {ranges(unknown)}")


def print_lemmas(entries: list[RadiusLemmas]) -> None:
    """Print a row for each radius."""
    rows: list[tuple[str, ...]] = [
        ("radius", "colours", "dissected", "quarter", "in four tours", "a quadrant has no closed tour because")
    ]
    for entry in entries:
        white, black = entry.colours
        rows.append(
            (
                str(entry.radius),
                f"{white:,} + {black:,}",
                f"no ({entry.placements} tried)",
                f"{entry.quarter:,}",
                {True: "yes", False: "no: odd", None: "not found"}[entry.four_equal_tours],
                check(entry.quadrant),
            )
        )
    print_table(rows, left=(5,))


def _word(fact: Existence) -> str:
    from encoders.papers.aztec.settle import FROM_CLOSED

    if fact.exists is None:
        return "?"
    return "none" if not fact.exists else "from closed" if fact.method == FROM_CLOSED else "yes"


def _evidence(entry: Entry) -> str:
    """The source of the answers, once if both have the same."""
    from encoders.papers.aztec.settle import FROM_CLOSED

    words = {kind: _reason(fact) for kind, fact in entry.facts.items() if fact.method != FROM_CLOSED}
    if len(set(words.values())) == 1:
        return next(iter(words.values()))
    return "; ".join(f"{kind}: {text}" for kind, text in words.items())


def _reason(fact: Existence) -> str:
    if fact.certificate is not None:
        return f"proof: {check(Certificate.from_json(fact.certificate))}"
    if fact.exists is None:
        return "not settled in time"
    return f"{fact.method}, seed {fact.seed}" if fact.exists else f"{fact.method}: the {SOLVER_SAYS}"


def ranges(radii: Iterable[int]) -> str:
    """Text such as `1..3, 5`; `none of these` for an empty list."""
    runs: list[list[int]] = []
    for radius in sorted(radii):
        if runs and runs[-1][1] == radius - 1:
            runs[-1][1] = radius
        else:
            runs.append([radius, radius])
    return ", ".join(str(a) if a == b else f"{a}..{b}" for a, b in runs) or "none of these"
