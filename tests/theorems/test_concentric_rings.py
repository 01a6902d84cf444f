"""Turns of tours that a quarter turn maps to themselves: what the file shows, single rings by CP-SAT, forged files.

`fewest_in_a_quarter` and `best_rings` share no code with the checker.
"""

import copy
import json
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from encoders.bounds import certify_lower_bound
from kt_models import Problem, Symmetry, graph_of
from kt_models.errors import CertificateError, KTError
from kt_models.kernel.certificates import check as check_certificate
from kt_models.leaper import KNIGHT, Leaper
from kt_models.limits import NO_LIMITS
from research.turn_families import make_turned
from theorems.turns.concentric_rings import ConcentricRing, check_ring, most_ring_turns, read_rings
from theorems.turns.theorem import bound, check, quarter_turn_bound, read

RESULTS = Path(__file__).parents[2] / "heuristics" / "delivered" / "results"
DATA = json.loads((RESULTS / "turns-quarter.json").read_text())
STEPS = [(a, b) for a, b in product((-2, -1, 1, 2), repeat=2) if abs(a) != abs(b)]


def moves_of(leaper: Leaper) -> list[tuple[int, int]]:
    half = [(int(a), int(b)) for a, b in leaper.half_moves(2)]
    return half + [(-a, -b) for a, b in half]


@cache
def shows(rows: int, turns: int) -> bool:
    try:
        check_ring(ConcentricRing(rows, turns, 0), moves_of(KNIGHT), NO_LIMITS)
    except CertificateError:
        return False
    return True


@cache
def fewest_in_a_quarter(rows: int, side: int, stop: int) -> int:
    """The fewest turns in a quarter of a ring of a square that a quarter turn maps to itself; `stop` if no fewer."""
    from ortools.sat.python import cp_model

    inside = [c for c in product(range(side), repeat=2) if min(*c, side - 1 - c[0], side - 1 - c[1]) < rows]
    model, chosen, uses, turns = cp_model.CpModel(), {}, {}, []
    for x, y in inside:
        images = {(x, y): 0, (side - 1 - y, x): 1, (side - 1 - x, side - 1 - y): 2, (y, side - 1 - x): 3}
        first = min(images)
        if (x, y) == first:
            pairs = {pair: model.new_bool_var("") for pair in combinations(STEPS, 2)}
            model.add_exactly_one(pairs.values())
            chosen[first] = {s: sum(var for pair, var in pairs.items() if s in pair) for s in STEPS}
            turns += [var for (s, t), var in pairs.items() if s != (-t[0], -t[1])]
        for a, b in STEPS:  # A move of the image here is one of the first cell, turned on so many times
            moves = (a, b)
            for _ in range(images[first]):
                moves = (-moves[1], moves[0])
            uses[(x, y), (a, b)] = first, moves
    for ((x, y), (a, b)), (cell, step) in uses.items():
        if (there := uses.get(((x + a, y + b), (-a, -b)))) is not None:
            model.add(chosen[cell][step] == chosen[there[0]][there[1]])
    model.add(sum(turns) <= stop - 1)
    model.minimize(sum(turns))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    assert status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    return round(solver.objective_value) if status == cp_model.OPTIMAL else stop


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "turns"), [(3, 1), (4, 1), (5, 1), (6, 1)])
def test_rings_of_single_squares_have_as_many_turns(rows: int, turns: int) -> None:
    """A ring that passes has no counterexample; for one that does not, some square is one."""
    least = (turns + 1) * (rows + 2)
    few = [side for side in range(least, least + 12) if fewest_in_a_quarter(rows, side, turns) < turns]
    assert shows(rows, turns) == (not few)


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "turns"), [(4, 2), (5, 2), (6, 2), (6, 3)])
def test_wider_rings_of_single_squares(rows: int, turns: int) -> None:
    least = (turns + 1) * (rows + 2)
    few = [side for side in (least, least + 2, least + 6, least + 9) if fewest_in_a_quarter(rows, side, turns) < turns]
    assert shows(rows, turns) == (not few)


def test_the_file_and_what_it_says_of_single_squares() -> None:
    assert [claim.text for claim in check(DATA)] == [
        "every closed knight's tour that a quarter turn maps to itself of a board n x n with n >= 14 and "
        f"n = {residue} (mod {modulus}) has at least {bound} turns"
        for modulus, residue, bound in (
            (4, 2, "8 n - 20"),
            (12, 2, "26/3 n - 112/3"),
            (12, 6, "26/3 n - 36"),
            (12, 10, "26/3 n - 116/3"),
        )
    ]
    family = read(DATA, KNIGHT)
    assert [quarter_turn_bound(family, n) - 8 * n for n in range(14, 59, 4)] == [
        *(-20, -20, -20, -20, -16, -16, -12, -8, -8, -4, 0, 0)
    ]


