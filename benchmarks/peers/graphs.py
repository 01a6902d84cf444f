"""Graphs for measurements, in families, each with a known answer.

The graphs without a board resemble those in collections of hard instances: generalized Petersen graphs, graphs with few
Hamiltonian cycles or exactly one, snarks with an added edge, sparse graphs with long chains, and graphs glued from
pieces. The answer for a graph is a theorem, named where it is used, or the graph was made around a cycle.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np

from benchmarks.peers.not_tough import FAMILIES as NOT_TOUGH
from kt_models import graph_of
from kt_models.graph import MoveGraph
from kt_models.leaper import Leaper

Pairs = list[tuple[int, int]]


@dataclass(frozen=True)
class KnownGraph:
    """A graph for measurements; the graphs of a family come in order of size.

    Parameters
    ----------
    name, family
        Its name, and the name of its family.
    draw
        The function that makes it.
    hamiltonian
        Whether it has a Hamiltonian cycle.
    file
        The file that `draw` reads; empty if it makes the graph.
    """

    name: str
    family: str
    draw: Callable[[], MoveGraph]
    hamiltonian: bool = True
    file: str = ""


def relabelled(pairs: Pairs, name: str) -> MoveGraph:
    """The graph with these edges, whose vertices are numbered at random, so that the numbers do not show a cycle."""
    n = 1 + max(map(max, pairs))
    order = np.random.default_rng(1).permutation(n)
    return MoveGraph.from_edges(n, order[np.array(pairs)], name)


# -- generalized Petersen graphs and snarks ----------------------------------------------------------------------------


def petersen(n: int) -> Pairs:
    """The generalized Petersen graph GP(n,2), of 2n vertices.

    It has no Hamiltonian cycle if and only if n = 5 mod 6 (Alspach 1983), and exactly three if n = 3 mod 6 (Schwenk
    1989): the pairs of colours of its only edge colouring, so that two of them go through each edge.
    """
    rim = [(i, (i + 1) % n) for i in range(n)]
    return [*rim, *((i, n + i) for i in range(n)), *((n + i, n + (i + 2) % n) for i in range(n))]


def flower_snark(k: int) -> Pairs:
    """Isaacs' flower snark of 4k vertices, k odd, which has no Hamiltonian cycle.

    Star i has the centre 4i, joined to 4i + 1, 4i + 2 and 4i + 3. The first of these make a cycle of length k, the
    others one of length 2k.
    """
    pairs = [(4 * i, 4 * i + leaf) for i in range(k) for leaf in (1, 2, 3)]
    for i in range(k):
        following, crossed = 4 * ((i + 1) % k), i == k - 1
        pairs += [(4 * i + leaf, following + (5 - leaf if crossed and leaf > 1 else leaf)) for leaf in (1, 2, 3)]
    return pairs


def snark_and_edge(k: int) -> Pairs:
    """A flower snark, k > 3, and one more edge; any added edge makes it Hamiltonian (Clark and Entringer 1983)."""
    return [*flower_snark(k), (0, 4 * (k // 2))]


# -- few Hamiltonian cycles, or one ------------------------------------------------------------------------------------


def without_edge(pairs: Pairs) -> Pairs:
    """A graph without its first edge: if it had three cycles, two of them through each edge, one is left."""
    return pairs[1:]


def expanded_triangles(n: int) -> Pairs:
    """A cubic graph of n vertices with exactly three Hamiltonian cycles, two of them through each edge.

    It begins with two vertices joined by three edges. Again and again a vertex becomes a triangle, and a cycle through
    the vertex passes the triangle in exactly one way.
    """
    rng = np.random.default_rng(n)
    near = [[1, 1, 1], [0, 0, 0]]
    while len(near) < n:
        vertex, first = int(rng.integers(len(near))), len(near)
        for new, partner in ((first, first + 1), (first + 1, first)):
            old = near[vertex][new - first + 1]
            near[old][near[old].index(vertex)] = new
            near.append([old, vertex, partner])
        near[vertex][1:] = [first, first + 1]
    return [(u, v) for u, around in enumerate(near) for v in around if u < v]


def sheehan(n: int) -> Pairs:
    """A graph with exactly one Hamiltonian cycle and as many edges as is then possible, ⌊n²/4⌋ + 1 (Sheehan 1977).

    On the cycle 0, 1, ..., n - 1 every vertex at an odd place is joined to all later ones. The only neighbours of
    vertex 0 are 1 and n - 1. Then only 0 and 2 are left for 1, so 1 and 3 for 2, and so on: the cycle is forced.
    """
    rim = [(i, (i + 1) % n) for i in range(n)]
    return rim + [(i, j) for i in range(1, n, 2) for j in range(i + 2, n)]


# -- glued, or with chains ---------------------------------------------------------------------------------------------


def planted(n: int) -> Pairs:
    """A cubic graph of n vertices: a cycle, the first n edges, and a random matching."""
    rng = np.random.default_rng(n)
    rows = rng.permutation(n).reshape(-1, 2)
    while (near := np.flatnonzero(np.isin((rows[:, 0] - rows[:, 1]) % n, (1, n - 1)))).size:
        for row in near.tolist():  # It repeats an edge of the cycle, so it exchanges partners with another one.
            swapped = int(rng.integers(len(rows)))
            rows[[row, swapped], 1] = rows[[swapped, row], 1]
    return [*((i, (i + 1) % n) for i in range(n)), *((u, v) for u, v in rows.tolist())]


def chains(n: int, length: int) -> Pairs:
    """A planted cubic graph; every fifth edge of its cycle becomes a chain with `length` inner vertices."""
    pairs, top = planted(n), n
    for edge in range(0, n, 5):
        u, v = pairs[edge]
        chain = [u, *range(top, top + length), v]
        top += length
        pairs[edge] = (chain[0], chain[1])
        pairs += pairwise(chain[1:])
    return pairs


def necklace(pieces: int, piece: Pairs) -> Pairs:
    """A ring of copies of a graph: the first edge of each is cut, and its ends are joined to those of the next copy."""
    size, ((u, v), *rest) = 1 + max(map(max, piece)), piece
    pairs = [(size * i + a, size * i + b) for i in range(pieces) for a, b in rest]
    return pairs + [(size * i + v, size * ((i + 1) % pieces) + u) for i in range(pieces)]


FRAGMENT = (
    *((0, 3), (0, 7), (1, 4), (1, 8), (2, 5), (2, 8), (3, 4), (3, 14), (4, 10), (5, 6), (5, 13), (6, 7), (6, 12)),
    *((7, 14), (8, 9), (9, 10), (9, 13), (10, 11), (11, 12), (11, 14), (12, 13)),
)
"""Tutte's fragment (1946), 15 vertices: a path through all of them from one of its corners 0, 1, 2 to another has to
begin or to end at 0."""


def with_fragments(n: int) -> Pairs:
    """A planted cubic graph with Tutte's fragment for every vertex; its corner 0 has an edge of the cycle."""
    pairs = planted(n)
    pairs = pairs[:n:2] + pairs[1:n:2] + pairs[n:]  # One edge of the cycle comes first at every vertex.
    corner = [0] * n
    joints = []
    for u, v in pairs:
        joints.append((15 * u + corner[u], 15 * v + corner[v]))
        corner[u] += 1
        corner[v] += 1
    return joints + [(15 * u + a, 15 * u + b) for u in range(n) for a, b in FRAGMENT]


