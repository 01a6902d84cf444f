"""Pages and animations without a browser: what stands in them, that no text leaves its block, how large they are."""

from __future__ import annotations

import base64
import io
import itertools
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drawing.animation import animation
from drawing.draw import draw_page
from drawing.page_data import page_data, title_of
from drawing.page_entries import NOTHING, PageEntry, entry_of_tour, read_entry
from drawing.page_html import digest, page_html
from kt_models import Certificate, Result, graph_of, write_tour
from kt_models.board import Board
from kt_models.errors import CertificateError, InvalidTour, KTError, TooLarge
from kt_models.graph import MoveGraph
from kt_models.kernel.certificates.certificate import digest as certificate_digest
from kt_models.problem import Problem
from kt_models.tour import Tour, tour_to_json
from tests.cli.test_cli import kt, one_line_refusal
from tests.drawing.test_draw import PLANE, snake, tour_of
from tests.effort import part_of, slow

RESULTS = Path(__file__).parents[2] / "heuristics" / "delivered" / "results"
HOSTILE = "</script><script>window.evil=1</script><img src=x onerror='window.evil=1'>&lt;\u2028\u2029]]>-->\"'`${evil}"


class Elements(HTMLParser):
    """The elements of a page, with their attributes, and the text of each script and style."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.inside = tag
        if tag in ("script", "style", "title", "h1"):
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside in self.texts:
            self.texts[self.inside][-1] += data

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def data_of(page: str) -> dict[str, Any]:
    return json.loads(Elements(page).texts["script"][0])


def orders(data: dict[str, Any], side: int = 0) -> list[list[tuple[int, ...]]]:
    """The cells of every walk of a page, made from its first cell and its steps."""
    side_data = data["sides"][side]
    place = side_data.get("place", data)
    shape, vectors = place["board"]["shape"], [*place["moves"], *([-c for c in move] for move in place["moves"])]
    steps = iter(base64.b64decode(side_data["steps"]))
    found = []
    for start, length, closed in zip(
        *(side_data["walks"][key] for key in ("starts", "lengths", "closed")), strict=True
    ):
        cells = [tuple(int(c) for c in np.unravel_index(start, shape))]
        for _ in range(length - (not closed)):
            move = vectors[next(steps)]
            cells.append(tuple((c + d) % size for c, d, size in zip(cells[-1], move, shape, strict=True)))
        assert not closed or cells.pop() == cells[0]
        found.append(cells)
    assert next(steps, None) is None
    return found


@pytest.mark.parametrize(("text", "closed", "leaper"), [*PLANE, ("4x4x4", True, "1,2"), ("torus:4x4x3", True, "1,2")])
def test_a_page_carries_the_tour(text: str, closed: bool, leaper: str) -> None:
    tour = tour_of(text, closed, leaper)
    data = data_of(draw_page([entry_of_tour(tour, "t.json")]))
    assert orders(data) == [[tuple(cell) for cell in tour.coordinates.tolist()]]
    counts = {metric: tour.measure(metric) for metric in ("turns", "crossings") if tour.is_measurable}
    assert data["sides"][0]["counts"] == counts
    assert f"{counts['turns']} turns" in data["title"]
    mask = tour.graph.board.mask
    if mask is not None:
        packed = np.frombuffer(base64.b64decode(data["board"]["mask"]), dtype=np.uint8)
        assert np.array_equal(np.unpackbits(packed)[: mask.size].reshape(mask.shape).astype(bool), mask)


def test_a_page_asks_nothing_of_a_network_and_runs_its_own_script_alone() -> None:
    page = draw_page([entry_of_tour(tour_of("6x6"))])
    elements = Elements(page)
    policy = next(a["content"] for a in elements.named("meta") if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None and policy.startswith("default-src 'none';") and "unsafe" not in policy
    _, script = elements.texts["script"]
    assert f"script-src 'sha256-{digest(script)}'" in policy
    assert f"style-src 'sha256-{digest(elements.texts['style'][0])}'" in policy
    assert not [a for _, a in elements.tags if "src" in a or "style" in a or any(key.startswith("on") for key in a)]
    assert [a["href"][:5] for _, a in elements.tags if "href" in a] == ["data:"]
    assert set(re.findall(r"https?://[^\s'\")]*", page)) == {"http://www.w3.org/2000/svg"}
    for word in ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "fetch(", "import("):
        assert word not in page, word


def same_skeleton(page: str) -> bool:
    return [tag for tag, _ in Elements(page).tags] == [tag for tag, _ in Elements(PLAIN).tags]


PLAIN = page_html([PageEntry("a", MoveGraph.of(Board.parse("3x3-b2")))])


@settings(max_examples=part_of(60))
@given(st.text(max_size=80), st.text(max_size=80))
def test_no_text_leaves_the_data(name: str, board: str) -> None:
    for text in (name, HOSTILE + name):
        mask = Board.from_mask(["###", "#.#", "###"], f"@{text}{board}", cells="#")
        page = page_html([PageEntry(text, MoveGraph.of(mask), facts=((text, text),))])
        page.encode("utf-8")
        assert same_skeleton(page)
        assert data_of(page)["sides"][0]["facts"] == [[text, data_of(page)["sides"][0]["facts"][0][1]]]


def test_texts_of_hostile_files_stay_texts_on_pages(tmp_path: Path) -> None:
    board = Board.from_mask(["######"] * 6, "@" + "".join(mark for mark in HOSTILE if mark.isprintable()))
    tour = Tour(MoveGraph.of(board), tour_of("6x6").order, True)
    path = tmp_path / "x<script>alert(1)<"
    path.with_suffix(".json").write_text(json.dumps({**tour_to_json(tour), "name": HOSTILE, HOSTILE: HOSTILE}))
    out = tmp_path / "x.html"
    assert kt("draw", path.with_suffix(".json"), "-o", out).exit_code == 0
    page = out.read_text()
    assert same_skeleton(page)
    assert "<script>window" not in page and "<script>alert" not in page
    result = Result(Problem(tour.graph), "feasible", tour, engine=HOSTILE).to_json()
    path.with_suffix(".json").write_text(json.dumps({**result, "reason": HOSTILE}))
    assert kt("draw", path.with_suffix(".json"), "-o", out).exit_code == 0
    assert same_skeleton(out.read_text())


# -- results and certificates ------------------------------------------------------------------------------------------


def test_a_result_says_its_claim_and_what_checked_it(tmp_path: Path) -> None:
    side = read_entry(RESULTS / "turns-6x6.json")
    assert side.claim is not None and side.claim.text == "32 turns, the fewest possible"
    assert side.claim.known == "Moves verified. Certificate of the bound checked."
    assert side.layer is not None and len(side.layer.rows) == 36
    cases = read_entry(RESULTS / "turns-8x8.json").claim
    assert cases is not None and cases.more.startswith("A tree of cases")
    long = read_entry(RESULTS / "crossings-6x6.json").claim
    assert long is not None and "not replayed" in long.known
    data = json.loads((RESULTS / "turns-6x6.json").read_text())
    data["how"] = "tour verified; bound not certified"
    del data["certificate"]
    (tmp_path / "word.json").write_text(json.dumps(data))
    word = read_entry(tmp_path / "word.json").claim
    assert word is not None and word.known == "Moves verified. The bound is not certified."


def test_the_costs_of_cells_add_up_to_the_bound() -> None:
    from fractions import Fraction

    side = read_entry(RESULTS / "turns-6x6.json")
    assert side.layer is not None
    costs = [Fraction(label.removeprefix("costs at least ")) for label in side.layer.labels]
    assert 30 < sum(costs[row] for row in side.layer.rows.tolist()) <= 32


def test_a_cut_is_seen(tmp_path: Path) -> None:
    assert kt("solve", "4x5", "-o", tmp_path / "r.json").exit_code == 0
    side = read_entry(tmp_path / "r.json")
    assert side.claim is not None and side.claim.text == "There is no such tour"
    assert side.claim.known == "Certificate of the impossibility checked."
    assert side.layer is not None and int((side.layer.rows == 0).sum()) == 5
    certificate = json.loads((tmp_path / "r.json").read_text())["certificate"]
    (tmp_path / "c.json").write_text(json.dumps(certificate))
    page = data_of(draw_page([read_entry(tmp_path / "c.json")]))
    assert page["sides"][0]["claim"]["text"] == "There is no such tour"
    rows = base64.b64decode(page["sides"][0]["layer"]["rows"])
    removed = {i for i, row in enumerate(rows) if row == 0}
    assert removed == set(certificate["data"]["removed"]) and NOTHING not in rows


def test_walks_of_a_two_factor() -> None:
    graph = graph_of("5x6")
    from encoders import solve

    result = solve(Problem(graph, connectivity="any"))
    data = result.to_json()
    side = read_entry_of(data)
    assert len(side.tours) == len(result.walks) > 1
    page = data_of(draw_page([side]))
    assert sorted(map(len, orders(page))) == sorted(len(walk.vertices) for walk in result.walks)
    assert page["sides"][0]["counts"]["turns"] == sum(tour.measure("turns") for tour in side.tours)


def read_entry_of(data: dict[str, Any]) -> PageEntry:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "r.json"
        path.write_text(json.dumps(data))
        return read_entry(path)


def test_wrong_pages_are_refused(tmp_path: Path) -> None:
    data = json.loads((RESULTS / "turns-6x6.json").read_text())
    with pytest.raises(InvalidTour, match="'value' says 33"):
        read_entry_of({**data, "value": 33})
    with pytest.raises(KTError):
        read_entry_of({**data, "tour": data["tour"][::-1][:-1]})
    certificate = data["certificate"]
    with pytest.raises(CertificateError, match="altered"):
        read_entry_of({**certificate, "bound": 33})
    forged = {key: value for key, value in certificate.items() if key != "sha256"} | {"bound": 40}
    forged["sha256"] = certificate_digest(forged)
    assert Certificate.from_json(forged).bound == 40
    with pytest.raises(CertificateError, match="shows only 32"):
        read_entry_of(forged)
    long = json.loads((RESULTS / "turns-8x8.json").read_text())
    with pytest.raises(KTError):
        read_entry_of({**long, "bound": 44})


def test_pages_with_too_much_are_refused_in_one_line(tmp_path: Path) -> None:
    six = tmp_path / "6.json"
    write_tour(six, tour_of("6x6"))
    out = tmp_path / "o.html"
    one_line_refusal(kt("draw", *[six] * 17, "-o", out), "more than 16", "FOLDER/")
    with pytest.raises(TooLarge, match="3 boards have 2,300,000 cells"):
        draw_page([PageEntry("b", MoveGraph.of(Board((cells // 100, 100)))) for cells in (800_000, 800_000, 700_000)])
    one_line_refusal(kt("draw", RESULTS / "turns-all-n.json", "-o", out), "boards of all sizes")
    one_line_refusal(kt("draw", RESULTS / "aztec.json", "-o", out), "ledger")
    one_line_refusal(kt("draw", "2x2x2x2", "-o", out), "4 dimensions")
    one_line_refusal(kt("draw", "1001x1000", "-o", out), "at most 1,000,000")
    one_line_refusal(kt("draw", six, "--strands", "-o", out), "not a formation tour")
    head = "NAME : g\nTYPE : HCP\nDIMENSION : 3\nEDGE_DATA_FORMAT : EDGE_LIST\n"
    (tmp_path / "g.hcp").write_text(f"{head}EDGE_DATA_SECTION\n1 2\n2 3\n-1\n")
    one_line_refusal(kt("draw", tmp_path / "g.hcp", "-o", out), "its vertices have no positions", "Graphviz")
    one_line_refusal(kt("draw", tmp_path / "missing.hcp", "-o", out), "missing.hcp", "no such file")
    assert not out.exists()
    with pytest.raises(KTError, match="has no board"):
        page_data([PageEntry("g", MoveGraph.from_edges(3, [(0, 1)], "three.col"))])


def test_several_boards_on_one_page(tmp_path: Path) -> None:
    tours = {"6": tour_of("6x6"), "5": tour_of("8x6"), "w": snake(6, 6), "7": tour_of("6x6", closed=False)}
    for name, tour in tours.items():
        write_tour(tmp_path / f"{name}.json", tour)
    out = tmp_path / "o.html"
    assert kt("draw", *(tmp_path / f"{name}.json" for name in tours), "-o", out).exit_code == 0
    data = data_of(out.read_text())
    assert data["title"] == "Four tours" and data["subtitle"] == "" and data["board"]["text"] == "6x6"
    places = [side.get("place") for side in data["sides"]]
    assert places[0] is None and places[3] is None  # What is that of the first stands once
    assert places[1] and places[1]["board"]["text"] == "8x6" and places[2] and places[2]["leaper"] == "0,1"
    for number, tour in enumerate(tours.values()):
        assert orders(data, number) == [[tuple(cell) for cell in tour.coordinates.tolist()]]
    kinds = [[entry_of_tour(tours[name]) for name in names] for names in ("67", "677", "65", "6567")]
    assert [title_of(sides) for sides in kinds] == ["6x6, two tours", "6x6, three tours", "Two tours", "Four tours"]
    boards = [PageEntry("", MoveGraph.of(Board.parse(text))) for text in ("3x3", "4x4")]
    assert title_of(boards) == "Two boards" and title_of([boards[0]] * 2) == "3x3, side by side"


def test_formation_tours_are_explained_unasked(tmp_path: Path) -> None:
    assert kt("find", "32x24", "--method", "formation", "-o", tmp_path / "f.json").exit_code == 0
    assert kt("draw", tmp_path / "f.json", "-o", tmp_path / "f.html").exit_code == 0
    data = data_of((tmp_path / "f.html").read_text())
    parts = data["sides"][0]["parts"]
    assert data["colour"] == "strand" and len(base64.b64decode(parts["steps"])) == 32 * 24
    assert [text for _, text in parts["key"]][-1] == "junctions"
    assert len(parts["frames"]) > 4


# -- animations --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", [pytest.param("torus:6x7", marks=pytest.mark.slow), "4x4x4", *slow(["8x8", "aztec:4"])]
)
def test_an_animation_ends_with_the_whole_tour(text: str) -> None:
    from PIL import Image

    tour = tour_of(text)
    gif = Image.open(io.BytesIO(animation([entry_of_tour(tour)], ".gif", seconds=2, size=300)))
    assert gif.format == "GIF" and max(gif.size) == 300
    assert gif.n_frames == min(len(tour) + 1, 40)
    inked, times = [], []
    for number in range(gif.n_frames):
        gif.seek(number)
        times.append(gif.info["duration"])
        pixels = np.asarray(gif.convert("RGB"), dtype=np.int16)
        inked.append(int((np.ptp(pixels, axis=2) > 60).sum()))  # Coloured pixels
    assert inked[-1] > 10 * inked[0]
    assert sum(a > b + 250 for a, b in itertools.pairwise(inked)) == 0  # Lines stay; the walker goes
    assert 1800 <= sum(times[:-1]) <= 2300 and times[-1] == 2000


def test_animations_that_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one_line_refusal(kt("draw", "8x8", "-o", tmp_path / "x.gif"), "no tour to animate")
    with pytest.raises(TooLarge, match="at most 2,000 pixels"):
        animation([entry_of_tour(tour_of("6x6"))], ".gif", size=5000)
    write_tour(tmp_path / "t.json", tour_of("6x6"))
    monkeypatch.setattr(shutil, "which", lambda name: None)
    one_line_refusal(kt("draw", tmp_path / "t.json", "-o", tmp_path / "x.mp4"), "ffmpeg is not installed", ".gif works")


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")
def test_a_video_is_written_as_mp4(tmp_path: Path) -> None:
    write_tour(tmp_path / "t.json", tour_of("6x6"))
    out = tmp_path / "t.mp4"
    assert kt("draw", tmp_path / "t.json", "-o", out, "--seconds", "2", "--size", "201").exit_code == 0
    assert out.read_bytes()[4:8] == b"ftyp"
    report = subprocess.run(["ffmpeg", "-i", str(out)], capture_output=True, text=True).stderr
    assert re.search(r"Duration: 00:00:0[34]", report) and re.search(r" \d+x200[, ]", report)


def test_a_failing_encoder_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "ffmpeg"
    fake.write_text("#!/bin/sh\necho 'no such encoder' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    write_tour(tmp_path / "t.json", tour_of("6x6"))
    one_line_refusal(kt("draw", tmp_path / "t.json", "-o", tmp_path / "x.mp4"), "ffmpeg: no such encoder")
