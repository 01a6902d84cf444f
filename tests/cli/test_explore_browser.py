"""The page of `kt explore` in a real browser: chosen, solved, watched, stopped, saved; and no text becomes a script."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kt
from cli.explore.save import Folder
from kt_models.files.tours import parse_tour
from kt_models.tour import tour_from_json, verify
from tests.axe import LOOKS, MORE_LOOKS, violations
from tests.effort import slow_rows
from tests.explorer import Server

PATIENCE = 200_000
"""Milliseconds that nothing here comes near to."""
PATIENT = """() => { const limit = document.getElementById("time_limit"); limit.defaultValue = limit.value = "600"; }"""
"""More seconds for a job than it needs on a busy machine: the page offers 60."""
HASTY = "() => { const usual = setTimeout; window.setTimeout = (work, pause) => usual(work, Math.min(pause, 10)); }"
"""The page waits a quarter of a second for the next letter before it asks what a board is."""
PAUSED = """() => new Promise(done => {
    const look = () => KT.shown.view.made > 0 ? (document.getElementById("play").click(), done())
                                              : requestAnimationFrame(look);
    look();
})"""
"""Pauses at the first moves of a tour that is played, however slow the browser is."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("saved")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    started = Server(Folder(str(folder)))
    yield started
    started.close()


