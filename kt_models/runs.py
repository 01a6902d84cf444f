"""A run: a folder that holds a task, its cubes and a ledger of what came of each, and survives whatever kills it.

- `problem.json`: the task.
- `cubes.json`: the names of the cubes it was cut into at first.
- `ledger.sqlite`: SQLite in WAL mode, synchronised at every commit.  A finished cube is one transaction, its outcome
  and all of its solutions together, so after a kill or a power cut it is there in full or not at all.  Triggers refuse
  to change or delete a row, and an index refuses a second outcome, so no cube counts twice.
- `lock`: held (`flock`) by the process that works here.  The system lets go of it when that process ends.

A cube is `done`, or was `split` into others that take its place, or `failed` (out of time or memory, or its process
died, and it could not be cut further): failures are kept, and tried again when the run is resumed.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kt_models.certificate import FORMAT_VERSION
from kt_models.cubes import Cube, check_cover
from kt_models.enumeration import Task
from kt_models.errors import CertificateError, InvalidTour, KTError, named
from kt_models.files import read_json, write_atomic
from kt_models.tour import Tour

PROBLEM, CUBES, LEDGER, LOCK = "problem.json", "cubes.json", "ledger.sqlite", "lock"
DONE, SPLIT, FAILED = "done", "split", "failed"
RECENT = 200
"""Outcomes from which the rate is worked out."""

_SCHEMA = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE outcome (
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
);
CREATE UNIQUE INDEX settled ON outcome (cube) WHERE state IN ('done', 'split');
CREATE TABLE tour (key TEXT PRIMARY KEY, edges BLOB NOT NULL);
CREATE TABLE solution (cube TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (cube, key)) WITHOUT ROWID;
"""
_TABLES = ("about", "outcome", "tour", "solution")


class Solution(NamedTuple):
    """A tour as the ledger keeps it: its key, and its edges, sorted."""

    key: str
    edges: tuple[int, ...]


@dataclass(frozen=True)
class Outcome:
    """What came of a cube.

    Parameters
    ----------
    found
        How many solutions lie in it (classes, if one of each is wanted).
    solutions
        These, unless they are only counted.
    parts
        What it was split into.
    """

    cube: str
    state: str
    found: int = 0
    solutions: tuple[Solution, ...] = ()
    parts: tuple[str, ...] = ()
    engine: str = ""
    reason: str = ""
    seconds: float = 0.0

    @property
    def digest(self) -> str:
        return digest_of(solution.key for solution in self.solutions)


@dataclass(frozen=True)
class Status:
    """How far a run is.

    Attributes
    ----------
    cubes, done, open, failed, splits
        Cubes that make up everything; of these done, not done, and failed when last tried; how many were split.
    found
        Solutions so far, each counted once.
    seconds
        Of work, over all processes.
    rate
        Cubes a second of late; 0 if that is not known.
    failures
        Name and reason of each failed cube.
    """

    cubes: int
    done: int
    open: int
    failed: int
    splits: int
    found: int
    seconds: float
    rate: float
    failures: tuple[tuple[str, str], ...]

    @property
    def complete(self) -> bool:
        return self.done == self.cubes


def digest_of(keys: Any) -> str:
    """The digest of a set of solutions: SHA-256 of their sorted keys, a line each."""
    return sha256("\n".join(sorted(keys)).encode()).hexdigest()


def read_task(folder: str | os.PathLike[str]) -> Task:
    """The task of a run.

    Raises
    ------
    KTError
        If the folder holds no run.
    """
    path = Path(folder) / PROBLEM
    data = read_json(path)
    if not isinstance(data, dict) or data.get("kind") != "run" or data.get("version") != FORMAT_VERSION:
        raise KTError(f"{path}: it is not a run of version {FORMAT_VERSION}")
    try:
        return Task.from_json(data.get("task"))
    except KTError as error:
        raise named(path, error) from None


def read_cubes(folder: str | os.PathLike[str]) -> list[Cube]:
    """The cubes that a run began with."""
    path = Path(folder) / CUBES
    data = read_json(path)
    names = data.get("cubes") if isinstance(data, dict) else None
    if not isinstance(names, list):
        raise KTError(f"{path}: 'cubes' is missing or is not a list")
    try:
        return [Cube.parse(name) for name in names]
    except KTError as error:
        raise named(path, error) from None


