"""The page in a real browser: it counts as Python does, plays, zooms, finds, and lets no script in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from drawing.draw import draw_page
from drawing.page_data import page_data
from drawing.page_entries import PageEntry, entry_of_tour, read_entry
from heuristics.find import find
from kt_models import read_tour, write_tour
from kt_models.board import Board
from kt_models.files.check import result_from_json
from kt_models.files.points import graph_of_points
from kt_models.graph import MoveGraph
from kt_models.leaper import Leaper
from kt_models.problem import Problem
from kt_models.tour import Tour
from tests.axe import LOOKS, MORE_LOOKS, violations
from tests.cli.test_cli import kt
from tests.drawing.test_draw import PLANE, snake, tour_of
from tests.drawing.test_page import HOSTILE, RESULTS
from tests.effort import slow, slow_rows

Opener = Callable[..., Any]


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Opener]:
    """Opens a page from a file, and afterwards says whether anything went wrong or was fetched."""
    pages: list[tuple[Any, list[str], str]] = []

    def open_page(html: str, **options: Any) -> Any:
        path = tmp_path / f"page{len(pages)}.html"
        path.write_text(html, encoding="utf-8")
        page = browser.new_page(**{"viewport": {"width": 1000, "height": 700}, **options})
        wrong: list[str] = []
        page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: (wrong.append("a dialog"), dialog.dismiss()))
        page.on(
            "request", lambda request: None if request.url.startswith(("file:", "data:")) else wrong.append(request.url)
        )
        pages.append((page, wrong, path.as_uri()))
        page.goto(path.as_uri())
        page.wrong = wrong
        return page

    yield open_page
    for page, wrong, _ in pages:
        page.close()
        assert wrong == []


HASH = """() => {
    const { canvas } = KT.shown.views[0], { width, height } = canvas;
    const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    let hash = 1;
    for (const pixel of new Uint32Array(copy.getImageData(0, 0, width, height).data.buffer))
        hash = Math.imul((hash << 13 | hash >>> 19) ^ pixel, 0x9e3779b1);
    return hash;
}"""


def two_frames(page: Any) -> None:
    """Waits until what was asked for is painted."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def picture(page: Any) -> int:
    """A number for what the board's canvas shows."""
    two_frames(page)
    return int(page.evaluate(HASH))


def picture_size(page: Any) -> int:
    """Letters that the picture takes as a PNG: few for an empty one."""
    two_frames(page)
    return len(view(page, "canvas.toDataURL()"))


def view(page: Any, expression: str) -> Any:
    return page.evaluate(f"KT.shown.views[0].{expression}")


def wait_until(page: Any, condition: str) -> None:
    """Waits for a condition; Playwright's own way needs `eval`, which the page forbids."""
    for _ in range(10_000):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(20)
    raise AssertionError(condition)


PAUSED = """() => new Promise(done => {
    const space = new KeyboardEvent("keydown", { key: " ", code: "Space", bubbles: true });
    const look = () => {
        if (KT.shown.views[0].made < 3) { requestAnimationFrame(look); return; }
        document.body.dispatchEvent(space);
        done();
    };
    look();
})"""
"""Presses the space bar when some moves are played, however slow the browser is."""


def settled(page: Any) -> None:
    """Waits until nothing is left to be painted, roughly or anew."""
    wait_until(page, "!KT.shown.views[0].asked && !KT.shown.views[0].moving")


def eight() -> str:
    return draw_page([entry_of_tour(tour_of("8x8"), "eight.json")])


def test_the_page_counts_as_python_does(opened: Opener) -> None:
    boards = [
        *PLANE,
        ("8x6", True, "1,2"),
        ("torus:5x4", True, "1,2"),
        ("4x4x4", True, "1,2"),
        ("torus:4x4x3", True, "1,2"),
    ]
    page = opened(eight())
    for text, closed, leaper in boards:
        tour = tour_of(text, closed, leaper)
        found = page.evaluate(
            """data => { const board = new KT.Board(data.board), tour = new KT.Tour(board, data.moves, data.sides[0]);
            return [Array.from(tour.at), tour.turnsBy[tour.n], tour.crossingsBy && tour.crossingsBy[tour.n],
                    board.name(tour.at[0])]; }""",
            page_data([entry_of_tour(tour)]),
        )
        cells = np.ravel_multi_index(tuple(tour.coordinates.T), tour.graph.board.shape).tolist()
        plane = tour.is_measurable and tour.graph.board.dimension == 2  # In space a page marks no crossings
        crossings = tour.measure("crossings") if plane else None
        assert found == [cells, tour.measure("turns"), crossings, tour.graph.name_of(int(tour.order[0]))], text