def test_records_and_optima_are_not_below() -> None:
    family, seen = read(DATA, KNIGHT), 0
    for path in (RESULTS.parent / "records").glob("turns-*-rot90.json"):
        n = int(path.stem.split("-")[1].split("x")[0])
        assert n < 14 or json.loads(path.read_text())["value"] >= quarter_turn_bound(family, n)
        seen += 1
    assert seen >= 7


@pytest.mark.slow
def test_the_command_makes_the_file() -> None:
    assert make_turned() == DATA


@pytest.mark.slow
def test_the_bound_of_one_board() -> None:
    def of(board: str, symmetry: str, kind: Any = "cycle") -> int:
        named = (Symmetry.parse(symmetry),) if symmetry else ()
        return bound(Problem(graph_of(board), kind, objective="turns", symmetry=named), DATA)

    assert of("30x30", "(y,-x)", "any") == 224
    assert (of("30x30", ""), of("30x30", "rot180")) == (217, 218)
    assert (of("30x34", ""), of("30x34", "rot180")) == (233, 234)
    assert of("30x30", "", "path") < 217


@pytest.mark.slow
def test_the_method_uses_it() -> None:
    certificate = certify_lower_bound(
        Problem(graph_of("30x30"), objective="turns", symmetry=(Symmetry.parse("rot90"),)), method="family"
    )
    assert certificate.bound == 224
    check_certificate(certificate)


def best_rings(rings: tuple[ConcentricRing, ...], side: int) -> int:
    """The most turns of rings in a square, over all ways to nest them."""
    inner = [best_rings(rings, side - 2)] if side > 1 else [0]
    return max(
        inner + [4 * ring.turns + best_rings(rings, side - 2 * ring.rows) for ring in rings if ring.least <= side]
    )


@pytest.mark.slow
def test_rings_are_nested_as_well_as_can_be() -> None:
    for sizes in ([(6, 2), (4, 1)], [(4, 1)], [(2, 1), (3, 3), (5, 2)]):
        rings = read_rings([{"rows": rows, "turns": turns} for rows, turns in sizes], 2)
        for side in range(45):
            assert most_ring_turns(rings, side) == best_rings(rings, side)
    assert most_ring_turns(read_rings(DATA["rings"], 2), -4) == 0


def with_claim(boards: dict | None = None, **changes: object) -> dict:
    claim = copy.deepcopy(DATA["claims"][1])
    claim["boards"] |= {"modulus": 4, **(boards or {})}
    return {**DATA, "claims": [{**claim, **changes}]}


def at_least(slope: list[int], constant: list[int]) -> list[dict]:
    return [{"relation": "at-least", "metric": "turns", "slope": slope, "constant": constant}]


FORGED = {
    "constant": with_claim(),
    "slope": with_claim(bounds=at_least([261, 30], [-50, 1])),
    "another class": with_claim({"modulus": 12, "residues": [10]}, bounds=at_least([26, 3], [-115, 3])),
    "any tour": {**DATA, "claims": [{k: v for k, v in DATA["claims"][1].items() if k != "symmetry"}]},
    "half turn": with_claim(symmetry="rot180"),
    "open": with_claim(closed=False),
    "rectangles": with_claim({"shape": "rectangles"}),
    "multiples of 4": with_claim({"residues": [0]}),
    "odd": with_claim({"modulus": 1, "residues": [0]}, bounds=at_least([8, 1], [-30, 1])),
    "small": with_claim({"least": 2}),
    "huge": with_claim({"least": 2**40}),
    "no rings": {k: v for k, v in DATA.items() if k != "rings"},
    "one ring": {**DATA, "rings": DATA["rings"][1:]},
    "shallow": {**DATA, "rings": [{"rows": 3, "turns": 1}]},
    "many turns": {**DATA, "rings": [{"rows": 4, "turns": 2}]},
    "numbers": {**DATA, "side": [[*row[:-1], row[-1] + (k == 0)] for k, row in enumerate(DATA["side"])]},
}


@pytest.mark.parametrize("name", FORGED)
def test_files_that_claim_too_much(name: str) -> None:
    with pytest.raises(CertificateError):
        check(FORGED[name])


HOSTILE: list[Any] = [
    None,
    [],
    {},
    [[6, 2]],
    [{"rows": 6}],
    [{"rows": 6, "turns": 2, "least": 0}],
    [{"rows": 0, "turns": 1}],
    [{"rows": 9, "turns": 1}],
    [{"rows": 6, "turns": 0}],
    [{"rows": 6, "turns": 2.0}],
    [{"rows": 6, "turns": 10**9}],
    [{"rows": 4, "turns": 1}] * 5,
]


@pytest.mark.parametrize("rings", HOSTILE, ids=str)
def test_rings_that_are_none(rings: object) -> None:
    with pytest.raises(KTError):
        check({**DATA, "rings": rings})


@pytest.mark.slow
def test_weaker_claims_hold() -> None:
    weaker = with_claim({"least": 30, "modulus": 8, "residues": [6]}, bounds=at_least([26, 3], [-39, 1]))
    other = with_claim(bounds=at_least([8, 1], [-21, 1]))
    check({**DATA, "claims": weaker["claims"] + other["claims"]})
