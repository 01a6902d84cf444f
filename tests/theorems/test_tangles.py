"""Tangles beside the gluing of copies one by one, with no code of the checker."""

from __future__ import annotations

import math
from random import Random

import pytest

from kt_models.errors import CertificateError
from kt_models.limits import Limits, Stopped
from tests.effort import part_of
from theorems.growing_tours import tangle as module
from theorems.growing_tours.tangle import Tangle, count_cycles, powers


def some_tangle(random: Random, width: int) -> Tangle:
    """Any matching of the ports, with up to two loops."""
    ports = random.sample(range(2 * width), 2 * width)
    partner = [0] * (2 * width)
    for p, q in zip(ports[::2], ports[1::2], strict=True):
        partner[p], partner[q] = q, p
    return Tangle(tuple(partner), random.randrange(3))


def components(edges: list[tuple[object, object]]) -> int:
    """Number of components of a graph."""
    root: dict[object, object] = {}

    def find(node: object) -> object:
        while root.setdefault(node, node) != node:
            node = root[node]
        return node

    for a, b in edges:
        root[find(a)] = find(b)
    return len({find(node) for node in root})


def glued(rest: list[tuple[int, int]], slabs: list[tuple[Tangle, int]]) -> int:
    """How many cycles there are with so many copies of each tangle in a row."""
    edges: list[tuple[object, object]] = []
    outer: list[tuple[int, int, int]] = []  # By the number of a port of the rest: slab, copy and port
    loops = 0
    for which, (slab, copies) in enumerate(slabs):
        m = slab.width
        loops += copies * slab.loops
        for copy in range(copies):
            edges += [((which, copy, p), (which, copy, q)) for p, q in enumerate(slab.partner)]
            if copy:
                edges += [((which, copy - 1, m + k), (which, copy, k)) for k in range(m)]
        outer += [(which, 0, k) for k in range(m)] + [(which, copies - 1, m + k) for k in range(m)]
    edges += [(outer[p], outer[q]) for p, q in rest]
    return loops + components(edges)


def test_powers_are_copies_in_a_row() -> None:
    random = Random(1)
    grows = 0
    for _ in range(part_of(600)):
        slabs = [some_tangle(random, random.randint(1, 5)) for _ in range(random.randint(1, 3))]
        ports = random.sample(range(2 * sum(slab.width for slab in slabs)), 2 * sum(slab.width for slab in slabs))
        rest = list(zip(ports[::2], ports[1::2], strict=True))
        known = [powers(slab) for slab in slabs]
        grows += any(power.more for power in known)
        for _ in range(4):
            copies = [random.choice((1, 2, 3, 5, 8, 13)) for _ in slabs]
            predicted = count_cycles(rest, [power.power(n) for power, n in zip(known, copies, strict=True)])
            assert predicted == glued(rest, list(zip(slabs, copies, strict=True)))
    assert grows


def test_powers_repeat_from_where_they_say_and_not_before() -> None:
    random = Random(2)
    late = 0
    for _ in range(part_of(300)):
        slab = some_tangle(random, random.randint(1, 6))
        known = powers(slab)
        power, found = slab, [slab.partner]
        for _ in range(known.start + 1 + 2 * known.period):
            power = power.then(slab)
            found.append(power.partner)
        assert len({*found}) == known.start + known.period == len(known.terms)
        assert found[known.start] == found[known.start + known.period]
        assert known.power(len(found)) == power
        late += known.start > 0 or known.period > 1
    assert late


def test_a_tangle_that_takes_long_to_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ports are carried round circles of 2, 3, 5 and 7: their powers repeat after 210 copies."""
    sizes = (2, 3, 5, 7)
    to = [sum(sizes[:k]) + (at + 1) % size for k, size in enumerate(sizes) for at in range(size)]
    width = len(to)
    partner = [0] * (2 * width)
    for at, behind in enumerate(to):
        partner[at], partner[width + behind] = width + behind, at
    slab = Tangle(tuple(partner))
    assert (powers(slab).start, powers(slab).period) == (0, math.prod(sizes))
    monkeypatch.setattr(module, "MAX_POWERS", 200)
    with pytest.raises(CertificateError, match="do not repeat"):
        powers(slab)
    with pytest.raises(Stopped):
        powers(slab, Limits(0))


@pytest.mark.parametrize("partner", [(0,), (0, 1), (1, 0, 2), (1, 2, 0), (1, 0, 3, 3), (1, 0, 5, 2), (-1, 0)])
def test_other_pairings_than_matchings_are_refused(partner: tuple[int, ...]) -> None:
    with pytest.raises(CertificateError):
        Tangle(partner)


def test_ports_that_do_not_belong_together() -> None:
    first, second = Tangle((1, 0)), Tangle((2, 3, 0, 1))
    with pytest.raises(CertificateError):
        first.then(second)
    for rest in ([], [(0, 1), (2, 3)], [(0, 2)]):
        with pytest.raises(CertificateError):
            count_cycles(rest, [first])
    assert count_cycles([(0, 1)], [first]) == 1 and count_cycles([], []) == 0


def test_no_ports_at_all() -> None:
    """A part that nothing leads into has loops alone, so many for each copy."""
    loops = powers(Tangle((), 2))
    assert (loops.start, loops.period, loops.more) == (0, 1, 2)
    assert [count_cycles([], [loops.power(n)]) for n in (1, 2, 5)] == [2, 4, 10]
