"""`Job`: a task of the page, within the `Allowance` of the session (`job_requests` makes it).

Its options are those of the commands `kt solve`, `kt find` and `kt bound`, read from their declarations: so a new
option of a command is an option of its jobs, too.

A board is read from its text alone. The forms that name a file (`@mask.txt`, `graph.hcp`) contain characters that no
text may have here, so no request reaches a disk.
"""

from __future__ import annotations

import importlib
import json
import re
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any

import click
import numpy as np

from cli.explore.points import POINTS, edges_named, graph_of_points_text
from cli.many import ListOptions
from cli.options import FILE_OPTIONS
from cli.problem import CONDITION_OPTIONS, CONSTRAINED, NUMBER_OPTIONS, PROBLEM, WALK_OPTIONS, problem_of
from cli.run_options import NAMES, words_of_options
from kt_models import KNIGHT, Board, KTError, Leaper, MoveGraph, Problem, TooLarge, Tour
from kt_models.files.graph_forms.documents import graph_of_json, graph_to_json
from kt_models.files.problems import CHANGED
from kt_models.files.suffixes import has_graph_suffix
from kt_models.files.tours import parse_tour
from kt_models.json_values import integer
from kt_models.leaper import usual_leaper
from kt_models.machine import usable_cores
from kt_models.shapes import shapes
from kt_models.shapes._meant import meant_board
from kt_models.storage import parse_json
from kt_models.tour import verify

MAX_CELLS = {"solve": 10_000, "find": 250_000, "bound": 40_000}
"""Most cells of a board, including holes, for each task."""
MAX_MOVES = 4_000_000
MAX_DIMENSION = 6
MAX_OFFSET, MAX_OFFSETS = 100, 8
MAX_SECONDS = 24 * 3600.0
GRAPH = "graph:"
"""The beginning of the text of a graph without a board."""
_BOARD = re.compile(r"[0-9A-Za-z:,()\-]+")
ABOUT_BOARDS = (*FILE_OPTIONS, "cells", *(field.name for field in fields(ListOptions)))
"""Options that say what a file holds, and about lists of graphs: the page opens files of one board or graph, and asks.
"""
ELSEWHERE = {
    "solve": (*ABOUT_BOARDS, "no_hint", "no_best", "memory", "clues", "waypoints", *WALK_OPTIONS),
    "find": (
        *ABOUT_BOARDS,
        "heel",
        "statistics",
        "cell_at",
        "index_of",
        "memory",
        "clues",
        *WALK_OPTIONS,
        *CONDITION_OPTIONS,
    ),
    "bound": (
        *ABOUT_BOARDS,
        *NAMES,
        "infeasible",
        "no_proofs",
        "no_best",
        "memory",
        *WALK_OPTIONS,
        *NUMBER_OPTIONS,
    ),
}
"""Options that the page has in another form, or that are about runs. The options about files and printing are left out,
too."""
TEXT_OF_FILE = {"near": "near.tour"}
"""Options that name a file. The page sends its text; the value is the file's name in the command that the page
shows."""
ABOUT_FILES = ("as_json", "as_format", *ABOUT_BOARDS)
"""Options about files whose value is no file name."""
COMMON = ("board", "leaper", *PROBLEM, "near", "minimize", "time_limit", "workers", "seed")
"""Options for the problem and the limits of a job; the others belong to its method."""

COMMANDS = __package__.rpartition(".")[0]
"""The package that has a module for each command."""


@cache
def options_of(task: str) -> dict[str, click.Parameter]:
    """The options of a job by name: the arguments and options of the command of the same name."""
    return {str(parameter.name): parameter for parameter in _command(task).params if _has_place(task, parameter)}


@cache
def defaults_of(task: str) -> dict[str, Any]:
    """Defaults of the options; the page always names the piece."""
    return {**_command(task).make_context(task, ["8x8"]).params, "leaper": str(KNIGHT)}


def _command(task: str) -> click.Command:
    command: click.Command = importlib.import_module(f"{COMMANDS}.{task}").command
    return command


