"""The lemmas of Davies, Xue and Yerger on Aztec diamonds (`heuristics.papers.aztec.lemmas`)."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heuristics.papers.aztec.four_tours import four_equal_tours, require_equal_tours
from heuristics.papers.aztec.lemmas import border, check_lemmas, dissect, quadrant
from kt_models import Board, KTError, MoveGraph
from kt_models.errors import CertificateError, TooLarge
from kt_models.kernel.certificates import check
from tests import brute
from tests.effort import part_of


def test_lemmas_up_to_radius_30() -> None:
    for radius in range(1, 31):
        lemmas = check_lemmas(radius)
        assert sum(lemmas.colours) == 2 * radius * (radius + 1)
        assert lemmas.colours[0] == lemmas.colours[1]
        assert lemmas.four_equal_tours == (radius % 4 in (0, 3))  # n = 1, 2 mod 4 is ruled out
        assert (lemmas.four_tours is not None) == lemmas.four_equal_tours
        assert lemmas.placements == radius - 1  # Whatever covers the tip fails at once
        assert lemmas.quadrant.problem.graph.n == radius * (radius + 1) // 2
        black = int((quadrant(radius).cells.sum(axis=1) % 2 == (radius - 1) % 2).sum())
        assert 2 * black - radius * (radius + 1) // 2 == (radius + 1) // 2  # So many more than of the other colour
        assert check(lemmas.quadrant)
        assert lemmas.quadrant_open is None or check(lemmas.quadrant_open)
        assert (lemmas.quadrant_open is None) == (radius == 1)
        assert lemmas.tip_degree == (1 if radius >= 3 else 0)  # The paper's reason holds from radius 3 on
        assert lemmas.border_degrees == {1: (0,), 2: (3,)}.get(radius, (3, 4))


def test_four_closed_tours_of_equal_length_cover_a_diamond() -> None:
    for radius in (3, 4, 7, 8, 11, 12):
        tours = check_lemmas(radius).four_tours
        assert tours is not None and len(tours) == 4
        cells = [[tuple(cell) for cell in Board.aztec(radius).cells[list(tour)].tolist()] for tour in tours]
        for tour in cells:
            assert len(tour) == radius * (radius + 1) // 2
            for (x, y), (u, v) in zip(tour, [*tour[1:], tour[0]], strict=True):
                assert {abs(x - u), abs(y - v)} == {1, 2}
        assert len({cell for tour in cells for cell in tour}) == 2 * radius * (radius + 1)
        turned = {(y, 2 * radius - 1 - x) for x, y in cells[0]}
        assert (turned in [set(tour) for tour in cells]) == (radius > 3)


def test_wrong_tours_are_refused() -> None:
    graph = MoveGraph.of(Board.aztec(4))
    tours = four_equal_tours(4)
    assert tours is not None
    for wrong in (
        tours[:3],
        [*tours[:3], tours[0]],
        [*tours[:3], tours[3][::2] + tours[3][1::2]],
        [[*tours[0], *tours[1]], *tours[2:]],
    ):
        with pytest.raises(CertificateError):
            require_equal_tours(graph, wrong)


def test_small_quadrants_have_no_tour_by_enumeration() -> None:
    for radius in range(2, 6):
        graph = MoveGraph.of(quadrant(radius))
        assert not brute.cycles(graph)
        assert not brute.paths(graph)


def test_the_lemmas_have_a_limit() -> None:
    with pytest.raises(TooLarge):
        check_lemmas(10**6)
    with pytest.raises(KTError):
        quadrant(0)


def test_the_border_of_a_diamond() -> None:
    mask = Board.aztec(3).mask
    assert mask is not None
    assert int(border(mask).sum()) == 12  # The two ends of each of the 6 rows
    assert int(border(np.ones((4, 5), dtype=bool)).sum()) == 14


SHAPES = [Board.box(2, 1), Board.box(1, 3), Board.box(2, 2), Board.from_cells([(0, 1), (1, 0), (1, 1)])]


def covered(cells: frozenset[tuple[int, int]], pieces: list[frozenset[tuple[int, int]]]) -> bool:
    """Whether cells are a disjoint union of shifted pieces, by trying everything on one cell."""
    if not cells:
        return True
    x, y = max(cells)
    for piece in pieces:
        for a, b in piece:
            put = frozenset((x + c - a, y + d - b) for c, d in piece)
            if put <= cells and covered(cells - put, pieces):
                return True
    return False


@settings(max_examples=part_of(200), deadline=None)
@given(st.sets(st.sampled_from(list(product(range(4), range(3)))), min_size=1), st.sets(st.sampled_from(range(4))))
def test_dissections_agree_with_trying_everything(cells: set[tuple[int, int]], chosen: set[int]) -> None:
    pieces = [SHAPES[i] for i in sorted(chosen)]
    board = Board.from_cells(sorted(cells))
    plain = [frozenset((int(x), int(y)) for x, y in piece.cells) for piece in pieces]
    found, placements = dissect(board, pieces)
    assert (found is not None) == covered(frozenset((int(x), int(y)) for x, y in board.cells), plain)
    if found is not None:
        assert placements >= len(found)
        put = [(x + a, y + b) for index, (a, b) in found for x, y in pieces[index].cells.tolist()]
        assert sorted(put) == sorted(map(tuple, board.cells.tolist()))
