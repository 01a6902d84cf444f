"""`Gadget`: a region covered by disjoint paths that enter and leave it by given moves.

A heel, a junction, a corner block and a period of a side pattern are gadgets. A `Frame` poses the question, and a
gadget is an answer, checked by its constructor.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from kt_models.board import IntArray
from kt_models.cells import Cell
from kt_models.display import svg
from kt_models.errors import InvalidTour, KTError, excerpt
from kt_models.fields import SEARCH_CLAIMS, SEARCH_KEYS, require_derived, require_fields, require_only
from kt_models.gadgets.frame import Frame, cells_of_json, matching_of, name_of
from kt_models.json_values import is_integer
from kt_models.json_version import FORMAT_VERSION, read_document
from kt_models.problem import verify_edges
from kt_models.walks import Walk


@dataclass(frozen=True)
class Path:
    """A path of a gadget: its cells in the region, in order.

    `start` and `end` are its ports; both are None for a strand, whose last cell is a translate of its first.
    """

    cells: tuple[Cell, ...]
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True)
class Gadget:
    """Paths that cover a region, checked by the constructor.

    Parameters
    ----------
    frame
        The region that the paths cover.
    paths
        Each path as often as it starts in one period. Cells of a periodic frame are not folded back: the last cell of
        a path is the one where it leaves.

    Raises
    ------
    InvalidTour
        If the paths do not cover the frame; the message names the first broken rule.
    """

    frame: Frame
    paths: tuple[Path, ...]

    def __post_init__(self) -> None:
        problem = self.frame.problem()
        edges = self.edges
        if len(set(edges.tolist())) < len(edges):
            raise InvalidTour("a move is used twice")
        walks = verify_edges(problem, edges)
        # A file may state paths with the right moves and wrong ports
        if paths_of(self.frame, walks) != _canonical(self.frame, self.paths):
            raise InvalidTour("the paths are not those that their moves make, or join other ports than they say")
        object.__setattr__(self, "paths", _canonical(self.frame, self.paths))

    @classmethod
    def of_edges(cls, frame: Frame, edges: IntArray) -> Gadget:
        """The gadget of a set of chosen edges of `frame.problem()`."""
        return cls(frame, paths_of(frame, verify_edges(frame.problem(), edges)))

    @cached_property
    def edges(self) -> IntArray:
        """Chosen edges of `frame.graph`, those outside first."""
        inner = []
        for path in self.paths:
            for (x, y), (u, v) in pairwise(path.cells):
                edge = self.frame.edge((x, y), (u - x, v - y))
                if edge < 0:
                    raise InvalidTour(f"{name_of((x, y))} to {name_of((u, v))} is not a move within the region")
                inner.append(edge)
        return np.array([*self.frame.outside, *inner], dtype=np.int32)

    def measure(self, metric: str) -> int:
        """Number of `turns` or `crossings` in the region and with the lines outside (of one period)."""
        return int(self.frame.problem(metric).cost(self.edges) or 0)

    @property
    def turns(self) -> int:
        """Shorthand for `measure("turns")`."""
        return self.measure("turns")

    @property
    def crossings(self) -> int:
        """Shorthand for `measure("crossings")`."""
        return self.measure("crossings")

    @cached_property
    def pairing(self) -> frozenset[frozenset[int]]:
        """Pairs of joined ports."""
        return frozenset(frozenset((p.start, p.end)) for p in self.paths if p.start is not None and p.end is not None)

    @property
    def matching(self) -> str | None:
        """`H`, `V` or `X` of one quartet; for two, entries with their exits, `H>H V>X X>V`; otherwise `None`."""
        return matching_of(self.frame, self.pairing)

    # -- files -----------------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """The keys of the frame, `paths`, and the measures `turns`, `crossings`, `matching`."""
        paths = [
            {**({} if p.start is None else {"from": p.start, "to": p.end}), "cells": [list(c) for c in p.cells]}
            for p in self.paths
        ]
        data = {"version": FORMAT_VERSION, "kind": "gadget", **self.frame.to_json(), "paths": paths}
        data.update(turns=self.turns, crossings=self.crossings)
        return {**data, "matching": self.matching} if self.matching else data

    @classmethod
    def from_json(cls, data: Any) -> Gadget:
        """Read the gadget of a JSON object; its turns, crossings and matching must be true.

        Raises
        ------
        KTError
            If a key is missing or of the wrong type.
        InvalidTour
            If it is not a gadget of its frame, or its numbers are wrong.
        """
        if not isinstance(data, dict) or data.get("kind") != "gadget":
            raise KTError("not a gadget")
        data = read_document(data, "gadget")
        paths = data.get("paths")
        if not isinstance(paths, list) or not all(isinstance(p, dict) for p in paths):
            raise KTError("'paths' is missing or is not a list of objects")
        frame = Frame.from_json(data)
        made = []
        for path in paths:
            ends = [path.get("from"), path.get("to")]
            if not all(end is None or (is_integer(end) and 0 <= end < len(frame.ports)) for end in ends):
                raise KTError("'from' or 'to' of a path is not the number of a port")
            require_only(path, ("from", "to", "cells"), "a path")
            made.append(Path(cells_of_json(path.get("cells"), "cells"), *ends))
        gadget = cls(frame, tuple(made))
        # The claims of a search, which the file of its only gadget has as well, are checked with the statement
        claims = {key: data[key] for key in (*SEARCH_KEYS, *SEARCH_CLAIMS) if key in data}
        require_derived({**data, "paths": []}, {**gadget.to_json(), "paths": [], **claims}, "gadget")
        return gadget

    def _repr_svg_(self) -> str | None:
        return svg(self)


def gadgets_of_json(data: Any) -> tuple[Gadget, ...]:
    """Gadgets of a file that `kt search` writes: of kind `gadget`, or several of kind `gadgets`.

    Raises
    ------
    KTError, InvalidTour
        As `Gadget.from_json`.
    """
    if not isinstance(data, dict) or data.get("kind") != "gadgets":
        return (Gadget.from_json(data),)
    data = read_document(data, "gadgets")
    if not isinstance(data.get("gadgets"), list):
        raise KTError("'gadgets' is missing or is not a list")
    for gadget in data["gadgets"]:
        if isinstance(gadget, dict):
            require_fields(gadget, "gadget")
        if isinstance(gadget, dict) and (odd := gadget.keys() & {*SEARCH_KEYS, *SEARCH_CLAIMS}):
            raise KTError(f"a gadget of several has {excerpt(min(odd))}, which belongs to all of them")
    return tuple(Gadget.from_json(gadget) for gadget in data["gadgets"])


def line_offsets(gadget: Gadget) -> dict[int, int]:
    """How the ports of a periodic gadget are joined, if their lines are parallel: by the number of a line.

    Lines of direction (dx, dy) are numbered by dy x - dx y, with the sign that makes the coefficient of x positive: for
    (-2, 1) that is x + 2y.

    Returns
    -------
    dict
        For each line number, modulo that of the period, the number of the line it is joined to less its own. Empty if
        the lines have several directions.
    """
    directions = {max(port.move, (-port.move[0], -port.move[1])) for port in gadget.frame.ports}
    if len(directions) != 1 or not gadget.frame.periodic:
        return {}
    dx, dy = directions.pop()
    sign = 1 if dy > 0 else -1

    def number(cell: Cell) -> int:
        return sign * (dy * cell[0] - dx * cell[1])

    step = abs(number(gadget.frame.period))
    offsets = {}
    for path in gadget.paths:
        if path.start is not None:
            first, last = number(path.cells[0]), number(path.cells[-1])
            # Lines are numbered across their direction; the number names a port up to periods
            offsets[first % step], offsets[last % step] = last - first, first - last
    return dict(sorted(offsets.items()))


def paths_of(frame: Frame, walks: list[Walk]) -> tuple[Path, ...]:
    """Paths of a frame from walks on its board, in canonical order.

    Raises
    ------
    InvalidTour
        If one of them is a closed cycle.
    """
    number = {vertex: k for k, vertex in enumerate(frame.ends)}
    paths = []
    for walk in walks:
        cells = unfold(frame, walk)
        if walk.closed:
            # Unfolded, a cycle around the cylinder ends one or more periods on
            if cells[0] == cells[-1]:
                raise InvalidTour(f"a closed cycle runs through {name_of(cells[0])}")
            paths.append(Path(tuple(cells)))
            continue
        start, end = number[walk.vertices[0]], number[walk.vertices[-1]]
        inner = cells[frame.ports[start].steps : len(cells) - frame.ports[end].steps]
        paths.append(Path(tuple(inner), start, end))
    return _canonical(frame, tuple(paths))


def unfold(frame: Frame, walk: Walk) -> list[Cell]:
    """Cells of a walk in the plane, in order; a closed walk ends with its first cell, or a translate of it."""
    graph = frame.graph
    board, moves = graph.geometry
    x, y = (int(c) for c in board.cells[walk.vertices[0]])
    cells = [(x, y)]
    for vertex, edge in zip(walk.vertices, walk.edges, strict=False):
        dx, dy = moves[graph.edge_move[edge]].tolist()
        sign = 1 if graph.tails[edge] == vertex else -1
        x, y = x + sign * dx, y + sign * dy
        cells.append((x, y))
    corner = frame.corner
    placed = [(y, x) if frame.across else (x, y) for x, y in cells]
    return [(x + corner[0], y + corner[1]) for x, y in placed]


def _canonical(frame: Frame, paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """The same paths in canonical order, each from its lower port, in the translate of that port."""
    return tuple(sorted((_normal(frame, path) for path in paths), key=lambda p: (p.start is None, p.start, p.cells)))


def _normal(frame: Frame, path: Path) -> Path:
    cells, start, end = path.cells, path.start, path.end
    if not cells or (start is None) != (end is None):
        raise InvalidTour("a path has no cell, or only one end")
    if start is not None and end is not None:
        if start > end:
            cells, start, end = cells[::-1], end, start
        return Path(tuple(_moved(cells, cells[0], frame.ports[start].cell)), start, end)
    axis = 0 if frame.period[0] else 1
    if cells[-1][axis] < cells[0][axis]:
        cells = cells[::-1]
    shift = cells[-1][0] - cells[0][0], cells[-1][1] - cells[0][1]
    ring = cells[:-1]
    least = min(range(len(ring)), key=lambda k: frame.folded(ring[k]), default=0)
    if not ring:
        raise InvalidTour("a path that enters and leaves nowhere has no move")
    onward = [(x + shift[0], y + shift[1]) for x, y in ring[: least + 1]]
    turned = [*ring[least:], *onward]
    return Path(tuple(_moved(turned, turned[0], frame.folded(turned[0]))))


def _moved(cells: Any, origin: Cell, target: Cell) -> Iterator[Cell]:
    dx, dy = target[0] - origin[0], target[1] - origin[1]
    return ((x + dx, y + dy) for x, y in cells)