def _has_place(task: str, parameter: click.Parameter) -> bool:
    of_file = parameter.metavar in ("FILE", "DIR") and parameter.name not in TEXT_OF_FILE
    about_files = of_file or parameter.name in ABOUT_FILES
    return parameter.expose_value and not about_files and parameter.name not in ELSEWHERE[task]


@dataclass(frozen=True)
class Allowance:
    """The resources of one job.

    Parameters
    ----------
    seconds
        Longest time limit that a job may have.
    memory
        Bytes of each process.
    workers
        Threads, or processes of a SAT search.
    """

    seconds: float = 600.0
    memory: int = 4 * 10**9
    workers: int = field(default_factory=usable_cores)

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= MAX_SECONDS:
            raise KTError(f"--time-limit {self.seconds:g}: must be a number of seconds from 1 to {MAX_SECONDS:,.0f}")
        if not 5 * 10**8 <= self.memory <= 10**13:
            raise KTError(f"--memory {self.memory / 1e9:g}: must be at least 0.5 gigabytes")


@dataclass(frozen=True)
class Job:
    """A task: `task` is the name of a command, and `options` are the given values of its options."""

    task: str
    options: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        """The task and its options by name, with the defaults of options that are not given."""
        return {"task": self.task} | {name: self[name] for name in options_of(self.task)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Job:
        """The job of an object that `to_json` wrote; it is not checked."""
        options: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in data.items()}
        return cls(options.pop("task"), options)

    def __getitem__(self, name: str) -> Any:
        """The value of an option, given or by default; None if the command has no such option."""
        return self.options.get(name, defaults_of(self.task).get(name))

    @property
    def board(self) -> str:
        """The text of the board."""
        return str(self.options["board"])

    @property
    def metric(self) -> str:
        """The objective to minimise or to bound; empty for none."""
        return self["minimize"] or (CHANGED if self["near"] else "")

    @property
    def method_options(self) -> dict[str, Any]:
        """The given options of the job's method."""
        common = {*COMMON, *self._conditions}
        return {name: value for name, value in self.options.items() if name not in common}

    @property
    def _conditions(self) -> dict[str, Any]:
        """The options for conditions on a tour, without the `--at-least` of `kt bound`, which takes one number."""
        return {name: self[name] for name in CONSTRAINED if name in PROBLEM or isinstance(self[name], tuple)}

    @property
    def leaper(self) -> Leaper:
        """The leaper of the form; raises where its text is none."""
        return Leaper.parse(self["leaper"])

    @property
    def piece(self) -> str:
        """The piece in words: `knight`, `king`, or `1,4-leaper`."""
        return self.leaper.piece

    def problem(self) -> Problem:
        """The problem of the job."""
        if self.board.startswith(GRAPH):
            graph = graph_of_text(self.board, MAX_CELLS[self.task])
            return self._problem_of(graph)
        if self.board.startswith(POINTS):
            return self._problem_of(graph_of_points_text(self.board, MAX_CELLS[self.task]))
        board = pure_board(self.board, MAX_CELLS[self.task])
        # The form always names a piece, and a knight has no move on hexagonal cells.
        leaper = usual_leaper(board) if self.leaper == KNIGHT else self.leaper
        if len(leaper.offsets) > MAX_OFFSETS or max(leaper.offsets) > MAX_OFFSET:
            raise KTError(
                f"leaper {self['leaper']}: at most {MAX_OFFSETS} numbers are allowed here, each up to {MAX_OFFSET}"
            )
        graph = MoveGraph.of(board, leaper)
        if graph.moves is not None and graph.n * len(graph.moves) > MAX_MOVES:
            raise TooLarge(f"board {board.text}: {graph.n * len(graph.moves):,} moves, over {MAX_MOVES:,}")
        return self._problem_of(graph)

    def _problem_of(self, graph: MoveGraph) -> Problem:
        minimize = self["minimize"] or None
        near = _tour_of(self["near"], graph) if self["near"] else None
        return problem_of(graph, minimize, near=near, written=True, **self._conditions)

    @property
    def command(self) -> list[str]:
        """The job as arguments of `kt`."""
        usual = {name: value for name, value in defaults_of(self.task).items() if name != "board"}
        options = {name: v for name, v in self.options.items() if name not in usual or v != usual[name]}
        if self.board.startswith(GRAPH):
            options = {**options, "board": "graph.json" if self.board.startswith(f"{GRAPH}{{") else "graph.hcp"}
        points = self.board.startswith(POINTS)
        if points:
            options = {**options, "board": "points.csv"}
        joined = ["--edges", edges_named(self.board)] if points and edges_named(self.board) else []
        options |= {name: file for name, file in TEXT_OF_FILE.items() if name in options}
        return [self.task, *words_of_options(_command(self.task), options), *joined]


