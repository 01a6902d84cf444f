"""The cache of compiled code: whatever happens to its files, a loop works, and a damaged file is replaced."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import warnings
from pathlib import Path
from random import Random

import numba
import numpy as np
import pytest

from encoders import probes
from heuristics.compiled_helpers import below
from kt_models import code_cache
from kt_models.code_cache import SUFFIX, UNUSED_DAYS, cache_folder, read_checked, repair, write_checked
from kt_models.errors import KTWarning
from kt_models.jit import Kernel
from tests.chaos.caches import DAMAGE, UNUSABLE
from tests.chaos.disks import mounted
from tests.command import kt


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own."""
    place = tmp_path / "cache"
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(place))
    monkeypatch.setattr(code_cache, "_warned", False)
    return place


def answer() -> tuple[int, int, int]:
    """What a loop says in what is, for it, a new process; how often it was read from the cache, and how often not."""
    loop = Kernel(below.py_func, below.signature)
    number = int(loop.machine_code(np.array([7], dtype=np.uint64), 1000))
    stats = loop.machine_code.stats
    return number, stats.cache_hits.total(), stats.cache_misses.total()


def the_file(folder: Path) -> Path:
    (path,) = folder.glob(f"*{SUFFIX}")
    return path


def test_a_loop_is_compiled_once(folder: Path) -> None:
    number, *first = answer()
    assert answer() == (number, 1, 0) and first == [0, 1]


@pytest.mark.parametrize("kind", [kind for kind in DAMAGE if kind not in UNUSABLE and kind != "swapped"])
def test_a_damaged_file_is_replaced_without_a_word(folder: Path, kind: str) -> None:
    number, *_ = answer()
    path = the_file(folder)
    DAMAGE[kind](path, Random(0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert answer() == (number, 0, 1)
    assert read_checked(the_file(folder)) is not None
    assert answer() == (number, 1, 0)


def test_every_flipped_bit_is_noticed(folder: Path) -> None:
    folder.mkdir()
    write_checked(folder / "x", b"some machine code")
    data = (folder / "x").read_bytes()
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        (folder / "x").write_bytes(changed)
        assert read_checked(folder / "x") is None


def test_a_file_that_cannot_be_read_or_replaced_costs_one_warning(folder: Path) -> None:
    number, *_ = answer()
    DAMAGE["folder"](the_file(folder), Random(0))  # Root cannot read it either
    with pytest.warns(KTWarning, match="compiled code cannot be kept there") as heard:
        assert answer() == answer() == (number, 0, 1)
    assert len(heard) == 1


def test_a_folder_that_cannot_be_made_costs_one_warning(folder: Path) -> None:
    folder.write_text("a file stands where the folder would be")
    with pytest.warns(KTWarning, match="not a directory|file exists"):
        assert answer()[1:] == (0, 1)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="mounting needs root")
@pytest.mark.parametrize("options", ["ro", "size=8k,nr_inodes=4"])
def test_a_full_or_read_only_disk_costs_one_warning(folder: Path, options: str) -> None:
    try:
        with mounted(folder, options):
            with pytest.warns(KTWarning, match="no space left|read-only"):
                assert answer()[1:] == (0, 1)
            assert not list(folder.glob(f"*{SUFFIX}")) and not list(folder.glob(".*"))
    except PermissionError as error:
        pytest.skip(f"mounting is not allowed: {error}")


@pytest.mark.slow
def test_the_command_says_it_in_one_line_and_answers(folder: Path) -> None:
    folder.write_text("")
    code = "import sys; from cli.main import main; main(sys.argv[1:])"
    words = [sys.executable, "-c", code, "find", "60x60", "--method", "warnsdorff"]
    done = subprocess.run(words, capture_output=True, text=True, env=os.environ | {"NUMBA_CACHE_DIR": str(folder)})
    assert done.returncode == 0 and "tour verified" in done.stdout
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("kt: warning: ")


def test_repair_removes_what_is_damaged(folder: Path) -> None:
    assert repair(folder) == (0, 0)
    answer()
    assert repair(folder) == (1, 0)
    DAMAGE["cut"](the_file(folder), Random(0))
    assert repair(folder) == (0, 1)
    assert repair(folder) == (0, 0)


@pytest.fixture
def _no_solvers(monkeypatch: pytest.MonkeyPatch) -> None:
    """`kt doctor` without its questions to solvers, which take seconds."""
    monkeypatch.setattr(probes, "probes", lambda: iter(()))


@pytest.mark.usefixtures("_no_solvers")
def test_doctor_says_what_it_removed(folder: Path) -> None:
    answer()
    DAMAGE["cut"](the_file(folder), Random(0))
    assert "and 1 damaged file, now removed" in kt("doctor").stdout


@pytest.mark.usefixtures("_no_solvers")
def test_doctor_fails_where_nothing_can_be_kept(folder: Path) -> None:
    folder.write_text("")
    result = kt("doctor")
    assert result.exit_code == 1 and "cache            FAILED" in result.stdout


def test_files_of_other_versions_are_removed_when_they_are_old(folder: Path) -> None:
    folder.mkdir()
    old, new = (folder / f"{below.name}-{name}{SUFFIX}" for name in ("old", "new"))
    for path, days in ((old, UNUSED_DAYS + 1), (new, UNUSED_DAYS - 1)):
        path.write_bytes(b"")
        os.utime(path, (time.time() - days * 86400,) * 2)
    answer()
    assert new.exists() and not old.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no locks of this kind")
def test_nobody_waits_for_ever_for_a_process_that_was_stopped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    monkeypatch.setattr(code_cache, "LOCK_SECONDS", 0.05)
    folder.mkdir()
    with (folder / f"{below.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert answer()[1:] == (0, 1)


@pytest.mark.slow
def test_the_cache_is_where_the_user_keeps_caches(tmp_path: Path) -> None:
    code = "from kt_models.code_cache import cache_folder; print(cache_folder())"
    folders = {name: str(tmp_path / name) for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")}

    def printed(chosen: str) -> str:
        environment = os.environ | folders | {"NUMBA_CACHE_DIR": chosen}
        return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True).stdout

    assert printed(folders["NUMBA_CACHE_DIR"]) == folders["NUMBA_CACHE_DIR"] + "\n"
    if sys.platform == "linux":
        assert printed("") == f"{folders['XDG_CACHE_HOME']}/kt\n"
    assert cache_folder().name == "cache"


def test_without_compilation_everything_works() -> None:
    code = (
        "import kt; assert kt.count('3x4', open=True) == 8; assert kt.find('6x6').tour is not None\n"
        "from heuristics.compiled_helpers import below; import numpy as np\n"
        "print(below(np.array([7], dtype=np.uint64), 1000))"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.stdout == f"{answer()[0]}\n" and not done.stderr
