"""Timings as a table and as JSON."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from benchmarks.peers.contestants import BASE
from benchmarks.peers.measure import GraphTimings, Timing

PACKAGES = ("kt", "python-sat", "ortools", "highspy", "clingo", "elkai", "numba")


def table(rows: list[GraphTimings], names: list[str], seconds: float) -> list[str]:
    """The lines of a Markdown table: processor seconds, and in brackets the multiple of those of `kt solve`."""
    head = ["graph", "vertices", "edges", *names]
    body = [
        [
            row.instance.name,
            f"{row.vertices:,}",
            f"{row.edges:,}",
            *(_cell(row, name, seconds) for name in names),
        ]
        for row in rows
    ]
    rule = ["---", *["---:"] * (len(head) - 1)]
    return [f"| {' | '.join(cells)} |" for cells in (head, rule, *body)]


def conditions(seconds: float) -> dict[str, Any]:
    """The time limit of a measurement, the versions and the machine."""
    return {
        "date": date.today().isoformat(),
        "seconds": seconds,
        "cores": os.cpu_count(),
        "load": [round(x, 1) for x in os.getloadavg()] if hasattr(os, "getloadavg") else None,
        "versions": {"python": platform.python_version(), **_versions()},
    }


def rows_to_json(rows: list[GraphTimings], seconds: float) -> dict[str, Any]:
    """All timings, with the versions and the machine."""
    return {
        **conditions(seconds),
        "rows": [
            {
                "graph": row.instance.name,
                "vertices": row.vertices,
                "edges": row.edges,
                "hamiltonian": row.instance.hamiltonian,
                "timings": {name: _timing(row, name, timing) for name, timing in row.timings.items()},
            }
            for row in rows
        ],
    }


def _timing(row: GraphTimings, name: str, timing: Timing) -> dict[str, Any]:
    ratio = row.ratio(name)
    return {"status": timing.status, "seconds": timing.seconds, "ratio": None if ratio is None else round(ratio, 3)}


def _versions() -> dict[str, str]:
    known = {}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):  # kt itself, when it runs from its folder.
            known[package] = version(package)
    return known


def _cell(row: GraphTimings, name: str, seconds: float) -> str:
    timing = row.timings.get(name)
    if timing is None:
        return "–"
    if timing.status == "limit":
        base = row.timings.get(BASE)
        least = f" (>{_figures(seconds / base.seconds)})" if base is not None and base.seconds else ""
        return "limit" + (least if name != BASE else "")
    if timing.status == "too large" or timing.seconds is None:
        return timing.status
    text = _figures(timing.seconds) + (" gave up" if timing.status == "gave up" else "")
    ratio = row.ratio(name)
    return text if name == BASE or ratio is None else f"{text} ({_figures(ratio)})"


def _figures(number: float) -> str:
    """A number with two figures and no exponent."""
    return f"{number:,.0f}" if number >= 10 else f"{number:.1f}" if number >= 1 else f"{number:.2g}"
