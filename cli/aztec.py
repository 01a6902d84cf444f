"""`kt aztec`: the ledger of open and closed tours of Aztec diamonds."""

from __future__ import annotations

import math
import random
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.aztec_output import print_ledger, print_lemmas, ranges
from cli.command import Command
from cli.files import output_suffix, writes
from cli.live import limits_of, live_progress
from cli.option_errors import read_when
from cli.options import LimitOptions, grouped, json_option, limit_options, print_json
from cli.status import UNANSWERED
from kt_models import KTError
from kt_models.errors import TooLarge
from kt_models.limits import Limits, Report
from kt_models.writing import require_writable

if TYPE_CHECKING:
    from encoders.papers.aztec.settle import Entry, RadiusResult
    from heuristics.papers.aztec.lemmas import RadiusLemmas

WRONG = 1
MAX_WORKERS = 256


@dataclass(frozen=True)
class LedgerOptions:
    """The task, its files, and the time for each radius."""

    ledger: str | None = None
    tours: str | None = None
    verify: str | None = None
    sample: int | None = None
    lemmas: bool = False
    radius_time: float | None = None

    def __post_init__(self) -> None:
        if sum(map(bool, (self.ledger or (self.tours and not self.lemmas), self.verify, self.lemmas))) > 1:
            raise KTError("--ledger or --tours, --verify, and --lemmas are different tasks: give one of them")
        if self.sample is not None and not self.verify:
            raise KTError("--sample: needs --verify")
        if self.sample is not None and self.sample < 1:
            raise KTError(f"--sample: must be at least 1, got {self.sample}")
        if self.radius_time is not None and not 0 < self.radius_time < math.inf:
            raise KTError(f"--radius-time: must be a number of seconds above 0, got {self.radius_time}")


@click.command("aztec", cls=Command)
@click.argument("radii", required=False)
@grouped(
    "options",
    LedgerOptions,
    click.option("--ledger", metavar="FILE", help="Keep the ledger in FILE (.json), and continue from it."),
    click.option("--tours", metavar="DIR", help="Write the tours to DIR: closed-5.json, with --lemmas four-8.svg."),
    click.option("--verify", metavar="FILE", help="Repeat what a ledger says, from method and seed, and compare."),
    click.option("--sample", type=int, metavar="N", help="With --verify: a random sample of N radii."),
    click.option(
        "--lemmas", is_flag=True, help="Instead, check Lemmas 1 to 3 of Davies, Xue and Yerger for these radii."
    ),
    click.option("--radius-time", type=float, metavar="S", help="Seconds for each radius (default: none)."),
)
@limit_options(workers="Processes", seed="tours")
@json_option
@writes(going_on=("ledger", "tours"))
@read_when("radius_time", when=lambda values: not values["lemmas"], why="where tours are found, not with --lemmas")
def command(radii: str | None, options: LedgerOptions, limit_values: LimitOptions, as_json: bool) -> int:
    """Decide which Aztec diamonds have an open, and a closed, knight's tour, and show how that is known.

    \b
    kt aztec 5
    kt aztec 1..20,30,40..50
    kt aztec 1..500 --ledger aztec.json       stop it and continue later
    kt aztec --verify aztec.json --sample 20
    kt aztec 1..30 --lemmas
    kt aztec 8 --lemmas --tours DIR           four closed tours of equal length, drawn
    """
    if radii is None and not options.verify:
        raise KTError("RADII is missing: 5, or 1..20, or 1..20,30,40..50")
    if not 0 <= limit_values.seed < 2**31:
        raise KTError(f"--seed: must be in 0..{2**31 - 1}, got {limit_values.seed}")
    if limit_values.workers is not None and not 1 <= limit_values.workers <= MAX_WORKERS:
        raise KTError(f"--workers: must be in 1..{MAX_WORKERS}, got {limit_values.workers}")
    with limits_of(limit_values, as_json=as_json) as limits:
        if options.verify:
            return _verify(options.verify, radii, options, limits, as_json)
        numbers = parse_radii(radii or "")
        if options.lemmas:
            return _lemmas(numbers, options.tours, limits, as_json)
        return _settle(numbers, options, limits, as_json)


