"""Standard streams that are closed, full or gone: a command does its work, and its exit status says the same."""

from __future__ import annotations

import errno
import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kt_models.errors import fault_of_system
from tests.fuzz.watch import ENTRY
from tests.processes import WORKING, environment, until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a shell is needed that closes streams")


def shell(words: str, redirections: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A `kt` command in a shell that closes or redirects its streams."""
    line = f"{sys.executable} -c '{ENTRY}' {words} {redirections}"
    return subprocess.run(line, shell=True, cwd=folder, env=environment(), capture_output=True, text=True)


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_closed_streams_change_neither_files_nor_status(closed: str, tmp_path: Path) -> None:
    good = shell("solve 5x6 -o good.json", closed, tmp_path)
    assert good.returncode == 0 and "Traceback" not in good.stderr
    assert json.loads((tmp_path / "good.json").read_text())["tour"]
    # what is drawn by a library must not end up in the file that was opened first
    assert [path.name for path in tmp_path.iterdir()] == ["good.json"]


@pytest.mark.parametrize(
    ("words", "status"), [("solve 4x4", 0), ("solve 4x4x", 2), ("check bad.json", 1), ("check -", 2), ("--help", 0)]
)
def test_each_status_is_the_same_without_streams(words: str, status: int, tmp_path: Path) -> None:
    cells = [[0, 0], [1, 2], [2, 1]]
    tour = {"version": 2, "kind": "tour", "board": "3x3", "leaper": "1,2", "tour": cells, "closed": True}
    (tmp_path / "bad.json").write_text(json.dumps(tour))
    assert shell(words, ">&- 2>&- <&-", tmp_path).returncode == status
    assert shell(words, "< /dev/null", tmp_path).returncode == status


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_a_full_disk_under_standard_output_is_named(tmp_path: Path) -> None:
    done = shell("solve 5x6", "> /dev/full", tmp_path)
    assert done.returncode == 2
    assert done.stderr == "kt: standard output: cannot write: no space left on device\n"


def test_a_reader_that_goes_away_ends_a_list(tmp_path: Path) -> None:
    done = shell("enumerate 6x6 --workers 1", "| head -1", tmp_path)
    assert done.stdout.count("\n") == 1 and done.stderr == ""


def test_a_lost_terminal_loses_no_answer(tmp_path: Path) -> None:
    """The terminal closes: SIGHUP comes, and nothing can be written to it any more."""
    ours, theirs = pty.openpty()
    began = tmp_path / "stderr"
    words = ["solve", "20x20", "--minimize", "turns", "--no-best", "-o", "out.json"]
    with began.open("w") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-c", WORKING, "encoders.solve:race", *words],
            cwd=tmp_path, env=environment(), stdin=theirs, stdout=theirs, stderr=stderr, start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        until(lambda: process.poll() is not None or began.stat().st_size)
        os.close(ours)
        os.killpg(process.pid, signal.SIGHUP)
        assert process.wait(200) == 3
    assert json.loads((tmp_path / "out.json").read_text())["turns"]
    assert "Traceback" not in began.read_text() and "resource_tracker" not in began.read_text()


def test_a_deleted_working_directory_hinders_only_what_needs_it(tmp_path: Path) -> None:
    script = f"mkdir gone && cd gone && rmdir ../gone && exec {sys.executable} -c '{ENTRY}'"
    for words, status in (("solve 5x6", 0), ("doctor --quick", 0), ("solve 5x6 -o x.json", 2), ("check x.json", 2)):
        done = subprocess.run(
            f"{script} {words}", shell=True, cwd=tmp_path, env=environment(), capture_output=True, text=True
        )
        assert done.returncode == status and "Traceback" not in done.stderr, done.stderr
        assert status == 0 or done.stderr.startswith("kt: x.json: ")


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "a/b"), "a/b: no such file or directory"),
        (
            FileNotFoundError(errno.ENOENT, "No such file or directory"),
            "the working directory: no such file or directory",
        ),
        (OSError(errno.EMFILE, "Too many open files", "x.json"), "x.json: too many open files"),
        (OSError(errno.EMFILE, "Too many open files"), "too many open files"),
        (OSError("libgomp.so: cannot open shared object file"), "libgomp.so: cannot open shared object file"),
        (OSError(errno.EXDEV, "Invalid cross-device link", "a", None, "b"), "a and b: invalid cross-device link"),
    ],
)
def test_faults_of_the_system_name_the_path_and_the_reason(error: OSError, line: str) -> None:
    assert fault_of_system(error) == line