SMALL = (
    *("8×8", "12×12", "20×20", "Aztec 5", "Aztec 10", "4×4×4", "giraffe 20×20", "random 3-regular, 100"),
    *("random 3-regular, 1000", "GP(50,2)", "GP(500,2)", "GP(51,2), three", "GP(51,2) - e, one", "snark 25 + e"),
    *("triangles 100, three", "Sheehan 100, one", "chains 100×10", "necklace 5×GP(9,2)", "fragments 6"),
    *("GP(17,2), none", "GP(53,2), none", "Tutte's graph, none", "4×20, none", "Meredith's graph, none"),
    *("10 snarks, none", "planted triangles 40, none", "Tutte inflated 1, none", "behind a cut 240, none"),
    *("glued 100, none", "planted cuts 100, none", "small parts 100, none", "complete 300", "G(300,½)"),
)
"""Instances that take a few minutes together."""


# -- none, behind small cuts -------------------------------------------------------------------------------------------


def meredith() -> Pairs:
    """Meredith's graph (1973), of 70 vertices, 4-regular and 4-connected, which has no Hamiltonian cycle.

    Each vertex of the Petersen graph becomes a complete bipartite graph of four and three vertices. Each of the four
    has one edge outside; the spokes are doubled.
    """
    pairs = [(7 * v + i, 7 * v + j) for v in range(10) for i in range(4) for j in range(4, 7)]
    corner = [0] * 10
    for u, v in petersen(5) + [(i, i + 5) for i in range(5)]:
        pairs.append((7 * u + corner[u], 7 * v + corner[v]))
        corner[u] += 1
        corner[v] += 1
    return pairs


