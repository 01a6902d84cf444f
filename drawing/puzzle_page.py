"""A page to play puzzles, in one HTML file that needs no network."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from drawing.page_html import guarded_page, web_text
from drawing.puzzle_sheet import rule_of
from kt_models.files.puzzles import Puzzle


def page_of_puzzles(puzzles: Sequence[Puzzle], title: str = "") -> str:
    """The text of the file."""
    script, style = web_text("puzzle.js"), web_text("puzzle.css")
    heading = title or ("A puzzle" if len(puzzles) == 1 else f"{len(puzzles)} puzzles")
    return guarded_page("puzzle.html", script, style, heading, {"puzzles": [_data(puzzle) for puzzle in puzzles]})


def _data(puzzle: Puzzle) -> dict[str, Any]:
    """The data of a puzzle for the page."""
    graph = puzzle.graph
    board = graph.geometry[0]
    near: list[list[int]] = [[] for _ in range(graph.n)]
    for edge, (u, v) in enumerate(graph.ends.tolist()):
        if edge not in puzzle.problem.forbidden:
            near[u].append(v)
            near[v].append(u)
    steps = [step for way in puzzle.ways for step in pairwise((*way, way[0]) if puzzle.closed else way)]
    if puzzle.kind == "numbers":
        solution: Any = [0] * graph.n
        for number, vertex in enumerate(puzzle.ways[0], start=1):
            solution[vertex] = number
    else:
        solution = [list(way) for way in puzzle.ways]
    return {
        "kind": puzzle.kind,
        "closed": puzzle.closed,
        "difficulty": puzzle.difficulty,
        "rule": rule_of(puzzle),
        "width": board.shape[0],
        "height": board.shape[1],
        "cells": board.cells.tolist(),
        "names": [graph.name_of(v) for v in range(graph.n)],
        "near": near,
        "numbers": list(puzzle.numbers),
        "walls": [[list(first), list(second)] for first, second in puzzle.walls],
        "solution": solution,
        "steps": sorted({"-".join(map(str, sorted(step))) for step in steps}),
    }
