"""What stops the command while it is still being loaded: a status that says so, and one line or nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from tests.effort import slow, slow_rows

ROOT = Path(__file__).parents[2]
BY_MODULE = [sys.executable, "-m", "kt"]
PROGRAM = "from kt.__main__ import run\nif __name__ == '__main__':\n    run()\n"
FAULTS = """
import os, signal, sys

class Fault:
    def find_spec(self, name, *where):
        if name == os.environ["AT"]:
            sys.meta_path.remove(self)
            exec(os.environ["FAULT"])

sys.meta_path.insert(0, Fault())
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and limits of POSIX")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sitecustomize.py").write_text(FAULTS)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "kt").write_text(PROGRAM)
    return tmp_path


def stopped(words: list[str], folder: Path, module: str, fault: str, **more: str) -> subprocess.CompletedProcess[str]:
    """What becomes of a program in which something happens as it begins to load a module."""
    paths = os.pathsep.join(map(str, (folder, ROOT)))
    environment = {**os.environ, "PYTHONPATH": paths, "AT": module, "FAULT": fault, **more}
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, preexec_fn=heed_signals
    )


def heed_signals() -> None:
    """Signals mean what they usually do, also where the tests themselves run in the background or under `nohup`."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
MODULES = ("kt._checkout", "numpy", "click", "cli.find")
FEW = list(zip(MODULES, (*SIGNALS, signal.SIGINT), strict=True))
"""Each module and each signal at least once; all pairs of them are slow."""


@pytest.mark.parametrize(
    ("module", "number"), [*FEW, *slow_rows(pair for pair in product(MODULES, SIGNALS) if pair not in FEW)]
)
def test_a_signal_while_modules_are_loaded_ends_the_command_in_silence(
    folder: Path, module: str, number: signal.Signals
) -> None:
    done = stopped([*BY_MODULE, "find", "5x6"], folder, module, f"os.kill(os.getpid(), {int(number)})")
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "")


@pytest.mark.parametrize("module", ["numpy", *slow(module for module in MODULES if module != "numpy")])
def test_a_signal_while_modules_are_loaded_ends_the_script_in_silence(folder: Path, module: str) -> None:
    words = [sys.executable, str(folder / "bin" / "kt"), "find", "5x6"]
    done = stopped(words, folder, module, f"os.kill(os.getpid(), {int(signal.SIGINT)})")
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "")


@pytest.mark.parametrize(
    ("fault", "by_script"),
    [
        ("raise MemoryError", False),
        ("raise ImportError('no such\\nlibrary')", True),
        ("raise OSError('bad')", False),
        *slow_rows(
            [
                ("raise MemoryError", True),
                ("raise ImportError('no such\\nlibrary')", False),
                ("raise OSError('bad')", True),
            ]
        ),
    ],
)
def test_faults_of_loading_are_one_line(folder: Path, fault: str, by_script: bool) -> None:
    program = [sys.executable, str(folder / "bin" / "kt")] if by_script else BY_MODULE
    done = stopped([*program, "--version"], folder, "numpy", fault)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("kt: cannot start: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize("by_script", [False, *slow([True])])
def test_faults_of_loading_have_a_traceback_with_debugging(folder: Path, by_script: bool) -> None:
    program = [sys.executable, str(folder / "bin" / "kt")] if by_script else BY_MODULE
    done = stopped([*program, "--version"], folder, "numpy", "raise OSError('bad')", KT_DEBUG="1")
    assert "Traceback" in done.stderr


def test_a_program_that_imports_kt_keeps_its_own_ways(folder: Path) -> None:
    (folder / "own.py").write_text("import kt\n")
    for words in ([sys.executable, "-c", "import kt"], [sys.executable, "own.py", "kt"]):
        done = stopped(words, folder, "numpy", "raise ImportError('gone')")
        assert done.returncode == 1 and done.stderr.endswith("ImportError: gone\n") and "Traceback" in done.stderr
    before = (
        "import signal; old = signal.getsignal(signal.SIGINT); import kt; print(old is signal.getsignal(signal.SIGINT))"
    )
    assert stopped([sys.executable, "-c", before], folder, "", "").stdout == "True\n"


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("AS", "kt: cannot start: ulimit -v allows 100 MB of memory, and it takes 500 MB\n"),
        ("DATA", "kt: cannot start: ulimit -d allows 100 MB of memory, and it takes 256 MB\n"),
    ],
)
def test_too_little_memory_is_told_before_a_library_ends_the_process(kind: str, told: str, folder: Path) -> None:
    import resource

    done = subprocess.run(
        [*BY_MODULE, "--version"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(getattr(resource, f"RLIMIT_{kind}"), (100_000_000, 100_000_000)),
    )
    assert done.returncode == 2 and done.stderr == told


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NUMBA_NUM_THREADS", "many\nthreads"),
        ("SOURCE_DATE_EPOCH", "9" * 30),
        *slow_rows([("NUMBA_NUM_THREADS", "0"), ("SOURCE_DATE_EPOCH", "today")]),
    ],
)
def test_a_variable_that_means_nothing_to_a_library_is_ignored_and_named(name: str, value: str) -> None:
    words = [*BY_MODULE, "--version"]
    environment = {**os.environ, name: value}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"kt: warning: {name}='") and "is ignored" in done.stderr


def test_no_backend_of_pictures_is_asked_for(tmp_path: Path) -> None:
    words = [*BY_MODULE, "draw", "5x6", "-o", str(tmp_path / "board.png"), "-q"]
    environment = {**os.environ, "MPLBACKEND": "no such backend"}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_warnings_and_logs_of_libraries_are_one_line(folder: Path) -> None:
    code = "import logging, warnings; logging.getLogger('m').warning('a\\nb'); warnings.warn('c\\nd', RuntimeWarning)"
    done = stopped([*BY_MODULE, "check", "absent.json"], folder, "cli.check", code)
    assert done.stderr.splitlines()[:-1] == ["kt: warning: a", "kt: warning: c"] and done.returncode == 2


NEEDLESS = {
    "scipy", "numba", "ortools", "highspy", "networkx", "matplotlib", "rich", "pathlib", "fractions", "_hashlib",
    "click.shell_completion", "cli.completion", "kt_models.kernel.certificates.methods",
    "kt_models.kernel.certificates.proofs.manifest", "drawing.save", "kt_models.files.tour_forms.write",
    "encoders.sat.objective", "html.entities", "kt_models.files.graph_forms.dot", "kt_models.files.graph_forms.matrix",
}  # fmt: skip
"""What the answer of an easy graph does not need; each takes a millisecond or more to load, and some take a tenth of a
second."""


def test_an_easy_graph_is_answered_before_what_it_does_not_need_is_loaded(tmp_path: Path) -> None:
    prism = tmp_path / "prism.hcp"
    edges = [edge for v in range(12) for edge in ((v, (v + 1) % 12), (v + 12, (v + 1) % 12 + 12), (v, v + 12))]
    rows = "".join(f"{u + 1} {v + 1}\n" for u, v in edges)
    prism.write_text(f"TYPE : HCP\nDIMENSION : 24\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n{rows}-1\n")
    words = [sys.executable, "-X", "importtime", "-m", "kt", "solve", str(prism)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert "status     feasible" in done.stdout and {"pysat.solvers", "encoders.sat.plain"} <= loaded
    assert not NEEDLESS & loaded