def test_marks_stand_where_python_puts_them(opened: Opener) -> None:
    from drawing.drawn_moves import way_of

    tour = tour_of("torus:6x7")
    page = opened(draw_page([entry_of_tour(tour)]))
    found = page.evaluate(
        """() => { const { tour, board } = KT.shown.views[0], points = [];
        const inside = (v, size) => v - size * Math.floor((v + 0.5) / size);
        for (let i = 0; i < tour.n; i++) tour.crossingsOf(i, (other, x, y) => {
          points.push([inside(x, board.width), inside(y, board.height)]); });
        return points; }"""
    )
    wanted = way_of(tour.graph.board, [tour], along=True).crossings
    assert np.allclose(sorted(np.round(found, 6).tolist()), sorted(np.round(wanted, 6).tolist()))


@pytest.mark.slow
def test_counts_so_far_are_those_of_the_part(opened: Opener) -> None:
    tour = tour_of("8x8")
    page = opened(draw_page([entry_of_tour(tour)]))
    for made in (0, 1, 13, 40, 63):
        page.evaluate(f"KT.shown.go({made})")
        part = Tour(tour.graph, tour.order[: made + 1], False)
        words = page.inner_text("#turns"), page.inner_text("#crossings")
        assert words == (
            f"{part.measure('turns')} of {tour.measure('turns')}",
            f"{part.measure('crossings')} of {tour.measure('crossings')}",
        )


def test_a_page_plays_and_pauses(opened: Opener) -> None:
    page = opened(eight())
    whole = picture(page)
    assert page.inner_text("#counter") == "64 / 64"
    page.keyboard.press("Space")  # From the end it starts over
    page.evaluate(PAUSED)
    made = view(page, "made")
    assert 2 < made < 40
    assert picture(page) != whole
    two_frames(page)
    assert view(page, "made") == made
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert view(page, "made") == made + 1
    assert "after move" in page.inner_text("#live")
    page.keyboard.press("Home")
    assert view(page, "made") == 0 and page.input_value("#slider") == "0"
    page.keyboard.press("Shift+ArrowRight")
    assert view(page, "made") == 4
    page.locator("#slider").fill("50")
    assert view(page, "made") == 50
    page.locator("#speed").fill("100")
    page.click("#play")
    wait_until(page, "KT.shown.views[0].made === 64")
    assert page.get_attribute("#play", "aria-label") == "Play"
    assert picture(page) == whole


@pytest.mark.slow
def test_zoom_and_drag(opened: Opener) -> None:
    page = opened(eight())
    whole, scale = picture(page), view(page, "camera.s")
    box = page.locator(".kt-canvas").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x + 60, y + 60)
    cell = view(page, "hover")
    page.mouse.wheel(0, -240)
    wait_until(page, f"KT.shown.views[0].camera.s > {scale * 1.2}")
    assert view(page, f"cellAt({x + 60 - box['x']}, {y + 60 - box['y']})") == cell  # What is pointed at stays there
    before = view(page, "camera.x")
    page.mouse.down()
    page.mouse.move(x - 40, y, steps=4)
    page.mouse.up()
    assert view(page, "camera.x") > before + 0.5
    assert picture(page) != whole
    page.mouse.move(2, 2)
    page.keyboard.press("0")
    assert abs(view(page, "camera.s") - scale) < 1e-9
    assert picture(page) == whole
    page.keyboard.press("+")
    page.keyboard.press("-")
    assert abs(view(page, "camera.s") / scale - 1) < 1e-6
    for _ in range(80):
        page.keyboard.press("-")
    assert view(page, "camera.s") > 0.5  # There is an end to it
    page.set_viewport_size({"width": 500, "height": 500})
    page.click("#fit")
    assert view(page, "camera.s * 8") < 500


