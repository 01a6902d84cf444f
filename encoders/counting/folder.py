"""The folder of a count: layers of states on disk, so that a stopped count can continue.

`count.json` records what is counted and, for each part of the sweep, the last written layer: its file, the number of
states of each part, and a checksum. A file is written under a temporary name, then renamed, and only then recorded.
"""

from __future__ import annotations

import json
import os
import re
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from kt_models.errors import KTError, about
from kt_models.json_values import is_integer
from kt_models.json_version import FORMAT_VERSION, read_document
from kt_models.kernel.sweeps.bits import Words
from kt_models.kernel.sweeps.plan import SweepPlan
from kt_models.kernel.sweeps.values import Value
from kt_models.runs.folder import LOCK, locked
from kt_models.storage import read_json
from kt_models.writing import append, write_atomic, writing

NAME = "count.json"
KIND = "count"
ENDING, UNNAMED = ".rows", ".part"
LEAST_PAUSE, WRITING = 15.0, 20
"""Least seconds between two written layers, and their least multiple of the time of the last write."""
FILE = re.compile(r"[a-z-]+-[0-9]+\.rows")
LAYOUT = 2
"""Version of the words of a state: rows of another layout are not read."""
SMALL = 1 << 16
"""Rows that may be copied."""
PIECE = 1 << 26
"""Bytes read at a time to check them."""


class RowsFile:
    """Rows written one part after the other, each given back as what is on the disk."""

    def __init__(self, path: Path, words: int) -> None:
        self.path, self.words = path, words
        self.sizes: list[int] = []
        self.checksum = 0
        write_atomic(path, b"", force=True)  # What is left of a layer that was not finished

    def add(self, part: Words) -> Words:
        """Write a part."""
        data = np.ascontiguousarray(part).tobytes() if len(part) < SMALL else part.data.cast("B")
        append(self.path, data)
        self.checksum = zlib.crc32(data, self.checksum)
        self.sizes.append(len(part))
        return rows_of(self.path, self.words, self.sizes)[-1]


def rows_of(path: Path, words: int, sizes: list[int]) -> list[Words]:
    """The parts of a file of rows of so many words, read as they are needed."""
    whole: Any = np.zeros((0, words), dtype=np.uint64)
    if sum(sizes):
        whole = np.memmap(path, dtype=np.uint64, mode="c", shape=(sum(sizes), words))
    ends = np.cumsum([0, *sizes]).tolist()
    return [whole[a:b] for a, b in pairwise(ends)]


class LayerRecord(TypedDict):
    """The record of a layer: its file, the states after each step up to it, and those of each part."""

    file: str
    states: list[int]
    parts: list[int]
    crc32: int


def _checked(data: Any, sums: int) -> dict[str, Any]:
    """The content of `count.json`, for a join that adds up some numbers.

    Raises
    ------
    KTError
        If it has another form.
    """
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise KTError(f"not of kind {KIND!r}")
    data = read_document(data, KIND)
    layers: Any = data.get("layers")
    joined = data.get("joined", {"blocks": 0, "sums": ["0"] * sums})
    try:
        right = all(_is_layer(layer) for layer in layers.values()) and is_integer(joined["blocks"])
        right = right and len([int(number) for number in joined["sums"]]) == sums
    except (AttributeError, KeyError, TypeError, ValueError):
        right = False
    if not right:
        raise KTError("damaged: its data on the layers are inconsistent")
    return data | {"joined": joined}


def _is_layer(record: Any) -> bool:
    numbers = [*record["states"], *record["parts"], record["crc32"]]
    named = FILE.fullmatch(record["file"]) is not None
    return named and bool(record["states"]) and all(is_integer(number) and number >= 0 for number in numbers)


