"""Run folders: a task, its cubes and a ledger of their results, which survive any end of the process.

- `problem.json`: the task.
- `ledger.sqlite` (written by `ledger`, read by `rows`): the initial cubes, and the outcome of each.
- `proofs/`: where cubes come with proofs, their files, named by their digests; `formula.cnf` and `manifest.json` are
  what these proofs begin from (`kt_models.runs.cube_proof`).
- `lock`: held (`flock`) by the process that works here. The system releases it when that process ends.

A cube is `done`, or was `split` into others that replace it, or `failed` (out of time or memory, or its process died,
and it could not be split further). Failures are recorded, and retried when the run is resumed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from kt_models.errors import CertificateError, KTError, about, reason_of
from kt_models.fields import require_derived, require_fields
from kt_models.json_version import read_document
from kt_models.locks import exclusive
from kt_models.runs.task import Task
from kt_models.storage import parse_json, read_text
from kt_models.writing import write_atomic, writing

PROBLEM, LEDGER, LOCK, CLAIMS, PROOFS = "problem.json", "ledger.sqlite", "lock", "claims", "proofs"
DONE, SPLIT, FAILED = "done", "split", "failed"


class Solution(NamedTuple):
    """A solution in the ledger: its key, and its edges, sorted."""

    key: str
    edges: tuple[int, ...]


@dataclass(frozen=True)
class CubeRecord:
    """Result of a cube.

    Parameters
    ----------
    count
        The number of its solutions (of classes, if one of each is wanted).
    solutions
        Its solutions, unless they are only counted.
    by_value
        The number of solutions of each value, if the task wants it.
    parts
        The cubes that it was split into.
    proof
        Digest of the file with the proof that it has no solution, if cubes have proofs.
    digest
        Digest of the solutions (`digest_of`), as in the ledger.
    seconds
        Processor seconds.
    """

    cube: str
    state: str
    count: int = 0
    solutions: tuple[Solution, ...] = ()
    by_value: tuple[tuple[int, int], ...] = ()
    parts: tuple[str, ...] = ()
    proof: str = ""
    digest: str = ""
    engine: str = ""
    reason: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class RunStatus:
    """Progress of a run according to itself (`audit` trusts none of it).

    Attributes
    ----------
    cubes, done, open, failed, splits
        Numbers of cubes that cover everything; of these done, not done, and failed at the last attempt; of cubes split.
    count
        Solutions so far, each counted once.
    seconds
        Processor seconds of all attempts.
    rate
        Cubes per second recently; 0 if not known.
    failures
        Name and reason of each failed cube.
    """

    cubes: int
    done: int
    open: int
    failed: int
    splits: int
    count: int
    seconds: float
    rate: float
    failures: tuple[tuple[str, str], ...]

    @property
    def complete(self) -> bool:
        return self.done == self.cubes


def digest_of(keys: Iterable[str]) -> str:
    """Digest of a set of solutions: SHA-256 of their sorted keys, one per line."""
    # Sorted, as the order in which solutions are found depends on the number of workers
    return sha256("\n".join(sorted(keys)).encode()).hexdigest()


def read_task(folder: str | os.PathLike[str]) -> Task:
    """Task of a run.

    Raises
    ------
    KTError
        If the folder holds no run, or one of another version.
    """
    return task_and_digest(folder)[0]


def task_and_digest(folder: str | os.PathLike[str]) -> tuple[Task, str]:
    """Task of a run, and the SHA-256 of its file, in hexadecimal."""
    from kt_models.runs.kinds import task_of_json  # Only runs have tasks; counts have folders, too.

    path = Path(folder) / PROBLEM
    if not path.exists():
        raise KTError(f"{folder}: not a run: it has no {PROBLEM}")
    text = read_text(path)
    with about(path):
        data = parse_json(text)
        if not isinstance(data, dict) or data.get("kind") != "run":
            raise KTError("it is not a run")
        data = read_document(data, "run")
        task = task_of_json(data.get("task"))
        require_fields(data, "run")
        require_derived(data, {"task": task.to_json()}, "run", fault=CertificateError)
        return task, sha256(text.encode()).hexdigest()


def is_run(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder holds a run."""
    return (Path(folder) / PROBLEM).is_file()


@contextmanager
def locked(folder: str | os.PathLike[str], *, shared: bool = False) -> Iterator[None]:
    """Work in a run's folder, alone, or with others that share its cubes by `Claims`.

    Raises
    ------
    KTError
        If another process works there alone, or the folder cannot be made.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise KTError(f"{folder}: cannot work there: {reason_of(error)}") from None
    with exclusive(Path(folder) / LOCK, f"the run {folder}", shared=shared):
        yield


def write_proof(folder: str | os.PathLike[str], content: bytes) -> str:
    """Put a proof into a run's folder, named by its digest, which is returned; it is on disk by then.

    Raises
    ------
    KTError
        If the file cannot be written.
    """
    digest = sha256(content).hexdigest()
    path = proof_path(folder, digest)
    write_atomic(path, content)
    # The new name of the file is on disk only when its folder is
    sync(path.parent)
    return digest


def proof_path(folder: str | os.PathLike[str], digest: str) -> Path:
    """Path of the proof with a digest."""
    return Path(folder) / PROOFS / f"{digest}.gz"


def sync(folder: Path) -> None:
    """Flush the names of the files in a folder to disk; their contents are there already."""
    with writing(folder):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
