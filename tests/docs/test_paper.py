"""The paper on the fewest turns says what the files and the code show: its tables, its constants, its appendices."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from benchmarks.turns_constant import built, most
from tests.house import ROOT
from theorems.turns.planes import planes
from theorems.turns.side_walks import WINDOW

pytestmark = pytest.mark.checkout  # It reads the proofs beside the code

PAGE = ROOT / "docs" / "paper" / "fewest-turns.md"
TEXT = PAGE.read_text()
FRACTION = re.compile(r"^(−?)(?:(\d+) )?(\d+)/(\d+)$|^(−?)(\d+)$")


def number(text: str) -> Fraction:
    """`−23 1/2` as a fraction."""
    found = FRACTION.match(text.strip())
    assert found, text
    if found[6]:
        return Fraction(int(found[6]) * (-1 if found[5] else 1))
    value = int(found[2] or 0) + Fraction(int(found[3]), int(found[4]))
    return -value if found[1] else value


def rows(heading: str) -> list[list[str]]:
    """The rows of the table with this first line."""
    lines = TEXT.splitlines()
    begin = lines.index(heading) + 2
    end = next(k for k in range(begin, len(lines)) if not lines[k].startswith("|"))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[begin:end]]


@cache
def linked(cell: str) -> dict:
    """The file that a cell of a table links."""
    link = re.search(r"\]\(([^)]+)\)", cell)
    assert link, cell
    return json.loads((PAGE.parent / link[1]).read_text())


CLASSES = [
    (modulus, residues, int(c), int(least))
    for text, c, least in rows("| n | c | from |")
    for residues, modulus in [[part.strip() for part in text.split("modulo")]]
]


@pytest.mark.parametrize(
    ("modulus", "residues", "c", "least"), CLASSES, ids=lambda value: str(value).replace(", ", ",")
)
def test_the_corollary_holds_from_where_it_says_and_no_earlier(modulus: str, residues: str, c: int, least: int) -> None:
    """Both bounds meet at 8n - c, in each class for the first squares; before that they do not."""
    kinds = {int(residue) for residue in residues.split(", ")}
    squares = [n for n in range(least, least + 2 * int(modulus) + 60) if n % int(modulus) in kinds]
    assert squares and {n % int(modulus) for n in squares} == kinds
    chosen = {next(n for n in squares if n % int(modulus) == residue) for residue in kinds} | {*squares[:2]}
    assert {n: (most(n, n), built(n, n)) for n in chosen} == dict.fromkeys(chosen, (c, c))
    before = max(n for n in range(least - int(modulus), least) if n % int(modulus) in kinds)
    assert (most(before, before), built(before, before)) != (c, c)


def test_the_tables_say_what_the_files_say() -> None:
    for _, _, sides, excess, _, link in rows(
        "| sides modulo 4 | V − 4(w + h) | sides of the border | e | both sides from | file |"
    ):
        data = linked(link)
        assert data["border"]["sides"] == int(sides)
        assert number(excess) == Fraction(data["border"]["excess"], data["denominator"])
    for _, _, excess, three, _, link in rows(
        "| n modulo 4 | V − 8n | excess of F, at most | three sides, 7 rows deep, at least | t | file |"
    ):
        data = linked(link)
        assert data["border"]["rows"] == 7 and number(three) == Fraction(data["border"]["excess"], data["denominator"])
        assert number(excess) == Fraction(data["interior"]["excess"] - 1, data["denominator"])
    for _, _, excess, turns, link in rows("| n | F has at most | excess of F, at most | turns in S, at most | file |"):
        data = linked(link)
        assert data["interior"]["turns"] == int(turns) and data["interior"]["connected"] is True
        assert number(excess) == Fraction(data["interior"]["excess"] - 1, data["denominator"])


def test_planes_and_windows_are_as_many_and_as_long_as_it_says() -> None:
    found = list(planes())
    by_classes = [sum(plane.classes == k for plane in found) for k in (1, 3, 4, 5)]
    assert f"one of {len(found)} planes" in TEXT and by_classes == [4, 12, 28, 60]
    assert "4 planes of one direction, and 12, 28 and 60 planes of two directions with 3, 4 and 5 classes" in TEXT
    assert f"| {WINDOW} | windows |" in TEXT


def test_the_abstract_counts_the_lemmas_of_the_appendices() -> None:
    for folder, letter in (("turns", "A"), ("growing_tours", "B")):
        proof = (ROOT / "theorems" / folder / "proof.md").read_text()
        by_hand, by_program = (proof.count(f"\n*By {means}") for means in ("hand", "program"))
        link = f"[Appendix {letter}](../../theorems/{folder}/proof.md)"
        match = re.search(re.escape(link) + r"[^.]*?(\d+)(?:\s+lemmas)?\s+by\s+hand\s+and\s+(\d+)\s+by\s+program", TEXT)
        assert match and (int(match[1]), int(match[2])) == (by_hand, by_program)
        assert f"Lemmas {letter}1 to {letter}{by_hand + by_program}," in TEXT
    lemmas = {int(k) for pair in re.findall(r"Lemmas?\s+A(\d+)(?:\s+(?:to|and)\s+A(\d+))?", TEXT) for k in pair if k}
    assert lemmas <= set(range(1, 36)) and {13, 19, 20, 22, 25, 30, 31, 35} <= lemmas


def test_citations_of_the_paper_are_in_its_list() -> None:
    text, _, references = TEXT.partition("## References\n")
    listed = [int(k) for k in re.findall(r"^(\d+)\. ", references, flags=re.M)]
    assert listed == list(range(1, len(listed) + 1))
    cited = {int(k) for k in re.findall(r"\[(\d+)\](?!\()", text)} | {
        int(k) for pair in re.findall(r"\[(\d+), (\d+)\](?!\()", text) for k in pair
    }
    assert cited == set(listed)


def test_every_file_that_it_names_is_there() -> None:
    for name in re.findall(r"\]\(([^)#:]+)", TEXT) + re.findall(r'src="([^"]+)"', TEXT):
        assert (PAGE.parent / name).exists(), name
    for pattern in re.findall(r"(?<![\w/])(?:heuristics|theorems|benchmarks|tests)/[\w./*-]+", TEXT):
        assert list(Path(ROOT).glob(pattern.rstrip("."))), pattern
