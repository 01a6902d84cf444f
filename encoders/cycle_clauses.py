"""The number of cycles of a choice of edges, as clauses.

Each cycle has a direction and a root, its least vertex. The vertices of a cycle carry the number of its root, so that
it has at most one, and count the steps from it, so that it has at least one. A sequential counter counts the roots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from kt_models.conditions.cycles import LEAST, Cycles
from kt_models.errors import TooLarge
from kt_models.problem import Problem

MAX_CLAUSES = 4_000_000
ClauseList = list[list[int]]


def cycle_clauses(
    problem: Problem, condition: Cycles, edge: Sequence[int], new: Callable[[], int], check: Callable[[], None]
) -> ClauseList:
    """ClauseList that make the chosen edges a number of cycles, over the variables of edges and new ones.

    Raises
    ------
    TooLarge
        Above `MAX_CLAUSES`.
    """
    graph, n, count = problem.graph, problem.graph.n, condition.count
    if n < LEAST * count or (condition.equal and n % count):
        return [[]]
    longest = n // count if condition.equal else n - LEAST * (count - 1)
    label_bits, step_bits = max(1, (n - 1).bit_length()), max(1, (longest - 1).bit_length())
    size = graph.m * (2 * label_bits + 10 * step_bits) + 4 * n * (count + 1)
    if size > MAX_CLAUSES:
        raise TooLarge(f"{graph.name}: {size:,} clauses for {count} cycles, over the limit of {MAX_CLAUSES:,}")
    root = [new() for _ in range(n)]
    label = [[new() for _ in range(label_bits)] for _ in range(n)]
    step = [[new() for _ in range(step_bits)] for _ in range(n)]
    carry = [[new() for _ in range(step_bits)] for _ in range(n)]  # carry[v][i]: the bits up to i of the step are set
    clauses: ClauseList = []
    into: list[list[int]] = [[] for _ in range(n)]
    out: list[list[int]] = [[] for _ in range(n)]
    seen: dict[tuple[int, int], list[int]] = {}
    for e, (u, v) in enumerate(graph.ends.tolist()):
        check()
        there, back, x = new(), new(), edge[e]
        clauses += [[-there, x], [-back, x], [-x, there, back], [-there, -back]]
        for bit in range(label_bits):
            a, b = label[u][bit], label[v][bit]
            clauses += [[-x, -a, b], [-x, a, -b]]
        for arc, tail, head in ((there, u, v), (back, v, u)):
            out[tail].append(arc)
            into[head].append(arc)
            clauses += _step(arc, step[tail], carry[tail], step[head], root[head])
            if condition.equal:
                clauses += [[-arc, -root[head], y] for y in _equals(step[tail], longest - 1)]
        seen.setdefault((min(u, v), max(u, v)), []).append(x)
    for parallel in seen.values():
        clauses += [[-x, -y] for x, y in combinations(parallel, 2)]
    for v in range(n):
        check()
        for arcs in (into[v], out[v]):
            clauses += [arcs, *([-x, -y] for x, y in combinations(arcs, 2))]
        clauses += [[-root[v], y] for y in _equals(label[v], v)]
        clauses.append([root[v], *(-y for y in _equals(label[v], v))])
        clauses += [[-root[v], -bit] for bit in step[v]]
        # The number of the root is at most v.
        set_bits = [bit for bit in range(label_bits) if v >> bit & 1]
        clauses += [
            [-label[v][bit], *(-label[v][set_bit] for set_bit in set_bits if set_bit > bit)]
            for bit in range(label_bits)
            if not v >> bit & 1
        ]
        for bit in range(step_bits):
            before = [carry[v][bit - 1]] if bit else []
            clauses += [[-carry[v][bit], y] for y in (*before, step[v][bit])]
            clauses.append([carry[v][bit], *(-y for y in (*before, step[v][bit]))])
    return clauses + _exactly(root, count, new)


def _equals(bits: Sequence[int], number: int) -> list[int]:
    """Literals that all hold if bits are those of a number."""
    return [x if number >> bit & 1 else -x for bit, x in enumerate(bits)]


def _step(arc: int, tail: Sequence[int], carry: Sequence[int], head: Sequence[int], root: int) -> ClauseList:
    """Along an arc, unless it leads to a root, the number of steps grows by one."""
    clauses = [[-arc, root, -carry[-1]]]
    for bit, (x, y) in enumerate(zip(tail, head, strict=True)):
        if not bit:
            clauses += [[-arc, root, x, y], [-arc, root, -x, -y]]
            continue
        c = carry[bit - 1]
        clauses += [[-arc, root, c, -x, y], [-arc, root, c, x, -y], [-arc, root, -c, x, y], [-arc, root, -c, -x, -y]]
    return clauses


def _exactly(literals: Sequence[int], count: int, new: Callable[[], int]) -> ClauseList:
    """Exactly `count` of the literals hold: `before[j]` says that at least j + 1 of the first ones do."""
    clauses: ClauseList = []
    before: list[int] = []
    for k, x in enumerate(literals):
        now = [new() for _ in range(min(k + 1, count + 1))]
        for j, y in enumerate(now):
            old = before[j] if j < len(before) else None
            less = before[j - 1] if j else None  # None: at least 0 always hold
            clauses += [[-old, y]] if old is not None else []
            clauses.append([-x, y] if less is None else [-x, -less, y])
            clauses.append([-y, x] if old is None else [-y, old, x])
            if less is not None:
                clauses.append([-y, less] if old is None else [-y, old, less])
        before = now
    clauses.append([before[count - 1]])
    return clauses + ([[-before[count]]] if len(before) > count else [])
