"""The commands that pages and help show, and those among them that are not recorded, with the reason."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click

from cli.main import main
from tests.docs.commands import PAGES, command_lines, fault_of, mentioned
from tests.golden.normalise import INSTALLED
from tests.golden.transcript import TRANSCRIPTS, commands_in

ROOMS = ("kt_models", "drawing", "heuristics", "encoders", "cli", "kt")
CLOCK = "it works until a time is over: what comes out depends on the machine"
LONG = "it takes too long even for the slow tests"
MACHINE = "it tells of this machine, or of other programs on it"
SERVER = "it serves a page until it is stopped, or asks a cluster"
MEASURED = "benchmarks/sweeps.py runs it, and the page shows how long that takes"
OTHERS = "the same command with other files is recorded"
NOT_RECORDED = {
    command: reason
    for reason, commands in {
        CLOCK: (
            "kt enumerate 8x8 --symmetry rot180 --up-to-symmetry --forecast",
            "kt find 8x8 --method euler --minimize turns",
            "kt find 8x8 --method euler --minimize turns --time-limit 5",
            "kt find 40x40 --method strands --minimize crossings",
            "kt find 63x104 --minimize turns --method sides",
            "kt find 1000x1000 --symmetry rot180 --minimize turns",
            "kt find 1002x1002 --symmetry rot90 --minimize turns",
            "kt search heel --sweep 'a4 2,-1 S S E E N 2,-1 E E N -2,1 -2,1' --period 8 --drift 0 --minimize turns",
            "kt search corner --region 8x8 --lines -2,1 --minimize crossings --all",
            "kt find 12x12 --minimize turns --time-limit 5 -o good.json",
            "kt improve good.json --minimize turns --time-limit 2 -o better.json",
            "kt improve start.json --minimize turns --time-limit 600 -o better.json",
            "kt improve better.json --minimize turns --seed 2 --no-anneal -o best.json",
            "kt improve quarter.json --minimize crossings --symmetry rot90",
            "kt improve tour.json --minimize turns --time-limit 600 -o better.json",
            "kt improve tour.json --minimize crossings --symmetry rot180",
            "kt improve tour.json --minimize turns --no-best",
            "kt best 18x18",
            "kt bound 12x12 --proof DIR",
            "kt compare 6x6..12x12 --minimize turns",
            "kt compare 6x6..10x10 --minimize turns -o compare.html",
            "kt compare 5x6 8x8 aztec:2..aztec:6 --minimize crossings",
            "kt compare 12x12 100x100 --minimize turns --tries 1 --proof 0",
            "kt compare 8x8 --minimize turns --csv",
            "kt compare points.csv --minimize 'length + 2*angle'",
            "kt experiment closing aztec:5 --time-limit 10",
            "kt experiment tour-types 4x4x5 --time-limit 60",
            "kt pareto 6x7 --time-limit 2 --run front",
            "kt check front/front.json",
            "kt table 5x6..6x7 --seconds 20 --csv table.csv -o table.svg --run table",
            "kt table aztec:2..aztec:6 --open --seconds 0",
            "kt best 5x6..8x8",
        ),
        MEASURED: (
            "kt check crossings-6x8.json",
            "kt enumerate 7x8 --count",
            "kt enumerate 7x8 --count --open",
            "kt enumerate 8x8 --count",
            "kt enumerate 6x10 --count --by turns",
            "kt longest 8x8 --uncrossed",
            "kt bound 6x8 --minimize turns --method frontier --at-least 39",
            "kt bound 6x8 --minimize crossings --method frontier --at-least 59",
            "kt bound 10x10 --minimize crossings --method bands",
        ),
        LONG: (
            "kt aztec 1..500 --ledger aztec.json",
            "kt aztec --verify aztec.json",
            "kt aztec --verify aztec.json --sample 20",
            "kt check heuristics/gadgets/radial-turns.json",
            "kt check heuristics/delivered/results/crossings-cuts.json "
            "heuristics/delivered/results/crossings-open-all-n.json "
            "heuristics/delivered/results/crossings-all-n.json",
            "kt bound 10x10 --minimize crossings --method bands --certificate 10x10.json",
            "kt bound 14x14 --at-least 91 --method branching --state s.json",
            "kt bound 8x8 --at-least 45 --run DIR",
            "kt bound 1000x1000 --minimize turns",
            "kt enumerate 8x8 --minimize turns --run DIR",
            "kt enumerate 8x8 --minimize turns --run DIR --part 3/20", "kt runs merge DIR",
            "kt enumerate 8x8 --minimize turns --up-to-symmetry --run DIR",
            "kt enumerate 6x8 --count --by turns --run DIR",
            "kt enumerate list.g6 --count --run DIR",
            "kt enumerate 8x8 --count --memory 12",
            "kt enumerate 8x8 --count --memory 16",
            "kt enumerate 8x8 --count --symmetry rot180",
            "kt enumerate 8x10 --count --folder DIR",
            "kt experiment closing 8x8 --tours 10000",
            "kt experiment random-graphs --state runs.json --plot rates.svg",
            "kt experiment random-graphs --state runs.json --workers 4 --plot rates.svg",
            "kt experiment random-graphs --table 2 --graphs 100",
            "kt experiment random-graphs --table 3 --graphs 100",
            "kt experiment random-graphs --table 3 --workers 2",
            "kt find 2000x2000", "kt solve 1000x1000",
            "kt find 2000x2000 -o t.json", "kt check t.json", "kt measure t.json",
            "kt longest 8x8 --uncrossed -o walk.svg",
            "kt longest 10x10 --uncrossed",
            "kt magic 8x8 --open --diagonals",
            "kt magic 8x8 --leaper 0,5+3,4",
            "kt magic 8x8 --leaper king --diagonals",
            "kt magic 8x8 --open --quartes --halves",
            "kt magic 8x8 --symmetry rot180",
            "kt search heel --minimize turns --at-most 22 --all --run DIR",
            "kt solve 10x10 --minimize turns --no-best",
            "kt solve 8x8 --minimize crossings --at-most turns=50",
            "kt pareto 7x8 --time-limit 600 --run DIR",
            "kt table 5x6..8x8",
            "kt table 5x6 6x6..8x8 --minimize crossings",
            "kt table 5x6..8x8 --minimize turns,crossings --csv t.csv -o t.svg --run DIR",
        ),
        MACHINE: (
            "kt doctor", "kt doctor --json", "kt doctor --quick",
            "kt doctor --warm", "kt check DIR --with veripb", "kt check proof-folder --with veripb",
            "kt draw tour.json -o tour.gif --seconds 10",
            "kt solve 10x10 --solver '/usr/bin/cadical -q'",
            "kt solve 10x10 --solver '/usr/bin/minisat {cnf} {result}'",
            "kt solve 4x6 --no-presolve --solver '/usr/bin/cadical --lrat --no-binary {cnf} {proof}' --proof DIR",
            "kt bound 6x6 --at-least 32 --solver '/usr/bin/cadical -q'",
            "kt solve 6x6 --solver minizinc:gecode",
        ),
        SERVER: (
            "kt explore", "kt explore --folder results --time-limit 3600",
            "kt enumerate 8x8 --minimize turns --run DIR --scheduler tcp://HOST:8786",
        ),
        OTHERS: (
            "kt best 5x6 6x6..8x8 -o rows.xlsx",
            "kt convert 3x4 turns.opb --open --minimize turns",
            "kt solve points.csv --minimize length -o tour.svg",
            "kt find points.csv --minimize length --time-limit 20 -o tour.svg",
            "kt solve roads.graphml --minimize 'turns + 3*crossings'",
            "kt solve graph.gml --positions places.csv --minimize crossings",
            "kt draw roads.graphml -o roads.svg",
            "kt draw points.csv --form points --edges delaunay -o points.png",
            "kt solve berlin52.tsp --minimize weight",
            "kt convert solution.txt tour.json --model turns.opb",
            "kt convert solution.txt tour.json --model turns8.opb",
            "kt convert turns-8x8.json DIR/", "kt convert turns-8x8.json DIR/ --encoding flow",
            "kt convert RUN/ DIR/",
            "kt convert none.txt none.json --model t.cnf --proof t.lrat",
            "kt convert --family hardness --count 20 -o DIR",
            "kt convert 8x8 turns.mzn --minimize turns", "kt convert 8x8 turns8.mzn --minimize turns",
            "kt solve 4x6 --engine sat --no-presolve",
            "kt draw '*.json' -o site/",
            "kt draw '*.json' -o site/ --title 'My tours'",
            "kt convert best.tour tour.csv", "kt check tour.txt", "kt measure tour.txt",
            "kt show best.json", "kt show tour.json", "kt show tour.txt", "kt show -",
            "kt convert pasted.txt tour.json", "kt convert tour.json tour.txt",
            "kt convert tour.json out.dat --format csv",
            "kt check 'heuristics/gadgets/strands-turns*.json'",
        ),
    }.items()
    for command in commands
}  # fmt: skip
"""Commands that are shown and not recorded, with the reason."""
NO_SAMPLE = {
    kind: reason
    for reason, kinds in {
        "it is printed, and written to no file": (
            "aztec-lemmas", "aztec-verification", "best", "bound", "cells", "closing", "comparison", "enumeration",
            "family",
            "histogram", "measure", "model-size", "property", "run-status", "taming-lemmas", "tour-types",
        ),
        "nothing reads it back": (
            "log", "steps", ".svg", ".png", ".pdf", ".tex", ".xlsx", ".html", ".gif", ".mp4",
            ".cnf", ".wcnf", ".opb", ".lp", ".mps", ".pb.txt", ".mzn", ".xml", ".smt2",
        ),
        "it is delivered, and written by no command": ("side-walks",),
        "it is a .col": (".dimacs",),
    }.items()
    for kind in kinds
}  # fmt: skip
"""Kinds of JSON and endings of files without a sample, with the reason."""
ADDED = ("--workers", "--seconds", "--proof", "--time-limit")
"""Options that a recorded command may have besides, so that it does not depend on the machine; and `--json`."""


TESTED_APART = "papers.md"
"""The page whose rows `tests/docs/test_papers.py` compares with what their commands print."""
DELIVERED = re.compile(r"kt check (?:'?heuristics/(?:delivered/\w+|gadgets)/[\w*-]+\.json'? ?)+")
"""The verdicts on all delivered files are recorded."""


def shown_commands() -> dict[str, str]:
    """Every command of ours that a page or a help text shows, and where."""
    commands = {shlex.join(words): page.name for page in PAGES for words in command_lines(page) if words[0] == "kt"}
    for page in PAGES:
        for command in map(shlex.join, _complete(page) if page.name != TESTED_APART else ()):
            if not DELIVERED.fullmatch(command):
                commands.setdefault(command, page.name)
    for name, text in _helps("kt", main):
        for line in text.splitlines():
            command = re.split(r" {2,}", line.strip())[0]
            if command.startswith("kt ") and "..." not in command:
                command = re.split(r" > ", command)[0]
                commands.setdefault(shlex.join(shlex.split(command)), f"{name} --help")
    return commands


def _complete(page: Path) -> Iterator[list[str]]:
    """The commands of a page's running text that can be run as they stand: they say what they are about."""
    for words in mentioned(page):
        about = any(re.search(r"\d|\.", word) for word in words[2:])  # A board, or a file
        if words[0] == "kt" and about and not any(word.isupper() for word in words) and not fault_of(words):
            yield words


def _helps(name: str, command: click.Command) -> Iterator[tuple[str, str]]:
    yield name, command.help or ""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None
            yield from _helps(f"{name} {inner}", found)


def kinds_in_source() -> set[str]:
    """What the program writes as the kind of a JSON object."""
    source = "".join(path.read_text() for room in ROOMS for path in (INSTALLED / room).rglob("*.py"))
    kinds = re.findall(r'"kind": "([\w-]+)"|\bKIND = "([\w-]+)"|write_state\(\w+, "(\w+)"', source)
    return {kind or constant or f"{method}-state" for kind, constant, method in kinds}


def recorded_commands() -> set[str]:
    """Every command of the transcripts, without the options that are added to make it sure."""
    return {
        form
        for path in TRANSCRIPTS.glob("*.txt")
        for line in commands_in(path.read_text())
        for form in (shlex.join(shlex.split(line)), _without_added(shlex.split(line)))
    }


def _without_added(words: list[str]) -> str:
    added = {i for i, word in enumerate(words[:-1]) if word in ADDED and words[i + 1].isdigit()}
    kept = [word for i, word in enumerate(words) if i not in added and i - 1 not in added]
    return shlex.join(word for word in kept if word != "--json")
