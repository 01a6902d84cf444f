"""The command line as its users meet it: answers, exit statuses, and one line for every bad input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import NoReturn

import pytest

from kt_models import Tour, graph_of, read_tour, verify, write_tour
from kt_models.errors import KTError
from kt_models.json_version import FORMAT_VERSION
from kt_models.limits import in_seconds
from tests import brute
from tests.command import kt, kt_json, one_line_refusal
from tests.kt_models.test_tour import BAD_JSON, a_tour
from tests.processes import KT, PATIENCE, at_work

# -- the main job -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["6x6", "--minimize", "turns"], {"status": "optimal", "value": 32, "bound": 32, "turns": 32}),
        (["6x6", "--minimize", "crossings"], {"status": "optimal", "value": 52, "bound": 52, "crossings": 52}),
        (["aztec:8", "--open"], {"status": "feasible", "closed": False}),
        (["4x4x4"], {"status": "feasible", "closed": True, "turns": 64}),
        (["10x10", "--symmetry", "rot90"], {"status": "feasible", "symmetry": ["(-y,x)"]}),
        (["5x5", "--open", "--from", "a1"], {"status": "feasible"}),
        (["4x6"], {"status": "infeasible", "how": "certificate checked"}),
        (["8x8", "--leaper", "0,1"], {"status": "feasible", "leaper": "0,1"}),
        (["torus:5x4"], {"status": "feasible"}),
        (["8x8-a1", "--open"], {"status": "feasible"}),
        (["1x1"], {"status": "infeasible"}),
        (["1x1", "--open"], {"status": "feasible", "tour": [[0, 0]]}),
        (["1x2"], {"status": "infeasible"}),
        (["1x2", "--open"], {"status": "infeasible"}),
        (["2x3", "--open"], {"status": "infeasible"}),
    ],
    ids=" ".join,
)
def test_solve_answers_in_full(arguments: list[str], expected: dict) -> None:
    data = kt_json("solve", *arguments)
    assert data["exit"] == 0
    for key, value in expected.items():
        assert data[key] == value, key
    if data["status"] == "infeasible":
        assert data["reason"]
        assert "value" not in data
        assert "tour" not in data
    else:
        from kt_models.files.check import check_result

        check_result(data)


def test_solve_some_hcp(tmp_path: Path) -> None:
    path = tmp_path / "some.hcp"
    assert kt("convert", "6x6", path).exit_code == 0
    data = kt_json("solve", path)
    assert data["status"] == "feasible"
    assert sorted(v for (v,) in data["tour"]) == list(range(36))
    assert "turns" not in data
    one_line_refusal(kt("solve", path, "--minimize", "turns"), "some.hcp")
    one_line_refusal(kt("solve", path, "-o", tmp_path / "x.svg"), "x.svg", "board")


def test_answers_in_words() -> None:
    text = kt("solve", "5x6", "--minimize", "turns").stdout
    assert "status     optimal" in text
    assert "(least, proved)" in text
    assert "tour verified; certificate of the bound checked (tree)" in text
    grid = [line.split() for line in text.split("\n\n")[1].splitlines()]
    assert sorted(int(n) for row in grid for n in row) == list(range(1, 31))


@pytest.mark.parametrize(
    ("ends", "first", "last"),
    [(["--from", "a1"], "a1", None), (["--to", "e5"], None, "e5"), (["--from", "e1", "--to", "a5"], "e1", "a5")],
)
def test_a_tour_has_the_ends_that_are_asked_for(ends: list[str], first: str | None, last: str | None) -> None:
    for extra in ([], ["--minimize", "turns"], ["--engine", "cpsat"]):
        data = kt_json("solve", "5x5", "--open", *ends, *extra)
        board = graph_of("5x5").board
        assert first is None or data["tour"][0] == list(board.cells[board.find(first)])
        assert last is None or data["tour"][-1] == list(board.cells[board.find(last)])


def test_a_closed_tour_starts_where_it_is_told() -> None:
    assert kt_json("solve", "6x6", "--from", "c4")["tour"][0] == [2, 3]


def test_required_and_forbidden_moves() -> None:
    data = kt_json(
        "solve", "8x8", "--require", "d4-e6", "--require", "c3-d5", "--forbid", "e5-g6", "--minimize", "turns"
    )
    steps = list(zip(data["tour"], data["tour"][1:] + data["tour"][:1], strict=True))
    moves = {frozenset((tuple(a), tuple(b))) for a, b in steps}
    assert {frozenset(((3, 3), (4, 5))), frozenset(((2, 2), (3, 4)))} <= moves
    assert frozenset(((4, 4), (6, 5))) not in moves
    assert data["status"] == "optimal"


def test_output_files_and_the_commands_that_read_them(tmp_path: Path) -> None:
    for name in ("t.json", "t.tour", "t.svg", "t.png"):
        assert kt("solve", "6x6", "-o", tmp_path / name).exit_code == 0
    checked = kt("check", tmp_path / "t.json", tmp_path / "t.tour")
    assert checked.exit_code == 0
    assert checked.stdout.count(": ok: a closed knight's tour of 6x6") == 2
    measured = kt_json("measure", tmp_path / "t.json")
    tour = read_tour(tmp_path / "t.json")
    assert measured["turns"] == tour.measure("turns")
    assert measured["crossings"] == tour.measure("crossings")
    assert kt_json("measure", tmp_path / "t.tour")["digest"] == measured["digest"]
    assert kt("draw", tmp_path / "t.json", "-o", tmp_path / "d.svg", "--numbers").exit_code == 0
    assert (tmp_path / "d.svg").read_text().rstrip().endswith("</svg>")
    assert kt("draw", "aztec:4", "-o", tmp_path / "d.png").exit_code == 0
    assert (tmp_path / "d.png").read_bytes().startswith(b"\x89PNG")
    assert kt("convert", tmp_path / "t.json", tmp_path / "u.tour").exit_code == 0
    assert kt("convert", tmp_path / "u.tour", tmp_path / "u.json").exit_code == 0
    assert read_tour(tmp_path / "u.json").order.tolist() == tour.order.tolist()
    for graph in ("g.hcp", "g.col", "g.edges", "g.json"):
        assert kt("convert", "6x6", tmp_path / graph).exit_code == 0
    for graph in ("g.hcp", "g.col", "g.edges", "g.json"):
        assert kt_json("solve", tmp_path / graph)["status"] == "feasible"
    assert not list(tmp_path.glob(".*"))  # No temporary file is left


def test_a_tour_in_a_file_is_a_hint_where_it_fits(tmp_path: Path) -> None:
    write_tour(tmp_path / "t.json", a_tour("5x6"))
    data = kt_json("solve", "5x6", "--hint", tmp_path / "t.json")
    assert data["engine"] == "hint"
    assert kt_json("solve", "5x6", "--hint", tmp_path / "t.json", "--minimize", "turns")["status"] == "optimal"
    one_line_refusal(kt("solve", "6x6", "--hint", tmp_path / "t.json"), "5x6")
    one_line_refusal(kt("solve", "5x6", "--hint", tmp_path / "t.json", "--no-hint"), "--hint")


# -- what is wrong is said in one line --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["solve"], ["BOARD"]),
        (["solve", "foo"], ["foo"]),
        (["solve", "1000000000x1000000000"], ["limit"]),
        (["solve", "8x8", "--leaper", "0,0"], ["0,0"]),
        (["solve", "8x8", "--leaper", "nightrider"], ["nightrider"]),
        (["solve", "8x8-z1"], ["z1"]),
        (["solve", "8x8", "--open", "--from", "i9"], ["i9", "8x8"]),
        (["solve", "8x8", "--open", "--from", "9"], ["'9'"]),
        (["solve", "8x8", "--to", "a1"], ["--to"]),
        (["solve", "8x8", "--open", "--from", "a1", "--to", "a1"], ["a1"]),
        (["solve", "8x8", "--require", "a1-a2"], ["a1-a2"]),
        (["solve", "8x8", "--forbid", "hello"], ["hello"]),
        (["solve", "8x8", "--minimize", "beauty"], ["beauty"]),
        (["solve", "8x8", "--symmetry", "rot45"], ["rot45"]),
        (["solve", "5x6", "--symmetry", "rot90"], ["rot90", "5x6"]),
        (["solve", "8x8", "--engine", "magic"], ["magic"]),
        (["solve", "8x8", "--encoding", "magic", "--engine", "cpsat"], ["magic", "circuit"]),
        (["solve", "4x6", "--encoding", "magic"], ["magic", "binary"]),
        (["solve", "6x6", "--solver", "magic"], ["magic"]),
        (["solve", "8x8", "--time-limit", "nan"], ["time limit"]),
        (["solve", "8x8", "--time-limit", "-1"], ["time limit"]),
        (["solve", "8x8", "--time-limit", "soon"], ["--time-limit: 'soon' is not a number"]),
        (["solve", "8x8", "--time-limit"], ["--time-limit needs a value"]),
        (["solve", "8x8", "--json=1"], ["--json takes no value"]),
        (["solve", "8x8", "7x7"], ["unexpected argument '7x7'"]),
        (["solve", "aztec:0"], ["board aztec:0: the radius must be at least 1"]),
        (["solve", "8x8", "--seed", "x"], ["--seed: 'x' is not an integer"]),
        (["solve", "8x8", "--workers", "0"], ["workers"]),
        (["solve", "8x8", "--seed", "-5"], ["seed"]),
        (["solve", "8x8", "-o", "/no/such/folder/t.json"], ["/no/such/folder/t.json"]),
        (["solve", "8x8", "-o", "tour.doc"], ["tour.doc", ".json"]),
        (["solve", "8x8", "-o", "."], ["."]),
        (["solve", "8x8", "--hint", "none.json"], ["none.json"]),
        (["solve", "none.hcp"], ["none.hcp"]),
        (["solve", "@none.txt"], ["none.txt"]),
        (["solve", "8x8", "--colour", "red"], ["--colour"]),
        (["solv", "8x8"], ["solv"]),
        (["check"], ["FILES"]),
        (["check", "none.json"], ["none.json"]),
        (["check", "."], ["folder"]),
        (["measure", "none.json"], ["none.json"]),
        (["draw", "none.json", "-o", "x.svg"], ["none.json"]),
        (["draw", "8x8"], ["--output FILE is missing"]),
        (["draw", "8x8", "-o", "x.svg", "--size", "5"], ["--size: 5 is not from 50 to 10000"]),
        (["check", "8x8", "--with", "foo"], ["--with: 'foo' is not one of 'cake_lpr'"]),
        (["draw", "8x8", "-o", "x.doc"], ["x.doc"]),
        (["draw", "2x2x2x2x2", "-o", "x.svg"], ["2x2x2x2x2"]),
        (["convert", "8x8"], ["OUT"]),
        (["convert", "8x8", "x.doc"], ["x.doc"]),
        (["convert", "10000x10000", "x.hcp"], ["limit"]),
        (["solve", ""], ["''"]),
        (["solve", "\x00"], []),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_usage_is_refused_in_one_line(
    arguments: list[str], words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    one_line_refusal(kt(*arguments), *words)
    assert not list(tmp_path.iterdir())  # Nothing half-written


@pytest.mark.parametrize("text", BAD_JSON.values(), ids=BAD_JSON.keys())
def test_bad_tour_files(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    for arguments in (["measure", path], ["draw", path, "-o", tmp_path / "x.svg"], ["solve", "5x5", "--hint", path]):
        one_line_refusal(kt(*arguments), "bad.json")
    checked = kt("check", path)
    assert checked.exit_code in (1, 2)
    assert "Traceback" not in checked.output
    assert not (tmp_path / "x.svg").exists()


def test_wrong_tours_are_wrong_for_check_and_refused_elsewhere(tmp_path: Path) -> None:
    good = a_tour("5x6")
    order = good.order.tolist()
    for name, bad, words in [
        ("repeat", [*order[:5], order[2], *order[6:]], "is visited twice"),
        ("short", order[:-1], "is not visited"),
        ("jump", [order[1], order[0], *order[2:]], "is not a 1,2 move"),
    ]:
        path = tmp_path / f"{name}.json"
        write_tour_unchecked(path, Tour(good.graph, bad, True))
        checked = kt("check", path)
        assert checked.exit_code == 1
        assert words in checked.stdout
        one_line_refusal(kt("measure", path), f"{name}.json", words)
        one_line_refusal(kt("draw", path, "-o", tmp_path / "x.svg"), f"{name}.json")
        one_line_refusal(kt("convert", path, tmp_path / "y.tour"), f"{name}.json", words)


def write_tour_unchecked(path: Path, tour: Tour) -> None:
    data = {"version": FORMAT_VERSION, "kind": "tour", **tour.graph.to_json(), "closed": True}
    path.write_text(json.dumps(data | {"tour": tour.graph.board.cells[tour.order].tolist()}))


def test_check_reports_every_file_and_the_worst_status(tmp_path: Path) -> None:
    write_tour(tmp_path / "good.json", a_tour())
    (tmp_path / "bad.json").write_text("{}")
    result = kt("check", tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "none.json")
    assert result.exit_code == 2
    assert "good.json: ok" in result.stdout
    assert result.stderr.count("\n") == 2


def test_check_of_results_and_certificates(tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    assert kt("solve", "4x6", "-o", path).exit_code == 0
    assert "certificate checked" in kt("check", path).stdout
    data = json.loads(path.read_text())
    (tmp_path / "c.json").write_text(json.dumps(data["certificate"]))
    assert "ok: there is no closed knight's tour of 4x6" in kt("check", tmp_path / "c.json").stdout
    data["certificate"]["data"]["removed"] = data["certificate"]["data"]["removed"][:-1]
    path.write_text(json.dumps(data))
    assert kt("check", path).exit_code == 1


def test_tsplib_tours_of_a_named_board(tmp_path: Path) -> None:
    path = tmp_path / "t.tour"
    order = brute.tours("5x6", True)[0]
    path.write_text("TOUR_SECTION\n" + "\n".join(str(v + 1) for v in order) + "\n-1\n")
    assert "5x6" in kt("check", path).stdout  # No other box has it as a tour
    assert kt("check", path, "--board", "5x6").exit_code == 0
    assert kt("check", path, "--board", "6x6").exit_code == 1


# -- what a new user met ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["8x8", "--require", "a1-b3", "--forbid", "a1-b3"], "both required and forbidden"),
        (["8x8", "--forbid", "a1-b3", "--forbid", "a1-c2"], "leave a1 with fewer than two"),
        (["8x8", "--require", "b3-a1", "--require", "b3-d4", "--require", "b3-c5"], "b3"),
        (["8x8", "--open", "--from", "a1", "--to", "c1"], "a1 and c1 have the same colour"),
        (["5x5", "--open", "--from", "a1", "--to", "b1"], "a1 and b1 have different colours"),
        (["5x5", "--open", "--symmetry", "rot180", "--from", "a1", "--to", "c1"], "does not map the ends"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_reasons_speak_of_what_was_asked(arguments: list[str], words: str) -> None:
    data = kt_json("solve", *arguments)
    assert data["exit"] == 0
    assert data["status"] == "infeasible"
    assert data["how"] == "certificate checked"
    assert words in data["reason"]


def test_a_tour_that_is_not_there_is_not_written_and_that_is_no_fault(tmp_path: Path) -> None:
    result = kt("solve", "4x6", "-o", tmp_path / "none.tour")
    assert result.exit_code == 0
    assert "not written, as there is no tour" in result.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_large_boards_stopped_early_are_unanswered_not_refused() -> None:
    data = kt_json("solve", "360x360", "--minimize", "turns", "--time-limit", "0.3")
    assert data["exit"] == 3
    assert data["status"] in ("unknown", "feasible")


def test_claims_without_anything_to_check_are_not_called_ok(tmp_path: Path) -> None:
    path = tmp_path / "claim.json"
    claim = {"version": 2, "kind": "result", "status": "infeasible", "board": "8x8", "connectivity": "cycle"}
    path.write_text(json.dumps(claim))
    result = kt("check", path)
    assert result.exit_code == 3
    assert "claim.json: not shown: claimed, not shown: there is no closed knight's tour of 8x8" in result.stdout
    path.write_text(json.dumps(claim | {"how": "certificate checked"}))
    assert kt("check", path).exit_code == 1


def test_truncated_and_overlong_inputs(tmp_path: Path) -> None:
    path = tmp_path / "few.col"
    path.write_text("p edge 3 5\ne 1 2\n")
    one_line_refusal(kt("solve", path), "few.col", "truncated")
    path.write_text("p edge 1000000000000 0\n")
    one_line_refusal(kt("solve", path), "limit")
    for arguments in (["solve", "6x6", "-o", "a" * 300 + ".json"], ["draw", "6x6", "-o", "a" * 300 + ".svg"]):
        one_line_refusal(kt(*arguments), "too long")
    for name in ("a" * 300 + ".json", "a" * 300 + ".hcp"):
        one_line_refusal(kt("check", name))
        one_line_refusal(kt("solve", name))
    one_line_refusal(kt("solve", "9" * 30 + "x3"), "limit")
    one_line_refusal(kt("solve", "8x8", "--leaper", "9" * 20 + ",1"), "between")
    one_line_refusal(kt("solve", "6x6", "-o", ""), "''")
    os.mkfifo(tmp_path / "pipe.json")
    one_line_refusal(kt("check", tmp_path / "pipe.json"), "pipe")


def test_a_board_that_does_not_fit_the_tour_is_noticed(tmp_path: Path) -> None:
    write_tour(tmp_path / "t.json", a_tour("5x6"))
    one_line_refusal(kt("measure", tmp_path / "t.json", "--board", "8x8"), "5x6", "8x8")
    one_line_refusal(kt("draw", tmp_path / "none.hcp", "-o", tmp_path / "x.svg"), "none.hcp")


# -- limits, signals, start-up ----------------------------------------------------------------------------------------


def test_a_suffix_in_place_of_a_form_is_understood(tmp_path: Path) -> None:
    (tmp_path / "graph.txt").write_text("Bw\n")
    one_line_refusal(kt("solve", tmp_path / "graph.txt", "--form", "g6"), "unknown form 'g6', did you mean 'graph6'?")


def test_one_second_is_not_seconds() -> None:
    assert [in_seconds(seconds) for seconds in (1, 0.5, 20)] == ["1 second", "0.5 seconds", "20 seconds"]


def test_help_and_version() -> None:
    assert "kt solve 8x8 --minimize turns" in kt("--help").stdout
    assert kt("--version").stdout.startswith("kt ")
    for command in ("solve", "check", "measure", "draw", "convert"):
        assert kt(command, "--help").exit_code == 0
    assert kt().exit_code == 2


@pytest.fixture(scope="module")
def hint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tour to start from, so that there is a best so far however slow the machine is."""
    path = tmp_path_factory.mktemp("hint") / "hint.json"
    assert kt("solve", "20x20", "-o", path).exit_code == 0
    return path


