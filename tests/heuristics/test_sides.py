"""Rectangles with straight lines inside, whose sides are drawn until there is one cycle."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.main import main
from heuristics.find import find
from heuristics.searches.sides.annealing import annealed
from heuristics.searches.sides.data import FILE, MIN_SIDE, PLANES, LinePlane, Rectangle
from kt_models import Problem, graph_of
from kt_models.limits import Limits
from research.side_walks import main as write_file
from research.strands.squares import cycles
from theorems.growing_tours.codes import check_codes, turns


@pytest.mark.parametrize(("board", "most"), [("18x20", 130), ("30x40", 259), ("63x104", 646), ("34x34", 251)])
def test_tours_by_sides_have_few_turns(board: str, most: int) -> None:
    """No tour of these boards has fewer than 4 (w + h) - 22."""
    result = find(Problem(graph_of(board)), "sides", limits=Limits(seed=0))
    assert result.tour is not None and result.tour.measure("turns") <= most


@settings(max_examples=25, deadline=None)
@given(st.integers(MIN_SIDE, 60), st.integers(MIN_SIDE, 60), st.sampled_from(PLANES), st.integers(0, 4), st.randoms())
def test_turns_and_cycles_are_what_is_said(
    width: int, height: int, plane: LinePlane, more: int, luck: random.Random
) -> None:
    """Cell by cell, by code that goes another way."""
    board = Rectangle.of(plane, luck.choice([*plane.choices]), width, height)
    ends = [*board.ends(board.least + more)]
    if ends:
        left, codes = annealed(board, luck.choice(ends), 20, np.random.default_rng(luck.randrange(1000)))
        check_codes(codes)
        assert turns(codes) == 4 * (width + height) + board.least + more
        assert cycles(codes)[0] == left


def test_drawing_leaves_fewer_cycles() -> None:
    board = Rectangle.of(PLANES[0], frozenset({0, 2}), 40, 60)
    ends = next(board.ends(-20))
    few, many = (annealed(board, ends, pieces, np.random.default_rng(1))[0] for pieces in (3000, 0))
    assert few < many


@pytest.mark.parametrize("board", ["17x20", "21x21", "600x602", "aztec:10"])
def test_boards_that_are_not_served(board: str) -> None:
    result = CliRunner().invoke(main, ["find", board, "--method", "sides"])
    assert result.exit_code == 2 and len(result.output.splitlines()) == 1 and "method sides" in result.output


@pytest.mark.slow
def test_the_command_writes_the_file(tmp_path: Path) -> None:
    write_file([str(tmp_path / "sides.json")])
    assert (tmp_path / "sides.json").read_text() == FILE.read_text()
