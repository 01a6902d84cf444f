"""The ledger of Aztec diamonds: a file that grows by a row for each radius that is settled.

Worker processes settle many radii at a time; this process settles a few by itself. The file is written after each
radius.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeVar

from encoders.papers.aztec.settle import MAX_EXACT_RADIUS, METHODS, Entry, RadiusResult, recreate, settle
from encoders.work.pool import local_pool
from heuristics.calls import outcomes
from kt_models import graph_of
from kt_models.errors import CertificateError, KTError, about
from kt_models.json_version import FORMAT_VERSION, read_document
from kt_models.limits import NO_LIMITS, Limits, Stopped
from kt_models.machine import usable_cores
from kt_models.problem import Problem
from kt_models.storage import read_json
from kt_models.writing import write_atomic

KIND = "aztec-ledger"
LIBRARIES = ("numpy", "scipy", "numba", "ortools")
"""Libraries whose versions are recorded: a seed gives the same tour only with the same versions."""
GRACE_SECONDS = 1.0
"""Seconds that a radius has to end after the limits are reached."""
MIN_PARALLEL_WORK = 5_000_000
"""Cells from which on worker processes pay: this many take some seconds, about as long as the start of the
processes."""
T = TypeVar("T")


@dataclass
class AztecLedger:
    """Entries by radius.

    Parameters
    ----------
    entries
        Known answers by radius.
    made_with
        Versions of the libraries that found them, one text for each set of versions.
    """

    entries: dict[int, Entry] = field(default_factory=dict)
    made_with: list[str] = field(default_factory=list)

    def add(self, entry: Entry) -> bool:
        """Add an entry, unless its radius is settled already; return whether it was added."""
        before = self.entries.get(entry.radius)
        if before is not None and before.answered:
            return False
        self.entries[entry.radius] = entry
        if (mine := versions()) not in self.made_with:
            self.made_with.append(mine)
        return True

    def missing(self, radii: Iterable[int]) -> list[int]:
        """The radii that are not settled."""
        return [r for r in radii if r not in self.entries or not self.entries[r].answered]

    def to_json(self, radii: Iterable[int] | None = None) -> dict[str, Any]:
        """The JSON object of the ledger, or of its entries for some radii."""
        entries = [self.entries[r].to_json() for r in sorted(self.entries if radii is None else radii)]
        return {"version": FORMAT_VERSION, "kind": KIND, "made_with": self.made_with, "entries": entries}

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the file, completely or not at all. Each entry has a line, so that a change shows as one line."""
        data = self.to_json()
        lines = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in data.pop("entries"))
        write_atomic(path, f'{json.dumps(data)[:-1]}, "entries": [\n{lines}\n]}}\n')

    @classmethod
    def from_json(cls, data: Any) -> AztecLedger:
        """Read the ledger of a JSON object. Its claims are not checked; see `encoders.papers.aztec.settle.recreate`.

        Raises
        ------
        KTError
            If a part is missing or of the wrong type.
        """
        if not isinstance(data, dict) or data.get("kind") != KIND:
            raise KTError(f"not a ledger of Aztec diamonds ('kind' is not {KIND!r})")
        data = read_document(data, KIND)
        made_with, entries = data.get("made_with"), data.get("entries")
        if not isinstance(made_with, list) or not all(isinstance(text, str) for text in made_with):
            raise KTError("'made_with' is not a list of texts")
        if not isinstance(entries, list):
            raise KTError("'entries' is not a list")
        ledger = cls(made_with=made_with)
        for entry in map(Entry.from_json, entries):
            if entry.radius in ledger.entries:
                raise KTError(f"radius {entry.radius} is entered twice")
            ledger.entries[entry.radius] = entry
        return ledger

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> AztecLedger:
        """The ledger in a file; the message of an error names the file."""
        data = read_json(path)
        with about(path):
            return cls.from_json(data)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> AztecLedger:
        """The ledger in a file; an empty one if there is no such file."""
        return cls.read(path) if Path(path).exists() else cls()


def versions() -> str:
    """`kt 0.1.0, numpy 2.3.1, ...`, the installed versions."""
    versions = []
    for name in ("kt", *LIBRARIES):
        try:
            versions.append(f"{name} {version(name)}")
        except PackageNotFoundError:  # A checkout is not installed.
            from kt_models import __version__

            versions.append(f"{name} {__version__ if name == 'kt' else '?'}")
    return ", ".join(versions)


def settle_all(
    radii: list[int],
    again: Mapping[int, Entry] | None = None,
    *,
    each: float | None = None,
    tours: bool = True,
    limits: Limits = NO_LIMITS,
) -> Iterator[RadiusResult]:
    """Call `settle` for many radii, in order.

    Parameters
    ----------
    again
        Entries of the radii whose tours are to be found again (`recreate`).
    each
        Seconds for each radius; None for no limit of its own.
    tours
        Whether to return the tours; from another process that takes longer than to make them.
    limits
        Limits for all radii. A radius that a stop cut short is left out. Workers are processes, by default one for each
        core.
    """
    known = again or {}
    for result in by_radius(settle_one, [(radius, known.get(radius), each, tours) for radius in radii], limits):
        if result.entry.answered or not limits.stopped:
            yield result


def settle_one(
    radius: int, known: Entry | None, each: float | None, tours: bool, limits: Limits
) -> RadiusResult | None:
    """The known entry of a radius, or a new one."""
    warm_up(radius > MAX_EXACT_RADIUS)
    limits = limits.within(each)
    result = settle(radius, limits) if known is None else recreate(known, limits)
    return result if tours or result is None else RadiusResult(result.entry)


def verify_one(radius: int, entry: Entry, each: float | None, limits: Limits) -> tuple[int, bool, str]:
    """A radius, whether its entry was found again, and a description of any fault."""
    warm_up(radius > MAX_EXACT_RADIUS)
    try:
        return radius, recreate(entry, limits.within(each)) is not None, ""
    except CertificateError as error:
        return radius, False, str(error)


@cache
def warm_up(large: bool) -> None:
    """Load, and the first time compile, the code for a radius, so that no radius is charged for it."""
    problem = Problem(graph_of("aztec:3"))
    for name in ("exact", "rings") if large else ("exact",):
        METHODS[name](problem, NO_LIMITS)


def by_radius(work: Callable[..., T | None], calls: Sequence[tuple[Any, ...]], limits: Limits) -> Iterator[T]:
    """The results of some work on each radius, in order, until the limits are reached. The radius is the first
    argument.

    Processes do long work, since much of it holds Python's lock.
    """
    workers = limits.workers or usable_cores()
    many = sum(2 * call[0] * (call[0] + 1) for call in calls) >= MIN_PARALLEL_WORK
    with local_pool(workers if many else 1) as pool:
        for _, result in outcomes(partial(_in_time, work), calls, limits, pool):
            if result is not None:
                yield result


def _in_time(work: Callable[..., T | None], *call: Any) -> T | None:
    *arguments, limits = call
    try:
        result: T | None = limits.run(lambda: work(*arguments, limits), GRACE_SECONDS)
    except Stopped:
        return None
    return result
