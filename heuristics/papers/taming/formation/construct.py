"""The tour from four tracks and two junctions, written in parallel, in time linear in the cells.

The quartet's four knights make four *tracks* from one junction to the other. With the two paths in either junction they
form one cycle of eight *sections* (Besa et al. 2022, proof of Lemma 3). A track is a sequence of runs of diagonal moves
and gadgets. Prefix sums give the place of each of them in the order of the tour, so each is written independently, by
as many threads as there are processors.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from math import isqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from heuristics.papers.taming.formation.gadgets import Junction
from heuristics.papers.taming.formation.layout import Layout
from heuristics.papers.taming.formation.quartet import FormationGadget, Point, square
from kt_models.jit import kernel
from kt_models.kernel.certificates.integers import Ints
from kt_models.machine import usable_cores


@dataclass(frozen=True, eq=False)
class Tracks:
    """The tracks of a layout, knight by knight (four of them, or sixteen giraffes); knight t starts at position t.

    Parameters
    ----------
    paths
        Displacements of every gadget's paths from the quartet's place: (gadget, position, step, 2).
    lengths
        Steps of each path: (gadget, position).
    kinds, entries
        Gadget and place of every transition: (k,), (k, 2).
    runs
        Diagonal moves before, between and after the transitions: (k + 1,).
    exits
        Place where every run begins: (k + 1, 2).
    positions
        Position of knight t when transition k begins, and at the end: (t, k + 1).
    starts
        Number of cells of track t before run k and, in the last column, in all: (t, k + 2).
    """

    paths: Ints
    lengths: Ints
    kinds: Ints
    entries: Ints
    runs: Ints
    exits: Ints
    positions: Ints
    starts: Ints

    @classmethod
    def of(cls, plan: Layout) -> Tracks:
        """The tracks of a layout."""
        gadgets: list[FormationGadget] = []
        known: dict[int, int] = {}
        kinds = []
        for transition in plan.transitions:
            key = id(transition.gadget)
            if key not in known:
                known[key] = len(gadgets)
                gadgets.append(transition.gadget)
            kinds.append(known[key])
        paths, lengths, permutations = gadget_tables(gadgets)
        runs = np.array(plan.runs(), dtype=np.int64)
        count = plan.side**2
        positions = np.zeros((count, len(kinds) + 1), dtype=np.int64)
        positions[:, 0] = range(count)
        for k, kind in enumerate(kinds):
            positions[:, k + 1] = permutations[kind][positions[:, k]]
        numbers = np.array(kinds, dtype=np.int64)
        steps = np.tile(runs, (count, 1))
        steps[:, :-1] += lengths[numbers, positions[:, :-1]]
        starts = np.ones((count, len(runs) + 1), dtype=np.int64)  # The cell at which a track starts belongs to it.
        starts[:, 1:] += np.cumsum(steps, axis=1)
        entries = np.array([t.entry for t in plan.transitions], dtype=np.int64).reshape(-1, 2)
        exits = np.array([plan.start, *(t.exit for t in plan.transitions)], dtype=np.int64)
        return cls(paths, lengths, numbers, entries, runs, exits, positions, starts)

    @property
    def ends(self) -> list[int]:
        """The position at which each track ends."""
        return self.positions[:, -1].tolist()

    @property
    def sizes(self) -> list[int]:
        """The number of cells of each track."""
        return self.starts[:, -1].tolist()


def one_cycle(layout: Layout, low: Mapping[str, Junction], high: Junction) -> Circuit:
    """The circuit with the one of the junctions at the bottom left, by matching, that makes it one cycle."""
    for matching in ("H", "V"):
        circuit = Circuit(layout, low[matching], high)
        try:
            circuit.sections  # noqa: B018 -- they are kept
        except ValueError:
            continue
        return circuit
    raise RuntimeError("one of the two matchings gives one cycle: what a walk does to matchings is a permutation")


def gadget_tables(gadgets: Sequence[FormationGadget]) -> tuple[Ints, Ints, Ints]:
    """Displacements (gadget, position, step, 2), steps (gadget, position), permutations (gadget, position)."""
    longest = max((len(path) for gadget in gadgets for path in gadget.paths), default=1)
    count = len(gadgets[0].paths) if gadgets else 4
    paths = np.zeros((len(gadgets), count, longest, 2), dtype=np.int64)
    lengths = np.zeros((len(gadgets), count), dtype=np.int64)
    permutations = np.zeros((len(gadgets), count), dtype=np.int64)
    for number, gadget in enumerate(gadgets):
        permutations[number] = gadget.permutation
        for position, path in enumerate(gadget.paths):
            lengths[number, position] = len(path) - 1
            paths[number, position, : len(path)] = path
    return paths, lengths, permutations


@dataclass(frozen=True)
class Section:
    """A part of the cycle: cells of a junction, or a whole track, forwards or backwards.

    Parameters
    ----------
    start
        Place of its first cell in the order of the tour.
    length
        Number of cells.
    track
        Number of the track; -1 for given cells.
    forward
        Whether the track is walked from the bottom left to the top right.
    cells
        Given cells.
    corner
        `low` or `high`: the junction of given cells.
    """

    start: int
    length: int
    track: int
    forward: bool
    cells: tuple[Point, ...] = ()
    corner: str = ""


@dataclass(frozen=True, eq=False)
class Circuit:
    """A layout closed by a junction in either corner.

    Raises
    ------
    ValueError
        If the eight sections do not form one cycle (see `sections`).
    """

    plan: Layout
    bottom_left: Junction
    top_right: Junction

    @cached_property
    def tracks(self) -> Tracks:
        """The tracks of its layout."""
        return Tracks.of(self.plan)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The cycle from the bottom left cell on."""
        return sections(
            self.tracks.ends, self.tracks.sizes, self.bottom_left, self.top_right, self.plan.width, self.plan.height
        )

    def order(self, strides: tuple[int, int], base: int = 0, threads: int | None = None) -> npt.NDArray[np.int32]:
        """Numbers of the cells in the order of the tour; cell (x, y) has number `strides · (x, y) + base`."""
        stride = np.array(strides)
        order = np.empty(sum(section.length for section in self.sections), dtype=np.int32)
        begin, step = np.zeros(self.plan.side**2, dtype=np.int64), np.zeros(self.plan.side**2, dtype=np.int64)
        for section in self.sections:
            if section.corner:
                order[section.start : section.start + section.length] = np.array(section.cells) @ stride + base
            else:
                step[section.track] = 1 if section.forward else -1
                begin[section.track] = section.start if section.forward else section.start + section.length - 1
        write_tracks(self.tracks, order, begin, step, strides, base, threads)
        return order


