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


@pytest.mark.slow
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
        ["bound", "6x6", "--minimize", "turns", "--at-least", "32", "--method", "branching", "--state"],
        ["aztec", "2..3", "--ledger"],
        pytest.param(
            [
                "experiment",
                "random-graphs",
                "--vertices",
                "12",
                "--graphs",
                "3",
                "--table",
                "1",
                "--rows",
                "3",
                "--state",
            ],
            marks=pytest.mark.slow,
        ),
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


@pytest.mark.parametrize("content", ["a diary\n", "12 men\n", "1" * 30, "7\n\n"])
def test_a_file_of_somebody_else_is_no_lock(content: str, tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    lock.write_text(content)
    with pytest.raises(KTError, match=r"the run: cannot write: .*lock exists and is not a lock of kt"):
        exclusive(lock, "the run").__enter__()
    assert lock.read_text() == content


def test_what_a_link_leads_to_and_what_is_no_file_is_no_lock(tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("")
    (tmp_path / "linked").symlink_to(tmp_path / "theirs")
    os.mkfifo(tmp_path / "pipe")
    for name in ("linked", "pipe", "folder"):
        (tmp_path / "folder").mkdir(exist_ok=True)
        with pytest.raises(KTError, match=r"^the run: cannot write: "):
            exclusive(tmp_path / name, "the run").__enter__()
    assert (tmp_path / "theirs").read_text() == ""


def test_every_way_to_call_a_folder_is_one_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (tmp_path / "link").symlink_to(folder)
    monkeypatch.chdir(folder)
    with going_on_with("."):
        for path in (folder, "../run", "./", tmp_path / "link"):
            with pytest.raises(KTError, match="another process"):
                going_on_with(path).__enter__()
    with pytest.raises(KTError, match=r"/: cannot write: it is the root"):
        going_on_with("/")
    for name in ("x" * 255, "é" * 127, "\U0001d538" * 63):
        with going_on_with(tmp_path / name):
            assert len(list(tmp_path.iterdir())) == 3


def test_a_full_disk_takes_the_lock_without_a_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    with exclusive(tmp_path / "lock", "the run"):
        assert (tmp_path / "lock").read_bytes() == b""
