"""The options of commands that can do their work as a run, cube by cube in a folder, and the work on a run."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from cli.error_messages import complain
from cli.files import say, writes
from cli.live import live_progress
from cli.options import grouped
from kt_models.errors import KTError
from kt_models.limits import Limits, Stopped

if TYPE_CHECKING:
    from kt_models.runs.folder import RunStatus
    from kt_models.runs.task import Task

T = TypeVar("T", bound="Task")
NAMES = ("folder", "resume", "cubes", "cube_time", "workers", "scheduler", "part")


@dataclass(frozen=True)
class RunOptions:
    """The options of a run; `folder` is None if the work is not kept in a folder."""

    folder: str | None = None
    resume: bool = False
    cubes: int | None = None
    cube_time: float | None = None
    workers: int | None = None
    scheduler: str | None = None
    part: str | None = None

    def __post_init__(self) -> None:
        if self.part is not None:
            from kt_models.runs.parts import RunPart

            if not self.folder or self.resume:
                raise KTError("--part: begin and continue a part by the same command, with --run DIR")
            object.__setattr__(self, "folder", RunPart.parse(self.part).folder(self.folder))
        if self.resume and not self.folder:
            raise KTError("--resume: name the run with --run DIR")
        others = (self.cubes, self.cube_time, self.scheduler)
        if not self.folder and any(option is not None for option in others):
            raise KTError("--cubes, --cube-time and --scheduler are for runs: give --run DIR")
        if self.resume and self.cubes is not None:
            raise KTError("--resume: a run keeps the cubes that it began with")

    @property
    def required_folder(self) -> str:
        """The folder, which must have been given."""
        if self.folder is None:
            raise KTError("name the run with --run DIR")
        return self.folder


def run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a run; the command gets them as `run_values` (decorator)."""
    options = [
        click.option(
            "--run", "folder", metavar="DIR", help="Cut the work into cubes and keep a ledger of them in DIR."
        ),
        click.option("--resume", is_flag=True, help="Continue the run in --run DIR."),
        click.option(
            "--cubes",
            type=int,
            metavar="N",
            help="Cubes at the start of a run (default: 256; bounds 64, counts 32).",
        ),
        click.option(
            "--cube-time", type=float, metavar="S", help="Seconds before a cube is split further (default: 300)."
        ),
        click.option("--workers", type=int, metavar="N", help="Processes or threads (default: one per core)."),
        click.option("--part", metavar="K/N", help="Work on the K-th of N parts of the run; kt runs merge joins them."),
        click.option("--scheduler", metavar="ADDR", help="Use the Dask cluster at tcp://HOST:PORT."),
    ]
    decorated: Callable[..., Any] = writes(going_on=("folder",), shared=True)(
        grouped("run_values", RunOptions, *options)(command)
    )
    return decorated


def task_of(folder: str, kind: type[T], command: str) -> T:
    """The task of a run, which must be of one kind."""
    from kt_models.runs.folder import read_task

    task = read_task(folder)
    if not isinstance(task, kind):
        raise KTError(f"{folder}: not a run of {command}, but of kind {task.kind!r}; kt runs resume continues it")
    return task


def command_line() -> str:
    """The command as it was given, without the options that do not change the answer."""
    context = click.get_current_context()
    words = [str(context.command.name)]
    above = context.parent
    # The outermost context is kt itself, whose name stands in front already.
    while above is not None and above.parent is not None:
        words.insert(0, str(above.command.name))
        above = above.parent
    values = {
        name: context.params[name]
        for name in context.params
        # Defaults are left out, so that the line stays as short as the user's.
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        and name not in ("as_json", "output", "time_limit", *NAMES)
    }
    return shlex.join(["kt", *words, *words_of_options(context.command, values)])


def words_of_options(command: click.Command, values: Mapping[str, Any]) -> list[str]:
    """The words of a command line that give these values to the arguments and options of a command."""
    words: list[str] = []
    for parameter in command.params:
        if parameter.name not in values:
            continue
        value, option = values[parameter.name], parameter.opts[-1]
        if value is True:
            words.append(option)
            continue
        for item in value if isinstance(value, tuple) else (value,):
            # Twelve digits write 0.1 as 0.1.
            text = f"{item:.12g}" if isinstance(item, float) else str(item)
            if isinstance(parameter, click.Argument):
                words.append(text)
            else:
                # A value that begins with a hyphen would look like an option.
                words += [f"{option}={text}"] if text.startswith("-") else [option, text]
    return words


def work(run_values: RunOptions, task: Task | None, *, limits: Limits, engine: str = "auto") -> RunStatus | None:
    """Begin a run of a task, or continue the run in the folder, until it is complete or stopped.

    Parameters
    ----------
    task
        None to continue.
    limits
        The memory limit applies to each worker.

    Returns
    -------
    Status or None
        None if time ran out before the cubes were made.
    """
    from encoders.enumeration.run import CUBE_SECONDS, RunSettings, begin, resume
    from kt_models.runs.folder import is_run, read_task

    seconds = CUBE_SECONDS if run_values.cube_time is None else run_values.cube_time
    worked = RunSettings(run_values.workers, seconds, limits.memory, engine, run_values.scheduler)
    if task is not None and run_values.part is not None and is_run(run_values.required_folder):
        if read_task(run_values.required_folder).to_json() != task.to_json():
            raise KTError(f"{run_values.folder}: it is a part of another run")
        task = None
    if task is not None:
        try:
            begin(run_values.required_folder, task, run_values.cubes, limits, f"{command_line()} --run DIR")
        except Stopped:
            complain(f"{run_values.folder}: no run was begun: stopped while the problem was cut")
            return None
    with live_progress() as on_progress:
        status = resume(run_values.required_folder, worked, limits, on_progress)
    for name, reason in status.failures:
        complain(f"cube {name[:80]} failed: {reason}")
    if run_values.part is not None and (run := run_values.folder):
        tell_part(run, run_values.part)
    return status


def tell_part(folder: str, part: str) -> None:
    """Say how far a part is; if all of its cubes are done, the command has done its work, and ends."""
    from kt_models.runs.folder import DONE, SPLIT
    from kt_models.runs.ledger import Ledger
    from kt_models.runs.parts import RunPart

    with Ledger.read(folder) as ledger:
        cut = {record.cube for record in ledger.records(SPLIT)}
        cubes = RunPart.parse(part).cubes(ledger) - cut
        finished = cubes & {record.cube for record in ledger.records(DONE)}
    done = f"{len(finished):,} of {len(cubes):,} cubes done"
    say(f"part {part}: {done}; kt runs merge {Path(folder).parent} joins the parts")
    if len(finished) == len(cubes):
        click.get_current_context().exit(0)
