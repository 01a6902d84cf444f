"""Borders of tables for turns: what the delivered files show; the sweep finds what CP-SAT finds on single boards.

`least_excess` builds its model from a reading of the file of its own, `Recount`; it shares no code with the checker.
"""

import copy
import json
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from encoders.bounds import certify_lower_bound
from kt_models import Problem, graph_of
from kt_models.errors import CertificateError, KTError
from kt_models.kernel.certificates import check as check_certificate
from kt_models.leaper import KNIGHT
from research.turn_families import make_bordered
from tests.effort import slow
from tests.theorems.test_family_period import STEPS, Recount
from theorems.statement import Boards, FamilyStatement
from theorems.turns.theorem import bound, check, check_gain, gain, read

RESULTS = Path(__file__).parents[2] / "heuristics" / "delivered" / "results"
CLASSES = ((0, 0), (0, 1), (0, 2), (0, 3), (1, 2), (2, 2), (2, 3))
FILES = {(w, h): json.loads((RESULTS / f"turns-border-{w}-{h}-mod-4.json").read_text()) for w, h in CLASSES}
EVEN = FILES[2, 2]
PLAIN = {key: entry for key, entry in EVEN.items() if key not in ("period", "left")}


def text(w: int, h: int) -> str:
    least = 20 if h == 3 else 18
    return (
        f"every closed knight's tour of a board w x h with w, h >= {least} and w = {w}, h = {h} (mod 4) has at least "
        "4 (w + h) - 22 turns"
    )


@pytest.mark.slow
def test_squares_whose_side_is_2_modulo_4() -> None:
    assert [claim.text for claim in check(EVEN)] == [text(2, 2)]


@pytest.mark.slow
@pytest.mark.parametrize("sides", CLASSES, ids=str)
def test_the_other_files_and_their_commands(sides: tuple[int, int]) -> None:
    assert [claim.text for claim in check(FILES[sides])] == [text(*sides)]
    assert make_bordered(sides) == FILES[sides]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "constant"),
    [
        ("1000x1000", 21),
        ("1002x1002", 22),
        ("1000x1002", 22),
        ("18x20", 22),
        ("20x21", 22),
        ("999x1000", 22),
        ("18x19", 23),
        ("19x20", 23),
    ],
)
def test_the_bound_of_one_board(board: str, constant: int) -> None:
    certificate = certify_lower_bound(Problem(graph_of(board), objective="turns"), method="family")
    assert certificate.bound == 4 * sum(map(int, board.split("x"))) - constant
    check_certificate(certificate)


def least_excess(data: dict, width: int, height: int, most: int) -> int:
    """The least excess of the border of a file on one board, by CP-SAT; `most` if it is no less."""
    from ortools.sat.python import cp_model

    recount, border = Recount(data), data["border"]
    region = {(x, y) for x in range(width) for y in range(border["rows"])}
    if border["sides"] >= 2:
        region |= {(x, y) for x in range(width - border["rows"], width) for y in range(height)}
    if border["sides"] == 3:
        region |= {(x, y) for x in range(width) for y in range(height - border["rows"], height)}
    model, uses, cost = cp_model.CpModel(), {}, []
    for x, y in region:
        halves = {}
        for dx, dy in STEPS:
            v = (x + dx, y + dy)
            if 0 <= v[0] < width and 0 <= v[1] < height:
                size = (width, height)
                halves[dx, dy] = recount.half(size, (x, y), v) - recount.half(size, v, (x, y))
        pairs = {
            (s, t): halves[s] + halves[t] + (0 if s == (-t[0], -t[1]) else recount.d)
            for s, t in combinations(halves, 2)
        }
        chosen = {pair: model.new_bool_var("") for pair in pairs}
        model.add_exactly_one(chosen.values())
        cost += [(total - min(pairs.values())) * chosen[pair] for pair, total in pairs.items()]
        for s in halves:
            uses[(x, y), s] = sum(variable for pair, variable in chosen.items() if s in pair)
    for ((x, y), (dx, dy)), used in uses.items():
        if (x + dx, y + dy) in region:
            model.add(used == uses[(x + dx, y + dy), (-dx, -dy)])
    model.minimize(sum(cost))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(model) == cp_model.OPTIMAL
    return min(most, round(solver.objective_value))


@pytest.mark.parametrize("seed", [*range(2), *slow(range(2, 6))])
def test_the_sweep_finds_what_single_boards_have(seed: int) -> None:
    """Any numbers do: the least over all widths, as checked, is the least over the first widths, by another solver."""
    rng = Random(seed)
    sides = 1 + seed % 3
    rows = [[depth, *step, rng.randint(-2, 3)] for depth in range(2) for step in ((1, 2), (2, 1))]
    corner = [[0, 0, 1, 2, rng.randint(-3, 3)], [1, 1, 1, 2, rng.randint(-3, 3)]]
    data = {**PLAIN, "denominator": 3, "side": rows, "corner": corner}
    data["border"] = {"rows": 2, "sides": sides, "along": 0, "excess": 1}
    family = read(data, KNIGHT)
    full = 2 * family.reach
    width = full + -full % 4

    def shows(**border: int) -> bool:
        family = read({**data, "border": {**data["border"], **border}}, KNIGHT)
        claim = FamilyStatement(Boards("rectangles", full, 4, sides=(0, 0)))
        assert gain(family, claim) == family.border.gain
        with suppress(CertificateError):
            check_gain(family, claim)
            return True
        return False

    widths = range(width, width + 9, 4)
    least = min(least_excess(data, w, h, 8) for w in widths for h in (widths if sides > 1 else [width]))
    assert all(shows(excess=excess) == (excess <= least) for excess in range(1, 8))
    if sides == 3:
        rests = [rest for rest in range(1, 8) if shows(sides=2, excess=rest)]
        assert all(shows(excess=excess, rest=max(rests)) == (excess <= least) for excess in range(1, 8) if rests)
        assert not any(shows(excess=1, rest=rest) for rest in range(1, 8) if rest not in rests)