def test_each_switch_changes_the_picture_and_back(opened: Opener) -> None:
    page = opened(eight())
    for name, key in (("turns", "t"), ("crossings", "c"), ("numbers", "n"), ("names", None)):
        before, pressed = picture(page), page.get_attribute(f"#switch-{name}", "aria-pressed")
        page.click(f"#switch-{name}")
        after = picture(page)
        assert after != before and page.get_attribute(f"#switch-{name}", "aria-pressed") != pressed
        if key:
            page.keyboard.press("Tab")  # Away from the button, on which the space bar would press it
            page.keyboard.press(key)
        else:
            page.click(f"#switch-{name}")
        assert picture(page) == before
    seen = {picture(page)}
    for way in ("move", "plain"):
        page.select_option("#colour", way)
        seen.add(picture(page))
    page.click("#theme")
    seen.add(picture(page))
    assert len(seen) == 4
    page.click("#panel-toggle")
    assert not page.is_visible("#panel")
    page.keyboard.press("?")
    assert page.is_visible("#help") and "play or pause" in page.inner_text("#help")
    page.keyboard.press("Escape")
    assert not page.is_visible("#help")


def test_pointing_and_finding(opened: Opener) -> None:
    tour = tour_of("8x8")
    page = opened(draw_page([entry_of_tour(tour)]))
    box = page.locator(".kt-canvas").bounding_box()
    x, y = page.evaluate("""() => { const v = KT.shown.views[0]; return [v.width / 2 + (4 - v.camera.x) * v.camera.s,
        v.height / 2 - (3 - v.camera.y) * v.camera.s]; }""")
    page.mouse.move(box["x"] + x, box["y"] + y)
    visit = tour.order.tolist().index(tour.graph.find("e4"))
    words = page.inner_text(".kt-tip")
    assert words.startswith(f"e4 · visit {visit + 1} of 64 · ") and words.endswith("turn")
    strange = ("z9", "a0", "'); alert(1); ('", "9" * 40, "é4")
    for text, word in (
        *((text, "is not a cell") for text in strange),
        ("", "Type a cell"),
        ("0", "no visit 0"),
        ("65", "no visit 65"),
        ("<b>x</b>", "“<b>x</b>”"),
    ):
        page.fill("#find-text", text)
        page.keyboard.press("Enter")
        assert word in page.inner_text("#find-word"), text
        assert "wrong" in page.get_attribute("#find-word", "class")
    page.fill("#find-text", " E4 ")
    page.click("#find button")
    assert page.inner_text("#find-word").startswith("e4 · visit")
    page.fill("#find-text", "17")
    page.keyboard.press("Enter")
    assert view(page, "made") == 16 and "visit 17 of 64" in page.inner_text("#find-word")


def test_no_script_gets_in(opened: Opener, tmp_path: Path) -> None:
    board = Board.from_mask(["######"] * 6, "@" + "".join(mark for mark in HOSTILE if mark.isprintable()))
    tour = Tour(MoveGraph.of(board), tour_of("6x6").order, True)
    write_tour(tmp_path / "t.json", tour)
    data = {**json.loads((tmp_path / "t.json").read_text()), "status": "feasible", "kind": "result"}
    data |= {"connectivity": "cycle", "engine": HOSTILE, "how": "tour verified"}
    name = tmp_path / "<img src=x onerror=window.evil=1>.json"
    name.write_text(json.dumps(data))
    assert kt("draw", name, name, "-o", tmp_path / "o.html").exit_code == 0
    for sides in ([PageEntry(HOSTILE, tour.graph, (tour,), facts=((HOSTILE, HOSTILE),))], [read_entry(name)] * 2):
        page = opened(draw_page(sides))
        page.mouse.move(300, 300)
        assert page.evaluate("window.evil") is None
        assert "<script>" in page.inner_text("body") and page.locator("img").count() == 0
        assert page.locator("script").count() == 2
    refused = re.compile("Content Security Policy|script-src")  # As Chromium and Firefox say it
    page.evaluate(
        """() => { const script = document.createElement('script'); script.textContent = 'window.evil = 1';
        document.body.append(script); }"""
    )
    page.evaluate("() => { document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.evil = 1\">'); }")
    while not page.wrong:
        page.wait_for_timeout(20)
    two_frames(page)
    assert page.evaluate("window.evil") is None
    assert all(refused.search(word) for word in page.wrong)
    page.wrong.clear()


