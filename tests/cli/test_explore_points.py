"""Points on the page of `kt explore`: texts, opened files, pictures; and clicked in a real browser."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import pytest

from cli.explore.app import _preview
from cli.explore.job import Allowance
from cli.explore.job_requests import job_of
from cli.explore.opening import open_text
from cli.explore.picture import draw_file, tour_page
from kt_models import KTError, Tour
from kt_models.tour import tour_to_json
from tests.axe import LOOKS, violations
from tests.explorer import Server

TOWNS = "name,x,y\nUlm,0,0\nBad Bonn,30,10\nKiel,20,40.5\nJena,0,30\n"
PATIENCE = 200_000
"""Milliseconds that nothing here comes near to."""


def job(board: str, **options: Any):
    return job_of({"task": "solve", "board": board, **options}, Allowance())


def test_texts_of_points_are_graphs() -> None:
    graph = job("points:nearest:1 0,0 3,1 2,4.5 0,3").problem().graph
    assert (graph.n, graph.positions.point(2)) == (4, (2, 4.5))
    assert job("points:complete 0,0 3,1 2,4").problem().graph.m == 3
    assert job("points: Ulm=0,0 Bonn=3,1 Kiel=2,4").problem().graph.name_of(1) == "Bonn"
    assert job("points:within:1.5 0,0 1,1 9,9").problem().graph.m == 1


def test_the_command_says_what_joins_the_points() -> None:
    made = job("points:nearest:2 0,0 3,1 2,4", minimize="length").command
    assert made[:2] == ["solve", "points.csv"]
    assert made[-2:] == ["--edges", "nearest:2"]
    assert "--edges" not in job("points:complete 0,0 3,1 2,4").command


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("points:x 1,2", "points are written"),
        ("points:", "click onto the plane"),
        ("points:complete 1", "it is written 2.5,4"),
        ("points: a=1,2 3,4", "others have none"),
        ("points: a=1,2 a=3,4", "two points have the name"),
        ("points: nan,2 1,2", "must be a number"),
        ("points: <b>,2 1,2", "must be a number"),
        ("points:delaunay 1,2 3,4", "too few points"),
        ("points: " + "1,2 " * 2001, "2,001 points; at most 2,000"),
    ],
)
def test_other_texts_are_refused_in_one_line(board: str, words: str) -> None:
    with pytest.raises(KTError, match=words):
        job(board)


def test_files_of_points_are_opened() -> None:
    form = open_text({"name": "towns.csv", "text": TOWNS})
    assert form == {"board": "points:complete Ulm=0,0 Bad-Bonn=30,10 Kiel=20,40.5 Jena=0,30", "leaper": "1,2"}
    assert open_text({"name": "a.xy", "text": "0 0\n1.5 2\n3 1\n"})["board"] == "points:complete 0,0 1.5,2 3,1"
    gml = "graph [ node [ id 0 x 0 y 0 ] node [ id 1 x 1 y 0 ] node [ id 2 x 0 y 1 ] edge [ source 0 target 1 ] ]"
    placed = open_text({"name": "a.gml", "text": gml})
    assert job(placed["board"]).problem().graph.positions.point(1) == (1, 0)


def test_hexagons_have_steps_where_the_form_names_the_knight() -> None:
    made = job("hex:3", leaper="1,2")
    assert made.problem().graph.m == 42
    assert "--leaper" not in made.command


def test_points_and_hexagons_have_pictures() -> None:
    plane = _preview({"board": "points:nearest:1 0,0 3,1 2,4 9,9"}, Allowance())
    assert plane["page"]["points"] == [[0, 0], [3, 1], [2, 4], [9, 9]]
    assert plane["page"]["lines"]
    for board in ("points:complete 0,0 3,1 2,4 9,9", "hex:2"):
        graph = job(board, leaper="1,1").problem().graph
        tour = Tour(graph, [0, 1, 2, 3] if graph.n == 4 else [0, 1, 4, 6, 5, 2, 3], True)
        page, title = tour_page(tour)
        assert b"<svg" in base64.b64decode(page["picture"].split(",")[1])
        assert title.startswith(graph.name)
        assert "<svg" in draw_file("html", tour_to_json(tour))


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    started = Server(None)
    yield started
    started.close()


def _opened(context: Any, server: Server) -> tuple[Any, list[str]]:
    """The explorer in a browser, and a list that gets its faults."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.goto(server.explorer.url)
    return page, faults


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=["desktop", "phone"])
def test_points_are_clicked_and_solved(browser: Any, server: Server, size: tuple[int, int]) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    page, faults = _opened(context, server)
    page.click("#points")
    page.wait_for_selector("svg.plane")
    for x, y in ((0.3, 0.3), (0.7, 0.35), (0.6, 0.7), (0.35, 0.65), (0.5, 0.5)):
        count = page.locator("svg.plane circle").count()
        box = page.locator("svg.plane").bounding_box()
        page.locator("svg.plane").click(position={"x": x * box["width"], "y": y * box["height"]})
        page.wait_for_selector(f"svg.plane circle:nth-of-type({count + 1})")
    page.locator("svg.plane circle").last.click()
    page.wait_for_selector("svg.plane circle:nth-of-type(5)", state="detached")
    page.wait_for_selector("svg.plane line:nth-of-type(6)", state="attached")
    page.select_option("#edges", "delaunay")
    page.wait_for_selector("svg.plane line:nth-of-type(6)", state="detached")
    page.click("#start-job")
    page.wait_for_selector("img.picture")
    assert page.input_value("#board").startswith("points:delaunay ")
    _look_at_the_player(page, 4)
    assert not faults
    context.close()


@pytest.mark.parametrize("look", LOOKS, ids=["desktop", "phone"])
def test_a_file_of_points_is_dropped_and_its_tour_played(browser: Any, server: Server, look: tuple[str, Any]) -> None:
    scheme, (width, height) = look
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page, faults = _opened(context, server)
    page.wait_for_selector("#minimize option:nth-child(2)", state="attached")
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "towns.csv", { type: "text/csv" }));
            const how = { dataTransfer: data, bubbles: true, cancelable: true };
            for (const name of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(name, how));
        }""",
        TOWNS,
    )
    page.wait_for_selector("svg.plane circle:nth-of-type(4)")
    page.select_option("#minimize", "crossings")
    page.click("#start-job")
    page.wait_for_selector("img.picture")
    _look_at_the_player(page, 4)
    page.click("#to-start")
    assert page.text_content("#counter").split(": ")[1] in ("Ulm", "Bad-Bonn", "Kiel", "Jena")
    assert violations(page) == []
    assert not faults
    context.close()


def _look_at_the_player(page: Any, moves: int) -> None:
    """A picture plays its tour: at the end it is whole, before that it is pale, with the moves made drawn over it."""
    page.wait_for_selector("#state.done")  # A later answer would put the player back to its end
    page.wait_for_selector("#transport:not([hidden])")
    assert page.text_content("#counter") == f"{moves} / {moves}"
    assert page.locator("svg.walk").is_hidden()
    page.click("#to-start")
    assert page.locator("img.picture").bounding_box() == page.locator("svg.walk").bounding_box()
    for made in range(moves):
        points = page.locator("svg.walk polyline").get_attribute("points")
        assert page.text_content("#counter").startswith(f"{made} / {moves}: ") and len(points.split()) == made + 1
        page.keyboard.press("ArrowRight")
    assert page.locator("svg.walk").is_hidden()
    page.click("#play")
    page.wait_for_selector("#play:not(.playing)")
    assert page.text_content("#counter") == f"{moves} / {moves}"
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
