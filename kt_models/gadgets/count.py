"""Exact counts of gadgets, by a sweep, which show that a list is complete and that no gadget is better."""

from __future__ import annotations

from itertools import chain

import numpy as np

from kt_models.errors import KTError
from kt_models.gadgets.frame import Frame
from kt_models.gadgets.wanted import MAX_PAIRED, Pairing, Wanted
from kt_models.kernel.certificates.frontier import Joining, Winding, count_linkages
from kt_models.limits import NO_LIMITS, Limits


def count_gadgets(
    frame: Frame, wanted: Wanted, metric: str | None = None, at_most: int | None = None, limits: Limits = NO_LIMITS
) -> dict[int, int]:
    """Numbers of the wanted gadgets of a frame: by turns or crossings up to a limit, or all under 0.

    A pairing of the ports is a linkage of the ends of their lines. So the gadgets with a pairing are the solutions of
    a problem of that connectivity, and no gadget has two pairings. For a periodic frame the sweep also records the
    winding of every walk: a cycle on the board without winding is closed in the plane too, and one with winding is a
    strand.

    Raises
    ------
    KTError
        If the frame has too many ports.
    TooLarge
        If the sweep would exceed the memory.
    Stopped
        If a limit is reached.
    """
    if wanted == Wanted() or not frame.ports:
        linkages = [Joining(winding=_winding(frame, frozenset(), wanted.drift))]
    elif len(frame.ports) > MAX_PAIRED:
        raise KTError(f"gadgets are counted by how their ports are joined: at most {MAX_PAIRED} ports")
    else:
        linkages = [_linkage(frame, pairing, wanted.drift) for pairing in wanted.pairings(frame)]
    return count_linkages(frame.problem(metric), linkages, at_most=at_most, limits=limits)


def _linkage(frame: Frame, pairing: Pairing, drift: int | None) -> Joining:
    """Ends of the lines that a pairing joins."""
    ends = chain.from_iterable(sorted(map(sorted, pairing)))
    return Joining(tuple(frame.ends[k] for k in ends), _winding(frame, pairing, drift))


def _winding(frame: Frame, pairing: Pairing, drift: int | None) -> Winding | None:
    """Periods by which the edges of a periodic frame lead on, and whether strands are allowed.

    The end of a port's line is the translate that the port gives; for a path's higher port, it is the translate where
    the path emerges if it has the required drift. So every path has a total of 0 from end to end.
    """
    if not frame.periodic:
        return None
    graph, period, axis = frame.graph, max(frame.period), int(frame.across)
    board, moves = graph.geometry
    place = board.cells[:, 0].astype(np.int64)
    for port, end in zip(frame.ports, frame.ends, strict=True):
        # An end keeps its unfolded coordinate, so that periods gained along a path add up to its drift
        place[end] = port.line[-1][axis]
    for pair in pairing:
        place[frame.ends[max(pair)]] += period * (drift or 0)
    # The periods by which a move passes the seam of the cylinder
    gain = (place[graph.tails] + moves[graph.edge_move, 0] - place[graph.heads]) // period
    return Winding(gain, drift is None)
