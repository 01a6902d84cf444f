"""The shape of the project: imports go one way, types and style are clean, the hook's promises hold."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import pytest

from kt_models.certificates.certificate import METHODS

ROOT = Path(__file__).parent.parent
ROOMS = ("kt_models", "heuristics", "encoders", "cli")
FLAT = 20
"""Most modules of the vocabulary, which lie flat in `kt_models`."""
KERNEL = "kt_models.certificates"
TAKEN = {
    KERNEL: "Certificate Statement check regions",
    f"{KERNEL}.cuts": "Cut Inequality inequality read_cuts",
    f"{KERNEL}.families.codes": "Codes Ints MOVES PAIRS REACH",
    f"{KERNEL}.families.crossings": "KIND check",
    f"{KERNEL}.families.octants": "KIND Octants STEP check_one_cycle",
    f"{KERNEL}.families.rings": (
        "Cell KIND Kind Move Rings across cell_on check_rings column "
        "depth frame is_move part_of pattern read_rings side_of turned turned_cell"
    ),
    f"{KERNEL}.families.statement": "Boards Bound FamilyStatement VERSION claim_to_json",
    f"{KERNEL}.families.strands": "Grown KIND LINE check_one_cycle keeps serves",
    f"{KERNEL}.families.turns": "Family KIND MAX_REACH check value",
    f"{KERNEL}.families.zones": "Family Growth Zone",
    f"{KERNEL}.frontier": "count_solutions fits",
    f"{KERNEL}.frontier.bound": "potentials_of",
    f"{KERNEL}.integers": "Ints largest",
    f"{KERNEL}.nodes": "Branching HEAVY Instance LEAF LIGHT State UNUSED USED",
    f"{KERNEL}.proofs.dimacs": "digest_of",
    f"{KERNEL}.proofs.folder": "check_folder",
    f"{KERNEL}.proofs.manifest": "Counter FORMULA Group MANIFEST Manifest Node PROOF",
    f"{KERNEL}.rounding": "lifted value_step",
    f"{KERNEL}.tree": "Evaluator Images LARGEST Walk bound",
}
"""All that the makers of certificates, `heuristics` and `encoders`, take from their checkers."""


@pytest.mark.parametrize(
    "command",
    [
        ["lint-imports", "--no-cache"],
        ["ruff", "check", "--no-cache", "."],
        ["ruff", "format", "--no-cache", "--check", "."],
        ["mypy", "--no-incremental"],
    ],
    ids=lambda command: command[0] + " " + command[1],
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


def test_the_vocabulary_is_small() -> None:
    flat = sorted(path.stem for path in (ROOT / "kt_models").glob("*.py") if path.stem != "__init__")
    assert len(flat) <= FLAT, flat


@pytest.mark.parametrize("types", [False, True], ids=["when run", "and for types"])
def test_no_circle_of_more_than_two_files(types: bool) -> None:
    """Imports inside functions count; those under TYPE_CHECKING are counted apart."""
    graph = nx.DiGraph()
    names = modules()
    for name, path in names.items():
        for module, taken, for_types in imports(path):
            if types or not for_types:
                target = f"{module}.{taken}" if f"{module}.{taken}" in names else module
                if target in names and target != name:
                    graph.add_edge(name, target)
    circles = [sorted(circle) for circle in nx.strongly_connected_components(graph) if len(circle) > 2]
    assert not circles


def test_only_display_reaches_upward_by_a_name() -> None:
    """Loading a module by its name is for tables of checkers, all in the kernel, and for `display`."""
    by_name = [name for name, path in modules().items() if "import_module(" in path.read_text()]
    own = {name for name in by_name if name.startswith("kt_models.")}
    assert own == {"kt_models.display", f"{KERNEL}.certificate", f"{KERNEL}.families"}
    assert all(method.module.startswith(f"{KERNEL}.") for method in METHODS.values())


def test_makers_take_from_the_kernel_what_the_table_says() -> None:
    """What makes a certificate and what checks it share only these names (and the vocabulary)."""
    taken: dict[str, set[str]] = {}
    for name, path in modules().items():
        if name.startswith(("heuristics", "encoders")):
            for module, what, _ in imports(path):
                if f"{module}.".startswith(f"{KERNEL}."):
                    taken.setdefault(module, set()).add(what)
    assert {module: " ".join(sorted(names)) for module, names in sorted(taken.items())} == TAKEN


def modules() -> dict[str, Path]:
    """Every module of the rooms, by its name."""
    paths = {path.relative_to(ROOT): path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))}
    return {".".join(short.with_suffix("").parts).removesuffix(".__init__"): path for short, path in paths.items()}


def imports(path: Path) -> Iterator[tuple[str, str, bool]]:
    """Every import of a file, inside functions too: the module, the name, and whether it is for types only."""
    todo: list[tuple[ast.AST, bool]] = [(ast.parse(path.read_text()), False)]
    while todo:
        node, for_types = todo.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for_types = True
        if isinstance(node, ast.Import):
            yield from ((alias.name, "", for_types) for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative imports are not read here"
            yield from ((node.module or "", alias.name, for_types) for alias in node.names)
        todo += [(child, for_types) for child in ast.iter_child_nodes(node)]
