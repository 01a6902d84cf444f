"""Given numbers at the command line: puzzles, forms of a grid of clues, commands that serve them, and wrong input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import kt
from cli.main import main
from kt_models import InvalidTour, KTError, Tour
from kt_models.files.clues import clues_from
from kt_models.tour import tour_from_json
from tests.cli.test_effect import commands
from tests.command import kt as run
from tests.command import kt_json, one_line_refusal

HIDATO = """
 0 33 35  0  0  #  #  #
 0  0 24 22  0  #  #  #
 0  0  0 21  0  0  #  #
 0 26  0 13 40 11  #  #
27  0  0  0  9  0  1  #
 #  #  0  0 18  0  0  #
 #  #  #  #  0  7  0  0
 #  #  #  #  #  #  5  0
"""
NUMBRIX = """
0  0  0  0  0  0  0  0  0
0  0 46 45  0 55 74  0  0
0 38  0  0 43  0  0 78  0
0 35  0  0  0  0  0 71  0
0  0 33  0  0  0 59  0  0
0 17  0  0  0  0  0 67  0
0 18  0  0 11  0  0 64  0
0  0 24 21  0  1  2  0  0
0  0  0  0  0  0  0  0  0
"""
NUMBRIX_RINGS = """
 0  0  0  0  0  0  0  0  0
 0 11 12 15 18 21 62 61  0
 0  6  0  0  0  0  0 60  0
 0 33  0  0  0  0  0 57  0
 0 32  0  0  0  0  0 56  0
 0 37  0  1  0  0  0 73  0
 0 38  0  0  0  0  0 72  0
 0 43 44 47 48 51 76 77  0
 0  0  0  0  0  0  0  0  0
"""
HIDOKU = """
 0  0  0  0  0  0
 0  0  0  0  0  0
 0  0  9 12  0  0
 0  0  0  0  0  0
 0  0  0  0  0 36
 1  0  0  0  0  0