def _tour_of(text: str, graph: MoveGraph) -> Tour:
    """The tour of a text in TSPLIB format, which the page got from `/open` or from an earlier job."""
    named = re.search(r"board=(\S+)", text)
    if graph.board is not None and named and named[1] != graph.name:
        raise KTError(f"near: a tour of {named[1][:60]}, not of {graph.name}")
    tour = parse_tour(text, graph)
    verify(tour)
    return tour


def graph_text(graph: MoveGraph) -> str:
    """A graph as the page writes it: its number of vertices, and its edges, numbered from 1; or as JSON.

    It is JSON if the graph has other names, is directed, or has fixed edges, weights or positions.
    """
    usual = graph.labels in (None, range(1, graph.n + 1)) and graph.directed is None
    if not usual or graph.fixed or graph.weights is not None or graph.positions is not None:
        return GRAPH + json.dumps(json.loads(graph_to_json(graph)), separators=(",", ":"))
    return f"{GRAPH}{graph.n}:{','.join(f'{tail + 1}-{head + 1}' for tail, head in graph.ends.tolist())}"


def graph_of_text(text: str, most: int) -> MoveGraph:
    """Read a graph that `graph_text` wrote."""
    if text.startswith(f"{GRAPH}{{"):
        data = parse_json(text.removeprefix(GRAPH))
        if integer(data.get("vertices"), "graph: 'vertices'", 1, 10**9, KTError) > most:
            raise TooLarge(f"graph: {data['vertices']:,} vertices, over {most:,}")
        return graph_of_json(data)
    match = re.fullmatch(r"graph:([1-9][0-9]{0,6}):((?:[1-9][0-9]{0,6}-[1-9][0-9]{0,6},?)*)", plain(text))
    if not match:
        raise KTError("a graph is written graph:N:1-2,2-3,...; open its file and the page writes that")
    n, edges = int(match[1]), [[int(v) - 1 for v in pair.split("-")] for pair in match[2].split(",") if pair]
    if n > most:
        raise TooLarge(f"graph: {n:,} vertices, over {most:,}")
    return MoveGraph.from_edges(n, np.array(edges, dtype=np.int64).reshape(-1, 2), "graph", range(1, n + 1))


def pure_board(text: str, most: int) -> Board:
    """Read a board from its text, without any file.

    Parameters
    ----------
    most
        Most cells, including holes. A larger board is refused before it takes memory.
    """
    written = plain(text)
    if has_graph_suffix(written) or written.startswith("@"):
        raise KTError(f"{text[:60]!r}: files cannot be named here; open the file with the button below the board")
    if not _BOARD.fullmatch(written):
        guess = meant_board(text)
        hint = f"did you mean {guess!r}? " if guess and _BOARD.fullmatch(guess) else ""
        forms = ", ".join(shape.example for shape in shapes())
        raise KTError(f"unknown board {text[:60]!r}: {hint}boards are written {forms}, 8x8-a1,h8")
    board = Board.parse(written, most)
    if board.dimension > MAX_DIMENSION:
        raise TooLarge(f"board {text[:60]}: at most {MAX_DIMENSION} dimensions are taken here")
    return board


def plain(text: str) -> str:
    """The text of a board without spaces, and with `x` for `×`."""
    return re.sub(r"\s+", "", text).replace("×", "x")
