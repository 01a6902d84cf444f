"""Formation tours: every construction over a sweep of sizes, what is where, the algebra, the gadgets."""

from __future__ import annotations

import copy
import itertools
import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heuristics.papers.taming.formation import formation
from heuristics.papers.taming.formation import gadgets as gadget_files
from heuristics.papers.taming.formation.boxes import level_gadgets
from heuristics.papers.taming.formation.construct import Circuit
from heuristics.papers.taming.formation.gadgets import (
    STYLES,
    junction_region,
    junctions,
    load,
    metric_of,
    read_gadget,
    read_junction,
    transitions,
)
from heuristics.papers.taming.formation.giraffe import (
    EDGE,
    HEEL,
    HEIGHTS,
    giraffe_height,
    giraffe_junctions,
    giraffe_order,
    giraffe_transitions,
)
from heuristics.papers.taming.formation.layout import Plan, formation_gadgets, high_of, layout
from heuristics.papers.taming.formation.odd import odd_gadgets
from heuristics.papers.taming.formation.plane import circuit, junction_heights, locator, plane_circuits
from heuristics.papers.taming.formation.quartet import MATCHINGS, Point, march, plus, square
from heuristics.papers.taming.formation.square import square_gadgets, square_junctions
from kt_models import KNIGHT, Board, KTError, Leaper, MoveGraph, Problem, Symmetry, Tour, verify
from kt_models.limits import Limits
from tests.effort import part_of, slow
from tests.heuristics.formation_algebra import (
    ELEMENTS,
    action,
    element_of,
    matching_after,
    table1,
    table2,
    total_action,
)
from theorems.growing_tours.codes import cycle
from theorems.growing_tours.zones import TourFamily

GIRAFFE = Leaper(1, 4)


def problem(text: str, leaper: Leaper = KNIGHT, symmetry: str = "") -> Problem:
    board = Board.parse(text)
    return Problem(MoveGraph.of(board, leaper), symmetry=(Symmetry.parse(symmetry),) if symmetry else ())


def checked(text: str, leaper: Leaper = KNIGHT, symmetry: str = "", **options: str) -> Tour:
    tour = formation(problem(text, leaper, symmetry), **options).tour  # type: ignore[arg-type]
    assert tour is not None
    assert tour.closed
    verify(tour)
    return tour


def plane(width: int, height: int, style: str = "turns") -> Circuit:
    return circuit(width, height, *junction_heights(width, height), style)


# -- the plane -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("heel", ["plain", "both", *slow(style for style in STYLES if style not in ("plain", "both"))])
def test_every_size_modulo_everything(heel: str) -> None:
    """Algorithm 1 from its least sizes on: three periods of the width, four of the height."""
    for width, height in itertools.product(range(16, 41, 2), range(12, 28)):
        checked(f"{width}x{height}", heel=heel)


@pytest.mark.parametrize(("width", "height"), [(16, 200), (200, 12), (18, 203), (302, 13), (100, 100), (250, 64)])
def test_long_boards_have_formation_tours(width: int, height: int) -> None:
    for heel in STYLES:
        checked(f"{width}x{height}", heel=heel)


def test_an_odd_width_is_turned_over() -> None:
    for height in (16, 18, 20, 22):
        checked(f"13x{height}")
    checked("23x16x1")


@settings(max_examples=part_of(40), deadline=None)
@given(st.integers(8, 90), st.integers(12, 150), st.sampled_from(STYLES), st.booleans())
def test_boards_of_any_size_have_formation_tours(half: int, height: int, heel: str, turned: bool) -> None:
    width = 2 * half
    checked(f"{height}x{width}" if turned else f"{width}x{height}", heel=heel)


def test_exactly_the_listed_smaller_boards_have_formation_tours() -> None:
    """Below 16 × 12 exactly these serve, up to height 19; the smallest is 6×10."""
    serves = {w: [h for h in range(5, 20) if next(plane_circuits(w, h, "turns"), None)] for w in range(4, 23, 2)}
    assert serves == {
        4: [],
        6: [10, 14, 18],
        8: [11, 15, 19],
        10: [12, 14, 16, 18],
        12: [*range(11, 20)],
        14: [*range(10, 20)],
        16: [*range(11, 20)],
        18: [*range(12, 20)],
        20: [*range(11, 20)],
        22: [*range(10, 20)],
    }
    for text in ("6x10", "10x6", "8x11", "11x8", "10x12", "12x11", "14x10", "22x10", "16x11"):
        for heel in STYLES:
            checked(text, heel=heel)


