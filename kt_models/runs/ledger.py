"""`Ledger`: the results of the cubes of a run, in SQLite, and its progress.

WAL mode, synchronised at every commit. A finished cube is one transaction, its record and all of its solutions
together, so after a kill or a power cut it is either complete or absent. Triggers refuse to change or delete a row,
and an index refuses to settle a cube twice.

The readers here serve to resume a run and to show its progress. Only `audit` determines what a run shows.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from kt_models.errors import CertificateError, InvalidTour, KTError
from kt_models.file_kinds import json_kind_of
from kt_models.json_version import FORMAT_VERSION
from kt_models.kernel.certificates.proofs.manifest import FORMULA, MANIFEST
from kt_models.runs.cubes import Cube, check_cover
from kt_models.runs.folder import (
    CLAIMS,
    FAILED,
    LEDGER,
    LOCK,
    PROBLEM,
    PROOFS,
    CubeRecord,
    RunStatus,
    Solution,
    digest_of,
    is_run,
    sync,
    task_and_digest,
)
from kt_models.runs.rows import SCHEMA, faults, open_ledger
from kt_models.runs.task import Task
from kt_models.writing import write_atomic, writing

PART_FOLDER = re.compile(r"part-(\d{1,6})-of-(\d{1,6})")
"""The name of the folder of a part in that of its run (`kt_models.runs.parts`)."""
RATE_RECORDS = 200
"""Records from which the rate is computed: enough to be steady, few enough to follow changes."""

_KNOWN = """
WITH known AS (
    SELECT name FROM cube UNION ALL
    SELECT part.value FROM record, json_each(record.parts) AS part WHERE record.state = 'split'
)
"""
_FIELDS = "cube, state, count, by_value, parts, proof, engine, reason, seconds, digest"


def create(
    folder: str | os.PathLike[str],
    task: Task,
    cubes: Sequence[Cube],
    files: dict[str, str] | None = None,
    command: str = "",
) -> None:
    """Create a run; call it with the folder `locked`. The task is written last: without it there is no run yet.

    Parameters
    ----------
    files
        Further files of the run, by name.
    command
        The command that began the run, for readers.

    Raises
    ------
    KTError
        If the folder holds anything already (`require_new`), or cannot be written.
    """
    path = Path(folder)
    require_new(path)
    # `check_cover` wants names in the order in which SQL will sort them
    names = sorted(cube.name for cube in cubes)
    check_cover(map(Cube.parse, names))
    data = {"version": FORMAT_VERSION, "kind": "run", "task": task.to_json()}
    content = json.dumps({**data, "command": command} if command else data) + "\n"
    with writing(path):
        # Leftovers of an interrupted beginning; the manifest tells whose the formula is
        for name in (
            FORMULA,
            MANIFEST,
        ):
            (path / name).unlink(missing_ok=True)
    # The manifest first: without it a leftover formula could not be told from a user's file
    for name, text in sorted((files or {}).items(), key=lambda item: item[0] != MANIFEST):
        write_atomic(path / name, text)
    if task.proving:
        (path / PROOFS).mkdir(exist_ok=True)
    draft = path / f".{LEDGER}.new"
    _remove(draft)
    try:
        with faults(path / LEDGER), closing(sqlite3.connect(draft, isolation_level=None)) as connection:
            connection.executescript(SCHEMA)
            connection.execute("BEGIN")
            connection.execute("INSERT INTO about VALUES ('task', ?)", (sha256(content.encode()).hexdigest(),))
            connection.executemany("INSERT INTO cube VALUES (?)", ((name,) for name in names))
            connection.execute("COMMIT")
            # Only now: with a log beside it the file is written when it is closed, and a full disk then says nothing.
            connection.execute("PRAGMA journal_mode=WAL")
        with writing(path):
            os.replace(draft, path / LEDGER)
    finally:
        _remove(draft)
    # Last: a folder without it is no run, so an interrupted beginning is not resumed
    write_atomic(path / PROBLEM, content)
    sync(path)


def require_new(folder: str | os.PathLike[str]) -> None:
    """Check that a run may begin in a folder: it is missing, or has nothing but leftovers of an interrupted beginning.

    Raises
    ------
    KTError
        If the folder holds a run, or any other file.
    """
    path = Path(folder)
    if not path.is_dir():
        return
    with writing(path):
        files = {entry.name: entry for entry in sorted(path.iterdir())}
    if PROBLEM in files and json_kind_of(files[PROBLEM]) == "run":
        raise KTError(f"{folder}: it holds a run already; --resume goes on with it")
    for name, entry in files.items():
        if not _is_leftover(entry):
            raise KTError(f"{folder}: it has other files ({name}); a run begins in an empty folder, or makes a new one")


def _is_leftover(entry: Path) -> bool:
    """Whether a file may be a leftover, by its name and content, of a run that was stopped before it had begun."""
    try:
        # What a link leads to may be somebody's data
        if entry.is_symlink():
            return False
        if PART_FOLDER.fullmatch(entry.name):
            return is_run(entry)
        if entry.name == PROOFS:
            return entry.is_dir() and not any(entry.iterdir())
        if not entry.is_file():
            return False
        if entry.name == LEDGER:
            return entry.stat().st_size == 0 or _is_unused(entry.parent)
        if entry.name in (MANIFEST, FORMULA):
            return json_kind_of(entry.with_name(MANIFEST)) == "proof"
        names = (LEDGER, PROBLEM, MANIFEST, FORMULA)
        return entry.name in (LOCK, CLAIMS) or entry.name.startswith(tuple(f".{name}." for name in names))
    except OSError:
        return False


def _is_unused(folder: Path) -> bool:
    """Whether the ledger in a folder is one without a record."""
    try:
        with closing(open_ledger(folder)) as database:
            return database.execute("SELECT 1 FROM record").fetchone() is None
    except (KTError, sqlite3.Error):
        return False


def _remove(database: Path) -> None:
    """A database together with the files that SQLite puts beside it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        with suppress(OSError):
            database.with_name(database.name + suffix).unlink()


