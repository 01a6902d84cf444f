"""The documentation site builds without a warning, and its pages do what they say."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import types
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from kt.heuristics import searches
from kt.kt_models import shapes

import encoders
import kt_models
from cli.main import COMMANDS, UNANSWERED, main
from tests.axe import LOOKS, violations

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def blocks(page: str, language: str) -> list[str]:
    """The code blocks in one language of `PAGE` or `PAGE#HEADING`, those in lists without their indentation."""
    name, _, heading = page.partition("#")
    text = (DOCS / name).read_text()
    if heading:
        text = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", text, flags=re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{indent}", "", text, flags=re.MULTILINE) for indent, text in found]


def console(page: str) -> list[str]:
    return re.findall(r"^\$ (.*)$", "".join(blocks(page, "console")), flags=re.MULTILINE)


# -- the site ----------------------------------------------------------------------------------------------------------


def build(target: Path, every_board: bool) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", "docs/site/mkdocs.yml", "-d", str(target)]
    settings = {"KT_SITE_BOARDS": "all" if every_board else "", "NO_MKDOCS_2_WARNING": "1"}
    result = subprocess.run(command, cwd=ROOT, env={**os.environ, **settings}, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[-3000:]
    assert "WARNING -" not in result.stderr, result.stderr[-3000:]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site")
    build(target, every_board=False)
    return target


def test_every_page_is_on_the_site_and_in_its_navigation(site: Path) -> None:
    start = (site / "index.html").read_text()
    pages = list(DOCS.rglob("*.md")) + list((DOCS / "use" / "tutorials").glob("*.ipynb"))
    for page in pages:
        built = page.relative_to(DOCS).with_suffix(".html").as_posix()
        assert (site / built).exists(), page
        assert f'href="{built}"' in start, page


THEMES_OWN = ("landmark-unique",)
"""Rules that the theme's own parts break: each button that copies a block is a landmark without a name."""


@pytest.mark.usefixtures("emulation")
@pytest.mark.parametrize(("scheme", "size"), [pytest.param(*LOOKS[0], marks=pytest.mark.slow), LOOKS[-1]])
def test_the_pages_break_no_rule_of_accessibility(browser: Any, site: Path, scheme: str, size: tuple[int, int]) -> None:
    for name in ("index", "use/pages", "use/reference/models", "data/gallery", "theory/kernel", "boards/index"):
        page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
        page.goto((site / f"{name}.html").as_uri())
        assert violations(page, off=THEMES_OWN) == [], name
        page.close()


def test_tutorials_fit_a_narrow_screen(browser: Any, site: Path) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    tutorials = sorted((site / "use" / "tutorials").glob("*.html"))
    assert tutorials
    for path in tutorials:
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path.name


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text()
        fetched = re.findall(r"<(?:script|img|iframe|link)[^>]*(?:src|href)=\"?(?:https?:)?//[^\s>]*", text)
        assert not fetched, (page, fetched)


@pytest.mark.checkout
def test_the_reference_has_everything_that_is_exported(site: Path) -> None:
    text = "".join(page.read_text() for page in (site / "use" / "reference").glob("*.html"))
    for room in (kt_models, encoders):
        for name in room.__all__:
            thing = getattr(room, name)
            where = f"{thing.__module__}.{name}" if hasattr(thing, "__qualname__") else f".{name}"
            assert re.search(rf'id="[\w.]*{re.escape(where)}"', text), name


def test_the_help_of_every_command_is_on_a_page(site: Path) -> None:
    text = (site / "use" / "reference" / "command-line.html").read_text()
    for name in COMMANDS:
        assert f"Usage: kt {name}" in text


def test_notebooks_show_what_they_find(site: Path) -> None:
    for page in (site / "use" / "tutorials").glob("*.html"):
        assert "data:image/svg+xml;base64," in page.read_text()


@pytest.mark.slow
def test_the_site_has_a_page_for_every_result_and_record(tmp_path: Path) -> None:
    build(tmp_path, every_board=True)
    pages = list((tmp_path / "boards").rglob("*.html"))
    assert len(pages) > 100


# -- what the pages say ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_tasks_of_the_how_to_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No time limit of the page decides what comes out: a busy machine may answer later than a reader's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("heuristics.find.IMPROVING_SECONDS", 0.5)
    commands = [shlex.split(line, comments=True) for line in console("use/how-to.md")]
    assert len(commands) > 20
    for program, *arguments in commands:
        if limited := "--time-limit" in arguments:
            at = arguments.index("--time-limit")
            if arguments[0] == "find":  # Without a limit it looks for a tour until it has one
                del arguments[at : at + 2]
            elif arguments[0] == "improve":  # It goes on for as long as it may
                arguments[at + 1] = "0.3"
        result = CliRunner().invoke(main, arguments)
        some = ("improve", "check")  # A tour is rarely known to be best; that a list leaves nothing out is only stated
        expected = (0, UNANSWERED) if arguments[0] in some or limited else (0,)
        assert program == "kt" and result.exit_code in expected, (arguments, result.output)
    for example in blocks("use/how-to.md", "python"):
        exec(example, {})


def test_the_gallery_has_the_pictures_that_its_commands_draw() -> None:
    page = (DOCS / "data" / "gallery.md").read_text()
    drawn = {word for line in console("data/gallery.md") for word in shlex.split(line) if word.startswith("images/")}
    pictures = set(re.findall(r'src="\.\./([^"]+)"', page))
    assert len(drawn) >= 10 and drawn <= pictures
    assert {path.name for path in (DOCS / "images" / "gallery").iterdir()} == {Path(name).name for name in drawn}
    for name in pictures:
        assert (DOCS / name).read_text().lstrip().startswith(("<?xml", "<svg"))


