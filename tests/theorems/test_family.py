"""One dual solution for all rectangles: what the shipped file shows, and that files which claim more are refused."""

import copy
import json
import subprocess
import sys
from itertools import combinations
from math import ceil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from encoders.bounds import certify_lower_bound
from encoders.bounds.methods import family as maker
from encoders.bounds.methods.family import make, make_family
from kt_models import Board, Problem, Symmetry, graph_of
from kt_models.errors import CertificateError, KTError
from kt_models.graph import MoveGraph
from kt_models.kernel.certificates import check as check_certificate
from kt_models.leaper import KNIGHT, Leaper
from kt_models.tour import tour_from_json
from tests.effort import slow
from theorems.turns import theorem as turns
from theorems.turns.theorem import bound, check, numbers, read, turns_at_least, value

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "heuristics" / "delivered" / "results"
SHIPPED = json.loads((RESULTS / "turns-all-n.json").read_text())
BY_HAND = {
    **SHIPPED,
    "denominator": 1,
    "side": [[0, 1, 2, 1], [0, 2, 1, 1], [1, 1, 2, -1], [2, 2, 1, -1]],
    "corner": [],
}
BY_HAND["claims"] = [
    {
        **claim,
        "boards": {"shape": "rectangles", "least": 10},
        "bounds": [{**claim["bounds"][0], "constant": [-lost, 1]}],
    }
    for claim, lost in zip(SHIPPED["claims"], (64, 70), strict=True)
]
"""The table of docs/theory/theorem-turns.md, short enough to be checked by hand."""


def closed(width: int, height: int) -> int:
    return ceil(turns_at_least(read(SHIPPED, KNIGHT), width, height))


def with_claim(data, **changes):
    """The file with changes of its first claim, the only one that is left: of its boards, its bound, or itself."""
    claim = copy.deepcopy(data["claims"][0])
    for key, changed in changes.items():
        place = claim["boards"] if key in ("least", "shape", "modulus", "residues") else claim["bounds"][0]
        (place if key in ("least", "shape", "slope", "constant", "metric", "relation") else claim)[key] = changed
    return {**data, "claims": [claim]}


def brute(data, width, height):
    """V and L, from each pair of moves at each cell, with every number looked up in the tables anew."""
    d = data["denominator"]

    def at(cell, other):
        if not all(0 <= c < side for c, side in zip(other, (width, height), strict=True)):
            return None
        total = 0
        for axis, side in enumerate((width, height)):
            for flip in (False, True):
                a, b = (side - 1 - p[axis] if flip else p[axis] for p in (cell, other))
                across = abs(cell[1 - axis] - other[1 - axis])
                total += sum(n for depth, x, inward, n in data["side"] if (depth, x, inward) == (a, across, b - a))
                total -= sum(n for depth, x, inward, n in data["side"] if (depth, x, inward) == (b, across, a - b))
        for i in range(8):
            p, q = (((width - 1 - x) if i & 1 else x, (height - 1 - y) if i & 2 else y) for x, y in (cell, other))
            p, q = (p[::-1], q[::-1]) if i & 4 else (p, q)
            for x, y, dx, dy, n in data["corner"]:
                total += n * (((x, y), (x + dx, y + dy)) == (p, q)) - n * (((x, y), (x + dx, y + dy)) == (q, p))
        return total

    least_sum, loss = 0, 0
    steps = [(a * s, b * t) for a, b in ((1, 2), (2, 1)) for s in (1, -1) for t in (1, -1)]
    for x in range(width):
        for y in range(height):
            halves = {s: n for s in steps if (n := at((x, y), (x + s[0], y + s[1]))) is not None}
            pairs = combinations(halves, 2)
            least = min(halves[s] + halves[t] + (0 if (s[0] + t[0], s[1] + t[1]) == (0, 0) else d) for s, t in pairs)
            least_sum, loss = least_sum + least, max(loss, least - min(halves.values()))
    return least_sum, loss


# -- the theorem -----------------------------------------------------------------------------------------------------


