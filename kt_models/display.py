"""The parts of the room above that core types need: drawings and files.

A type shows and saves itself by `DISPLAY`, which is typed and empty here: the room `drawing` fills it when it is
imported, as `import kt` does. Without a drawing a notebook shows an object's text.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kt_models.errors import KTError


def _no_file(subject: Any, path: str | os.PathLike[str], *, force: bool = False) -> None:
    raise KTError(f"{os.fspath(path)}: files are written by the package drawing, which import kt loads")


@dataclass
class Display:
    """How objects are shown and saved.

    Parameters
    ----------
    svg
        The drawing of an object, with walks on it; `None` if there is nothing to draw.
    html
        A table of rows in words; `None` if there is none.
    save
        Writes a tour, a result or a certificate to a file by its suffix; `force` replaces a file of another kind.
    """

    svg: Callable[..., str | None] = lambda subject, walks=None: None
    html: Callable[[Any], str | None] = lambda subject: None
    save: Callable[..., None] = _no_file


DISPLAY = Display()


def svg(subject: Any, *details: Any) -> str | None:
    """A drawing; `None` if there is nothing to draw."""
    return DISPLAY.svg(subject, *details)


def html(subject: Any) -> str | None:
    """A table of rows in words."""
    return DISPLAY.html(subject)


def save(subject: Any, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write a tour, a result or a certificate to a file by its suffix; `force` replaces a file of another kind."""
    DISPLAY.save(subject, path, force=force)