def parse_radii(text: str) -> list[int]:
    """Read radii such as `1..20,30,40..50`: ascending, each once."""
    from encoders.papers.aztec.settle import check_radius

    radii: set[int] = set()
    for part in re.sub(r"\s+", "", text).split(","):
        match = re.fullmatch(r"([0-9]{1,9})(?:\.\.([0-9]{1,9}))?", part)
        if not match:
            raise KTError(f"radii {text[:40]!r}: write them as 5, or 1..20, or 1..20,30,40..50")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise KTError(f"radii {part}: the first is greater than the last")
        check_radius(first)
        check_radius(last)
        radii.update(range(first, last + 1))
    return sorted(radii)


# -- the ledger --------------------------------------------------------------------------------------------------------


def _settle(radii: list[int], options: LedgerOptions, limits: Limits, as_json: bool) -> int:
    from encoders.papers.aztec.ledger import AztecLedger, settle_all

    path, folder = options.ledger, options.tours
    output_suffix(path, (".json",))
    if folder:
        _make_folder(folder)
    known = AztecLedger.open(path) if path else AztecLedger()
    fault: KTError | None = None
    with live_progress() as on_progress:
        again = {r: known.entries[r] for r in radii if r in known.entries and _lacks_tours(known.entries[r], folder)}
        todo = sorted({*known.missing(radii), *again})
        on_progress(Report(words=f"{len(todo)} radii to settle"))
        done = settle_all(todo, again, each=options.radius_time, tours=bool(folder), limits=limits)
        try:
            for number, result in enumerate(done, start=1):
                if known.add(result.entry) and path:
                    known.write(path)
                if folder:
                    _write_tours(folder, result)
                on_progress(Report(words=f"{number} of {len(todo)} radii, the last {result.entry.radius}"))
        except KTError as error:  # A full disk must not lose what is known.
            fault = error
    answered = [r for r in radii if r in known.entries]
    if as_json:
        print_json(known.to_json(answered) | {"unknown": known.missing(radii)})
    else:
        print_ledger(known, radii)
    if fault is not None:
        raise fault
    return UNANSWERED if known.missing(radii) else 0


def _make_folder(folder: str) -> None:
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise KTError(f"{folder}: cannot make this folder: {getattr(error, 'strerror', None) or error}") from None
    require_writable(Path(folder) / "closed-1.json")


def _lacks_tours(entry: Entry, folder: str | None) -> bool:
    """Whether the ledger knows a tour whose file is missing in the folder."""
    return folder is not None and entry.answered and any(not path.exists() for path in _files(entry, folder).values())


def _files(entry: Entry, folder: str) -> dict[str, Path]:
    return {
        kind: Path(folder) / f"{kind}-{entry.radius}.json"
        for kind, fact in entry.facts.items()
        if fact.sha256 is not None
    }


def _write_tours(folder: str, result: RadiusResult) -> None:
    from kt_models import write_tour

    for kind, path in _files(result.entry, folder).items():
        if kind in result.tours:
            write_tour(path, result.tours[kind])


# -- verifying ---------------------------------------------------------------------------------------------------------


