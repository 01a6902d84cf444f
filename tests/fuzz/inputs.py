"""What is fed in: texts of every kind an option takes, command lines, and damaged files.

Command lines are drawn from click's own tables, so that a new command or option is covered the day it exists.
"""

from __future__ import annotations

import json
import math
import string
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import click
from hypothesis import strategies as st

from cli.main import COMMANDS, main

UNATTENDED = frozenset({"explore"})
"""Commands that run until they are stopped; they have tests of their own."""

BOARDS = ["8x8", "6x6", "5x6", "5x5", "3x4", "3x3", "1x1", "4x4x4", "2x2x2x2"]
BOARDS += ["aztec:2", "aztec:4", "torus:5x4", "6x6-a1,f6"]
HUGE_BOARDS = ["99999x99999", "1000000x1", "aztec:99999", "torus:100000x100000", "9x9x9x9x9x9x9x9"]
HUGE_BOARDS += ["10x10-" + "a1," * 500]
HOSTILE = ["", " ", "-", "--", "0", "-1", "1e9", "nan", "inf", "-inf", "9" * 40, "1" * 5000, "0x8", "8x", "x8", "8x8x"]
HOSTILE += ["\x00", "é", "٣x٣", "8x8\n", "💥", "(((((", "[[[[", "%s%n", "$HOME", "a" * 300]
HOSTILE += ["@", "@/dev/zero", "/dev/null", ".", "..", "/"]

TOUR_TEXTS: dict[str, list[str]] = {
    "board": BOARDS,
    "radii": ["1", "1..4", "2,3", "5..3", "1..99999999"],
    "--leaper": ["1,2", "0,1", "1,4", "2,3", "1,2,2", "0,0", "100000,1"],
    "--from": ["a1", "b3", "h8", "0,0", "0,0,0", "zz9"],
    "--symmetry": ["rot180", "rot90", "mirror-x", "(-y,x)", "diagonal", "(x,x)", "(-x,-y,-z)"],
    "--require": ["a1-b3", "b3-a1", "a1-a1", "c2-e3", "a1-h8", "0,0,0-1,2,0"],
    "--minimize": ["turns", "crossings", "none", "Turns"],
    "--engine": ["auto", "cpsat", "sat", "search", "sweep"],
    "--encoding": ["circuit", "cut-set", "race", "binary", "hamilton"],
    "--solver": ["cadical153", "glucose4", "minisat"],
    "--method": [
        "merge",
        "warnsdorff",
        "formation",
        "rings",
        "relaxation",
        "edge",
        "family",
        "euler",
        "strands",
        "branching",
    ],
    "--bound": ["edge", "crown", "triplet", "x"],
    "--heel": ["turns", "crossings", "both", "plain"],
    "--set": ["tries=3", "order=1", "x=", "=", "tries=-1"],
    "--by": ["turns", "crossings"],
    "--scheduler": ["tcp://127.0.0.1:1", "127.0.0.1", "tcp://"],
    "--side": ["bottom", "left", "top"],
    "--direction": ["-2,1", "1,2", "0,0"],
    "--line": ["-2,1", "0,0"],
    "--region": ["4x4", "6x4", "0,0 1,1"],
    "--table": ["1", "3", "9"],
    "--variant": ["text", "few-forced", "x"],
    "--rows": ["1", "1..2", "x"],
}
ALIASES = {
    "--to": "--from",
    "--forbid": "--require",
    "--minimize": "--minimize",
    "--board": "board",
    "--open": "--line",
    "--lines": "--line",
    "--line-out": "--line",
    "--sweep": "--line",
}
FILES = ["file", "files", "folder", "source", "target", "--hint", "--state", "--ledger", "--tours", "--verify"]
"""Arguments and options that name a file to read."""
WRITTEN = ["-o", "--proof", "--certificate", "--run", "--plot"]
"""Options that name a file or folder to write."""
OUTPUTS = ["out.json", "out.svg", "out.tour", "out", "out.html", "/dev/full", "no/such/folder/x.json", "/", ""]
NUMBERS = ["1", "2", "3", "0.5", "8", "60", "-1", "0", str(2**31), str(2**64), "1e400"]
SHORT = ["--time-limit", "0.3"]
"""Appended where a command takes it, so that a good command line ends soon."""
LIMITED = {"--workers": "1", "--tours": "3", "--graphs": "2", "--vertices": "6", "--cubes": "8"}
"""What is always given where a command takes it, for the same reason."""


@dataclass(frozen=True)
class Slot:
    """A command by its words, and its parameters."""

    words: tuple[str, ...]
    parameters: tuple[click.Parameter, ...]

    @property
    def names(self) -> list[str]:
        return [parameter.opts[0] for parameter in self.parameters]


def slots() -> list[Slot]:
    """Every command and subcommand."""

    def walk(words: tuple[str, ...], command: click.Command) -> Iterator[Slot]:
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                inner = command.get_command(context, name)
                assert inner is not None
                yield from walk((*words, name), inner)
        else:
            yield Slot(words, tuple(command.params))

    found = []
    for slot in walk((), main):
        if slot.words[0] not in UNATTENDED:
            found.append(slot)
    return found


