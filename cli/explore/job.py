"""`Job`: one thing that the page asks for, within the `Limits` of the session (`reading` makes it of a request).

A board is read from its text alone: the forms that name a file (`@mask.txt`, `graph.hcp`) are made of characters that
no text here may have, so no request reaches a disk.
"""

from __future__ import annotations

import math
import re
from dataclasses import asdict, dataclass, field
from typing import Any

from cli.problem import problem_of
from kt_models import Board, KTError, Leaper, MoveGraph, Problem, TooLarge
from kt_models.board_text import meant_board
from kt_models.machine import usable_cores

MAX_CELLS = {"solve": 10_000, "find": 250_000, "bound": 40_000}
"""Most cells (holes counted) of a board by what is done with it."""
MAX_MOVES = 4_000_000
MAX_DIMENSION = 6
MAX_OFFSET = 100
MAX_SECONDS = 24 * 3600.0
_BOARD = re.compile(r"[0-9A-Za-z:,()\-]+")


@dataclass(frozen=True)
class Limits:
    """What one job may use.

    Parameters
    ----------
    seconds
        Longest time limit that may be asked for.
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
            raise KTError(f"--time-limit {self.seconds:g}: it is a number of seconds from 1 to {MAX_SECONDS:,.0f}")
        if not 5 * 10**8 <= self.memory <= 10**13:
            raise KTError(f"--memory {self.memory / 1e9:g}: it is a number of gigabytes, at least 0.5")


@dataclass(frozen=True)
class Job:
    """One thing to do: `solve`, `find` or `bound`, with the options of the command of that name.

    `settings` are the parameters of a method of `find`; `method` is one of `find` or one of `bound`.
    """

    task: str
    board: str
    leaper: str = "1,2"
    closed: bool = True
    start: str = ""
    finish: str = ""
    symmetry: tuple[str, ...] = ()
    require: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    minimize: str = ""
    engine: str = "auto"
    encoding: str = ""
    solver: str = ""
    method: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    at_least: int | None = None
    seed: int = 0
    time_limit: float = 60.0
    workers: int = 1

    def to_json(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Job:
        """The job of an object that `to_json` wrote; nothing is checked."""
        given: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in data.items()}
        return cls(**given)

    def problem(self) -> Problem:
        """The problem it is about.

        Raises
        ------
        KTError
            If it is none, or too large.
        """
        board = pure_board(self.board, MAX_CELLS[self.task])
        leaper = Leaper.parse(self.leaper)
        if len(leaper.offsets) > 4 or max(leaper.offsets) > MAX_OFFSET:
            raise KTError(f"leaper {self.leaper}: two to four numbers are taken here, up to {MAX_OFFSET}")
        graph = MoveGraph.of(board, leaper)
        if graph.moves is not None and graph.n * len(graph.moves) > MAX_MOVES:
            raise TooLarge(f"board {board.text}: {graph.n * len(graph.moves):,} moves, over {MAX_MOVES:,}")
        if self.finish and self.closed:
            raise KTError("to: a closed tour has no last cell; ask for an open one")
        return problem_of(
            graph,
            self.minimize or None,
            is_open=not self.closed,
            start=self.start or None,
            finish=self.finish or None,
            symmetry=self.symmetry,
            require=self.require,
            forbid=self.forbid,
        )

    @property
    def command(self) -> list[str]:
        """The same as arguments of `kt`."""
        metric = "--metric" if self.task == "bound" else "--minimize"
        options = [
            ("--leaper", self.leaper if self.leaper != "1,2" else ""),
            ("--from", self.start),
            ("--to", self.finish),
            *(("--symmetry", text) for text in self.symmetry),
            *(("--require", text) for text in self.require),
            *(("--forbid", text) for text in self.forbid),
            (metric, self.minimize),
            ("--engine", self.engine if self.engine != "auto" else ""),
            ("--encoding", self.encoding),
            ("--solver", self.solver),
            ("--method", self.method if self.method != "auto" else ""),
            *(("--set", f"{name}={value}") for name, value in self.settings.items()),
            ("--at-least", "" if self.at_least is None else str(self.at_least)),
            ("--seed", str(self.seed) if self.seed else ""),
            ("--time-limit", f"{self.time_limit:g}"),
        ]
        given = [part for name, value in options if value for part in (name, value)]
        return [self.task, self.board, *([] if self.closed else ["--open"]), *given]


def pure_board(text: str, most: int) -> Board:
    """The board of a text, read without any file.

    Parameters
    ----------
    most
        Most cells, holes counted; a larger one is refused before memory is taken for it.

    Raises
    ------
    KTError
        If the text is not a box, an Aztec diamond, a torus or a strip, perhaps with cells removed; or is too large.
    """
    written = plain(text)
    if not _BOARD.fullmatch(written):
        guess = meant_board(text)
        hint = f"did you mean {guess!r}? " if guess and _BOARD.fullmatch(guess) else ""
        forms = "8x8, 4x4x4, aztec:5, 8x8-a1,h8, torus:8x8, strip:4x10"
        raise KTError(f"unknown board {text[:60]!r}: {hint}boards are written {forms}")
    base = written.partition("-")[0]
    digits = re.findall(r"[0-9]+", base)
    sides = [int(number) if len(number) < 10 else MAX_MOVES for number in digits]  # of whatever length
    box = 4 * sides[0] ** 2 if base.lower().startswith("aztec") and sides else math.prod(sides)
    if box > most:
        raise TooLarge(f"board {text[:60]}: more than {most:,} cells, the most that is taken here")
    if len(sides) > MAX_DIMENSION:
        raise TooLarge(f"board {text[:60]}: at most {MAX_DIMENSION} dimensions are taken here")
    return Board.parse(written)


def plain(text: str) -> str:
    """A board's text without spaces, and with `x` where somebody writes `×`."""
    return re.sub(r"\s+", "", text).replace("×", "x")
