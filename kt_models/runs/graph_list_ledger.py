"""`ListLedger`: the answers of a run about a list of graphs, block by block, in SQLite.

A block's answers are one transaction, written when they are complete, so that a killed run continues with the blocks
that it lacks. Each has the digest of its graphs: a list that has changed meanwhile is refused.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from kt_models.errors import KTError
from kt_models.runs.folder import LOCK

LIST_LEDGER = "list.sqlite"
_SCHEMA = """
CREATE TABLE about (value TEXT NOT NULL);
CREATE TABLE block (
    number INTEGER PRIMARY KEY,
    graphs TEXT NOT NULL,
    summary TEXT NOT NULL,
    lines BLOB NOT NULL,
    digest TEXT NOT NULL
);
CREATE TABLE list_end (blocks INTEGER NOT NULL);
"""


@dataclass(frozen=True)
class BlockAnswers:
    """The answers for a block of a list.

    Parameters
    ----------
    lines
        What is printed of them.
    summary
        Numbers by name, as JSON: how many graphs have which status, and what a histogram needs.
    """

    lines: bytes
    summary: Mapping[str, Any]


@dataclass(frozen=True)
class ListRunStatus:
    """Progress of a run about a list, according to itself.

    Attributes
    ----------
    about
        What determines the answers besides the list.
    blocks
        How many blocks are answered.
    statuses
        How many of their graphs have which status.
    complete
        Whether the list was read to its end, and all its blocks are answered.
    """

    about: Mapping[str, Any]
    blocks: int
    statuses: Mapping[str, int]
    complete: bool


def is_list_run(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder holds a run about a list."""
    return (Path(folder) / LIST_LEDGER).exists()


def list_run_status(folder: str | os.PathLike[str]) -> ListRunStatus:
    """Progress of the run about a list in a folder, which may be under way.

    Raises
    ------
    KTError
        If the ledger cannot be read.
    """
    path = Path(folder).absolute() / LIST_LEDGER
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as file:
            about = json.loads(file.execute("SELECT value FROM about").fetchone()[0])
            end = file.execute("SELECT blocks FROM list_end").fetchone()
            statuses: Counter[str] = Counter()
            blocks = 0
            for (summary,) in file.execute("SELECT summary FROM block"):
                statuses.update(json.loads(summary)["statuses"])
                blocks += 1
    except (sqlite3.Error, TypeError, KeyError, ValueError) as error:
        raise KTError(f"{os.fspath(folder)}: the ledger cannot be read: {error}") from None
    return ListRunStatus(about, blocks, dict(sorted(statuses.items())), end == (blocks,))


class ListLedger:
    """The ledger in a folder, which is made if there is none.

    Parameters
    ----------
    folder
        The folder of the run.
    about
        What determines the answers besides the list: the question, and how it is printed.

    Raises
    ------
    KTError
        If the folder holds something else, or the run of another question.
    """

    def __init__(self, folder: str | os.PathLike[str], about: Mapping[str, Any]) -> None:
        self._folder = os.fspath(folder)
        path = Path(folder) / LIST_LEDGER
        if not path.exists() and (others := set(os.listdir(folder)) - {LOCK}):
            raise KTError(f"{folder}: it holds something else: {min(others)}")
        value = json.dumps(about, sort_keys=True)
        try:
            self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = FULL")
            if self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
                self._file.executescript(f"BEGIN; {_SCHEMA}")
                self._file.execute("INSERT INTO about VALUES (?)", (value,))
                self._file.execute("COMMIT")
            known = [row[0] for row in self._file.execute("SELECT value FROM about")]
        except sqlite3.Error as error:
            raise self._fault(error) from None
        if known != [value]:
            self.close()
            raise KTError(
                f"{folder}: it is the run of another list or question; the command that began it continues it"
            )

    def __enter__(self) -> ListLedger:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __len__(self) -> int:
        """How many blocks are answered."""
        count: int = self._file.execute("SELECT count(*) FROM block").fetchone()[0]
        return count

    def answers(self, number: int, graphs: str) -> BlockAnswers | None:
        """The answers for a block; None if there are none yet.

        Parameters
        ----------
        number
            Number of the block in the list, from 0.
        graphs
            Digest of its graphs.

        Raises
        ------
        KTError
            If the block has other graphs than when it was answered, or the ledger is damaged.
        """
        try:
            with closing(
                self._file.execute("SELECT graphs, summary, lines, digest FROM block WHERE number = ?", (number,))
            ) as rows:
                row = rows.fetchone()
        except sqlite3.Error as error:
            raise self._fault(error) from None
        if row is None:
            return None
        if row[0] != graphs:
            raise KTError(f"{self._folder}: block {number + 1} of the list has other graphs than when the run began")
        if _digest(row[1], row[2]) != row[3]:
            raise KTError(f"{self._folder}: the ledger is damaged at block {number + 1}")
        return BlockAnswers(zlib.decompress(row[2]), json.loads(row[1]))

    def add(self, number: int, graphs: str, answers: BlockAnswers) -> None:
        """Write the answers of a block.

        Raises
        ------
        KTError
            If they cannot be written.
        """
        lines, summary = zlib.compress(answers.lines, 1), json.dumps(answers.summary)
        try:
            self._file.execute(
                "INSERT INTO block VALUES (?, ?, ?, ?, ?)", (number, graphs, summary, lines, _digest(summary, lines))
            )
        except sqlite3.Error as error:
            raise self._fault(error) from None

    def end(self, blocks: int) -> None:
        """Write that the list has this many blocks, and no more.

        Raises
        ------
        KTError
            If that cannot be written.
        """
        try:
            self._file.execute("BEGIN IMMEDIATE")
            self._file.execute("DELETE FROM list_end")
            self._file.execute("INSERT INTO list_end VALUES (?)", (blocks,))
            self._file.execute("COMMIT")
        except sqlite3.Error as error:
            raise self._fault(error) from None

    def _fault(self, error: sqlite3.Error) -> KTError:
        return KTError(f"{self._folder}: the ledger cannot be used: {error}")


def _digest(summary: str, lines: bytes) -> str:
    return sha256(summary.encode() + b"\n" + lines).hexdigest()
