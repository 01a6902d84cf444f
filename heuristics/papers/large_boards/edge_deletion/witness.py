"""The two-factor rule: the remaining graph must have a 2-factor with every kept edge (bipartite graphs only).

A tour is a 2-factor, so this is necessary. It is Hall's condition for the missing edges, which means the toughness of
all sets S of one colour at once, and it implies the balance of every island. Augmenting paths decide whether a
bipartite graph has such a 2-factor, so the search maintains one as a *witness*. A witness holds as long as none of its
edges is deleted and no other edge kept; then an augmenting path repairs it, mostly a short one. Backtracking only frees
edges, so a witness needs no undoing: after a dead end the vertices that could not be repaired are remembered and
repaired later.
"""

from __future__ import annotations

from heuristics.papers.large_boards.edge_deletion.names import DIRTY, FREE, GONE, KEPT, STAMP, TOP, Fixed, Moving, part


@part
def _set(fixed: Fixed, moving: Moving, e: int, value: bool) -> None:
    """Add an edge to the witness, or remove it."""
    cover, dirty, is_dirty, box = moving.cover, moving.dirty, moving.is_dirty, moving.box
    moving.used[e] = value
    for side in range(2):
        w = fixed.ends[e, side]
        cover[w] += 1 if value else -1
        if not is_dirty[w]:
            is_dirty[w] = True
            dirty[box[DIRTY]] = w
            box[DIRTY] += 1


@part
def repair(fixed: Fixed, moving: Moving, since: int) -> bool:
    """Repair the witness after the changes on the trail from `since` on; False if there is none."""
    indptr, incident, state, trail, box = fixed.indptr, fixed.incident, moving.state, moving.trail, moving.box
    used, cover, dirty, is_dirty = moving.used, moving.cover, moving.dirty, moving.is_dirty
    m = len(fixed.ends)
    for t in range(since, box[TOP]):
        e = trail[t, 0]
        # Every tour has this edge; backtracking would keep it again.
        if e < m and state[e] == GONE and trail[t, 1] == KEPT:
            return False
        if e < m and ((state[e] == GONE and used[e]) or (state[e] == KEPT and not used[e])):
            _set(fixed, moving, e, not used[e])
    done = 0
    while done < box[DIRTY]:  # First no vertex may have too many edges.
        v = dirty[done]
        done += 1
        slot = indptr[v]
        while cover[v] > 2 and slot < indptr[v + 1]:
            if used[incident[slot]] and state[incident[slot]] == FREE:
                _set(fixed, moving, incident[slot], False)
            slot += 1
        if cover[v] > 2:
            return False
    while box[DIRTY] > 0:  # Both colours lack equally many edges, so it is enough to start from one colour.
        v = dirty[box[DIRTY] - 1]
        if fixed.colour[v] == 0:
            while cover[v] < 2:
                if not _augment(fixed, moving, v):
                    return False
        box[DIRTY] -= 1
        is_dirty[v] = False
    return True


@part
def _augment(fixed: Fixed, moving: Moving, root: int) -> bool:
    """Give `root` one more edge by an alternating path to a vertex that lacks one; False if there is no such path."""
    indptr, neighbours, incident, ends = fixed.indptr, fixed.neighbours, fixed.incident, fixed.ends
    state, box, stamp, used, cover = moving.state, moving.box, moving.stamp, moving.used, moving.cover
    queue, came = moving.scratch[0], moving.scratch[1]
    box[STAMP] += 2
    now = box[STAMP]
    stamp[root] = now
    queue[0] = root
    size, done = 1, 0
    while done < size:
        u = queue[done]
        done += 1
        for slot in range(indptr[u], indptr[u + 1]):
            w = neighbours[slot]
            if used[incident[slot]] or state[incident[slot]] != FREE or stamp[w] == now:
                continue
            stamp[w] = now
            came[w] = incident[slot]
            if cover[w] < 2:
                cover[w] += 1
                cover[root] += 1
                while w != root:
                    e = came[w]
                    used[e] = not used[e]
                    w = ends[e, 0] + ends[e, 1] - w
                return True
            for arc in range(indptr[w], indptr[w + 1]):
                b = neighbours[arc]
                if used[incident[arc]] and state[incident[arc]] == FREE and stamp[b] != now:
                    stamp[b] = now
                    came[b] = incident[arc]
                    queue[size] = b
                    size += 1
    return False
