"""A wheel holds one package, `kt`, with all rooms inside; in a checkout they stand beside it.

The build copies the rooms and has their imports name `kt`: `from encoders.solve import solve` becomes
`from kt.encoders.solve import solve`. Lines keep their numbers. No text of a program names a module of the rooms except
by `__package__` and `__name__`, which a test makes sure of.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOMS = ("kt_models", "drawing", "theorems", "heuristics", "encoders", "cli")
_ROOM = f"({'|'.join(ROOMS)})"
IMPORTS = (
    (re.compile(rf"^([ \t>.]*from ){_ROOM}\b(?=[\w.]* import\b)", re.M), r"\1kt.\2"),
    (re.compile(rf"^([ \t>.]*)import {_ROOM}$", re.M), r"\1from kt import \2"),
    (re.compile(rf"`{_ROOM}(?=\.\w)"), r"`kt.\1"),  # What a docstring refers to
)


def inside(text: str) -> str:
    """The text of a module as it is where the rooms are inside `kt`."""
    for pattern, replacement in IMPORTS:
        text = pattern.sub(replacement, text)
    return text


def copy_package(root: Path, package: Path) -> None:
    """Make the package `kt`, with everything inside, of a checkout."""
    skip = shutil.ignore_patterns("__pycache__")
    shutil.copytree(root / "kt", package, ignore=skip)
    for room in ROOMS:
        shutil.copytree(root / room, package / room, ignore=skip)
    for path in package.rglob("*.py"):
        path.write_text(inside(path.read_text(encoding="utf-8")), encoding="utf-8")


class OnePackage(BuildHookInterface):  # type: ignore[type-arg]
    """Has the wheel hold what `copy_package` makes; an editable installation shows the checkout as it is."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self._folder = tempfile.TemporaryDirectory()
        if version != "editable":
            package = Path(self._folder.name) / "kt"
            copy_package(Path(self.root), package)
            build_data["force_include"][str(package)] = "kt"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self._folder.cleanup()
