"""`kt runs`: how far a run is; and working on one, for `kt enumerate`."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

import click

from cli.live import live_words
from cli.options import json_option, print_json
from kt_models.certificate import FORMAT_VERSION

if TYPE_CHECKING:
    from cli.enumerate import Found
    from kt_models.enumeration import Task
    from kt_models.runs import Status


@click.group("runs")
def command() -> None:
    """Progress and failures of a run of kt enumerate."""


@command.command("status")
@click.argument("folder")
@json_option
def status_command(folder: str, as_json: bool) -> int:
    """How far the run in FOLDER is; it may be under way.

    Exit status 0 if it is complete, 3 if it is not.
    """
    from kt_models.runs import Ledger

    with Ledger.read(folder) as ledger:
        task, status = ledger.task, ledger.status()
    if as_json:
        print_json(_to_json(task, status))
    else:
        for name, text in _rows(task, status):
            click.echo(f"{name:<10} {text}")
    return 0 if status.complete else 3


def work(
    folder: str,
    task: Task,
    resumed: bool,
    cubes: int | None,
    cube_time: float | None,
    workers: int | None,
    scheduler: str | None,
    memory: float | None,
    engine: str,
    time_limit: float | None,
    stop: Event,
) -> Found:
    """Begin a run or go on with it, until it is complete or stopped."""
    from cli.enumerate import Found
    from encoders.enumeration import chosen_engine
    from encoders.enumeration.run import CUBE_SECONDS, FIRST_CUBES, Work, begin, resume
    from encoders.run import Run, Stopped

    chosen_engine(task, engine)  # refuse now rather than in every worker
    size = int(memory * 1e9) if memory else None
    how = Work(workers, CUBE_SECONDS if cube_time is None else cube_time, size, engine, scheduler)
    run = Run(time_limit, workers, minimises=False, stop=stop)
    if not resumed:
        try:
            begin(folder, task, FIRST_CUBES if cubes is None else cubes, run)
        except Stopped:
            click.echo(f"kt: {folder}: no run was begun: stopped while the problem was cut", err=True)
            return Found(0, False, "run")
    with live_words() as say:
        status = resume(folder, how, run, (lambda now: say(_line(now))) if say else None)
    for name, reason in status.failures:
        click.echo(f"kt: cube {name[:80]} failed: {reason}", err=True)
    failed = tuple(name for name, _ in status.failures)
    return Found(status.found, status.complete, f"run, {status.cubes:,} cubes", None, failed)


def _line(status: Status) -> str:
    left = f"  about {_duration(status.open / status.rate)} left" if status.rate else ""
    failed = f"  {status.failed} failed" if status.failed else ""
    return f"{status.done:,} of {status.cubes:,} cubes  {status.found:,} found{failed}{left}"


def _rows(task: Task, status: Status) -> list[tuple[str, str]]:
    problem = task.problem
    kind = "closed" if problem.closed else "open"
    rows = [
        ("board", f"{problem.graph.name}{f', leaper {problem.graph.leaper}' if problem.graph.leaper else ''}, {kind}")
    ]
    if problem.symmetry:
        rows.append(("symmetry", " ".join(s.name for s in problem.symmetry)))
    if task.value is not None:
        rows.append((str(problem.objective_name), str(task.value)))
    rows.append(("cubes", f"{status.done:,} of {status.cubes:,} done, {status.splits:,} cut finer"))
    rows.append(("count", f"{status.found:,} {'classes of tours' if task.up_to_symmetry else 'tours'}"))
    rows.append(("work", f"{_duration(status.seconds)} of processes"))
    if status.rate and not status.complete:
        rows.append(("rate", f"{status.rate:.3g} cubes a second, about {_duration(status.open / status.rate)} left"))
    rows += [("failed", f"{name[:80]}: {reason}") for name, reason in status.failures]
    rows.append(("status", "complete" if status.complete else "not complete"))
    return rows


def _to_json(task: Task, status: Status) -> dict[str, object]:
    return {
        "version": FORMAT_VERSION,
        "kind": "run-status",
        "task": task.to_json(),
        "complete": status.complete,
        "cubes": status.cubes,
        "done": status.done,
        "open": status.open,
        "split": status.splits,
        "count": status.found,
        "seconds": round(status.seconds, 3),
        "rate": round(status.rate, 6),
        "failed": [{"cube": name, "reason": reason} for name, reason in status.failures],
    }


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
