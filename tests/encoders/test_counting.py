"""Counting by halves beside brute force, the sweep over the whole board, and published numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import kt
from encoders.counting.count import HalvesCount, count_by_halves
from encoders.counting.halves import halves
from encoders.counting.join import MOST_DENSE
from encoders.counting.meet import Meeting
from encoders.counting.quotient import count_classes, count_symmetric
from encoders.counting.uniform import tour_numbers, uniform
from encoders.counting.values import count_values_by_halves
from kt_models import KTError, MoveGraph, Problem, TooLarge, graph_of
from kt_models.kernel.certificates.frontier import count_solutions
from kt_models.kernel.sweeps.forms import PAIRINGS, RANK_BITS, ranked_form
from kt_models.kernel.sweeps.net import net_of
from kt_models.kernel.sweeps.run import SweepEngine, TooMany
from kt_models.kernel.sweeps.values import COUNT
from kt_models.limits import NO_LIMITS, Limits, Stopped, silent
from kt_models.result import Result
from kt_models.symmetry import Symmetry
from tests import brute
from tests.command import kt as command
from tests.command import kt_json
from tests.effort import part_of
from tests.strategies import small_graphs


@pytest.fixture(scope="module", autouse=True)
def tables() -> Iterator[None]:
    """Small counts merge states by sorting; here they use the tables, as large ones do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kt_models.kernel.sweeps.run.MOST_SORTED", 0)
        yield


