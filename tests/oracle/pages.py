"""Pages and pictures drawn from files whose texts are an attack: nothing of them may become markup or script."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any

from click.testing import CliRunner

from cli.main import main
from kt_models.limits import Limits

ATTACKS = (
    "</script><script>alert(1)</script>",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    "<!--<script>",
    "]]><script>alert(1)</script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "</title><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "@DATA@ @SCRIPT@ @",
    "${alert(1)} {{alert(1)}} `alert(1)`",
    "javascript:alert(1)",
    "\u2028\u2029\x00\x1b[2J\u202e<b>",
    "\ud800",
    "a\nb\r\n<p>",
    "<a href=javascript:alert(1)>x</a>",
    "%s %d {0} {x}",
)
"""Texts for whatever a file may say."""
FIELDS = (
    "board",
    "engine",
    "reason",
    "how",
    "status",
    "solver",
    "objective",
    "leaper",
    "connectivity",
    "name",
    "title",
)


class Tags(HTMLParser):
    """The tags of a page, with their attributes, and the contents of its scripts."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.scripts: list[str] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(attrs)))
        self.inside = tag in ("script", "style")
        if self.inside:
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.scripts[-1] += data


def tags_of(text: str) -> Tags:
    """Read a page as a browser's parser would, roughly."""
    parser = Tags()
    parser.feed(text)
    parser.close()
    return parser


def draw(folder: Path, names: list[str], output: str) -> str | None:
    """What `kt draw` makes of files; None if it refuses.

    Raises
    ------
    AssertionError
        Where it ends in another way.
    """
    target = folder / output
    target.unlink(missing_ok=True)
    result = CliRunner().invoke(main, ["draw", *(str(folder / name) for name in names), "-o", str(target)])
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
    assert "Traceback" not in result.output and "internal error" not in result.output, result.output
    assert result.exit_code in (0, 1, 2, 3), result.exit_code
    return target.read_text(encoding="utf-8") if result.exit_code == 0 else None


def hostile(rng: Random, data: Any) -> Any:
    """A file with attacks for some of its texts."""
    data = json.loads(json.dumps(data))
    for _ in range(rng.randint(1, 4)):
        holder = data
        for key in ("certificate", "problem"):
            if isinstance(holder.get(key), dict) and rng.random() < 0.4:
                holder = holder[key]
        field = rng.choice(FIELDS)
        attack = rng.choice(ATTACKS)
        if field == "board" and rng.random() < 0.5:
            attack = f"{holder.get('board', '')}{attack}"
        holder[field] = attack
    if isinstance(data.get("certificate"), dict):
        from tests.oracle.files import resealed

        data = resealed(data)
    return data


def fault_of_page(plain: str, page: str) -> str | None:
    """What is wrong with a page drawn from a hostile file; `plain` was drawn from an honest one."""
    honest, changed = tags_of(plain), tags_of(page)
    if [tag for tag, _ in changed.tags] != [tag for tag, _ in honest.tags]:
        return "it has other elements than the page of an honest file"
    for (tag, attributes), (_, expected) in zip(changed.tags, honest.tags, strict=True):
        if attributes != expected and tag != "meta":
            return f"<{tag}> has other attributes: {attributes}"
        if any(name.startswith("on") for name, _ in attributes):
            return f"<{tag}> has a handler"
    code = [text for text, other in zip(changed.scripts, honest.scripts, strict=True) if text != other]
    if len(code) > 1:
        return "two scripts differ"
    for text in code:
        try:
            json.loads(text)
        except ValueError:
            return "a script that is not the data differs"
        if "<" in text:
            return "the data has a '<'"
    policies = [[value for name, value in attrs if name == "content"] for tag, attrs in changed.tags if tag == "meta"]
    if policies != [
        [value for name, value in attrs if name == "content"] for tag, attrs in honest.tags if tag == "meta"
    ]:
        return "the content security policy differs"
    return None


METADATA = {"metadata", "RDF", "Work", "type", "date", "format", "creator", "Agent", "title"}
"""What the library that draws pictures says of itself."""
SVG = METADATA | {"svg", "g", "path", "rect", "circle", "line", "text", "style", "defs", "use", "clipPath", "tspan"}


def fault_of_picture(text: str) -> str | None:
    """What is wrong with an SVG."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        return f"it is no XML: {error}"
    for element in root.iter():
        tag = str(element.tag).rpartition("}")[2]
        if tag not in SVG:
            return f"it has an element <{tag}>"
        for name, value in element.attrib.items():
            plain = name.rpartition("}")[2]
            if plain.startswith("on") or (plain == "href" and not value.startswith("#")) or "javascript:" in value:
                return f"<{tag}> has {plain}={value[:40]!r}"
    return None


def attack_pages(folder: Path, documents: list[Any], rounds: int, seed: int = 1) -> dict[str, int]:
    """Draw hostile variants of honest documents.

    Raises
    ------
    AssertionError
        With the first fault.
    """
    rng, counts = Random(seed), {"tried": 0, "drawn": 0}
    honest = []
    for number, document in enumerate(documents):
        (folder / f"{number}.json").write_text(json.dumps(document))
        page = draw(folder, [f"{number}.json"], "plain.html")
        assert page is not None, document
        honest.append(page)
    for _ in range(rounds):
        number = rng.randrange(len(documents))
        name = rng.choice(("hostile.json", "<script>alert(1)<.json", "'\"><b>.json"))
        try:
            (folder / name).write_text(json.dumps(hostile(rng, documents[number])))
        except (OSError, ValueError):
            continue
        counts["tried"] += 1
        if rng.random() < 0.3:
            picture = draw(folder, [name], "picture.svg")
            if picture is not None:
                counts["drawn"] += 1
                fault = fault_of_picture(picture)
                assert fault is None, (fault, (folder / name).read_text())
        else:
            page = draw(folder, [name], "page.html")
            if page is not None:
                counts["drawn"] += 1
                fault = fault_of_page(honest[number], page)
                assert fault is None, (fault, (folder / name).read_text())
    return counts


def main_() -> None:
    """A long run: `python -m tests.oracle.pages 3000`."""
    import sys
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        print(attack_pages(Path(name), documents(), int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))


def documents() -> list[Any]:
    """Honest files: a tour, a result with a certificate, a certificate, tours of a board that is told by its cells."""
    from encoders import solve
    from encoders.bounds import certify_lower_bound
    from kt_models import Board, MoveGraph, Problem, graph_of
    from kt_models.tour import tour_to_json

    result = solve(Problem(graph_of("5x6"), "cycle"), limits=Limits(workers=1))
    holes = MoveGraph.of(
        Board.from_json({"board": "mine", "cells": [*graph_of("5x6").board.cells.tolist(), [5, 6]], "shape": [6, 7]})
    )
    none = Problem(holes, "cycle")
    bound = certify_lower_bound(Problem(graph_of("5x6"), "cycle", "turns"))
    plain = {
        **Problem(graph_of("5x6"), "cycle").to_json(),
        "cells": graph_of("5x6").board.cells.tolist(),
        "board": "mine",
    }
    return [
        tour_to_json(result.tour),
        {**tour_to_json(result.tour), **plain},
        result.to_json(),
        bound.to_json(),
        solve(none).to_json(),
    ]


if __name__ == "__main__":
    main_()
