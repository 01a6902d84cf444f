"""`kt explore`: what it takes for a job, and that nothing outlives it."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

import kt
from cli.explore import command
from cli.explore.app import MAX_BODY_BYTES
from cli.explore.child import _answer
from cli.explore.job import MAX_CELLS, TEXT_OF_FILE, Allowance, Job, options_of, pure_board
from cli.explore.job_requests import catalogue, job_of
from cli.explore.jobs import MAX_WAITING
from cli.explore.opening import open_text
from cli.explore.save import Folder
from cli.explore.server import listen
from cli.main import main
from drawing.save import save
from kt_models import KTError, Problem, check, read_graph
from kt_models.files.tour_forms.write import FORMATS
from kt_models.files.tours import parse_tour, tour_to_tsplib
from kt_models.kernel.certificates import Certificate
from kt_models.tour import tour_from_json, verify
from tests.effort import part_of
from tests.explorer import JSON, LIMITS, PATIENT, Server
from tests.processes import PATIENCE, ROOT, descendants, running, until

NEAR = tour_to_tsplib(kt.find("5x6", seed=1).tour)  # type: ignore[arg-type]
MOVE = "a2-b4"


@pytest.fixture
def with_folder(tmp_path: Path) -> Iterator[Server]:
    started = Server(Folder(str(tmp_path)))
    yield started
    started.close()


# -- what is taken for a job -------------------------------------------------------------------------------------------

HOSTILE = [
    "@/etc/passwd", " @/etc/passwd", "@mask.txt", "../x.hcp", "/etc/hosts.json", "graph.hcp", "file:8x8", "8x8-@x", "",
    "8x8\x00", "８x８", "8х8", "<script>alert(1)</script>", "8x8-" + "a1," * 3000, "x" * 100_000, "-1x8", "8x-8", "0x8",
    "9" * 5000 + "x8", "1e9x8", "aztec:99999999", "100000x100000", "100000x100000-a1", "torus:4000x4000",
    "2x" * 40 + "2",
    "2x2x2x2x2x2x2", "--help", "8x8 --minimize", "$(id)", "`id`", "8x8;ls", "aztec:5:5", "torus:aztec:5", "٨x٨", "8*8",
]  # fmt: skip


def test_a_board_is_read_without_any_file() -> None:
    opened: list[str] = []

    def watch(event: str, args: tuple[Any, ...]) -> None:
        if watching and event in ("open", "os.listdir", "subprocess.Popen", "socket.connect"):
            opened.append(f"{event} {args[0]}")

    watching = False
    sys.addaudithook(watch)
    with pytest.raises(KTError):
        pure_board("8*8", 100)  # What it imports is imported now
    np.unique([0])  # And what NumPy imports when it is used
    watching = True
    try:
        for text in HOSTILE:
            with pytest.raises(KTError):
                pure_board(text, 10_000)
        assert pure_board("aztec:5", 100).n == 60 and pure_board(" 8 × 8 - a1, h8 ", 100).n == 62
    finally:
        watching = False
    assert not opened


@pytest.mark.parametrize("board", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_hostile_boards_are_refused_in_one_line(server: Server, board: str) -> None:
    for task in MAX_CELLS:
        status, answer = server.post("/jobs", {"task": task, "board": board})
        assert 400 <= status < 500 and set(answer) == {"error"}
        assert "\n" not in answer["error"] and "internal" not in answer["error"] and len(answer["error"]) < 400


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"null", b'"x"', b"NaN", b'{"task": NaN}', b"\xff\xfe", b"[" * 20_000, b'{"a":' * 5000,
        b'{"task": "solve", "task": "solve", "board": "6x6"}', b"9" * 10_000, b'{"task": "solve", "board": 1e999}',
        b'{"task": ["solve"], "board": "6x6"}', b'{"task": "eval", "board": "6x6"}', b'{"task": "solve"}',
        b'{"task": "solve", "board": "6x6", "__class__": "x"}', b'{"task": "solve", "board": "6x6", "method": "merge"}',
        b'{"task": "solve", "board": {"$ref": "file:///etc/passwd"}}', b'{"board": "6x6"}',
        b'{"task": "solve", "board": null}',
    ],
    ids=lambda body: ascii(body[:24]),
)  # fmt: skip
def test_wrong_jobs_are_refused_in_one_line(server: Server, body: bytes) -> None:
    status, answer = server.post("/jobs", body)
    assert status == 400 and set(answer) == {"error"} and "internal" not in answer["error"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("leaper", "1"), ("leaper", "0,0"), ("leaper", "1,999"), ("leaper", "1,2,3,4,5"), ("leaper", 12),
        ("leaper", "a,b"),
        ("is_open", "no"), ("is_open", 1), ("start", "z99"), ("start", "@x"), ("finish", "a1"), ("symmetry", "rot90"),
        ("symmetry", ["rot45"]), ("symmetry", ["rot90"] * 9), ("symmetry", [1]), ("require", ["a1-a2"]),
        ("require", ["a1"] * 999),
        ("forbid", [["a1-b3"]]), ("minimize", "beauty"), ("minimize", None), ("engine", "cplex"), ("encoding", "xyz"),
        ("solver", "../x"), ("seed", -1), ("seed", 2**31), ("seed", True), ("seed", 1.5), ("time_limit", 0),
        ("time_limit", -1), ("time_limit", 1e9), ("time_limit", "60"), ("time_limit", True), ("workers", 0),
        ("workers", 1000), ("at_least", 3), ("settings", []), ("closed", False), ("hint", "x.json"), ("proof", "x"),
        ("output", "x.svg"),
    ],
)  # fmt: skip
def test_wrong_values_are_refused_by_name(key: str, value: Any) -> None:
    with pytest.raises(KTError) as error:
        job_of({"task": "solve", "board": "6x6", key: value}, LIMITS)
    assert "\n" not in str(error.value) and len(str(error.value)) < 300


@pytest.mark.parametrize(
    "asked",
    [
        {"task": "find", "method": "magic"},
        {"task": "find", "method": "euler", "settings": ["no=1"]},
        {"task": "find", "method": "euler", "settings": ["tries=many"]},
        {"task": "find", "method": "edge-deletion", "settings": ["workers=500"]},
        {"task": "find", "settings": ["tries=1"]},
        {"task": "find", "method": "euler", "settings": {"tries": 1}},
        {"task": "bound", "method": "frontier"},
        {"task": "find", "method": "euler", "settings": ["tries"]},
        {"task": "find", "method": "euler", "settings": ["tries=1", "tries=1"]},
        {"task": "bound", "minimize": ""},
        {"task": "bound", "maximize": "turns"},
        {"task": "bound", "state": "x.json"},
        {"task": "bound", "folder": "x"},
        {"task": "bound", "at_least": -1},
        {"task": "bound", "seed": 1},
        {"task": "solve", "engine": "cpsat", "encoding": "binary"},
        {"task": "solve", "engine": "cpsat", "solver": "glucose4"},
    ],
)
def test_contradictory_jobs_are_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(KTError):
        job_of({"board": "6x6", **asked}, LIMITS)


texts = st.one_of(
    st.text(max_size=40), st.sampled_from([*HOSTILE[:12], "8x8", "6x6-a1", "aztec:3", "rot90", "a1-b3", "a1"])
)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=6,
)
keys = st.sampled_from([*{name for task in MAX_CELLS for name in options_of(task)}, "task", "extra"])


@settings(max_examples=part_of(60))
@given(st.dictionaries(keys, values, max_size=8), st.sampled_from([*MAX_CELLS, "other"]), texts)
@example({"start": "a1", "is_open": True}, "solve", "8x8")
@example({"symmetry": ["rot90"]}, "solve", "aztec:3")
@example({"symmetry": ["(x+2,y)", "(x,-y)"]}, "solve", "cylinder:6x5")
def test_any_json_is_a_job_or_a_fault_in_one_line(data: dict[str, Any], task: str, board: str) -> None:
    try:
        job = job_of({"board": board, "task": task, **data}, LIMITS)
    except KTError:
        return
    again = Job.from_json(json.loads(json.dumps(job.to_json())))
    assert again.to_json() == job.to_json() and again.command == job.command
    assert job.problem().graph.n <= max(MAX_CELLS.values()) and job.command[0] in MAX_CELLS
    assert 0 < job["time_limit"] <= LIMITS.seconds and (job["workers"] or 1) <= LIMITS.workers
    assert not any(text.startswith("@") or "/" in text for text in job.command)


def test_the_command_shown_is_the_job() -> None:
    """What the page shows as a command line means the same problem to `kt solve`."""
    from cli.solve import command as solve_command

    asked = {"is_open": True, "start": "a1", "require": ["b1-a3"], "minimize": "turns", "seed": 3, "time_limit": 9}
    job = job_of({"task": "solve", "board": "6x6", **asked}, LIMITS)
    context = solve_command.make_context("solve", job.command[1:])
    assert context.params["is_open"] and context.params["start"] == "a1" and context.params["require"] == ("b1-a3",)
    assert context.params["minimize"] == "turns" and context.params["seed"] == 3 and context.params["time_limit"] == 9


def test_every_option_of_the_commands_is_offered() -> None:
    """What is on the page comes from the commands: an option that is new there is new here, with its help."""
    from cli.solve import command as solve_command

    new = click.Option(["--flavour"], metavar="sweet|sour", help="How it tastes.")
    solve_command.params.append(new)
    options_of.cache_clear()
    try:
        offered = {option["name"]: option for option in catalogue(LIMITS)["tasks"]["solve"]}
        assert offered["flavour"]["choices"] == ["sweet", "sour"] and offered["flavour"]["help"] == "How it tastes."
        job = job_of({"task": "solve", "board": "6x6", "flavour": "sour"}, LIMITS)
        assert job.method_options == {"flavour": "sour"} and job.command[-2:] == ["--flavour", "sour"]
        with pytest.raises(KTError, match="flavour: must be one of sweet, sour"):
            job_of({"task": "solve", "board": "6x6", "flavour": "salty"}, LIMITS)
    finally:
        solve_command.params.remove(new)
        options_of.cache_clear()
    wanted = {"board", "leaper", "is_open", "symmetry", "minimize", "engine", "encoding", "solver", "workers", "seed"}
    assert wanted < set(offered) and not {"hint", "proof", "output", "as_json", "as_format"} & set(offered)


def test_long_requests_are_refused(server: Server) -> None:
    assert server.post("/jobs", b" " * (MAX_BODY_BYTES + 1))[0] == 413
    endless = {"X-Token": server.token, **JSON, "Content-Length": str(10**12)}
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.putrequest("POST", "/jobs")
    for name, value in endless.items():
        connection.putheader(name, value)
    connection.endheaders(b" " * (2 * MAX_BODY_BYTES))
    assert connection.getresponse().status == 413
    connection.close()


# -- jobs --------------------------------------------------------------------------------------------------------------


def test_a_job_is_done_and_its_files_can_be_had(with_folder: Server, tmp_path: Path) -> None:
    server = with_folder
    status, work = server.post("/jobs", {"task": "solve", "board": "6x6", "minimize": "turns", **PATIENT})
    assert status == 201 and work["command"][:3] == ["kt", "solve", "6x6"]
    over = server.over(work["number"])
    assert (over["state"], over["status"], over["value"], over["bound"]) == ("done", "optimal", 32, 32)
    response = server.get("/jobs/1/json")
    assert response.headers["Content-Disposition"] == 'attachment; filename="solve-6x6-turns.json"'
    verify(tour_from_json(json.loads(response.data)))
    assert b"<svg" in server.get("/jobs/1/svg").data
    assert server.get("/jobs/1/png").data.startswith(b"\x89PNG") and server.get("/jobs/1/pdf").data.startswith(b"%PDF")
    assert server.get("/jobs/1/exe").status == 400
    names = [server.post("/jobs/1/save", {"kind": kind})[1]["name"] for kind in ("json", "json", "html")]
    assert names == ["kt-solve-6x6-turns.json", "kt-solve-6x6-turns-2.json", "kt-solve-6x6-turns.html"]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
    for data in ({"kind": "../x"}, {"kind": "json", "name": "x"}, {"kind": ["json"]}, [], {}):
        assert server.post("/jobs/1/save", data)[0] == 400
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.slow
def test_find_and_bound_are_done(server: Server) -> None:
    first = server.post("/jobs", {"task": "find", "board": "aztec:4", "method": "rings", **PATIENT})[1]["number"]
    second = server.post("/jobs", {"task": "bound", "board": "6x6", "minimize": "turns", **PATIENT})[1]["number"]
    third = server.post("/jobs", {"task": "solve", "board": "4x6", **PATIENT})[1]["number"]
    assert server.over(first)["status"] == "feasible"
    assert server.over(second)["bound"] == 32
    certificate = Certificate.from_json(json.loads(server.get(f"/jobs/{second}/json").data))
    assert check(certificate) and certificate.bound == 32
    assert server.over(third)["status"] == "infeasible"
    assert server.get(f"/jobs/{third}/svg").status == 400


@pytest.mark.slow
def test_stopping_keeps_the_best_and_ends_every_process(server: Server) -> None:
    long = {"task": "solve", "board": "12x12", "minimize": "turns", "engine": "sat", **PATIENT}
    numbers = [server.post("/jobs", long)[1]["number"] for _ in range(2)]
    work = server.explorer.jobs.get(numbers[0])
    assert work is not None
    until(lambda: work.found_count > 0)
    assert work.process is not None
    until(lambda: work.process is not None and bool(descendants(work.process.pid)))  # Its SAT search
    family = [work.process.pid, *descendants(work.process.pid)]
    for number in reversed(numbers):
        assert server.post(f"/jobs/{number}/stop", {})[0] == 200
    over = server.over(numbers[0])
    assert over["state"] == "stopped" and over["status"] == "feasible" and over["value"] >= 72
    assert server.over(numbers[1])["state"] == "stopped" and server.get(f"/jobs/{numbers[1]}/json").status == 404
    verify(tour_from_json(json.loads(server.get(f"/jobs/{numbers[0]}/json").data)))
    until(lambda: not any(map(running, family)))


def test_only_a_few_jobs_wait(server: Server) -> None:
    long = {"task": "solve", "board": "19x22", "minimize": "turns", **PATIENT}
    answers = [server.post("/jobs", long) for _ in range(MAX_WAITING + 3)]
    assert [status for status, _ in answers].count(429) >= 1
    for status, work in reversed(answers):
        if status == 201:
            server.post(f"/jobs/{work['number']}/stop", {})
    for status, work in answers:
        if status == 201:
            assert server.over(work["number"])["state"] == "stopped"


@pytest.mark.slow
def test_a_job_that_takes_too_much_memory_fails_alone() -> None:
    job = Job("bound", {"board": "200x200", "minimize": "turns", "method": "relaxation", "time_limit": 600.0})
    task = {"job": job.to_json(), "memory": 300_000_000, "processor": 600, "workers": 1}
    with subprocess.Popen(
        [sys.executable, "-c", "from cli.explore.child import main; main()"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as child:  # fmt: skip
        assert child.stdin is not None and child.stdout is not None
        child.stdin.write(json.dumps(task) + "\n")
        child.stdin.flush()  # And it stays open: its end would be the end of the child
        messages = [json.loads(line) for line in child.stdout]
    assert messages[-1]["fault"] == "not enough memory"


def test_saving_never_replaces_a_file_and_never_follows_a_link(tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    inside = tmp_path / "in"
    inside.mkdir()
    (inside / "kt-x.json").symlink_to(outside)
    assert Folder(str(inside)).write("x", ".json", "new") == "kt-x-2.json"
    assert not outside.exists() and (inside / "kt-x-2.json").read_text() == "new"


# -- the command -------------------------------------------------------------------------------------------------------


def test_the_command_serves_and_a_signal_ends_it_with_its_children() -> None:
    with _started() as process:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        assert url.startswith("http://127.0.0.1:") and len(url.partition("token=")[2]) >= 40
        port, token = int(url.split(":")[2].split("/")[0]), url.partition("token=")[2]
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        job = json.dumps({"task": "solve", "board": "12x12", "minimize": "turns", "engine": "sat"})
        connection.request("POST", "/jobs", job, {"X-Token": token, **JSON})
        assert connection.getresponse().status == 201
        stream = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        stream.request("GET", "/events", headers={"X-Token": token})  # An open stream does not keep it alive
        assert stream.getresponse().status == 200
        until(lambda: bool(descendants(process.pid)))
        family = descendants(process.pid)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0 and process.stderr is not None and "Traceback" not in process.stderr.read()
        until(lambda: not any(map(running, family)))


def test_a_port_that_is_taken_is_one_line() -> None:
    listener = listen(0)
    try:
        with _started("--port", str(listener.getsockname()[1])) as process:
            assert process.wait(PATIENCE) == 2 and process.stderr is not None
            assert process.stderr.read().strip() == f"kt: --port {listener.getsockname()[1]}: it is taken"
    finally:
        listener.close()


@pytest.mark.parametrize(
    "arguments",
    [["--port", "70000"], ["--folder", "/nowhere"], ["--time-limit", "0"], ["--time-limit", "nan"], ["--memory", "0"]],
)
def test_wrong_options_are_refused(arguments: list[str]) -> None:
    result = CliRunner().invoke(command, arguments)
    assert isinstance(result.exception, KTError) and arguments[0] in str(result.exception)


def _started(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", "from cli import run; run()", "explore", *arguments],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


# -- files that are opened ---------------------------------------------------------------------------------------------


LABELLED = """graph:{{"version":2,"kind":"graph","board":"g.edges","vertices":3,"edges":[[0,1],[0,2],[1,2]],
"labels":[{},{},{}]}}""".replace("\n", "")


@pytest.mark.parametrize(
    ("name", "text", "form"),
    [
        ("mask.txt", "###\n#.#\n##.\n", {"board": "3x3-b2,c1"}),
        ("mask.txt", "  #\n###\n", {"board": "3x2-a2,b2"}),
        ("g.edges", "0 1\n1 2\n2 0\n", {"board": LABELLED.format(0, 1, 2)}),
        ("g.edges", "a b\nb c\nc a\n", {"board": LABELLED.format('"a"', '"b"', '"c"')}),
        ("g.col", "p edge 3 2\ne 1 2\ne 2 3\n", {"board": "graph:3:1-2,2-3"}),
        ("g.json", '{"kind": "graph", "board": "5x6", "leaper": "1,4"}', {"board": "5x6", "leaper": "1,4"}),
        (
            "g.json",
            '{"kind": "graph", "board": "@l.txt", "leaper": "1,2", "cells": [[0, 0], [1, 0], [1, 1]]}',
            {"board": "2x2-a2", "leaper": "1,2"},
        ),
    ],
)
def test_a_graph_or_mask_becomes_a_board_of_the_form(name: str, text: str, form: dict[str, str]) -> None:
    assert open_text({"name": name, "text": text}) == form
    job_of({"task": "solve", **form}, LIMITS).problem()


def test_a_grid_of_clues_becomes_a_board_and_given_numbers(server: Server) -> None:
    form = open_text({"name": "puzzle.txt", "text": "1 . 3\n. # .\n. . .\n"})
    assert form == {"board": "3x3-b2", "number": ["a3=1", "c3=3"]}
    problem = job_of({"task": "solve", "leaper": "wazir", **form}, LIMITS).problem()
    assert problem == kt.problem("3x3-b2", leaper="wazir", numbers={"a3": 1, "c3": 3})
    status, work = server.post("/jobs", {"task": "solve", "leaper": "wazir", **form, **PATIENT})
    assert status == 201 and "--number a3=1 --number c3=3" in " ".join(work["command"])
    assert server.over(work["number"])["status"] == "feasible"
    for options, says in (
        ({"number": ["a1=0"]}, "from 1 to 9"),
        ({"clues": "x.txt"}, "no such key"),
        ({"number": "a1=1"}, "list"),
    ):
        with pytest.raises(KTError, match=says):
            job_of({"task": "solve", "board": "3x3", **options}, LIMITS)
    with pytest.raises(KTError, match="no such key"):
        job_of({"task": "bound", "board": "3x3", "number": ["a1=1"]}, LIMITS)


@pytest.mark.parametrize("name", ["k4b.hcp", "k4.hcp", "lower-no-end.hcp", "ids.edges"])
def test_the_page_asks_about_the_graph_of_the_file(name: str) -> None:
    """With its fixed edges and the names of its vertices."""
    path = ROOT / "tests/kt_models/cases" / name
    problem = job_of({"task": "solve", **open_text({"name": name, "text": path.read_text()})}, LIMITS).problem()
    graph = read_graph(path)
    assert problem.digest == Problem(graph).digest
    assert [problem.graph.name_of(v) for v in range(graph.n)] == [graph.name_of(v) for v in range(graph.n)]


def test_a_tour_is_shown_and_a_wrong_one_refused() -> None:
    order = [0, 5, 7, 3]
    tour = {"version": 2, "kind": "tour", "board": "3x3", "leaper": "1,2", "closed": True, "tour": []}
    with pytest.raises(KTError):
        open_text({"name": "t.json", "text": json.dumps(tour | {"tour": [[0, 0]] * len(order)})})
    for data in ([], {"name": "x"}, {"name": "x", "text": 3}, {"name": "x", "text": ""}, {"name": "c", "text": "{}"}):
        with pytest.raises(KTError):
            open_text(data)


@pytest.mark.slow
def test_a_graph_is_solved_and_two_jobs_compared(server: Server) -> None:
    status, work = server.post("/jobs", {"task": "find", "board": "graph:4:1-2,2-3,3-4,1-4", **PATIENT})
    assert status == 201 and work["command"][:3] == ["kt", "find", "graph.hcp"]
    assert server.over(work["number"])["status"] == "feasible"
    two = [server.post("/jobs", {"task": "find", "board": "6x6", **PATIENT})[1]["number"] for _ in "ab"]
    assert all(server.over(number)["has_tour"] for number in two)
    page = server.get(f"/compare/{two[0]}/{two[1]}")
    assert page.status == 200 and b"<!doctype html>" in page.data
    assert server.get(f"/compare/{two[0]}/{work['number']}").status == 400
    assert server.get(f"/compare/{two[0]}/9999").status == 404


@pytest.mark.parametrize(
    "options",
    [
        {"task": "solve", "board": "18x18", "minimize": "turns"},
        {"task": "solve", "board": "6x6", "minimize": "crossings"},
        {"task": "solve", "board": "5x6", "minimize": "turns"},
        pytest.param(
            {
                "task": "solve",
                "board": "5x6",
                "minimize": "crossings",
                "at_most": ["turns=28", "2*turns+crossings=120"],
            },
            marks=pytest.mark.slow,
        ),
        {"task": "solve", "board": "4x6"},
        {"task": "solve", "board": "10x10", "symmetry": ["rot90"]},
        {"task": "solve", "board": "5x5", "is_open": True, "start": "a1"},
        pytest.param(
            {"task": "solve", "board": "5x5", "is_open": True, "number": ["a1=1", "c3=20-25"], "workers": 1},
            marks=pytest.mark.slow,
        ),
        {"task": "solve", "board": "5x6", "near": NEAR, "forbid": [MOVE]},
        {"task": "solve", "board": "5x6", "near": NEAR, "number": ["a1=1", "c2=2"]},
        {"task": "solve", "board": "5x6", "in_order": "a1,b5,d4,e1"},
        {"task": "find", "board": "8x8", "method": "warnsdorff", "is_open": True},
        {"task": "find", "board": "5x5", "is_open": True, "number": ["a1=1", "c3=25"]},
        {"task": "find", "board": "12x12", "method": "parberry"},
        pytest.param({"task": "bound", "board": "6x6", "minimize": "crossings"}, marks=pytest.mark.slow),
        {"task": "bound", "board": "8x8", "minimize": "turns", "method": "relaxation"},
    ],
    ids=lambda options: " ".join(str(value)[:20] for value in options.values()),
)
def test_a_job_is_the_command_that_it_prints(
    options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / TEXT_OF_FILE["near"]).write_text(NEAR)
    job = job_of(options | ({"workers": 1} if options["task"] == "solve" else {}), Allowance())
    data = _answer({"job": job.to_json(), "workers": 1}, threading.Event(), lambda **message: None)["result"]
    printed = CliRunner().invoke(main, [*job.command, "--json"])
    answer = json.loads(printed.stdout)
    for key in ("status", "value", "bound", "method", "how", "claims"):
        assert data.get(key) == answer.get(key), key
    # Which of two engines comes first is chance where they run side by side
    assert ("engine" in data) == ("engine" in answer)
    for name in ("near", "number", "forbid"):
        wanted = options.get(name, [])
        assert job.command.count(f"--{name}") == (len(wanted) if isinstance(wanted, list) else 1)


@pytest.mark.slow
def test_the_nearest_tour_of_the_page_is_near(server: Server) -> None:
    job = job_of({"task": "solve", "board": "5x6", "near": NEAR, "forbid": [MOVE]}, LIMITS)
    result = kt.solve(job.problem())
    near = parse_tour(NEAR)
    assert (
        result.tour is not None and result.value == len(set(near.edges.tolist()) ^ set(result.tour.edges.tolist())) / 2
    )
    status, work = server.post("/jobs", {"task": "solve", "board": "5x6", "near": NEAR, **PATIENT})
    assert status == 201 and work["metric"] == "moves changed" and "--near near.tour" in " ".join(work["command"])
    assert server.over(work["number"])["value"] == 0  # It is nearest to itself
    file = server.get(f"/jobs/{work['number']}/near")
    assert file.data.decode() == NEAR and "near.tour" in file.headers["Content-Disposition"]
    opened = server.post("/open", {"name": "pasted text", "text": str(near.numbers.tolist())})[1]
    assert parse_tour(opened["near"]) == near
    plain = server.post("/jobs", {"task": "solve", "board": "5x6", **PATIENT})[1]
    assert server.get(f"/jobs/{plain['number']}/near").status == 404


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"board": "6x5"}, "a tour of 5x6, not of 6x5"),
        ({"board": "5x5", "is_open": True}, "of 5x6"),
        ({"near": "no tour"}, "TSPLIB"),
        ({"near": "/etc/passwd"}, "TSPLIB"),
        ({"near": "@mask.txt"}, "TSPLIB"),
        ({"near": NEAR.replace("\n1\n", "\n2\n", 1)}, "visited|twice"),
        ({"near": "x" * 100_000}, "characters"),
        ({"near": 5}, "string"),
        ({"minimize": "turns"}, "near excludes minimize"),
        ({"task": "find"}, "no such key"),
    ],
)
def test_tours_of_other_boards_are_refused(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(KTError, match=words) as refused:
        job_of({"task": "solve", "board": "5x6", "near": NEAR} | asked, LIMITS)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", FORMATS)
def test_a_tour_of_any_form_is_opened(name: str, tmp_path: Path) -> None:
    """From a file whose name says what it is, and pasted, where no name does."""
    tour = kt.find("6x5").tour
    path = tmp_path / f"tour{FORMATS[name].suffix}"
    save(tour, path, name=name)
    for called in (path.name, "pasted text"):
        opened = open_text({"name": called, "text": path.read_text()})
        assert opened["board"] == "6x5" and opened["title"].startswith("6x5, closed")


def test_a_tour_that_python_printed_is_opened() -> None:
    tour = kt.find("6x5").tour
    assert tour is not None
    for text in (str(tour.numbers.tolist()), str(tour.numbers), str(tour.coordinates.tolist())):
        assert open_text({"name": "pasted text", "text": text})["board"] == "6x5"
