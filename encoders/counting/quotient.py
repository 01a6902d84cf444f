"""Tours with a symmetry, counted on the orbits of the board; classes of tours, by Burnside's lemma.

Let a symmetry g of a power-of-two order move every cell. If g maps a closed tour to itself, it rotates or reflects the
tour.

- Turned: the orbits of its moves are one cycle through all orbits of cells. Conversely, every such cycle is the image
  of one tour, or of several shorter cycles: of one if, having gone round it once, one comes to a cell that differs from
  the first by an odd power of g. Moves carry this power, and the parity of the sum is a sign: tours are half of (all
  cycles less the sum of their signs).
- Reflected, for g of order 2: it has two moves that g maps to themselves, or cells that do not move, or one of each.
  Between them the orbits are a path. Every such path is the image of one tour.

Symmetries of other orders, such as translations by a third of a cylinder, only turn: `turned` counts their tours.

An open tour can only be reflected: it has one move or one cell in the middle, and half of it is a path from there.

So a reflected tour has *centres*, the cells and moves in it that do not move: a closed one has two of them, and an open
one has one. Every cell that does not move is a centre, and moves are centres only as far as such cells leave room.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from encoders.counting.count import count_net
from encoders.counting.halves import middle
from encoders.counting.turned import count_turned
from kt_models.errors import KTError
from kt_models.graph import MoveGraph
from kt_models.kernel.sweeps.bits import Ints
from kt_models.kernel.sweeps.net import Net
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.symmetry import Symmetry, board_group


def count_symmetric(
    graph: MoveGraph, connectivity: str, symmetry: Symmetry, *,
    limits: Limits = NO_LIMITS, on_progress: Listener = silent,
) -> int | None:  # fmt: skip
    """The number of tours that a symmetry of the board maps to themselves; None if this cannot count them.

    Parameters
    ----------
    connectivity
        `cycle` or `path`.

    Raises
    ------
    TooLarge, Stopped
        As for `count_by_halves`.
    """
    board, _ = graph.geometry
    step = symmetry.permutation(board).astype(np.int64)
    powers = [np.arange(graph.n)]
    while not np.array_equal(power := step[powers[-1]], powers[0]):
        powers.append(power)
    still = np.flatnonzero(step == powers[0])
    closed, order = connectivity == "cycle", len(powers)
    if graph.n < 3 or order == 1:
        return None
    if order > 2 and (not closed or any((power == powers[0]).any() for power in powers[1:])):
        return 0  # A path has no symmetry of such an order, and one of a cycle moves every cell
    if len(still) > 1 + closed:
        return 0
    if order & (order - 1):
        return count_turned(graph, step, order, graph.edge_permutation(symmetry), limits)
    orbits = _Orbits(graph, powers, graph.edge_permutation(symmetry).astype(np.int64), board.cells.astype(np.int64))
    nets: list[tuple[Net, bool]] = []
    if closed and not len(still):
        nets.append((orbits.cycles(), True))
    if order == 2 and (len(still) or orbits.loops):
        nets.append((orbits.paths(still.tolist(), closed=closed), False))
    total = 0
    for net, turned in nets:
        taken = orbits.order(net)
        limits.check()
        every = count_net(net, taken, limits=limits, on_progress=on_progress)
        signed = count_net(net, taken, turning=orbits.turning, limits=limits) if turned else None
        if every is None or (turned and (signed is None or every.total >= 1 << 63)):
            return None
        total += (every.total - signed.total) // 2 if signed else every.total
    return total


class _Orbits:
    """Orbits of cells and of moves."""

    def __init__(self, graph: MoveGraph, powers: Sequence[Ints], edges: Ints, cells: Ints) -> None:
        least = np.minimum.reduce(powers)
        first, self.number = np.unique(least, return_inverse=True)
        self.cells = cells[first]
        shift = np.zeros(graph.n, dtype=np.int64)  # By what power the least cell of the orbit comes to a cell
        for k, power in reversed(list(enumerate(powers))):
            shift[power[first]] = k
        image, least_edge = edges, np.arange(graph.m)
        for _ in powers:
            least_edge = np.minimum(least_edge, least_edge[image])
        kept = np.flatnonzero(least_edge == np.arange(graph.m))
        ends = self.number[graph.ends[kept].astype(np.int64)]
        inside = ends[:, 0] == ends[:, 1]
        self.loops: list[int] = ends[inside, 0].tolist()
        self.ends = ends[~inside]
        odd = (shift[graph.ends[kept]].sum(axis=1) % 2 == 1)[~inside]
        self.turning: list[int] = np.flatnonzero(odd).tolist()

    def cycles(self) -> Net:
        """Cycles through all orbits."""
        return self._net(0, [], [])

    def paths(self, still: Sequence[int], *, closed: bool) -> Net:
        """Halves of reflected tours: paths through all orbits, between two centres or from one to any orbit.

        Parameters
        ----------
        still
            The cells that do not move, not more than there are centres.
        closed
            Whether there are two centres; an open tour has one, and its half ends anywhere.
        """
        n = len(self.cells)
        cells = [int(self.number[v]) for v in still]
        moves = self.loops if len(cells) < 1 + closed else []
        if closed:
            return self._net(1, [(v, n) for v in cells + moves], [True] * len(cells) + [False] * len(moves))
        # The centres are joined to a vertex of their own, so that the path has one of them, and the hub joins it to
        # the other end.
        joined = [(v, n) for v in cells + moves] + [(n, n + 1)] + [(v, n + 1) for v in range(n)]
        return self._net(2, joined, [False] * (len(cells) + len(moves)) + [True] + [False] * n)

    def _net(self, added: int, joined: Sequence[tuple[int, int]], required: Sequence[bool]) -> Net:
        """The orbits and some added vertices, the last of them the hub, with further edges, some of them required."""
        m, size = len(self.ends), len(self.cells) + added
        extra = np.array(joined, dtype=np.int64).reshape(-1, 2)
        return Net(
            size, np.concatenate([self.ends, extra]), m, np.full(size, 2), np.zeros(size, dtype=np.int64), 0,
            np.ones(m + len(extra), dtype=bool), np.array([False] * m + list(required), dtype=bool),
            size - 1 if added else -1, connected=True, free=False, inner=np.zeros(size, dtype=bool),
        )  # fmt: skip

    def order(self, net: Net) -> Ints:
        """Rank by rank along the axis that gives the narrowest frontier; what is no orbit comes at the end."""
        axes = itertools.permutations(range(self.cells.shape[1]))
        extra = np.arange(len(self.cells), net.n if net.hub < 0 else net.hub)
        ways = [np.concatenate([np.lexsort([self.cells[:, a] for a in way]), extra]) for way in axes]
        return min(ways, key=lambda way: middle(net, way)[1])


def count_classes(
    graph: MoveGraph, connectivity: str, total: int, *, limits: Limits = NO_LIMITS, on_progress: Listener = silent
) -> int | None:
    """The number of classes of tours under the symmetries of the board, by Burnside's lemma, from the number of tours.

    Returns
    -------
    int or None
        None if the tours with some symmetry cannot be counted.
    """
    group = board_group(graph.geometry[0])
    kept = total
    # The identity comes first
    for symmetry, alike in group.conjugates()[1:]:
        on_progress(Report(words=f"tours with the symmetry {symmetry.name}"))
        number = count_symmetric(graph, connectivity, symmetry, limits=limits, on_progress=on_progress)
        if number is None:
            return None
        kept += alike * number
    classes, rest = divmod(kept, group.order)
    if rest:
        raise KTError(f"{graph.name}: {kept:,} pairs of a tour and a symmetry, not a multiple of {group.order}")
    return classes