def test_a_time_limit_gives_the_best_so_far(hint: Path) -> None:
    data = kt_json("solve", "20x20", "--minimize", "turns", "--time-limit", "0.3", "--hint", hint)
    assert data["exit"] == 3
    assert data["status"] == "feasible"
    assert 0 <= data["bound"] < data["value"] == data["turns"]


def test_a_defect_is_one_line_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object, **options: object) -> None:
        raise ZeroDivisionError("deliberate")

    monkeypatch.setattr("encoders.solve", broken)
    one_line_refusal(kt("solve", "6x6"), "internal error", "ZeroDivisionError: deliberate")
    monkeypatch.setenv("KT_DEBUG", "1")
    assert isinstance(kt("solve", "6x6").exception, ZeroDivisionError)


@pytest.mark.parametrize(
    ("fault", "line"),
    [
        (ZeroDivisionError("deliberate"), "kt: internal error in a thread: ZeroDivisionError: deliberate\n"),
        (RuntimeError("can't start new thread"), "kt: no more threads can be started: "),
    ],
)
def test_a_defect_in_a_thread_is_one_line_too(
    fault: Exception, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*arguments: object, **options: object) -> NoReturn:
        def work() -> None:
            raise fault

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        raise KTError("no tour")

    monkeypatch.setattr("encoders.solve", broken)
    message = kt("solve", "6x6").stderr
    assert message.startswith(line) and message.endswith("kt: no tour\n") and message.count("\n") == 2