def _verify(path: str, text: str | None, options: LedgerOptions, limits: Limits, as_json: bool) -> int:
    from encoders.papers.aztec.ledger import AztecLedger, by_radius, verify_one, versions

    ledger = AztecLedger.read(path)
    radii = sorted(ledger.entries) if text is None else parse_radii(text)
    if absent := [r for r in radii if r not in ledger.entries]:
        raise KTError(f"{path}: there is no entry for radius {ranges(absent)}")
    if options.sample is not None and options.sample < len(radii):
        radii = sorted(random.Random(limits.seed).sample(radii, options.sample))
    began = time.monotonic()
    agreed: list[int] = []
    wrong: dict[int, str] = {}

    with live_progress() as on_progress:
        calls = [(radius, ledger.entries[radius], options.radius_time) for radius in radii]
        for radius, same, fault in by_radius(verify_one, calls, limits):
            if fault:
                wrong[radius] = fault
            elif same:
                agreed.append(radius)
            on_progress(Report(words=f"{len(agreed)} of {len(radii)} radii agree, {len(wrong)} do not"))
    unfinished = [r for r in radii if r not in agreed and r not in wrong]
    seconds = time.monotonic() - began
    if as_json:
        status = "wrong" if wrong else "unknown" if unfinished else "ok"
        data: dict[str, Any] = {"kind": "aztec-verification", "status": status}
        data |= {"agreed": sorted(agreed), "wrong": {str(r): wrong[r] for r in sorted(wrong)}}
        print_json(data | {"unfinished": unfinished}, seconds)
    else:
        for radius in sorted(wrong):
            click.echo(f"{path}: wrong: {wrong[radius]}")
        if wrong and versions() not in ledger.made_with:
            click.echo(f"(made with {'; '.join(ledger.made_with) or 'nothing'}; this is {versions()})")
        if agreed:
            click.echo(f"{path}: ok: {len(agreed)} radii agree ({ranges(agreed)}), {seconds:.1f} s")
        if unfinished:
            click.echo(f"{path}: not found again in time: {ranges(unfinished)}")
        if not radii:
            click.echo(f"{path}: no entry to verify")
    return WRONG if wrong else UNANSWERED if unfinished else 0


# -- the lemmas --------------------------------------------------------------------------------------------------------


def _lemmas(radii: list[int], folder: str | None, limits: Limits, as_json: bool) -> int:
    from encoders.papers.aztec.ledger import by_radius
    from heuristics.papers.aztec.lemmas import MAX_LEMMA_RADIUS, check_lemmas

    if radii[-1] > MAX_LEMMA_RADIUS:
        raise TooLarge(f"--lemmas: radius {radii[-1]} is over the limit of {MAX_LEMMA_RADIUS}")
    lemmas_by_radius: dict[int, RadiusLemmas] = {}
    with live_progress() as on_progress:
        for lemmas in by_radius(check_lemmas, [(radius,) for radius in radii], limits):
            lemmas_by_radius[lemmas.radius] = lemmas
            on_progress(Report(words=f"{len(lemmas_by_radius)} of {len(radii)} radii"))
    if folder:
        _make_folder(folder)
        for entry in lemmas_by_radius.values():
            _draw_four_tours(entry, Path(folder))
    if as_json:
        entries = [lemmas_by_radius[r].to_json() for r in sorted(lemmas_by_radius)]
        print_json({"kind": "aztec-lemmas", "entries": entries})
    else:
        print_lemmas([lemmas_by_radius[r] for r in sorted(lemmas_by_radius)])
    return 0 if len(lemmas_by_radius) == len(radii) else UNANSWERED


def _draw_four_tours(entry: RadiusLemmas, folder: Path) -> None:
    """Draw the four tours of a diamond, if there are some."""
    from drawing.draw import draw_svg
    from kt_models import Board, MoveGraph
    from kt_models.walks import Walk
    from kt_models.writing import write_atomic

    if entry.four_tours is None:
        return
    graph = MoveGraph.of(Board.aztec(entry.radius))
    walks = []
    for tour in entry.four_tours:
        edges = [graph.edges_between(u, v)[0] for u, v in zip(tour, tour[1:] + tour[:1], strict=True)]
        walks.append(Walk(tour, tuple(edges), True))
    write_atomic(folder / f"four-{entry.radius}.svg", draw_svg(graph, walks))
