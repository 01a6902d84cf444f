"""`Ledger`: what came of the cubes of a run, in SQLite.

WAL mode, synchronised at every commit.  A finished cube is one transaction, its outcome and all of its solutions
together, so after a kill or a power cut it is there in full or not at all.  Triggers refuse to change or delete a row,
and an index refuses a second outcome, so no cube counts twice.

A cube is `done`, or was `split` into others that take its place, or `failed` (out of time or memory, or its process
died, and it could not be cut further): failures are kept, and tried again when the run is resumed.  The cubes that make
up everything, the leaves, are those of the beginning and all parts, less what was split.

Rows are read as they are wanted, sorted by SQLite, so that a million cubes take no more memory here than ten.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from kt_models.cubes import Cube, check_cover
from kt_models.errors import CertificateError, InvalidTour, KTError
from kt_models.files import read_json, write_atomic
from kt_models.format import FORMAT_VERSION
from kt_models.runs import FAILED, LEDGER, PROBLEM, PROOFS, Outcome, Solution, Status, is_run, read_task, sync
from kt_models.tasks import AnyTask

RECENT = 200
"""Outcomes from which the rate is worked out."""
OLD_CUBES = "cubes.json"
"""Where the cubes of the beginning were before they were in the ledger."""

_TABLES = {
    "about": "(name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "cube": "(name TEXT PRIMARY KEY) WITHOUT ROWID",
    "outcome": """(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        cube TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('done', 'split', 'failed')),
        found TEXT NOT NULL,
        digest TEXT NOT NULL,
        parts TEXT NOT NULL,
        engine TEXT NOT NULL,
        reason TEXT NOT NULL,
        seconds REAL NOT NULL,
        at REAL NOT NULL
    )""",
    "tour": "(key TEXT PRIMARY KEY, edges BLOB NOT NULL)",
    "solution": "(cube TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (cube, key)) WITHOUT ROWID",
    "tally": "(cube TEXT NOT NULL, value INTEGER NOT NULL, found TEXT NOT NULL, PRIMARY KEY (cube, value))",
    "proof": "(cube TEXT PRIMARY KEY, digest TEXT NOT NULL) WITHOUT ROWID",
}
_INDICES = """
CREATE UNIQUE INDEX IF NOT EXISTS settled ON outcome (cube) WHERE state IN ('done', 'split');
CREATE INDEX IF NOT EXISTS last ON outcome (cube);
"""
_VIEWS = """
CREATE TEMP VIEW known AS
    SELECT name FROM cube UNION ALL
    SELECT part.value FROM outcome, json_each(outcome.parts) AS part WHERE outcome.state = 'split';
CREATE TEMP VIEW leaf AS
    SELECT name FROM known WHERE name NOT IN (SELECT cube FROM outcome WHERE state = 'split');
