"""The figures of the explanation pages are what their script draws, and every picture that a page names is there."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from benchmarks.encodings import BOARDS, size_of
from encoders.sat.encodings import encodings
from tests.effort import slow

DOCS = Path(__file__).parents[2] / "docs"
IMAGES = DOCS / "images"
SVG = "{http://www.w3.org/2000/svg}"
FIGURE = re.compile(
    r'^<img src="\.\./images/explain-([\w-]+)\.svg" width="(\d+)" alt="[^"]+">\n\n(.*?)\n(?:\n|\Z)', re.M | re.S
)
PICTURE = re.compile(r'(?:src="|\]\()([^")\s#]+\.(?:svg|png|gif|jpg|webp))[")]')

NAMES = sorted(path.stem.removeprefix("explain-") for path in IMAGES.glob("explain-*.svg"))


@pytest.fixture(scope="module")
def figures() -> ModuleType:
    sys.path.insert(0, str(DOCS / "site"))
    import figures

    return figures


def words(text: str) -> list[str]:
    """What is written in a drawing, in order."""
    root = ElementTree.fromstring(text)
    return [element.text or "" for name in ("title", "desc", "text") for element in root.iter(SVG + name)]


def test_the_script_draws_all_figures_there_are(figures: ModuleType) -> None:
    assert sorted(figures.FIGURES) == NAMES and len(NAMES) >= 8


LONG = ("frontier", "windows")


@pytest.mark.parametrize("name", [name for name in NAMES if name not in LONG] + slow(LONG))
def test_a_figure_is_what_its_script_draws(figures: ModuleType, name: str) -> None:
    kept = (IMAGES / f"explain-{name}.svg").read_text()
    assert words(kept) == words(figures.svg(figures.FIGURES[name]())), f"python docs/site/figures.py {name}"


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_is_small_told_in_words_and_legible(name: str) -> None:
    path = IMAGES / f"explain-{name}.svg"
    assert path.stat().st_size < 100_000
    root = ElementTree.parse(path).getroot()
    assert root.tag == SVG + "svg" and root.get("role") == "img"
    assert [child.tag for child in root[:2]] == [SVG + "title", SVG + "desc"]
    assert root[0].text and len(root[1].text or "") > 40
    left, bottom, width, height = map(float, root.get("viewBox", "").split())
    assert (left, bottom) == (0, 0) and width <= 710
    paper = next(root.iter(SVG + "rect"))  # Opaque, so that it is good on a dark page too
    assert (paper.get("fill"), paper.get("width"), paper.get("height")) == ("#ffffff", f"{width:g}", f"{height:g}")
    for text in root.iter(SVG + "text"):
        assert float(text.get("font-size", "")) >= 12, text.text


def test_each_figure_is_on_one_page_with_a_caption() -> None:
    figures = [found for page in DOCS.rglob("*.md") for found in FIGURE.findall(page.read_text())]
    assert sorted(name for name, _, _ in figures) == NAMES
    for name, width, caption in figures:
        real_width = ElementTree.parse(IMAGES / f"explain-{name}.svg").getroot().get("width", "")
        assert abs(float(real_width) - int(width)) < 1, f"{name}: its page scales it"
        assert re.fullmatch(r"\*[A-Z][^*]{40,}\.\*", caption), name
    named = "".join(page.read_text() for page in DOCS.rglob("*.md"))
    assert named.count("images/explain-") == len(figures)


def test_every_picture_that_a_page_names_is_there() -> None:
    count = 0
    for page in DOCS.rglob("*.md"):
        for name in PICTURE.findall(page.read_text()):
            if not name.startswith(("http:", "https:", "data:")):
                count += 1
                assert (page.parent / name).is_file(), (page.name, name)
    assert count > len(NAMES)


def test_sizes_of_encodings_are_those_of_the_page() -> None:
    """The sections of all encodings, and the first two boards of each."""
    page = (DOCS / "data" / "encodings.md").read_text()
    assert re.findall(r"^## (\S+)$", page, flags=re.MULTILINE) == list(encodings())
    for section in page.split("\n## ")[1:]:
        for board in BOARDS[:2]:
            size = size_of(board, section.split("\n")[0])
            assert size is not None
            assert f"| {board} | {size.variables:,} | {size.constraints:,} | {size.literals:,} |" in section