def is_run(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder holds a run."""
    return (Path(folder) / PROBLEM).is_file()


@contextmanager
def locked(folder: str | os.PathLike[str]) -> Iterator[None]:
    """Work in a run's folder, alone.

    Raises
    ------
    KTError
        If another process works there, or the folder cannot be made.
    """
    import fcntl

    path = Path(folder) / LOCK
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise KTError(f"{folder}: cannot work there: {(error.strerror or str(error)).lower()}") from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.pread(descriptor, 20, 0).decode(errors="replace").strip()
            raise KTError(f"{folder}: another process ({holder or 'unknown'}) works on this run") from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)


def create(folder: str | os.PathLike[str], task: Task, cubes: Sequence[Cube]) -> None:
    """Begin a run; call it with the folder `locked`.  The task is written last: without it there is no run yet.

    Raises
    ------
    KTError
        If there is a run already, or the folder cannot be written.
    """
    path = Path(folder)
    if is_run(path):
        raise KTError(f"{folder}: it holds a run already; --resume goes on with it")
    check_cover(cubes)
    content = json.dumps({"version": FORMAT_VERSION, "kind": "run", "task": task.to_json()}) + "\n"
    for leftover in (LEDGER, f"{LEDGER}-wal", f"{LEDGER}-shm"):
        (path / leftover).unlink(missing_ok=True)
    write_atomic(path / CUBES, json.dumps({"version": FORMAT_VERSION, "cubes": [cube.name for cube in cubes]}) + "\n")
    with _faults(path):
        connection = sqlite3.connect(path / LEDGER, isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.executescript(_SCHEMA)
        for table in _TABLES:
            for change in ("UPDATE", "DELETE"):
                connection.execute(
                    f"CREATE TRIGGER {table}_{change.lower()} BEFORE {change} ON {table} "
                    "BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END"
                )
        connection.execute("INSERT INTO about VALUES ('task', ?)", (sha256(content.encode()).hexdigest(),))
        connection.close()
    write_atomic(path / PROBLEM, content)
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)  # the names of the files, too
    finally:
        os.close(descriptor)


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
        self._first = read_cubes(folder)
        with _faults(self.folder):
            mode = "rw" if writable else "ro"
            uri = (self.folder / LEDGER).resolve().as_uri()
            self._db = sqlite3.connect(f"{uri}?mode={mode}", uri=True, isolation_level=None)
            if writable:
                self._db.execute("PRAGMA synchronous=FULL")
            (digest,) = self._db.execute("SELECT value FROM about WHERE name = 'task'").fetchone() or ("",)
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
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def outcomes(self) -> Iterator[Outcome]:
        """Every outcome in order, without solutions."""
        query = "SELECT cube, state, found, parts, engine, reason, CAST(seconds AS REAL) FROM outcome ORDER BY id"
        with _faults(self.folder):
            for cube, state, found, parts, engine, reason, seconds in self._db.execute(query):
                try:
                    names = json.loads(parts)
                    count = int(found)
                except (ValueError, TypeError, RecursionError):
                    raise KTError(f"the outcome of cube {cube} cannot be read") from None
                if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                    raise KTError(f"the parts of cube {cube} are not names")
                yield Outcome(str(cube), str(state), count, (), tuple(names), str(engine), str(reason), seconds or 0.0)

    def leaves(self) -> dict[str, Outcome | None]:
        """The cubes that make up everything, each with its last outcome, if it has one."""
        leaves: dict[str, Outcome | None] = {cube.name: None for cube in self._first}
        for outcome in self.outcomes():
            if outcome.cube not in leaves:
                raise CertificateError(f"an outcome is about cube {outcome.cube[:60]}, which is not one of this run")
            if outcome.state == SPLIT:
                del leaves[outcome.cube]
                if again := leaves.keys() & set(outcome.parts):
                    raise CertificateError(f"cube {min(again)[:60]} is there twice")
                leaves.update(dict.fromkeys(outcome.parts))
            else:
                leaves[outcome.cube] = outcome
        return leaves

    def digests(self) -> dict[str, str]:
        """The digest that each finished cube was recorded with."""
        with _faults(self.folder):
            rows = self._db.execute("SELECT cube, digest FROM outcome WHERE state = 'done'")
            return {str(cube): str(digest) for cube, digest in rows}

    def inhabited(self) -> set[str]:
        """The cubes that solutions are named in."""
        with _faults(self.folder):
            return {str(cube) for (cube,) in self._db.execute("SELECT DISTINCT cube FROM solution")}

    def keys(self, cube: str) -> list[str]:
        """The keys of the solutions in a cube."""
        with _faults(self.folder):
            return [str(key) for (key,) in self._db.execute("SELECT key FROM solution WHERE cube = ?", (cube,))]

    def solutions(self) -> Iterator[Solution]:
        """Every solution, each once, in order of their keys."""
        with _faults(self.folder):
            for key, edges in self._db.execute("SELECT key, edges FROM tour ORDER BY key"):
                if not isinstance(edges, bytes) or len(edges) % 4:
                    raise InvalidTour(f"solution {str(key)[:40]}: its moves cannot be read")
                yield Solution(str(key), tuple(np.frombuffer(edges, dtype="<i4").tolist()))

    def tours(self) -> Iterator[Tour]:
        """The solutions as verified tours."""
        for solution in self.solutions():
            yield self.task.tour(np.array(solution.edges, dtype=np.int32))

    def count(self, leaves: dict[str, Outcome | None] | None = None) -> int:
        """How many solutions there are so far, each counted once."""
        if self.task.counting:
            last = (leaves or self.leaves()).values()
            return sum(outcome.found for outcome in last if outcome and outcome.state == DONE)
        with _faults(self.folder):
            return int(self._db.execute("SELECT COUNT(*) FROM tour").fetchone()[0])

    def status(self) -> Status:
        """How far the run is."""
        leaves = self.leaves()
        states = [outcome.state if outcome else "" for outcome in leaves.values()]
        with _faults(self.folder):
            splits, seconds = self._db.execute("SELECT SUM(state = 'split'), SUM(seconds) FROM outcome").fetchone()
            late = "SELECT CAST(at AS REAL) FROM outcome ORDER BY id DESC LIMIT ?"
            times = [at for (at,) in self._db.execute(late, (RECENT,))]
        span = times[0] - times[-1] if times else 0.0
        return Status(
            len(leaves),
            states.count(DONE),
            len(leaves) - states.count(DONE),
            states.count(FAILED),
            int(splits or 0),
            self.count(leaves),
            float(seconds or 0.0),
            (len(times) - 1) / span if span > 0 else 0.0,
            tuple((name, o.reason) for name, o in leaves.items() if o is not None and o.state == FAILED),
        )


@contextmanager
def _faults(folder: Path) -> Iterator[None]:
    """SQLite's errors as one line."""
    try:
        yield
    except sqlite3.Error as error:
        raise KTError(f"{folder / LEDGER}: {error}") from None
