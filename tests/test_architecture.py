"""The shape of the project: imports go one way, style is clean, the hook's promises hold."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import networkx as nx
import pytest

from kt_models.kernel.certificates.methods import METHODS, theorems
from tests.house import ROOMS, ROOT, imports, modules, syntax

pytestmark = pytest.mark.checkout


@pytest.mark.parametrize(
    "command",
    [
        ["lint-imports", "--no-cache"],
        ["ruff", "check", "--no-cache", "."],
        ["ruff", "format", "--no-cache", "--check", "."],
    ],
    ids=" ".join,
)
def test_tools_are_content(command: list[str]) -> None:
    tool = Path(sys.executable).parent / command[0]
    result = subprocess.run([str(tool), *command[1:]], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def summary_fault(tree: ast.Module) -> str:
    """The fault of the first line of a module's docstring; empty if it has none."""
    first, *rest = (ast.get_docstring(tree, clean=False) or "").split("\n")
    if not first.endswith("."):
        return "the first line is no whole sentence"
    if rest and rest[0].strip():
        return "the first line goes on in the second"
    return ""


def test_every_module_says_what_it_is_in_one_line() -> None:
    places = [*modules().values(), *(ROOT / "research").rglob("*.py"), *(ROOT / "kt").rglob("*.py")]
    faults = {path: summary_fault(syntax(path)) for path in places if path.stat().st_size}
    assert len(faults) > 500
    assert not {path: fault for path, fault in faults.items() if fault}


@pytest.mark.parametrize(
    "text", ["x = 1\n", '"""A line that goes\non."""\n', '"""A sentence.\nAnother."""\n', '"""No full stop"""\n']
)
def test_a_first_line_that_is_cut_off_is_noticed(text: str) -> None:
    assert summary_fault(ast.parse(text))
    assert not summary_fault(ast.parse('"""A sentence.\n\nAnother.\n"""\n'))


NO_NOUNS = frozenset(
    {"what", "how", "said", "own", "one", "ones", "shown", "given", "here", "those", "such", "them", "it"}
)
PUBLIC_WORDS = frozenset({"how", "shown"})
"""Attributes of results, verdicts and fronts, which scripts read."""
NAMED_PLACES = (*ROOMS, "kt", "research", "benchmarks", "docs/site", "tests")


def names_without_noun(tree: ast.Module) -> list[str]:
    """The variables, parameters, functions and classes of a module that a pronoun, an adverb or a participle names."""
    nodes = list(ast.walk(tree))
    members = [child for node in nodes if isinstance(node, ast.ClassDef) for child in node.body]
    public = {id(child) for child in members} | {id(c.target) for c in members if isinstance(c, ast.AnnAssign)}
    found = []
    for node in nodes:
        if isinstance(node, ast.Name):
            name = node.id if isinstance(node.ctx, ast.Store) else ""
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = node.name
        elif isinstance(node, ast.arg):
            name = node.arg
        else:
            continue
        if name.strip("_") in NO_NOUNS and not (id(node) in public and name in PUBLIC_WORDS):
            found.append(name)
    return found


def test_variables_are_named_by_nouns() -> None:
    paths = [path for place in NAMED_PLACES for path in sorted((ROOT / place).rglob("*.py"))]
    assert len(paths) > 500
    faults = {str(path.relative_to(ROOT)): names_without_noun(syntax(path)) for path in paths}
    assert not {path: names for path, names in faults.items() if names}


@pytest.mark.parametrize(
    "text",
    [
        "what = 1\n",
        "def f(how): ...\n",
        "def _shown(): ...\n",
        "[one for one in range(3)]\n",
        "lambda *given: 0\n",
        "class A:\n    own: int\n",
        "class A:\n    def f(self):\n        how = 1\n",
    ],
)
def test_a_name_without_a_noun_is_noticed(text: str) -> None:
    assert names_without_noun(ast.parse(text))


def test_attributes_that_scripts_read_keep_their_names() -> None:
    assert not names_without_noun(ast.parse("class Verdict:\n    how: str\n    def shown(self): ...\n"))


@pytest.mark.parametrize("types", [False, True], ids=["when run", "and for types"])
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
    return {name: syntax(path) for name, path in modules().items()}


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


