"""Claims about boards of all sizes: what the delivered files show, and that nothing false comes out as shown.

Whatever damaged file is accepted, its boards are built and counted by `tests.family_oracle`, which shares no code with
the toolkit; bounds from below are compared with tours.
"""

from __future__ import annotations

import copy
import functools
import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cli.main import main
from kt_models import CertificateError, KTError, Problem, graph_of
from kt_models.json_version import FORMAT_VERSION
from kt_models.kernel.certificates.methods import check_theorem
from kt_models.leaper import KNIGHT, Leaper
from kt_models.limits import Limits, Stopped
from tests import family_oracle as oracle
from tests.effort import part_of, slow, slow_rows
from tests.oracle.families import truth_of_family
from theorems.crossings import theorem as crossings
from theorems.growing_tours import codes, octants, strands, zones
from theorems.statement import Boards, Bound, FamilyStatement, claim_to_json, claims_of

ROOT = Path(__file__).parents[2]
GADGETS, RESULTS = ROOT / "heuristics" / "gadgets", ROOT / "heuristics" / "delivered" / "results"
FILES = {
    GADGETS / "strands-turns.json": [
        "every board w x h with w, h >= 12 and w h = 0 (mod 2) has a closed knight's tour with at most 4 (w + h) - 14 "
        "turns",
        "every board n x n with n >= 12 and n = 2 (mod 8) has a closed knight's tour with at most 8 n - 17 turns",
        "every board n x n with n >= 12 and n = 6 (mod 8) has a closed knight's tour with at most 8 n - 16 turns",
    ],
    GADGETS / "strands-turns-two.json": [
        "every board w x h with w, h >= 13 and w h = 0 (mod 2) has a closed knight's tour with at most 4 (w + h) - 15 "
        "turns",
        "every board n x n with n >= 16 and n = 0 (mod 8) has a closed knight's tour with at most 8 n - 16 turns",
    ],
    GADGETS / "strands-turns-squares.json": [
        "every board n x n with n >= 12 and n = 0 (mod 2) has a closed knight's tour with at most 8 n - 18 turns",
    ],
    GADGETS / "strands-turns-symmetric.json": [
        f"every board n x n with n >= {least} and n = {residue} has a closed knight's tour that a half turn maps to "
        f"itself with at most 8 n - {less} turns"
        for least, residue, less in ((74, "0 (mod 2)", 12), (74, "2 (mod 4)", 18), (80, "0 (mod 8)", 16))
    ],
    GADGETS / "strands-both.json": [
        "every board w x h with w, h >= 12 and w h = 0 (mod 2) has a closed knight's tour with at most 4 (w + h) - 13 "
        "turns",
        "every board n x n with n >= 12 and n = 0 (mod 2) has a closed knight's tour with at most 8 n - 13 turns and "
        "at most 37/4 n + 3 crossings",
    ],
    GADGETS / "strands-crossings.json": [
        "every board n x n with n >= 20 and n = 0 (mod 2) has a closed knight's tour with at most 10 n - 19 turns and "
        "at most 43/6 n + 32 crossings",
        "every board n x n with n >= 24 and n = 0 (mod 2) has a closed knight's tour with at most 10 n - 20 turns and "
        "at most 43/6 n + 28 crossings",
    ],
    GADGETS / "strands-both-squares.json": [
        "every board n x n with n >= 24 and n = 0 (mod 2) has a closed knight's tour with at most 8 n - 3 turns and at "
        "most 9 n + 10 crossings",
    ],
    GADGETS / "formation_families.json": [
        f"every board n x n with n >= {least} and n = {residue} (mod 8) has a closed knight's tour with at most "
        f"{turns} turns and at most {crossings} crossings"
        for least, residue, turns, crossings in (
            (32, 0, "37/4 n - 11", "47/4 n + 11"),
            (26, 2, "37/4 n - 41/2", "47/4 n - 11/2"),
            (28, 4, "37/4 n - 18", "47/4 n - 3"),
            (22, 6, "37/4 n - 43/2", "47/4 n - 17/2"),
            (24, 0, "19/2 n + 1", "12 n + 2"),
            (26, 2, "19/2 n - 11", "12 n - 17"),
            (28, 4, "19/2 n - 17", "12 n - 12"),
            (22, 6, "19/2 n - 21", "12 n - 17"),
        )
    ],
    GADGETS / "octants-crossings.json": [
        "every board n x n with n >= 52 and n = 0 (mod 2) has a closed knight's tour with at most 38/3 n + 15 turns "
        "and at most 19/3 n + 86 crossings",
    ],
    GADGETS / "octants-rectangles.json": [
        "every board w x h with w >= 66 and h >= w + 1 and w = 0 (mod 2) has a closed knight's tour with at most "
        "19/6 (w + h) + 96 crossings",
    ],
    GADGETS / "octants-odd.json": [
        "every board w x h with w >= 65 and h >= w and w = 1, h = 0 (mod 2) has a closed knight's tour with at "
        "most 91/24 (w + h) + 95 crossings",
    ],
    RESULTS / "crossings-open-all-n.json": [
        "every open knight's tour of a board w x h with w, h >= 8 has at least 2 (w + h) + 24 crossings",
    ],
}


