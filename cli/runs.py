"""`kt runs`: progress of a run of any kind, and its continuation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from cli.command import CommandGroup
from cli.live import limits_of
from cli.options import LimitOptions, json_option, limit_options, print_json, print_rows
from cli.run_options import RunOptions, work
from kt_models.errors import KTError

if TYPE_CHECKING:
    from kt_models.runs.folder import RunStatus
    from kt_models.runs.graph_list_ledger import ListRunStatus
    from kt_models.runs.task import Task


@click.group("runs", cls=CommandGroup)
def command() -> None:
    """Show the progress and failures of a run of kt enumerate, kt bound, kt search or a list, or continue it.

    \b
    kt enumerate 8x8 --minimize turns --run DIR    begin the run in DIR
    kt runs status DIR                             its progress, from another terminal
    kt runs resume DIR                             continue it, whatever command began it
    kt enumerate 8x8 --minimize turns --run DIR --part 3/20     one of 20 jobs, without Dask
    kt runs merge DIR                              one run of its parts; kt check DIR audits it
    """


@command.command("status")
@click.argument("folder")
@json_option
def status_command(folder: str, as_json: bool) -> int:
    """Show the progress of the run in FOLDER, which may be under way.

    Exit status 0 if it is complete, 3 if it is not.
    """
    from kt_models.runs.graph_list_ledger import is_list_run, list_run_status
    from kt_models.runs.ledger import Ledger

    if is_list_run(folder):
        return _show_list(list_run_status(folder), as_json)
    with Ledger.read(folder) as ledger:
        return _show(ledger.task, ledger.status(), ledger.by_value(), as_json)


@command.command("resume")
@click.argument("folder")
@click.option("--cube-time", type=float, metavar="S", help="Seconds before a cube is split further (default: 300).")
@click.option("--scheduler", metavar="ADDR", help="Use the Dask cluster at tcp://HOST:PORT.")
@limit_options(workers="Processes", memory="Memory for each worker.")
@json_option
def resume_command(
    folder: str, cube_time: float | None, scheduler: str | None, limit_values: LimitOptions, as_json: bool
) -> int:
    """Continue the run in FOLDER, whatever command began it, and show its progress."""
    from kt_models.runs.graph_list_ledger import is_list_run
    from kt_models.runs.ledger import Ledger

    if is_list_run(folder):
        raise KTError(f"{folder}: it is a run about a list of graphs; the command that began it continues it")
    run_values = RunOptions(folder, True, None, cube_time, limit_values.workers, scheduler)
    with limits_of(limit_values) as limits:
        work(run_values, None, limits=limits)
    with Ledger.read(folder) as ledger:
        return _show(ledger.task, ledger.status(), ledger.by_value(), as_json)


@command.command("merge")
@click.argument("folder")
@click.argument("parts", nargs=-1)
@json_option
def merge_command(folder: str, parts: tuple[str, ...], as_json: bool) -> int:
    """Join PARTS, and those in FOLDER, to the run in FOLDER, and show its progress.

    Parts may be merged again when more of them is done; no cube is recorded twice.
    """
    from kt_models.runs.ledger import Ledger
    from kt_models.runs.parts import merge

    merge(folder, parts)
    with Ledger.read(folder) as ledger:
        return _show(ledger.task, ledger.status(), ledger.by_value(), as_json)


def _show_list(status: ListRunStatus, as_json: bool) -> int:
    answered = sum(status.statuses.values())
    if as_json:
        counts = {"complete": status.complete, "done": status.blocks, "graphs": answered, "statuses": status.statuses}
        print_json({"kind": "run-status", **status.about, **counts})
    else:
        counted = ", ".join(f"{number:,} {name}" for name, number in status.statuses.items())
        rows = [("run of", f"list: {status.about['list']}")]
        rows += _question_rows(status.about["question"])
        rows.append(("blocks", f"{status.blocks:,} done"))
        rows.append(("graphs", f"{answered:,} answered" + (f": {counted}" if counted else "")))
        rows.append(("status", "complete" if status.complete else "not complete"))
        print_rows(rows)
    return 0 if status.complete else 3


def _question_rows(question: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The question about each graph, as far as it differs from the plain one."""
    from encoders.many import Question

    rows = [(name, "yes" if value is True else str(value)) for name, value in question["conditions"]]
    for key, value in question.items():
        if key != "conditions" and value != getattr(Question(), key, None):
            rows.append((key.removesuffix("_name").replace("_", " "), "yes" if value is True else str(value)))
    return rows


def _show(task: Task, status: RunStatus, by_value: dict[int, int], as_json: bool) -> int:
    if as_json:
        print_json(_to_json(task, status, by_value))
    else:
        print_rows(_rows(task, status, by_value))
    return 0 if status.complete else 3


def _rows(task: Task, status: RunStatus, by_value: dict[int, int]) -> list[tuple[str, str]]:
    from encoders.enumeration.run import duration

    rows = [("run of", f"{task.kind}: {task.text}")]
    rows.append(("cubes", f"{status.done:,} of {status.cubes:,} done, {status.splits:,} cut finer"))
    rows += [(str(value), f"{count:,}") for value, count in by_value.items()]
    rows.append(("against it" if task.kind == "bound" else "count", f"{status.count:,}"))
    rows.append(("work", f"{duration(status.seconds)} of processors"))
    if status.rate and not status.complete:
        rows.append(("rate", f"{status.rate:.3g} cubes a second, about {duration(status.open / status.rate)} left"))
    rows += [("failed", f"{name[:80]}: {reason}") for name, reason in status.failures]
    refuted = task.kind == "bound" and status.count
    rows.append(("status", "refuted" if refuted else "complete" if status.complete else "not complete"))
    return rows


def _to_json(task: Task, status: RunStatus, by_value: dict[int, int]) -> dict[str, object]:
    return {
        "kind": "run-status",
        "task": task.to_json(),
        "complete": status.complete,
        "cubes": status.cubes,
        "done": status.done,
        "open": status.open,
        "split": status.splits,
        "count": status.count,
        **({"by_value": {str(value): count for value, count in by_value.items()}} if task.by_value else {}),
        "seconds": round(status.seconds, 3),
        "rate": round(status.rate, 6),
        "failed": [{"cube": name, "reason": reason} for name, reason in status.failures],
    }