def test_nothing_reaches_upward_by_a_name() -> None:
    """Loading a module by its name is for tables of checkers, all in the kernel, and for the modules of a registry."""
    by_name = [name for name, path in modules().items() if "import_module(" in path.read_text()]
    reached = {name for name in by_name if name.startswith("kt_models.")}
    assert reached == {"kt_models.kernel.certificates.methods", "kt_models.registry"}
    assert "kt_models." not in modules()["kt_models.registry"].read_text()  # Its package is named by who calls it
    assert all(method.module.startswith("kt_models.kernel.certificates.") for method in METHODS.values())


def test_an_answer_about_one_board_loads_no_theorem() -> None:
    """What is heavy is imported where it is used; a list of methods loads their rows alone."""
    program = "import sys, kt; assert kt.solve('6x6').tour; print(*sys.modules)"
    names = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True).stdout.split()
    loaded = [name for name in names if name.partition(".")[0] in ("kt", *ROOMS)]
    assert loaded and not [name for name in loaded if name.startswith("theorems")]


@pytest.mark.parametrize(
    ("call", "others"),
    [
        (
            "kt.check('heuristics/delivered/results/turns-6x6.json')",
            ("kernel.sweeps", "longest", "gadgets", "encoders"),
        ),
        ("kt.count('5x6')", ("gadgets", "encoders.sat", "merging", "kernel.certificates.tree")),
    ],
)
def test_a_call_loads_what_it_needs_only(call: str, others: tuple[str, ...]) -> None:
    """The check of a tree loads no sweep, a count by a sweep no solver."""
    program = f"import sys, kt; assert {call}; print(*sys.modules)"
    names = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True).stdout.split()
    loaded = [name for name in names if name.partition(".")[0] in ("kt", *ROOMS)]
    assert loaded and not [name for name in loaded if any(other in name for other in others)]


def test_a_theorem_is_checked_in_its_own_folder() -> None:
    """Only the room of theorems is reached by name from below, and each kind of file has one checker."""
    for name, theorem in theorems().items():
        named = [*theorem.files.values(), *(method.module for method in theorem.methods.values())]
        assert all(module.startswith(f"theorems.{name.replace('-', '_')}.") for module in named)
    kinds = [kind for theorem in theorems().values() for kind in theorem.files]
    assert len(kinds) == len(set(kinds))


WRITES = {"write_text", "write_bytes", "savefig", "tofile", "mkstemp", "NamedTemporaryFile"}
WRITERS = {
    "kt_models.writing": "the one place where files are written",
    "kt_models.code_cache": "machine code, in a cache folder that is kt's own",
    "kt_models.locks": "lock files",
    "drawing.figure": "matplotlib writes to memory",
    "encoders.sat.solver_program": "the formula and the answer of an outside program, in a scratch folder",
    "encoders.pb.minizinc": "the model and the answer of MiniZinc, in a scratch folder",
    "cli.main": "standard output that takes no more becomes the null device",
    "cli.streams": "a stream that was closed becomes the null device",
}
"""Modules that may write files, or seem to, and why."""


def test_files_are_written_in_one_place(trees: dict[str, ast.Module]) -> None:
    """Every other module calls `kt_models.writing`: it replaces none of another kind, and leaves none half written."""
    found = {
        f"{name}:{node.lineno}"
        for name, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _writes(node)
    }
    rooms = ("kt_models", "drawing", "theorems", "heuristics", "encoders", "cli", "kt")
    assert sorted(place for place in found if place.split(":")[0] not in WRITERS and place.startswith(rooms)) == []
    assert {place.split(":")[0] for place in found} >= set(WRITERS)


def _writes(node: ast.Call) -> bool:
    """Whether a call writes a file, by its name and its mode."""
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    owner = getattr(getattr(node.func, "value", None), "id", "")
    if called in WRITES or (called in ("save", "savez", "savetxt") and owner == "np"):
        return True
    if called == "dump" and owner in ("json", "pickle"):
        return True
    words = [value for a in [*node.args, *(k.value for k in node.keywords)] for value in ast.walk(a)]
    modes = [value.value for value in words if isinstance(value, ast.Constant) and isinstance(value.value, str)]
    flags = [value.attr for value in words if isinstance(value, ast.Attribute)]
    if called in ("open", "fdopen"):
        return any(re.fullmatch(r"[rb+t]*[wax+][wb+xat]*", mode) for mode in modes) or any(
            flag in ("O_WRONLY", "O_RDWR", "O_CREAT") for flag in flags
        )
    return False
