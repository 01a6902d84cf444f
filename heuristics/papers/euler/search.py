"""Euler's method (1759): the end of an open path is changed until it closes, and missed cells are inserted.

The path a_1 ... a_k ... a_n has its head a_1 and its tail a_n. If the tail is a move away from a_k, the part behind a_k
is reversed: a_1 ... a_k, a_n ... a_(k+1), and a_(k+1) is the new tail.

1. *Close.* Among these reversals, take the one whose new tail is the fewest moves away from the head, with random ties.
   one move away, the path is re-entrant.
2. *Open.*  If cells are missing, a re-entrant path is opened beside one of its cells that is a move away from a missing
   one, so that this becomes the tail.
3. *Extend.*  A tail that is a move away from missing cells goes on to them, to the one with the fewest ways on
   (Warnsdorff's rule; Euler chose by eye).

Deviation. The note on the method lets the tail only come nearer (`rule=nearer`, the preset `paper`). Often there is no
such turn: all distances on 8x8 are at most 6, yet closing can take dozens of turns. With `rule=least` the tail goes to
the nearest possible place, nearer than before or not, which can alternate for ever. The default is `rule=wander`: if no
turn brings the tail nearer, and once in eight times also otherwise, to avoid going in circles, the tail goes to the
place that has been a tail longest ago, with random ties. After 300 turns without a gain the path is walked the other
way, so that its other end is turned. After `turns` in all another path begins. `kt experiment closing` compares the
rules.

The first path is a walk by Warnsdorff's rule, with ties broken by `begin`, or, as Euler did, at random (`begin=none`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from heuristics.compiled_helpers import adjacent, below, random_state
from heuristics.method import Method
from heuristics.searches.warnsdorff import Walker
from heuristics.simple_graph import simple_graph_or_result
from kt_models.errors import KTError
from kt_models.jit import kernel
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.recording import Recording
from kt_models.result import Result

Begin = Literal["random", "lookahead", "forks", "none"]
Rule = Literal["wander", "nearer", "least"]
WANDER, NEARER, LEAST_WAYS = range(3)
CODES: dict[Rule, int] = {"wander": WANDER, "nearer": NEARER, "least": LEAST_WAYS}
"""Numbers of the rules in the compiled loop."""
STEP_KINDS = ("extend", "open", "nearer", "turn", "reverse")
"""Kinds of steps; `nearer` is a turn that brings the tail nearer to the head, `turn` any other one."""
MAX_STEPS_IN_VAIN = 300
"""Turns without a gain after which the path is walked the other way."""


def euler(
    problem: Problem,
    *,
    limits: Limits = NO_LIMITS,
    watch: Recording | None = None,
    begin: Begin = "forks",
    rule: Rule = "wander",
    origin: str = "",
    turns: int = 0,
    tries: int = 100,
) -> Result:
    """Close and complete paths from random starts by turning their ends, until one is a tour.

    Parameters
    ----------
    begin
        The rule for the first path: a tie-break of `warnsdorff`, or `none`, at random.
    rule
        The rule for turns: see the module.
    origin
        The only vertex to start from, by name.
    turns
        Turns allowed to each path; 0 for 1000 and one for each vertex.
    tries
        Most paths.

    Returns
    -------
    Result
        Statistics: paths begun (`tries`); `nearer`, `turn`, `open` and `extend` count the steps of all of them, and
        `missed` is the number of cells that the last path missed at first.
    """
    if turns < 0 or tries < 1:
        raise KTError("parameter turns is not negative and tries is positive")
    count: dict[str, int | float] = dict.fromkeys(("tries", "missed", *STEP_KINDS), 0)
    instance = simple_graph_or_result(problem)
    if isinstance(instance, Result):
        return instance
    rng = np.random.default_rng(limits.seed)
    walker = Walker(instance, begin, rng, start=origin)
    for _ in range(tries):
        if limits.over:
            break
        walker.walk(int(rng.integers(len(walker.openings))), hopeless=False)
        path = EulerPath(walker, rng, turns or 1000 + instance.graph.n, limits, rule)
        count["tries"] += 1
        count["missed"] = instance.graph.n - path.length
        if watch is not None:
            _record(watch, path, "begin")
        for kind in path.steps():
            count[kind] += 1
            if watch is not None:
                _record(watch, path, kind)
        if path.complete:
            return Result(problem, "feasible", instance.lift(path.path), statistics=count)
    return Result(problem, "unknown", statistics=count)


def _record(steps: Recording, path: EulerPath, kind: str) -> None:
    """Add a step: the path after it, with its head and its tail."""
    walk = path.path[: path.length].tolist()
    names = [steps.name(v) for v in walk]
    missing = len(path.path) - path.length
    text = {
        "begin": f"A walk by Warnsdorff's rule from {names[0]} to {names[-1]}; cells that it misses: {missing}.",
        "extend": f"Extend: the tail goes on to {names[-1]}, which was missing.",
        "open": f"Open: the path is re-entrant, and is opened so that its tail {names[-1]} is beside a missing cell.",
        "nearer": f"Turn: the end is reversed, and the new tail {names[-1]} is nearer to the head {names[0]}.",
        "turn": f"Turn: the end is reversed, and the new tail is {names[-1]}, though it is no nearer to {names[0]}.",
        "reverse": f"The path is walked the other way: its head is {names[0]} now.",
    }[kind]
    steps.record(text, path=walk, cells=(walk[0], walk[-1]), marks={walk[0]: "head", walk[-1]: "tail"})


class EulerPath:
    """The path of a walker while it is completed."""

    def __init__(
        self, walker: Walker, rng: np.random.Generator, turns: int, limits: Limits, rule: Rule = "wander"
    ) -> None:
        graph = walker.instance.graph
        self._rule = CODES[rule]
        self._csr = graph.indptr, graph.neighbours
        self._turns, self._limits = turns, limits
        self.path, self.length = walker.path.copy(), walker.length
        self._place = np.full(graph.n, -1, dtype=np.int32)
        self._place[self.path[: self.length]] = np.arange(self.length)
        self._away = np.empty(graph.n, dtype=np.int32)
        self._stamp = np.zeros(graph.n, dtype=np.int64)
        self._state = random_state(rng)

    @property
    def closed(self) -> bool:
        """Whether the tail is a move away from the head."""
        return self.length > 2 and bool(adjacent(*self._csr, self.path[0], self.path[self.length - 1]))

    @property
    def complete(self) -> bool:
        return self.length == len(self.path) and self.closed

    def steps(self) -> Iterator[str]:
        """Make the steps, one at a time; yield their kinds."""
        used = idle = 0
        _distances(*self._csr, self.path[0], self._away)
        while not self.complete and used < self._turns and not self._limits.over:
            if self.length < len(self.path) and _extend(*self._csr, self.path, self._place, self.length):
                self.length += 1
                idle = 0
                yield "extend"
                continue
            if self.closed:  # There are missing cells.
                _open(*self._csr, self.path, self._place, self.length, self._state)
                _distances(*self._csr, self.path[0], self._away)
                idle = 0
                yield "open"
                continue
            if self._rule == WANDER and idle >= MAX_STEPS_IN_VAIN:
                self.path[: self.length] = self.path[: self.length][::-1].copy()
                self._place[self.path[: self.length]] = np.arange(self.length)
                _distances(*self._csr, self.path[0], self._away)
                idle = 0
                yield "reverse"
                continue
            used += 1
            idle += 1
            kind = int(
                _turn(
                    *self._csr,
                    self._rule,
                    self.path,
                    self._place,
                    self.length,
                    self._away,
                    self._stamp,
                    used,
                    self._state,
                )
            )
            if kind == 0:
                return
            yield "nearer" if kind == 1 else "turn"


@kernel("void(int64[::1], int32[::1], int64, int32[::1])")
def _distances(indptr, neighbours, source, away):  # type: ignore[no-untyped-def]
    """The number of moves from a vertex to every other."""
    n = len(away)
    away[:] = n
    away[source] = 0
    queue = np.empty(n, dtype=np.int32)
    queue[0] = source
    size, done = 1, 0
    while done < size:
        u = queue[done]
        done += 1
        for slot in range(indptr[u], indptr[u + 1]):
            v = neighbours[slot]
            if away[v] == n:
                away[v] = away[u] + 1
                queue[size] = v
                size += 1


@kernel("boolean(int64[::1], int32[::1], int32[::1], int32[::1], int64)")
def _extend(indptr, neighbours, path, place, length):  # type: ignore[no-untyped-def]
    """Continue to the missing neighbour of the tail with the fewest missing neighbours; return whether there is one."""
    tail = path[length - 1]
    best, fewest_ways = -1, 0
    for slot in range(indptr[tail], indptr[tail + 1]):
        v = neighbours[slot]
        if place[v] >= 0:
            continue
        # Warnsdorff's rule for the missing part: a vertex with few missing neighbours is hard to reach later.
        ways = 0
        for beyond in range(indptr[v], indptr[v + 1]):
            ways += place[neighbours[beyond]] < 0
        if best < 0 or ways < fewest_ways:
            best, fewest_ways = v, ways
    if best < 0:
        return False
    path[length] = best
    place[best] = length
    return True


@kernel("void(int64[::1], int32[::1], int32[::1], int32[::1], int64, uint64[::1])")
def _open(indptr, neighbours, path, place, length, state):  # type: ignore[no-untyped-def]
    """Rotate the ring so that its tail is adjacent to a missing vertex, the first such place after a random one."""
    # A random start makes repeated failures at the same place unlikely.
    offset = below(state, length)
    cut = -1
    for k in range(length):
        i = (offset + k) % length
        for slot in range(indptr[path[i]], indptr[path[i] + 1]):
            if place[neighbours[slot]] < 0:
                cut = i
                break
        if cut >= 0:
            break
    # The path is a cycle here, so it may be opened at any of its edges; positions must be written anew in all cases.
    ring = path[:length].copy()
    for k in range(length):
        path[k] = ring[(cut + 1 + k) % length]
        place[path[k]] = k


@kernel(
    "int64(int64[::1], int32[::1], int64, int32[::1], int32[::1], int64, int32[::1], int64[::1], int64, uint64[::1])"
)
def _turn(indptr, neighbours, rule, path, place, length, away, stamp, clock, state):  # type: ignore[no-untyped-def]
    """Turn the end of the path: 1 if the tail comes nearer to the head, 2 if not, 0 if the rule allows no turn."""
    tail = path[length - 1]
    best, least, ties = -1, 0, 0
    oldest, eldest, even = -1, 0, 0
    for slot in range(indptr[tail], indptr[tail + 1]):
        k = place[neighbours[slot]]
        # k is the place of a neighbour of the tail. The turn reverses what follows it, so the vertex at k + 1 becomes
        # the tail. The last two places are useless: they are the tail itself and the vertex before it.
        if k < 0 or k >= length - 2:
            continue
        v = path[k + 1]
        if rule == LEAST_WAYS or away[v] < away[tail]:
            if best < 0 or away[v] < least:
                best, least, ties = k, away[v], 1
            elif away[v] == least:
                ties += 1
                # Keeping the i-th tie with probability 1/i picks each with the same probability, without a list of
                # ties.
                if below(state, ties) == 0:
                    best = k
        if oldest < 0 or stamp[v] < eldest:
            oldest, eldest, even = k, stamp[v], 1
        elif stamp[v] == eldest:
            even += 1
            if below(state, even) == 0:
                oldest = k
    # The tail has only one neighbour on the path, or none that is as near.
    if oldest < 0 or (rule == NEARER and best < 0):
        return 0
    stamp[tail] = clock
    # One turn in eight of the rule WANDER takes the oldest instead, unless the best one brings the tail next to the
    # head.
    chosen = best >= 0 and (rule != WANDER or away[path[best + 1]] == 1 or below(state, 8) > 0)
    turn = best if chosen else oldest
    nearer = chosen and away[path[turn + 1]] < away[tail]
    i, j = turn + 1, length - 1
    while i < j:
        path[i], path[j] = path[j], path[i]
        i += 1
        j -= 1
    for k in range(turn + 1, length):
        place[path[k]] = k
    return 1 if nearer else 2


METHOD = Method(
    euler,
    "Rotate the end of an open tour until it closes, and insert missed cells (Euler 1759).",
    presets={"paper": {"begin": "random", "rule": "nearer"}},
)