def forged(data: dict, **changes: object) -> dict:
    return {**data, "border": {**data["border"], **changes}}


CHAINS = [
    *[[0, 1, 2, 0, -200], [0, 1, 2, 1, 6], [0, 1, 2, 2, -200], [0, 1, 2, 3, -200], [1, 1, 2, 1, -200]],
    *[[1, 1, 2, 2, -200], [1, 1, 2, 3, 200], [1, 2, 1, 0, -200], [1, 2, 1, 3, 200]],
]
"""Along a side of two rows: (x, 0) wants the move to (x + 2, 1) if x = 2 (mod 4), which wants it too; mirrored too."""


def test_cells_near_the_end_refuse_what_those_of_the_middle_want() -> None:
    """The cell (3, 1) refuses the move that others like it want; on longer boards these still have it."""
    corner = [[3, 1, -1, 2, -1000], [2, 1, -2, -1, -200]]
    data = {**EVEN, "denominator": 6, "period": 4, "side": CHAINS, "left": [], "corner": corner}
    data["border"] = {"rows": 2, "sides": 1, "along": 0, "excess": 12}
    claim = FamilyStatement(Boards("rectangles", 8, 4, sides=(0, 0)))
    assert [least_excess(data, width, 16, 40) for width in (8, 12, 16, 20)] == [12, 24, 24, 24]
    assert gain(read(data, KNIGHT), claim) == 2 * 12
    check_gain(read(data, KNIGHT), claim)
    for excess in (13, 24, 36):
        with pytest.raises(CertificateError, match="an excess of 12"):
            check_gain(read(forged(data, excess=excess), KNIGHT), claim)


def with_claim(data: dict, **changes: object) -> dict:
    claim = copy.deepcopy(data["claims"][0])
    claim["boards"] |= changes.pop("boards", {})
    return {**data, "claims": [{**claim, **changes}]}


FORGED = [
    with_claim(EVEN, boards={"least": 17}),
    with_claim(EVEN, closed=False),
    with_claim(EVEN, bounds=[{**EVEN["claims"][0]["bounds"][0], "constant": [-21, 1]}]),
    {key: value for key, value in EVEN.items() if key != "border"},
    {**EVEN, "side": [[*row[:-1], row[-1] + (k == 0)] for k, row in enumerate(EVEN["side"])]},
]


@pytest.mark.parametrize("number", range(len(FORGED)))
def test_files_that_claim_too_much(number: int) -> None:
    with pytest.raises(CertificateError):
        check(FORGED[number])


@pytest.mark.slow
@pytest.mark.parametrize("change", [{"excess": 13}, {"rest": 9}, {"rows": 6}, {"along": 1, "excess": 13}], ids=str)
def test_borders_that_have_less(change: dict) -> None:
    with pytest.raises(CertificateError):
        check(forged(EVEN, **change))


def test_squares_are_bounded_by_their_side_and_rectangles_are_none() -> None:
    """8 n is 4 (w + h) of a square, not 8 (w + h); what is said of squares says nothing of 18 x 24."""
    statement = {"relation": "at-least", "metric": "turns", "slope": [8, 1], "constant": [-24, 1]}
    data = json.loads((RESULTS / "turns-all-n.json").read_text())
    data = with_claim({**data, "claims": data["claims"][:1]}, bounds=[statement])
    data["claims"][0]["boards"] = {"shape": "squares", "least": 12}
    for board, most in (("18x18", 8 * 18 - 24), ("18x24", 4 * 42 - 24)):
        assert bound(Problem(graph_of(board), objective="turns"), data) == most
    assert not Boards("squares", 12).includes(18, 24)


def test_a_border_of_cells_without_two_moves() -> None:
    data = with_claim({**PLAIN, "side": [], "corner": []}, leaper="1,1")
    with pytest.raises(CertificateError, match="too small"):
        check(data)


def test_a_border_adds_nothing_to_claims_with_a_large_modulus() -> None:
    """Such claims would need a board with about 2,000 x 2,000 cells."""
    claim = FamilyStatement(Boards("rectangles", 18, 1000, sides=(0, 0)))
    assert gain(read(EVEN, KNIGHT), claim) == 0


HOSTILE = [
    None,
    {},
    [7, 2, 0, 1],
    {key: entry for key, entry in EVEN["border"].items() if key != "along"},
    {**EVEN["border"], "rows": 8},
    {**EVEN["border"], "rows": 0},
    {**EVEN["border"], "rows": 7.0},
    {**EVEN["border"], "rows": 10**9},
    {**EVEN["border"], "sides": 4},
    {**EVEN["border"], "sides": 2},
    {**EVEN["border"], "rest": 0},
    {**EVEN["border"], "rest": True},
    {**EVEN["border"], "along": 2},
    {**EVEN["border"], "excess": 0},
    {**EVEN["border"], "excess": True},
    {**EVEN["border"], "more": 1},
]


@pytest.mark.parametrize("border", HOSTILE, ids=str)
def test_borders_that_are_none(border: object) -> None:
    with pytest.raises(KTError):
        check({**EVEN, "border": border})
