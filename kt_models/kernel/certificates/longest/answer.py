"""`Longest`: the result of a search for a longest walk, checked by its constructor."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kt_models.display import html, save
from kt_models.json_version import FORMAT_VERSION
from kt_models.kernel.certificates.longest.task import LongestTask
from kt_models.tour import Tour, order_to_json
from kt_models.walks import Walk

KIND = "longest-walk"


@dataclass(frozen=True)
class Longest:
    """A walk, and an upper bound on the length of any walk.

    Parameters
    ----------
    task
        The task.
    moves
        Length of the walk; -1 if there is none of the required length.
    edges
        Edges of the walk, in increasing order.
    bound
        No walk has more moves; None if no bound was proved. Without a walk, the bound concerns walks of the required
        length.
    states
        Largest number of partial walks at once.
    reason
        Why there is no bound.

    Raises
    ------
    InvalidTour
        If the edges are no such walk.
    """

    task: LongestTask
    moves: int
    edges: tuple[int, ...]
    bound: int | None
    states: int
    reason: str = ""
    walk: Walk | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if self.moves >= 0:
            object.__setattr__(self, "walk", self.task.verify(np.array(self.edges, dtype=np.int64)))

    def __repr__(self) -> str:
        return f"Longest({self.task.graph.name!r}, {self.status}, {self.moves} moves, bound {self.bound})"

    def _repr_html_(self) -> str | None:
        return html(self)

    @property
    def status(self) -> str:
        """As in a `Result`: `optimal` if the walk meets a proved bound."""
        if self.walk is None:
            return "infeasible" if self.bound == 0 and self.task.closed else "unknown"
        return "optimal" if self.bound == self.moves else "feasible"

    @property
    def cells(self) -> list[Any]:
        """The cells of the walk in order, as tuples of coordinates; without a board its vertices."""
        return [] if self.walk is None else list(Tour(self.task.graph, np.array(self.walk.vertices), self.walk.closed))

    def to_json(self) -> dict[str, Any]:
        """The object of its file."""
        data = {"version": FORMAT_VERSION, "kind": KIND, **self.task.to_json()}
        if self.walk is not None:
            walked = order_to_json(self.task.graph, self.walk.vertices)
            data |= {"moves": self.moves, "walk": walked, "chosen": list(self.edges)}
        return data | ({} if self.bound is None else {"bound": self.bound}) | {"status": self.status}

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write it to a file by its suffix: `.json`, or the walk as a picture."""
        save(self, path, force=force)
