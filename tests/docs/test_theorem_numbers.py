"""Numbers of theorems in prose are those of the delivered theorems: a stronger theorem changes them everywhere."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from functools import cache

import pytest

from tests.house import ROOT
from theorems.statement import FamilyStatement, claims_of

pytestmark = pytest.mark.checkout

FORM = re.compile(r"(?<![\w./])(\d+)n(?:/(\d+))? ([-−+]) (\d+)(?![\w./])")
"""`8n - 22`, `13n/3 + 8`."""
PROSE = ("*.md", "docs/**/*.md", "docs/site/*.yml", "pyproject.toml", "CITATION.cff", "cli/*.py", "kt/*.py")
HEADLINES = ("README.md", "CHANGELOG.md", "docs/index.md", "docs/site/mkdocs.yml", "CITATION.cff", "pyproject.toml")
"""Where only the strongest bound for all sizes is named, and none that is about some sizes."""
SLOPES = {"turns": Fraction(8), "crossings": Fraction(13, 3)}
LARGE = range(6000, 6060, 2)
"""Sides of squares, one of each even remainder modulo 60; those of odd sides have no closed tours."""
EARLIER = {
    "docs/theory/theorem-turns.md": {(8, -64), (8, -24)},
    "docs/theory/crossing-bounds.md": {(4, 16), (4, 32), (4, 36), (4, 8)},
}
"""Bounds of others, and steps of a proof, beside those of the theorems."""


@cache
def claims() -> list[FamilyStatement]:
    """What the delivered theorems say of all closed tours of squares."""
    folder = ROOT / "heuristics" / "delivered" / "results"
    paths = [
        path
        for kind in ("all-n", "border", "cuts", "facing", "interior", "many")
        for path in folder.glob(f"*-{kind}*.json")
    ]
    files = [json.loads(path.read_text()) for path in paths]
    return [claim for data in files for claim in claims_of(data, data["kind"]) if claim.closed and not claim.symmetry]


@cache
def least_of(metric: str) -> list[tuple[Fraction, Fraction]]:
    """Slope and constant of the best bound for each of the large squares."""
    best = []
    for n in LARGE:
        known = []
        for claim in claims():
            if claim.boards.includes(n, n):
                doubled = 1 if claim.boards.shape == "squares" else 2
                known += [(b.slope * doubled, b.constant) for b in claim.bounds if b.metric == metric]
        if known:
            best.append(max(known, key=lambda form: form[0] * n + form[1]))
    return best


def forms_in(text: str) -> list[tuple[Fraction, Fraction]]:
    """Slopes and constants of the linear forms of a text."""
    return [
        (Fraction(int(top), int(under or 1)), Fraction(int(number) * (1 if sign == "+" else -1)))
        for top, under, sign, number in FORM.findall(text)
    ]


def sentences(text: str) -> list[str]:
    """Sentences and cells of tables, links without their targets."""
    return re.split(r"(?<=[.:;])\s+|\s*\|\s*|\n\n|\n- ", re.sub(r"\]\([^)]*\)", "]", text))


def test_the_theorems_are_the_ones_that_the_pages_are_about() -> None:
    assert min(least_of("turns"), key=lambda form: form[1]) == (8, -22)
    assert set(least_of("crossings")) == {(Fraction(13, 3), 8)}


@pytest.mark.parametrize("name", HEADLINES)
def test_headlines_name_the_strongest_bound_for_all_sizes(name: str) -> None:
    """A bound of a smaller constant, such as one of an earlier theorem, would be found here."""
    text = (ROOT / name).read_text(encoding="utf-8")
    for metric, slope in SLOPES.items():
        least = min(constant for _, constant in least_of(metric))
        best = {constant for other, constant in least_of(metric)}
        named = [constant for other, constant in forms_in(text) if other == slope]
        assert all(constant >= least and (constant in best or constant > max(best)) for constant in named), metric


def test_every_lower_bound_in_prose_is_one_of_a_theorem() -> None:
    known = {form for metric in SLOPES for form in least_of(metric)}
    missing = []
    for pattern in PROSE:
        for path in sorted(ROOT.glob(pattern)):
            name = path.relative_to(ROOT).as_posix()
            for sentence in sentences(path.read_text(encoding="utf-8")):
                if not re.search(r"\bat\s+least\b|\bfewer than\b", sentence) or "open" in sentence:
                    continue
                for form in forms_in(sentence):
                    if form[0] in SLOPES.values() and form not in known and form not in EARLIER.get(name, ()):
                        missing.append((name, sentence[:120]))
    assert missing == []
