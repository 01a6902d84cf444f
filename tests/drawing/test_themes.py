"""Themes, titles and captions; marks that stay free; sheets in every format; Python draws what the command does."""

from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kt as kt_door
from drawing.canvas import DARK, INK, LIGHT, PAPER, SOFT_INK
from drawing.draw import draw_picture, draw_svg
from drawing.drawn_moves import distinct, ramp, wheel
from drawing.options import THEMES
from drawing.themes import painted
from kt_models import Certificate, KTError, TooLarge, Tour, write_tour
from kt_models.tour import tour_to_json
from tests.command import kt, one_line_refusal
from tests.drawing.test_draw import SVG, group, marks, snake, texts, tour_of

RESULTS = Path(__file__).parents[2] / "heuristics" / "delivered" / "results"


def subjects() -> dict[str, tuple[Any, dict[str, Any]]]:
    """Drawings that have, between them, everything that is drawn."""
    tree, leaf = (
        Certificate.from_json(json.loads((RESULTS / name).read_text())["certificate"])
        for name in ("turns-8x8.json", "turns-6x6.json")
    )
    return {
        "closed": (tour_of("6x6"), {"direction": True}),
        "numbered": (tour_of("6x6"), {"numbers": True, "direction": True}),
        "open": (tour_of("5x5", closed=False), {}),
        "space": (tour_of("4x4x4"), {}),
        "tree": (tree, {}),
        "dual": (leaf, {}),
    }


SUBJECTS = subjects()


def shapes(svg: str) -> list[ET.Element]:
    """All elements with a colour, in order."""
    return [e for e in ET.fromstring(svg).iter() if e.get("fill", "none") != "none" or e.get("stroke")]


def rules(style: str) -> Iterator[tuple[str, str, str]]:
    """Class, property and colour of each rule."""
    for name, attribute, value in re.findall(r"\.kt-in-auto \.([\w-]+)\{(\w+):([^}]*)\}", style):
        yield name, attribute, re.sub(r"^var\(--[\w-]+,(#\w+)\)$", r"\1", value)


@pytest.mark.parametrize("name", SUBJECTS)
def test_auto_is_light_and_by_its_rules_dark(name: str) -> None:
    """Applying the rules for dark readers to each element gives the drawing in the theme `dark`, colour by colour."""
    subject, look = SUBJECTS[name]
    auto, light, dark = (draw_svg(subject, theme=theme, **look) for theme in ("auto", "light", "dark"))
    usual, _, for_dark = (ET.fromstring(auto).findtext(f"{SVG}style") or "").partition("@media")
    assert "prefers-color-scheme:dark" in for_dark
    colours = {(cls, attribute): colour for cls, attribute, colour in rules(for_dark)}
    for shape, in_light, in_dark in zip(shapes(auto), shapes(light), shapes(dark), strict=True):
        for attribute in ("fill", "stroke"):
            if in_light.get(attribute, "none") == "none":
                continue
            assert shape.get(attribute) == in_light.get(attribute)
            assert colours[shape.get("class", ""), attribute] == in_dark.get(attribute), (shape.attrib, attribute)
    assert {colour for _, _, colour in rules(usual)} <= {painted(c, "light") for c in (*NAMED, "#b9b3a4")}


NAMED = (PAPER, INK, SOFT_INK, LIGHT, DARK)


def contrast(first: str, second: str) -> float:
    """As the guidelines for accessible pages define it."""

    def luminance(colour: str) -> float:
        channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
        linear = [u / 12.92 if u <= 0.04045 else ((u + 0.055) / 1.055) ** 2.4 for u in channels]
        return float(np.dot((0.2126, 0.7152, 0.0722), linear))

    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_dark_and_print_can_be_read() -> None:
    for theme in ("light", "dark", "print"):
        paper, ink, soft, light, dark = (painted(colour, theme) for colour in NAMED)
        assert contrast(soft, paper) >= 4.5
        assert all(contrast(ink, ground) >= 7 for ground in (paper, light, dark))
    place = np.linspace(0, 1, 64, endpoint=False)
    for palette in (wheel(place), ramp(place), distinct(12)):
        for colour in palette:
            line = painted("#" + "".join(f"{round(255 * u):02x}" for u in colour.tolist()), "dark")
            assert min(contrast(line, painted(ground, "dark")) for ground in (LIGHT, DARK, PAPER)) >= 2


