"""A short form of `tests.chaos`, in which things happen when a function is called or a file is there.

Workers of a Dask cluster are killed in tests/encoders/test_cluster.py.
"""

from __future__ import annotations

import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from cli.main import COMMANDS
from kt_models import KTError, Problem, graph_of
from kt_models.code_cache import read_checked
from kt_models.runs.cubes import Cube
from kt_models.runs.ledger import create
from kt_models.runs.tour_task import TourTask
from tests.chaos import caches, disks, kills, limits, signals, streams
from tests.chaos.program import ended, program
from tests.effort import slow, slow_rows
from tests.fuzz.inputs import UNATTENDED, slots
from tests.processes import PATIENCE, until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals, locks and streams of POSIX")
SOLVE = ["solve", "20x20", "--minimize", "turns", "--no-best", "--json", "-o", "out.json"]
RACE = "encoders.stages.engines:race"
STOPS = [getattr(signal, name) for name in ("SIGHUP", "SIGXCPU") if hasattr(signal, name)]


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (folder := tmp_path / "work").mkdir()
    return folder


def test_every_command_has_its_lines() -> None:
    quick = {"check", "measure", "show", "runs", "completion", "doctor", "draw", "convert", "best"}
    assert {slot.words[0] for slot in slots()} - quick <= {line[0] for line in signals.LONG}
    readers = {"compare", "check", "completion", "doctor", "measure", "runs", "show"}
    assert {slot.words[0] for slot in slots()} - readers <= {line[0] for line in disks.WRITERS}
    assert set(COMMANDS) - UNATTENDED <= {line.split()[0] for line in streams.LINES if line}


# -- kills -------------------------------------------------------------------------------------------------------------


def test_a_killed_run_goes_on(work: Path) -> None:
    with program(kills.SHORT_ALONE.words, work) as made:
        until(lambda: made.over or kills.done(work / "run")[0])
        made.send(signal.SIGKILL)
        made.wait()
    assert kills.done(work / "run")[0]
    kills.complete(kills.SHORT_ALONE, work)


@pytest.mark.slow
def test_a_killed_ledger_goes_on(work: Path) -> None:
    with program(kills.SHORT_LEDGER.words, work) as made:
        until(lambda: made.over or (work / "kept.json").exists())
        made.send(signal.SIGKILL)
        made.wait()
    kills.complete(kills.SHORT_LEDGER, work)


@pytest.mark.slow
def test_a_run_that_loses_all_its_workers_is_complete(work: Path) -> None:
    with program(kills.SHORT.words, work, at=kills.FIRST_DONE, held=True) as made:
        lost = made.workers()
        assert lost
        for pid in lost:
            os.kill(pid, signal.SIGKILL)
        made.go_on()
        ending = made.wait()
    ending.foreseen(0)
    kills.compare(kills.SHORT, work, ending)


# -- disks -------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="mounting needs root")
@pytest.mark.parametrize(
    ("kind", "line"), [("read-only", 0), ("4 kB", 1), *slow_rows([("read-only", 1), ("4 kB", 0)])], ids=str
)
def test_a_disk_that_takes_no_more(kind: str, line: int, tmp_path: Path) -> None:
    words = (["find", "60x60", "-o", "{}/out.json"], ["convert", "8x8", "{}/out.cnf"])[line]
    assert words in disks.WRITERS
    try:
        with disks.mounted(tmp_path / "disk", disks.DISKS[kind]) as place:
            assert disks.written_to(place, words) == "refused"
    except PermissionError as error:
        pytest.skip(f"no mounts here: {error}")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="mounting needs root")
