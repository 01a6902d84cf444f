"""Metrics of graphs with positions, beside definitions that share no code with them, on points of all kinds.

Points on a small grid make many edges collinear, overlapping and touching; fractions and floats of 17 digits make
determinants too large for 64 bits.
"""

from __future__ import annotations

import json
import random
from decimal import Decimal, getcontext
from fractions import Fraction
from itertools import combinations, permutations
from math import gcd
from pathlib import Path

import numpy as np
import pytest

import kt
from kt_models import KTError, MoveGraph
from kt_models.determinants import minor_signs, parallel
from kt_models.kernel.certificates.certificate import digest
from kt_models.metrics import METRICS
from kt_models.metrics.angle import thousandths
from kt_models.positions import Positions, coordinate
from kt_models.problem import Problem
from kt_models.tour import Tour
from tests.effort import part_of

getcontext().prec = 60
Point = tuple[Fraction, ...]


# -- definitions -------------------------------------------------------------------------------------------------------


def direction(a: Point, b: Point) -> tuple[int, ...]:
    """The vector from a to b, divided by the greatest common divisor of its coordinates."""
    gaps = [q - p for p, q in zip(a, b, strict=True)]
    common = 1
    for gap in gaps:
        common = common * gap.denominator // gcd(common, gap.denominator)
    whole = [int(gap * common) for gap in gaps]
    return tuple(value // gcd(*whole) for value in whole)


def count_turns(points: list[Point]) -> int:
    n = len(points)
    ways = [direction(points[i], points[(i + 1) % n]) for i in range(n)]
    return sum(ways[i - 1] != ways[i] for i in range(n))


def meet_inside(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the open segments have a common point: s and t with a + s (b - a) = c + t (d - c), 0 < s, t < 1."""
    u, v, w = ([q - p for p, q in zip(x, y, strict=True)] for x, y in ((a, b), (c, d), (a, c)))
    rows = [(u[k], -v[k], w[k]) for k in range(len(u))]
    for i, j in combinations(range(len(u)), 2):
        (p, q, e), (r, s, f) = rows[i], rows[j]
        det = p * s - q * r
        if det:
            x, y = (e * s - q * f) / det, (p * f - e * r) / det
            return 0 < x < 1 and 0 < y < 1 and all(k[0] * x + k[1] * y == k[2] for k in rows)
    # Parallel: on one line if c is on it; then places along the first segment decide.
    axis = next(k for k in range(len(u)) if u[k])
    place = [(end[axis] - a[axis]) / u[axis] for end in (c, d)]
    if any(a[k] + place[0] * u[k] != c[k] for k in range(len(u))):
        return False
    return max(0, min(place)) < min(1, max(place))


def count_crossings(points: list[Point]) -> int:
    n = len(points)
    steps = [(points[i], points[(i + 1) % n]) for i in range(n)]
    return sum(meet_inside(*e, *f) for e, f in combinations(steps, 2))


def _rounded(number: Decimal) -> int:
    return int((number + Decimal("0.5")).to_integral_value(rounding="ROUND_FLOOR"))


def _decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


def sum_of_lengths(points: list[Point], decimals: int) -> int:
    n, total = len(points), 0
    for i in range(n):
        square = sum((q - p) ** 2 for p, q in zip(points[i], points[(i + 1) % n], strict=True))
        total += _rounded(_decimal(square).sqrt() * Decimal(10) ** decimals)
    return total


def arctangent(x: Decimal) -> Decimal:
    """By halving the argument and Taylor's series."""
    if x < 0:
        return -arctangent(-x)
    times = 0
    while x > Decimal("0.05"):
        x, times = x / (1 + (1 + x * x).sqrt()), times + 1
    total, power, k = Decimal(0), x, 1
    while abs(power) > Decimal(10) ** -58:
        total, power, k = total + power / k, -power * x * x, k + 2
    return total * 2**times


PI = 4 * arctangent(Decimal(1))


def turning(a: Point, b: Point, c: Point) -> int:
    """Turning angle at b in thousandths of a degree."""
    u, v = ([q - p for p, q in zip(x, y, strict=True)] for x, y in ((a, b), (b, c)))
    dot = sum(p * q for p, q in zip(u, v, strict=True))
    cross = sum((u[i] * v[j] - u[j] * v[i]) ** 2 for i, j in combinations(range(len(u)), 2))
    if not cross:
        return 0 if dot > 0 else 180_000
    angle = PI / 2 if not dot else arctangent(_decimal(cross).sqrt() / _decimal(dot))
    return _rounded((angle if angle > 0 else angle + PI) / PI * 180_000)


def sum_of_angles(points: list[Point]) -> int:
    n = len(points)
    return sum(turning(points[i - 1], points[i], points[(i + 1) % n]) for i in range(n))


# -- graphs ------------------------------------------------------------------------------------------------------------


def small(seed: int) -> tuple[MoveGraph, list[Point]]:
    """A random graph of five to seven points: on a small grid, fractions, floats of 17 digits, or in space."""
    rng = random.Random(seed)
    n, kind = rng.randint(5, 7), seed % 4
    if kind == 3:
        cells = rng.sample([(x, y, z) for x in range(3) for y in range(3) for z in range(3)], n)
        rows = [[float(c) for c in cell] for cell in cells]
    else:
        cells = rng.sample([(x, y) for x in range(4) for y in range(3)], n)
        stretch = {0: 1, 1: Fraction(1, 3), 2: rng.random()}[kind]
        far = [1e6 * rng.random() * (rng.random() < 0.2) for _ in cells]
        rows = [
            [c if kind == 0 else str(c * stretch) if kind == 1 else c * stretch + far[i] for c in cell]
            for i, cell in enumerate(cells)
        ]
    pairs = [pair for pair in combinations(range(n), 2) if rng.random() < 0.8]
    graph = kt.graph(points=rows, edges=pairs)
    assert graph.positions is not None
    return graph, [graph.positions.point(v) for v in range(n)]


def tours(graph: MoveGraph) -> list[tuple[int, ...]]:
    near = {frozenset(pair) for pair in graph.ends.tolist()}
    orders = ((0, *rest) for rest in permutations(range(1, graph.n)) if rest[0] < rest[-1])
    return [order for order in orders if all(frozenset((order[i - 1], order[i])) in near for i in range(graph.n))]


DEFINITIONS = {
    "turns": count_turns,
    "crossings": count_crossings,
    "angle": sum_of_angles,
}


def values_of(graph: MoveGraph, points: list[Point], metric: str) -> dict[tuple[int, ...], int]:
    decimals = graph.positions.decimals if graph.positions else 0
    if metric == "length":
        return {order: sum_of_lengths([points[v] for v in order], decimals) for order in tours(graph)}
    return {order: DEFINITIONS[metric]([points[v] for v in order]) for order in tours(graph)}


@pytest.mark.parametrize("metric", ["turns", "crossings", "angle", "length"])
def test_every_tour_has_the_value_of_the_definition(metric: str) -> None:
    """All tours of 240 graphs (a part of them by default), each measured by the table of the graph and by itself."""
    for seed in range(part_of(240)):
        graph, points = small(seed)
        problem = Problem(graph, objective=metric)
        table, decimals = METRICS[metric].weights(graph, None), graph.positions.decimals
        wanted = {"length": decimals, "angle": 3}.get(metric, 0)
        for order, value in values_of(graph, points, metric).items():
            tour = Tour.of(graph, np.array(order), True)
            scaled = value * 10 ** max(0, -wanted)
            assert table.cost(tour.edges) * 10 ** max(0, wanted - table.decimals) == scaled, (seed, order)
            assert Fraction(str(tour.measure(metric))) == Fraction(value, 1) / Fraction(10) ** wanted, (seed, order)
        assert problem.objective_name == metric


@pytest.mark.parametrize("metric", ["turns", "crossings", "angle", "length"])
def test_the_least_value_is_that_of_all_tours(metric: str) -> None:
    for seed in range(part_of(24)):
        graph, points = small(seed)
        values = values_of(graph, points, metric)
        result = kt.solve(graph, minimize=metric, workers=1)
        assert (result.status == "infeasible") == (not values), seed
        if values:
            assert result.status == "optimal" and result.tour is not None
            order = tuple(result.tour.vertices.tolist())
            assert min(values.values()) == values[_normal(order)], seed


def _normal(order: tuple[int, ...]) -> tuple[int, ...]:
    start = order.index(0)
    order = order[start:] + order[:start]
    return order if order[1] < order[-1] else (0, *reversed(order[1:]))


def test_a_certificate_of_other_points_is_accepted_only_if_it_is_true(tmp_path: Path) -> None:
    """Points are moved and the digest is made anew, so that only the derived weights stand in the way."""
    rng, verdicts = random.Random(5), set()
    rows = [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 2]]
    orders = [(0, *rest) for rest in permutations(range(1, 6))]
    for metric, decimals in (("turns", 0), ("angle", 3)):
        certificate = kt.solve(points=rows, minimize=metric).certificate
        assert certificate is not None
        forged = certificate.to_json()
        for _ in range(12):
            moved = [list(row) for row in rows]
            for place in rng.sample(range(6), 2):
                moved[place] = [rng.randint(-1, 3), rng.randint(-1, 3)]
            if len(set(map(tuple, moved))) < 6:
                continue
            forged["problem"]["positions"] = moved
            forged["sha256"] = digest({key: value for key, value in forged.items() if key != "sha256"})
            (tmp_path / "c.json").write_text(json.dumps(forged))
            points = [tuple(map(Fraction, row)) for row in moved]
            least = min(DEFINITIONS[metric]([points[v] for v in order]) for order in orders)
            try:
                kt.check(tmp_path / "c.json")
            except KTError:
                verdicts.add(False)
            else:
                assert least >= Fraction(str(forged["bound"])) * 10**decimals, moved
                verdicts.add(True)
    assert verdicts == {True, False}


# -- arithmetic --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "number"),
    [(0.1, Fraction(1, 10)), ("0.10", Fraction(1, 10)), ("1/3", Fraction(1, 3)), (np.float32(0.1), Fraction(1, 10)),
     (Decimal("1e-3"), Fraction(1, 1000)), (np.int8(-7), -7), ("1e2", 100), ("-.5", Fraction(-1, 2))],
)  # fmt: skip
def test_a_float_means_its_decimal_and_a_text_what_it_shows(value: object, number: Fraction) -> None:
    assert coordinate(value) == number


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "nan", "1,5", "", "1/0", True, None, [1], "1e999", 1j])
def test_other_values_are_no_coordinates(value: object) -> None:
    with pytest.raises(KTError):
        coordinate(value)