def test_only_an_svg_follows_the_reader() -> None:
    subject = [(tour_of("8x6"), None)]
    for suffix in (".png", ".pdf", ".tex"):
        with pytest.raises(KTError, match="theme auto"):
            draw_picture(subject, suffix, theme="auto")
    with pytest.raises(KTError, match="unknown theme"):
        draw_picture(subject, ".svg", theme="screen")


@pytest.mark.slow
def test_a_large_drawing_has_an_image_for_each_scheme() -> None:
    svg = draw_svg(snake(150, 150), theme="auto")
    images = [image.get("class") for image in ET.fromstring(svg).iter(f"{SVG}image")]
    assert images == ["kt-image-light", "kt-image-dark"] and ".kt-image-light{display:none}" in svg


def test_a_png_has_the_paper_of_its_theme() -> None:
    from PIL import Image

    for theme in ("light", "dark", "print"):
        image = Image.open(io.BytesIO(draw_picture([(tour_of("8x6"), None)], ".png", theme=theme)))  # type: ignore[arg-type]
        corner = image.convert("RGB").getpixel((1, 1))
        assert "#" + "".join(f"{u:02x}" for u in corner) == painted(PAPER, theme)  # type: ignore[union-attr]


# -- title and caption -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SUBJECTS)
def test_title_and_caption_stand_on_the_page(name: str) -> None:
    subject, look = SUBJECTS[name]
    svg = draw_svg(subject, title="A <title>", caption="My & words", **look)
    assert texts(svg).count("A <title>") == texts(svg).count("My & words") == 1
    assert ET.fromstring(svg).findtext(f"{SVG}title") == "A <title>"
    root = ET.fromstring(svg)
    lines = {text.text: float(text.get("y", "0")) for text in root.iter(f"{SVG}text")}
    down = [float(y) for path in root.iter(f"{SVG}path") for y in re.findall(r"M[\d.]+ ([\d.]+)", path.get("d", ""))]
    assert 0 < lines.pop("A <title>") < min([*lines.values(), *down])
    assert max(down) < lines["My & words"] < float(root.get("height", "0"))
    without = draw_svg(subject, caption="", **look)
    assert group(without, "caption") is None and ET.fromstring(without).findtext(f"{SVG}title")


def test_a_title_fits_or_is_refused() -> None:
    tour = tour_of("6x6")
    root = ET.fromstring(draw_svg(tour, title="Six", size=300))
    assert max(int(root.get("width", "0")), int(root.get("height", "0"))) == 300
    for name in ("title", "caption"):
        with pytest.raises(KTError, match=f"^{name}: 90 characters do not fit"):
            draw_svg(tour, size=200, **{name: "x" * 90})
        for wrong in ("two\nlines", "x" * 201, 5):
            with pytest.raises(KTError, match=f"^{name} must be"):
                draw_svg(tour, **{name: wrong})


# -- marks that stay free ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "leaper"), [("6x6", "1,2"), ("10x10", "2,3"), ("10x10", "1,4"), ("8x8", "1,2+2,3"), ("torus:8x6", "1,2")]
)
def test_numbers_cover_no_mark_of_a_crossing(board: str, leaper: str) -> None:
    tour = kt_door.find(board, leaper=leaper, seed=1).tour
    assert tour is not None
    svg = draw_svg(tour, numbers=True)
    discs, crossings = np.array(marks(svg, "visits")), np.array(marks(svg, "crossings"))
    radii = [float(next(group(svg, name).iter(f"{SVG}circle")).get("r", "0")) for name in ("visits", "crossings")]  # type: ignore[union-attr]
    apart = np.hypot(*(discs[:, None] - crossings[None]).transpose(2, 0, 1))
    assert len(crossings) and apart.min() >= sum(radii)
    assert texts(svg).count(str(len(tour))) >= 1


# -- sheets ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("tours")
    made = []
    for board, closed in (("8x6", True), ("5x5", False), ("6x6", True)):
        made.append(folder / f"{board}.json")
        write_tour(made[-1], tour_of(board, closed))
    return made