@pytest.mark.parametrize("board", ["3x4", "5x6", "3x10", "6x6", "5x5-c3", "torus:4x4", "aztec:2"])
@pytest.mark.parametrize("kind", ["closed", "open", "by value", "whole by value", "symmetric"])
def test_states_are_merged_by_sorting_as_by_tables(board: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_of(board)
    connectivity = "path" if kind == "open" else "cycle"
    problem = Problem(graph, connectivity, "turns" if "value" in kind else None)

    def count() -> object:
        if kind == "symmetric":
            return count_symmetric(graph, "cycle", Symmetry.parse("rot180"))
        if kind == "by value":
            counts = count_values_by_halves(problem)
            return None if counts is None else counts.by_value
        if kind == "whole by value":
            return count_solutions(problem, by_value=True).by_value
        return counted(problem).total

    by_tables = count()
    monkeypatch.setattr("kt_models.kernel.sweeps.run.MOST_SORTED", 10**9)
    assert count() == by_tables


def counted(problem: Problem, **options: object) -> HalvesCount:
    count = count_by_halves(problem, **options)  # type: ignore[arg-type]
    assert count is not None
    return count


@pytest.mark.parametrize(
    ("board", "total"),
    [("5x6", 8), ("3x10", 16), ("3x12", 176), ("5x8", 44202), ("6x6", 9862), ("6x7", 1067638), ("4x7", 0)],
)
def test_closed_tours_are_as_many_as_published(board: str, total: int) -> None:
    assert counted(Problem(graph_of(board))).total == total


@pytest.mark.parametrize(("board", "total"), [("3x4", 8), ("4x5", 82), ("5x5", 864)])
def test_open_tours_are_as_many_as_published(board: str, total: int) -> None:
    assert counted(Problem(graph_of(board), "path")).total == total


COLUMN_BY_COLUMN = [  # Height, cells of the first board in pairs, closed tours: A383660 and A383661 of the OEIS
    (3, 11, [4, 0, 4, 24, 16, 56, 306, 176, 456, 2632, 1536, 4828, 26788, 15424, 44952]),
    (5, 9, [1, 0, 1, 30, 0, 148, 8, 78, 9309, 612, 62749, 44202, 42049]),
]


@pytest.mark.parametrize(("height", "first", "totals"), COLUMN_BY_COLUMN)
def test_boards_with_part_of_a_last_column_are_as_many_as_published(height: int, first: int, totals: list[int]) -> None:
    for pairs, total in enumerate(totals, first):
        cells = [divmod(number, height) for number in range(2 * pairs)]
        assert kt.count(cells=cells) == total, pairs


def test_ends_of_the_wrong_colour_are_dropped() -> None:
    """Both are on the colour that has one cell more; otherwise the largest layer would have 4,503 states."""
    count = counted(Problem(graph_of("5x5"), "path"))
    assert count.total == 864 and count.peak_states < 1000


@pytest.mark.slow
def test_large_boards_are_as_many_as_published() -> None:
    assert counted(Problem(graph_of("6x8"))).total == 55_488_142
    assert counted(Problem(graph_of("7x8"))).total == 34_524_432_316
    assert counted(Problem(graph_of("6x6"), "path")).total == 3_318_960


def test_halves_that_are_the_same() -> None:
    """All steps are in common, and the two ends are one table."""
    square = MoveGraph.from_edges(4, [(0, 1), (0, 2), (1, 3), (2, 3)])
    assert counted(Problem(square), order=range(4), cut=1).total == 1


def test_every_cut_and_order_gives_the_same() -> None:
    p = Problem(graph_of("5x6"))
    rng = np.random.default_rng(5)
    for cut in (1, 4, 9, 14):
        assert counted(p, cut=cut).total == 8
    by_columns = [int(v) for v in np.argsort(p.graph.board.cells[:, 0] + rng.random(30) * 1.5)]  # type: ignore[union-attr]
    for order in (range(29, -1, -1), by_columns):
        for cut in (3, 10, 14):
            assert counted(p, order=order, cut=cut).total == 8


@settings(max_examples=part_of(60), deadline=None)
@given(st.data())
def test_small_graphs_beside_the_whole_sweep(data: st.DataObject) -> None:
    """Any graph, with two colours or not, order and cut; moves required and forbidden, ends free or given."""
    graph = data.draw(small_graphs(8))
    assume(graph.n >= 4)
    if data.draw(st.booleans()):
        graph = MoveGraph.from_edges(graph.n, graph.ends[graph.ends.sum(axis=1) % 2 == 1])
    edges = st.sets(st.integers(0, graph.m - 1), max_size=2) if graph.m else st.just(set())
    kind = data.draw(st.sampled_from(["cycle", "path"]))
    ends = tuple(data.draw(st.permutations(range(graph.n)))[: data.draw(st.integers(0, 2))]) if kind == "path" else ()
    p = Problem(graph, kind, None, ends, frozenset(data.draw(edges)), frozenset(data.draw(edges)))  # type: ignore[arg-type]
    order, cut = data.draw(st.permutations(range(graph.n))), data.draw(st.integers(1, (graph.n - 1) // 2))
    total = counted(p, order=order, cut=cut).total
    assert total == count_solutions(p).total
    if not p.required and not p.forbidden and not ends:
        assert total == len(brute.cycles(graph) if kind == "cycle" else brute.paths(graph))


def pairings(vertices: list[int]) -> list[list[tuple[int, int]]]:
    """All pairings, the partner of the first vertex as the first digit."""
    if not vertices:
        return [[]]
    first, *rest = vertices
    return [[(first, w), *others] for w in rest for others in pairings([v for v in rest if v != w])]


def is_cycle(first: list[tuple[int, int]], second: list[tuple[int, int]]) -> bool:
    left, right = ({a: b for pair in way for a, b in (pair, pair[::-1])} for way in (first, second))
    met, steps = right[left[0]], 1
    while met:
        met, steps = right[left[met]], steps + 1
    return steps == len(first)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("dense", [False, True], ids=["one by one", "glued"])
def test_pairs_that_are_one_cycle(k: int, dense: bool) -> None:
    """The join beside all pairs of pairings written out."""
    ways = pairings(list(range(2 * k)))
    assert len(ways) == PAIRINGS[k]
    parts = halves_of_width(2 * k)
    meeting = Meeting(SweepEngine(ranked_form(16), COUNT, NO_LIMITS, silent), parts)
    if not dense:
        meeting.at[2:] = -1
    rng = np.random.default_rng(k)
    numbers = rng.integers(0, 2**63, size=(2, len(ways)), dtype=np.uint64) * (rng.random((2, len(ways))) < 0.9)
    pattern = (1 << 2 * k) - 1 << RANK_BITS
    rows = [np.stack([np.arange(len(ways), dtype=np.uint64) + np.uint64(pattern), n], axis=1) for n in numbers]
    if k < 4:  # Beyond, vectors of the other half are added up, and so their numbers must not be as large
        rows[1][:, 1] >>= np.uint64(8)
    else:
        rows[1][:, 1] >>= np.uint64(20)
    desk = meeting.desks[0]
    meeting.join(rows[0].astype(np.uint64), rows[1].astype(np.uint64), desk)
    known = sum(
        int(rows[0][i, 1]) * int(rows[1][j, 1])
        for i, first in enumerate(ways)
        for j, second in enumerate(ways)
        if is_cycle(first, second)
    )
    assert meeting.sums[0] == known % (1 << 128)
    assert bool(desk.tally[2]) == (dense and k > 1 and 9 * PAIRINGS[k] ** 2 * k > 0 and glues(k))


def test_pairings_beyond_the_vectors() -> None:
    """Pairings of 16 ends, drawn by lot: states of one half are glued one by one, and all pairs are tried instead."""
    k, size, rng = MOST_DENSE + 1, 2000, np.random.default_rng(1)
    pattern = (1 << 2 * k) - 1 << RANK_BITS
    ranks = [np.sort(rng.choice(PAIRINGS[k], size, replace=False)).astype(np.uint64) for _ in range(2)]
    rows = [np.stack([r + np.uint64(pattern), rng.integers(0, 2**40, size, dtype=np.uint64)], axis=1) for r in ranks]
    meeting = Meeting(SweepEngine(ranked_form(16), COUNT, NO_LIMITS, silent), halves_of_width(2 * k))
    sums = []
    for _ in range(2):
        desk = meeting._desk()
        meeting.join(rows[0], rows[1], desk)
        sums.append((desk.totals[0].tolist(), int(desk.tally[2])))
        meeting.at[2:] = -1
    assert sums[0][0] == sums[1][0] != [0, 0] and [glued for _, glued in sums] == [1, 0]


def glues(k: int) -> bool:
    """Whether so many pairs are worth it."""
    return 3 * k * PAIRINGS[k] ** 2 > 3 * (2 * k - 1) * PAIRINGS[k] and k <= MOST_DENSE


def halves_of_width(width: int) -> tuple:
    """Two halves with so many vertices on the frontier: those of a complete bipartite graph."""
    hubs = 3
    graph = MoveGraph.from_edges(hubs + width, [(u, hubs + v) for u in range(hubs) for v in range(width)])
    parts = halves(net_of(Problem(graph)), np.arange(graph.n), hubs)
    assert parts is not None and len(parts[0].frontier) == width
    return parts


@pytest.mark.parametrize(
    ("board", "kind"),
    [
        ("5x6", "cycle"),
        ("3x10", "cycle"),
        ("3x12", "cycle"),
        ("3x4", "path"),
        ("4x5", "path"),
        pytest.param("5x5", "path", marks=pytest.mark.slow),
    ],
)
def test_tours_with_a_symmetry_beside_brute_force(board: str, kind: str) -> None:
    graph = graph_of(board)
    tours = brute.tours(board, kind == "cycle")
    sets = {frozenset(frozenset(pair) for pair in moves(tour, kind == "cycle")) for tour in tours}
    images = {s: s.permutation(graph.board).tolist() for s in graph.symmetries()}  # type: ignore[arg-type]

    def image(tour: frozenset, s: Symmetry) -> frozenset:
        return frozenset(frozenset(images[s][v] for v in move) for move in tour)

    for symmetry in graph.symmetries()[1:]:
        assert count_symmetric(graph, kind, symmetry) == sum(image(tour, symmetry) == tour for tour in sets)
    classes = {frozenset(image(tour, s) for s in images) for tour in sets}
    assert count_classes(graph, kind, len(tours)) == len(classes)


def moves(tour: tuple[int, ...], closed: bool) -> list[tuple[int, int]]:
    return list(zip(tour, tour[1:] + tour[: int(closed)], strict=False))


def test_published_numbers_with_a_symmetry() -> None:
    """6x6 has 1,245 classes; 8x8 (McKay 1997) 1,658,420,855,433, from 13,267,364,410,532 tours."""
    assert count_classes(graph_of("6x6"), "cycle", 9862) == 1245
    assert count_symmetric(graph_of("6x6"), "cycle", Symmetry.parse("rot90", 2)) == 10


@pytest.mark.parametrize(
    ("words", "total"),
    [
        ("cylinder:3x3 --open --symmetry rot180", 12),
        ("3x3 --leaper 0,1+0,2 --open --symmetry rot180", 12),
        ("3x3 --leaper 0,1+0,2 --open --up-to-symmetry", 96),
        # Under the 12 symmetries of the cylinder; its reflections and the half turn alone would leave 38.
        ("cylinder:3x3 --leaper 0,1 --open --up-to-symmetry", 14),
    ],
)
def test_a_move_that_is_mapped_to_itself_beside_a_cell_that_is(words: str, total: int) -> None:
    """An open tour has one centre: with a fixed cell, which is in each tour, this cell is the centre, and no move."""
    assert kt_json("enumerate", *words.split(), "--count")["count"] == total
    assert len(command("enumerate", *words.split()).stdout.splitlines()) == total


def test_a_wrong_number_of_tours_is_noticed() -> None:
    with pytest.raises(KTError, match="multiple"):
        count_classes(graph_of("5x6"), "cycle", 9)


@pytest.mark.parametrize(("board", "kind"), [("5x6", "cycle"), ("3x10", "cycle"), ("3x7", "path"), ("4x5", "path")])
def test_every_number_is_a_tour_of_its_own(board: str, kind: str) -> None:
    p = Problem(graph_of(board), kind)  # type: ignore[arg-type]
    numbers = tour_numbers(p)
    tours = {tuple(Result(p, "feasible", edges=numbers.tour(i)).edges.tolist()) for i in range(numbers.total)}  # type: ignore[union-attr]
    assert len(tours) == numbers.total == len(brute.tours(board, kind == "cycle"))


def test_uniform_tours_are_drawn_by_seed() -> None:
    p = Problem(graph_of("5x6"))
    drawn = Counter(tuple(uniform(p, limits=Limits(seed=seed)).edges.tolist()) for seed in range(40))  # type: ignore[union-attr]
    assert len(drawn) == 8
    assert uniform(Problem(graph_of("4x4"))).status == "infeasible"
    with pytest.raises(KTError, match="too wide"):
        uniform(Problem(graph_of("30x30")))


def test_what_cannot_be_counted_by_halves_is_left_to_others() -> None:
    assert count_by_halves(Problem(graph_of("30x30"))) is None
    assert count_by_halves(Problem(graph_of("2x1"))) is None
    assert count_by_halves(Problem(graph_of("3x200"))) is None  # Partial tours beyond 64 bits
    with pytest.raises(KTError, match="cut"):
        count_by_halves(Problem(graph_of("5x6")), cut=15)


def test_limits_are_kept() -> None:
    with pytest.raises(TooLarge, match="limit of") as error:
        count_by_halves(Problem(graph_of("8x8")), limits=Limits(memory=1 << 20))
    assert not isinstance(error.value, TooMany)
    with pytest.raises(Stopped):
        count_by_halves(Problem(graph_of("8x8")), limits=Limits(seconds=0))


@pytest.mark.parametrize("is_open", [False, True])
def test_classes_of_the_smallest_boards_are_counted_and_listed_alike(is_open: bool) -> None:
    for width in range(1, 5):
        for height in range(1, 5):
            board = f"{width}x{height}"
            listed = list(kt.tours(board, up_to_symmetry=True, open=is_open))
            assert kt.count(board, up_to_symmetry=True, open=is_open) == len(listed), board
