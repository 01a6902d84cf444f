"""The rows of a ledger, read without believing anything about the file that they are in.

The file may come from anybody.  So it is opened to be read only, with nothing in it trusted; what its schema holds has
to be, word for word, what a ledger's schema is; each table is read once, from its first row to its last, without
questions that an index or a constraint of the file could answer wrongly; every value has to be of its type; and a hook
that SQLite calls as it works ends it when the limits are reached.
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
"""Of a ledger: where rows are only added, and a cube is settled once.  Counts are texts as they have no limit."""
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
"""What is read of each table."""
LONGEST = 50_000_000
"""Most bytes of a value."""
STEPS = 20_000
"""Of SQLite's machine between two looks at the limits: less than a millisecond."""
PATIENCE = 1.0
"""Seconds that a lock of somebody else is waited for."""


class Rows:
    """The rows of the ledger in a folder, all as they were at one moment, while others may write.

    Raises
    ------
    CertificateError
        If something else is there than a ledger's tables.
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
        """Each row of a table, with the values of `COLUMNS`; in no order that means anything."""
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
    """The database of a ledger, with nothing in its schema but what belongs there.

    To be read only, it stays as it is now for as long as it is open.

    Raises
    ------
    CertificateError
        If something else is there than a ledger's tables.
    KTError
        If it cannot be read.
    """
    path = Path(folder) / LEDGER
    for ending in ("", "-wal", "-shm", "-journal"):
        file = path.with_name(path.name + ending)
        if (file.exists() or not ending) and not file.is_file():
            raise KTError(f"{file}: it is not there, or not a file")
    with faults(path, limits):
        if writable:
            return _connected(path, "mode=rw", limits)
        try:
            return _connected(path, "mode=ro", limits)
        except sqlite3.OperationalError:
            if limits.over or path.with_name(path.name + "-wal").exists():
                raise
            return _connected(path, "mode=ro&immutable=1", limits)  # where nothing can be written, not even a lock


def _connected(path: Path, how: str, limits: Limits) -> sqlite3.Connection:
    uri = f"{path.resolve().as_uri()}?{how}"
    database = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=PATIENCE)
    try:
        database.set_progress_handler(lambda: limits.over, STEPS)
        if sys.version_info >= (3, 12):
            database.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
        database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
            database.execute(f"PRAGMA {pragma}")
        if "mode=ro" in how:
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
        raise CertificateError(f"{path}: it has not the tables of a ledger")


@contextmanager
def faults(path: Path, limits: Limits = NO_LIMITS) -> Iterator[None]:
    """SQLite's errors as one line, or `Stopped` where the limits were reached."""
    try:
        yield
    except sqlite3.Error as error:
        if str(error) == "interrupted":
            limits.check()
            raise KeyboardInterrupt from None  # a signal came during the hook, and SQLite knows no better word
        raise KTError(f"{path}: {' '.join(str(error).split())[:200]}") from None
    except UnicodeDecodeError:
        raise KTError(f"{path}: a text in it is not UTF-8") from None
    except (MemoryError, OverflowError):
        raise KTError(f"{path}: a value in it is too large") from None