@pytest.mark.slow
def test_a_sheet_is_the_same_page_in_every_format(files: list[Path], tmp_path: Path) -> None:
    from PIL import Image

    out = {suffix: tmp_path / f"sheet{suffix}" for suffix in (".svg", ".png", ".pdf", ".tex", ".gif")}
    for suffix, path in out.items():
        more = ("--seconds", "1") if suffix == ".gif" else ()
        done = kt("draw", *files, "-o", path, "--title", "Three", "--caption", "tours", "--size", "150", *more)
        assert done.exit_code == 0, done.stderr
    root = ET.fromstring(out[".svg"].read_text())
    size = int(root.get("width", "0")), int(root.get("height", "0"))
    assert {"Three", "tours"} <= set(texts(out[".svg"].read_text()))
    assert Image.open(out[".png"]).size == size
    gif = Image.open(out[".gif"])
    assert gif.n_frames == 20 and gif.size[0] >= 300  # type: ignore[attr-defined]
    last = np.asarray(gif.convert("RGB"), dtype=np.int16)
    gif.seek(19)
    gained = (np.ptp(np.asarray(gif.convert("RGB"), dtype=np.int16), axis=2) > 60).astype(int)
    gained -= (np.ptp(last, axis=2) > 60).astype(int)
    middle = gif.size[0] // 2
    assert gained[: gif.size[1] // 2, :middle].sum() > 100 and gained[: gif.size[1] // 2, middle:].sum() > 100
    pixels = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", out[".pdf"].read_bytes())
    assert pixels and [round(float(side) * 96 / 72) for side in pixels.groups()] == list(size)
    tex = out[".tex"].read_text()
    assert tex.count("shift={(") >= 3 and tex.count(r"\begin{") == tex.count(r"\end{")
    assert tex.count("{") == tex.count("}") and "{Three}" in tex


def test_python_draws_what_the_command_draws(files: list[Path], tmp_path: Path) -> None:
    tours = [kt_door.read(path) for path in files]
    for suffix, subject, more in (
        (".svg", tours, {"theme": "auto", "title": "T"}),
        (".svg", files, {"theme": "auto", "title": "T"}),
        (".svg", [str(path) for path in files], {"theme": "dark"}),
        (".png", tours, {"size": 140}),
        (".gif", tours[:2], {"seconds": 1.0, "size": 140, "theme": "dark"}),
        (".gif", tours[0], {"seconds": 1.0}),
        (".html", tours[2], {"title": "Mine", "numbers": True}),
    ):
        mine, other = tmp_path / f"mine{suffix}", tmp_path / f"other{suffix}"
        words = [w for name, value in more.items() for w in (f"--{name}", *([] if value is True else [str(value)]))]
        several = subject if isinstance(subject, list) else [subject]
        paths = files[2:] if suffix == ".html" else files[: len(several)]
        done = kt("draw", *paths, "-o", other, *words)
        assert done.exit_code == 0, done.stderr
        assert kt_door.draw(subject, mine, **more) is None
        same = mine.read_bytes().replace(b'"6x6"', b'"6x6.json"') if suffix == ".html" else mine.read_bytes()
        if suffix == ".html":  # A file's name stands on the page of the command
            assert json_of(mine)["sides"][0]["steps"] == json_of(other)["sides"][0]["steps"]
            assert json_of(mine)["title"] == json_of(other)["title"] == "Mine"
        else:
            assert same == other.read_bytes()


def json_of(page: Path) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(), re.DOTALL)
    assert found
    return json.loads(found[1])


def test_results_walks_and_certificates_are_drawn_together() -> None:
    result = kt_door.solve("6x6", minimize="turns")
    sheet = kt_door.draw([result, result.certificate, kt_door.find("5x6"), "4x4"], size=160)
    assert sheet is not None and sheet.count("<svg") == 5 and "4x4, 16 cells" in sheet
    two = kt_door.draw([kt_door.find("5x6"), kt_door.find("6x5")])
    assert two is not None and two.count("<svg") == 3