def test_heavy_libraries_wait_until_they_are_needed() -> None:
    """`kt --help` and `import kt_models` stay quick because they import none of these."""
    code = "from kt_models import Tour; from cli import main; import sys; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    heavy = {"ortools", "numba", "scipy", "matplotlib", "networkx", "rich", "pysat", "pandas"}
    assert not heavy & set(modules.split())


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_signals_give_the_best_so_far(number: signal.Signals, tmp_path: Path, hint: Path) -> None:
    path = tmp_path / "best.json"
    words = ["solve", "20x20", "--minimize", "turns", "--json", "-o", path, "--hint", hint]
    with at_work("encoders.stages.engines:race", *words) as process:
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3, err
    assert err == f"written {path}\n"
    data = json.loads(out)
    assert data["status"] == "feasible"
    verify(read_tour(path))
    assert json.loads(path.read_text())["value"] == data["value"]


def test_two_signals_in_a_hurry_still_give_the_answer(hint: Path) -> None:
    words = ["solve", "20x20", "--minimize", "turns", "--json", "--hint", hint]
    with at_work("encoders.stages.engines:race", *words) as process:
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3
    assert json.loads(out)["status"] == "feasible"


def test_a_full_disk_is_one_line() -> None:
    for extra in ("", " --json"):
        command = " ".join(KT) + f" solve 4x6{extra} > /dev/full"
        result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=PATIENCE)
        assert result.returncode == 2
        assert result.stderr == "kt: standard output: cannot write: no space left on device\n"


def test_a_closed_pipe_is_no_fault() -> None:
    command = " ".join(KT) + " solve 20x20 --json | head -c 10"
    result = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=PATIENCE)
    assert "Traceback" not in result.stderr
    assert result.stderr == ""
