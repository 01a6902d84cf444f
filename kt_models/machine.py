"""The machine this process runs on: the cores it may use, and how a further Python process is started."""

from __future__ import annotations

import os
import sys

from kt_models.errors import KTError


def usable_cores() -> int:
    """How many cores this process may run on, which may be fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def child_python() -> tuple[list[str], dict[str, str]]:
    """How to start a Python that finds the same modules as this one: the first words of its command, its environment.

    `-P` keeps the current folder out, unless this process looks there too: a user's file may be called `json.py`.

    Raises
    ------
    KTError
        If there is no interpreter to start.
    """
    if not sys.executable:
        raise KTError("there is no Python interpreter to start a process with (sys.executable is empty)")
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    return [sys.executable, "-P"], {**os.environ, "PYTHONPATH": path}
