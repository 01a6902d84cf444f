"""What is recorded of an answer: all that does not depend on the machine, its load, chance, or versions of programs.

A value that is left out keeps its key and its type, so that a dropped key is seen.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from pathlib import Path
from typing import Any

import heuristics
from kt_models.conditions import CONDITIONS

ROOT = Path(__file__).parents[2]
INSTALLED = Path(heuristics.__file__).parents[1]
"""Where the data of the package are: in a wheel elsewhere."""
VARYING_KEYS = frozenset({
    "seconds", "cpu_seconds", "expected_seconds", "statistics", "history", "date", "load", "cores", "versions",
    "rate", "bytes", "states", "all_states", "sha256", "warm_start", "chosen", "multipliers", "median_seconds",
    "known",
})  # fmt: skip
"""Keys whose values depend on the machine, on chance, or on the choices of a solver."""
TOUR_KEYS = frozenset(
    {"tour", "moves", "walk", "walks", "paths", "cycles", "canonical", "digest", "type", "sums", "known"}
)
"""Keys whose values follow from the tour, which has many right answers."""
LONGEST_LIST = 100
"""Characters of a list that is written out."""
MOST_ITEMS = 2
"""Objects or strings of a long list that are written out."""
SHORTEST_REPEATED = 24
"""Characters of a string in JSON that is not repeated if the text has it."""
TRANSIENT = (
    (re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?:e-?\d+)? s\b"), "# s"),
    (re.compile(r"(?<!at least )\b\d[\d.,]* (?:second|minute|hour|day|week|year)s?\b"), "# (time)"),
    (re.compile(r" +[\d.]+(?:e-\d+)?s\b"), " #s"),
    (re.compile(r"(?<=; )[\d,]+ a second\b"), "# a second"),
    (re.compile(r"(?<=\S) {2,}(?=.*\blocal-search$)", re.MULTILINE), " "),
    (re.compile(r"(?<=\S) +(?=\S.* #s)"), " "),
    (re.compile(r" +\d+\.\d\d(?= )"), " #"),
    (re.compile(r"\b(python-sat|ortools|numpy|scipy|numba|veripb) \d[\w.]*\w"), r"\1 #"),
    (re.compile(r"\bkt \d+\.\d+\.\d+\b"), "kt #"),
    (re.compile(r"^(\d[^\n ]*,)[\d.]+(,[\d.]*)$", re.MULTILINE), r"\1#\2"),  # A row of --csv
    (re.compile(r"^(seconds +)\S.*$", re.MULTILINE), r"\1#"),
    (re.compile(r"\b[\d,]+ (side by side|states|nodes|branches|conflicts|leaves|steps)\b"), r"# \1"),
    (re.compile(r"\b\d[\d,.]* (bytes|kB|KB|MB|GB|KiB|MiB|GiB)\b"), r"# \1"),
)
"""What text says of time and effort."""
SOLVERS = re.compile(r"(?:cp)?sat/[^;,\n]*, not certified(?:; (?:cp)?sat/[^;,\n]*, not certified)*")
"""Which solvers showed something without a certificate."""
CHANCE = (
    (SOLVERS, "solvers, not certified"),
    (re.compile(r"^(turns|crossings|cells)( +)[\d,]+$", re.MULTILINE), r"\1\2#"),
    (re.compile(r"^start +\S.*\n", re.MULTILINE), ""),  # Whether a race needed one depends on the load
    (re.compile(r"^(engine +)(?!obstruction|best known)\S.*$", re.MULTILINE), r"\1#"),
)
"""What text says of a tour that may be another one next time: its measures, unless they are proved to be least, and
who found it."""
KEYS_OF_CHANCE = frozenset({"statistics", "warm_start"})
"""What a result of a race says of its engines and their start: nothing where none of them was needed in time."""
LAYER = re.compile(r"z = \d+")
"""The heading of a layer of a tour in space."""
NUMBER = re.compile(r"\d+|\.")
CELL = re.compile(r"[a-z]+\d+|\d+(?:,\d+)*")
"""How the grid of a tour shows a cell, and how a list of cells does."""


def without_places(words: str) -> str:
    """A text with `ROOT` for the folder that the checkout, or the installed package, is in."""
    return words.replace(str(INSTALLED), "ROOT").replace(str(ROOT), "ROOT")


def digest(text: str) -> str:
    """A few letters that stand for a long text."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def text(output: str, tours: bool, chance: bool = False) -> str:
    """The text that a person reads.

    Parameters
    ----------
    tours
        It is sure which tour comes out.
    chance
        It is not even sure which engine comes first.
    """
    for pattern, put in (*TRANSIENT, *CHANCE) if chance else TRANSIENT:
        output = pattern.sub(put, output)
    lines: list[str] = []
    for is_tour, group in itertools.groupby(without_places(output).split("\n"), _shows_cells):
        cells = [*group]
        if is_tour:
            cells = [f"(cells {digest(' '.join(cells))})" if tours else "(cells)"]
        lines += cells
    return "\n".join(lines)