@pytest.mark.parametrize(
    "data", ["{", '{"board":{"shape":[8,8]},"sides":[{"walks":0}]}', *slow(["", "null", '{"sides":[]}'])]
)
def test_a_damaged_page_says_so(opened: Opener, data: str) -> None:
    html = re.sub(r'(<script type="application/json" id="data">).*?(</script>)', rf"\1{data}\2", eight(), flags=re.S)
    page = opened(html)
    assert "damaged" in page.inner_text("#boards")
    page.wrong.clear()  # The error is on the console too


@pytest.mark.slow
def test_two_tours_side_by_side(opened: Opener) -> None:
    closed, opened_tour = tour_of("6x6"), tour_of("6x6", closed=False)
    page = opened(draw_page([entry_of_tour(closed, "one.json"), entry_of_tour(opened_tour, "other.json")]))
    assert page.locator(".kt-canvas").count() == 2
    closed_moves, open_moves = (
        {frozenset(pair) for pair in tour.graph.ends[tour.edges].tolist()} for tour in (closed, opened_tour)
    )
    differing = {cell for pair in closed_moves ^ open_moves for cell in pair}
    assert page.inner_text("#differing") == f"{len(differing)} of 36"
    page.keyboard.press("+")
    assert page.evaluate("KT.shown.views[0].camera.s === KT.shown.views[1].camera.s")
    page.evaluate("KT.shown.views[1].pan(30, 10)")
    assert page.evaluate("KT.shown.views[0].camera.x === KT.shown.views[1].camera.x")
    page.evaluate("KT.shown.go(36)")
    assert page.evaluate("KT.shown.views.map(v => v.made)") == [36, 35]
    same = opened(draw_page([entry_of_tour(closed), entry_of_tour(closed.reversed())]))
    assert same.inner_text("#differing") == "0 of 36"


@pytest.mark.slow
def test_many_tours_on_a_page(opened: Opener) -> None:
    tours = [tour_of("6x6"), tour_of("6x6", closed=False), tour_of("8x6"), tour_of("4x4x4")]
    sides = [entry_of_tour(tour, f"{k}.json") for k, tour in enumerate(tours)]
    for count, columns in ((3, 2), (4, 2)):  # As large as they can be in 700 by 600
        page = opened(draw_page(sides[:count]))
        boxes = [box.bounding_box() for box in page.locator(".kt-canvas").all()]
        assert len(boxes) == count and len({round(box["x"]) for box in boxes}) == columns
        assert min(min(box["width"], box["height"]) for box in boxes) > 200
    assert page.locator("#facts tbody tr").count() == 4 and page.locator("#differing").count() == 0
    page.evaluate("KT.shown.go(35)")
    part = Tour(tours[2].graph, tours[2].order[:36], False)
    counted = page.inner_text("#turns-2"), page.inner_text("#crossings-2")
    assert counted == tuple(f"{part.measure(m)}/{tours[2].measure(m)}" for m in ("turns", "crossings"))
    page.evaluate("KT.shown.go(64)")
    assert page.evaluate("KT.shown.views.map(v => v.made)") == [36, 35, 48, 64]
    before = page.evaluate("KT.shown.views.map(v => v.camera.s)")
    page.keyboard.press("+")  # All of them
    assert all(page.evaluate("KT.shown.views.map(v => v.camera.s)")[k] > before[k] for k in range(4))
    page.evaluate("KT.shown.views[1].pan(30, 10)")  # Those of one board together
    x = page.evaluate("KT.shown.views.map(v => v.camera.x)")
    assert x[0] == x[1] and x[1] != x[2]
    page.fill("#find-text", "g3")  # Which only one board has
    page.keyboard.press("Enter")
    assert "visit" in page.inner_text("#find-word")
    assert page.evaluate("KT.shown.views.map(v => v.marked.length)") == [0, 0, 1, 0]
    page.select_option("#layer", "2")
    with page.expect_download() as saved:
        page.click("#save")
    from PIL import Image

    size = Image.open(saved.value.path()).size
    assert size[0] > 600 and size[1] > 500
    assert violations(page) == []


