"""The shape of the project: imports go one way, types and style are clean, the hook's promises hold."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import networkx as nx
import pytest

from kt_models.certificates.certificate import METHODS
from tests.house import ROOT, imports, modules

PARTICIPLES = re.compile(
    "aimed|asked|begun|built|chosen|counted|done|drawn|dropped|found|given|gone|heard|held|kept|known|lifted|listed|made|"
    "meant|met|named|opened|reduced|said|seen|served|shared|shown|swept|taken|thought|told|turned|written"
)
"""Such a name says neither what a function does nor what a class is."""


@pytest.mark.parametrize(
    "command",
    [
        ["lint-imports", "--no-cache"],
        ["ruff", "check", "--no-cache", "."],
        ["ruff", "format", "--no-cache", "--check", "."],
        ["mypy"],
    ],
    ids=" ".join,
)
def test_tools_are_content(command: list[str]) -> None:
    tool = Path(sys.executable).parent / command[0]
    result = subprocess.run([str(tool), *command[1:]], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def test_every_module_says_what_it_is() -> None:
    for path in modules().values():
        text = path.read_text()
        assert not text or text.startswith('"""'), path
        assert len(text.splitlines()) <= 500, path


def test_no_circle_of_imports(types: bool) -> None:
    """Imports inside functions count; those under TYPE_CHECKING are counted apart."""
    graph = nx.DiGraph()
    names = modules()
    for name, path in names.items():
        for module, taken, for_types in imports(path):
            if types or not for_types:
                target = f"{module}.{taken}" if f"{module}.{taken}" in names else module
                if target in names and target != name:
                    graph.add_edge(name, target)
    circles = [sorted(circle) for circle in nx.strongly_connected_components(graph) if len(circle) > 1]
    assert not circles


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    """The syntax of each module."""
    return {name: ast.parse(path.read_text()) for name, path in modules().items()}


def test_one_class_has_a_name(trees: dict[str, ast.Module]) -> None:
    """Names of types, `Name = tuple[...]`, count as classes do; each has one place, and the others import it."""
    places = defaultdict(list)
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(name)
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                alias = node.targets[0].id
                if alias[0].isupper() and not alias.isupper():
                    places[alias].append(name)
    assert not {name: where for name, where in places.items() if len(where) > 1 and not name.startswith("_")}


def test_no_public_name_is_a_bare_participle(trees: dict[str, ast.Module]) -> None:
    for name, tree in trees.items():
        scopes = [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]
        nodes = [node for scope in scopes for node in scope.body]
        names = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
        assert not [own for own in names if PARTICIPLES.fullmatch(own.lower())], name


def test_nothing_reaches_upward_by_a_name() -> None:
    """Loading a module by its name is for tables of checkers, all in the kernel, and for the modules of a registry."""
    by_name = [name for name, path in modules().items() if "import_module(" in path.read_text()]
    own = {name for name in by_name if name.startswith("kt_models.")}
    assert own == {"kt_models.certificates.certificate", "kt_models.certificates.families", "kt_models.registry"}
    assert "kt_models." not in modules()["kt_models.registry"].read_text()  # its package is named by who calls it
    assert all(method.module.startswith("kt_models.certificates.") for method in METHODS.values())
