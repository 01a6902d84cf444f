"""What `heuristics.searches.sides` draws: patterns of sides with 2 turns per unit, and blocks of corners.

The lines inside a rectangle have two directions, at a right angle or as near to each other as (2, 1) and (1, 2). Two
such lines cross in a cell only if this is in the same class on both, so each class of cells may choose its direction;
here one class has another direction than the rest. A side is a walk in a graph (`research.strands.walks`). In
the file a node has a *phase*, which says what lines the next columns are under, wherever on a side that is; so there
are few nodes. For each pair of nodes at a corner a SAT solver finds the block with the fewest turns.

`python -m research.side_walks FILE` writes the file.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from heuristics.searches.sides.data import CORNER_SIDE, KIND, PLANES, LinePlane, letters_of, lines_of, phase_at
from heuristics.searches.sides.views import view
from kt_models.errors import KTError
from kt_models.json_version import FORMAT_VERSION
from kt_models.limits import NO_LIMITS, Limits
from kt_models.writing import write_atomic
from research.strands.corner import Block, fewest_turns
from research.strands.walks import DEPTH, Walks, walks_under
from theorems.growing_tours.codes import REACH, Codes

SIDE = 60
"""Side of the square on which all is found: a multiple of all numbers of classes."""
NEAR = 6
"""Columns of a side that a corner block may have moves to, and some more."""
SPARE = 3
"""Blocks with so many turns more than the least with the same phases are left out."""


@dataclass(eq=False)
class SideWalks:
    """The nodes, steps and corner blocks of the rectangles with lines in some plane."""

    plane: LinePlane
    limits: Limits = NO_LIMITS
    phases: dict[str, int] = field(default_factory=dict)
    nodes: dict[Any, int] = field(default_factory=dict)
    height: list[int] = field(default_factory=list)
    steps: dict[int, dict[int, tuple[int, ...]]] = field(default_factory=dict)
    corners: dict[tuple[int, int], tuple[int, Codes]] = field(default_factory=dict)

    def run(self) -> dict[str, Any]:
        """All of it, as it is in the file."""
        boards = [lines_of(self.plane, first, SIDE, SIDE) for first in self.plane.choices]
        seen = [(lines, k) for lines in boards for k in range(4)]
        for lines, k in seen:
            self._side(view(lines, k))
        for lines, k in seen:
            self._corner(lines, k)
        steps = [(u, v, np.array(column)) for u, after in self.steps.items() for v, column in after.items()]
        return {
            "directions": [list(direction) for direction in self.plane.directions],
            "phases": list(self.phases),
            "phase": [phase for phase, _ in self.nodes],
            "steps": [[u, v, letters_of(column)] for u, v, column in steps],
            "corners": [[u, v, cost, letters_of(block)] for (u, v), (cost, block) in self.corners.items()],
        }

    def _side(self, seen: Codes) -> None:
        classes = self.plane.classes
        if phase_at(self.plane, seen, classes) in self.phases:
            return
        walks: Walks = walks_under(np.ascontiguousarray(seen[:, : DEPTH + REACH]), classes)
        names = {}
        for node in walks.steps:
            x, state = walks.nodes[node]
            phase = self.phases.setdefault(phase_at(self.plane, seen, x + classes), len(self.phases))
            names[node] = self.nodes.setdefault((phase, state), len(self.nodes))
            self.height.append(walks.height[node])
        for node, after in walks.steps.items():
            self.steps[names[node]] = {names[v]: column for v, column in after.items()}

    def _at(self, seen: Codes, column: int) -> list[int]:
        phase = self.phases[phase_at(self.plane, seen, column)]
        return [number for (key, _), number in self.nodes.items() if key == phase]

    def _corner(self, lines: Codes, k: int) -> None:
        """The blocks at the bottom left of a view, between the side before and its own."""
        before, seen = view(lines, k - 1), view(lines, k)
        pairs = list(itertools.product(self._at(before, SIDE - CORNER_SIDE - 1), self._at(seen, CORNER_SIDE - 1)))
        if any(pair in self.corners for pair in pairs):
            return
        found = {}
        for u, v in pairs:
            self.limits.check()
            codes = before.copy()
            codes[SIDE - CORNER_SIDE - NEAR : SIDE - CORNER_SIDE, :DEPTH] = [*self._columns(u, back=True)][::-1]
            codes = view(codes)
            codes[CORNER_SIDE : CORNER_SIDE + NEAR, :DEPTH] = [*self._columns(v)]
            block = fewest_turns(Block.of(codes, (0, 0, CORNER_SIDE, CORNER_SIDE)), 1, self.limits)
            if block is not None:
                found[u, v] = block[0] - 4 * CORNER_SIDE + self.height[u] - self.height[v], block[1][0]
        least = min((cost for cost, _ in found.values()), default=0)
        self.corners |= {pair: corner for pair, corner in found.items() if corner[0] <= least + SPARE}

    def _columns(self, node: int, back: bool = False) -> Iterator[tuple[int, ...]]:
        """The columns of some walk that begins, or ends, at a node."""
        for _ in range(NEAR):
            if back:
                node, column = next((u, after[node]) for u, after in self.steps.items() if node in after)
            else:
                node, column = next(iter(self.steps[node].items()))
            yield column


def main(arguments: list[str]) -> None:
    """The command line `python -m research.side_walks FILE`."""
    command = f"python -m {__package__}.side_walks"
    if len(arguments) != 1:
        raise SystemExit(str(KTError(f"usage: {command} FILE")))
    planes = [json.dumps(SideWalks(plane).run(), separators=(",", ":")) for plane in PLANES]
    head = json.dumps({"version": FORMAT_VERSION, "kind": KIND, "command": f"{command} FILE", "corner": CORNER_SIDE})
    write_atomic(arguments[0], head[:-1] + ', "planes": [\n' + ",\n".join(planes) + "\n]}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