@pytest.mark.slow
def test_the_best_junctions_are_no_worse_on_larger_boards() -> None:
    """Chosen on a board of bounded size, they are no worse on larger ones; and they serve where Algorithm 1 does."""
    for width, height in [
        *itertools.product(range(16, 32, 2), range(12, 16)),
        *itertools.product((98, 104), (97, 100)),
    ]:
        for heel in STYLES[1:]:
            metric = metric_of(heel)
            best = checked(f"{width}x{height}", heel=heel, junction="best")
            assert best.measure(metric) <= checked(f"{width}x{height}", heel=heel).measure(metric)
    checked("6x10", junction="best")
    assert checked("100x20", junction="best").measure("turns") == checked("20x100", junction="best").measure("turns")
    assert checked("100x20", junction="best").measure("turns") < checked("100x20").measure("turns")
    checked("16x12x3", junction="best")
    with pytest.raises(KTError, match="does not cover"):
        formation(problem("8x8"), junction="best")


def test_square_junctions() -> None:
    for width, height in itertools.product(range(26, 42, 2), range(18, 27)):
        checked(f"{width}x{height}", junction="square", heel=STYLES[(width + height) % len(STYLES)])
    with pytest.raises(KTError, match="square junctions"):
        formation(problem("24x12"), junction="square")