def dot_product(first: Pairs, second: Pairs, rng: random.Random) -> Pairs:
    """Isaacs' dot product (1975) of two snarks, which is a snark: a 4-edge cut between them.

    Two edges of the first that do not meet are removed, and two adjacent vertices of the second. The four ends are
    joined to the four neighbours.
    """
    (a, b), (c, d) = rng.sample(first, 2)
    while len({a, b, c, d}) < 4:
        (a, b), (c, d) = rng.sample(first, 2)
    x, y = rng.choice(second)
    after = 1 + max(map(max, first))
    left = [v for v in range(1 + max(map(max, second))) if v not in (x, y)]
    number = {v: after + i for i, v in enumerate(left)}
    near = {v: [w for pair in second if v in pair for w in pair if w not in (x, y)] for v in (x, y)}
    rng.shuffle(near[x])
    joints = zip((a, b, c, d), near[x] + near[y], strict=True)
    kept = [pair for pair in first if pair not in ((a, b), (c, d))]
    inner = [(number[u], number[v]) for u, v in second if u in number and v in number]
    return kept + inner + [(u, number[v]) for u, v in joints]


def dot_products(count: int) -> Pairs:
    """The dot product of `count` snarks, each of Petersen's or a flower snark: it has no Hamiltonian cycle.

    If it had one, so would the first factor. A cycle passes the rest of the second factor like one of the two edges, or
    like both; otherwise it would close to a Hamiltonian cycle of that factor.
    """
    rng = random.Random(count)
    pairs = petersen(5)
    for _ in range(count - 1):
        pairs = dot_product(pairs, rng.choice((petersen(5), flower_snark(5), flower_snark(7))), rng)
    return pairs


def faces_with_triangles(n: int, extra: int = 10) -> Pairs:
    """A Delaunay triangulation of n random points, with a triangle in each of n + extra of its faces.

    The removal of the n points leaves n + extra components, so there is no Hamiltonian cycle.
    """
    from scipy.spatial import Delaunay

    rng = np.random.default_rng(n)
    faces = Delaunay(rng.random((n, 2))).simplices
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [0, 2]]]), axis=1)
    pairs = [(u, v) for u, v in np.unique(edges, axis=0).tolist()]
    for place, face in enumerate(rng.permutation(len(faces))[: n + extra].tolist()):
        corners, (x, y, z) = faces[face].tolist(), range(n + 3 * place, n + 3 * place + 3)
        pairs += [(x, y), (y, z), (x, z)]
        pairs += [
            pair
            for c, inner in zip(corners, ((x, y), (y, z), (z, x)), strict=True)
            for pair in ((c, inner[0]), (c, inner[1]))
        ]
    return pairs


