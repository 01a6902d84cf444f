"""What the tests of enumeration, cubes and runs share."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from encoders.enumeration import enumerate_tours
from encoders.enumeration.job import solve_cube
from encoders.enumeration.run import begin
from kt_models import Problem, Symmetry, graph_of
from kt_models.runs.cubes import Cube
from kt_models.runs.folder import DONE, CubeRecord, Solution, locked, write_proof
from kt_models.runs.ledger import Ledger
from kt_models.runs.task import Task
from kt_models.runs.tour_task import TourTask
from tests.processes import PATIENCE


def task(board: str, kind: str = "cycle", objective: str | None = None, symmetry: str = "", **more: Any) -> TourTask:
    generators = (Symmetry.parse(symmetry),) if symmetry else ()
    return TourTask(Problem(graph_of(board), kind, objective, symmetry=generators), **more)  # type: ignore[arg-type]


def found(asked: TourTask, engine: str = "auto") -> list[frozenset[int]]:
    return [frozenset(tour.edges.tolist()) for tour in enumerate_tours(asked, engine=engine)]


def finished(folder: Path, asked: Task, cubes: int = 8) -> Path:
    """A run done in this process."""
    begin(folder, asked, cubes)
    text = json.dumps(asked.to_json())
    with locked(folder), Ledger(folder, writable=True) as ledger:
        for name in list(ledger.open_cubes()):
            answer = solve_cube(text, name, PATIENCE)
            solutions = tuple(Solution(key, tuple(edges)) for key, edges in answer["solutions"])
            proof = write_proof(folder, answer["proof"]) if "proof" in answer else ""
            by_value = tuple(answer["by_value"])
            ledger.record(CubeRecord(name, DONE, answer["count"], solutions, by_value, proof=proof))
    return folder


def forge(*statements: str) -> Callable[[Path], None]:
    """Change a ledger behind the back of its triggers, which are there again in the end."""

    def change(folder: Path) -> None:
        database = sqlite3.connect(folder / "ledger.sqlite")
        database.execute("PRAGMA synchronous = OFF")
        triggers = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            database.execute(f"DROP TRIGGER {name}")
        try:
            for statement in statements:
                database.execute(statement)
        finally:
            plain = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0"
            tables = {name for (name,) in database.execute(plain)}
            for name, text in triggers:
                if name.split("_")[0] in tables:
                    database.execute(text)
            database.commit()
            database.close()

    return change


def edit(file: str, old: str, new: str) -> Callable[[Path], None]:
    """Change a text file of a run."""

    def change(folder: Path) -> None:
        text = (folder / file).read_text()
        assert old in text
        (folder / file).write_text(text.replace(old, new, 1))

    return change


def killed_at_work(folder: Path, done: int, *words: str) -> None:
    """Begin a run with a command, and kill its process (`kill -9`) when some cubes are done."""
    first = subprocess.Popen([sys.executable, "-m", "kt", *words, "--run", str(folder)])
    while first.poll() is None:
        time.sleep(0.02)
        if (folder / "problem.json").exists():
            with Ledger.read(folder) as ledger:
                if ledger.status().done >= done:
                    break
    first.send_signal(signal.SIGKILL)
    first.wait()


def dies_on_large(text: str, name: str, *more: Any) -> Any:
    """A job whose process is killed unless its cube is small."""
    if len(Cube.parse(name).decisions) < 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return solve_cube(text, name, *more)


def late_on_large(text: str, name: str, seconds: float, *more: Any) -> Any:
    """A job that has no time at all unless its cube is small."""
    return solve_cube(text, name, seconds if len(Cube.parse(name).decisions) >= 3 else 1e-9, *more)


def greedy_on_large(text: str, name: str, *more: Any) -> Any:
    """A job that wants too much memory unless its cube is small."""
    if len(Cube.parse(name).decisions) < 3:
        bytearray(8 * 10**9)
    return solve_cube(text, name, *more)