def test_every_heel_and_edge_counts_what_the_paper_says() -> None:
    """Eight more columns are two heels, four more rows two pieces of edge (section 4.2)."""

    def more(width: int, height: int, style: str, metric: str) -> int:
        before, after = (
            Tour(MoveGraph.of(Board.box(*s)), plane(*s, style).order((s[1], 1)), True)
            for s in ((40, 41), (40 + width, 41 + height))
        )
        return after.measure(metric) - before.measure(metric)

    heels = {style: [more(8, 0, style, metric) // 2 for metric in ("turns", "crossings")] for style in STYLES}
    assert heels == {"plain": [22, 32], "turns": [21, 31], "crossings": [22, 28], "both": [21, 27]}
    for style in STYLES:
        assert [more(0, 4, style, metric) // 2 for metric in ("turns", "crossings")] == [8, 10]


def test_the_proved_families_are_formation_tours() -> None:
    """What `kt check` shows of squares of all sizes is shown of the tours that the method makes."""
    data = json.loads((gadget_files.FOLDER / "formation_families.json").read_text())
    styles = ["both"] * 4 + ["crossings"] * 4
    for style, seed, claim in zip(styles, data["families"], data["claims"], strict=True):
        family, least = TourFamily.from_json(seed), claim["boards"]["least"]
        for steps in (0, 1, 4):
            side = least + 8 * steps
            order = plane(side, side, style).order((side, 1))
            proved = cycle(family.board_codes((steps, steps)))
            numbers = proved[:, 0] * side + proved[:, 1]
            graph = MoveGraph.of(Board.box(side, side))
            tour = Tour(graph, order, True)
            assert np.array_equal(tour.normalised().order, Tour(graph, numbers, True).normalised().order)
            for bound in claim["bounds"]:
                slope, constant = Fraction(*bound["slope"]), Fraction(*bound["constant"])
                assert tour.measure(bound["metric"]) == slope * side + constant


def test_lower_bounds_are_kept() -> None:
    """8n - 22 turns and 4n + 36 crossings are proved elsewhere."""
    for side in range(16, 80, 2):
        tour = Tour(MoveGraph.of(Board.box(side, side)), plane(side, side).order((side, 1)), True)
        assert 8 * side - 22 <= tour.measure("turns") <= 9.25 * side
        assert 4 * side + 36 <= tour.measure("crossings")


def test_threads_change_nothing() -> None:
    made = plane(1000, 601)
    single = made.order((601, 1), threads=1)
    assert np.array_equal(single, made.order((601, 1), threads=3))
    verify(Tour(MoveGraph.of(Board.box(1000, 601)), single, True))


# -- in constant time ----------------------------------------------------------------------------------------------


def test_the_cell_at_an_index() -> None:
    sizes = [*itertools.product(range(16, 64, 6), range(12, 45, 7)), (16, 99), (200, 12), (90, 91), (122, 60)]
    for number, (width, height) in enumerate(sizes):
        style = STYLES[number % len(STYLES)]
        order = plane(width, height, style).order((height, 1)).astype(np.int64)
        cells = locator(width, height, style).cells(np.arange(width * height))  # type: ignore[arg-type]
        assert np.array_equal(cells, np.stack(np.divmod(order, height), axis=1)), (width, height)


@settings(max_examples=30, deadline=None)
@given(st.integers(8, 10**6), st.integers(12, 10**6), st.floats(0, 1), st.sampled_from(STYLES))
def test_the_cell_at_an_index_of_a_huge_board(half: int, height: int, part: float, style: str) -> None:
    width = 2 * half
    index = (np.arange(50) + int(part * width * height)) % (width * height)
    cells = locator(width, height, style).cells(index)  # type: ignore[arg-type]
    steps = np.sort(np.abs(np.diff(cells, axis=0)), axis=1)
    assert (steps == [1, 2]).all()
    assert (cells >= 0).all()
    assert (cells < [width, height]).all()
    assert len(np.unique(cells, axis=0)) == min(50, width * height)


def test_the_tour_starts_at_the_bottom_left() -> None:
    found = locator(30, 30)
    assert found.cell(0) == Point(0, 0)
    assert sum(section.track >= 0 for section in found.sections) == 4
    with pytest.raises(ValueError, match="even"):
        locator(17, 30)


def test_the_worked_example_of_lemma_3() -> None:
    """Waymark k, in column 1 and row 4k + 3, has the index (2k + 1)² - 2, and index 85 is 6 after the fourth.

    That is with the paper's junction, of which 6 cells come before. Of ours 12 do, so all is 6 later.
    """
    for side in (30, 62):
        found = locator(side, side, "plain")
        assert found.sections[0].length == 12
        late = found.sections[0].length - 6
        for k in range(1, 5):
            assert found.cell((2 * k + 1) ** 2 - 2 + late - 1) == Point(0, 4 * k + 2)
        assert found.cell(85 + late - 1) == Point(12, 12)  # (13, 13) counted from 1


# -- the algebra ---------------------------------------------------------------------------------------------------


def test_table_1_of_the_paper_is_computed() -> None:
    """As printed: the rows V, H, X."""
    columns = {name: "".join(images[m] for m in "VHX") for name, images in table1().items()}
    assert columns == {"": "VHX", "V": "XHV", "H": "VXH", "VH": "HXV", "HV": "XVH", "VHV": "HVX"}


def test_table_2_of_the_paper_is_computed() -> None:
    """As printed, in the order of its columns."""
    printed = {
        "": ["", "V", "H", "VH", "HV", "VHV"],
        "V": ["V", "", "VH", "H", "VHV", "HV"],
        "H": ["H", "HV", "", "VHV", "V", "VH"],
        "VH": ["VH", "VHV", "V", "HV", "", "H"],
        "HV": ["HV", "H", "VHV", "", "VH", "V"],
        "VHV": ["VHV", "VH", "HV", "V", "H", ""],
    }
    made = table2()
    assert {row: [made[row][column] for column in ELEMENTS] for row in ELEMENTS} == printed


def test_a_word_acts_as_the_product_of_its_moves() -> None:
    made = table2()
    for word in itertools.product("UDLRab", repeat=4):
        product = ""
        for move in word:
            product = product if move in "ab" else made[product]["V" if move in "UD" else "H"]
        assert element_of(action(march(word))) == product, word


def test_lemma_1_a_horizontal_matching_stays_one() -> None:
    """The walk from junction to junction is neutral or one vertical move; so a horizontal matching stays one."""
    heel = formation_gadgets()["heel"]
    assert element_of(action(heel)) == ""
    for name in ("corner 2", "corner 4", "corner 6", "short"):
        assert element_of(action(formation_gadgets()[name])) == "V"
    seen = set()
    for style in STYLES:
        for width, height in itertools.product(range(16, 42, 2), range(12, 38)):
            low, high = junction_heights(width, height)
            total = total_action(t.gadget for t in layout(width, height, low, high, transitions(style)).transitions)
            assert element_of(total) in ("", "V")
            seen.add(element_of(total))
            assert total[tuple(MATCHINGS).index("H")] == "H"
    assert seen == {"", "V"}


def test_the_choice_of_matchings_matters() -> None:
    """Theorem 2: a vertical matching closes one cycle, a horizontal one two."""
    plan = layout(30, 30, 5, high_of(30, 30), transitions("turns"))
    js = junctions("turns")
    assert len(Circuit(plan, js[5, "H"], js[plan.high, "V"]).sections) >= 8
    with pytest.raises(ValueError, match="two cycles"):
        Circuit(plan, js[5, "H"], js[plan.high, "H"]).sections  # noqa: B018


def test_plans_are_layouts() -> None:
    for width, height in ((16, 12), (30, 41), (64, 20)):
        low, high = junction_heights(width, height)
        plan = Plan(width, height, low, high, transitions("turns"))
        whole = layout(width, height, low, high, transitions("turns"))
        assert len(whole.transitions) == 2 * plan.pairs
        assert [plan.transition(k) for k in range(2 * plan.pairs)] == list(whole.transitions)
    with pytest.raises(ValueError, match="do not fit"):
        layout(30, 30, 5, 6, transitions("turns"))


# -- the gadgets ---------------------------------------------------------------------------------------------------


def test_every_gadget_covers_its_region() -> None:
    """Reading them checks that they cover their region by the leaper's moves and join what they must."""
    for style in STYLES:
        plain = formation_gadgets()
        for name, gadget in transitions(style).items():
            end = plus(gadget.lead, gadget.exit)
            assert end == plus(plain[name].exit, Point(4, -2) if gadget.lead != Point(0, 0) else Point(0, 0))
            assert matching_after("H", gadget.permutation) == "H"
            twice = gadget.rotate180().rotate180()
            assert twice == gadget
            assert gadget.reversed().reversed() == gadget
        assert set(junctions(style)) == set(itertools.product(range(5, 9), "HV"))
        wide, low = odd_gadgets(style)
        for name, rows in (("edge", range(4)), ("corner 6", range(-2, 2)), ("corner 2", range(-3, 3))):
            column = {Point(plain[name].exit.x + x, y) for x, y in itertools.product(range(-9, 9), rows)}
            extra = {c for p in wide[name].paths for c in p} - {c for p in plain[name].paths for c in p}
            assert extra <= column
            assert len({c.x for c in extra}) == 1
            assert len(extra) == len(rows)
        for junction in low.values():
            inside = {cell for path in junction.paths for cell in path[1:-1]}
            assert inside == junction_region(5) | {Point(-1, y) for y in range(1, 7)}
            assert any({a, b} == {Point(0, 0), Point(-1, 2)} for p in junction.paths for a, b in itertools.pairwise(p))
    for (name, height), gadget in level_gadgets().items():
        start = {Point(x, y) for x, y in square(2)}
        cells = {cell for path in gadget.paths for cell in path} - start
        assert {Point(c.x, c.y + height) for c in cells} == junction_region(height)
        assert gadget.exit == Point(0 if name == "first" else 2, -height)
    for constant in range(6, 10):
        square_gadgets(constant)
    assert set(square_junctions()) == {"H", "V"}
    for tall in HEIGHTS:
        giraffe_junctions(tall)


def test_the_files_say_how_they_were_found() -> None:
    names = ["heels", "corners", "junctions", "odd", "levels", "square", "giraffe"]
    for name in names:
        data = json.loads((gadget_files.FOLDER / f"formation_{name}.json").read_text())
        assert data["command"].startswith(f"python -m research.formation_gadgets {name} ")


def test_a_wrong_gadget_is_refused() -> None:
    good = load("heels")["turns"]
    shape = formation_gadgets()["heel"]
    assert read_gadget("heel", good, shape).exit == shape.exit
    bad = copy.deepcopy(good)
    bad["paths"][0][1] = [1, 1]
    with pytest.raises(ValueError, match="not a move"):
        read_gadget("heel", bad, shape)
    bad = copy.deepcopy(good)
    bad["paths"][0] = bad["paths"][1]
    with pytest.raises(ValueError, match="disjoint"):
        read_gadget("heel", bad, shape)
    with pytest.raises(ValueError, match="region"):
        read_gadget("heel", good, formation_gadgets()["corner 4"])
    junction = load("junctions")["turns"]["5H"]
    with pytest.raises(ValueError, match="other ends"):
        read_junction("5V", junction, junction_region(5))
    with pytest.raises(ValueError, match="fill"):
        read_junction("5H", junction, junction_region(6))


# -- the extensions ------------------------------------------------------------------------------------------------


def test_odd_boards_without_a_corner() -> None:
    for number, (width, height) in enumerate(itertools.product(range(17, 39, 2), range(13, 31, 2))):
        checked(f"{width}x{height}-a1", heel=STYLES[number % len(STYLES)])
    for corner in ("a23", "q23", "q1"):
        checked(f"17x23-{corner}")
    checked("13x17-a1")
    with pytest.raises(KTError, match="does not cover"):
        formation(problem("23x23-b1"))
    with pytest.raises(KTError, match="does not cover"):
        formation(problem("22x23-a1"))


def test_quarter_turn_symmetry() -> None:
    quarter = Symmetry.parse("rot90")
    for number, side in enumerate(range(30, 99, 4)):
        tour = checked(f"{side}x{side}", symmetry="rot90", heel=STYLES[number % len(STYLES)])
        assert quarter in tour.symmetries()
    checked("34x34", symmetry="rot180")
    for text, symmetry in (("36x36", "rot90"), ("34x34", "mirror-x"), ("26x26", "rot90")):
        with pytest.raises(KTError, match="formation"):
            formation(problem(text, symmetry=symmetry))


def test_boxes_of_three_and_more_dimensions_are_toured() -> None:
    for width, height, depth in itertools.product((16, 18, 20, 22), (12, 13, 14, 15), (2, 3, 4)):
        checked(f"{width}x{height}x{depth}")
    for text in ("5x16x13", "16x1x13x3", "2x3x13x16", "18x12x2x2x2", "24x12x3", "16x16x16", "13x7x17x18"):
        checked(text)
    with pytest.raises(KTError, match="box needs"):
        formation(problem("10x10x10"))


def test_giraffes_tour_every_width_4m_from_44_on() -> None:
    """Every width 4m from 44 on, each with the heights m + 1 modulo 8; those of the paper are 32k + 20 by 8l + 14."""
    for m in range(11, 28):
        least = next(h for h in range(20, 28) if h % 8 == (m + 1) % 8)
        for height in (least, least + 8, least + 40):
            checked(f"{4 * m}x{height}", GIRAFFE)
        with pytest.raises(KTError, match="4m"):
            formation(problem(f"{4 * m}x{least - 8}", GIRAFFE))
    assert giraffe_height(84, 62) == 11
    for text in ("22x52", "44x44"):
        checked(text, GIRAFFE)
    for text in ("52x24", "50x22", "20x22", "52x14", "40x27"):
        with pytest.raises(KTError, match="4m"):
            formation(problem(text, GIRAFFE))


def test_giraffes_arrive_as_they_started() -> None:
    """Heel, turned heel and four moves up exchange columns 1, 2 and 3, 4 alike (section 5.4)."""
    swap = tuple(p ^ 1 for p in range(16))
    heel = march(HEEL, side=4)
    assert heel.permutation == heel.rotate180().permutation == march(EDGE, side=4).permutation == swap
    assert len(giraffe_transitions(84, 62, 11)) % 2 == 0
    assert len(np.unique(giraffe_order(84, 62))) == 84 * 62


# -- the method ----------------------------------------------------------------------------------------------------


def test_boards_that_formation_does_not_serve() -> None:
    from kt_models import graph_of

    for text in ("9x9", "4x20", "aztec:9", "torus:16x16", "10x10"):
        with pytest.raises(KTError, match="formation"):
            formation(Problem(graph_of(text)))
    with pytest.raises(KTError, match="formation"):
        formation(problem("16x16", Leaper(2, 3)))
    with pytest.raises(KTError, match="formation"):
        formation(Problem(MoveGraph.from_edges(3, [(0, 1), (1, 2), (0, 2)])))


def test_required_and_forbidden_moves_are_kept_or_nothing_is_found() -> None:
    graph = MoveGraph.of(Board.box(16, 12))
    tour = formation(Problem(graph)).tour
    assert tour is not None
    used = int(tour.edges[0])
    assert formation(Problem(graph, required=frozenset({used}))).tour is not None
    assert formation(Problem(graph, forbidden=frozenset({used}))).tour is None
    assert formation(Problem(graph), limits=Limits(0)).tour is None