def sections(
    ends: Sequence[int], sizes: Sequence[int], low: Junction, high: Junction, width: int, height: int
) -> tuple[Section, ...]:
    """The sections of the cycle in order, from the first cell of the bottom left corner on.

    Raises
    ------
    ValueError
        If there is more than one cycle.
    """
    formation = square(isqrt(len(ends)))
    last = len(formation) - 1

    def position(cell: Point, junction: Junction) -> int:
        return formation.index(Point(cell.x - junction.place.x, cell.y - junction.place.y))

    low_paths, partner, high_paths = {}, {}, {}
    # Each path of a junction is entered from either end, so both directions are stored. `partner` leads from one end to
    # the other.
    for path in (*low.paths, *(p[::-1] for p in low.paths)):
        begin = position(path[0], low)
        low_paths[begin], partner[begin] = path[1:-1], position(path[-1], low)
    for path in (*high.paths, *(p[::-1] for p in high.paths)):
        # The high junction is the low one turned by a half turn, in the far corner of the board.
        cells = tuple(Point(width - 1 - c.x, height - 1 - c.y) for c in path[1:-1])
        high_paths[last - position(path[0], high)] = cells, last - position(path[-1], high)
    made: list[Section] = []
    track = 0
    # Follow track up, high path, track back, low path, until the cycle is back at track 0. Each round uses two tracks.
    while True:
        cells, end_track = high_paths[ends[track]]
        back = list(ends).index(end_track)
        inner = low_paths[back]
        made.append(Section(0, sizes[track], track, True))
        made.append(Section(0, len(cells), -1, True, cells, "high"))
        made.append(Section(0, sizes[back], back, False))
        made.append(Section(0, len(inner), -1, True, inner, "low"))
        track = partner[back]
        if track == 0:
            break
    # A cycle that closes early has missed some tracks: these would form a second cycle.
    if len(made) != 2 * len(ends):
        raise ValueError("the junctions close two cycles")
    corner = next(i for i, part in enumerate(made) if part.corner == "low" and Point(0, 0) in part.cells)
    cells = made[corner].cells
    # The order starts at cell (0, 0), so the path through the low corner is cut there into the first and the last
    # section.
    at = cells.index(Point(0, 0))
    head = Section(0, len(cells) - at, -1, True, cells[at:], "low")
    tail = Section(0, at, -1, True, cells[:at], "low")
    start, placed = 0, []
    for section in (head, *made[corner + 1 :], *made[:corner], tail):
        if section.length:
            placed.append(replace(section, start=start))
        start += section.length
    return tuple(placed)


