"""Tables that are periodic along the sides: what the delivered files show, and that no more is taken from any file.

`Recount` adds a board up by its own reading of a file (docs/use/format.md); it shares no code with the checker.
"""

import copy
import json
from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import ceil
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from encoders.bounds import certify_lower_bound
from encoders.bounds.methods.family import make_family
from kt_models import Problem, graph_of
from kt_models.errors import CertificateError, KTError
from kt_models.kernel.certificates import check as check_certificate
from kt_models.leaper import KNIGHT
from tests.effort import part_of
from theorems.statement import Boards, claims_of
from theorems.turns.theorem import bound, check, read, turns_at_least, value

ROOT = Path(__file__).parents[2]
RESULTS, RECORDS = ROOT / "heuristics" / "delivered" / "results", ROOT / "heuristics" / "delivered" / "records"
CLASSES = {
    "turns-all-n-2-mod-4": (2, 2),
    "turns-all-n-0-1-mod-4": (0, 1),
    "turns-all-n-1-2-mod-4": (1, 2),
    "turns-all-n-0-3-mod-4": (0, 3),
    "turns-all-n-2-3-mod-4": (2, 3),
}
LEAST = {(2, 2): 14, (0, 1): 12, (1, 2): 13, (0, 3): 15, (2, 3): 14}
FILES = {name: json.loads((RESULTS / f"{name}.json").read_text()) for name in CLASSES}
OPEN = json.loads((RESULTS / "turns-open-all-n.json").read_text())
STEPS = [(1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)]


class Recount:
    """The sum over the cells of a board, and what an end loses, in units of 1 / denominator."""

    def __init__(self, data):
        self.d, self.p = data["denominator"], data.get("period", 1)
        self.alike = "left" not in data
        self.tables = []
        for name in ("left" if "left" in data else "side", "side"):
            table = defaultdict(int)
            for row in data[name]:
                depth, across, inward, position = row[:4] if self.p > 1 else (*row[:3], 0)
                table[depth, across, inward, position] += row[-1]
            self.tables.append(table)
        self.corner = defaultdict(int)
        for x, y, dx, dy, a in data["corner"]:
            self.corner[x, y, x + dx, y + dy] += a
            if self.alike:
                self.corner[y, x, y + dy, x + dx] += a

    def half(self, size, u, v):
        """What the rows that begin at u give to the move from u to v."""
        total = 0
        for axis in (0, 1):
            along, last = 1 - axis, size[1 - axis] - 1
            across, position = v[along] - u[along], u[along]
            if across < 0:
                across, position = -across, last - position
            for depth, inward in (
                (u[axis], v[axis] - u[axis]),
                (size[axis] - 1 - u[axis], u[axis] - v[axis]),
            ):
                total += self.tables[axis].get((depth, across, inward, position % self.p), 0)
        for flip in range(4):
            ends = []
            for x, y in (u, v):
                ends += [size[0] - 1 - x if flip & 1 else x, size[1] - 1 - y if flip & 2 else y]
            total += self.corner.get(tuple(ends), 0)
        return total

    def of(self, width, height):
        size, total, loss, most = (width, height), 0, 0, 0
        for x in range(width):
            for y in range(height):
                halves = []
                for dx, dy in STEPS:
                    v = (x + dx, y + dy)
                    if 0 <= v[0] < width and 0 <= v[1] < height:
                        halves.append((dx, dy, self.half(size, (x, y), v) - self.half(size, v, (x, y))))
                least = min(
                    a + b + (0 if (dx, dy) == (-ex, -ey) else self.d)
                    for i, (dx, dy, a) in enumerate(halves)
                    for ex, ey, b in halves[:i]
                )
                total, most = total + least, max(most, least)
                loss = max(loss, least - min(a for *_, a in halves))
        return total, loss, most