def test_the_shipped_file_shows_its_claim() -> None:
    assert [claim.text for claim in check(SHIPPED)] == [
        "every closed knight's tour of a board w x h with w, h >= 12 has at least 4 (w + h) - 24 turns",
        "every open knight's tour of a board w x h with w, h >= 12 has at least 4 (w + h) - 29 turns",
    ]


def test_the_shipped_file_is_what_its_command_makes() -> None:
    assert SHIPPED["made_by"] == f"{maker.HERE}.make_family(Leaper(1, 2), 6, 9)"
    assert make_family(Leaper(1, 2), 6, 9) == SHIPPED


def test_the_table_that_is_checked_by_hand() -> None:
    assert "at least 4 (w + h) - 64 turns" in check(BY_HAND)[0].text
    family = read(BY_HAND, KNIGHT)
    column = []
    for y in range(11):
        numbers_of_cell = numbers(family, 21, 21)[10, y]
        pairs = combinations(numbers_of_cell.items(), 2)
        column.append(min(a + b + (s != (-t[0], -t[1])) for (s, a), (t, b) in pairs))
    assert column == [3, -1, -1, 1, 0, 0, 0, 0, 0, 0, 0]
    assert value(family, 21, 20)[0] - value(family, 20, 20)[0] == 2 * 2


@pytest.mark.parametrize(
    "size", [(12, 12), (13, 12), pytest.param((12, 32), marks=pytest.mark.slow), (18, 18), *slow([(19, 20), (32, 32)])]
)
def test_cell_by_cell_on_real_boards(size: tuple[int, int]) -> None:
    total, loss = brute(SHIPPED, *size)
    assert (total, loss) == value(read(SHIPPED, KNIGHT), *size)[:2]
    assert total >= (4 * sum(size) - 24) * SHIPPED["denominator"]
    assert 2 * loss <= 5 * SHIPPED["denominator"]
    assert turns_at_least(read(SHIPPED, KNIGHT), *size) == total / SHIPPED["denominator"]


@settings(deadline=None, max_examples=25)
@given(st.integers(5, 34), st.integers(5, 34))
def test_large_boards_follow_from_small_ones(width: int, height: int) -> None:
    for data in (SHIPPED, BY_HAND):
        family = read(data, KNIGHT)
        total = value(family, width, height).total
        assert turns_at_least(family, width, height) * family.denominator == total


@settings(deadline=None, max_examples=25)
@given(st.data())
def test_any_tables_extend(draw: st.DataObject) -> None:
    """The step from small boards to large ones does not rest on how the tables were found."""
    entry, number = st.integers(0, 4), st.integers(-9, 9)
    side = draw.draw(st.lists(st.tuples(entry, st.sampled_from([(1, 2), (2, 1)]), number), max_size=4))
    corner = draw.draw(st.lists(st.tuples(entry, entry, st.sampled_from([(1, 2), (2, 1)]), number), max_size=4))
    data = {
        **SHIPPED,
        "side": [[depth, *move, n] for depth, move, n in side],
        "corner": [[x, y, *move, n] for x, y, move, n in corner],
    }
    if len({tuple(r[:-1]) for r in data["side"] + data["corner"]}) < len(side) + len(corner):
        return  # A row twice is refused
    family = read(data, KNIGHT)
    for width, height in ((2 * family.reach + 4, 2 * family.reach + 3), (6, 2 * family.reach + 5)):
        assert turns_at_least(family, width, height) * family.denominator == value(family, width, height)[0]


# -- never above what tours reach ------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.json")), ids=lambda path: path.stem)
def test_below_every_known_tour(path: Path) -> None:
    data = json.loads(path.read_text())
    if "tour" in data and "x" in data["board"] and data["closed"]:
        tour = tour_from_json(data)
        board = tour.graph.board
        assert board is not None
        assert not board.is_box or closed(*board.shape) <= tour.measure("turns")


@pytest.mark.parametrize(("side", "turns"), [(6, 32), (8, 45), (10, 62), (12, 77), (32, 247), (36, 274), (38, 288)])
def test_below_known_least_values_and_families(side: int, turns: int) -> None:
    assert closed(side, side) <= turns
    if side >= 12:
        assert closed(side, side) == 8 * side - 24


