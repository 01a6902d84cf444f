"""A tour given to a problem is open or closed as the problem is, unless its data say otherwise, at every door."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kt
from tests.command import answered

RING = [(0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1)]
"""A way of the wazir round 2x3 cells, whose ends are a move apart."""
BOARD, LEAPER = "3x2", "0,1"
FORMS: dict[str, Any] = {
    "cells": RING,
    "array": np.array(RING),
    "squares": "a1 b1 c1 c2 b2 a2",
    "grid": "6 5 4\n1 2 3\n",
    "numbers": np.array([[6, 5, 4], [1, 2, 3]]),
    "indices": [3, 4, 5, 2, 1, 0],
    "tsplib": "NAME : ring\nTYPE : TOUR\nDIMENSION : 6\nTOUR_SECTION\n1\n3\n5\n6\n4\n2\n-1\nEOF\n",
}
"""The same order in forms that do not say whether it is closed."""


def moves_kept(problem: kt.Problem) -> int:
    """Moves that cost nothing: those of the tour that the solution is to be near."""
    assert isinstance(problem.objective, kt.Weights)
    return problem.graph.m - sum(1 for weight in problem.objective.weight.tolist() if weight)


def near(tour: Any, open: bool) -> int:
    return moves_kept(kt.problem(BOARD, leaper=LEAPER, open=open, near=tour))


def hint(tour: Any, open: bool) -> int:
    result = kt.solve(BOARD, leaper=LEAPER, open=open, hint=tour)
    assert result.tour is not None
    return len(result.tour.moves)


def improve(tour: Any, open: bool) -> int:
    result = kt.improve(tour, kt.problem(BOARD, leaper=LEAPER, open=open, minimize="turns"), time_limit=1)
    assert result.tour is not None
    return len(result.tour.moves)


DOORS: dict[str, Callable[[Any, bool], int]] = {"near": near, "hint": hint, "improve": improve}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("open", [False, True], ids=["closed", "open"])
def test_a_tour_in_python_is_as_its_problem(door: str, form: str, open: bool) -> None:
    assert DOORS[door](FORMS[form], open) == len(RING) - open


@pytest.mark.parametrize("form", [name for name, data in FORMS.items() if isinstance(data, str)])
@pytest.mark.parametrize("open", [False, True], ids=["closed", "open"])
@pytest.mark.parametrize("command", ["solve --near", "solve --hint", "improve"])
def test_a_tour_of_a_command_is_as_its_problem(command: str, form: str, open: bool, tmp_path: Path) -> None:
    file = tmp_path / ("ring.tour" if form == "tsplib" else "ring.txt")
    file.write_text(FORMS[form])
    asked = ["--leaper", LEAPER, *(["--open"] if open else []), "--json"]
    if command == "improve":
        words = ["improve", file, "--board", BOARD, "--minimize", "turns", "--time-limit", "1", *asked]
    else:
        name, option = command.split()
        words = [name, BOARD, option, file, *asked]
    status, text, complaint = answered(*map(str, words))
    assert status in (0, 3), complaint
    data = json.loads(text)
    assert data["closed"] is not open
    if command == "solve --near":
        assert data["value"] == 0


def test_a_move_that_an_open_tour_does_not_make_is_not_free() -> None:
    edges = [(0, 1), (0, 5), (1, 3), (2, 4), (2, 5), (3, 4)]
    result = kt.solve(edges=edges, open=True, start=1, end=0, near=[0, 1, 3, 4, 2, 5])
    assert (result.status, result.value) == ("optimal", 1)
    assert kt.solve(edges=edges, near=[0, 1, 3, 4, 2, 5]).value == 0


def test_a_tour_that_says_what_it_is_stays_so() -> None:
    closed, open_ = (kt.read(RING, kt.graph(BOARD, LEAPER), closed=kind) for kind in (True, False))
    assert [near(closed, True), near(open_, False)] == [6, 5]
    text = "# board 3x2, leaper 0,1, open\n6 5 4\n1 2 3\n"
    assert near(text, False) == 5
    for door in (hint, improve):
        with pytest.raises(kt.InvalidTour):
            door(closed, True)


def test_an_order_that_does_not_close_is_no_closed_tour() -> None:
    order = [(0, 0), (0, 1), (1, 1), (1, 0), (2, 0), (2, 1)]
    assert near(order, True) == 5
    for door in DOORS.values():
        with pytest.raises(kt.InvalidTour, match=r"close"):
            door(order, False)


GIVEN = ("by cells", "by moves")


@pytest.mark.parametrize("form", GIVEN)
@pytest.mark.parametrize("door", ["hint", "near", "improve", "improve for a problem"])
def test_a_tour_is_taken_under_either_convention_about_moves_between_the_same_cells(
    form: str, door: str, tmp_path: Path
) -> None:
    """On `torus:2x3` two moves may join the same two cells. An order of cells is a tour of the board, too."""
    asked: dict[str, Any] = {"leaper": LEAPER, "open": True}
    tour = kt.solve("torus:2x3", **asked, symmetry="(x+1,y)").tour
    assert tour is not None
    if form == "by moves":
        tour = kt.Tour(kt.graph("torus:2x3", LEAPER), tour.order, closed=False)
    file = tmp_path / "tour.json"
    tour.save(file)
    words = ["--leaper", LEAPER, "--open", "--json", "--time-limit", "2"]
    turns = kt.problem("torus:2x3", **asked, minimize="turns")
    if door == "hint":
        results = [kt.solve(turns, hint=tour), kt.solve("torus:2x3", **asked, symmetry="(x+1,y)", hint=tour)]
        commands = [[*condition, "--hint", file] for condition in (["--symmetry", "(x+1,y)"], ["--minimize", "turns"])]
    elif door == "near":
        results, commands = [kt.solve("torus:2x3", **asked, near=tour)], [["--near", file]]
        assert results[0].value == 0
    else:
        sought: Any = turns if door == "improve for a problem" else "turns"
        results, commands = [kt.improve(tour, sought, time_limit=1)], []
        assert answered("improve", str(file), "--minimize", "turns", "--time-limit", "1")[0] in (0, 3)
    assert all(result.tour is not None for result in results)
    for command in commands:
        status, _, complaint = answered(*map(str, ["solve", "torus:2x3", *words, *command]))
        assert status == 0, complaint
