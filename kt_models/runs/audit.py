"""Audit of a run (see `folder`): what its files show, without trusting them.

The rows of the ledger, each read once and checked (`rows`), go into a private database, whose constraints can be
trusted. From it the auditor recovers the cubes that make up the whole problem and walks through them. It adds up
finished cubes, open cubes and solutions on that walk, and only from cubes that pass it. A million cubes take no more
memory than ten.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from kt_models.errors import CertificateError, InvalidTour
from kt_models.json_values import is_integer
from kt_models.kernel.certificates.verdict import Verdict
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.runs.bound_task import BoundTask
from kt_models.runs.cube_proof import CubeProofs
from kt_models.runs.cubes import Cube, check_cover
from kt_models.runs.folder import DONE, FAILED, LEDGER, PROOFS, SPLIT, digest_of, proof_path, task_and_digest
from kt_models.runs.rows import STEPS_PER_CHECK, Rows, faults
from kt_models.runs.task import Solutions, Task

_COUNTED_ONCE, _NOT_LISTED = "each verified and counted once; ", "counted, not listed; "
REPORT_EVERY = 1000
"""Cubes or solutions between two reports of progress."""
MAX_TEXT = 1_000_000
"""Most characters of the parts of a cube, or of its numbers by value."""
MAX_VALUES = 100_000
"""Most distinct values."""
# Python refuses to convert texts of more than 4,300 digits
_COUNT = re.compile("0|[1-9][0-9]{0,3999}", re.ASCII)
_KEY = re.compile("[0-9a-f]{32}", re.ASCII)
_DIGEST = re.compile("[0-9a-f]{64}", re.ASCII)
_COPY = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -32000;
CREATE TABLE known (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE settled (cube TEXT PRIMARY KEY, split INTEGER, count TEXT, by_value TEXT, digest TEXT, proof TEXT)
    WITHOUT ROWID;
CREATE TABLE failed (cube TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE place (key TEXT, cube TEXT, PRIMARY KEY (key, cube)) WITHOUT ROWID;
CREATE INDEX place_of ON place (cube, key);
CREATE TABLE solution (key TEXT PRIMARY KEY) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Account:
    """Totals over the cubes of a run that make up the whole problem.

    Parameters
    ----------
    cubes, done
        Numbers of cubes that cover everything, and of those done.
    count, by_value
        Solutions in the cubes done, each counted once; by value if the task wants it.
    verified
        Whether each solution was verified and each proof replayed.
    proofs
        Description of the proofs; None if cubes have no proofs.
    """

    task: Task
    cubes: int
    done: int
    count: int
    by_value: Mapping[int, int] = field(default_factory=dict)
    verified: bool = True
    proofs: str | None = None

    @property
    def complete(self) -> bool:
        """Whether all cubes are done."""
        return self.done == self.cubes

    @property
    def found(self) -> str:
        """The findings of the walk, in words, of a run that is complete."""
        listed = self.verified and not self.task.counting and self.count
        words = "" if isinstance(self.task, BoundTask) else _COUNTED_ONCE if listed else _NOT_LISTED
        return f"run: {words}done are all {self.cubes:,} cubes, which cover everything"

    @property
    def verdict(self) -> Verdict:
        """Claims that follow, and claims that are only made.

        Raises
        ------
        CertificateError
            If a tour refutes the claim.
        """
        task, bound = self.task, isinstance(self.task, BoundTask)
        conclusion = task.conclusion(self.count, self.by_value)
        existence = () if bound or not self.count else (Solutions(task, self.count),)
        verified = existence if self.verified and not task.counting else ()
        if not self.complete:
            evidence = "run: " if bound else f"run: {_COUNTED_ONCE if verified else _NOT_LISTED}"
            evidence += f"not complete: {self.done:,} of {self.cubes:,} cubes, which cover everything, are done"
            return Verdict(verified, conclusion if bound else () if verified else existence, evidence)
        evidence = self.found
        if self.verified and self.proofs is not None:
            return Verdict((*verified, *conclusion), (), f"{evidence}; certificate checked: {self.proofs}")
        word = "no tour below is not certified" if bound else "no others is not certified"
        return Verdict(verified, conclusion, f"{evidence}; that a cube has {word}")


def audit(
    folder: str | os.PathLike[str],
    on_progress: Listener = silent,
    *,
    recount: bool = False,
    limits: Limits = NO_LIMITS,
) -> Verdict:
    """Check a run from its files alone, and return what they show.

    The audit checks that the cubes cover everything and do not overlap. Every solution must be valid, have the required
    value and its stored key, and lie in exactly the cubes that name it. Each cube's digest and numbers must be those of
    its solutions. If cubes have proofs, each proof must show that its cube has no solution. Without proofs, only the
    search vouches that a cube has no further solution.

    Parameters
    ----------
    recount
        Whether to count all solutions again, in a way that shares nothing with the search, where the task can be.

    Raises
    ------
    InvalidTour, CertificateError
        If a part of the run is wrong, or a tour refutes its claim.
    Stopped
        If the limits were reached.
    KTError
        If the run cannot be read.
    """
    totals = account(folder, on_progress, limits=limits)
    verdict = totals.verdict
    if not (recount and totals.complete and verdict.stated):
        return verdict
    on_progress(Report(words="counting all solutions again"))
    recounted, evidence = totals.task.recount(totals.count, limits)
    return Verdict((*verdict.shown, *recounted), (), f"{totals.found}; {evidence}") if recounted else verdict


def account(
    folder: str | os.PathLike[str],
    on_progress: Listener = silent,
    *,
    verify: bool = True,
    limits: Limits = NO_LIMITS,
) -> Account:
    """Walk of an `audit`: the totals over the cubes.

    Parameters
    ----------
    verify
        If False, no solution is verified and no proof replayed, and everything is only claimed.

    Raises
    ------
    KTError
        As `audit`.
    """
    path = Path(folder)
    task, digest = task_and_digest(path)
    if verify and on_progress is not silent:
        from kt_models.kernel.check_forecast import seconds_to_audit

        ledger, proofs_size = (
            sum(file.stat().st_size for file in path.glob(files)) for files in (LEDGER, f"{PROOFS}/*")
        )
        seconds = seconds_to_audit(ledger, proofs_size)
        on_progress(Report(words="the run", expected=seconds))
    with Rows(path, limits) as rows:
        # Two rows are read to see that there is only one
        if list(islice(rows.of("about"), 2)) != [("task", digest)]:
            raise CertificateError(f"{folder}: the ledger is about another problem than it says beside it")
        with _Copy(path / LEDGER, limits) as copy:
            copy.fill(rows)
            # Names are sorted by SQL, and in this order one pass shows that the leaves cover everything
            number = check_cover(Cube.parse(name) for (name,) in copy.ask(_LEAVES.format("known.name")))
            copy.check_references()
            solutions = _check_solutions(task, rows, copy, verify, on_progress)
            proofs = None
            # The formula is shared by all cubes: it is checked once
            if isinstance(task, BoundTask) and task.proving and verify:
                on_progress(Report(words="the formula that all proofs begin from"))
                proofs = CubeProofs(folder, task.statement, limits)
            done, counted, by_value = 0, 0, Counter[int]()
            for name, *row in copy.ask(_LEAVES.format("known.name, count, by_value, digest, proof")):
                if row[0] is None:
                    continue
                count, values = _check_done(task, copy, name, *row)
                if proofs is not None and not count:
                    proofs.check(proof_path(path, row[3]), row[3], Cube.parse(name))
                done, counted = done + 1, counted + count
                by_value.update(values)
                # A damaged ledger must not fill the memory
                if len(by_value) > MAX_VALUES:
                    raise CertificateError("there are more values than any problem here has")
                if done % (REPORT_EVERY if proofs is None else 1) == 0:
                    on_progress(Report(words=f"{done:,} cubes checked"))
    words = None
    if proofs is not None:
        words = f"a proof for each cube ({proofs.summary}), and all {sum(proofs.explained.values()):,} clauses they "
        words += "begin from against the problem"
    return Account(task, number, done, counted if task.counting else solutions, dict(by_value), verify, words)


# -- the copy ----------------------------------------------------------------------------------------------------------

_LEAVES = """
SELECT {} FROM known LEFT JOIN settled ON settled.cube = known.name WHERE split IS NOT 1 ORDER BY known.name
"""


class _Copy:
    """Queries about the rows of a ledger, in a private database: on disk if it is large."""

    def __init__(self, path: Path, limits: Limits) -> None:
        self._path, self._limits = path, limits
        # An empty name is a temporary database: it goes to disk if it outgrows the memory
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.executescript(_COPY)
        self._db.execute("BEGIN")
        # A long query stops when the time is over, which Python code would notice only after it
        self._db.set_progress_handler(lambda: limits.over, STEPS_PER_CHECK)

    def __enter__(self) -> _Copy:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def fill(self, rows: Rows) -> None:
        """Copy everything except the solutions."""
        self.add("known", rows.of("cube"), "cube {} is there twice")
        self.add("place", ((key, cube) for cube, key in rows.of("place")), "solution {} is twice in the same cube")
        for cube, state, count, by_value, digest, parts, proof, *_ in rows.of("record"):
            if state == FAILED:
                self.add("failed", [(cube,)], "")
                continue
            if state not in (DONE, SPLIT):
                raise CertificateError(f"cube {cube[:60]!r} is {state[:20]!r}")
            row = (cube, int(state == SPLIT), count, by_value, digest, proof)
            self.add("settled", [row], "cube {} was settled twice")
            if state == SPLIT:
                self.add("known", ((name,) for name in _names(cube, parts)), "cube {} is there twice")

    def add(self, table: str, rows: Iterable[tuple[Any, ...]], twice: str) -> None:
        """Insert rows; `twice` is the message for a repeated key (empty if repetitions are allowed)."""
        with faults(self._path, self._limits):
            for row in rows:
                marks = ", ".join("?" * len(row))
                # The primary keys find repetitions, and the number of rows inserted tells of them
                cursor = self._db.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row)
                if twice and not cursor.rowcount:
                    raise CertificateError(twice.format(row[0][:60]))

    def ask(self, query: str, *values: str) -> Iterator[tuple[Any, ...]]:
        """Rows that answer a query."""
        with faults(self._path, self._limits):
            for row in self._db.execute(query, values):
                self._limits.check()
                yield row

    def check_references(self) -> None:
        """Check that nothing refers to a cube outside this run, and that solutions are in finished cubes."""
        for column, table, known in (
            ("cube", "settled", "SELECT name FROM known"),
            ("cube", "failed", "SELECT name FROM known"),
            ("cube", "place", "SELECT cube FROM settled WHERE split = 0"),
        ):
            for (name,) in self.ask(f"SELECT {column} FROM {table} WHERE {column} NOT IN ({known}) LIMIT 1"):
                raise CertificateError(f"the ledger has more about cube {name[:60]!r} than it may")


def _names(cube: str, parts: str) -> list[str]:
    names = _json(parts)
    # The ledger is not trusted: everything read from it is checked for its type
    if not isinstance(names, list) or not all(type(name) is str for name in names):
        raise CertificateError(f"the parts of cube {cube[:60]!r} are not names")
    return names


def _json(text: str) -> Any:
    try:
        return json.loads(text) if len(text) <= MAX_TEXT else None
    except (ValueError, RecursionError):
        return None


# -- what is checked ---------------------------------------------------------------------------------------------------


def _check_done(
    task: Task, copy: _Copy, name: str, count_text: str, tally: str, digest: str, proof: str
) -> tuple[int, dict[int, int]]:
    """Number of solutions of a finished cube, and numbers by value."""
    if not _COUNT.fullmatch(count_text):
        raise CertificateError(f"cube {name} has {count_text[:40]!r} solutions, which is not a number")
    count = int(count_text)
    keys = [key for (key,) in copy.ask("SELECT key FROM place WHERE cube = ? ORDER BY key", name)]
    if digest_of(keys) != digest or (count != len(keys) and not task.counting):
        raise CertificateError(f"the solutions of cube {name} are not those it was done with")
    by_value = _by_value(name, tally)
    if sum(by_value.values()) != (count if task.by_value else 0) or (by_value and not task.by_value):
        raise CertificateError(f"the numbers by value of cube {name} do not sum to its {count:,} solutions")
    # A cube without solutions needs a proof, and one with solutions has none
    if bool(_DIGEST.fullmatch(proof)) != (task.proving and not count) or (proof and not task.proving):
        raise CertificateError(f"cube {name} is done {'with' if proof else 'without'} a proof")
    return count, by_value


def _by_value(name: str, text: str) -> dict[int, int]:
    counts: dict[int, int] = {}
    data = _json(text)
    for row in data if type(data) is list else [None]:
        value, count = row if type(row) is list and len(row) == 2 else (None, None)
        if not is_integer(value) or value in counts or type(count) is not str or not _COUNT.fullmatch(count):
            raise CertificateError(f"the numbers by value of cube {name} cannot be read")
        counts[value] = int(count)
    return counts


def _check_solutions(task: Task, rows: Rows, copy: _Copy, verify: bool, on_progress: Listener) -> int:
    """Number of solutions; each is verified, is kept once, under its own key, and is in the cubes that name it."""
    number = 0
    for number, (key, content) in enumerate(rows.of("solution"), start=1):
        if task.counting or not _KEY.fullmatch(key):
            raise CertificateError(f"solution {key[:40]!r} is not one that this run keeps")
        copy.add("solution", [(key,)], "solution {} is there twice")
        cubes = [cube for (cube,) in copy.ask("SELECT cube FROM place WHERE key = ? ORDER BY cube", key)]
        if not cubes:
            raise CertificateError(f"solution {key} is in no cube")
        # Up to symmetry a solution lies in each cube that one of its images lies in
        if len(cubes) > 1 and not task.up_to_symmetry:
            raise CertificateError(f"solution {key} is counted in cubes {cubes[0]} and {cubes[1]}")
        if verify:
            try:
                _check_solution(task, key, content, cubes)
            except InvalidTour as error:
                raise InvalidTour(f"solution {key}: {error}") from None
        if number % REPORT_EVERY == 0:
            on_progress(Report(words=f"{number:,} solutions verified"))
    for key, cube in copy.ask("SELECT key, cube FROM place WHERE key NOT IN (SELECT key FROM solution) LIMIT 1"):
        raise CertificateError(f"solution {key[:40]!r} of cube {cube[:60]} is not there")
    return number


def _check_solution(task: Task, key: str, content: bytes, cubes: list[str]) -> None:
    if len(content) % 4 or len(content) > 4 * task.problem.graph.m:
        raise InvalidTour("its moves cannot be read")
    edges = np.frombuffer(content, dtype="<i4").astype(np.int32)
    # `solution` verifies the moves; the key shows that no other solution is stored in its place
    if task.key(task.solution(edges)) != key:
        raise InvalidTour("its moves do not match its key")
    sets = [set(image.tolist()) for image in task.images(edges)]
    for name in cubes:
        if not any(map(Cube.parse(name).holds, sets)):
            raise CertificateError(f"solution {key} does not lie in cube {name}")
