"""SIGKILL: to a command that keeps what it did, which then goes on; and to workers of a run, which goes on meanwhile.

Nothing is lost or miscounted: what a run has done never becomes less, it ends with the answer of a run that was not
disturbed, with every solution, and `kt check` finds nothing wrong with it.
"""

from __future__ import annotations

import os
import signal
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from kt_models.runs.folder import Solution, is_run
from kt_models.runs.ledger import Ledger
from tests.chaos.program import Ending, Program, ended, lasting, program, whole_files

COMPARED = {"count", "by_value", "bound", "shown", "value", "complete", "entries", "rows"}
"""Keys of documents that say what was found, however a command got there."""
MOST_KILLS = 6
LONGEST = 4.0
"""Seconds from the start of a command to its end at our hands."""


@dataclass(frozen=True)
class Task:
    """A command that keeps what it did.

    Parameters
    ----------
    words
        The command; the same words go on where `resumed` is empty.
    resumed
        What goes on with its run.
    """

    words: tuple[str, ...]
    resumed: tuple[str, ...] = ()
    many: bool = False
    """Whether it has workers."""

    @property
    def is_run(self) -> bool:
        return "--run" in self.words


def _task(words: str, resumed: str = "", many: bool = False) -> Task:
    return Task((*words.split(), "--json"), (*resumed.split(), "--json") if resumed else (), many)


TASKS = [
    _task("enumerate 6x6 --by turns --value 34 --cubes 30 --workers 2 --run run", "enumerate --run run --resume", True),
    _task("enumerate 6x6 --count --by turns --cubes 30 --workers 2 --run run", "runs resume run", True),
    _task("bound 6x6 --at-least 32 --cubes 12 --workers 2 --run run", "bound --run run --resume", True),
    _task("search heel --minimize turns --at-most 22 --all --cubes 20 --workers 2 --run run", "runs resume run", True),
    _task("aztec 1..12 --workers 2 --ledger kept.json", many=True),
    _task("bound 8x8 --at-least 44 --method branching --state kept.json"),
    _task("enumerate 6x8 --count --folder states"),
    _task("experiment random-graphs --vertices 12 --graphs 200 --table 1 --rows 3 --state kept.json"),
]
SHORT = _task("enumerate 5x6 --cubes 6 --workers 2 --run run", "enumerate --run run --resume", True)
SHORT_ALONE = _task("enumerate 5x6 --cubes 6 --workers 1 --run run", "enumerate --run run --resume --workers 1")
SHORT_LEDGER = _task("aztec 1..4 --workers 1 --ledger kept.json")
FIRST_DONE = "encoders.enumeration.run:CubeRecord"
"""What is called when the first cube of a run is done, and before that is written down."""
RUNS = [task for task in TASKS if task.is_run]


@cache
def undisturbed(task: Task) -> tuple[dict[str, Any], frozenset[Solution]]:
    """What a command answers, and what its run lists, where nothing happens to it."""
    with tempfile.TemporaryDirectory() as folder:
        (work := Path(folder) / "work").mkdir()
        ending = ended(task.words, work)
        ending.foreseen(0)
        return lasting(ending.document), listed(work / "run") if task.is_run else frozenset()


def listed(run: Path) -> frozenset[Solution]:
    """All solutions of a run, each of which may be there only once."""
    with Ledger.read(run) as ledger:
        rows = list(ledger.solutions())
    assert len(set(rows)) == len(rows), "a solution is there twice"
    return frozenset(rows)


def done(run: Path) -> tuple[int, int]:
    """How many cubes a run has done or split, and how many solutions it has."""
    if not is_run(run):
        return 0, 0
    with Ledger.read(run) as ledger:
        status = ledger.status()
    return status.done + status.splits, status.count


def go_on(task: Task, work: Path) -> tuple[str, ...]:
    """The words that go on, or begin where nothing is there yet."""
    return task.resumed if task.resumed and is_run(work / "run") else task.words


def complete(task: Task, work: Path) -> None:
    """Go on to the end, and compare."""
    ending = ended(go_on(task, work), work)
    ending.foreseen(0)
    compare(task, work, ending)


def compare(task: Task, work: Path, ending: Ending) -> None:
    """Require that what a command ended with is the answer of one that was not disturbed, and can be checked."""
    right, solutions = undisturbed(task)
    got = lasting(ending.document)
    compared = COMPARED & got.keys() & right.keys()
    for key in compared:
        ending.require(got[key] == right[key], f"{key}: {got[key]} instead of {right[key]}")
    ending.require(compared, "nothing to compare")
    if task.is_run:
        assert listed(work / "run") == solutions, f"{task.words}: other solutions"
        ended(["check", "run"], work).foreseen(0, 3)
    whole_files(work)


def killed_and_resumed(task: Task, choose: Random, work: Path) -> str:
    """Kill a command several times, and let it go on."""
    kills, before = 0, (0, 0)
    for _ in range(choose.randint(1, MOST_KILLS)):
        with program(go_on(task, work), work) as made:
            if not made.pause(choose.uniform(0, LONGEST)):
                made.wait().foreseen(0)
                break
            made.send(signal.SIGKILL, everyone=choose.random() < 0.3)
            made.wait()  # Its workers end as well
        kills += 1
        now = done(work / "run")
        assert now >= before, f"{task.words}: {now} after a kill, {before} before it"
        before = now
        whole_files(work)
    complete(task, work)
    return f"{task.words[0]} resumed" if kills else "finished before the kill"


def kill_workers(made: Program, choose: Random, most: int) -> int:
    """Kill workers of a command at random moments while it runs; how many."""
    kills = 0
    while kills < most and made.pause(choose.uniform(0.1, 1.5)):
        if workers := made.workers():
            with suppress(ProcessLookupError):
                os.kill(choose.choice(workers), signal.SIGKILL)
            kills += 1
    return kills


def workers_killed(task: Task, choose: Random, work: Path) -> str:
    """Kill workers while a command runs: it completes."""
    with program(task.words, work) as made:
        kills = kill_workers(made, choose, MOST_KILLS)
        ending = made.wait()
    ending.foreseen(0)
    compare(task, work, ending)
    return f"{task.words[0]} completed without its workers" if kills else "finished before the kill"


def trial(choose: Random, work: Path) -> str:
    """Kill a command, or its workers."""
    work = work / "work"
    work.mkdir()
    task = choose.choice(TASKS)
    if task.many and choose.random() < 0.4:
        return workers_killed(task, choose, work)
    return killed_and_resumed(task, choose, work)
