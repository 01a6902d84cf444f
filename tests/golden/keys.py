"""The keys of the JSON objects that commands print, with the types of their values, as the transcripts show them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import click

from cli.main import main
from tests.golden.transcript import TRANSCRIPTS, unfolded

PLACEHOLDER = re.compile(r"<(boolean|number|text|list|object)>|<\d+ items, \w+>")
NUMBERED = re.compile(r"-?\d+")
"""A key that is a value, such as how many turns there are, or a vertex."""


def keys(_: str = "") -> str:
    """Exit statuses and output of each command, and the keys of each kind of object."""
    statuses: dict[str, set[str]] = defaultdict(set)
    printed: dict[str, set[str]] = defaultdict(set)
    types: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for path in sorted(TRANSCRIPTS.glob("*.txt")):
        command = ""
        for line in unfolded(path.read_text()):
            if isinstance(line, dict):
                name = str(line.get("kind", command))
                printed[command].add(name)
                for key, kind in _keys(line, name):
                    types[key[0]][key[1]].add(kind)
            elif line.startswith("$ kt"):
                command = _name(line[2:].split())
            elif line.startswith("exit "):
                statuses[command].add(line.split()[1])
    commands = [
        f"{name}  exit {' '.join(sorted(statuses[name]))}" + "".join(f"  {kind}" for kind in sorted(printed[name]))
        for name in sorted(statuses)
    ]
    objects = [
        "\n".join([name, *(f"  {key}: {' or '.join(sorted(types[name][key]))}" for key in sorted(types[name]))])
        for name in sorted(types)
    ]
    return "\n\n".join(["\n".join(commands), *objects]) + "\n"


def _name(words: list[str]) -> str:
    """A command's own words, such as `kt runs status`."""
    command: click.Command | None = main
    for number, word in enumerate(words[1:], start=1):
        command = command.get_command(click.Context(command), word) if isinstance(command, click.Group) else None
        if command is None:
            return " ".join(words[:number])
    return " ".join(words)


def _keys(data: dict[str, Any], owner: str, place: str = "") -> Iterator[tuple[tuple[str, str], str]]:
    """Each key of an object with its owner, the kind of the innermost object that has one, and its type."""
    for key, value in data.items():
        name = f"{place}{'N' if NUMBERED.fullmatch(key) else key}"
        for item in value if isinstance(value, list) and value and isinstance(value[0], dict) else [value]:
            listed = "[]" if item is not value else ""
            if isinstance(item, dict) and not str(item.get("kind", "<")).startswith("<"):
                yield (owner, name + listed), str(item["kind"])
                yield from _keys(item, str(item["kind"]))
            elif isinstance(item, dict) and item:
                yield from _keys(item, owner, f"{name}{listed}.")
            elif not (listed and isinstance(item, str)):
                yield (owner, name), _type(item)


def _type(value: Any) -> str:
    if isinstance(value, str):
        placed = PLACEHOLDER.fullmatch(value)
        return (placed[1] or "list") if placed else "text"
    names = {bool: "boolean", int: "number", float: "number", list: "list", dict: "object", type(None): "null"}
    return names[type(value)]