def test_tenths_are_collinear() -> None:
    graph = kt.graph(points=[(0.1, 0.3), (0.2, 0.6), (0.3, 0.9), (0.0, 1.0)])
    assert (0.3 - 0.2) * (0.6 - 0.3) != (0.2 - 0.1) * (0.9 - 0.6)
    assert Tour.of(graph, [0, 1, 2, 3], True).measure("turns") == 3


def test_signs_are_exact_where_floats_are_wrong() -> None:
    """Determinants of integers of up to 30 digits, many of them 0 or 1."""
    rng = random.Random(1)
    rows = []
    for _ in range(400):
        x, y = rng.randrange(10**29, 10**30), rng.randrange(10**29, 10**30)
        k = rng.choice((1, 2, 3, 10**5))
        rows.append(((x, y), (k * x + rng.choice((0, 0, 1, -1)), k * y + rng.choice((0, 0, 1, -1)))))
    a, b = (np.array([row[side] for row in rows], dtype=object) for side in (0, 1))
    wanted = [(u[0] * v[1] > u[1] * v[0]) - (u[0] * v[1] < u[1] * v[0]) for u, v in rows]
    assert minor_signs(a, b).tolist() == wanted and 0 in wanted and len(set(wanted)) == 3
    assert parallel(a, b).tolist() == [sign == 0 for sign in wanted]


