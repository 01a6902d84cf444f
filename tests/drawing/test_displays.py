"""Every public type shows itself: a text without an address in memory, and what a notebook draws is closed HTML."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest

import kt
from encoders.compare import Effort
from kt_models.kernel.certificates.verdict import Fact

ANSWERS: dict[str, Callable[[], Any]] = {
    "Best": lambda: kt.best("3x4", open=True, minimize="turns"),
    "Board": lambda: kt.Board.parse("6x6"),
    "Certificate": lambda: kt.solve("4x4").certificate,
    "Comparison": lambda: next(iter(kt.compare("5x6", "turns", effort=Effort(1, 0.1, 0)))),
    "Criterion": lambda: kt.gap_reached(0.1),
    "Leaper": lambda: kt.KNIGHT,
    "Longest": lambda: kt.longest("3x4"),
    "MagicResult": lambda: kt.magic("4x4"),
    "MoveGraph": lambda: kt.graph("5x5"),
    "ParetoFront": lambda: kt.pareto("3x4", open=True),
    "Problem": lambda: kt.problem("5x5", open=True, start="a1"),
    "Puzzle": lambda: kt.puzzle("5x5", leaper="king"),
    "Report": lambda: kt.Report(value=3),
    "Result": lambda: kt.solve("5x6"),
    "Symmetry": lambda: kt.Symmetry.parse("rot180", 2),
    "Tour": lambda: kt.solve("5x6").tour,
    "Verdict": lambda: kt.check(kt.solve("4x4")),
    "Weights": lambda: kt.edge_weights(kt.graph("5x5"), lambda a, b: 1),
}
DRAWN = {"Best", "Board", "Comparison", "Longest", "MoveGraph", "ParetoFront", "Problem", "Puzzle", "Result", "Tour"}


class Closed(HTMLParser):
    """The elements that are open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag != "img":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", ANSWERS)
def test_a_public_type_has_a_display(name: str) -> None:
    answer = ANSWERS[name]()
    assert type(answer).__name__.removeprefix("_") in (name, "Checked") or name == "Criterion"
    assert " at 0x" not in repr(answer) and len(repr(answer)) < 2000
    rows = answer._repr_html_() if hasattr(answer, "_repr_html_") else None
    drawing = answer._repr_svg_() if hasattr(answer, "_repr_svg_") else None
    if rows is not None:
        reader = Closed()
        reader.feed(rows)
        assert reader.open == [] and "<script" not in rows
    assert (name in DRAWN) == ("<svg" in (drawing or "") or "data:image/svg+xml" in (rows or ""))


def test_all_public_types_are_shown_above() -> None:
    types = {name for name in kt.__all__ if inspect.isclass(getattr(kt, name))}
    assert {name for name in types if not issubclass(getattr(kt, name), Exception)} <= ANSWERS.keys()


def test_claims_are_escaped() -> None:
    rows = kt.Verdict(stated=(Fact("<script>alert(1)</script>"),))._repr_html_()
    assert rows is not None and "<script" not in rows and "claimed, not shown" in rows


def test_the_public_names_are_listed() -> None:
    assert dir(kt) == sorted(kt.__all__)
