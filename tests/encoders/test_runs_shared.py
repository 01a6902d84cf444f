"""Several processes work on one run: each cube is done once, and those of a killed process come back."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from encoders.enumeration.run import RunSettings, begin, resume
from kt_models import Problem, graph_of
from kt_models.limits import Limits
from kt_models.locks import Claims
from kt_models.runs.audit import account
from kt_models.runs.folder import CLAIMS
from kt_models.runs.ledger import Ledger
from kt_models.runs.tour_task import TourTask
from tests.processes import environment, started, until

pytest.importorskip("fcntl", reason="locks of this system are not used")
HOLDER = """
import sys
from pathlib import Path
from kt_models.locks import Claims
claims = Claims(Path(sys.argv[1]))
print(*(int(claims.take(name)) for name in sys.argv[2:]), flush=True)
sys.stdin.read()
"""


def holder(path: Path, *names: str) -> subprocess.Popen[str]:
    """Another process that has claimed tasks."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path), *names],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert process.stdout is not None and "1" in process.stdout.readline()
    return process


def test_a_task_belongs_to_one_process_until_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "claims"
    with Claims(path) as claims:
        assert claims.take("own") and claims.take("own"), "a process may take its own again"
        other = holder(path, "own", "its")
        assert not claims.take("its") and claims.take("free")
        claims.release("free")
        other.kill()
        other.communicate()
        assert claims.take("its")


def test_a_session_leaves_the_cubes_of_others_alone_and_takes_over_what_they_leave(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    begin(folder, TourTask(Problem(graph_of("3x4"), "path")), cubes=8)
    with Ledger.read(folder) as ledger:
        first, *others = ledger.open_cubes()
    assert others
    other = holder(folder / CLAIMS, first)
    looked: list[str] = []

    def hear(now: object) -> None:
        with Ledger.read(folder) as ledger:
            looked[:] = ledger.open_cubes()
        if looked == [first]:  # All that is left is its
            other.kill()
            other.communicate()

    status = resume(folder, RunSettings(workers=1), Limits(200), hear)
    assert status.complete and looked == [first] and other.returncode is not None
    whole = account(folder, verify=True)
    assert (whole.count, whole.complete) == (8, True)


@pytest.mark.slow
def test_a_killed_process_leaves_its_cubes_to_the_other(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    begin(folder, TourTask(Problem(graph_of("5x6"))), cubes=64)

    def done() -> int:
        with Ledger.read(folder) as ledger:
            return ledger.status().done

    processes = [started("runs", "resume", folder, "--workers", "1") for _ in range(2)]
    until(lambda: done() >= 3)
    processes[0].kill()
    assert [process.wait() for process in processes] == [-9, 0]
    whole = account(folder, verify=True)
    assert (whole.count, whole.complete) == (8, True)
