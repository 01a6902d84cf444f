"""Results as files: the kinds of files, their names, and the folder of `--folder`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.explore.job import Job
from kt_models import KTError
from kt_models.writing import write_new

if TYPE_CHECKING:
    from cli.explore.jobs import Jobs

MAX_FILES = 10_000
"""Most numbered files of one name."""


@dataclass(frozen=True)
class FileKind:
    """A kind of file: the suffix of its name, its media type, and the function that makes it from a result."""

    suffix: str
    media: str
    made: Callable[[dict[str, Any], Jobs], Awaitable[str | bytes]]


async def _json(result: dict[str, Any], jobs: Jobs) -> str:
    """The result; for a bound alone its certificate, which `kt check` reads."""
    return json.dumps(result["certificate"] if result.get("kind") == "bound" else result) + "\n"


def _drawn(kind: str) -> Callable[[dict[str, Any], Jobs], Awaitable[str | bytes]]:
    async def made(result: dict[str, Any], jobs: Jobs) -> str | bytes:
        if "tour" not in result:
            raise KTError("there is no tour to draw")
        return await jobs.draw(result, kind)

    return made


FILE_KINDS = {
    "json": FileKind(".json", "application/json", _json),
    "html": FileKind(".html", "text/html", _drawn("html")),
    "svg": FileKind(".svg", "image/svg+xml", _drawn("svg")),
    "pdf": FileKind(".pdf", "application/pdf", _drawn("pdf")),
    "png": FileKind(".png", "image/png", _drawn("png")),
    "tour": FileKind(".tour", "text/plain", _drawn("tour")),
}


def name_of(job: Job) -> str:
    """A file name for a job, with letters, digits and hyphens only."""
    words = (job.task, job.board, "open" if job["is_open"] else "", job.metric, *job["symmetry"], job["method"])
    return re.sub(r"[^a-z0-9]+", "-", " ".join(filter(None, words)).lower()).strip("-")[:60].strip("-")


class Folder:
    """A folder for results, under names made here."""

    def __init__(self, path: str) -> None:
        self._path = Path(path).resolve()
        if not self._path.is_dir():
            raise KTError(f"--folder {path}: there is no such folder")
        if not os.access(self._path, os.W_OK | os.X_OK):
            raise KTError(f"--folder {path}: nothing can be written there")

    def write(self, stem: str, suffix: str, contents: str | bytes) -> str:
        """Write a file under an unused name, completely or not at all.

        Returns
        -------
        str
            The name of the file.
        """
        for number in range(1, MAX_FILES):
            name = f"kt-{stem}{f'-{number}' if number > 1 else ''}{suffix}"
            target = self._path / name
            try:
                write_new(target, contents)
            except FileExistsError:
                continue
            except KTError as error:
                raise KTError(str(error).replace(str(target), name)) from None
            return name
        raise KTError(f"kt-{stem}{suffix}: there are too many files of this name")
