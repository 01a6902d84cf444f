"""Readings of the unnamed "slight modifications" of Warnsdorff's rule in Davies, Xue and Yerger (2017).

Each breaks ties in a certain way, or does something when a walk is stuck, in addition to the rule in their text.
`conversion.tally` tries them on random graphs; `kt find` uses none of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from kt_models.errors import row_named
from kt_models.jit import kernel

NUMBER, FORKS, TIED_FORKS, FORCED, LEAST_AHEAD, MOST_AHEAD = range(6)


@dataclass(frozen=True)
class Variant:
    """A reading of the rule.

    Parameters
    ----------
    text
        What the reading does.
    ties
        The way to break ties, before the number decides.
    turns
        How often a stuck walk is reversed, to continue from its other end.
    rotations
        How often the end of a stuck walk is exchanged for another (Pósa 1976).
    tries
        1, or 2 if a stuck walk begins again at its start, where the greatest number decides instead of the least.
    """

    text: str
    ties: int = NUMBER
    turns: int = 0
    rotations: int = 0
    tries: int = 1


TEXT = "text"
VARIANTS = {
    TEXT: Variant("as in the text: the least number of unvisited neighbours, ties by number"),
    "turn": Variant("a stuck walk continues from its other end", turns=1),
    "rotate": Variant("the end of a stuck walk is rotated, once", rotations=1),
    "rotate-5": Variant("the same, up to five times", rotations=5),
    "two-tries": Variant("a stuck walk begins again, with ties by the greatest number", tries=2),
    "forks": Variant("avoid a vertex that leaves two neighbours with one continuation", FORKS),
    "tied-forks": Variant("the same, only among those with the fewest continuations", TIED_FORKS),
    "few-forced": Variant("ties: the vertex that leaves the fewest neighbours with one continuation", FORCED),
    "lookahead": Variant("ties: the vertex whose neighbours have the fewest continuations in total", LEAST_AHEAD),
    "most-ahead": Variant("ties: the vertex whose neighbours have the most continuations in total", MOST_AHEAD),
}


def variant_named(name: str) -> Variant:
    """The variant with a name (see `row_named`)."""
    return row_named(name, VARIANTS, "variant")


@kernel("int64(int64[::1], int32[::1], int32[::1], int64, int64, int64, int64, int32[::1], int32[::1], int32[::1])")
def walk_by_variant(indptr, heads, degrees, start, ties, turns, rotations, free, path, place):  # type: ignore[no-untyped-def]
    """Fill `path`; return the number of vertices reached.

    `free` counts the unvisited neighbours of each vertex, and `place` has its place on the path, -1 for an unvisited
    one. `lonely` counts the unvisited vertices with at most one unvisited neighbour.
    """
    n = len(degrees)
    free[:] = degrees
    place[:] = -1
    length, head, lonely = 0, start, 0
    while True:
        if place[head] < 0:
            lonely -= free[head] <= 1
            place[head] = length
            path[length] = head
            length += 1
            for slot in range(indptr[head], indptr[head + 1]):
                v = heads[slot]
                free[v] -= 1
                lonely += place[v] < 0 and free[v] == 1
            if length == n:
                return length
        best, least, lowest = -1, 0, 0
        for slot in range(indptr[head], indptr[head + 1]):
            v = heads[slot]
            if place[v] >= 0:
                continue
            ways, points = free[v], 0
            if ties != 0 and (ties == 1 or best < 0 or ways <= least):
                forced, ahead = 0, 0
                for right in range(indptr[v], indptr[v + 1]):
                    if place[heads[right]] < 0:
                        forced += free[heads[right]] <= 2
                        ahead += free[heads[right]]
                if ties == 1 and ways > 1 and forced > 1:
                    ways += n
                elif ties == 2:
                    points = ways > 1 and forced > 1
                elif ties == 3:
                    points = forced
                elif ties >= 4:
                    points = ahead if ties == 4 else -ahead
            if best < 0 or ways < least or (ways == least and points < lowest):
                best, least, lowest = v, ways, points
        if best >= 0:
            if lonely > 1 and turns + rotations == 0 and (lonely > 2 or free[best] > 1):
                return length  # As in `walk_by_rule`: three of the remaining vertices would have to be first or last.
            head = best
            continue
        first = -1  # Of the path that is turned around, so that its last vertex becomes another
        if turns > 0:
            turns -= 1
            first = 0
        elif rotations > 0:
            rotations -= 1
            for slot in range(indptr[head], indptr[head + 1]):
                at = place[heads[slot]] + 1
                if at < length - 1 and free[path[at]] > 0:
                    first = at
                    break
        if first < 0:
            return length
        for k in range((length - first) // 2):
            left, right = first + k, length - 1 - k
            path[left], path[right] = path[right], path[left]
        for k in range(first, length):
            place[path[k]] = k
        head = path[length - 1]