# -- problems --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_certificates_of_one_board() -> None:
    certificate = certify_lower_bound(Problem(MoveGraph.of(Board.box(100, 65)), objective="turns"), method="family")
    assert certificate.bound == 4 * 165 - 22
    check_certificate(certificate)
    zebra = certify_lower_bound(
        Problem(MoveGraph.of(Board.box(100, 100), Leaper(2, 3)), objective="turns"), method="family"
    )
    assert zebra.bound == 16 * 100 - 76
    check_certificate(zebra)


@pytest.mark.parametrize(
    "problem",
    [
        Problem(graph_of("8x8"), objective="crossings"),
        Problem(graph_of("8x8"), objective=Problem(graph_of("8x8"), objective="turns").weights),
        Problem(graph_of("torus:8x8"), objective="turns"),
        Problem(graph_of("cylinder:8x8"), objective="turns"),
        Problem(graph_of("4x4x4"), objective="turns"),
        Problem(graph_of("8x8", Leaper(2, 3)), objective="turns"),
        Problem(graph_of("3x3"), objective="turns"),
        Problem(graph_of("2x2000"), objective="turns"),
        Problem(graph_of("1x1"), "path", objective="turns"),
    ],
    ids=["crossings", "weights", "torus", "cylinder", "3d", "zebra", "3x3", "2xn", "1x1"],
)
def test_problems_it_does_not_apply_to(problem: Problem) -> None:
    with pytest.raises(CertificateError):
        bound(problem, SHIPPED)


# -- large squares ---------------------------------------------------------------------------------------------------

LARGE = {
    name: json.loads((RESULTS / f"turns-{name}.json").read_text())
    for name in (
        *("many-0-mod-4", "facing-2-mod-4", "facing-2-mod-20", "interior-0-mod-4", "interior-2-mod-4"),
        *("border-0-0-mod-4", "border-2-2-mod-4", "border-0-2-mod-4"),
    )
}


@pytest.mark.parametrize(
    ("board", "connectivity", "name", "constant"),
    [
        ("1526x1526", "cycle", "facing-2-mod-4", -20),
        ("1000x1000", "cycle", "many-0-mod-4", -18),
        ("1532x1532", "cycle", "many-0-mod-4", -18),
        pytest.param("382x382", "cycle", "facing-2-mod-20", -21, marks=pytest.mark.slow),
        pytest.param("1502x1502", "cycle", "facing-2-mod-20", -21, marks=pytest.mark.slow),
        ("1570x1570", "cycle", "facing-2-mod-4", -20),
        pytest.param("1566x1566", "cycle", "interior-2-mod-4", -21, marks=pytest.mark.slow),
        ("346x346", "cycle", "facing-2-mod-4", -20),
        pytest.param("996x996", "cycle", "interior-0-mod-4", -21, marks=pytest.mark.slow),
        ("180x180", "cycle", "interior-0-mod-4", -21),
        pytest.param("1526x1526", "any", "interior-2-mod-4", -21, marks=pytest.mark.slow),
        ("1520x1520", "any", "interior-0-mod-4", -21),
        ("382x382", "any", "border-2-2-mod-4", -22),
        ("402x402", "cycle", "border-2-2-mod-4", -22),
        ("178x178", "cycle", "border-2-2-mod-4", -22),
        pytest.param("992x992", "cycle", "border-0-0-mod-4", -22, marks=pytest.mark.slow),
        pytest.param("1526x1530", "cycle", "border-2-2-mod-4", -22, marks=pytest.mark.slow),
        ("1520x1526", "cycle", "border-0-2-mod-4", -22),
    ],
)
def test_the_file_for_a_board(board: str, connectivity: str, name: str, constant: int) -> None:
    """The strongest one that holds of it comes last."""
    *_, data = make(Problem(graph_of(board), connectivity, objective="turns"))
    assert data == LARGE[name]
    assert data["claims"][0]["bounds"][0]["constant"] == [constant, 1]