TAKE_LONG = [
    path
    for path in FILES
    if path.parent == RESULTS
    or path.stem in ("octants-odd", "octants-rectangles", "strands-both", "strands-turns", "strands-turns-two")
]


@functools.cache
def _read(path: Path) -> Any:
    return json.loads(path.read_text())


def delivered(path: Path) -> Any:
    return copy.deepcopy(_read(path))


def check(data: Any) -> list[str]:
    return [statement.text for statement in check_theorem(data, Limits(seconds=300)).shown]


@pytest.mark.parametrize(
    "path", [*(path for path in FILES if path not in TAKE_LONG), *slow(TAKE_LONG)], ids=lambda path: path.stem
)
def test_printed_claims_are_those_of_the_file_and_are_checked(path: Path) -> None:
    result = CliRunner().invoke(main, ["check", str(path)])
    assert result.exit_code == 0, result.output
    for text in FILES[path]:
        assert text in result.stdout
    assert [claim.text for claim in claims_of(delivered(path), delivered(path)["kind"])] == FILES[path]


@pytest.mark.slow
def test_crossings_of_every_closed_tour() -> None:
    result = CliRunner().invoke(main, ["check", str(RESULTS / "crossings-all-n.json")])
    assert result.exit_code == 0, result.output
    claimed = "every closed knight's tour of a board w x h with w, h >= 9 has at least 2 (w + h) + 36 crossings"
    assert claimed in result.stdout


# -- statements --------------------------------------------------------------------------------------------------------


def test_statements_are_compared_and_leave_nothing_out() -> None:
    bound = Bound("at-least", "turns", Fraction(4), Fraction(-24))
    statement_of_bound = FamilyStatement(Boards("rectangles", 12), bounds=(bound,))
    assert statement_of_bound == FamilyStatement(Boards("rectangles", 12), KNIGHT, True, (bound,))
    others = [
        FamilyStatement(Boards("squares", 12), bounds=(bound,)),
        FamilyStatement(Boards("rectangles", 13), bounds=(bound,)),
        FamilyStatement(Boards("rectangles", 12, 2, (0,)), bounds=(bound,)),
        FamilyStatement(Boards("rectangles", 12), Leaper(1, 4), bounds=(bound,)),
        FamilyStatement(Boards("rectangles", 12), closed=False, bounds=(bound,)),
        FamilyStatement(Boards("rectangles", 12), bounds=(Bound("at-most", "turns", Fraction(4), Fraction(-24)),)),
        FamilyStatement(Boards("rectangles", 12), bounds=(Bound("at-least", "crossings", Fraction(4), Fraction(-24)),)),
        FamilyStatement(Boards("rectangles", 12), bounds=(Bound("at-least", "turns", Fraction(4), Fraction(24)),)),
        FamilyStatement(Boards("rectangles", 12), bounds=(Bound("at-least", "turns", Fraction(9, 2), Fraction(-24)),)),
        FamilyStatement(Boards("aztec diamonds", 2)),
        FamilyStatement(Boards("aztec diamonds", 2), symmetry="rot180"),
        FamilyStatement(Boards("aztec diamonds", 2), symmetry="rot90"),
    ]
    assert len({statement_of_bound, *others}) == len({s.text for s in [statement_of_bound, *others]}) == len(others) + 1
    for statement in (statement_of_bound, *others):
        data = {"kind": "x", "version": FORMAT_VERSION, "claims": [claim_to_json(statement)]}
        assert claims_of(json.loads(json.dumps(data)), "x") == (statement,)


