"""A folder of files that belong together: either all of them are written, or none."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kt_models.writing import writing


@contextmanager
def draft_of(directory: str | os.PathLike[str], last: str) -> Iterator[Path]:
    """A draft inside the folder, whose files are moved into place when the block ends without an error.

    Parameters
    ----------
    directory
        The folder; it is made if necessary, with its parents, and removed again with them if nothing is written.
    last
        The file without which the others mean nothing; it is moved last.

    Raises
    ------
    KTError
        If the folder cannot be made or written.
    """
    target = Path(directory)
    finished = False
    with writing(target):
        made = [folder for folder in (target, *target.parents) if not folder.exists()]
        target.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=target))
    try:
        yield draft
        with writing(target):
            for path in sorted(draft.iterdir(), key=lambda path: path.name == last):
                os.replace(path, target / path.name)
        finished = True
    finally:
        shutil.rmtree(draft, ignore_errors=True)
        if made and not finished:
            shutil.rmtree(made[0], ignore_errors=True)
            with suppress(OSError):  # Another process may have put something there.
                for folder in made[1:]:
                    folder.rmdir()