def test_angles_near_a_half_are_rounded_correctly() -> None:
    """Vectors that approach the angle of k + 1/2 thousandths from both sides."""
    for k in (0, 1, 44_999, 45_000, 90_000, 134_999, 179_999):
        middle = (Decimal(2 * k + 1) / 2000) * PI / 180
        x, y = _cosine(middle), _cosine(PI / 2 - middle)
        for shift, wanted in ((-1, k), (1, k + 1)):
            # The vector is turned by about 10**-25 of its length.
            v = (int(x * 10**30 - shift * y * 10**5), int(y * 10**30 + shift * x * 10**5))
            found = thousandths(np.array([[1, 0]], dtype=object), np.array([v], dtype=object))
            assert found.tolist() == [wanted], (k, shift)


def _cosine(x: Decimal) -> Decimal:
    total, term, k = Decimal(1), Decimal(1), 0
    while abs(term) > Decimal(10) ** -58:
        k += 2
        term = -term * x * x / (k * (k - 1))
        total += term
    return total


def test_positions_have_one_form() -> None:
    rows = [(0.5, 0.25), (1, 2)]
    places = Positions.of(rows)
    assert places == Positions.of([("1/2", "0.250"), (np.int64(1), Decimal(2))]) and places.unit == Fraction(1, 4)
    assert Positions.from_json(places.to_json(), 2) == places
    assert Positions.from_json({"positions": [[0.5, 0.25], [1, 2]]}, 2) == places
    assert Positions.of(np.array(rows)) == places


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ([(0, 0), (1, 1, 1)], "vertex|point 1 has 3 coordinates"),
        ([(0, 0), (1, float("nan"))], "finite"),
        ([(0,), (1,)], "two or three"),
        ([], "none"),
        ([(0, 0), (1, "x")], "number"),
        ([(0, 1e300), (1e-300, 1)], "digits"),
    ],
)
def test_bad_points_are_refused_in_one_line(points: list[tuple[object, ...]], words: str) -> None:
    with pytest.raises(KTError, match=words) as error:
        kt.graph(points=points)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("metric", ["turns", "angle"])
def test_an_edge_without_a_direction_is_named(metric: str) -> None:
    with pytest.raises(KTError, match="edge b-c has length 0"):
        kt.solve(points={"a": (0, 0), "b": (1, 1), "c": (1, 1.0), "d": (0, 1)}, minimize=metric)
    assert kt.solve(points={"a": (0, 0), "b": (1, 1), "c": (1, 1.0), "d": (0, 1)}, minimize="crossings").value == 0


def test_a_graph_without_positions_says_so() -> None:
    with pytest.raises(KTError, match="no positions"):
        kt.solve(edges=[(0, 1), (1, 2), (2, 0)], minimize="turns")
