"""Registries: tables whose rows are declared by modules; adding a module's file to the folder adds its row.

A registry is a package. Each of its modules declares a row, a frozen dataclass with a `name`; the modules import large
packages only inside functions, so that listing names is fast. Modules whose names begin with `_` are skipped.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Protocol, TypeVar


class Row(Protocol):
    """A row of a table."""

    @property
    def name(self) -> str:
        """Name of the row."""
        ...


R = TypeVar("R", bound=Row)


def rows(package: str, kind: type[R]) -> dict[str, R]:
    """Rows of a kind that the modules of a package declare, by name, in the order of the modules' names."""
    path = importlib.import_module(package).__path__
    names = [entry.name for entry in pkgutil.iter_modules(path) if not entry.name.startswith("_")]
    modules = [importlib.import_module(f"{package}.{name}") for name in names]
    return {row.name: row for module in modules for row in vars(module).values() if isinstance(row, kind)}


def room(name: str) -> str:
    """Another package of kt: beside this one in a checkout, inside `kt` in a wheel."""
    return ".".join([*str(__package__).split(".")[:-1], name])