"""
_FIELDS = "o.cube, o.state, o.found, o.parts, o.engine, o.reason, CAST(o.seconds AS REAL)"


def create(
    folder: str | os.PathLike[str],
    task: AnyTask,
    cubes: Sequence[Cube],
    files: dict[str, str] | None = None,
    command: str = "",
) -> None:
    """Begin a run; call it with the folder `locked`.  The task is written last: without it there is no run yet.

    Parameters
    ----------
    files
        More files of the run, by name.
    command
        What began it, for people to read.

    Raises
    ------
    KTError
        If there is a run already, or the folder cannot be written.
    """
    path = Path(folder)
    if is_run(path):
        raise KTError(f"{folder}: it holds a run already; --resume goes on with it")
    names = sorted(cube.name for cube in cubes)
    check_cover(map(Cube.parse, names))
    data = {"version": FORMAT_VERSION, "kind": "run", "task": task.to_json()}
    content = json.dumps({**data, "command": command} if command else data) + "\n"
    for leftover in (LEDGER, f"{LEDGER}-wal", f"{LEDGER}-shm"):
        (path / leftover).unlink(missing_ok=True)
    for name, text in (files or {}).items():
        write_atomic(path / name, text)
    if task.proving:
        (path / PROOFS).mkdir(exist_ok=True)
    with _faults(path):
        connection = sqlite3.connect(path / LEDGER, isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        for table, columns in _TABLES.items():
            connection.execute(f"CREATE TABLE {table} {columns}")
        connection.executescript(_INDICES)
        connection.execute("BEGIN")
        connection.execute("INSERT INTO about VALUES ('task', ?)", (sha256(content.encode()).hexdigest(),))
        connection.executemany("INSERT INTO cube VALUES (?)", ((name,) for name in names))
        connection.execute("COMMIT")
        for table in _TABLES:
            for change in ("UPDATE", "DELETE", "INSERT") if table in ("about", "cube") else ("UPDATE", "DELETE"):
                connection.execute(
                    f"CREATE TRIGGER {table}_{change.lower()} BEFORE {change} ON {table} "
                    "BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END"
                )
        connection.close()
    write_atomic(path / PROBLEM, content)
    sync(path)


class Ledger:
    """What came of the cubes of a run.

    Parameters
    ----------
    writable
        Only with the folder `locked`.
    """

    def __init__(self, folder: str | os.PathLike[str], *, writable: bool) -> None:
        self.folder = Path(folder)
        self.task = read_task(folder)
        with _faults(self.folder):
            uri = (self.folder / LEDGER).resolve().as_uri()
            self._db = sqlite3.connect(f"{uri}?mode={'rw' if writable else 'ro'}", uri=True, isolation_level=None)
            if writable:
                self._db.execute("PRAGMA synchronous=FULL")
                self._db.executescript(_INDICES)
            (digest,) = self._db.execute("SELECT value FROM about WHERE name = 'task'").fetchone() or ("",)
            if not self._db.execute("SELECT name FROM sqlite_master WHERE name = 'cube'").fetchone():
                self._db.execute(f"CREATE TEMP TABLE cube {_TABLES['cube']}")
                self._db.executemany("INSERT INTO cube VALUES (?)", ((name,) for name in _old_cubes(self.folder)))
            self._db.executescript(_VIEWS)
        if digest != sha256((self.folder / PROBLEM).read_bytes()).hexdigest():
            raise CertificateError(f"{folder}: the ledger is about another problem than {PROBLEM}")

    @classmethod
    def read(cls, folder: str | os.PathLike[str]) -> Ledger:
        """Open to look only."""
        return cls(folder, writable=False)

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    # -- writing -------------------------------------------------------------------------------------------------------

    def record(self, outcome: Outcome) -> None:
        """Add an outcome and its solutions, all or nothing; on disk when this returns.

        Raises
        ------
        KTError
            If the cube was settled before, or the disk is full.
        """
        with _faults(self.folder):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._insert(outcome)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _insert(self, outcome: Outcome) -> None:
        self._db.execute(
            "INSERT INTO outcome (cube, state, found, digest, parts, engine, reason, seconds, at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                outcome.cube,
                outcome.state,
                str(outcome.found),  # a count has no limit, SQLite's integers have
                outcome.digest,
                json.dumps(outcome.parts),
                outcome.engine,
                outcome.reason,
                outcome.seconds,
                time.time(),
            ),
        )
        for key, edges in outcome.solutions:
            self._db.execute("INSERT INTO solution VALUES (?, ?)", (outcome.cube, key))
            content = np.array(edges, dtype="<i4").tobytes()
            self._db.execute("INSERT OR IGNORE INTO tour VALUES (?, ?)", (key, content))
        for value, found in outcome.by_value:
            self._db.execute("INSERT INTO tally VALUES (?, ?, ?)", (outcome.cube, value, str(found)))
        if outcome.proof:
            self._db.execute("INSERT INTO proof VALUES (?, ?)", (outcome.cube, outcome.proof))

    # -- reading -------------------------------------------------------------------------------------------------------

    def _rows(self, query: str, *values: Any) -> Iterator[Any]:
        with _faults(self.folder):
            yield from map(tuple, self._db.execute(query, values))  # a cursor itself might be closed after its database

    def _one(self, query: str, *values: Any) -> Any:
        with _faults(self.folder):
            return self._db.execute(query, values).fetchone()

    def outcomes(self, state: str = "") -> Iterator[Outcome]:
        """Every outcome (in one state) in order, without solutions."""
        for row in self._rows(f"SELECT {_FIELDS} FROM outcome o WHERE state = ? OR ? = '' ORDER BY id", state, state):
            yield _outcome(row)

    def leaves(self) -> Iterator[tuple[str, Outcome | None]]:
        """The cubes that make up everything, in order of their names, each with its last outcome, if it has one."""
        last = "o.id = (SELECT MAX(id) FROM outcome WHERE cube = leaf.name)"
        for name, *row in self._rows(f"SELECT name, {_FIELDS} FROM leaf LEFT JOIN outcome o ON {last} ORDER BY name"):
            yield str(name), None if row[0] is None else _outcome(row)

    def open_cubes(self) -> Iterator[str]:
        """The names of the leaves that are not done."""
        done = "SELECT cube FROM outcome WHERE state = 'done'"
        for (name,) in self._rows(f"SELECT name FROM leaf WHERE name NOT IN ({done})"):
            yield str(name)

    def misplaced(self) -> str | None:
        """A cube with an outcome that is none of this run, or that was settled twice; None if there is no such."""
        strange = "SELECT cube FROM outcome WHERE cube NOT IN (SELECT name FROM known) LIMIT 1"
        twice = "SELECT cube FROM outcome WHERE state <> 'failed' GROUP BY cube HAVING COUNT(*) > 1 LIMIT 1"
        row = self._one(strange) or self._one(twice)
        return None if row is None else str(row[0])

    def digests(self) -> dict[str, str]:
        """The digest that each finished cube was recorded with."""
        return {
            str(cube): str(digest)
            for cube, digest in self._rows("SELECT cube, digest FROM outcome WHERE state = 'done'")
        }

    def digest(self, cube: str) -> str:
        """The digest of its solutions that a finished cube was recorded with."""
        row = self._one("SELECT digest FROM outcome WHERE cube = ? AND state = 'done'", cube)
        return "" if row is None else str(row[0])

    def keys(self, cube: str) -> list[str]:
        """The keys of the solutions in a cube."""
        return [str(key) for (key,) in self._rows("SELECT key FROM solution WHERE cube = ?", cube)]

    def proof(self, cube: str) -> str:
        """The digest of a cube's proof; empty if it has none."""
        row = self._one("SELECT digest FROM proof WHERE cube = ?", cube) if self.task.proving else None
        return "" if row is None else str(row[0])

    def by_value(self, cube: str | None = None) -> dict[int, int]:
        """How many solutions of each value were counted, in a cube or in all that are done."""
        counts: dict[int, int] = {}
        if not self.task.by_value:
            return counts
        where, values = ("", ()) if cube is None else ("WHERE cube = ?", (cube,))
        for value, found in self._rows(f"SELECT value, found FROM tally {where}", *values):
            counts[int(value)] = counts.get(int(value), 0) + _integer(found)
        return dict(sorted(counts.items()))

    def named_in(self) -> Iterator[tuple[str, list[str]]]:
        """The key of every solution that a cube names, in order, and these cubes."""
        yield from _grouped(self._rows("SELECT key, cube FROM solution ORDER BY key, cube"))

    def stray(self) -> str | None:
        """A cube that is not done, but has solutions, numbers by value or a proof here; None if there is none."""
        tables = ["solution"] + ["tally"] * self.task.by_value + ["proof"] * self.task.proving
        for table in tables:
            done = "SELECT cube FROM outcome WHERE state = 'done'"
            if row := self._one(f"SELECT cube FROM {table} WHERE cube NOT IN ({done}) LIMIT 1"):
                return str(row[0])
        return None

    def solutions(self) -> Iterator[Solution]:
        """Every solution, each once, in order of their keys."""
        for key, edges in self._rows("SELECT key, edges FROM tour ORDER BY key"):
            if not isinstance(edges, bytes) or len(edges) % 4:
                raise InvalidTour(f"solution {str(key)[:40]}: its moves cannot be read")
            yield Solution(str(key), tuple(np.frombuffer(edges, dtype="<i4").tolist()))

    def verified(self) -> Iterator[Any]:
        """The solutions as what they are (tours, gadgets), verified."""
        for solution in self.solutions():
            yield self.task.solution(np.array(solution.edges, dtype=np.int32))

    def count(self) -> int:
        """How many solutions there are so far, each counted once."""
        if self.task.counting:
            return sum(_integer(found) for (found,) in self._rows("SELECT found FROM outcome WHERE state = 'done'"))
        return int(self._one("SELECT COUNT(*) FROM tour")[0])

    def status(self) -> Status:
        """How far the run is."""
        (first,) = self._one("SELECT COUNT(*) FROM cube")
        splits, parts = self._one(
            "SELECT COUNT(*), COALESCE(SUM(json_array_length(parts)), 0) FROM outcome WHERE state = 'split'"
        )
        (done,) = self._one("SELECT COUNT(*) FROM outcome WHERE state = 'done'")
        (seconds,) = self._one("SELECT COALESCE(SUM(seconds), 0) FROM outcome")
        last = "id = (SELECT MAX(id) FROM outcome WHERE cube = o.cube)"
        failures = [
            (str(cube), str(reason))
            for cube, reason in self._rows(f"SELECT cube, reason FROM outcome o WHERE state = '{FAILED}' AND {last}")
        ]
        late = "SELECT CAST(at AS REAL) FROM outcome ORDER BY id DESC LIMIT ?"
        times = [at for (at,) in self._rows(late, RECENT)]
        span = times[0] - times[-1] if times else 0.0
        cubes = first - splits + parts
        rate = (len(times) - 1) / span if span > 0 else 0.0
        return Status(
            cubes, done, cubes - done, len(failures), splits, self.count(), float(seconds), rate, tuple(failures)
        )


