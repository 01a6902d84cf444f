"""The page on the five papers: every row has a command, and what it prints is what the row says."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from benchmarks.searches import backtrack_shares
from cli.main import main
from heuristics.find import find
from kt_models import Problem, graph_of
from tests.effort import slow

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "papers.md").read_text()
HEAD = "| claim | where | command | outcome |"
QUICK = (
    "kt aztec 12 --lemmas",
    "kt aztec 22 --lemmas",
    "kt aztec 30 --lemmas",
    "kt find aztec:5 --method random-walk --json",
    "kt find aztec:5 --method path-conversion --set preset=paper --json",
    "kt find 62x62 --heel plain --cell-at 90",
    "kt find 1000000000x1000000000 --cell-at 123456789",
    "kt find 16x12 --method formation",
    "kt find 23x23-a1 --method formation",
    "kt find 52x22 --leaper 1,4 --method formation",
    "kt solve 4x6",
    "kt experiment closing",
    "kt find 20x20 --method edge-deletion --set order=uniform --workers 1 --json",
    "kt find 48x48 --method edge-deletion --set order=random --workers 1 --json",
)


@dataclass(frozen=True)
class Row:
    """A row of a table about a paper."""

    paper: str
    subject: str
    where: str
    command: str
    outcome: str

    @property
    def figures(self) -> set[str]:
        """The figures that the command prints, by what the row says: those in bold."""
        return {figure.replace(",", "") for figure in re.findall(r"\*\*(\d[^*]*)\*\*", self.outcome)}


def rows() -> list[Row]:
    """The rows of the tables about papers, without those of figures that follow them."""
    made = []
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        paper, _, text = section.partition("\n")
        table = text.partition(HEAD)[2].partition("\n\n")[0]
        for line in table.splitlines()[2:]:
            subject, where, command, outcome = (cell.strip() for cell in line.strip("|").split(" | "))
            made.append(Row(paper.partition(":")[0], subject, where, command.strip("`"), outcome))
    return made


ROWS = rows()


def table_below(title: str) -> list[list[str]]:
    """The cells of the table of figures under a heading."""
    text = PAGE.partition(f"\n### {title}\n")[2]
    lines = re.search(r"(?:^\|.*\n)+", text, flags=re.MULTILINE)
    assert lines is not None
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[0].splitlines()[2:]]


def printed(command: str) -> set[str]:
    """The figures that a command prints; of a result in JSON, its statistics."""
    result = CliRunner().invoke(main, shlex.split(command)[1:], env={"COLUMNS": "200"})
    assert result.exit_code in (0, 3), (command, result.output)
    if "--json" in command and (statistics := json.loads(result.stdout).get("statistics")):
        return {str(value) for value in statistics.values()}
    return {figure.rstrip(".").replace(",", "") for figure in re.findall(r"\d[\d,.]*%?", result.stdout)}


def test_every_row_links_to_its_module() -> None:
    for row in rows():
        link = re.fullmatch(r"\[[^]]+\]\(\.\./([\w/]+\.py)\)", row.where)
        assert link and (ROOT / link[1]).is_file(), row


def test_every_row_says_where_how_and_what() -> None:
    assert PAGE.count(HEAD) == len({row.paper for row in ROWS}) == 5 and len(ROWS) > 80
    for row in ROWS:
        assert row.subject and row.where and row.outcome and row.outcome[-1] != ".", row
        assert row.command.split()[0] in ("kt", "python", "pytest"), row
        assert not row.figures or row.command.startswith("kt "), row  # Others are not run here
    assert {row.command for row in ROWS} >= set(QUICK)
    # Every bold figure of the page is in a row, and so compared
    bold = {figure.replace(",", "") for figure in re.findall(r"\*\*(\d[^*]*)\*\*", PAGE)}
    assert bold == {figure for row in ROWS for figure in row.figures}


def compare(command: str) -> None:
    """The figures of all rows with a command are among those that it prints."""
    wanted = {figure for row in ROWS if row.command == command for figure in row.figures}
    assert wanted, command
    assert wanted <= (figures := printed(command)), (command, wanted - figures)


@pytest.mark.parametrize(
    "command", [*(c for c in QUICK if c != "kt experiment closing"), *slow(["kt experiment closing"])]
)
def test_quick_commands_print_what_their_rows_say(command: str) -> None:
    compare(command)


@pytest.mark.slow
@pytest.mark.parametrize("command", sorted({row.command for row in ROWS if row.figures} - set(QUICK)))
def test_commands_print_what_their_rows_say(command: str) -> None:
    compare(command)


def test_the_visits_of_the_random_walk() -> None:
    table = table_below("The random walk, radius by radius")
    assert [int(radius) for radius, *_ in table] == list(range(2, 23))
    for radius, starts, visits in table:
        if int(visits.replace(",", "")) < 500_000:
            result = find(Problem(graph_of(f"aztec:{radius}")), "random-walk", steps=200_000)
            assert result.tour is not None
            assert result.statistics == {"starts": int(starts), "steps": int(visits.replace(",", ""))}


@pytest.mark.slow
def test_the_shares_of_orders_without_a_backtrack() -> None:
    table = {tuple(row[:3]): row[3:] for row in table_below("Backtracks")}
    for (kind, rules), shares in backtrack_shares("8x8", orders=1000).items():
        assert table["8×8", kind, rules] == [f"{100 * share:.1f}%" for share in shares]


# -- the pictures of the papers ----------------------------------------------------------------------------------------

LONG_PICTURES = ("levels.svg", "crowns.svg", "search.svg", "heel-turns.svg", "junction.svg", "48x48.svg")


def pictures() -> list[tuple[str, list[str]]]:
    """The figures of the papers, each with its commands."""
    table = PAGE.partition("\n## The pictures of the papers\n")[2]
    lines = [line for line in table.splitlines() if line.startswith("| ")][2:]
    return [(line.split(" | ")[0].strip("| "), re.findall(r"`(kt [^`]+)`", line)) for line in lines]


def drawn_by(command: str) -> str:
    return shlex.split(command)[shlex.split(command).index("-o") + 1]


def test_every_figure_of_the_papers_has_a_picture() -> None:
    """Figures by paper: 1 to 8; 1 to 28 and A.29; the two without numbers; 1 to 4."""
    named: dict[str, set[str]] = {}
    paper = ""
    for subject, commands in pictures():
        assert commands and drawn_by(commands[-1]).endswith(".svg"), subject
        for part in subject.partition(":")[0].split(";"):
            words = re.fullmatch(r"\s*(Davies et al\.|Besa et al\.|Miller|Note on Euler|Okuno, Miyano)?\s*(.*)", part)
            assert words is not None
            where = words[1] or paper
            paper = where if ";" not in subject.partition(":")[0] else "Davies et al."
            for item in re.split(r", ?", words[2]) if words[2] else []:
                first, _, last = item.partition(" to ")
                named.setdefault(where, set()).update(map(str, range(int(first), int(last) + 1)) if last else {first})
    assert named["Davies et al."] == set(map(str, range(1, 9)))
    assert named["Besa et al."] == {*map(str, range(1, 29)), "A.29"}
    assert named["Okuno, Miyano"] == set(map(str, range(1, 5)))


@pytest.mark.parametrize(
    "commands",
    [
        pytest.param(commands, id=drawn_by(commands[-1]), marks=[pytest.mark.slow] if is_long else [])
        for _, commands in pictures()
        for is_long in [any(drawn_by(command) in LONG_PICTURES for command in commands)]
    ],
)
def test_the_command_of_a_figure_draws_it(commands: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for command in commands:
        result = CliRunner().invoke(main, shlex.split(command)[1:])
        assert result.exit_code == 0, (command, result.output)
        if drawn_by(command).endswith(".svg"):
            shapes = [e.tag.rpartition("}")[2] for e in ElementTree.parse(drawn_by(command)).iter()]
            assert sum(shapes.count(kind) for kind in ("path", "circle", "text", "rect", "line", "use")) > 10, command
