"""What the ending of a file's name says."""

from __future__ import annotations

import os

from kt_models.errors import KTError, nearest


def suffix_of(path: str | os.PathLike[str], allowed: tuple[str, ...]) -> str:
    """The file name's ending, if it is one of those allowed.

    Raises
    ------
    KTError
        Naming the file and the endings that would do.
    """
    path = os.fspath(path)
    lowered = path.lower()
    for suffix in allowed:
        if lowered.endswith(suffix):
            return suffix
    stem, ending = os.path.splitext(path)
    guess = nearest(ending, allowed) if ending else ""
    meant = f", did you mean {stem + guess!r}? The" if guess else ": the"
    raise KTError(f"{path or repr(path)}{meant} name has to end in one of {', '.join(allowed)}")
