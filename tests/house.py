"""The modules of the house and what they import, for the tests of its shape."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("kt_models", "drawing", "theorems", "heuristics", "encoders", "cli")


def modules() -> dict[str, Path]:
    """Every module of the rooms, by its name."""
    paths = {path.relative_to(ROOT): path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))}
    return {".".join(short.with_suffix("").parts).removesuffix(".__init__"): path for short, path in paths.items()}


@cache
def syntax(path: Path) -> ast.Module:
    """The syntax of a file, which several tests read."""
    return ast.parse(path.read_text())


@cache
def imports(path: Path) -> tuple[tuple[str, str, bool], ...]:
    """Every import of a file, inside functions too: the module, the name, and whether it is for types only."""
    found: list[tuple[str, str, bool]] = []
    todo: list[tuple[ast.AST, bool]] = [(syntax(path), False)]
    while todo:
        node, for_types = todo.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in vars(node.test).values():
            for_types = True
        if isinstance(node, ast.Import):
            found += [(alias.name, "", for_types) for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative imports are not read here"
            found += [(node.module or "", alias.name, for_types) for alias in node.names]
        todo += [(child, for_types) for child in ast.iter_child_nodes(node)]
    return tuple(found)