@pytest.mark.slow
def test_a_gallery_from_python(files: list[Path], tmp_path: Path) -> None:
    result = kt_door.solve("6x6", minimize="turns")
    result.save(tmp_path / "r.json")
    subjects = [*files[:2], tmp_path / "r.json"]
    assert kt("draw", *subjects, "-o", f"{tmp_path / 'theirs'}/", "--title", "All").exit_code == 0
    assert kt_door.draw(subjects, f"{tmp_path / 'mine'}/", title="All") is None
    mine, theirs = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir() if path.suffix != ".json"}
        for name in ("mine", "theirs")
    )
    assert mine == theirs and len(mine) == 2 * len(subjects) + 1
    objects = [kt_door.read(files[0]), result, result.certificate, "3x3"]
    kt_door.draw(objects, tmp_path / "objects")  # A Path has no slash at its end
    index = (tmp_path / "objects" / "index.html").read_text()
    assert index.count("<tr") == 5 and "32 turns, the fewest possible" in index and "<h1>4 boards</h1>" in index
    assert {"8x6.html", "6x6.html", "6x6-2.html", "3x3.html"} <= {p.name for p in (tmp_path / "objects").iterdir()}
    kt_door.draw(objects[0], tmp_path / "objects")  # A gallery is written anew
    assert "<h1>1 board</h1>" in (tmp_path / "objects" / "index.html").read_text()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    for path, look, words in (
        (tmp_path / "full", {}, "other files"),
        (tmp_path / "new", {"numbers": True}, "no effect on a gallery"),
        (tmp_path / "new", {"seconds": 3}, "a gallery holds none"),
        ("new", {}, "has to end in"),
    ):
        with pytest.raises(KTError, match=words):
            kt_door.draw(objects, path, **look)
    kt_door.draw(objects, tmp_path / "full", force=True)


def test_files_of_results_are_drawn_as_the_command_draws_them(tmp_path: Path) -> None:
    none = kt_door.solve("4x5")
    none.save(tmp_path / "none.json")
    kt_door.draw(tmp_path / "none.json", tmp_path / "none.html")
    assert json_of(tmp_path / "none.html")["sides"][0]["claim"]["text"] == "There is no such tour"
    lines = [json.dumps(tour_to_json(tour_of(board))) for board in ("6x6", "8x6", "6x6")]
    (tmp_path / "all.jsonl").write_text("".join(f"{line}\n" for line in lines))
    sheet = kt_door.draw(tmp_path / "all.jsonl")
    assert sheet is not None and sheet.count("<svg") == 4
    kt_door.draw(tmp_path / "all.jsonl", tmp_path / "all.html")
    assert [side["name"] for side in json_of(tmp_path / "all.html")["sides"]] == ["all-1", "all-2", "all-3"]


def test_a_page_of_a_result_says_what_it_claims(tmp_path: Path) -> None:
    kt_door.draw(kt_door.solve("6x6", minimize="turns"), tmp_path / "r.html")
    assert json_of(tmp_path / "r.html")["sides"][0]["claim"]["text"] == "32 turns, the fewest possible"


def test_lists_that_cannot_be_drawn(files: list[Path], tmp_path: Path) -> None:
    tour = tour_of("8x6")
    for subjects, path, words in (
        ([], None, "nothing to draw"),
        ([tour] * 17, "a.html", "at most 16"),
        ([tour] * 17, "a.gif", "at most 16"),
        ([tour, "no such thing"], None, "list"),
    ):
        with pytest.raises(KTError, match=words):
            kt_door.draw(subjects, None if path is None else tmp_path / path)
    with pytest.raises(TooLarge, match="a sheet of"):
        draw_picture([(tour, None)] * 9, ".png", size=4000)
    assert not list(tmp_path.iterdir())
    numbers = tour.numbers.tolist()
    assert kt_door.draw(numbers) == kt_door.draw(tour)  # A list of rows is a tour, and no list of things
    one_line_refusal(kt("draw", *files, "-o", tmp_path / "a.png", "--theme", "auto"), "theme auto")


def test_every_theme_is_offered() -> None:
    assert all(isinstance(kt_door.draw("3x3", theme=theme), str) for theme in THEMES)
    assert isinstance(tour_of("8x6"), Tour)