def boards(data, most):
    """The boards to a size that the first claim of a file means, by its words."""
    stated = data["claims"][0]["boards"]
    for w in range(stated["least"], most + 1):
        for h in range(stated["least"], most + 1):
            if "sides" not in stated or [w % stated["modulus"], h % stated["modulus"]] == stated["sides"]:
                yield w, h


def refuted(data, claim, sizes):
    """Whether the numbers of a file show less than it claims on one of some boards."""
    recount, bound = Recount(data), claim["bounds"][0]
    for w, h in sizes:
        total, loss, _ = recount.of(w, h)
        only = ceil(Fraction(total - (0 if claim["closed"] else 2 * loss), data["denominator"]))
        if only < Fraction(*bound["slope"]) * (w + h) + Fraction(*bound["constant"]):
            return True
    return False


@pytest.mark.parametrize("name", CLASSES)
def test_the_delivered_files_show_their_claims(name: str) -> None:
    a, b = CLASSES[name]
    assert [claim.text for claim in check(FILES[name])] == [
        f"every closed knight's tour of a board w x h with w, h >= {LEAST[a, b]} and w = {a}, h = {b} (mod 4) has at "
        "least 4 (w + h) - 23 turns"
    ]


@pytest.mark.slow
def test_the_delivered_files_are_what_their_commands_make() -> None:
    a, b = CLASSES[name := "turns-all-n-0-1-mod-4"]
    assert make_family(depth=8, period=4, sides=(a, b), closed=True) == FILES[name]
    assert make_family(depth=8, closed=False) == OPEN


def test_the_file_shows_its_claims_about_open_tours() -> None:
    assert [claim.text for claim in check(OPEN)] == [
        "every open knight's tour of a board w x h with w, h >= 13 has at least 4 (w + h) - 28 turns",
        "every closed knight's tour of a board w x h less one cell with w, h >= 13 has at least 4 (w + h) - 27 turns",
    ]
    assert not refuted(OPEN, OPEN["claims"][0], [(13, 13), (13, 20), (14, 15), (26, 27), (30, 30)])


def lacking(recount, size, holes):
    """The sum of least values on a board without some cells, whose moves are gone, too."""
    total = 0
    for cell in set(product(range(size[0]), range(size[1]))) - holes:
        halves = []
        for dx, dy in STEPS:
            v = (cell[0] + dx, cell[1] + dy)
            if 0 <= v[0] < size[0] and 0 <= v[1] < size[1] and v not in holes:
                halves.append((dx, dy, recount.half(size, cell, v) - recount.half(size, v, cell)))
        total += min(
            a + b + (0 if (dx, dy) == (-ex, -ey) else recount.d)
            for i, (dx, dy, a) in enumerate(halves)
            for ex, ey, b in halves[:i]
        )
    return total


@pytest.mark.parametrize("seed", range(4))
def test_boards_that_lack_cells_added_up_cell_by_cell(seed):
    random, recount, family = Random(seed), Recount(OPEN), read(OPEN, KNIGHT)
    for _ in range(4):
        size = (random.randrange(13, 26), random.randrange(13, 26))
        holes = {(random.randrange(size[0]), random.randrange(size[1])) for _ in range(random.randrange(1, 4))}
        holes |= {(0, 0)} if seed % 2 else set()
        try:
            whole = lacking(recount, size, holes)
        except ValueError:  # A cell has fewer than two moves left
            continue
        assert turns_at_least(family, *size, holes=len(holes)) * family.denominator <= whole


@pytest.mark.parametrize("side", [17, 21, 25])
def test_a_tour_without_a_corner_has_no_fewer(side):
    record = json.loads((RECORDS / f"turns-{side}x{side}-a1.json").read_text())
    problem = Problem(graph_of(f"{side}x{side}-a1"), objective="turns")
    assert bound(problem, OPEN) == 8 * side - 27 <= record["value"]