@pytest.mark.parametrize(
    ("board", "symmetry", "name", "fewest_turns"),
    [
        ("366x366", None, "interior-2-mod-4", 8 * 366 - 21),
        ("366x366", "rot180", "interior-2-mod-4", 8 * 366 - 20),
        ("366x366", "rot90", "interior-2-mod-4", 8 * 366 - 20),
        ("382x382", None, "facing-2-mod-20", 8 * 382 - 21),
        ("382x382", "rot180", "facing-2-mod-20", 8 * 382 - 20),
        ("1526x1526", "rot180", "facing-2-mod-4", 8 * 1526 - 20),
    ],
)
def test_turns_of_large_squares_come_in_twos_under_a_half_turn(
    board: str, symmetry: str | None, name: str, fewest_turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Turns come in fours under a quarter turn. What the cells add is taken from the file."""
    monkeypatch.setattr(turns, "check_gain", lambda *_: None)
    group = (Symmetry.parse(symmetry),) if symmetry else ()
    problem = Problem(graph_of(board), objective="turns", symmetry=group)
    assert bound(problem, LARGE[name]) == fewest_turns


@pytest.mark.parametrize("board", ["12x13", "13x14", "17x20", "18x18", "19x20", "15x15", "13x17"])
def test_turns_come_in_twos_under_a_half_turn(board: str) -> None:
    """A cell that the half turn maps to itself may be a turn alone."""

    def of(symmetry: str | None) -> int:
        group = (Symmetry.parse(symmetry),) if symmetry else ()
        return bound(Problem(graph_of(board), "any", objective="turns", symmetry=group), LARGE["border-0-2-mod-4"])

    width, height = map(int, board.split("x"))
    assert of("rot180") == of(None) + of(None) % 2 * (width * height % 2 == 0)
    assert of("mirror-x") == of(None)


@pytest.mark.slow
def test_the_bound_of_a_large_square_with_a_half_turn() -> None:
    """As `kt bound 366x366 --symmetry rot180` says."""
    problem = Problem(graph_of("366x366"), objective="turns", symmetry=(Symmetry.parse("rot180"),))
    certificate = certify_lower_bound(problem, method="family")
    assert certificate.bound == 8 * 366 - 20
    check_certificate(certificate)


# -- files that are wrong --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "claim",
    [
        {"constant": [-23, 1]},
        {"constant": [-95, 4]},
        {"slope": [401, 100]},
        {"closed": False},
        {"least": 10},
        {"least": 3},
        {"least": 1},
    ],
    ids=str,
)
def test_claims_that_are_too_strong(claim: dict) -> None:
    with pytest.raises(CertificateError):
        check(with_claim(SHIPPED, **claim))


@pytest.mark.parametrize(("table", "every"), [("side", 1), ("corner", 7)])
def test_no_other_number_in_a_table_shows_more(table: str, every: int) -> None:
    """The claim is the best for tables of this size: no other number in any row shows more on large boards."""
    refused = 0
    rows = range(0, len(SHIPPED[table]), every)
    for row in rows:
        for change in (-4, 10**9):
            data = copy.deepcopy(SHIPPED)
            data[table][row][-1] += change
            assert turns_at_least(read(data, KNIGHT), 40, 40) <= 8 * 40 - 24
            try:
                check(data)
            except CertificateError:
                refused += 1
    assert refused == 2 * len(rows)


HOSTILE = [
    None,
    [],
    "x",
    {},
    {**SHIPPED, "kind": "certificate"},
    {**SHIPPED, "version": True},
    {**SHIPPED, "version": 3},
    {**SHIPPED, "claims": None},
    {**SHIPPED, "claims": []},
    {**SHIPPED, "claims": [None]},
    {**SHIPPED, "claims": SHIPPED["claims"] * 2},
    with_claim(SHIPPED, metric="crossings"),
    with_claim(SHIPPED, relation="at-most"),
    with_claim(SHIPPED, shape="aztec diamonds"),
    with_claim(SHIPPED, symmetry="rot45"),
    with_claim(SHIPPED, leaper=5),
    with_claim(SHIPPED, leaper="x"),
    with_claim(SHIPPED, leaper="1,900000"),
    with_claim(SHIPPED, leaper="1,3"),
    with_claim(SHIPPED, leaper="1,2,2"),
    with_claim(SHIPPED, closed=1),
    with_claim(SHIPPED, bounds=[]),
    with_claim(SHIPPED, least="12"),
    with_claim(SHIPPED, least=0),
    with_claim(SHIPPED, slope=4),
    with_claim(SHIPPED, slope=[4, 0]),
    with_claim(SHIPPED, constant=[-24.0, 1]),
    with_claim(SHIPPED, constant=[10**50, 1]),
    with_claim(SHIPPED, author="me"),
    {**SHIPPED, "denominator": 0},
    {**SHIPPED, "denominator": 4.0},
    {**SHIPPED, "side": None},
    {**SHIPPED, "side": [[0, 1, 2, 4]] * 100_000},
    {**SHIPPED, "side": [[0, 1, 2, 4]] * 2},
    {**SHIPPED, "side": [[0, 1, 1, 4]]},
    {**SHIPPED, "side": [[-1, 1, 2, 4]]},
    {**SHIPPED, "side": [[0, 1, -2, 4]]},
    {**SHIPPED, "side": [[19, 1, 2, 4]]},
    {**SHIPPED, "side": [[0, 1, 2, 10**20]]},
    {**SHIPPED, "side": [[0, 1, 2]]},
    {**SHIPPED, "side": [[0, 1, 2, True]]},
    {**SHIPPED, "corner": [[0, 0, 1, 1, 4]]},
    {**SHIPPED, "corner": [[0, 0, 1, -2, 4]]},
    {**SHIPPED, "corner": [[10**9, 0, 1, 2, 4]]},
]


@pytest.mark.parametrize("data", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_files_are_refused(data: object) -> None:
    with pytest.raises(KTError):
        check(data)


def test_tables_that_cannot_be_made() -> None:
    with pytest.raises(KTError, match="no solution"):
        make_family(Leaper(1, 1), 3, 4)
    with pytest.raises(KTError, match="reach"):
        make_family(Leaper(1, 2), 50, 50)


# -- few turns inside ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "enough", "asked"),
    [(200, None, True), (200, 8 * 200 - 21, True), (200, 8 * 200 - 22, False), (200, 1000, False), (176, None, False)],
)
def test_few_turns_inside_are_looked_at_where_the_border_leaves_a_gap(
    side: int, enough: int | None, asked: bool
) -> None:
    """A tour is known with more turns than the border shows, unless less is asked for."""
    *_, data = make(Problem(graph_of(f"{side}x{side}"), objective="turns"), enough=enough)
    assert ("interior" in data) == asked


def test_what_sharpens_large_squares_is_loaded_only_for_them() -> None:
    steps = [
        "interiors",
        "circuits",
        "tight_circuits",
        "side_walks",
        "planes",
        "joins",
        "facing",
        "corners",
        "many_turns",
        "three_sides",
        "circuit_quarters",
    ]
    program = """
import json, sys
from kt_models.errors import KTError
from kt_models.limits import Limits
from theorems.turns import theorem

class Loaded:
    def is_set(self):  # all that is waited for
        return all(f"{theorem.__package__}.{name}" in sys.modules for name in sys.argv[2:] or ["none"])

try:
    theorem.check(json.load(open(sys.argv[1])), Limits(stop=Loaded()))
except KTError:
    pass
print(*sys.modules)
"""
    for name, needed in (("border-0-0-mod-4", False), ("interior-0-mod-4", True)):
        path = RESULTS / f"turns-{name}.json"
        words = [sys.executable, "-c", program, str(path), *(steps if needed else [])]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
        loaded = {module.removeprefix("theorems.turns.") for module in done.stdout.split()}
        assert loaded & set(steps) == (set(steps) if needed else set()), (name, done.stderr)