class CountFolder:
    """The folder of one count.

    Parameters
    ----------
    path
        It is created if it does not exist.
    key
        Identifies what is counted and how; a folder of another count is refused.
    words
        Words of a row.
    sums
        Number of totals of the join.

    Raises
    ------
    KTError
        If the folder cannot be used.
    """

    def __init__(self, path: str | os.PathLike[str], key: str, words: int, sums: int) -> None:
        self.path, self.words, self.sums = Path(path), words, sums
        with writing(path):
            self.path.mkdir(parents=True, exist_ok=True)
        manifest = self.path / NAME
        if not manifest.exists() and any(file.name != LOCK for file in self.path.iterdir()):
            raise KTError(f"{path}: the folder is not empty, and holds no count")
        self.data: dict[str, Any] = {
            "version": FORMAT_VERSION, "kind": KIND, "layout": LAYOUT, "key": key, "layers": {}
        }  # fmt: skip
        if manifest.exists():
            with about(manifest):
                data = read_json(manifest)
                if isinstance(data, dict) and data.get("kind") == KIND:
                    if data.get("layout") != LAYOUT:
                        raise KTError("another version of kt began this count and keeps other states; begin again")
                    if data.get("key") != key:
                        raise KTError("this folder is of another count")
                self.data = _checked(data, sums)
        else:
            self._write()
        self._files = 0
        self._tidy()
        self._saved = time.monotonic()
        self._pause = LEAST_PAUSE

    def new_file(self) -> RowsFile:
        """A file for a layer that has no name yet."""
        self._files += 1
        return RowsFile(self.path / f"{self._files}-{os.getpid()}{UNNAMED}", self.words)

    @property
    def due(self) -> bool:
        """Whether it is time to write a layer, so that little can be lost."""
        return time.monotonic() - self._saved > self._pause

    def save(self, name: str, states: list[int], parts: list[Words], file: RowsFile | None) -> list[Words]:
        """Write the layer after `len(states)` steps; it is read from there afterwards.

        Parameters
        ----------
        file
            The file that already holds it.
        """
        began = time.monotonic()
        if file is None:
            file = self.new_file()
            for part in parts:
                file.add(part)
        target = self.path / f"{name}-{len(states)}{ENDING}"
        with writing(target):
            os.replace(file.path, target)
        record = {"file": target.name, "states": states, "parts": file.sizes, "crc32": file.checksum}
        self.data["layers"][name] = record
        self._write()
        self._tidy()
        self._saved = time.monotonic()
        self._pause = max(LEAST_PAUSE, WRITING * (self._saved - began))
        return rows_of(target, self.words, file.sizes)

    def load(self, name: str) -> tuple[list[int], list[Words]] | None:
        """The last written layer, and the states of the layers up to it; None if there is none.

        Raises
        ------
        KTError
            If the file is not as it was written.
        """
        record: LayerRecord | None = self.data["layers"].get(name)
        if record is None:
            return None
        path = self.path / record["file"]
        sizes, states, checksum = record["parts"], record["states"], 0
        with about(path):
            try:
                if sum(sizes) != states[-1] or path.stat().st_size != 8 * self.words * sum(sizes):
                    raise KTError("damaged: it lacks states")
                with path.open("rb") as stream:
                    while piece := stream.read(PIECE):
                        checksum = zlib.crc32(piece, checksum)
            except OSError as error:
                raise KTError(f"cannot read: {error.strerror}") from None
            if checksum != record["crc32"]:
                raise KTError("damaged: its checksum does not match")
        return states, rows_of(path, self.words, sizes)

    def joined(self) -> tuple[int, list[int]]:
        """The number of joined blocks, and their sums."""
        record = self.data.get("joined", {"blocks": 0, "sums": ["0"] * self.sums})
        return record["blocks"], [int(number) for number in record["sums"]]

    def save_joined(self, blocks: int, sums: list[int]) -> None:
        """Record the progress of the join."""
        self.data["joined"] = {"blocks": blocks, "sums": [str(number) for number in sums]}
        self._write()

    def _write(self) -> None:
        write_atomic(self.path / NAME, json.dumps(self.data))

    def _tidy(self) -> None:
        """Remove files without a record."""
        named = {record["file"] for record in self.data["layers"].values()}
        for file in [*self.path.glob(f"*{UNNAMED}"), *self.path.glob(f"*{ENDING}")]:
            if file.name not in named:
                file.unlink(missing_ok=True)


def is_count_folder(path: str | os.PathLike[str]) -> bool:
    """Whether the folder holds a count."""
    return (Path(path) / NAME).is_file()


@contextmanager
def count_folder(
    path: str | os.PathLike[str] | None, parts: tuple[SweepPlan, SweepPlan], value: Value, *, sums: int
) -> Iterator[CountFolder | None]:
    """Lock the folder of a count, and work there; None without one.

    Parameters
    ----------
    parts, value
        What is counted.
    sums
        See `CountFolder`.
    """
    if path is None:
        yield None
        return
    words = 1 + value.labels + value.limbs
    steps = [(plan.steps, [step.names for step in plan.steps], plan.frontier) for plan in parts]
    costs = [[cost.digest() for cost in plan.costs] for plan in parts]
    key = sha256(repr((words, steps, costs, value.wraps)).encode()).hexdigest()
    with locked(path):
        yield CountFolder(path, key, words, sums)