def texts(pool: list[str], wild: bool) -> st.SearchStrategy[str]:
    """A good text; if `wild`, half of the time one that is damaged, hostile or anything."""
    good = st.sampled_from(pool)
    if not wild:
        return good
    return st.one_of(good, good, good, good.flatmap(damaged), st.sampled_from(HOSTILE), st.text(max_size=12))


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """A text with a character more, less, or another."""
    where = draw(st.integers(0, len(text)))
    mark = draw(st.sampled_from([*string.printable, "", "−", "\u2028"]))
    return text[:where] + mark + text[where + draw(st.integers(0, 1)) :]


def values(parameter: click.Parameter, files: list[str], wild: bool) -> st.SearchStrategy[str]:
    """Values for an option or argument."""
    name = parameter.opts[0]
    name = ALIASES.get(name, name)
    if isinstance(parameter.type, click.Choice):
        return texts([str(choice) for choice in parameter.type.choices], wild)
    if name in FILES:
        return texts([*files, "8x8", "missing.json"], wild)
    if name in WRITTEN:
        return texts(OUTPUTS, wild)
    if isinstance(parameter.type, click.types.IntParamType | click.types.FloatParamType):
        return texts(NUMBERS, wild)
    if name == "board":
        good = texts(BOARDS, wild)
        return st.one_of(good, good, good, st.sampled_from(HUGE_BOARDS + files)) if wild else good
    return texts(TOUR_TEXTS.get(name, ["a1", "1", "8x8", "turns"]), wild)


@st.composite
def command_lines(draw: st.DrawFn, files: list[str]) -> list[str]:
    """A command with some of its options; in two of three lines all values are good by themselves."""
    if draw(st.integers(0, 40)) == 0:
        words = st.sampled_from([*COMMANDS, *HOSTILE, "--json", "-h"])
        return draw(st.lists(st.one_of(words, st.text(max_size=8)), max_size=5))
    wild = draw(st.integers(0, 2)) == 0
    slot = draw(st.sampled_from(slots()))
    line = list(slot.words)
    for parameter in slot.parameters:
        if isinstance(parameter, click.Argument):
            count = draw(st.integers(1, 3)) if parameter.nargs == -1 else 1
            count = draw(st.integers(0, 2)) if wild and draw(st.integers(0, 4)) == 0 else count
            line += [draw(values(parameter, files, wild)) for _ in range(count)]
    options = [parameter for parameter in slot.parameters if isinstance(parameter, click.Option)]
    few = st.lists(st.sampled_from(options), max_size=5 if wild else 3, unique=True) if options else st.just([])
    for parameter in draw(few):
        if parameter.is_flag:
            line.append(draw(st.sampled_from(parameter.opts + parameter.secondary_opts)))
        else:
            for _ in range(draw(st.integers(1, 2 if parameter.multiple else 1))):
                line += [parameter.opts[0], draw(values(parameter, files, wild))]
    for name, value in LIMITED.items():
        if name in slot.names and name not in line:
            line += [name, value]
    return [*line, *SHORT] if "--time-limit" in slot.names else line


# -- files -------------------------------------------------------------------------------------------------------------

JUNK: list[Any] = [
    None,
    True,
    -1,
    0,
    2**31,
    2**63,
    10**400,
    -0.5,
    math.nan,
    math.inf,
    "",
    "x" * 5000,
    "8x8",
    [],
    {},
    [[[[]]]],
    "💥",
]
JUNK += [[0] * 300, {"kind": "tour"}, [[0, 0]], [1, 2], "99999x99999", "torus:9x9"]


PATCHES = [b"-1", b"9" * 30, b"\xff\xfe", b"[" * 2000, b"\n", b"NaN", b"1e999"]


@st.composite
def damaged_files(draw: st.DrawFn, good: bytes) -> bytes:
    """A file's bytes with damage: to its JSON structure where it has one, or to its bytes."""
    if draw(st.booleans()):
        try:
            data = json.loads(good)
        except ValueError:
            pass
        else:
            for _ in range(draw(st.integers(1, 3))):
                data = draw(_damaged_value(data))
            return json.dumps(data).encode()
    content = bytearray(good)
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        length = draw(st.sampled_from([0, 1, 1, 4, 64, len(content)]))
        patch = draw(st.binary(max_size=6) | st.sampled_from(PATCHES))
        content[start : start + length] = patch
    return bytes(content)


@st.composite
def _damaged_value(draw: st.DrawFn, data: Any) -> Any:
    """A JSON value with one node replaced, left out or doubled, at any depth."""
    if isinstance(data, dict) and data and draw(st.integers(0, 5)):
        key = draw(st.sampled_from(sorted(data)))
        copy = dict(data)
        choice = draw(st.integers(0, 4))
        if choice == 0:
            del copy[key]
        elif choice == 1:
            copy[key] = copy[draw(st.sampled_from(sorted(data)))]
        else:
            copy[key] = draw(_damaged_value(copy[key]))
        return copy
    if isinstance(data, list) and data and draw(st.integers(0, 5)):
        at = draw(st.integers(0, len(data) - 1))
        choice = draw(st.integers(0, 4))
        if choice == 0:
            return data[:at] + data[at + 1 :]
        if choice == 1:
            return data[:at] + data[at : at + 1] + data[at:]
        return [*data[:at], draw(_damaged_value(data[at])), *data[at + 1 :]]
    if isinstance(data, int) and not isinstance(data, bool) and draw(st.booleans()):
        return data + draw(st.integers(-3, 3))
    return draw(st.sampled_from(JUNK))