@pytest.mark.parametrize(
    ("holes", "constant", "least"),
    [(1, -26, 13), (1, -27, 12), (2, -30, 13), (0, -23, 13), (101, -900, 13), (-1, -27, 13)],
)
def test_no_more_is_claimed_of_boards_that_lack_cells(holes, constant, least):
    data = copy.deepcopy(OPEN)
    data["claims"][1]["bounds"][0]["constant"] = [constant, 1]
    data["claims"][1]["boards"] |= {"holes": holes, "least": least}
    with pytest.raises(CertificateError):
        check(data)


@pytest.mark.parametrize("name", ["strands-turns-two", "octants-crossings", "radial-turns"])
def test_nothing_else_is_claimed_of_boards_that_lack_cells(name):
    data = json.loads((ROOT / "heuristics" / "gadgets" / f"{name}.json").read_text())
    data["claims"] = data["claims"][:1]
    data["claims"][0]["boards"]["holes"] = 1
    with pytest.raises(CertificateError, match="lack cells"):
        claims_of(data, data["kind"])


@pytest.mark.slow
def test_a_large_board_that_lacks_a_cell_is_served() -> None:
    certificate = certify_lower_bound(Problem(graph_of("301x301-a1"), objective="turns"), method="family")
    assert certificate.bound == 8 * 301 - 27


@pytest.mark.parametrize("name", CLASSES)
def test_boards_added_up_anew(name: str) -> None:
    data = FILES[name]
    family, recount = read(data, KNIGHT), Recount(data)
    some = Random(name).sample(list(boards(data, 34)), part_of(6))
    assert not refuted(data, data["claims"][0], some)
    for w, h in some:
        of_board = recount.of(w, h)
        assert value(family, w, h) == of_board
        assert value(family, h, w) == recount.of(h, w)
        assert turns_at_least(family, w, h) * family.denominator == of_board[0]


@settings(deadline=None, max_examples=part_of(25))
@given(st.data())
def test_any_tables_extend(draw: st.DataObject) -> None:
    """The step from small boards to large ones does not rest on how the tables were found."""
    entry, number, move = st.integers(0, 3), st.integers(-9, 9), st.sampled_from([(1, 2), (2, 1)])
    period = draw.draw(st.integers(2, 5))
    rows = st.dictionaries(st.tuples(entry, move, st.integers(0, period - 1)), number, max_size=4)
    data = {**FILES["turns-all-n-2-mod-4"], "period": period, "corner": []}
    for table in ("side", "left") if draw.draw(st.booleans()) else ("side",):
        drawn = draw.draw(rows).items()
        data[table] = [[depth, *step, position, a] for (depth, step, position), a in drawn]
    family, recount = read(data, KNIGHT), Recount(data)
    full = 2 * family.reach
    for w in (full + 1, full + period + draw.draw(st.integers(0, 6))):
        h = full + period + draw.draw(st.integers(0, 6))
        total, loss, _ = recount.of(w, h)
        assert turns_at_least(family, w, h) * family.denominator == total
        assert turns_at_least(family, w, h, 2) * family.denominator == total - 2 * loss


# -- what is too strong ----------------------------------------------------------------------------------------------


def with_boards(data, less=(), **changes):
    """A file whose only claim is about other boards."""
    claim = copy.deepcopy(data["claims"][0])
    claim["boards"] = {key: value for key, value in claim["boards"].items() if key not in less} | changes
    return {**data, "claims": [claim]}


@pytest.mark.parametrize("name", CLASSES)
def test_claims_that_are_too_strong(name: str) -> None:
    data = FILES[name]
    claim = data["claims"][0]
    (bound,) = claim["bounds"]
    forged = [{**data, "claims": [{**claim, "closed": False}]}]
    for constant, slope in ((-22, 4), (-1, 3), (-23, 5)):
        forged.append({**data, "claims": [{**claim, "bounds": [{**bound, "constant": [constant, 1]}]}]})
        forged[-1]["claims"][0]["bounds"][0]["slope"] = [slope, 1]
    forged[2]["claims"][0]["bounds"][0]["constant"] = [60, 1]
    forged += [with_boards(data, sides=sides) for sides in ([0, 0], [0, 2])]
    forged += [with_boards(data, less=("sides",), residues=[0]), with_boards(data, less=("sides", "modulus"))]
    forged += [with_boards(data, modulus=8), with_boards(data, least=3)]
    for wrong in forged:
        with pytest.raises(CertificateError):
            check(wrong)


