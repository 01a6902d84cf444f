"""Two processes never go on with the same file or folder at the same time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kt_models.errors import KTError
from kt_models.locks import exclusive, going_on_with
from tests.command import answered

pytestmark = pytest.mark.skipif(os.name != "posix", reason="no locks of this kind")


def test_one_process_at_a_time_and_no_trace_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    with going_on_with(path):
        with (
            pytest.raises(KTError, match=rf"state.json: another process \({os.getpid()}\) works on it"),
            going_on_with(path),
        ):
            pass
        with going_on_with(tmp_path / "other.json"):
            pass
    assert not list(tmp_path.iterdir())
    with going_on_with(path):
        pass


def test_a_lock_file_that_was_left_behind_hinders_nobody(tmp_path: Path) -> None:
    (tmp_path / ".state.json.lock").write_text("999999\n")
    with going_on_with(tmp_path / "state.json"):
        pass
    assert not list(tmp_path.iterdir())


def test_many_processes_are_never_there_together(tmp_path: Path) -> None:
    """Each holds the lock, removes it and looks whether anybody else was there meanwhile."""
    code = (
        "import os, sys\n"
        "from kt_models.errors import KTError\n"
        "from kt_models.locks import going_on_with\n"
        "entered = 0\n"
        "while entered < 20:\n"
        "    try:\n"
        "        with going_on_with('state.json'):\n"
        "            os.close(os.open('inside', os.O_CREAT | os.O_EXCL)); os.unlink('inside'); entered += 1\n"
        "    except KTError:\n"
        "        pass\n"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    processes = [subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, env=environment) for _ in range(4)]
    assert [process.wait(200) for process in processes] == [0] * 4
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words",
    [
        ["bound", "6x6", "--metric", "turns", "--at-least", "32", "--method", "branching", "--state"],
        ["aztec", "2..3", "--ledger"],
        ["experiment", "random-graphs", "--vertices", "12", "--graphs", "3", "--table", "1", "--rows", "3", "--state"],
    ],
    ids=lambda words: words[0],
)
def test_every_command_that_goes_on_with_a_file_takes_its_lock(words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    with going_on_with(path):
        status, out, err = answered(*words, path)
        assert status == 2 and out == "" and f"another process ({os.getpid()}) works on it" in err and not path.exists()
    assert answered(*words, path)[0] == 0
    assert {other.name for other in tmp_path.iterdir()} <= {"kept.json"}


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(KTError, match="the run: cannot write"), exclusive(tmp_path / "no" / "lock", "the run"):
        pass


def test_resuming_what_is_no_run_makes_no_folder(tmp_path: Path) -> None:
    status, _, err = answered("runs", "resume", tmp_path / "new")
    assert status == 2 and "not a run" in err and not (tmp_path / "new").exists()
    (tmp_path / "empty").mkdir()
    assert answered("runs", "resume", tmp_path / "empty")[0] == 2 and not list((tmp_path / "empty").iterdir())
