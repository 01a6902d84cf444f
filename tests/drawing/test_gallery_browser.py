"""The gallery in a real browser: wide and narrow, light and dark, by keyboard, and under axe-core."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kt as kt_door
from tests.axe import LOOKS, MORE_LOOKS, violations
from tests.command import kt
from tests.effort import slow

pytestmark = pytest.mark.usefixtures("emulation")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gallery")
    kt_door.find("5x6").save(folder / "five.json")
    kt_door.find("3x24").save(folder / "a-name-of-a-file-that-is-far-longer-than-a-phone-is-wide.json")
    kt_door.solve("6x6", minimize="turns").save(folder / "six.json")
    files = sorted(folder.glob("*.json"))
    assert kt("draw", *files, "-o", f"{folder / 'site'}/", "--title", "My <b>tours").exit_code == 0
    return folder / "site" / "index.html"


def opened(browser: Any, site: Path, scheme: str, size: tuple[int, int]) -> Iterator[Any]:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    page.faults = []
    page.on("console", lambda message: page.faults.append(message.text) if message.type == "error" else None)
    page.goto(site.as_uri())
    yield page
    page.close()


@pytest.fixture(params=[*LOOKS, *slow(MORE_LOOKS)], ids=lambda look: f"{look[0]}-{look[1][0]}")
def page(request: pytest.FixtureRequest, browser: Any, site: Path) -> Iterator[Any]:
    yield from opened(browser, site, *request.param)


def test_all_of_it_is_on_the_screen(page: Any) -> None:
    width = page.viewport_size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") == width
    for cell in page.locator("tbody td, tbody th").all():
        if cell.is_visible():
            box = cell.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width
    rows = [row.bounding_box()["height"] for row in page.locator("tbody tr").all()]
    assert max(rows) < (130 if width > 920 else 360)  # No row is tall and empty
    assert page.inner_text("main h1") == "My <b>tours" and page.inner_text("main p") == "3 boards"
    texts = [image.get_attribute("alt") for image in page.locator("img").all()]
    assert texts[-1] == "6x6: closed, 32 turns, 54 crossings" and all(texts)
    assert all(head.inner_text().strip() for head in page.locator("thead th").all() if head.is_visible())
    assert violations(page) == [] and page.faults == []


@pytest.mark.slow
def test_pictures_follow_the_colour_scheme(browser: Any, site: Path) -> None:
    from PIL import Image

    seen = {}
    for scheme in ("light", "dark"):
        for page in opened(browser, site, scheme, (1400, 900)):
            path = site.parent / f"seen-{scheme}.png"
            page.locator("img").first.screenshot(path=path)
            shades = Image.open(path).convert("L").resize((1, 1))
            seen[scheme] = shades.getpixel((0, 0))
    assert seen["light"] > 200 and seen["dark"] < 70


def test_columns_are_sorted_by_keyboard(browser: Any, site: Path) -> None:
    for page in opened(browser, site, "light", (1400, 900)):
        names = "[...document.querySelectorAll('tbody th')].map(cell => cell.textContent[0]).join('')"
        page.locator("thead button", has_text="cells").focus()
        page.keyboard.press("Enter")
        assert page.evaluate(names) == "fsa"
        page.keyboard.press("Enter")
        assert page.evaluate(names) == "asf"
        assert page.locator("th[aria-sort]").get_attribute("aria-sort") == "descending"