@pytest.fixture
def page(browser: Any, server: Server) -> Iterator[Any]:
    """The page, loaded; a fault of its script or of the content policy fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield _opened(context, server.explorer.url)
    context.close()


def _opened(context: Any, url: str) -> Any:
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.on("console", lambda message: page.faults.append(message.text) if message.type == "error" else None)
    page.on("dialog", lambda dialog: (page.faults.append(dialog.message), dialog.dismiss()))
    page.goto(url)
    page.wait_for_selector("#minimize option:nth-child(2)", state="attached")
    page.evaluate(PATIENT)
    page.evaluate(HASTY)
    page.wait_for_selector("#stage .kt-canvas, #stage .message")
    return page


def _start(page: Any, **fields: str) -> None:
    for name, value in fields.items():
        if page.locator(f"#{name}").evaluate("(input) => input.tagName") == "SELECT":
            page.select_option(f"#{name}", value)
        else:
            page.fill(f"#{name}", value)
    page.click("#start-job")


def test_a_translation_is_asked_for_and_symmetries_are_suggested(page: Any) -> None:
    suggested = page.evaluate("() => [...document.getElementById('symmetry').list.options].map((one) => one.value)")
    assert suggested[:2] == ["rot180", "rot90"]
    _start(page, board="cylinder:6x5", symmetry="(x+2,y) (-x,-y)")
    page.wait_for_selector("#jobs li")
    assert "--symmetry '(x+2,y)' --symmetry '(-x,-y)'" in page.inner_text("#command")
    assert page.faults == []


def test_explorer_solves_live_to_the_optimum_and_plays(page: Any, server: Server) -> None:
    assert page.url == server.explorer.address  # The token is out of sight
    assert page.evaluate("() => document.cookie") == ""
    page.click("text=Fewest turns, 6×6")
    page.wait_for_selector("#state.running, #state.done")
    page.wait_for_selector("#state.done")
    assert [page.inner_text(f"#{name}") for name in ("value", "bound", "gap")] == ["32", "32", "0"]
    assert page.inner_text("#verdict") == "32 turns, the fewest possible."
    assert page.inner_text("#command").startswith("kt solve 6x6 --minimize turns")
    assert page.inner_text("#jobs").split()[:8] == ["6x6,", "fewest", "turns", ",", "done", "32", "/", "32"]

    page.wait_for_selector("#transport:not([hidden])")
    assert page.inner_text("#counter") == "36 / 36"
    page.click("#play")
    page.wait_for_selector('#play[aria-label="Pause"]')
    page.evaluate(PAUSED)
    made = page.evaluate("() => KT.shown.view.made")
    assert 0 < made < 36
    page.keyboard.press("Home")
    page.locator("#stage canvas").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => KT.shown.view.made") == 2
    before = page.evaluate("() => KT.shown.view.camera.s")
    page.click("#zoom-in")
    assert page.evaluate("() => KT.shown.view.camera.s") > before
    page.keyboard.press("n")
    assert page.get_attribute("#switch-numbers", "aria-pressed") == "true"
    page.click("#theme")
    assert page.get_attribute("html", "data-theme") == "dark"
    page.select_option("#colour", "move")
    assert page.evaluate("() => KT.shown.view.mode") == "move"
    assert page.faults == []


@pytest.mark.slow
@pytest.mark.usefixtures("emulation")
def test_a_stopped_job_keeps_its_best_and_can_be_saved(page: Any, folder: Path) -> None:
    _start(page, board="19x22", minimize="turns")
    page.wait_for_selector("#title:text('19x22, fewest turns')")
    page.wait_for_selector("#value:text-matches('[0-9]+')")
    page.click("#stop")
    page.wait_for_selector("#state.stopped")
    value = int(page.inner_text("#value"))
    assert value >= 136
    page.wait_for_selector("#save a")
    with page.expect_download() as download:
        page.click("#save a:text-is('JSON')")
    assert download.value.suggested_filename == "solve-19x22-turns.json"
    tour = tour_from_json(json.loads(Path(download.value.path()).read_text()))
    verify(tour)
    assert tour.measure("turns") == value
    page.click("#save button:text-is('JSON into the folder')")
    page.wait_for_selector("#saved:text('Saved as kt-solve-19x22-turns.json.')")
    assert (folder / "kt-solve-19x22-turns.json").read_text() == Path(download.value.path()).read_text()
    assert page.faults == []


REDRAWN = """number => fetch(`/jobs/${number}`).then(answer => answer.json()).then(({ work, points, page }) => {
    for (let i = 0; i < 5; i++) KT.hear({ work, from: 0, points, page });
})"""
"""What the stream does with each message, many times."""


def _press(page: Any, button: Any, number: int) -> None:
    button.hover()
    page.mouse.down()
    page.evaluate(REDRAWN, number)
    page.mouse.up()


@pytest.mark.slow
def test_stop_is_pressed_once_however_often_the_page_is_drawn(page: Any) -> None:
    """The answer to the press does not undo what the stream has told since: here it comes last."""

    def late(route: Any) -> None:
        response = route.fetch()
        page.wait_for_selector("#state.stopped")
        route.fulfill(response=response)

    page.route("**/stop", late)
    _start(page, board="19x22", minimize="turns")
    page.wait_for_selector("#title:text('19x22, fewest turns')")
    page.wait_for_selector("#value:text-matches('[0-9]+')")
    number = int(page.locator("#jobs li").first.get_attribute("data-key"))
    with page.expect_response("**/stop"):
        _press(page, page.locator("#stop"), number)
    page.wait_for_function("() => document.getElementById('stop').hidden")
    assert page.inner_text("#state") == "stopped"
    assert page.faults == []


HOSTILE = [
    "@/etc/passwd", "<img src=x onerror=alert(1)>", "8x8-<script>alert(1)</script>", "javascript:alert(1)",
    "\"><svg onload=alert(1)>", "99999x99999", "8x8-z9", "8*8", "8x8\u202e",
]  # fmt: skip


def test_wrong_and_hostile_input_is_one_line_of_text(page: Any) -> None:
    elements, jobs = page.locator("body *").count(), page.locator("#jobs li").count()
    for board in HOSTILE:
        _start(page, board=board)
        page.wait_for_selector("#fault:text-matches('.')")
        fault = page.inner_text("#fault")
        assert len(fault) < 320 and "internal" not in fault
        page.wait_for_selector("#board-hint.wrong")
        page.fill("#board", "8x8")
        page.wait_for_selector("#board-hint:not(.wrong)")
    for name, value in {
        "leaper": "<b>1</b>",
        "start": "<i>",
        "time_limit": "0",
        "require": "a1-<b>",
        "seed": "-1",
    }.items():
        page.evaluate("() => { document.getElementById('more').open = true; }")
        usual = page.input_value(f"#{name}")
        _start(page, **{name: value})
        page.wait_for_selector("#fault:text-matches('.')")
        page.fill(f"#{name}", usual)
    assert page.locator("img, #fault *, #board-hint *, iframe, object").count() == 0
    assert page.locator("body *").count() <= elements
    assert page.locator("#jobs li").count() == jobs
    # Faults of the form are answers of status 400, which the browser's console counts as errors; nothing else is
    assert all("400" in fault for fault in page.faults)


@pytest.mark.slow
def test_every_kind_of_job_runs_from_the_page(page: Any) -> None:
    page.click("text=Why 4×6 has none")
    page.wait_for_selector("#verdict:text('There is no such tour.')")
    assert "splits the board into 7 parts" in page.inner_text("#facts")
    assert page.inner_text("#save").split() == ["JSON", "JSON", "into", "the", "folder"]
    page.click("label:has-text('Bound')")
    _start(page, board="6x6")
    page.wait_for_selector("#verdict:text('No tour has fewer than 32 turns.')")
    assert page.faults == []


@pytest.mark.slow
def test_methods_have_their_parameters(page: Any) -> None:
    page.click("label:has-text('Find')")
    page.select_option("#method", "formation")
    assert page.locator("#settings select").count() == 2 and "Besa" in page.inner_text("#method-hint")
    page.select_option("#method", "euler")
    page.click("#more summary")
    page.fill("#settings input[data-name=tries]", "many")
    page.click("#start-job")
    page.wait_for_selector("#fault:text('is not an integer')")
    page.select_option("#method", "torus")
    _start(page, board="torus:6x6")
    page.wait_for_selector("#title:text('torus:6x6, closed, torus')")
    page.wait_for_selector("#state.done")
    assert page.inner_text("#command") == "kt find torus:6x6 --method torus --time-limit 600"


def test_a_click_cuts_a_cell_out(page: Any) -> None:
    page.fill("#board", "5x5")
    page.wait_for_selector("#title:text('5x5, 25 cells')")
    page.click("#stage canvas")
    page.wait_for_selector("#title:text('5x5-c3, 24 cells')")
    assert page.input_value("#board") == "5x5-c3"
    assert page.faults == []


@pytest.mark.slow
def test_holes_are_painted_files_opened_and_links_followed(page: Any) -> None:
    page.click("#paint")
    page.wait_for_function("() => KT.shown.view.painting")
    box = page.locator("#stage canvas").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x - 5, y - 5)
    page.mouse.down()
    page.mouse.move(x + 5, y - 5)
    page.mouse.up()
    page.wait_for_function("() => document.getElementById('board').value === '8x8-d5,e5'")
    page.click("#paint")
    mask = {"name": "m.txt", "mimeType": "text/plain", "buffer": b"####\n#.##\n.###\n"}
    page.set_input_files("#file", mask)
    page.wait_for_function("() => document.getElementById('board').value === '4x3-a1,b2'")
    page.click("#link")
    page.wait_for_function("() => location.hash.includes('4x3-a1,b2')")
    page.reload()
    page.wait_for_function("() => document.getElementById('board').value === '4x3-a1,b2'")
    page.fill("#board", "@mask.txt")
    page.wait_for_selector("#board-hint.wrong")
    assert "open it" in page.inner_text("#board-hint")


@pytest.mark.slow
@pytest.mark.usefixtures("emulation")
def test_a_phone_shows_all_of_it(browser: Any, server: Server) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, color_scheme="dark")
    page = _opened(context, server.explorer.url)
    assert page.get_attribute("html", "data-theme") == "dark"
    assert page.evaluate("() => document.documentElement.scrollWidth") == 360
    assert page.locator("#start-job").bounding_box()["height"] >= 40
    top = {name: page.locator(f"#{name}").bounding_box()["y"] for name in ("watch", "ask", "panel")}
    assert top["watch"] < top["ask"] < top["panel"]
    _start(page, board="5x5", leaper="king", minimize="turns")
    page.wait_for_selector("#state.done")
    top = {name: page.locator(f"#{name}").bounding_box()["y"] for name in ("watch", "ask", "panel")}
    assert top["watch"] < top["panel"] < top["ask"], "the answer comes before the form"
    assert page.inner_text("#title") == "5x5, king, fewest turns"
    assert page.evaluate("() => document.documentElement.scrollWidth") == 360
    context.close()


def test_the_end_of_the_server_is_told(browser: Any) -> None:
    started = Server()
    context = browser.new_context()
    try:
        page = _opened(context, started.explorer.url)
    finally:
        started.close()
    page.wait_for_selector("#subtitle.wrong:text('kt explore has ended')")
    context.close()


# -- help, moves that are clicked, what is dropped or pasted, long names -----------------------------------------------

SHOWN = """facts => fetch("/jobs/" + facts.number).then(answer => answer.json()).then(({ work, points, page }) => {
    work.version += 1;
    Object.assign(work, facts.work);
    KT.hear({ work, from: 0, points, page });
})"""
"""Tells the page something else of a job."""
MIDDLE = """i => {
    const view = KT.shown.view, { x, y, s } = view.camera, [a, b] = view.endsOf(i), { board } = view;
    const at = [board.x(a) * 0.62 + board.x(b) * 0.38, board.y(a) * 0.62 + board.y(b) * 0.38];
    return { x: view.width / 2 + (at[0] - x) * s, y: view.height / 2 - (at[1] - y) * s };
}"""
"""A point on a move, not far from its middle, where hardly any other passes."""
GRID = "1 14 9 20 3\n24 19 2 15 10\n13 8 25 4 21\n18 23 6 11 16\n7 12 17 22 5\n"
"""An open tour of 5x5, row by row."""
GIVE = """([kind, text, name]) => {
    const data = new DataTransfer();
    if (name) data.items.add(new File([text], name)); else data.setData("text/plain", text);
    const how = { bubbles: true, cancelable: true };
    document.body.dispatchEvent(kind === "drop" ? new DragEvent("drop", { ...how, dataTransfer: data })
                                                : new ClipboardEvent("paste", { ...how, clipboardData: data }));
}"""
"""Drops or pastes a text, or a file of this name."""


def _solved(page: Any) -> int:
    """The number of a job on 5x6, solved: its tour is on the page."""
    _start(page, board="5x6")
    page.wait_for_selector("#title:text('5x6, closed')")
    page.wait_for_selector("#state.done")
    page.wait_for_selector("#transport:not([hidden])")
    return int(page.get_attribute("#jobs li", "data-key"))


def test_clicked_moves_are_required_and_forbidden(page: Any) -> None:
    _solved(page)
    assert page.inner_text("#wishes").startswith("Click a move to require it")
    stage = page.locator("#stage canvas")
    ends = "i => KT.shown.view.endsOf(i).map(cell => KT.shown.view.board.name(cell)).join('-')"
    page.evaluate("() => document.getElementById('more').open = true")  # What follows does not move the board any more
    hit = "([at, i]) => KT.shown.view.moveAt(at.x, at.y) === i"
    chosen = [i for i in range(30) if page.evaluate(hit, [page.evaluate(MIDDLE, i), i])]
    assert len(chosen) > 10
    first, second = chosen[0], chosen[5]
    names = [page.evaluate(ends, i) for i in (first, second)]
    stage.click(position=page.evaluate(MIDDLE, first))
    stage.click(position=page.evaluate(MIDDLE, second), modifiers=["Shift"])
    assert [page.input_value(f"#{name}") for name in ("require", "forbid")] == names
    assert page.inner_text("#wishes") == f"Required: {names[0]}. Forbidden: {names[1]}. Start asks for such a tour."
    stage.click(position=page.evaluate(MIDDLE, first), modifiers=["Shift"])
    assert page.input_value("#require") == "" and page.input_value("#forbid") == f"{names[1]} {names[0]}"
    stage.click(position=page.evaluate(MIDDLE, first), modifiers=["Shift"])
    stage.click(position=page.evaluate(MIDDLE, first))
    _start(page)
    page.wait_for_selector("#jobs li:nth-child(2)")
    page.wait_for_selector("#state.done, #state.failed")
    assert f"--require {names[0]} --forbid {names[1]}" in page.inner_text("#command")
    left = page.evaluate("() => KT.shown.view.tour.n")
    moves = {frozenset(page.evaluate(ends, i).split("-")) for i in range(left)}
    assert not left or (frozenset(names[0].split("-")) in moves and frozenset(names[1].split("-")) not in moves)
    assert page.faults == []


def _hit(page: Any, cell: str) -> None:
    page.wait_for_function("() => KT.shown.view.camera")
    x, y, _ = page.evaluate("cell => KT.shown.view.placeOf(KT.shown.view.board.find(cell))", cell)
    page.locator("#stage canvas").click(position={"x": x, "y": y})


@pytest.mark.slow
def test_numbers_are_typed_into_cells(page: Any) -> None:
    page.fill("#board", "5x5-c5")
    page.wait_for_selector("#title:text('5x5-c5, 24 cells')")
    page.check("[name=closed][value=no]", force=True)
    page.click("#type")
    assert page.inner_text("#wishes") == "Click a cell and type its number."
    _hit(page, "a1")
    assert page.get_attribute(".cell-number", "aria-label") == "Number of a1"
    page.keyboard.type("one 1!")  # What no number has goes
    page.keyboard.press("ArrowUp")
    page.keyboard.type("20-24")
    page.keyboard.press("Escape")  # Given up
    assert page.input_value("#number") == "a1=1" and page.input_value("#board") == "5x5-c5"
    _hit(page, "b5")
    page.keyboard.press("ArrowRight")  # Over the hole
    assert page.get_attribute(".cell-number", "aria-label") == "Number of d5"
    page.keyboard.type("24")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")  # There is no more
    page.evaluate("() => KT.shown.view.zoom(1.1)")  # The field goes where the cell goes
    x, y, _ = page.evaluate("() => KT.shown.view.placeOf(KT.shown.view.board.find('e5'))")
    field = page.evaluate(
        "() => (({ left, top }) => [left, top].map(parseFloat))(document.querySelector('.cell-number').style)"
    )
    assert abs(field[0] - x) < 0.1 and abs(field[1] - y) < 0.1
    page.keyboard.press("Enter")
    assert page.input_value("#number") == "a1=1 d5=24"
    assert page.evaluate("() => KT.shown.view.written") == [[0, "1"], [19, "24"]]
    assert page.inner_text("#wishes") == "Numbers: a1=1 d5=24. Start asks for such a tour."
    page.click("#fit")
    _hit(page, "d5")
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    assert page.input_value("#number") == "a1=1"
    _hit(page, "b2")
    page.keyboard.type("5")
    _start(page)
    page.wait_for_selector("#state.done, #state.failed")
    assert "--number a1=1 --number b2=5" in page.inner_text("#command") and page.faults == []
    page.focus("#type")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")  # By the keyboard alone: in the first cell
    assert page.get_attribute(".cell-number", "aria-label") == "Number of a5"
    page.keyboard.press("Escape")
    page.check("[name=task][value=bound]", force=True)  # Which takes no numbers
    assert page.evaluate("() => KT.shown.view.written") == []


@pytest.mark.slow
def test_the_nearest_tour_is_asked_for(page: Any) -> None:
    number = _solved(page)
    ends = "i => KT.shown.view.endsOf(i).map(cell => KT.shown.view.board.name(cell)).join('-')"
    moves = (page.evaluate(ends, i) for i in range(30))
    move = next(move for move in moves if kt.solve("5x6", forbid=[move]).tour is not None)
    before = page.evaluate("() => [...KT.shown.view.tour.at]")
    page.click("#ask-near")
    page.wait_for_selector("#near-row:not([hidden])")
    assert page.inner_text("#near-of").endswith(f"of job {number}") and page.is_disabled("#minimize")
    page.evaluate("() => document.getElementById('more').open = true")
    page.fill("#forbid", move)
    _start(page)
    page.wait_for_selector("#title:text('fewest moves changed')")
    page.wait_for_selector("#state.done")
    assert f"--forbid {move} --near near.tour" in page.inner_text("#command")
    page.wait_for_function("before => String([...KT.shown.view.tour.at]) !== String(before)", arg=before)
    pairs = "(at) => at.map((cell, i) => [cell, at[(i + 1) % at.length]].sort((a, b) => a - b).join())"
    after = set(page.evaluate(f"() => ({pairs})([...KT.shown.view.tour.at])"))
    kept = set(page.evaluate(f"at => ({pairs})(at)", before)) & after
    assert len(after) - len(kept) == int(page.inner_text("#value")) > 0
    with page.expect_download() as saved:
        page.click("#near-file")
    assert parse_tour(Path(saved.value.path()).read_text()).graph.name == "5x6"
    page.click("#near-off")
    assert not page.is_disabled("#minimize") and page.input_value("#near") == ""
    page.evaluate(GIVE, ["drop", GRID, "tour.txt"])
    page.wait_for_function("() => KT.shown.view.tour.n === 25")
    page.click("#ask-near")  # An opened tour
    assert page.inner_text("#near-of").startswith("5x5, open")
    page.fill("#board", "6x6")
    assert page.input_value("#near") == "" and page.faults == []


@pytest.mark.slow
def test_question_mark_lists_the_keys(page: Any) -> None:
    page.locator("#stage canvas").focus()
    page.keyboard.press("?")
    assert page.locator("#help").is_visible() and "forbid it" in page.inner_text("#keys")
    page.keyboard.press("Escape")
    page.click("#help-open")
    page.click("#help button")
    assert not page.locator("#help").is_visible()
    page.fill("#board", "5x5")
    page.locator("#board").press("?")
    assert not page.locator("#help").is_visible()  # In a field it is a letter


@pytest.mark.slow
def test_tours_are_dropped_and_pasted(page: Any) -> None:
    for kind, text, name in (("drop", GRID, "tour.txt"), ("paste", GRID, ""), ("drop", GRID, "")):
        page.fill("#board", "8x8")
        page.wait_for_selector("#title:text('8x8, 64 cells')")
        page.evaluate(GIVE, [kind, text, name])
        page.wait_for_function("() => document.getElementById('board').value === '5x5'")
        page.wait_for_function("() => KT.shown.view.tour.n === 25")
    page.evaluate(GIVE, ["paste", "what is this?", ""])
    page.wait_for_selector("#fault:text-matches('.')")
    assert all("400" in fault for fault in page.faults)


@pytest.mark.slow
def test_long_names_leave_room_for_values_and_a_bound_of_0_is_none(page: Any) -> None:
    number = _solved(page)
    long = {"multipliers_of_the_states_on_the_frontier_that_are_not_zero": 1234567, "branches": 7}
    work = {"metric": "crossings", "value": 40, "bound": 0, "status": "feasible", "facts": {"statistics": long}}
    page.evaluate(SHOWN, {"number": number, "work": work})
    page.wait_for_function("() => document.getElementById('value').textContent === '40'")
    assert [page.inner_text(f"#{name}") for name in ("bound", "gap")] == ["–", "–"]
    assert "0" not in page.inner_text("#jobs .so-far").split("/")[1]
    value = page.locator("#facts dd", has_text="1,234,567").bounding_box()
    assert value["width"] > 90 and value["height"] < 70
    assert page.faults == []


@pytest.mark.usefixtures("emulation")
@pytest.mark.parametrize(("scheme", "size"), [LOOKS[0], *slow_rows([LOOKS[1], *MORE_LOOKS])])
def test_the_explorer_breaks_no_rule_of_accessibility(
    browser: Any, server: Server, scheme: str, size: tuple[int, int]
) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    page = _opened(context, server.explorer.url)
    page.evaluate("() => { document.getElementById('more').open = true; }")
    assert violations(page) == []
    page.click("#help-open")
    assert violations(page) == []
    context.close()
