"""What is recorded of an answer: all that does not depend on the machine, its load, chance, or a solver's version.

A value that is left out keeps its key and its type, so that a dropped key is seen.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
VARYING_KEYS = frozenset({
    "seconds", "cpu_seconds", "expected_seconds", "statistics", "history", "date", "load", "cores", "versions",
    "rate", "bytes", "states", "all_states", "sha256", "warm_start", "chosen", "multipliers", "median_seconds",
})  # fmt: skip
"""Keys whose values depend on the machine, on chance, or on the choices of a solver."""
TOUR_KEYS = frozenset({"tour", "moves", "walk", "walks", "paths", "cycles", "canonical", "digest", "type", "sums"})
"""Keys whose values follow from the tour, which has many right answers."""
LONGEST_LIST = 100
"""Characters of a list that is written out."""
TRANSIENT = (
    (re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?:e-?\d+)? s\b"), "# s"),
    (re.compile(r"^(seconds +)\S.*$", re.MULTILINE), r"\1#"),
    (re.compile(r"\b[\d,]+ (side by side|states|nodes|branches|conflicts|leaves|steps)\b"), r"# \1"),
    (re.compile(r"\b\d[\d,.]* (bytes|kB|KB|MB|GB|KiB|MiB|GiB)\b"), r"# \1"),
)
"""What text says of time and effort."""
CHANCE = (
    (re.compile(r"^(turns|crossings)( +)[\d,]+$", re.MULTILINE), r"\1\2#"),
    (re.compile(r"^start +\S.*\n", re.MULTILINE), ""),  # whether a race needed one depends on the load
    (re.compile(r"^(engine +)(?!obstruction|best known)\S.*$", re.MULTILINE), r"\1#"),
)
"""What text says of a tour that may be another one next time: its measures, unless they are proved to be least, and
who found it."""
GRID = re.compile(r"(?:^(?:z = \d+|(?: *\d+)+ *)\n)*^(?: *\d+){2,} *$", re.MULTILINE)
"""The numbers of a tour, printed as a grid or layer by layer."""
CELLS = re.compile(r"^(?:[a-z]+\d+|\d+(?:,\d+)+|\d+)(?: (?:[a-z]+\d+|\d+(?:,\d+)+|\d+)){3,}$", re.MULTILINE)
"""The cells of a walk, printed as a list of names."""


def digest(text: str) -> str:
    """A few letters that stand for a long text."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def text(output: str, tours: bool) -> str:
    """The text that a person reads; `tours`: whether it is sure which tour comes out."""

    def numbers(match: re.Match[str]) -> str:
        found = match.group()
        return f"(numbers {digest(found)})" if tours else "(numbers)"

    for pattern, put in TRANSIENT if tours else (*TRANSIENT, *CHANCE):
        output = pattern.sub(put, output)
    output = output.replace(str(ROOT), "ROOT")
    return CELLS.sub(numbers, GRID.sub(numbers, output))


def rows(data: Any, tours: bool, place: str = "") -> Iterator[str]:
    """A JSON value, a leaf a line, keys in alphabetical order."""
    key = place.rsplit(".", 1)[-1]
    if key in VARYING_KEYS or (key in TOUR_KEYS and not tours):
        yield f"{place}: {_kind(data)}"
    elif place.endswith(("certificate.data", "task.data")) and isinstance(data, dict):
        for name in sorted(data):
            yield f"{place}.{name}: {_kind(data[name])}"
    elif isinstance(data, dict) and data:
        for name in sorted(data):
            if not tours and _by_chance(name, data):
                yield f"{place}.{name}: {_kind(data[name])}"
            else:
                yield from rows(data[name], tours, f"{place}.{name}")
    elif isinstance(data, list) and data and isinstance(data[0], dict):
        for number, item in enumerate(data):
            yield from rows(item, tours, f"{place}[{number}]")
    else:
        yield f"{place}: {_value(data)}"


def _by_chance(name: str, data: dict[str, Any]) -> bool:
    """Whether a value of a result is that of a tour which may be another one next time."""
    if name == "engine" and "objective" in data:  # whoever came first with a tour that is good enough
        return not str(data[name]).startswith(("obstruction", "best known"))
    if name not in ("turns", "crossings", "value") or "tour" not in data or data.get("kind") != "result":
        return False
    return data["status"] != "optimal" or (name != "value" and data.get("objective") != name)


def _kind(data: Any) -> str:
    if isinstance(data, bool):
        return "<boolean>"
    if isinstance(data, int | float):
        return "<number>"
    names = {str: "<text>", list: "<list>", dict: "<object>", type(None): "null"}
    return names[type(data)]


def _value(data: Any) -> str:
    if isinstance(data, str):
        return text(json.dumps(data, ensure_ascii=False), tours=True)
    line = json.dumps(data, ensure_ascii=False)
    return line if len(line) <= LONGEST_LIST else f"<{len(data)} items, {digest(line)}>"