def test_the_drawings_of_the_one_picture_are_made_by_its_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "images" / "picture").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    space: dict[str, Any] = {}
    for example in blocks("theory/one-picture.md", "python"):
        exec(example, space)
    pictures = re.findall(r'src="\.\./([^"]+)"', (DOCS / "theory" / "one-picture.md").read_text())
    made = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.svg")]
    assert sorted(made) == sorted(pictures) and all((DOCS / name).exists() for name in pictures)
    assert len(space["apart"].walks) > 1
    assert space["tour"].measure("turns") == 32


@pytest.mark.slow
def test_the_commands_of_the_gallery_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "images" / "gallery").mkdir(parents=True)
    (tmp_path / "results").symlink_to(ROOT / "heuristics" / "delivered" / "results")
    monkeypatch.chdir(tmp_path)
    for line in console("data/gallery.md"):
        result = CliRunner().invoke(main, shlex.split(line)[1:])
        assert result.exit_code == 0, (line, result.output)
    assert len(list((tmp_path / "images" / "gallery").iterdir())) == len(console("data/gallery.md"))


# -- how to add things -------------------------------------------------------------------------------------------------


def template(package: types.ModuleType) -> Path:
    """The template of a package, which lies in it, in a checkout and in a wheel."""
    return Path(package.__path__[0]) / "_template.py"


def module_of(name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """A module made of the text of a page."""
    module = types.ModuleType(name)
    monkeypatch.setitem(sys.modules, name, module)
    exec(text, module.__dict__)
    return module


def test_the_example_of_a_board_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The template, dropped in as one more file, is parsed, listed in help, completed, and solved."""
    shutil.copy(template(shapes), tmp_path / "octagon.py")
    code = (
        f"from kt.kt_models import shapes; shapes.__path__.append({str(tmp_path)!r})\n"
        "from kt.kt_models import Board, KTError; from tests.command import kt\n"
        "board = Board.parse('octagon:9')\n"
        "cells = sum(abs(2 * x - 8) + abs(2 * y - 8) < 14 for x in range(9) for y in range(9))\n"
        "assert (board.text, board.n) == ('octagon:9', cells)\n"
        "for bad in ('octagon:0', 'octagon:1000000', 'octagonal 9'):\n"
        "    try: Board.parse(bad)\n"
        "    except KTError as error: assert 'octagon:' in str(error)\n"
        "    else: raise AssertionError(bad)\n"
        "assert 'octagon:9' in kt('find', '--help').stdout\n"
        "from kt.cli.completion import _boards; assert 'octagon:9' in _boards({})\n"
        "assert kt('find', 'octagon:9', '--open').exit_code == 0"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert ended.returncode == 0, ended.stderr
    monkeypatch.chdir(tmp_path)
    draw, find_it = console("use/extending.md#A board")
    subprocess.run(["sh", "-c", draw], check=True)
    result = CliRunner().invoke(main, shlex.split(find_it)[1:])
    assert result.exit_code == 0, result.output


def test_the_example_of_a_heuristic_works(tmp_path: Path) -> None:
    """The template, dropped in as one more file, is named, listed, and finds tours."""
    shutil.copy(template(searches), tmp_path / "restarts.py")
    code = (  # All commands in one new process
        f"from kt.heuristics import searches; searches.__path__.append({str(tmp_path)!r})\n"
        "import json, sys; from tests.command import kt\n"
        "answers = [kt('find', *line.split()) for line in sys.argv[1:]]\n"
        "print(json.dumps([[answer.exit_code, answer.stdout] for answer in answers]))"
    )
    boards = ["6x6", "8x8 --open --from a1", "torus:6x6 --require a1-b3"]
    lines = [f"{board} --method restarts --seed 1 --json" for board in [*boards, *boards]]
    lines += ["--methods", "3x6 --method restarts --set walks=20 --json"]
    ended = subprocess.run([sys.executable, "-c", code, *lines], capture_output=True, text=True, cwd=ROOT)
    assert ended.returncode == 0, ended.stderr
    answers = json.loads(ended.stdout)
    assert all(status in (0, 3) for status, _ in answers), answers
    *found, listed, none = (text for _, text in answers)
    assert "Warnsdorff's rule with random ties" in listed and "--set walks=100000" in listed
    for first, again in zip(map(json.loads, found[:3]), map(json.loads, found[3:]), strict=True):
        assert first["status"] == "feasible" and first["tour"] == again["tour"]
    none = json.loads(none)
    assert none["status"] == "unknown" and none["statistics"] == {"walks": 20}


def test_members_that_a_page_of_the_reference_names_are_in_its_module() -> None:
    """The builder of the site leaves others out without a word."""
    pattern = re.compile(r"^::: (\S+)\n    options:\n      members: \[(.*)\]", re.MULTILINE)
    pages = (page.read_text() for page in (DOCS / "use" / "reference").glob("*.md"))
    named = [
        (import_module(module), member.strip())
        for text in pages
        for module, members in pattern.findall(text)
        for member in members.split(",")
    ]
    assert len(named) > 20
    assert not [member for module, member in named if getattr(module, member).__module__ != module.__name__]