def test_files_of_other_versions_and_without_a_claim_are_not_read() -> None:
    data = delivered(GADGETS / "rings.json")
    for change in ({"version": 1}, {"version": True}, {"claims": []}):
        with pytest.raises(KTError, match=r"version|claims nothing"):
            check({**data, **change})


# -- counting ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 4, 8, 15, 23])
def test_small_members_against_plain_python(number: int) -> None:
    entry = delivered(GADGETS / "strands-both.json")["families"][number]
    family, members = zones.TourFamily.from_json(entry), 0
    for w, h, cells in oracle.strands_members({"families": [entry]}, 34):
        times = family.times(w, h)
        assert times is not None
        board = family.board_codes(times)
        assert {(x, y): oracle.LETTERS[codes.LETTERS[board[x, y]]] for x in range(w) for y in range(h)} == cells
        assert oracle.is_tour(cells)
        for metric in ("turns", "crossings"):
            assert codes.count(board, metric) == getattr(oracle, metric)(cells)
        members += 1
    assert members > 4


@pytest.mark.parametrize("metric", ["turns", "crossings"])
def test_increments_hold_far_beyond_what_was_counted(metric: str) -> None:
    family = zones.TourFamily.from_json(delivered(GADGETS / "strands-both.json")["families"][5])
    counts = strands.FamilyCounts(family, metric)
    i1, j1 = counts.linear_from
    base, first, second = counts.at(i1, j1), counts.rise(0, i1, j1), counts.rise(1, i1, j1)
    for i, j in ((i1 + 4, j1), (i1, j1 + 7), (i1 + 5, j1 + 6)):
        assert codes.count(family.board_codes((i, j)), metric) == base + (i - i1) * first + (j - j1) * second