def _outcome(row: Sequence[Any]) -> Outcome:
    cube, state, found, parts, engine, reason, seconds = row
    try:
        names = json.loads(parts)
    except (ValueError, TypeError, RecursionError):
        raise KTError(f"the outcome of cube {cube} cannot be read") from None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise KTError(f"the parts of cube {cube} are not names")
    return Outcome(
        str(cube),
        str(state),
        _integer(found),
        parts=tuple(names),
        engine=str(engine),
        reason=str(reason),
        seconds=seconds or 0.0,
    )


def _integer(text: Any) -> int:
    try:
        return int(text)
    except (ValueError, TypeError):
        raise KTError(f"{str(text)[:40]!r} stands where a number of solutions should") from None


def _grouped(rows: Iterable[tuple[Any, Any]]) -> Iterator[tuple[str, list[str]]]:
    """Pairs that are sorted by what comes first, as lists of what comes second."""
    for key, group in groupby(rows, key=lambda row: str(row[0])):
        yield key, [str(cube) for _, cube in group]


def _old_cubes(folder: Path) -> list[str]:
    path = folder / OLD_CUBES
    data = read_json(path)
    names = data.get("cubes") if isinstance(data, dict) else None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise KTError(f"{path}: 'cubes' is missing or is not a list of names")
    return names


@contextmanager
def _faults(folder: Path) -> Iterator[None]:
    """SQLite's errors as one line."""
    try:
        yield
    except sqlite3.Error as error:
        raise KTError(f"{folder / LEDGER}: {error}") from None
