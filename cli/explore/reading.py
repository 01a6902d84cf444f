"""Jobs read from a stranger's JSON: whatever is not of the exact shape is refused with one line.

The page is told what there is to choose (`catalogue`) from the same tables that its requests are read by (`job_of`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NoReturn

from cli.explore.job import MAX_CELLS, Job, Limits, plain
from encoders.bounds.methods import method_named, summaries
from kt_models import KTError
from kt_models.pairs import METRICS
from kt_models.symmetry import NAMES

if TYPE_CHECKING:
    from heuristics.find import Parameter

MAX_SEED = 2**31 - 1
MAX_BOUND = 10**9
_ANY = re.compile(r".", re.DOTALL)
_TEXT = re.compile(r"[0-9A-Za-z_:,()+.\- ]*")

Reader = Callable[[str, Any], Any]
"""A key's name and value to the value as a `Job` has it, or a `KTError`."""


def parse_json(body: bytes) -> Any:
    """The JSON value of a request.

    Raises
    ------
    KTError
        If it is none, names a key twice, has NaN or an infinity in it, or is nested absurdly.
    """

    def constant(name: str) -> NoReturn:
        raise KTError(f"not valid JSON: {name} is not a number")

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(pairs)
        if len(data) < len(pairs):
            raise KTError("not valid JSON: a key is given twice")
        return data

    try:
        return json.loads(body.decode("utf-8"), parse_constant=constant, object_pairs_hook=once)
    except (ValueError, RecursionError):
        raise KTError("not valid JSON") from None


def job_of(data: Any, limits: Limits) -> Job:
    """The job that a JSON value asks for, with everything it names checked.

    Raises
    ------
    KTError
        Naming the first key that will not do, and why.
    """
    if not isinstance(data, dict):
        raise KTError("a job is a JSON object")
    task = data.get("task")
    if not isinstance(task, str) or task not in MAX_CELLS:
        raise KTError(f"task: it is one of {', '.join(MAX_CELLS)}")
    readers = _readers(task, limits)
    for name in data:
        if name not in readers:
            raise KTError(f"{name[:40]!r}: there is no such key in a job to {task}")
    if "board" not in data:
        raise KTError("board: it is missing")
    given = {name: readers[name](name, value) for name, value in data.items()}
    given["board"] = plain(given["board"])
    given = {"workers": limits.workers, "time_limit": min(60.0, limits.seconds), **given}
    if task == "bound":
        given.setdefault("minimize", METRICS[0])
        given.setdefault("method", "auto")
    job = Job(**given)
    _check_choices(job, limits)
    job.problem()
    return job


def _check_choices(job: Job, limits: Limits) -> None:
    """Refuse what the engine or the method asked for does not have."""
    if job.task == "solve":
        if job.solver and job.engine == "cpsat":
            raise KTError("solver: only the engine sat has solvers to choose from")
        known = encodings()[job.engine]
        if job.encoding and job.encoding not in known:
            raise KTError(f"encoding: of the engine {job.engine} it is one of {', '.join(known)}")
    elif job.task == "find":
        if job.minimize and job.symmetry:
            raise KTError("minimize: find does not keep a symmetry while it improves; solve does both")
        if job.settings and not job.method:
            raise KTError("settings: choose the method that they belong to")
        if job.method:
            from heuristics.find import checked_parameters

            own = checked_parameters(job.method, job.settings)
            if own.get("workers", 1) > limits.workers:
                raise KTError(f"settings: at most {limits.workers} workers are taken here")
    elif job.at_least is None and job.method != "auto" and method_named(job.method).aims:
        raise KTError(f"at_least: the method {job.method} shows a bound that is given; say which one")


def encodings() -> dict[str, tuple[str, ...]]:
    """The encodings of each engine."""
    from encoders.engines import encodings_of, engine_names

    return {engine: encodings_of(engine) for engine in engine_names()}