def inflated(pairs: Pairs, rng: random.Random, share: float = 1.0) -> Pairs:
    """A cubic graph in which some vertices become a triangle or a complete bipartite graph of three and two vertices.

    A cycle passes either like a vertex, so there is a Hamiltonian cycle if and only if there was one before.
    """
    made, top, free = [], 0, []
    for _ in range(1 + max(map(max, pairs))):
        if rng.random() >= share:
            ports = [top] * 3
        else:
            ports = [top, top + 1, top + 2]
            if rng.random() < 0.5:
                made += [(top, top + 1), (top + 1, top + 2), (top, top + 2)]
            else:
                made += [(port, top + target) for port in ports for target in (3, 4)]
        free.append(ports)
        top = 1 + max(map(max, [*made[-6:], ports]))
    return made + [(free[u].pop(), free[v].pop()) for u, v in pairs]


def behind_a_cut(n: int) -> Pairs:
    """A random cubic graph of n vertices, with the Petersen graph less a vertex in place of one of them.

    No cycle passes that piece completely, since it would be a Hamiltonian cycle of the Petersen graph.
    """
    import networkx

    corners = [1, 4, 5]  # The neighbours of its vertex 0.
    outer = [
        (corners.pop() if u == 0 else u + 9, v + 9) if u == 0 or v else (u + 9, corners.pop())
        for u, v in networkx.random_regular_graph(3, n, seed=n).edges
    ]
    inner = [(u, v) for u, v in petersen(5) if u and v]
    return [(u - 1, v - 1) for u, v in inner + outer]


def not_tough(name: str, n: int) -> Pairs:
    """A graph of a family of `benchmarks.peers.not_tough`, of about n vertices."""
    return sorted(NOT_TOUGH[name](n, random.Random(n))[1])


# -- dense -------------------------------------------------------------------------------------------------------------


def dense(n: int, share: float) -> Pairs:
    """A random graph with this share of all edges; for 1, the complete graph."""
    rng = random.Random(n)
    return [pair for pair in combinations(range(n), 2) if rng.random() < share]


# -- all of them -------------------------------------------------------------------------------------------------------


