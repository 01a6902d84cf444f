"""The file in which a long search for a bound keeps its progress, and from which it continues."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kt_models.errors import KTError, about
from kt_models.json_version import FORMAT_VERSION, read_document
from kt_models.storage import read_json
from kt_models.writing import write_atomic


def write_state(path: str | Path, method: str, question: dict[str, Any], done: dict[str, Any]) -> None:
    """Write the question and the progress of a method, under keys of its own."""
    write_atomic(path, json.dumps({"version": FORMAT_VERSION, "kind": f"{method}-state", **question, **done}))


def read_state(path: str | Path, method: str, question: dict[str, Any]) -> dict[str, Any]:
    """Read what `write_state` wrote.

    Raises
    ------
    KTError
        If the file is of another kind, or of another question.
    """
    data = read_json(path)
    if not isinstance(data, dict) or data.get("kind") != f"{method}-state":
        raise KTError(f"{path}: not the state of a search by {method}")
    with about(path):
        data = read_document(data, f"{method}-state")
    if any(data.get(name) != value for name, value in json.loads(json.dumps(question)).items()):
        raise KTError(f"{path}: the state of a search for another problem or another bound")
    return data