"""


@pytest.mark.parametrize(
    ("grid", "leaper"),
    [
        pytest.param(HIDATO, "king", id="hidato"),
        pytest.param(NUMBRIX, "wazir", id="1", marks=pytest.mark.slow),
        pytest.param(NUMBRIX_RINGS, "wazir", id="2", marks=pytest.mark.slow),
    ],
)
def test_published_puzzles_have_one_solution(grid: str, leaper: str, tmp_path: Path) -> None:
    """Which a proof shows, and a check of it repeats; the tour that is found has the given numbers."""
    (tmp_path / "puzzle.txt").write_text(grid)
    words = ["--clues", tmp_path / "puzzle.txt", "--leaper", leaper, "--open"]
    data = kt_json("solve", *words, "--proof", tmp_path / "proof")
    assert data["status"] == "feasible" and "no other" in data["how"]
    tour = tour_from_json(data)
    clues = clues_from(grid)
    numbers = dict(zip(map(tuple, clues.board.cells.tolist()), clues.numbers, strict=True))
    assert all(numbers[cell] in (0, place) for place, cell in enumerate(tour, start=1))
    claim = kt.check(tmp_path / "proof").shown[0]
    assert (claim.kind, claim.value) == ("count", 1)
    listed = run("enumerate", *words)
    assert [json.loads(line)["tour"] for line in listed.stdout.splitlines()] == [data["tour"]]
    assert "there is exactly 1 numbering" in listed.stderr
    assert kt_json("enumerate", *words, "--count")["count"] == 1


def test_a_puzzle_with_several_solutions_or_none(tmp_path: Path) -> None:
    words = ["--clues", HIDOKU, "--leaper", "king", "--open", "--number", "c3=3-5"]
    several = run("solve", *words, "--proof", tmp_path / "several")
    assert several.exit_code == 0 and "there is another solution" in several.stderr
    assert not (tmp_path / "several").exists()
    counted = run("enumerate", "5x6", "--number", "a1=1", "--count", "--proof", tmp_path / "x")
    assert counted.exit_code == 3 and "no proof was written: there are more than one" in counted.stderr
    none = run("solve", *words, "--number", "f6=2", "--proof", tmp_path / "none")
    assert none.exit_code == 0 and "infeasible" in none.stdout
    assert kt.check(tmp_path / "none").shown[0].kind == "infeasible"
    none = run("enumerate", *words, "--number", "f6=2", "--count", "--proof", tmp_path / "no")
    assert none.exit_code == 0 and kt.check(tmp_path / "no").shown[0].kind == "infeasible"


@pytest.mark.parametrize(
    ("board", "leaper", "closed", "counts"),
    [
        ("NxN", "wazir", False, [1, 8, 40, 552, 8648]),  # OEIS A096969
        ("NxN", "king", False, [1, 24, 784]),  # OEIS A158651
        ("NxN", "knight", False, [1, 0, 0, 0, 1728]),  # OEIS A165134
    ],
)
def test_published_counts_of_numberings(board: str, leaper: str, closed: bool, counts: list[int]) -> None:
    for side, count in enumerate(counts, start=1):
        text = board.replace("N", str(side))
        assert kt.count(text, leaper=leaper, open=not closed, numbers={}) == count


def test_numberings_from_a_corner() -> None:
    """Greek-key tours, OEIS A145157, and closed tours, each in two directions."""
    assert [kt.count(f"{n}x{n}", leaper="wazir", open=True, numbers={"a1": 1}) for n in range(1, 7)] == [
        *(1, 2, 8, 52, 824, 22144),
    ]
    assert kt.count("6x6", numbers={"a1": 1}) == 2 * 9862
    assert kt.count("6x6", numbers={}) == 72 * 9862
    assert kt.count("6x6", numbers={"a1": 1, "b3": 2}) == 9862 == kt.count("6x6", numbers={"a1": 17, "b3": 16})


FORMS: dict[str, Any] = {
    "spaces": " 1  .  3\n .  #  .\n .  .  .\n",
    "no spaces": "1.3\n.#.\n...\n",
    "zeros": "1 0 3\n0 # 0\n0 0 0",
    "underscores": "1 _ 3\n_ # _\n_ _ _\n",
    "wide underscores": "01 __ 03\n__ ## __\n__ __ __\n",
    "commas": "1,,3\n,#,\n,,\n",
    "commas and marks": "1, ., 3\n., #, .\n., ., .\n",
    "tabs": "1\t.\t3\n.\t#\t.\n.\t.\t.\n",
    "semicolons": "1;0;3\n0;#;0\n0;0;0\n",
    "line ends of Windows": "1 . 3\r\n. # .\r\n. . .\r\n",
    "ASCII borders": "+-+-+-+\n|1| |3|\n+-+-+-+\n| |#| |\n+-+-+-+\n| | | |\n+-+-+-+\n",
    "wide ASCII borders": "+---+---+---+\n| 1 |   | 3 |\n|   | # |   |\n|   |   |   |\n+---+---+---+\n",
    "underscored borders": " ___ ___ ___\n|_1_|___|_3_|\n|___|_#_|___|\n|___|___|___|\n",
    "box drawing": "┌─┬─┬─┐\n│1│ │3│\n├─┼─┼─┤\n│ │#│ │\n├─┼─┼─┤\n│ │ │ │\n└─┴─┴─┘\n",
    "Markdown": "| 1 | . | 3 |\n|---|---|---|\n| . | # | . |\n| . | . | . |\n",
    "blank lines between": "\n1 . 3\n\n. # .\n\n. . .\n\n",
    "nested list": [[1, 0, 3], [0, -1, 0], [0, 0, 0]],
    "nested list of texts": [["1", ".", "3"], ["", "#", "_"], [None, None, None]],
    "array": np.array([[1, 0, 3], [0, -1, 0], [0, 0, 0]]),
    "array with nan": np.array([[1, np.nan, 3], [np.nan, -1, np.nan], [np.nan, np.nan, np.nan]]),
}


@pytest.mark.parametrize("name", FORMS)
def test_every_form_of_a_grid_of_clues(name: str, tmp_path: Path) -> None:
    """Through every door: Python, text at the command line, a file, standard input."""
    wanted = kt.problem("3x3-b2", numbers={"a3": 1, "c3": 3})
    form = FORMS[name]
    assert kt.problem(clues=form) == wanted == kt.problem("3x3-b2", clues=form)
    if not isinstance(form, str):
        return
    (tmp_path / "clues.txt").write_text(form, newline="")
    assert kt.problem(clues=tmp_path / "clues.txt") == wanted == kt.problem(clues=str(tmp_path / "clues.txt"))
    answer = kt_json("enumerate", "--clues", form, "--count")
    assert answer["count"] == kt.count(wanted)
    for words in (["--clues", tmp_path / "clues.txt"], ["3x3-b2", "--clues", form]):
        assert kt_json("enumerate", *words, "--count")["count"] == answer["count"]
    done = CliRunner().invoke(main, ["solve", "--clues", "-", "--json"], input=form)
    assert kt_json("solve", "--clues", form)["numbers"] == json.loads(done.stdout)["numbers"]


WRONG = [
    ("6x6 --number a1", "write it as a1=1"),
    ("6x6 --number a1=", "write it as a1=1"),
    ("6x6 --number =1", "write it as a1=1"),
    ("6x6 --number a1=x", "write it as a1=1"),
    ("6x6 --number a1=-3", "write it as a1=1"),
    ("6x6 --number a1=1.5", "write it as a1=1"),
    ("6x6 --number a1=0", "from 1 to 36"),
    ("6x6 --number a1=37", "from 1 to 36"),
    ("6x6 --number a1=30-40", "from 1 to 36"),
    ("6x6 --number a1=9-3", "not a range"),
    ("6x6 --number a1=1-999999999", "not a range"),
    ("6x6 --number j9=1", "j9"),
    ("6x6 --number a1=1 --number a1=2", "twice"),
    ("6x6 --number a1=1 --number b2=1", "the number 1 is given to a1 and to b2"),
    ("6x6-a1 --number a1=1", "a1"),
    ("6x6 --open --from a1 --number a1=2", "may have no number"),
    ("6x6 --from b3 --number a1=1", "the number 1 is given to"),
    ("6x6 --to a1 --number b3=1", "--open"),
    ("6x6 --clues nowhere.txt", "nowhere.txt"),
    ("6x6 --clues empty.txt", "there is no cell"),
    ("--clues empty.txt", "there is no cell"),
    ("--clues blank.txt", "there is no cell"),
    ("--clues border.txt", "there is no cell"),
    ("--clues holes.txt", "there is no cell"),
    ("--clues ragged.txt", "row 2 has 2 entries, and row 1 has 3"),
    ("--clues letters.txt", "a grid of clues has a number"),
    ("--clues minus.txt", "a grid of clues has a number"),
    ("--clues twice.txt", "the number 1 is given to a1 and to a2"),
    ("--clues large.txt", "there are 9 cells"),
    ("6x6 --clues small.txt", "the grid is 3x3, and the board 6x6"),
    ("3x3-a1 --clues hole.txt", "the holes of the grid are not those of"),
    ("3x3 --clues hole.txt", "the holes of the grid are not those of"),
    ("3x3-a1 --clues small.txt", "the holes of the grid are not those of"),
    ("3x3 --clues small.txt --number a3=2", "may have no number"),
    ("3x3x3 --clues small.txt", "the grid is 3x3"),
    ("graph.edges --clues small.txt", "the grid is 3x3"),
    ("graph.edges --sums rows=3", "no rows and columns"),
    ("6x6 --sums rows", "write them as rows=260"),
    ("6x6 --sums rows=x", "write them as rows=260"),
    ("6x6 --sums rows=-1", "write them as rows=260"),
    ("6x6 --sums lines=3", "line"),
    ("6x6 --sums rows=111 --sums rows=110", "twice"),
    ("6x6 --sums rows=1,2", "has 6 rows, and 2 sums are given"),
    ("6x7 --sums diagonals=100", "no main diagonals"),
    ("3x3x3 --sums rows=3", "no rows and columns"),
    ("torus:3x2 --number a1=1", "join the same two cells"),
    ("directed.edges --sums rows=3", "directed"),
    ("60x60 --number a1=1", "limit of 2,500"),
    ("", "BOARD is missing"),
]


@pytest.mark.parametrize(("words", "says"), WRONG, ids=[words for words, _ in WRONG])
@pytest.mark.parametrize("command", ["solve", "find", "enumerate --count"])
def test_senseless_numbers_are_refused(
    command: str, words: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "empty": "",
        "blank": "\n  \n\n",
        "border": "+---+---+\n",
        "holes": "# #\n# #\n",
        "ragged": "1 . 3\n. .\n. . .\n",
        "letters": "1 x 3\n. . .\n. . .\n",
        "minus": "1 -2 3\n. . .\n. . .\n",
        "twice": "3 . .\n1 . .\n1 . .\n",
        "large": "10 . .\n. . .\n. . .\n",
        "small": "1 . .\n. . .\n. . .\n",
        "hole": "1 . .\n. # .\n. . .\n",
    }.items():
        Path(f"{name}.txt").write_text(text)
    Path("graph.edges").write_text("1 2\n2 3\n1 3\n")
    kt.graph(edges=[(1, 2), (2, 3), (3, 1)], directed=True)
    Path("directed.hcp").write_text(
        "TYPE: HCP_DIRECTED\nDIMENSION: 3\nEDGE_DATA_FORMAT: EDGE_LIST\nEDGE_DATA_SECTION\n1 2\n2 3\n3 1\n-1\n"
    )
    words = words.replace("directed.edges", "directed.hcp")
    if command.startswith("enumerate") and words.startswith("torus"):
        return  # Its tours are counted as orders of cells.
    one_line_refusal(run(*command.split(), *words.split()), says)


@pytest.mark.parametrize(
    "arguments",
    [
        {"numbers": {"a1": 0}},
        {"numbers": {"a1": True}},
        {"numbers": {"a1": 1.5}},
        {"numbers": {"a1": "1"}},
        {"numbers": {"a1": []}},
        {"numbers": {"a1": None}},
        {"numbers": {"a1": range(10**9)}},
        {"numbers": {"z9": 1}},
        {"numbers": [("a1", 1)]},
        {"numbers": {"a1": 1, (0, 0): 2}},
        {"clues": 7},
        {"clues": []},
        {"clues": [1, 2]},
        {"clues": [[1.5, 0], [0, 0]]},
        {"clues": [[-2, 0], [0, 0]]},
        {"clues": [[True, 0], [0, 0]]},
        {"clues": np.zeros((2, 2, 2))},
        {"sums": {"rows": "260"}},
        {"sums": {"rows": -1}},
        {"sums": {"rows": [1.5] * 6}},
        {"sums": ["rows"]},
        {"sums": {1: 2}},
    ],
    ids=repr,
)
def test_wrong_values_in_python(arguments: dict[str, Any]) -> None:
    for ask in (kt.problem, kt.solve, kt.count):
        with pytest.raises(KTError) as error:
            ask("6x6", **arguments)
        assert "\n" not in str(error.value) and len(str(error.value)) < 500


def test_a_solution_is_checked_against_the_puzzle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("puzzle.txt").write_text(HIDATO)
    run("solve", "--clues", "puzzle.txt", "--leaper", "king", "--open", "-o", "solution.txt")
    Path("bare.txt").write_text("\n".join(Path("solution.txt").read_text().splitlines()[1:]))
    for words in ("solution.txt", "bare.txt --leaper king"):
        checked = run("check", *words.split(), "--clues", "puzzle.txt")
        assert checked.exit_code == 0 and "with given numbers" in checked.stdout, checked.output
    assert kt.check("bare.txt", leaper="king", clues=HIDATO).shown[0].problem.numbers is not None
    wrong = run("check", "solution.txt", "--clues", HIDATO.replace("33 35", "33 36"))
    assert wrong.exit_code == 1 and "has the number 35, not 36" in wrong.stdout
    with pytest.raises(InvalidTour, match="a4 has the number 27, not 3"):
        kt.check("solution.txt", numbers={"a4": 3})
    square = "\n".join(" ".join(row) for row in (["2", "7", "6"], ["9", "5", "1"], ["4", "3", "8"]))
    assert run("check", square, "--board", "3x3", "--leaper", "0,1+1,1+0,2+1,2", "--sums", "rows=14").exit_code == 1
    Path("folder").mkdir()
    assert "for tours" in run("check", "folder", "--number", "a1=1").stderr


SERVING = {"solve", "find", "enumerate", "magic", "check"}


def test_every_command_serves_given_numbers_or_refuses_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    kt.find("5x6").save("tour.json")
    begun = {
        "improve": "tour.json --minimize turns",
        "convert": "5x6 out.cnf",
        "bound": "5x6",
        "best": "5x6",
        "pareto": "5x6",
    }
    takers = {name for name, command in commands() if any(p.name == "number" for p in command.params)}
    assert takers == SERVING | set(begun)
    for name, words in begun.items():
        for options in (["--number", "a1=1"], ["--sums", "rows=1"]):
            one_line_refusal(run(name, *words.split(), *options), "given numbers: ", "kt solve, kt find, kt enumerate")
    one_line_refusal(run("convert", "5x6", "out.opb", "--number", "a1=1"), "given numbers: a model file")
    one_line_refusal(run("bound", "5x6", "--at-least", "3", "--run", "r", "--number", "a1=1"), "given numbers: a bound")
    numbered = ["--number", "a1=1"]
    for words, says in {
        "5x6 --count --up-to-symmetry": "classes",
        "5x6 --count --by turns": "by value",
        "5x6 --count --forecast": "numberings",
        "5x6 --count --run r": "a run",
        "5x6 --run r": "a run",
        "5x6 --count --engine search": "engine search",
        "5x6 --engine sat": "engine sat",
    }.items():
        one_line_refusal(run("enumerate", *words.split(), *numbered), says)
    assert not Path("r").exists()
    for words, says in {
        "--engine cpsat --encoding circuit": "encoding circuit",
        "--engine sat --minimize turns": "use the engine cpsat",
        "--engine sat --sums rows=93": "use the engine cpsat",
        "--solver nonsense": "nonsense",
    }.items():
        one_line_refusal(run("solve", "5x6", *words.split(), *numbered), says)
    one_line_refusal(run("find", "5x6", "--method", "merge", "--number", "a1=5", "--number", "b3=17"), "method merge")


def test_functions_of_python_refuse_what_they_do_not_serve() -> None:
    problem = kt.problem("5x6", minimize="turns", numbers={"a1": 1})
    tour = kt.find("5x6").tour
    for ask in (kt.bound, kt.best, lambda p: kt.improve(tour, p), lambda p: kt.count(p, up_to_symmetry=True)):
        with pytest.raises(KTError, match="given numbers"):
            ask(problem)


def test_answers_are_written_and_read_back(tmp_path: Path) -> None:
    """In every format a tour that is read back has the given numbers; JSON has the problem too."""
    words = ["solve", "5x6", "--number", "a1=1", "--number", "e6=14,18"]
    for name in ("r.json", "r.txt", "r.csv", "r.moves", "r.tour"):
        run(*words, "-o", tmp_path / name)
        tour = kt.read(tmp_path / name, "5x6")
        assert tour[0] == (0, 0) and (4, 5) in (tour[13], tour[17]), name
    data = json.loads((tmp_path / "r.json").read_text())
    assert data["numbers"] == [[0, [1]], [29, [14, 18]]]
    verdict = kt.check(tmp_path / "r.json")
    assert "with given numbers a1: 1, e6: 14 or 18" in verdict.text
    wrong = data | {"numbers": [[0, [1]], [29, [4]]]}
    (tmp_path / "wrong.json").write_text(json.dumps(wrong))
    checked = run("check", tmp_path / "wrong.json")
    assert checked.exit_code == 1 and "given numbers" in checked.stdout
    listed = run("enumerate", "5x6", "--number", "a1=1", "-o", tmp_path / "all.jsonl")
    tours = [tour_from_json(json.loads(line)) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    assert len(tours) == 16 == kt.count("5x6", numbers={"a1": 1}) and all(t[0] == (0, 0) for t in tours)
    assert listed.exit_code == 0 and "16 different numberings" in run("check", tmp_path / "all.jsonl").stdout
    twice = (tmp_path / "all.jsonl").read_text().splitlines()[:1] * 2
    (tmp_path / "twice.jsonl").write_text("\n".join(twice))
    assert "the same numbering occurs twice" in run("check", tmp_path / "twice.jsonl").stdout


def test_a_list_of_numberings_may_have_a_tour_in_both_directions() -> None:
    tours = list(kt.tours("5x6", numbers={"a1": 1}))
    assert len(set(tours)) == 8 and len({tuple(tour.order.tolist()) for tour in tours}) == 16
    assert all(isinstance(tour, Tour) for tour in tours)