def test_octants_against_plain_python() -> None:
    data = delivered(GADGETS / "octants-crossings.json")
    entry = data["families"][2]
    family = octants.Octants.from_json(entry)
    rectangles = delivered(GADGETS / "octants-rectangles.json")["families"][1:2]
    higher = octants.Octants.from_json(rectangles[0])
    for w, h, cells in oracle.octants_members({"families": rectangles}, 76):
        steps = higher.steps(w, h)
        assert steps is not None
        board = higher.board_codes(*steps)
        assert {(x, y): oracle.LETTERS[codes.LETTERS[board[x, y]]] for x in range(w) for y in range(h)} == cells
        assert oracle.is_tour(cells)
        assert codes.crossings(board) == oracle.crossings(cells)
    odd = delivered(GADGETS / "octants-odd.json")["families"][:1]
    wider = octants.Octants.from_json(odd[0])
    for w, h, cells in oracle.octants_members({"families": odd}, wider.codes.shape[1] - 20):
        steps = wider.steps(w, h)
        assert steps is not None
        board = wider.board_codes(*steps)
        assert {(x, y): oracle.LETTERS[codes.LETTERS[board[x, y]]] for x in range(w) for y in range(h)} == cells
        assert oracle.is_tour(cells)
        assert codes.crossings(board) == oracle.crossings(cells)
    for n, _, cells in oracle.octants_members({"families": [entry]}, family.width + 12):
        board = family.board_codes((n - family.width) // 12)
        assert {(x, y): oracle.LETTERS[codes.LETTERS[board[x, y]]] for x in range(n) for y in range(n)} == cells
        assert oracle.is_tour(cells)
        assert codes.crossings(board) == oracle.crossings(cells)
    rises = [codes.crossings(family.board_codes(k)) for k in (8, 12)]
    assert rises[1] - rises[0] == 4 * 76


# -- every part of a file is needed ------------------------------------------------------------------------------------


def squares(kind: str, families: list[Any], modulus: int, residue: int, least: int, *bounds: Bound) -> Any:
    claim = FamilyStatement(Boards("squares", least, modulus, (residue,)), bounds=bounds)
    return {"kind": kind, "version": FORMAT_VERSION, "claims": [claim_to_json(claim)], "families": families}


def one_strands() -> Any:
    """One family with a claim on the squares that it has."""
    families = delivered(GADGETS / "strands-both.json")["families"]
    entries = [entry for entry in families if len(entry["seed"]) % 4 == 0 and len(entry["seed"][0]) % 8 == 4]
    turns = Bound("at-most", "turns", Fraction(8), Fraction(-14))
    few = Bound("at-most", "crossings", Fraction(37, 4), Fraction(3))
    return squares("strands", entries, 8, 4, 12, turns, few)


def one_octants() -> Any:
    few = Bound("at-most", "crossings", Fraction(19, 3), Fraction(664, 3))
    return squares("octants", delivered(GADGETS / "octants-crossings.json")["families"][:1], 12, 4, 64, few)


def one_rectangle() -> Any:
    """The families of one width, with a claim on all their rectangles."""
    few = Bound("at-most", "crossings", Fraction(19, 6), Fraction(101))
    claim = FamilyStatement(Boards("long rectangles", 68, 12, (8,), gap=1), bounds=(few,))
    families = delivered(GADGETS / "octants-rectangles.json")["families"][:2]
    return {"kind": "octants", "version": FORMAT_VERSION, "claims": [claim_to_json(claim)], "families": families}


def one_odd() -> Any:
    """The same of an odd width."""
    few = Bound("at-most", "crossings", Fraction(91, 24), Fraction(198))
    claim = FamilyStatement(Boards("long rectangles", 69, 24, sides=(21, 0)), bounds=(few,))
    families = delivered(GADGETS / "octants-odd.json")["families"][:2]
    return {"kind": "octants", "version": FORMAT_VERSION, "claims": [claim_to_json(claim)], "families": families}


@pytest.mark.parametrize(
    ("make", "most"),
    [
        (one_strands, 44),
        (one_octants, 104),
        pytest.param(one_rectangle, 88, marks=pytest.mark.slow),
        pytest.param(one_odd, 100, marks=pytest.mark.slow),
    ],
)
def test_a_file_of_one_family_is_shown_and_true(make: Any, most: int) -> None:
    data = make()
    assert len(check(data)) == 1
    assert not oracle.refutation(data, most)


def test_remainders_of_the_sides_of_long_rectangles_are_in_order() -> None:
    boards = Boards("long rectangles", 69, 2, sides=(1, 0), gap=1)
    assert boards.includes(69, 72) and boards.includes(72, 69)
    assert not any(boards.includes(*size) for size in ((70, 73), (69, 73), (70, 72), (67, 70)))
    assert Boards("rectangles", 69, 2, sides=(0, 1)).includes(70, 73)
    for wrong in ({"shape": "rectangles", "sides": (1, 0)}, {"sides": (1, 2)}, {"sides": (1,)}, {"shape": "squares"}):
        with pytest.raises(KTError):
            Boards(**{"shape": "long rectangles", "least": 69, "modulus": 2, "sides": (1, 0), **wrong})


@pytest.mark.parametrize("name", ["octants-crossings", *slow(["strands-turns"])])
def test_a_file_with_a_family_less_is_refused(name: str) -> None:
    """On the old code one family was enough for `on all boards`."""
    data = delivered(GADGETS / f"{name}.json")
    data["claims"], families = data["claims"][:1], data["families"]
    for left in (families[:1], families[:2] + families[3:]):
        with pytest.raises(CertificateError, match=r"no family has|no family, or"):
            check({**data, "families": left})


STRONGER: list[dict[str, Any]] = [
    {"bounds": [{"relation": "at-most", "metric": "turns", "slope": [8, 1], "constant": [-15, 1]}]},
    {"bounds": [{"relation": "at-most", "metric": "turns", "slope": [799, 100], "constant": [1000, 1]}]},
    {"bounds": [{"relation": "at-most", "metric": "crossings", "slope": [19, 3], "constant": [76, 1]}]},
    {"bounds": [{"relation": "at-most", "metric": "crossings", "slope": [632, 100], "constant": [90000, 1]}]},
    {"bounds": [{"relation": "at-least", "metric": "turns", "slope": [0, 1], "constant": [0, 1]}]},
    {"leaper": "1,4"},
    {"closed": False},
    {"symmetry": "rot90"},
    {"boards": {"shape": "squares", "least": 4, "modulus": 8, "residues": [4]}},
    {"boards": {"shape": "squares", "least": 44, "modulus": 12, "residues": [8]}},
    {"boards": {"shape": "squares", "least": 68}},
    {"boards": {"shape": "squares", "least": 68, "modulus": 2, "residues": [0]}},
    {"boards": {"shape": "rectangles", "least": 68, "modulus": 2, "residues": [0]}},
    {"boards": {"shape": "aztec diamonds", "least": 68}},
    {"boards": {"shape": "squares", "least": 68, "modulus": 997, "residues": [8]}},
]


@pytest.mark.parametrize("make", [one_strands, one_octants])
@pytest.mark.parametrize("change", STRONGER, ids=str)
def test_claims_that_are_too_strong(make: Any, change: dict[str, Any]) -> None:
    data = make()
    data["claims"][0] |= change
    if change in STRONGER[8:10]:
        data["claims"][0]["boards"] = {**change["boards"]}
        if data["claims"] == make()["claims"]:
            return
    with pytest.raises(CertificateError):
        check(data)


@pytest.mark.parametrize(
    ("part", "periods"),
    [("diagonal", [[16, 3], [19, 3]]), ("left", [[11, 6]]), ("bottom", [[11, 2], [28, 4]]), ("middle", [])],
)
def test_octants_with_zones_that_the_slabs_do_not_fit_are_refused(part: str, periods: Any) -> None:
    """The argument inserts 6 cells of the diagonal and 3 of each side; the old check only looked at the sum."""
    data = one_octants()
    data["families"][0][part] = periods
    with pytest.raises(CertificateError, match="periods"):
        check(data)


def test_octants_with_lines_of_another_direction_are_refused() -> None:
    """Lines that cross the cuts: the old check did not look at their direction."""
    family = octants.Octants.from_json(one_octants()["families"][0])
    mirrored = {code: tuple(sorted((-move - 2) % 8 for move in pair)) for code, pair in enumerate(codes.PAIRS)}
    table = [codes.PAIRS.index(mirrored[code]) for code in range(len(codes.PAIRS))]
    board = family.codes[:, ::-1].copy()
    for x, y in ((x, y) for x in range(len(board)) for y in range(len(board))):
        board[x, y] = table[board[x, y]]
    with pytest.raises(CertificateError):
        octants.Octants(board, family.diagonal, family.middle, family.bottom, family.left)


# -- damage ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "most"),
    [
        (one_strands, 36),
        (one_octants, 92),
        pytest.param(one_rectangle, 80, marks=pytest.mark.slow),
        pytest.param(one_odd, 96, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("seed", range(part_of(60)))
def test_nothing_false_comes_out_of_damaged_families(make: Any, most: int, seed: int) -> None:
    data = oracle.damaged(make(), random.Random(seed))
    try:
        check({**data, "kind": make()["kind"]})
    except KTError:
        return
    assert not oracle.refutation({**data, "kind": make()["kind"]}, most)


def one_turns() -> Any:
    return delivered(RESULTS / "turns-all-n.json")


def one_crossings() -> Any:
    data = delivered(RESULTS / "crossings-all-n.json") | {"rows": 1, "full": 12}
    data["claims"][0]["boards"]["least"] = 8
    data["claims"][0]["bounds"][0]["constant"] = [16, 1]
    return data


@pytest.mark.parametrize("make", [one_turns, one_crossings])
@pytest.mark.parametrize("seed", range(part_of(40)))
def test_nothing_false_comes_out_of_damaged_bounds(make: Any, seed: int) -> None:
    data = oracle.damaged(make(), random.Random(seed))
    kind = make()["kind"]
    try:
        statements = check_theorem({**data, "kind": kind}, Limits(seconds=200)).shown
    except KTError:
        return
    assert not any(truth_of_family(statement) is False for statement in statements)


def test_limits_are_heeded() -> None:
    for data in (one_strands(), one_octants(), one_turns(), one_crossings(), delivered(GADGETS / "rings.json")):
        with pytest.raises(Stopped):
            check_theorem(data, Limits(seconds=0))


# -- crossings ---------------------------------------------------------------------------------------------------------


def test_a_row_of_every_board_bounds_its_crossings() -> None:
    data = one_crossings()
    assert check(data) == [
        "every closed knight's tour of a board w x h with w, h >= 8 has at least 2 (w + h) + 16 crossings"
    ]
    for size in ((8, 8), (8, 30), (31, 17), (100, 100)):
        problem = Problem(graph_of("{}x{}".format(*size)), objective="crossings")
        assert crossings.bound(problem, data) == 2 * sum(size) + 16
    for changed in ({"constant": [17, 1]}, {"slope": [21, 10]}):
        wrong = one_crossings()
        wrong["claims"][0]["bounds"][0] |= changed
        with pytest.raises(CertificateError, match=r"only|repeat"):
            check(wrong)


@pytest.mark.parametrize(
    ("rows", "closed", "size"), [(1, True, (15, 22)), (2, True, (9, 23)), *slow_rows([(2, False, (10, 21))])]
)
def test_a_bound_of_large_boards_is_that_of_the_sweep_of_the_board_itself(
    rows: int, closed: bool, size: tuple[int, int]
) -> None:
    """Beyond `full` the bound is not computed: here it is, by `regions`, from no other board."""
    from encoders.bounds.methods.regions import belts
    from kt_models.kernel.certificates import regions

    problem = Problem(graph_of("{}x{}".format(*size)), "cycle" if closed else "path", "crossings")
    belt = {"cells": belts(problem.graph.board, rows)[0], "closed": True}
    swept = regions.bound(problem, {"regions": [belt], "laps": 3})
    assert (
        crossings.bound(problem, {"rows": rows, "full": 18, "laps": 3})
        == swept
        == 2 * sum(size) + (16, 32, 24)[rows - 1 if closed else 2]
    )


@pytest.mark.parametrize("board", ["6x6", "8x8-a1,h8", "torus:20x20", "aztec:9", "10x10x2"])
def test_boards_that_the_belt_does_not_serve(board: str) -> None:
    problem = Problem(graph_of(board), objective="turns" if "x2" in board else "crossings")
    with pytest.raises(CertificateError):
        crossings.bound(problem, delivered(RESULTS / "crossings-all-n.json"))


@pytest.mark.slow
def test_a_large_board_has_its_bound_at_once() -> None:
    from encoders.bounds import certify_lower_bound

    certificate = certify_lower_bound(Problem(graph_of("60x1000"), objective="crossings"))
    assert (certificate.method, certificate.bound) == ("belt", 2 * 1060 + 36)
