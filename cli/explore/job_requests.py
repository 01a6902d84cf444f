"""Jobs from JSON of unknown origin: anything of another form is refused with a line.

The page gets its choices (`catalogue`) from the same tables by which its requests are read (`job_of`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from cli.completion import choices_of, words_of
from cli.explore.job import GRAPH, MAX_CELLS, TEXT_OF_FILE, Allowance, Job, defaults_of, options_of, plain
from cli.explore.points import POINTS
from kt_models import KTError
from kt_models.json_values import integer, is_boolean, is_number
from kt_models.storage import parse_json

if TYPE_CHECKING:
    from heuristics.method import Parameter

MAX_INTEGER = 2**31 - 1
MAX_REPETITIONS = {"symmetry": 4, "settings": 20, "number": 2500}
"""Most values of each repeatable option."""
_ANY = re.compile(r".", re.DOTALL)
MAX_TOUR_TEXT = 90_000
"""Most characters of a tour, which has a line for each cell."""
MAX_BOARD_TEXT = 30_000
"""Most characters of the text of a board."""
_TEXT = re.compile(r"[0-9A-Za-z_:,()+.=*\- ]*")


def read_body(body: bytes) -> Any:
    """The JSON value of a request; a `KTError` if there is none."""
    try:
        return parse_json(body.decode("utf-8"))
    except UnicodeDecodeError:
        raise KTError("not valid JSON: not UTF-8") from None


def job_of(data: Any, allowance: Allowance) -> Job:
    """The job that a JSON value describes, with all its names checked."""
    if not isinstance(data, dict):
        raise KTError("a job is a JSON object")
    task = data.get("task")
    if not isinstance(task, str) or task not in MAX_CELLS:
        raise KTError(f"task: must be one of {', '.join(MAX_CELLS)}")
    known = options_of(task)
    options: dict[str, Any] = {"time_limit": min(60.0, allowance.seconds)}
    for name, value in data.items():
        if name != "task" and name not in known:
            raise KTError(f"{name[:40]!r}: a job to {task} has no such key")
        if name != "task":
            options[name] = _value(task, known[name], value, allowance)
    if "board" not in data:
        raise KTError("board: missing")
    if not options["board"].startswith((GRAPH, POINTS)):
        options["board"] = plain(options["board"])
    job = Job(task, options)
    _check_choices(job, allowance)
    job.problem()
    return job


def _check_choices(job: Job, allowance: Allowance) -> None:
    """Refuse a leaper that is none, and options that the engine or the method does not have."""
    _ = job.leaper
    if job.task == "solve":
        from encoders.engines import check_choice

        check_choice(job["engine"], job["encoding"], job["solver"])
    elif job.task == "find":
        from cli.find import parameters_of

        parameters_of(job["method"], job["settings"])
    elif job["at_least"] is None:
        from encoders.bounds.methods import method_named as bound_named

        if job["method"] != "auto" and bound_named(job["method"]).aims:
            raise KTError(f"at_least: the method {job['method']} shows a given bound; name it")


def catalogue(allowance: Allowance) -> dict[str, Any]:
    """The choices of the page, from the same parameters that `job_of` reads."""
    from encoders.bounds.methods import summaries
    from encoders.engines import encodings_of, engine_names
    from encoders.find import METHODS

    return {
        "tasks": {
            task: [_option(task, option, allowance) for option in options_of(task).values()] for task in MAX_CELLS
        },
        "methods": {
            name: {
                "summary": method.summary,
                "parameters": [_parameter(parameter) for parameter in method.parameters.values()],
            }
            for name, method in METHODS.items()
        },
        "bounds": summaries(),
        "encodings": {engine: encodings_of(engine) for engine in engine_names()},
        "limits": {"seconds": allowance.seconds, "workers": allowance.workers, "cells": MAX_CELLS},
    }


def _option(task: str, parameter: click.Parameter, allowance: Allowance) -> dict[str, Any]:
    """An argument or option of a command, as the page shows it."""
    low, high = _range(parameter, allowance)
    words = words_of(task, parameter)
    return {
        "name": parameter.name,
        "label": parameter.opts[-1].lstrip("-").replace("-", " "),
        "help": getattr(parameter, "help", None) or "",
        "kind": _kind(parameter),
        "default": defaults_of(task).get(str(parameter.name)),
        "choices": words if _kind(parameter) == "text" or parameter.name == "symmetry" else [],
        "low": low,
        "high": high,
    }


def _parameter(parameter: Parameter) -> dict[str, Any]:
    """A parameter of a method, as the page shows it."""
    words = {True: "yes", False: "no"} if parameter.type is bool else {}
    default = words.get(parameter.default, str(parameter.default))
    return {"name": parameter.name, "default": default, "choices": parameter.choices or tuple(words.values())}


def _kind(parameter: click.Parameter) -> str:
    """`flag`, `texts`, `integer`, `number` or `text`."""
    if getattr(parameter, "is_flag", False):
        return "flag"
    if parameter.multiple:
        return "texts"
    return {"integer": "integer", "integer range": "integer", "float": "number"}.get(parameter.type.name, "text")


def _range(parameter: click.Parameter, allowance: Allowance) -> tuple[float, float]:
    if parameter.name == "workers":
        return 1, allowance.workers
    return (0, allowance.seconds) if parameter.name == "time_limit" else (0, MAX_INTEGER)


def _value(task: str, parameter: click.Parameter, value: Any, allowance: Allowance) -> Any:
    """Read the value of an option as the command has it, or refuse it."""
    name, kind = str(parameter.name), _kind(parameter)
    low, high = _range(parameter, allowance)
    if kind == "flag":
        if not is_boolean(value):
            raise KTError(f"{name}: must be true or false")
        return value
    if kind == "integer":
        return integer(value, name, int(low), int(high), KTError)
    if kind == "number":
        if not is_number(value) or not low < value <= high:
            raise KTError(f"{name}: must be a number above {low:g}, at most {high:g}")
        return float(value)
    if kind == "texts":
        most = MAX_REPETITIONS.get(name, 200)
        if not isinstance(value, list) or len(value) > most:
            raise KTError(f"{name}: must be a list of at most {most} strings")
        return tuple(_text(name, text, 60) for text in value)
    return _word(task, parameter, value)


def _word(task: str, parameter: click.Parameter, value: Any) -> str | None:
    """Read a text; it may be empty if the command has a default."""
    name = str(parameter.name)
    usual: str | None = defaults_of(task).get(name)
    choices = choices_of(task, parameter)
    if name in TEXT_OF_FILE:
        return _text(name, value, MAX_TOUR_TEXT, _ANY)
    if name == "board":
        return _text(name, value, MAX_BOARD_TEXT, _ANY)
    if not choices:
        return _text(name, value, 60) or usual
    if value == "" and usual in ("", None):
        return usual
    if not isinstance(value, str) or value not in choices:
        raise KTError(f"{name}: must be one of {', '.join(choices)}")
    return value


def _text(name: str, value: Any, longest: int, pattern: re.Pattern[str] = _TEXT) -> str:
    if not isinstance(value, str):
        raise KTError(f"{name}: must be a string")
    if len(value) > longest:
        raise KTError(f"{name}: must have at most {longest:,} characters")
    if odd := next((c for c in value if not pattern.fullmatch(c)), None):
        raise KTError(f"{name}: must not contain {odd!a}")
    return value.strip()
