"""Cores, and processes of our own: they import what this process imports, whatever lies in the current folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kt_models import machine
from tests.processes import PATIENCE

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system binds no process to cores")
def test_cores_that_may_not_be_used_are_not_counted() -> None:
    code = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); from kt_models import machine; "
    command, environment = machine.child_python()
    words = [*command, "-c", code + "print(machine.usable_cores())"]
    assert subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout == "1\n"


def test_without_an_interpreter_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(machine.KTError, match="no Python interpreter"):
        machine.child_python()


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(["6x6", "--engine", "sat"], marks=pytest.mark.slow),
        ["5x6", "--minimize", "turns", "--proof", "proof"],
    ],
)
def test_files_of_the_current_folder_are_not_imported(line: list[str], tmp_path: Path) -> None:
    """As the `kt` script is run: with the current folder not among the places that modules come from."""
    for name in ("json", "queue", "random", "encoders"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('imported from the current folder')")
    done = subprocess.run(
        [sys.executable, "-P", "-c", "from cli import run; run()", "solve", *line, "--json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert "proof" not in line or json.loads(done.stdout)["proof"] == "proof"


def system(root: Path, groups: str, files: dict[str, str], available: int = 64 << 20) -> Path:
    """A folder with the files in which Linux states limits; `available` are kB."""
    meminfo = f"MemTotal: 99999999 kB\nMemFree: 1 kB\nMemAvailable: {available} kB\n"
    contents = {"proc/meminfo": meminfo, "proc/self/cgroup": groups}
    for name, text in (contents | {f"sys/fs/cgroup/{name}": text for name, text in files.items()}).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


V2, V1 = "0::/jobs/mine\n", "9:name=systemd:/\n4:memory:/jobs/mine\n3:cpu,cpuacct:/jobs/mine\n0::/\n"
STAT = "anon 5\ninactive_file 300\ntotal_inactive_file 400\n"


@pytest.mark.parametrize(
    ("groups", "files", "cores"),
    [
        (V2, {}, 4),
        (V2, {"jobs/mine/cpu.max": "max 100000\n"}, 4),
        (V2, {"jobs/mine/cpu.max": "200000 100000\n"}, 2),
        (V2, {"jobs/mine/cpu.max": "150000 100000\n"}, 2),
        (V2, {"jobs/mine/cpu.max": "1000 100000\n"}, 1),
        (V2, {"jobs/mine/cpu.max": "900000 100000\n"}, 4),
        (V2, {"jobs/mine/cpu.max": "max 100000\n", "jobs/cpu.max": "100000 100000\n"}, 1),
        ("0::/../outside/of/here\n", {"cpu.max": "300000 100000\n"}, 3),
        (V2, {"jobs/mine/cpu.max": "\n"}, 4),
        (V2, {"jobs/mine/cpu.max": "nonsense 0\n"}, 4),
        (V1, {"cpu/jobs/mine/cpu.cfs_quota_us": "-1\n", "cpu/jobs/mine/cpu.cfs_period_us": "100000\n"}, 4),
        (V1, {"cpu/jobs/mine/cpu.cfs_quota_us": "200000\n", "cpu/jobs/mine/cpu.cfs_period_us": "100000\n"}, 2),
        (V1, {"cpu,cpuacct/cpu.cfs_quota_us": "100000\n", "cpu,cpuacct/cpu.cfs_period_us": "100000\n"}, 1),
        (V1, {"memory/jobs/mine/cpu.cfs_quota_us": "1\n", "memory/jobs/mine/cpu.cfs_period_us": "1\n"}, 4),
    ],
)
def test_cores_follow_the_quota_of_control_groups(
    groups: str, files: dict[str, str], cores: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process is bound to four cores; a group further out limits it too, one that is not there does not."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 1, 2, 3}, raising=False)
    assert machine.usable_cores(system(tmp_path, groups, files)) == cores


@pytest.mark.parametrize(
    ("groups", "files", "memory"),
    [
        (V2, {}, 1000 * 1024),
        (V2, {"jobs/mine/memory.max": "max\n"}, 1000 * 1024),
        (V2, {"jobs/mine/memory.max": "5000\n"}, 5000),
        (V2, {"jobs/mine/memory.max": "5000\n", "jobs/mine/memory.current": "2000\n"}, 3000),
        (
            V2,
            {"jobs/mine/memory.max": "5000\n", "jobs/mine/memory.current": "2000\n", "jobs/mine/memory.stat": STAT},
            3300,
        ),
        (V2, {"jobs/mine/memory.max": "5000\n", "jobs/mine/memory.current": "9000\n"}, 0),
        (V2, {"jobs/memory.max": "7000\n", "jobs/memory.current": "1000\n", "jobs/mine/memory.max": "9000\n"}, 6000),
        (V2, {"jobs/mine/memory.max": "\n"}, 1000 * 1024),
        (V1, {"memory/jobs/mine/memory.limit_in_bytes": "9223372036854771712\n"}, 1000 * 1024),
        (
            V1,
            {
                "memory/jobs/mine/memory.limit_in_bytes": "5000\n",
                "memory/jobs/mine/memory.usage_in_bytes": "2000\n",
                "memory/jobs/mine/memory.stat": STAT,
            },
            3400,
        ),
        (V1, {"memory/memory.limit_in_bytes": "4000\n", "memory/memory.usage_in_bytes": "1\n"}, 3999),
    ],
)
def test_memory_follows_the_limits_of_control_groups(
    groups: str, files: dict[str, str], memory: int, tmp_path: Path
) -> None:
    """Where the system has 1000 kB available; files that the system holds in memory for a group do not count."""
    assert machine.usable_memory(system(tmp_path, groups, files, available=1000)) == memory


def test_a_system_that_says_nothing_has_some_memory_and_cores(tmp_path: Path) -> None:
    assert machine.usable_memory(tmp_path) > 0 and machine.usable_cores(tmp_path) >= 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="this system keeps no such limit")
def test_memory_follows_the_resource_limits_of_the_process() -> None:
    code = "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30)); from kt_models import machine; "
    command, environment = machine.child_python()
    words = [*command, "-c", code + "print(machine.usable_memory())"]
    room = int(subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout)
    assert room < 2**30