@pytest.mark.parametrize("name", CLASSES)
def test_changed_and_spliced_numbers(name: str) -> None:
    """Whatever is taken holds on boards that are added up anew; what does not hold on one of them is refused."""
    rng, refused = Random(name), 0
    for _ in range(30):
        data = copy.deepcopy(FILES[name])
        kind = rng.randrange(4)
        if kind == 0:
            row = rng.choice(data[rng.choice([t for t in ("side", "left", "corner") if data.get(t)])])
            row[-1] += rng.choice((-1, 1)) * rng.choice((1, 2, data["denominator"], 10**6))
        elif kind == 1:
            row = rng.choice(data["side"])
            row[3] = (row[3] + rng.randint(1, 3)) % 4
        elif kind == 2:
            other = FILES[rng.choice([n for n in CLASSES if n != name])]
            data["claims"] = copy.deepcopy(other["claims"])
        else:
            table = rng.choice([t for t in ("side", "left", "corner") if data.get(t)])
            data[table] = [[*row[:-1], row[-1] + rng.choice((0, 0, 0, 1))] for row in data[table]]
        try:
            check(data)
        except CertificateError:
            refused += 1
        else:
            assert not refuted(data, data["claims"][0], rng.sample(list(boards(data, 26)), 2))
    assert refused >= 20


HOSTILE = [
    {"period": 0},
    {"period": 9},
    {"period": 4.0},
    {"period": None},
    {"period": 1},
    {"period": 2},
    {"left": None},
    {"left": [[0, 1, 2, 0]]},
    {"side": [[0, 1, 2, 4, 1]]},
    {"side": [[0, 1, 2, -1, 1]]},
    {"side": [[0, -1, 2, 0, 1]]},
    {"side": [[0, 1, 2, 0, 1], [0, 1, 2, 0, 2]]},
    {"side": [[0, 1, 2, 0, True]]},
]


@pytest.mark.parametrize("change", HOSTILE, ids=str)
def test_hostile_files_are_refused(change: dict) -> None:
    with pytest.raises(KTError):
        check({**FILES["turns-all-n-0-1-mod-4"], **change})


@pytest.mark.parametrize("sides", [[2], [2, 2, 2], [3, 2], [2, 4], [-1, 2], None, "22", [2, True]], ids=str)
def test_remainders_that_make_no_sense(sides: object) -> None:
    with pytest.raises(CertificateError):
        check(with_boards(FILES["turns-all-n-2-mod-4"], sides=sides))


def test_a_class_of_boards_is_the_same_turned_over() -> None:
    boards = Boards("rectangles", 12, 4, sides=(0, 1))
    assert boards.includes(12, 13)
    assert boards.includes(13, 12)
    assert not boards.includes(12, 14)
    assert not boards.includes(8, 13)
    for shape, modulus, residues in (("squares", 4, (0,)), ("rectangles", 4, (1,)), ("rectangles", 1, (0,))):
        with pytest.raises(KTError):
            Boards(shape, 12, modulus, residues, (0, 1))


@pytest.mark.parametrize(
    ("board", "constant"),
    [pytest.param("16x16", 24, marks=pytest.mark.slow), ("14x14", 23)],
)
def test_the_bound_of_one_board(board: str, constant: int) -> None:
    certificate = certify_lower_bound(Problem(graph_of(board), objective="turns"), method="family")
    assert certificate.bound == 4 * sum(map(int, board.split("x"))) - constant
    check_certificate(certificate)


def test_a_board_that_lacks_too_much_is_refused():
    with pytest.raises(CertificateError, match="too many cells"):
        bound(Problem(graph_of("aztec:9"), objective="turns"), OPEN)