def _shows_cells(line: str) -> bool:
    """Whether a line is one of a grid of visit numbers, the heading of a layer, or a list of cells."""
    words = line.split()
    if LAYER.fullmatch(line) or (len(words) > 2 and all(NUMBER.fullmatch(word) for word in words)):
        return True
    return len(words) > 3 and all(CELL.fullmatch(word) for word in words)


def normal(data: Any, tours: bool, above: str = "", place: str = "", chance: bool = False) -> Any:
    """A JSON value with its varying parts left out.

    Parameters
    ----------
    above
        The text that the same command printed: a long string that is in it is not repeated.
    place
        Keys that lead to the value, with dots.
    chance
        It is not even sure which engine comes first.
    """
    key = place.rsplit(".", 1)[-1]
    if key in VARYING_KEYS or (key in TOUR_KEYS and not tours):
        return _kind(data)
    if place.endswith(("certificate.data", "task.data")) and isinstance(data, dict):
        return {name: _kind(value) for name, value in data.items()}
    if isinstance(data, dict):
        return {
            name: _kind(value)
            if not tours and _by_chance(name, data)
            else normal(value, tours, above, f"{place}.{name}", chance)
            for name, value in data.items()
            if not (chance and name in KEYS_OF_CHANCE)
        }
    if isinstance(data, list) and data and isinstance(data[0], dict | str):
        items = [normal(item, tours, above, place, chance) for item in data]
        line = json.dumps(items)
        if len(items) <= MOST_ITEMS or len(line) <= LONGEST_LIST:
            return items
        return [*items[:MOST_ITEMS], f"<{len(items) - MOST_ITEMS} more, {digest(line)}>"]
    if isinstance(data, str):
        words = _plain(SOLVERS.sub("solvers, not certified", data) if chance else data)
        return "<above>" if len(words) >= SHORTEST_REPEATED and words in above else words
    line = json.dumps(data, ensure_ascii=False)
    return data if len(line) <= LONGEST_LIST else f"<{len(data)} items, {digest(line)}>"


def _by_chance(name: str, data: dict[str, Any]) -> bool:
    """Whether a value of a result is that of a tour which may be another one next time."""
    if name == "engine" and (
        {"objective", "numbers", *CONDITIONS} & set(data) or data.get("connectivity") not in ("cycle", "path", None)
    ):  # Whoever came first with a tour that is good enough
        return not str(data[name]).startswith(("obstruction", "best known"))
    measured, solved = ("turns", "crossings", "value", "visited"), "tour" in data or "visited" in data
    if name not in measured or not solved or data.get("kind") != "result":
        return False
    return data["status"] != "optimal" or (name != "value" and data.get("objective") != name)


def _kind(data: Any) -> str:
    if isinstance(data, bool):
        return "<boolean>"
    if isinstance(data, int | float):
        return "<number>"
    names = {str: "<text>", list: "<list>", dict: "<object>", type(None): "null"}
    return names[type(data)]


def _plain(words: str) -> str:
    for pattern, put in TRANSIENT:
        words = pattern.sub(put, words)
    return without_places(words)