def catalogue(limits: Limits) -> dict[str, Any]:
    """What there is to choose from, for the page: from the same tables that `job_of` reads."""
    from encoders.sat.oracle import SOLVERS
    from heuristics.find import METHODS

    return {
        "methods": {
            name: {
                "summary": method.summary,
                "parameters": [_offered(parameter) for parameter in method.parameters().values()],
            }
            for name, method in METHODS.items()
        },
        "bounds": summaries(),
        "encodings": encodings(),
        "solvers": SOLVERS,
        "metrics": METRICS,
        "symmetries": [name for name in NAMES if name != "identity"],
        "limits": {"seconds": limits.seconds, "workers": limits.workers, "cells": MAX_CELLS},
    }


def _offered(parameter: Parameter) -> dict[str, Any]:
    """A parameter as the page shows it."""
    words = {True: "yes", False: "no"} if parameter.type is bool else {}
    default = words.get(parameter.default, str(parameter.default))
    return {"name": parameter.name, "default": default, "choices": parameter.choices or tuple(words.values())}


def _readers(task: str, limits: Limits) -> dict[str, Reader]:
    """What the keys of a job may hold, by name: functions that return the value or refuse it."""
    from encoders.engines import engine_names

    common: dict[str, Reader] = {
        "task": _choice(MAX_CELLS),
        "board": _text(4000, _ANY),
        "leaper": _text(40),
        "closed": _flag,
        "start": _text(40),
        "finish": _text(40),
        "symmetry": _texts(4, 60),
        "require": _texts(200, 60),
        "forbid": _texts(200, 60),
        "minimize": _choice(("", *METRICS)) if task != "bound" else _choice(METRICS),
        "time_limit": _seconds(limits.seconds),
    }
    if task == "bound":
        return common | {"method": _choice(tuple(summaries())), "at_least": _whole(0, MAX_BOUND)}
    common["seed"] = _whole(0, MAX_SEED)
    if task == "find":
        from heuristics.find import METHODS

        return common | {"method": _choice(("", *METHODS)), "settings": _settings}
    from encoders.sat.oracle import SOLVERS

    every = {name for names in encodings().values() for name in names}
    return common | {
        "engine": _choice(engine_names()),
        "encoding": _choice(("", *sorted(every))),
        "solver": _choice(("", *SOLVERS)),
        "workers": _whole(1, limits.workers),
    }


def _text(longest: int, pattern: re.Pattern[str] = _TEXT) -> Reader:
    def read(name: str, value: Any) -> str:
        if not isinstance(value, str):
            raise KTError(f"{name}: it is a text")
        if len(value) > longest:
            raise KTError(f"{name}: it has at most {longest:,} characters")
        if odd := next((c for c in value if not pattern.fullmatch(c)), None):
            raise KTError(f"{name}: {odd!a} has no place in it")
        return value.strip()

    return read


def _texts(most: int, longest: int) -> Reader:
    one = _text(longest)

    def read(name: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or len(value) > most:
            raise KTError(f"{name}: it is a list of at most {most} texts")
        return tuple(one(name, text) for text in value)

    return read


def _choice(known: Iterable[str]) -> Reader:
    names = tuple(known)

    def read(name: str, value: Any) -> str:
        if not isinstance(value, str) or value not in names:
            raise KTError(f"{name}: it is one of {', '.join(filter(None, names))}")
        return value

    return read


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise KTError(f"{name}: it is true or false")
    return value


def _whole(low: int, high: int) -> Reader:
    def read(name: str, value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            raise KTError(f"{name}: it is a whole number from {low} to {high:,}")
        return value

    return read


def _seconds(most: float) -> Reader:
    def read(name: str, value: Any) -> float:
        if type(value) not in (int, float) or not 0 < value <= most:
            raise KTError(f"{name}: it is a number of seconds, at most {most:g}")
        return float(value)

    return read


def _settings(name: str, value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or len(value) > 20:
        raise KTError(f"{name}: it is an object of at most 20 texts")
    return {_text(40)(name, key): _text(60)(name, text) for key, text in value.items()}
