"""Faults of the system that a command tells of: each with its path and its reason."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kt_models.errors import fault_of_system
from tests.processes import ENTRY, environment

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a shell is needed that closes streams")


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
        (FileNotFoundError(errno.ENOENT, "No usable temporary directory in /A"), "No usable temporary directory in /A"),
        (OSError("libgomp.so: cannot open shared object file"), "libgomp.so: cannot open shared object file"),
        (OSError(errno.EXDEV, "Invalid cross-device link", "a", None, "b"), "a and b: invalid cross-device link"),
    ],
)
def test_faults_of_the_system_name_the_path_and_the_reason(error: OSError, line: str) -> None:
    assert fault_of_system(error) == line
