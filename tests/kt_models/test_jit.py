"""Compiled loops: the same answer in plain Python, and one signature each. `test_code_cache` is about their cache."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import networkx
import numpy as np
import pytest

import encoders
import heuristics
import kt_models
from heuristics.compiled_helpers import below, kernels
from heuristics.searches.merge import merge
from kt_models import MoveGraph, Problem, graph_of, jit
from kt_models.jit import Kernel, kernel, writable
from kt_models.kernel.sweeps import charge, forms, values
from kt_models.kernel.sweeps.charge import COST_STEP
from kt_models.kernel.sweeps.plan import CostStep
from kt_models.limits import Limits

COMMANDS = (
    "find 8x8",
    "solve 6x6 --minimize turns",
    "solve 5x6 --minimize crossings",
    "enumerate 5x6 --count",
)


def run(code: str, *arguments: str, **environment: str) -> str:
    """What a Python process prints."""
    words = [sys.executable, "-c", code, *arguments]
    return subprocess.run(words, env={**os.environ, **environment}, check=True, capture_output=True, text=True).stdout


def kt(*lines: str) -> str:
    """What commands print, one after the other in one new process."""
    code = (
        "from tests.command import kt\n"
        f"for line in {lines!r}:\n"
        "    answer = kt(*line.split()); print(answer.output)\n"
        "    assert answer.exit_code == 0, line"
    )
    return run(code)


def graphs() -> list[MoveGraph]:
    """Boards, one of them with many cycles to be kicked, and graphs in which paths are rotated."""
    strange = [networkx.dodecahedral_graph(), networkx.random_regular_graph(3, 40, seed=5)]
    boards = [graph_of(name) for name in ("6x6", "3x10", "5x6", "aztec:4", "4x4x4")]
    return boards + [MoveGraph.from_networkx(graph)[0] for graph in strange]


def test_plain_python_and_machine_code_give_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = []
    for mode in ("interpreted", "machine_code"):
        monkeypatch.setattr(Kernel, "__call__", lambda self, *a, mode=mode: getattr(self, mode)(*map(writable, a)))  # type: ignore[misc]
        results = [
            merge(Problem(graph, connectivity), limits=Limits(seed=1))
            for graph in graphs()
            for connectivity in ("cycle", "path")
        ]
        answers.append([(r.status, None if r.tour is None else r.tour.order.tolist()) for r in results])
    assert answers[0] == answers[1]
    assert {status for status, _ in answers[0]} == {"feasible"}


def test_a_loop_that_has_run_for_long_in_plain_python_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "PLAIN_SECONDS", 0.0)
    kernel = Kernel(below.py_func, below.signature, plain=1)
    state = np.array([7], dtype=np.uint64)
    first = kernel(state, 1000)
    assert "machine_code" not in vars(kernel)
    assert kernel(np.array([7], dtype=np.uint64), 1000) == first and "machine_code" in vars(kernel)


def test_every_loop_has_one_signature() -> None:
    """Nothing is compiled for a second kind of arguments: an array that is not contiguous is refused."""
    every = kernels(kt_models.__name__, heuristics.__name__, encoders.__name__)
    assert len(every) > 50 and len({kernel.name for kernel in every}) == len(every)
    with pytest.raises(TypeError):
        below.machine_code(np.zeros(4, dtype=np.uint64)[::2], 3)


@pytest.mark.slow
def test_after_warming_nothing_is_compiled() -> None:
    assert " are ready, " in kt("doctor --quick --warm")
    assert " are ready, 0 of them new" in kt(*COMMANDS, "doctor --quick --warm")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no locks of this kind")
def test_processes_that_need_the_same_loop_compile_it_once(tmp_path: Path) -> None:
    code = "from heuristics.compiled_helpers import below; print(below.machine_code.stats.cache_misses.total())"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    processes = [
        subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    printed = sorted(process.communicate()[0] for process in processes)
    assert printed == ["0\n", "1\n"] and [process.returncode for process in processes] == [0, 0]


def test_small_boards_need_no_numba() -> None:
    code = "import sys; from heuristics.find import find; from kt_models import Problem, graph_of\n"
    assert run(f"{code}find(Problem(graph_of('20x20'))); print('numba' in sys.modules)") == "False\n"


def test_what_a_loop_calls_and_reads_belongs_to_its_machine_code() -> None:
    def digest(constant: int, called: str) -> str:
        names: dict[str, object] = {"N": constant}
        exec(f"def inner(x):\n    return {called}\ndef outer(x):\n    return inner(x) + N\n", names)
        assert isinstance(names["inner"], FunctionType) and isinstance(names["outer"], FunctionType)
        names["inner"] = kernel("int64(int64)")(names["inner"])
        return Kernel(names["outer"], "int64(int64)").digest()

    assert digest(1, "x + 1") == digest(1, "x + 1")
    assert len({digest(1, "x + 1"), digest(2, "x + 1"), digest(1, "x + 2"), digest(1, "x - 1")}) == 4


STEP_SIZE = 1
add_step = kernel("")(lambda x: x + STEP_SIZE)
combine = kernel("")(lambda x: x)
double = kernel("int64(int64[::1])", plain=10)(lambda rows: 2 * combine(rows[0]))
double_step = double.instance("double_step", combine=add_step, STEP_SIZE=5)
"""What is bound reads a constant that is bound."""


def test_an_instance_is_the_same_loop_with_other_names() -> None:
    rows = np.array([10], dtype=np.int64)
    for mode in ("interpreted", "machine_code"):
        assert getattr(double, mode)(rows) == 20
        assert getattr(double_step, mode)(rows) == 30
        assert getattr(double.instance("double_plus", combine=add_step), mode)(rows) == 22
    digests = [
        double.instance("any", combine=add_step, STEP_SIZE=size).digest() if size else double.digest()
        for size in (0, 1, 5)
    ]
    assert len(set(digests)) == 3 and digests[2] == double_step.digest()


def test_an_instance_binds_names_of_what_the_loop_calls() -> None:
    outer = kernel("int64(int64[::1])")(lambda rows: add_step(rows[0]))
    assert outer.instance("outer_by_seven", STEP_SIZE=7).interpreted(np.array([1], dtype=np.int64)) == 8
    assert outer.interpreted(np.array([1], dtype=np.int64)) == 2


@pytest.mark.slow
def test_another_process_reads_an_instance_from_the_cache(tmp_path: Path) -> None:
    code = (
        "import numpy; from kt_models.jit import kernel\n"
        "STEP_SIZE = 1\n"
        "add = kernel('')(lambda x: x + STEP_SIZE)\n"
        "loop = kernel('int64(int64[::1])')(lambda rows: add(rows[0]))\n"
        "by_five = loop.instance('by_five', STEP_SIZE=5)\n"
        "print(by_five.machine_code(numpy.array([10])), by_five.machine_code.stats.cache_misses.total())"
    )
    printed = [run(code, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2)]
    assert printed == ["15 1\n", "15 0\n"]


def test_symbols_of_machine_code_are_named_by_content() -> None:
    """Two processes number their loops alike: a third that loads code of both must not take one loop for another."""
    loops = (values.deal, values.deal_least_1, values.deal_least_2, values.deal_by_value)
    for loop in loops:
        (compiled,) = loop.machine_code.overloads.values()
        assert loop.digest()[:20] in compiled.fndesc.mangled_name
    assert len({loop.digest() for loop in loops}) == len(loops)


@pytest.mark.slow
def test_code_of_two_processes_works_together_in_a_third(tmp_path: Path) -> None:
    """Both processes number the called function alike, and it is too long to be inlined (numba issue 10486)."""
    code = (
        "import sys, numpy; from kt_models.jit import kernel\n"
        "FACTOR = 1\n"
        "@kernel('')\n"
        "def count(a, b):\n"
        "    for i in range(b):\n"
        "        if i % 3 == 0: a += FACTOR * i\n"
        "        elif i % 5 == 1: a ^= i\n"
        "        for j in range(i % 4): a += j * (a & 3)\n"
        "    return a\n"
        "@kernel('')\n"
        "def both(a, b):\n"
        "    return sum([count(a, i) + count(i, b) for i in range(b)]) + count(b, a)\n"
        "@kernel('int64(int64[::1])')\n"
        "def loop(rows):\n"
        "    return both(rows[0], 5) + both(rows[1], 9)\n"
        "other = loop.instance('loop', FACTOR=7)\n"
        "for each in sys.argv[1:]:\n"
        "    loop, rows = globals()[each], numpy.array([10, 11])\n"
        "    print(loop.machine_code(rows) == loop.interpreted(rows))"
    )
    for names in (["loop"], ["other"], ["loop", "other"]):
        assert run(code, *names, NUMBA_CACHE_DIR=str(tmp_path)).split() == ["True"] * len(names)


def test_parameters_of_templates_are_declared() -> None:
    """What an instance gives another value, a reader sees where it is declared."""
    for module in (charge, forms, values):
        tree = ast.parse(Path(str(module.__file__)).read_text())
        declared = {name for name, kind in module.__annotations__.items() if kind.startswith("Template[")}
        names = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "instance":
                names |= {keyword.arg for keyword in node.keywords if keyword.arg}
                spread = [getattr(module, keyword.value.id) for keyword in node.keywords if not keyword.arg]  # type: ignore[attr-defined]
                names |= {name for table in spread for name in table}
        assert names == declared and declared, module.__name__


def test_the_fields_of_a_cost_step_are_the_last_parameters_of_its_loop() -> None:
    code = charge.charge.py_func.__code__
    assert code.co_varnames[: code.co_argcount][-len(CostStep._fields) :] == CostStep._fields
    assert COST_STEP.count("::1]") == len(CostStep._fields)
