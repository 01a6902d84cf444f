"""Pearls of Masyu, held against all cycles of small graphs and the rules read off the cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import networkx as nx
import pytest

import kt
from tests.command import kt as run
from tests.command import kt_json, one_line_refusal
from tests.effort import part_of

Cell = tuple[int, int]
WAZIR, KING = ("wazir", [(1, 0), (0, 1)]), ("king", [(1, 0), (0, 1), (1, 1), (1, -1)])


def grid(width: int, height: int, steps: Sequence[Cell]) -> nx.Graph:
    cells = list(product(range(width), range(height)))
    return nx.Graph([(c, d) for c in cells for x, y in steps if (d := (c[0] + x, c[1] + y)) in set(cells)])


def goes_straight(cycle: Sequence[Cell], place: int) -> bool:
    (a, b), (x, y), (u, v) = (cycle[(place + k) % len(cycle)] for k in (-1, 0, 1))
    return (x - a, y - b) == (u - x, v - y)


def keeps(cycle: Sequence[Cell], white: set[Cell], black: set[Cell]) -> bool:
    if not (white | black).issubset(cycle):
        return False
    on = [goes_straight(cycle, place) for place in range(len(cycle))]
    for place, cell in enumerate(cycle):
        beside = on[place - 1], on[(place + 1) % len(cycle)]
        if (cell in white and (not on[place] or all(beside))) or (cell in black and (on[place] or not all(beside))):
            return False
    return True


def questions(cycles: list[list[Cell]], cells: list[Cell], seed: int) -> Iterator[tuple[set[Cell], set[Cell]]]:
    """Pearls that some cycle has, and pearls at random."""
    random = Random(seed)
    for number in range(part_of(24)):
        some = random.sample(cells, random.choice([1, 2, 3]))
        split = random.randrange(len(some) + 1)
        white, black = set(some[:split]), set(some[split:])
        if number % 2:
            cycle = random.choice(cycles)
            on = {cell: goes_straight(cycle, place) for place, cell in enumerate(cycle)}
            white, black = ({c for c in some if c in on and on[c] == kind} for kind in (True, False))
        if white or black:
            yield white, black


@pytest.mark.parametrize(("size", "piece", "partial"), [
    ((4, 4), WAZIR, True), ((5, 4), WAZIR, True), ((4, 5), WAZIR, False), ((3, 3), KING, True), ((4, 3), KING, False),
])  # fmt: skip
def test_counts_of_pearls_agree_with_all_cycles(
    size: tuple[int, int], piece: tuple[str, list[Cell]], partial: bool
) -> None:
    board, graph = f"{size[0]}x{size[1]}", grid(*size, piece[1])
    cycles = [cycle for cycle in nx.simple_cycles(graph) if partial or len(cycle) == len(graph)]
    rules: dict[str, Any] = {"leaper": piece[0], **({"optional": "all"} if partial else {})}
    for white, black in questions([list(c) for c in cycles], list(graph), 7):
        expected = sum(keeps(cycle, white, black) for cycle in cycles)
        pearls: dict[str, Any] = {"white_pearls": list(white), "black_pearls": list(black)}
        assert kt.count(board, **rules, **pearls) == expected, pearls
        for engine in ("sat", "cpsat"):
            result = kt.solve(board, **rules, **pearls, engine=engine)
            assert result.status == ("feasible" if expected else "infeasible")
            if expected:
                places = result.problem.graph.geometry[0].cells[list(result.walks[0].vertices)]
                cells = [(int(x), int(y)) for x, y in places]
                assert keeps(cells, white, black)


def test_pearls_in_directed_graphs_follow_the_arcs() -> None:
    """Of a directed graph with positions every cycle is tried, with every cell as a pearl."""
    random = Random(5)
    for _ in range(part_of(6)):
        edges = list(grid(4, 3, [(1, 0), (0, 1)]).edges)
        arcs = [arc for u, v in edges for arc in ((u, v), (v, u)) if random.random() < 0.9]
        tours = [cycle for cycle in nx.simple_cycles(nx.DiGraph(arcs)) if len(cycle) == 12]
        places = {cell: cell for arc in arcs for cell in arc}
        for cell in places:
            for white, black in (({cell}, set()), (set(), {cell})):
                expected = sum(keeps(tour, white, black) for tour in tours)
                pearls: dict[str, Any] = {"white_pearls": list(white), "black_pearls": list(black)}
                assert kt.count(edges=arcs, directed=True, pos=places, **pearls) == expected


MASYU = ["5x5", "--leaper", "wazir", "--optional", "all"]


def test_the_command_line_solves_counts_proves_and_checks_pearls(tmp_path: Path) -> None:
    few = [*MASYU, "--white-pearls", "c1,b3", "--black-pearls", "e5"]
    answer = kt_json("solve", *few, "-o", str(tmp_path / "loop.json"))
    assert answer["black_pearls"] == [24] and len(answer["white_pearls"]) == 2
    assert run("check", str(tmp_path / "loop.json")).exit_code == 0
    none = [*MASYU, "--black-pearls", "b2", "--white-pearls", "c3"]
    refuted = run("solve", *none, "--proof", str(tmp_path / "proof"))
    assert refuted.exit_code == 0 and "turning at b2 and going straight on just" in refuted.stdout
    assert run("check", str(tmp_path / "proof")).exit_code == 0
    assert run("convert", *few, str(tmp_path / "masyu.cnf")).exit_code == 0
    tour = "a1 a2 a3 a4 b4 b3 b2 c2 c3 c4 d4 d3 d2 d1 c1 b1"
    for key, cell, fault in (("white", "a2", 0), ("white", "a3", 0), ("black", "a1", 0), ("white", "c3", 0),
                             ("black", "b2", 1), ("black", "a2", 1), ("white", "a1", 1)):  # fmt: skip
        done = run("check", tour, "--board", "4x4", "--leaper", "wazir", f"--{key}-pearls", cell)
        assert done.exit_code == fault, (cell, done.stdout)


@pytest.mark.parametrize(("words", "message"), [
    ("4x4 --leaper wazir --open --white-pearls a2", "white pearls"),
    ("4x4 --leaper wazir --cycles 2 --black-pearls a1", "black pearls"),
    ("4x4 --leaper wazir --white-pearls z9", "z9"),
    ("4x4 --leaper wazir --black-pearls a1 --number a1=1", "no engine serves both"),
])  # fmt: skip
def test_wrong_pearls_get_one_line(words: str, message: str) -> None:
    one_line_refusal(run("solve", *words.split()), message)