def instances() -> list[KnownGraph]:
    """All graphs, the small ones of a family first."""
    rows = [KnownGraph(f"{n}×{n}", "n×n", partial(graph_of, f"{n}x{n}")) for n in (8, 12, 20, 30, 50, 100)]
    rows += [KnownGraph(f"Aztec {r}", "Aztec", partial(graph_of, f"aztec:{r}")) for r in (5, 10, 20, 40)]
    rows += [KnownGraph(f"{n}×{n}×{n}", "box", partial(graph_of, f"{n}x{n}x{n}")) for n in (4, 6, 8)]
    rows += [KnownGraph(f"giraffe {n}×{n}", "giraffe", partial(graph_of, f"{n}x{n}", Leaper(1, 4))) for n in (20, 30)]
    for degree in (3, 4):
        for n in (100, 1000, 10_000):
            rows.append(KnownGraph(f"random {degree}-regular, {n}", f"{degree}-regular", partial(regular, degree, n)))
    made: list[tuple[str, str, Callable[[], Pairs], bool]] = [
        *((f"GP({n},2)", "Petersen", partial(petersen, n), True) for n in (50, 500, 5000)),
        *((f"GP({n},2), three", "Petersen, three", partial(petersen, n), True) for n in (51, 501, 4995)),
        *(
            (f"GP({n},2) - e, one", "Petersen, one", lambda n=n: without_edge(petersen(n)), True)
            for n in (51, 501, 4995)
        ),
        *((f"GP({n},2), none", "Petersen, none", partial(petersen, n), False) for n in (17, 53, 101, 497)),
        *((f"snark {k} + e", "snark", partial(snark_and_edge, k), True) for k in (25, 251, 1001, 2501)),
        *((f"triangles {n}, three", "triangles", partial(expanded_triangles, n), True) for n in (100, 1000, 10_000)),
        *(
            (f"triangles {n} - e, one", "triangles, one", lambda n=n: without_edge(expanded_triangles(n)), True)
            for n in (100, 1000, 10_000)
        ),
        *((f"Sheehan {n}, one", "Sheehan", partial(sheehan, n), True) for n in (30, 100, 909)),
        *((f"planted {n}", "planted", partial(planted, n), True) for n in (100, 1000, 10_000)),
        *((f"chains {n}×{k}", "chains", partial(chains, n, k), True) for n, k in ((100, 10), (200, 50), (1000, 45))),
        *((f"necklace {k}×GP(9,2)", "necklace", lambda k=k: necklace(k, petersen(9)), True) for k in (5, 50, 500)),
        *((f"fragments {n}", "fragments", partial(with_fragments, n), True) for n in (6, 60, 600)),
        *((f"complete {n}", "complete", partial(dense, n, 1.0), True) for n in (300, 1000)),
        *((f"G({n},½)", "half of all edges", partial(dense, n, 0.5), True) for n in (300, 1000)),
    ]
    rows += [
        KnownGraph(name, family, partial(_relabelled_graph, pairs, name), answer)
        for name, family, pairs, answer in made
    ]
    without: list[tuple[str, str, Callable[[], Pairs]]] = [
        ("Meredith's graph, none", "Meredith", meredith),
        *((f"{k} snarks, none", "dot products", partial(dot_products, k)) for k in (10, 30, 60)),
        *((f"planted triangles {n}, none", "triangles in faces", partial(faces_with_triangles, n)) for n in (40, 300)),
        *((f"Tutte inflated {k}, none", "inflated", partial(inflated_tutte, k)) for k in (1, 2)),
        *((f"behind a cut {n}, none", "behind a cut", partial(behind_a_cut, n)) for n in (240, 2400)),
        *((f"glued {n}, none", "glued", partial(not_tough, "glued", n)) for n in (100, 400, 5000)),
        *((f"planted cuts {n}, none", "planted cuts", partial(not_tough, "planted", n)) for n in (100, 400, 5000)),
        *((f"small parts {n}, none", "small parts", partial(not_tough, "small parts", n)) for n in (100, 400, 5000)),
    ]
    rows += [
        KnownGraph(name, family, partial(_relabelled_graph, pairs, name), False) for name, family, pairs in without
    ]
    rows.append(KnownGraph("Tutte's graph, none", "Tutte", partial(_relabelled_graph, tutte, "Tutte's graph"), False))
    rows += [
        KnownGraph(f"{text.replace('x', '×')}, none", text, partial(graph_of, text), False) for text in ("3x8", "4x20")
    ]
    return rows


def family_of(stem: str) -> str:
    """What the name of a published file begins with, up to the first digit or underscore."""
    return re.split(r"[\d_]", stem)[0]


def published(path: str) -> KnownGraph:
    """A graph with a Hamiltonian cycle that a file has."""
    stem = Path(path).stem
    return KnownGraph(stem, family_of(stem), partial(graph_of, path), file=path)


def regular(degree: int, n: int) -> MoveGraph:
    """A random regular graph."""
    import networkx

    return relabelled(list(networkx.random_regular_graph(degree, n, seed=1).edges), f"random {degree}-regular, {n}")


def tutte() -> Pairs:
    """Tutte's graph, of 46 vertices, planar, cubic and without a Hamiltonian cycle: three fragments around a vertex."""
    spokes = [(45, 15 * i) for i in range(3)]
    joints = [(15 * i + 1, 15 * ((i + 1) % 3) + 2) for i in range(3)]
    return spokes + joints + [(15 * i + a, 15 * i + b) for i in range(3) for a, b in FRAGMENT]


def inflated_tutte(times: int) -> Pairs:
    """Tutte's graph, inflated `times` times."""
    pairs, rng = tutte(), random.Random(times)
    for _ in range(times):
        pairs = inflated(pairs, rng)
    return pairs


def _relabelled_graph(draw: Callable[[], Pairs], name: str) -> MoveGraph:
    return relabelled(draw(), name)