@pytest.mark.parametrize("size", range(40, 180, 8))
def test_a_run_that_begins_on_a_full_disk_is_whole_or_not_there(size: int, tmp_path: Path) -> None:
    """SQLite says nothing of a full disk when it closes a file with a log beside it."""
    cubes = [Cube(((0, True),)), Cube(((0, False),))]
    try:
        with disks.mounted(tmp_path / "disk", f"size={size}k,nr_inodes=40") as place:
            (place / "run").mkdir()
            try:
                create(place / "run", TourTask(Problem(graph_of("5x6"))), cubes)
            except KTError:
                assert not (place / "run" / "problem.json").exists()
                return
            disks.remounted(place, "size=8m,nr_inodes=400")
            with closing(sqlite3.connect(place / "run" / "ledger.sqlite")) as ledger:
                assert ledger.execute("SELECT count(*) FROM cube").fetchone() == (2,)
    except PermissionError as error:
        pytest.skip(f"no mounts here: {error}")


@pytest.mark.parametrize(
    "line",
    [
        ["find", "60x60", "-o", "{}/out.json"],
        pytest.param(["enumerate", "5x6", "--run", "{}/run"], marks=pytest.mark.slow),
    ],
)
def test_a_limit_on_the_size_of_files(line: list[str], tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    before = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))"
    assert disks.written_to(tmp_path / "disk", line, before) == "refused"


# -- streams -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "redirections", [">&-", pytest.param("<&- >&- 2>&-", marks=pytest.mark.slow), *slow(["2>&-", "<&-"])]
)
def test_closed_streams_change_neither_files_nor_status(redirections: str, work: Path) -> None:
    assert streams.shut("solve 5x6 --workers 1 -o out.json", redirections, work) == "as usual"


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("check wrong.json", marks=pytest.mark.slow),
        "solve --help",
        *slow(["solve 4x4x", "check -", "runs status run"]),
    ],
)
def test_each_status_is_the_same_without_streams(line: str, work: Path) -> None:
    assert streams.shut(line, "<&- >&- 2>&-", work) == "as usual"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_a_full_disk_under_standard_output_is_named(work: Path) -> None:
    assert streams.shut("enumerate 5x6", "> /dev/full", work) == "output lost"


def test_a_reader_that_goes_away_ends_a_list(work: Path) -> None:
    done = streams.in_shell("enumerate 6x6 --workers 1", "| head -1", work)
    assert done.out.count("\n") == 1 and done.err == ""


@pytest.mark.slow
def test_a_lost_terminal_loses_no_answer(work: Path) -> None:
    assert streams.lost_terminal(SOLVE[:5] + SOLVE[6:], work, at=RACE, patience=PATIENCE) == "unstarted"
    assert (work / "out.json").exists()


# -- signals -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("number", [*slow([signal.SIGINT, signal.SIGTERM]), *STOPS])
def test_a_signal_gives_back_what_there_is(number: signal.Signals, tmp_path: Path) -> None:
    assert signals.sent_to(SOLVE, number, 0, tmp_path / "work", at=RACE, patience=PATIENCE) == "stopped"


@pytest.mark.slow
def test_an_interrupt_from_a_terminal_goes_to_the_workers_too(work: Path) -> None:
    with program(kills.SHORT.words, work, at=kills.FIRST_DONE, held=True) as made:
        made.send(signal.SIGINT, everyone=True)
        made.go_on()
        made.wait().foreseen(3)
    kills.complete(kills.SHORT, work)


# -- caches ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_damaged_machine_code_is_replaced_without_a_word(work: Path, tmp_path: Path) -> None:
    """Each kind of damage is in tests/kt_models/test_code_cache.py."""
    words = caches.LINES[0]
    place = caches.copy_of_cache(tmp_path / "cache", [words])
    damaged = list(place.glob("heuristics.searches.warnsdorff.walk_by_rule-*"))  # Of other versions as well, perhaps
    for path in damaged:
        caches.zeroed(path, Random(0))
    caches.right(ended(words, work, variables={"NUMBA_CACHE_DIR": str(place)}), words, False)
    assert [read_checked(path) is not None for path in damaged].count(True) == 1


# -- limits ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [("NOFILE", 7), ("NPROC", 2), pytest.param("STACK", 2**18, marks=pytest.mark.slow), *slow_rows([("NOFILE", 13)])],
)
def test_a_small_limit_costs_one_line_at_most(name: str, value: int, work: Path) -> None:
    limits.judged(limits.limited(name, value, limits.LINES[0], work), work)