class Ledger:
    """Results of the cubes of a run.

    Parameters
    ----------
    writable
        Call this only with the folder `locked`.
    """

    def __init__(self, folder: str | os.PathLike[str], *, writable: bool) -> None:
        self.folder = Path(folder)
        self.task, digest = task_and_digest(folder)
        self._db = open_ledger(folder, writable=writable)
        if writable:
            self._db.execute("PRAGMA synchronous=FULL")
        if self._row("SELECT value FROM about WHERE name = 'task'") != (digest,):
            self._db.close()
            raise CertificateError(f"{folder}: the ledger is about another problem than {PROBLEM}")

    @classmethod
    def read(cls, folder: str | os.PathLike[str]) -> Ledger:
        """Open read-only, at the present state."""
        return cls(folder, writable=False)

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    # -- writing -------------------------------------------------------------------------------------------------------

    def record(self, record: CubeRecord) -> None:
        """Add a record and its solutions, all or nothing; on disk on return.

        Raises
        ------
        KTError
            If the cube was settled before, or the disk is full.
        """
        with faults(self.folder / LEDGER):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._insert(record)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _insert(self, record: CubeRecord) -> None:
        row = {
            "cube": record.cube,
            "state": record.state,
            "count": str(record.count),
            "by_value": json.dumps([[value, str(count)] for value, count in record.by_value]),
            "digest": digest_of(solution.key for solution in record.solutions),
            "parts": json.dumps(record.parts),
            "proof": record.proof,
            "engine": record.engine,
            "reason": record.reason,
            "seconds": float(record.seconds),
            "at": time.time(),
        }
        self._db.execute(f"INSERT INTO record ({', '.join(row)}) VALUES (:{', :'.join(row)})", row)
        for key, edges in record.solutions:
            self._db.execute("INSERT INTO place VALUES (?, ?)", (record.cube, key))
            content = np.array(edges, dtype="<i4").tobytes()
            self._db.execute("INSERT OR IGNORE INTO solution VALUES (?, ?)", (key, content))

    # -- reading -------------------------------------------------------------------------------------------------------

    def _rows(self, query: str, *values: Any) -> Iterator[Any]:
        with faults(self.folder / LEDGER):
            # Not the cursor itself, which could outlive its database
            yield from map(tuple, self._db.execute(query, values))

    def _row(self, query: str, *values: Any) -> Any:
        with faults(self.folder / LEDGER):
            return self._db.execute(query, values).fetchone()

    def records(self, state: str = "") -> Iterator[CubeRecord]:
        """All records (with one state) in order, without solutions."""
        for row in self._rows(f"SELECT {_FIELDS} FROM record WHERE state = ? OR ? = '' ORDER BY id", state, state):
            yield _record(row)

    def cubes(self) -> Iterator[str]:
        """Names of the cubes that make up the whole problem, in order."""
        split = "SELECT cube FROM record WHERE state = 'split'"
        for (name,) in self._rows(f"{_KNOWN} SELECT name FROM known WHERE name NOT IN ({split}) ORDER BY name"):
            yield str(name)

    def first_cubes(self) -> Iterator[str]:
        """Names of the cubes with which the run began."""
        for (name,) in self._rows("SELECT name FROM cube ORDER BY name"):
            yield str(name)

    def cubes_at_the_start(self) -> Iterator[Cube]:
        """The cubes with which the run began."""
        return map(Cube.parse, self.first_cubes())

    def is_settled(self, cube: str) -> bool:
        """Whether a cube is done or was split."""
        query = "SELECT 1 FROM record WHERE cube = ? AND state IN ('done', 'split')"
        with faults(self.folder / LEDGER):
            return self._db.execute(query, (cube,)).fetchone() is not None

    def open_cubes(self) -> Iterator[str]:
        """Names of the cubes that are not done."""
        finished = "SELECT cube FROM record WHERE state IN ('done', 'split')"
        for (name,) in self._rows(f"{_KNOWN} SELECT name FROM known WHERE name NOT IN ({finished})"):
            yield str(name)

    def by_value(self) -> dict[int, int]:
        """Number of solutions of each value counted so far."""
        counts: dict[int, int] = {}
        for record in self.records("done") if self.task.by_value else ():
            for value, count in record.by_value:
                counts[value] = counts.get(value, 0) + count
        return dict(sorted(counts.items()))

    def solutions(self) -> Iterator[Solution]:
        """All solutions, each once, in the order of their keys."""
        for key, edges in self._rows("SELECT key, edges FROM solution ORDER BY key"):
            if not isinstance(edges, bytes) or len(edges) % 4:
                raise InvalidTour(f"solution {str(key)[:40]}: its moves cannot be read")
            yield Solution(str(key), tuple(np.frombuffer(edges, dtype="<i4").tolist()))

    def solutions_in(self, cube: str) -> Iterator[Solution]:
        """The solutions of a cube."""
        joined = "SELECT key, edges FROM place JOIN solution USING (key) WHERE place.cube = ? ORDER BY key"
        for key, edges in self._rows(joined, cube):
            yield Solution(str(key), tuple(np.frombuffer(edges, dtype="<i4").tolist()))

    def verified(self) -> Iterator[Any]:
        """Solutions as tours or gadgets, verified."""
        for solution in self.solutions():
            yield self.task.solution(np.array(solution.edges, dtype=np.int32))

    def count(self) -> int:
        """Number of solutions so far, each counted once."""
        if self.task.counting:
            return sum(_integer(count) for (count,) in self._rows("SELECT count FROM record WHERE state = 'done'"))
        return int(self._row("SELECT COUNT(*) FROM solution")[0])

    def status(self) -> RunStatus:
        """Progress of the run."""
        (first,) = self._row("SELECT COUNT(*) FROM cube")
        splits, parts = self._row(
            "SELECT COUNT(*), COALESCE(SUM(json_array_length(parts)), 0) FROM record WHERE state = 'split'"
        )
        (done,) = self._row("SELECT COUNT(*) FROM record WHERE state = 'done'")
        (seconds,) = self._row("SELECT CAST(TOTAL(seconds) AS REAL) FROM record")
        last = "id = (SELECT MAX(id) FROM record WHERE cube = r.cube)"
        failures = [
            (str(cube), str(reason))
            for cube, reason in self._rows(f"SELECT cube, reason FROM record r WHERE state = '{FAILED}' AND {last}")
        ]
        late = "SELECT CAST(at AS REAL) FROM record ORDER BY id DESC LIMIT ?"
        times = [at or 0.0 for (at,) in self._rows(late, RATE_RECORDS)]
        span = times[0] - times[-1] if times else 0.0
        cubes = first - splits + parts
        rate = (len(times) - 1) / span if span > 0 else 0.0
        return RunStatus(cubes, done, cubes - done, len(failures), splits, self.count(), seconds, rate, tuple(failures))


def _record(row: Sequence[Any]) -> CubeRecord:
    cube, state, count, by_value, parts, proof, engine, reason, seconds, digest = row
    try:
        names, tally = json.loads(parts), [(int(value), int(number)) for value, number in json.loads(by_value)]
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError
    except (ValueError, TypeError, RecursionError):
        raise KTError(f"the record of cube {str(cube)[:40]} cannot be read") from None
    return CubeRecord(
        str(cube),
        str(state),
        _integer(count),
        by_value=tuple(tally),
        parts=tuple(names),
        proof=str(proof),
        digest=str(digest),
        engine=str(engine),
        reason=str(reason),
        seconds=seconds if isinstance(seconds, float) else 0.0,
    )


def _integer(text: Any) -> int:
    try:
        return int(text)
    except (ValueError, TypeError):
        raise KTError(f"{str(text)[:40]!r} stands where a number of solutions should") from None
