"""Output of the gadgets that a search found."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from cli.error_messages import complain
from cli.files import leaves_alone, written_first
from cli.gadget_options import SUFFIXES, GadgetOptions
from cli.options import print_json, print_rows
from cli.run_options import command_line
from cli.status import UNANSWERED
from kt_models.errors import KTError
from kt_models.files.suffixes import allowed_suffix
from kt_models.json_version import FORMAT_VERSION
from kt_models.result import SOLVER_SAYS
from kt_models.writing import write_atomic, write_json

if TYPE_CHECKING:
    from encoders.gadgets import GadgetResult
    from kt_models.gadgets.gadget import Gadget

MAX_LISTED = 40
"""Most gadgets printed on a screen; a file holds them all."""


def finish(result: GadgetResult, options: GadgetOptions, searched: bool = True) -> int:
    """Print the result of a search, write its file, and return the exit status."""
    gadgets, pick, every = result.gadgets, options.pick, options.every
    if pick and pick > len(gadgets) and result.complete:
        raise KTError(f"--pick {pick}: {len(gadgets)} found")
    chosen = gadgets[pick - 1 : pick] if pick else gadgets
    enough = options.at_most is not None or not result.minimize or result.optimal
    answered = result.complete or (not every and bool(gadgets) and enough)
    data = _json(result, chosen, every)
    with written_first(lambda: _write(options.output, data, chosen) if options.output else None):
        if options.as_json:
            print_json(data)
        else:
            _print(result, chosen, every, searched)
            if not answered:
                complain("stopped before the search was complete")
    return 0 if answered else UNANSWERED


def _json(result: GadgetResult, chosen: tuple[Gadget, ...], every: bool) -> dict[str, Any]:
    """One gadget as a gadget, several or none as a list."""
    facts = {
        "status": result.status,
        **({"minimize": result.minimize} if result.minimize else {}),
        **({"value": result.value} if result.value is not None else {}),
        **({"bound": result.bound} if result.bound is not None else {}),
        **({"count": len(result.gadgets), "complete": result.complete} if every else {}),
        **({"at_most": result.at_most} if result.at_most is not None else {}),
        **({"wanted": asdict(result.wanted)} if result.wanted is not None else {}),
        "seconds": round(result.seconds, 3),
        "command": command_line(),
    }
    if len(chosen) == 1:
        return {**chosen[0].to_json(), **facts}
    # Without a gadget the file names the region, so that a check can count there again.
    place = {} if chosen else result.frame.to_json()
    return {
        "version": FORMAT_VERSION,
        "kind": "gadgets",
        **place,
        **facts,
        "gadgets": [gadget.to_json() for gadget in chosen],
    }


def _print(result: GadgetResult, chosen: tuple[Gadget, ...], every: bool, searched: bool) -> None:
    from kt_models.gadgets.frame import name_of
    from kt_models.gadgets.gadget import line_offsets

    frame = result.frame
    period = f", period {max(frame.period)}" if frame.periodic else ""
    rows = [("region", f"{len(frame.cells)} cells, {len(frame.ports)} ports{period}")]
    if searched:
        finished = result.complete and result.status == "feasible"
        rows.append(("status", "complete" if finished else result.status))
    if result.value is not None:
        proved = " (least, proved)" if result.optimal else f" (bound {result.bound or 0})"
        rows.append((result.minimize or "value", f"{result.value}{proved}"))
    if every:
        rows.append(("count", f"{len(result.gadgets)}{'' if result.complete else ' or more'}"))
    if searched:
        known = ["gadgets verified"] if result.gadgets else []
        if result.infeasible or result.optimal or (every and result.complete):  # Else nothing is said of others
            rest = "that there are none" if result.infeasible else "that there are no others, or none better,"
            word = "counted by an exact sweep" if result.counted else f"the {SOLVER_SAYS}"
            known.append(f"{rest} is {word}")
        rows += [("evidence", "; ".join(known))] if known else []
        rows.append(("seconds", f"{result.seconds:.2f}"))
    print_rows(rows)
    for number, gadget in enumerate(chosen[:MAX_LISTED], start=1):
        if len(result.gadgets) > 1 and len(chosen) > 1:
            click.echo(f"\ngadget {number}")
        else:
            click.echo()
        facts = [f"{gadget.turns} turns, {gadget.crossings} crossings"]
        if gadget.matching:
            facts.append(gadget.matching)
        if offsets := line_offsets(gadget):
            facts.append("lines " + " ".join(f"{c}:{step:+d}" for c, step in offsets.items()))
        click.echo("  " + "; ".join(facts))
        for path in gadget.paths:
            ends = "strand" if path.start is None or path.end is None else f"{path.start + 1}-{path.end + 1}"
            click.echo(f"  {ends:<6} " + " ".join(name_of(cell) for cell in path.cells))
    if len(chosen) > MAX_LISTED:
        click.echo(f"\n({len(chosen) - MAX_LISTED} more; -o FILE.json writes all)")


def _write(path: str, data: dict[str, Any], chosen: tuple[Gadget, ...]) -> None:
    suffix = allowed_suffix(path, SUFFIXES)
    if leaves_alone(path, says_nothing=not chosen and data["status"] == "unknown"):
        return
    if suffix == ".json":
        write_json(path, data)
    elif not chosen:
        complain(f"{path}: not written, as there is no gadget; a .json file would hold the answer")
    else:
        from drawing.gadget import gadget_png, gadget_svg

        if len(chosen) > 1:
            complain(f"{path}: the first of {len(chosen)} gadgets; --pick K draws another")
        write_atomic(path, gadget_svg(chosen[0]) if suffix == ".svg" else gadget_png(chosen[0]))
