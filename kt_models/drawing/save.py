"""Writing a tour, a result or a certificate to a file, in the form that its ending says."""

from __future__ import annotations

import json
import os
from typing import Any

from kt_models.errors import KTError
from kt_models.files.endings import suffix_of
from kt_models.files.tours import write_tour
from kt_models.result import Result
from kt_models.storage import write_atomic
from kt_models.tour import Tour, tour_to_json

FILES = (".json", ".tour", ".svg", ".png", ".html", ".pdf", ".tex")


def save(subject: Any, path: str | os.PathLike[str]) -> None:
    """Write it, whole or not at all.

    Parameters
    ----------
    subject
        A tour, a result, or anything else that has `to_json`.
    path
        Ends in `.json`; or, where there is a tour, in `.tour` (TSPLIB), `.svg`, `.png`, `.pdf`, `.tex` (TikZ) or
        `.html`, a page to step through.

    Raises
    ------
    KTError
        If there is no tour, the ending is another one, or the file cannot be written.
    """
    suffix = suffix_of(path, FILES)
    tour = subject.tour if isinstance(subject, Result) else subject
    if suffix == ".json":
        data = tour_to_json(subject) if isinstance(subject, Tour) else subject.to_json()
        write_atomic(path, json.dumps(data) + "\n")
    elif not isinstance(tour, Tour):
        raise KTError(f"{path}: not written, as there is no tour; a .json file would hold the answer")
    elif suffix == ".tour":
        write_tour(path, tour)
    else:
        write_atomic(path, _drawing(tour, suffix))


def _drawing(tour: Tour, suffix: str) -> str | bytes:
    from kt_models.drawing.draw import PICTURES, draw_page
    from kt_models.drawing.sides import side_of_tour

    if suffix == ".html":
        return draw_page([side_of_tour(tour)])
    return PICTURES[suffix](tour)
