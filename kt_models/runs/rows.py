"""Rows of a ledger, read without trusting the file that contains them.

The file may come from anybody, so it is opened read-only and not trusted. Its schema has to match that of a ledger word
for word. Each table is read once, from its first row to its last, without queries that an index or a constraint of the
file could answer wrongly. Every value must have its type, and a progress hook of SQLite stops when the limits are
reached.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from kt_models.errors import CertificateError, KTError
from kt_models.limits import NO_LIMITS, Limits
from kt_models.runs.folder import LEDGER

SCHEMA = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE cube (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE record (
    id INTEGER PRIMARY KEY,
    cube TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('done', 'split', 'failed')),
    count TEXT NOT NULL,
    by_value TEXT NOT NULL,
    digest TEXT NOT NULL,
    parts TEXT NOT NULL,
    proof TEXT NOT NULL,
    engine TEXT NOT NULL,
    reason TEXT NOT NULL,
    seconds REAL NOT NULL,
    at REAL NOT NULL
);
CREATE TABLE solution (key TEXT PRIMARY KEY, edges BLOB NOT NULL);
CREATE TABLE place (cube TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (cube, key)) WITHOUT ROWID;
CREATE UNIQUE INDEX settled ON record (cube) WHERE state IN ('done', 'split');
CREATE INDEX latest ON record (cube);
""" + "".join(
    f"CREATE TRIGGER {table}_{change.lower()} BEFORE {change} ON {table} "
    "BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;\n"
    for table in ("about", "cube", "record", "solution", "place")
    for change in ("UPDATE", "DELETE")
)
"""Schema of a ledger: rows are only added, and a cube is finished once. Counts are texts, as they have no limit."""
COLUMNS: dict[str, dict[str, type]] = {
    "about": {"name": str, "value": str},
    "cube": {"name": str},
    "record": {
        **dict.fromkeys(("cube", "state", "count", "by_value", "digest", "parts", "proof", "engine", "reason"), str),
        "seconds": float,
        "at": float,
    },
    "solution": {"key": str, "edges": bytes},
    "place": {"cube": str, "key": str},
}
"""Columns that are read from each table."""
MAX_VALUE_BYTES = 50_000_000
"""Most bytes of a value."""
STEPS_PER_CHECK = 20_000
"""Steps of SQLite's machine between two checks of the limits: less than a millisecond."""
READER_SECONDS, WRITER_SECONDS = 1.0, 60.0
"""Seconds of waiting for the lock of another process; writers share a ledger, and hold it for a transaction each."""


class Rows:
    """Rows of the ledger in a folder, all as of one moment, while others may write.

    Raises
    ------
    CertificateError
        If the file has other tables than a ledger.
    KTError
        If the file cannot be read.
    """

    def __init__(self, folder: str | os.PathLike[str], limits: Limits = NO_LIMITS) -> None:
        self._path, self._limits = Path(folder) / LEDGER, limits
        self._db = open_ledger(folder, limits)

    def __enter__(self) -> Rows:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def of(self, table: str) -> Iterator[tuple[Any, ...]]:
        """Each row of a table, with the values of `COLUMNS`, in no particular order."""
        names, types = ", ".join(COLUMNS[table]), tuple(COLUMNS[table].values())
        with faults(self._path, self._limits):
            for row in self._db.execute(f"SELECT {names} FROM {table} NOT INDEXED"):
                self._limits.check()
                if tuple(map(type, row)) != types:
                    raise CertificateError(f"{self._path}: a value in the table {table} is of the wrong type")
                yield row


def open_ledger(
    folder: str | os.PathLike[str], limits: Limits = NO_LIMITS, *, writable: bool = False
) -> sqlite3.Connection:
    """Open the database of a ledger, and check that its schema has nothing else.

    If it is opened read-only, its content stays as it is now.

    Raises
    ------
    CertificateError
        If the file has other tables than a ledger.
    KTError
        If the file cannot be read.
    """
    path = Path(folder) / LEDGER
    for suffix in ("", "-wal", "-shm", "-journal"):
        file = path.with_name(path.name + suffix)
        if (file.exists() or not suffix) and not file.is_file():
            raise KTError(f"{file}: it is not there, or not a file")
    with faults(path, limits):
        if writable:
            return _connected(path, "mode=rw", limits)
        try:
            return _connected(path, "mode=ro", limits)
        except sqlite3.OperationalError:
            if limits.over or path.with_name(path.name + "-wal").exists():
                raise
            return _connected(path, "mode=ro&immutable=1", limits)  # On a read-only disk not even a lock can be written


def _connected(path: Path, query: str, limits: Limits) -> sqlite3.Connection:
    uri = f"{path.resolve().as_uri()}?{query}"
    database = sqlite3.connect(
        uri, uri=True, isolation_level=None, timeout=READER_SECONDS if "mode=ro" in query else WRITER_SECONDS
    )
    try:
        database.set_progress_handler(lambda: limits.over, STEPS_PER_CHECK)
        if sys.version_info >= (3, 12):
            database.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
        database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
            database.execute(f"PRAGMA {pragma}")
        if "mode=ro" in query:
            database.execute("PRAGMA query_only = ON")
            database.execute("BEGIN")
        _check_schema(database, path)
    except BaseException:
        database.close()
        raise
    return database


def _check_schema(database: sqlite3.Connection, path: Path) -> None:
    everything = "SELECT type, name, tbl_name, sql FROM sqlite_master"
    with closing(sqlite3.connect(":memory:")) as plain:
        plain.executescript(SCHEMA)
        expected = set(plain.execute(everything))
    for row in database.execute(everything):
        if row not in expected:
            raise CertificateError(f"{path}: {str(row[0])[:20]} {str(row[1])[:40]!r} is not as in a ledger")
        expected.remove(row)
    if expected:
        raise CertificateError(f"{path}: it does not have the tables of a ledger")


@contextmanager
def faults(path: Path, limits: Limits = NO_LIMITS) -> Iterator[None]:
    """Turn SQLite's errors into one line, or into `Stopped` if a limit was reached."""
    try:
        yield
    except sqlite3.Error as error:
        if str(error) == "interrupted":
            limits.check()
            raise KeyboardInterrupt from None  # SQLite reports a signal during the hook as an interrupt
        raise KTError(f"{path}: {' '.join(str(error).split())[:200]}") from None
    except UnicodeDecodeError:
        raise KTError(f"{path}: a text in it is not UTF-8") from None
    except (MemoryError, OverflowError):
        raise KTError(f"{path}: a value in it is too large") from None