def write_tracks(
    tracks: Tracks,
    order: npt.NDArray[np.int32],
    begin: Ints,
    step: Ints,
    strides: tuple[int, int],
    base: int,
    threads: int | None = None,
) -> None:
    """Write the cells of the tracks into the order: cell i of track t goes to `begin[t] + i·step[t]`."""
    stride, side = np.array(strides), isqrt(len(begin))
    # Positions, exits and entries become numbers of cells here, so that the compiled loop only adds.
    stand = np.array(square(side)) @ stride
    exits = tracks.exits @ stride + base
    order[begin] = exits[0] + stand
    runs = RunArrays(tracks.positions, tracks.starts, tracks.runs, exits)
    transitions = TransitionArrays(tracks.kinds, tracks.entries @ stride + base, tracks.paths @ stride, tracks.lengths)
    arguments = order, begin, step, runs, transitions, stand, side * strides[0] - strides[1]
    workers = threads or usable_cores()
    cells = tracks.starts[0]
    # So few cells are written before threads would have started.
    if workers == 1 or len(order) < 200_000:
        _write(*arguments, 0, len(tracks.runs))
        return
    # Four pieces per worker even out cores of different speed.
    cuts = np.searchsorted(cells, np.linspace(0, int(cells[-1]), 4 * workers + 1))
    cuts[0], cuts[-1] = 0, len(tracks.runs)
    with ThreadPoolExecutor(workers) as pool:
        # The pieces write disjoint parts of the order, and the compiled loop does not hold Python's lock.
        for future in [pool.submit(_write, *arguments, int(a), int(b)) for a, b in itertools.pairwise(cuts)]:
            future.result()


class RunArrays(NamedTuple):
    """Runs of equal moves: the knights' positions and first indices by track, lengths, and the cells they begin at."""

    positions: Ints
    starts: Ints
    lengths: Ints
    exits: Ints


class TransitionArrays(NamedTuple):
    """Transitions between runs: the kind and the entry of each, and by kind and position a knight's path and length."""

    kinds: Ints
    entries: Ints
    paths: Ints
    lengths: Ints


RUNS = "NamedTuple((int64[:, ::1], int64[:, ::1], int64[::1], int64[::1]), RunArrays)"
TRANSITIONS = "NamedTuple((int64[::1], int64[::1], int64[:, :, ::1], int64[:, ::1]), TransitionArrays)"


@kernel(f"void(int32[::1], int64[::1], int64[::1], {RUNS}, {TRANSITIONS}, int64[::1], int64, int64, int64)")
def _write(
    order: npt.NDArray[np.int32],
    begin: Ints,
    step: Ints,
    runs_of_tracks: RunArrays,
    transitions: TransitionArrays,
    stand: Ints,
    down: int,
    low: int,
    high: int,
) -> None:
    """Write runs `low` to `high` of every track, each with the transition after it."""
    positions, starts, runs, exits = runs_of_tracks
    kinds, entries, offsets, lengths = transitions
    for t in range(len(begin)):
        for k in range(low, high):
            place = begin[t] + starts[t, k] * step[t]
            start = exits[k] + stand[positions[t, k]]
            # The runs go up and down in turn.
            jump = down if k % 2 == 0 else -down
            # Two loops, each with a step that the compiler knows.
            if step[t] > 0:
                for i in range(runs[k]):
                    order[place + i] = start + (i + 1) * jump
            else:
                for i in range(runs[k]):
                    order[place - i] = start + (i + 1) * jump
            if k < len(kinds):
                place += runs[k] * step[t]
                p = positions[t, k]
                kind = kinds[k]
                for i in range(lengths[kind, p]):
                    order[place + i * step[t]] = entries[k] + offsets[kind, p, i + 1]
