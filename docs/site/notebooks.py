"""The outputs of the tutorials, recorded in their files, from which the site is built: building it runs no notebook.

    python docs/site/notebooks.py [NAME ...]

runs all tutorials, or those named, and records what their cells show. `tests/docs/test_notebooks.py` finds a tutorial
whose code was changed since, and one that shows something else by now.
"""

from __future__ import annotations

import hashlib
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = ROOT / "docs" / "use" / "tutorials"
_PLACES = re.compile(re.escape(tempfile.gettempdir()) + r"/tmp\w+/|(?<= at )0x[0-9a-f]+")
"""Temporary folders and addresses, which no reader needs."""
_CHANGING = re.compile(r"\d+\.\d+ s\b|(?<=tour verified, )\d+ turns, \d+ crossings")
"""Seconds, and figures of a tour that is one of several best ones."""


def code_digest(notebook: Any) -> str:
    """A digest of the code of a notebook."""
    return hashlib.sha256("\0".join(cell.source for cell in _code(notebook)).encode()).hexdigest()[:32]


def shown_by(notebook: Any) -> list[tuple[str, list[str], str]]:
    """The kind of each output, its forms, and its text without what changes between runs."""
    return [
        (output.output_type, sorted(output.get("data", ())), _CHANGING.sub("", _PLACES.sub("", _text(output))))
        for cell in _code(notebook)
        for output in cell.outputs
    ]


def record(path: Path) -> None:
    """Run a notebook and write its outputs into its file."""
    import nbclient

    notebook = nbformat.read(path, as_version=4)
    metadata = {key: notebook.metadata[key] for key in ("kernelspec", "language_info")}
    place = {"metadata": {"path": str(ROOT)}}
    nbclient.NotebookClient(notebook, timeout=600, resources=place, record_timing=False).execute()
    notebook.metadata = nbformat.from_dict(
        {**metadata, "language_info": {"name": "python"}, "recorded": code_digest(notebook)}
    )
    for cell in _code(notebook):
        cell.execution_count = None
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = None
            if "text" in output:
                output.text = _PLACES.sub("", output.text)
            for form, content in output.get("data", {}).items():
                output.data[form] = _PLACES.sub("", content) if isinstance(content, str) else content
    nbformat.write(notebook, path)


def _code(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def _text(output: Any) -> str:
    return output.get("text") or output.get("data", {}).get("text/plain") or ""


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(path.stem for path in TUTORIALS.glob("*.ipynb")):
        record(TUTORIALS / f"{name}.ipynb")
        print("recorded", name)