@pytest.mark.slow
def test_sixteen_boards_on_a_small_screen(opened: Opener) -> None:
    page = opened(draw_page([entry_of_tour(tour_of("6x6"))] * 16), viewport={"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    boxes = [box.bounding_box() for box in page.locator(".kt-canvas").all()]
    assert min(min(box["width"], box["height"]) for box in boxes) > 150
    assert page.evaluate("(place => place.scrollHeight > place.clientHeight)(document.querySelector('#boards'))")


@pytest.mark.slow
def test_a_board_in_space_can_be_turned(opened: Opener) -> None:
    page = opened(draw_page([entry_of_tour(tour_of("4x4x4"))]))
    before = picture(page)
    box = page.locator(".kt-canvas").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 90, y + 30, steps=3)
    page.mouse.up()
    turned = picture(page)
    assert turned != before
    found = page.evaluate("""() => { const v = KT.shown.views[0], at = KT.projector(v.board, v.turn), f = v.frame();
        return [0, 21, 63].map(cell => { const [a, b] = at(v.board.x(cell), v.board.y(cell), v.board.z(cell));
          return v.cellAt((f.cx + a * f.s) / v.ratio, (f.cy - b * f.s) / v.ratio); }); }""")
    assert found[0] == 0 and found[2] == 63
    page.select_option("#layer", "2")
    assert picture(page) != turned
    page.fill("#find-text", "0,3,2")
    page.keyboard.press("Enter")
    assert "0,3,2 · visit" in page.inner_text("#find-word")


@pytest.mark.slow
def test_a_certificate_says_what_it_claims(opened: Opener, tmp_path: Path) -> None:
    assert kt("solve", "4x5", "-o", tmp_path / "r.json").exit_code == 0
    page = opened(draw_page([read_entry(tmp_path / "r.json")]))
    assert page.inner_text("#claim-text") == "There is no such tour"
    assert "checked" in page.inner_text("#claim-known") and "removed: 5 cells" in page.inner_text("#key")
    assert not page.is_visible("#transport")
    page.keyboard.press("Space")  # There is nothing to play
    page = opened(draw_page([read_entry(RESULTS / "turns-6x6.json")]))
    before = picture(page)
    page.click("#switch-layer")
    assert picture(page) != before and "costs at least" in page.inner_text("#key")


@pytest.mark.slow
@pytest.mark.usefixtures("emulation")
def test_the_page_fits_a_phone(opened: Opener) -> None:
    page = opened(
        eight(), viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, device_scale_factor=2
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    small = page.evaluate("""() => [...document.querySelectorAll('button')].filter(b => b.offsetParent)
        .map(b => b.getBoundingClientRect()).filter(r => r.width < 34 || r.height < 34 || r.right > 391).length""")
    assert small == 0
    assert not page.is_visible("#panel")
    page.tap("#panel-toggle")
    assert page.is_visible("#panel") and page.inner_text("#turns")
    box = page.locator(".kt-canvas").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert "visit" in page.inner_text(".kt-tip")


@pytest.mark.usefixtures("emulation")
def test_themes_and_keyboard(opened: Opener) -> None:
    page = opened(eight(), color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(19, 21, 25)"
    page.keyboard.press("l")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(251, 250, 247)"
    reached = []
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("(document.activeElement.id || document.activeElement.className)"))
    for wanted in ("theme", "kt-canvas", "switch-turns", "colour", "find-text", "play", "slider", "speed"):
        assert wanted in reached
    named = page.evaluate("""() => [...document.querySelectorAll('button, input, select, canvas')]
        .filter(e => !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label'))).length""")
    assert named == 0


@pytest.mark.parametrize(("scheme", "size"), LOOKS)
def test_a_page_of_points_plays_its_tour(opened: Opener, scheme: str, size: tuple[int, int]) -> None:
    """Under way the picture is pale, and the moves made are drawn over it."""
    graph = graph_of_points(["a<b", "c", "d", "e"], [(0, 0), (3, 1), (2, 4), (0.5, 3)], "complete", "points")
    text = draw_page([entry_of_tour(Tour.of(graph, [0, 1, 2, 3], True))])
    page = opened(text, viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    for made, name in enumerate(["a<b", "c", "d", "e", "a<b"]):
        page.locator("#step").fill(str(made))
        assert page.text_content("#where") == f"{made} of 4: {name}"
        points = page.locator("#picture polyline[stroke='#c0392b']").get_attribute("points")
        assert len(points.split()) == (made + 1 if made else 0)
        assert page.locator("#picture rect[opacity]").is_visible() == (0 < made < 4)
    page.click("#play")
    page.wait_for_function("document.getElementById('where').value.startsWith('4 of 4')")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.slow
def test_a_large_board_is_painted_anew_at_each_zoom(opened: Opener) -> None:
    tour = snake(320, 320)
    page = opened(draw_page([PageEntry("large", tour.graph, (tour,))]))
    assert view(page, "tour.n") == 102_400
    assert view(page, "tour.turnsBy[view_n]".replace("view_n", "102400")) == tour.measure("turns") == 638
    for factor in (1, 4, 4):  # An image, tiles, painted anew
        page.evaluate(f"KT.shown.views[0].zoom({factor})")
        settled(page)
        page.evaluate("KT.shown.views[0].pan(15, 5)")
        assert picture_size(page) > 10_000
    page.evaluate("KT.shown.go(51200)")
    assert page.inner_text("#turns") == "319 of 638"


@pytest.mark.slow
def test_a_million_cells_are_shown(opened: Opener) -> None:
    tour = snake(1000, 1000)
    page = opened(draw_page([PageEntry("million", tour.graph, (tour,))]))
    assert view(page, "tour.n") == 1_000_000
    page.keyboard.press("+")
    assert picture_size(page) > 10_000


@pytest.mark.slow
def test_tiles_are_what_is_painted_anew(opened: Opener, tmp_path: Path) -> None:
    assert kt("find", "70x70", "-o", tmp_path / "t.json").exit_code == 0  # With marks, which are under later moves
    for tour, made in ((read_tour(tmp_path / "t.json"), 3000), (snake(110, 90), 6000)):
        page = opened(draw_page([PageEntry("tiles", tour.graph, (tour,))]), viewport={"width": 1300, "height": 900})
        page.evaluate("KT.shown.views[0].zoom(1.1)")
        settled(page)
        for to in (made - 400, made - 390, made, made - 1, made):
            page.evaluate(f"KT.shown.views[0].go({to}, true)")
            two_frames(page)
        assert view(page, "tiles.sets[0].tiles.size") > 4
        page.evaluate(f"KT.shown.views[0].go({made})")
        settled(page)
        grown = picture(page)
        page.evaluate("() => { const v = KT.shown.views[0]; v.tiles.clear(); v.ask(); }")
        settled(page)
        assert picture(page) == grown


@pytest.mark.usefixtures("emulation")
@pytest.mark.parametrize(("scheme", "size"), [LOOKS[1], *slow_rows([LOOKS[0], *MORE_LOOKS])])
def test_a_page_breaks_no_rule_of_accessibility(opened: Opener, scheme: str, size: tuple[int, int]) -> None:
    side = read_entry(RESULTS / "turns-6x6.json")
    page = opened(draw_page([side]), viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    assert violations(page) == []
    page.keyboard.press("?")
    assert page.locator("#help").is_visible() and violations(page) == []


@pytest.mark.slow
def test_numbers_are_smaller_where_crossings_are_near(opened: Opener) -> None:
    """As `mark_scale` of drawings: a zebra's lines pass nearer to cells than a knight's."""
    scales = []
    for leaper in ("1,2", "2,3"):
        tour = find(Problem(MoveGraph.of(Board.box(10, 10), Leaper.parse(leaper)))).tour
        page = opened(draw_page([entry_of_tour(tour)], show={"numbers": True}))
        scales.append(page.evaluate("(({ views: [view] }) => KT.markScale(view.frame(), view.scene))(KT.shown)"))
    assert scales[0] == 1 and 0.6 < scales[1] <= (1 / 13**0.5) / 0.36


@pytest.mark.parametrize(("width", "beside"), [(800, True), (390, False)])
def test_a_result_in_a_notebook_has_its_facts_beside_its_picture(browser: Any, width: int, beside: bool) -> None:
    result = result_from_json(json.loads((RESULTS / "turns-6x6.json").read_text()))
    page = browser.new_page(viewport={"width": width, "height": 600})
    page.set_content(f"<main><h1>Notebook</h1>{result._repr_html_()}</main>")
    image, table = (page.locator(name).bounding_box() for name in ("img", "table"))
    assert (table["x"] >= image["x"] + image["width"]) == beside and (table["y"] == image["y"]) == beside
    assert table["x"] + table["width"] <= width and image["width"] > 250
    assert page.get_attribute("img", "alt") == "6x6: 32 (least, proved) turns, 54 crossings"
    page.close()
