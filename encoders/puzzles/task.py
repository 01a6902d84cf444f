"""Which puzzles to make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kt_models.arguments import require, require_boolean, require_whole
from kt_models.errors import KTError, TooLarge, unknown
from kt_models.files.puzzles import DIFFICULTIES, KINDS, require_grid
from kt_models.graph import MoveGraph
from kt_models.problem import graph_by_cells

MAX_CELLS = 144
"""Most cells of a puzzle."""
MAX_PUZZLES = 1000
"""Most puzzles of one call."""


@dataclass(frozen=True)
class PuzzleTask:
    """The puzzles to make.

    Parameters
    ----------
    graph
        The cells and moves.
    closed
        Whether the tour of `numbers` or `waypoints` is closed.
    kind
        One of `kt_models.files.puzzles.KINDS`.
    clues
        How many clues there are: given numbers, stops, or pairs; by default as many as it takes.
    difficulty
        One of `kt_models.files.puzzles.DIFFICULTIES`; by default any.
    redundant
        Whether clues may be superfluous.

    Raises
    ------
    KTError
        If these are inconsistent.
    TooLarge
        Above `MAX_CELLS`.
    """

    graph: MoveGraph
    closed: bool = True
    kind: str = "numbers"
    clues: int | None = None
    difficulty: str | None = None
    redundant: bool = False

    def __post_init__(self) -> None:
        require(self.graph, "graph", MoveGraph, "a MoveGraph (kt.graph makes one)")
        if not isinstance(self.kind, str) or self.kind not in KINDS:
            raise unknown("kind of puzzles,", self.kind, KINDS)
        if self.difficulty is not None and (
            not isinstance(self.difficulty, str) or self.difficulty not in DIFFICULTIES
        ):
            raise unknown("difficulty", self.difficulty, DIFFICULTIES)
        require_boolean(self.closed, "closed")
        require_boolean(self.redundant, "redundant")
        require_grid(self.graph)
        n = self.graph.n
        if n > MAX_CELLS:
            raise TooLarge(f"puzzles of {self.graph.name}: {n:,} cells, over the limit of {MAX_CELLS}")
        if n < 4:
            raise KTError(f"puzzles need at least 4 cells, and {self.graph.name} has {n}")
        if self.clues is not None:
            most = n // 2 if self.kind == "paths" else n - 1
            object.__setattr__(self, "clues", require_whole(self.clues, "clues", 1, most))
        object.__setattr__(self, "graph", graph_by_cells(self.graph, self.closed))
        if self.kind == "paths":
            object.__setattr__(self, "closed", False)


def piece_for(kind: str, leaper: Any) -> Any:
    """The piece of a kind of puzzle, in any form: by default the wazir where walls may stand or paths are joined."""
    return "wazir" if leaper is None and kind in ("waypoints", "paths") else leaper
