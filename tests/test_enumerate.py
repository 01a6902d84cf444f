"""Enumeration beside published counts and brute force; cubes; runs that are killed, starved and shared out."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.main import main
from encoders.enumeration import enumerate_tours
from encoders.enumeration import run as running
from encoders.enumeration.job import solve_cube
from encoders.enumeration.run import Work, begin, resume
from encoders.enumeration.split import Splitter
from encoders.run import Run, Stopped
from kt_models import (
    CertificateError,
    InvalidTour,
    KTError,
    MoveGraph,
    Problem,
    Symmetry,
    graph_of,
    verify_edges,
)  # fmt: skip
from kt_models.cubes import Cube, check_cover
from kt_models.enumeration import Task
from kt_models.run_audit import audit
from kt_models.runs import DONE, Ledger, Outcome, Solution, create, locked
from kt_models.tour_files import tour_from_json
from tests import brute
from tests.strategies import small_graphs


def task(board: str, kind: str = "cycle", objective: str | None = None, symmetry: str = "", **more: Any) -> Task:
    generators = (Symmetry.parse(symmetry),) if symmetry else ()
    return Task(Problem(graph_of(board), kind, objective, symmetry=generators), **more)  # type: ignore[arg-type]


def found(asked: Task, engine: str = "auto") -> list[frozenset[int]]:
    return [frozenset(tour.edges.tolist()) for tour in enumerate_tours(asked, engine=engine)]


def kt(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["enumerate", *words])
    return result.exit_code, result.stdout, result.stderr


# -- listing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["search", "sat"])
@pytest.mark.parametrize(
    ("board", "kind", "count", "classes"),
    [("5x6", "cycle", 8, 3), ("3x10", "cycle", 16, 6), ("3x12", "cycle", 176, 44), ("3x4", "path", 8, 3)],
)
def test_published_counts(engine: str, board: str, kind: str, count: int, classes: int) -> None:
    tours = found(task(board, kind), engine)
    assert len(tours) == len(set(tours)) == count
    assert len(found(task(board, kind, up_to_symmetry=True), engine)) == classes


@cache
def tours_of_6x6() -> frozenset[frozenset[int]]:
    return frozenset(found(task("6x6")))


def test_6x6() -> None:
    assert len(tours_of_6x6()) == 9862


def test_5x5_open() -> None:
    assert 2 * len(set(found(task("5x5", "path")))) == 1728  # directed, as it is published


@settings(max_examples=60, deadline=None)
@given(small_graphs(), st.sampled_from(["cycle", "path"]), st.sampled_from(["search", "sat"]), st.data())
def test_any_graph(graph: MoveGraph, kind: str, engine: str, data: st.DataObject) -> None:
    edges = st.sets(st.integers(0, max(0, graph.m - 1)), max_size=min(2, graph.m))
    required, forbidden = frozenset(data.draw(edges)), frozenset(data.draw(edges))
    orders = brute.cycles(graph) if kind == "cycle" else brute.paths(graph)
    sets = (brute.edge_set(graph, order, kind == "cycle") for order in orders)
    wanted = {edges for edges in sets if required <= edges and not forbidden & edges}
    problem = Problem(graph, kind, required=required, forbidden=forbidden)  # type: ignore[arg-type]
    tours = found(Task(problem), engine)
    assert len(tours) == len(set(tours))
    assert set(tours) == wanted


@pytest.mark.parametrize(("objective", "value"), [("turns", 33), ("crossings", 52)])
def test_value(objective: str, value: int) -> None:
    graph = graph_of("6x6")
    measure = brute.turns if objective == "turns" else brute.crossings
    wanted = {
        brute.edge_set(graph, order, True) for order in brute.tours("6x6", True) if measure(graph, order, True) == value
    }
    tours = found(task("6x6", "cycle", objective, value=value), "sat")
    assert len(tours) == len(set(tours)) and set(tours) == wanted


@pytest.mark.parametrize("symmetry", ["rot90", "rot180", "diagonal"])
def test_symmetry(symmetry: str) -> None:
    asked = task("6x6", symmetry=symmetry)
    (generator,) = asked.problem.symmetry
    image = asked.problem.graph.edge_permutation(generator)
    wanted = {edges for edges in tours_of_6x6() if {int(image[e]) for e in edges} == edges}
    assert set(found(asked, "sat")) == wanted


@pytest.mark.parametrize(("board", "kind"), [("5x6", "cycle"), ("3x10", "cycle"), ("5x5", "path")])
@pytest.mark.parametrize("symmetry", ["rot180", "mirror-x", "(x,-y)"])
def test_both_engines_agree_on_symmetry(board: str, kind: str, symmetry: str) -> None:
    assert set(found(task(board, kind, symmetry=symmetry), "sat")) == set(
        found(task(board, kind, symmetry=symmetry), "search")
    )


def test_one_of_each_class() -> None:
    tours = list(enumerate_tours(task("5x6", up_to_symmetry=True)))
    assert all(np.array_equal(tour.order, tour.canonical().order) for tour in tours)
    everything = enumerate_tours(task("5x6"))
    assert {tuple(tour.canonical().order) for tour in everything} == {tuple(tour.order) for tour in tours}


def test_a_class_whose_canonical_form_is_not_asked_for() -> None:
    graph = graph_of("5x6")
    for edge in range(0, graph.m, 5):
        problem = Problem(graph, forbidden=frozenset([edge]))
        wanted = {tuple(tour.canonical().order) for tour in enumerate_tours(Task(problem))}
        tours = list(enumerate_tours(Task(problem, up_to_symmetry=True)))
        assert {tuple(tour.canonical().order) for tour in tours} == wanted and len(tours) == len(wanted)
        for tour in tours:
            verify_edges(problem, tour.edges)


def test_parallel_moves() -> None:
    asked = task("torus:2x3")
    graph = asked.problem.graph
    wanted = set()
    for edges in map(np.array, combinations(range(graph.m), graph.n)):
        if (np.bincount(graph.ends[edges].ravel(), minlength=graph.n) == 2).all():
            with suppress(InvalidTour):
                verify_edges(asked.problem, edges)
                wanted.add(frozenset(edges.tolist()))
    assert wanted and set(found(asked)) == wanted
    with pytest.raises(KTError, match="same two cells"):
        list(enumerate_tours(asked, engine="search"))
    with pytest.raises(KTError, match="same two cells"):
        task("torus:2x4", up_to_symmetry=True)


@pytest.mark.parametrize("engine", ["search", "sat"])
def test_stops(engine: str) -> None:
    with pytest.raises(Stopped):
        list(enumerate_tours(task("8x8"), Run(0.3, 1, minimises=False), engine=engine))


# -- the command -------------------------------------------------------------------------------------------------------


def test_command_lists(tmp_path: Path) -> None:
    status, out, err = kt("5x6")
    tours = [tour_from_json(json.loads(line)) for line in out.splitlines()]
    assert status == 0 and len(tours) == 8 and "8 tours" in err
    file = tmp_path / "tours.jsonl"
    status, out, _ = kt("5x6", "--up-to-symmetry", "-o", str(file))
    assert status == 0 and "3 classes" in out and len(file.read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("6x6 --count", 9862),
        ("5x5 --count --open", 864),
        ("6x6 --count --by turns --value 32", 18),
        ("6x6 --minimize turns", 18),
        ("6x6 --by turns --value 31", 0),
        ("6x6 --minimize turns --up-to-symmetry --count", 3),
        ("6x6 --count --symmetry rot90", 10),
        ("4x4", 0),
        ("4x4 --minimize turns --count", 0),
        ("5x6 --count --require a1-b3", 8),
        ("1x1 --open", 1),
    ],
)
def test_command_counts(words: str, count: int) -> None:
    status, out, _ = kt(*words.split(), "--json")
    assert status == 0 and json.loads(out)["count"] == count


def test_command_counts_by_value() -> None:
    status, out, _ = kt("6x6", "--count", "--by", "turns", "--json")
    assert status == 0
    assert json.loads(out)["by_value"] == {"32": 18, "33": 344, "34": 1816, "35": 4504, "36": 3180}


@pytest.mark.parametrize(
    "words",
    [
        "",
        "6x6 --value 3",
        "6x6 --minimize turns --value 3",
        "6x6 --resume",
        "6x6 --engine no",
        "6x6 --count -o x.jsonl",
        "6x6 --memory -1",
        "6x6 --count --time-limit -1",
        "12x12 --count --memory 0.01",
        "6x6 --by turns",
        "6x6 --by turns --count --symmetry rot90",
        "6x6 --by turns --count --run {}",
        "6x6 --cubes 8",
        "6x6 --run {} --memory 0.001",
        "--run {} --resume --open",
        "6x6 --run {} --cubes 0",
        "6x6 --run {} --cube-time 0",
        "--run {} --resume",
        "torus:2x4 --up-to-symmetry",
        "6x6 --run {}/no\0such",
    ],
)
def test_refusals(words: str, tmp_path: Path) -> None:
    status, out, err = kt(*words.format(tmp_path / "run").split())
    assert status == 2 and out == "" and err.startswith("kt: ") and err.count("\n") == 1


# -- cubes -------------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(small_graphs(), st.sampled_from(["cycle", "path"]), st.integers(1, 12))
def test_every_tour_is_in_one_cube(graph: MoveGraph, kind: str, parts: int) -> None:
    problem = Problem(graph, kind)  # type: ignore[arg-type]
    with Splitter(Task(problem)) as splitter:
        cubes = splitter.split(Cube(), parts)
    assert check_cover(cubes) == len(cubes) <= parts
    tours = [edges for cube in cubes for edges in found(Task(cube.of(problem)))]
    assert sorted(map(sorted, tours)) == sorted(map(sorted, found(Task(problem))))
    assert [Cube.parse(cube.name) for cube in cubes] == cubes


trees = st.recursive(
    st.just([()]),
    lambda parts: st.tuples(st.integers(0, 9), parts, parts).map(
        lambda node: [((node[0], made), *rest) for made, side in ((True, node[1]), (False, node[2])) for rest in side]
    ),
    max_leaves=20,
)


@given(trees, st.data())
def test_what_covers_and_what_does_not(tree: list[tuple[tuple[int, bool], ...]], data: st.DataObject) -> None:
    cubes = [Cube(path) for path in tree]
    assert check_cover(data.draw(st.permutations(cubes))) == len(cubes)
    victim = data.draw(st.integers(0, len(cubes) - 1))
    with pytest.raises(CertificateError):
        check_cover(cubes[:victim] + cubes[victim + 1 :])
    with pytest.raises(CertificateError):
        check_cover([*cubes, cubes[victim].child(99, True)])


def test_two_edges_at_a_node() -> None:
    with pytest.raises(CertificateError, match="cut by edge"):
        check_cover(map(Cube.parse, ["+1", "-1", "+2"]))


@pytest.mark.parametrize("name", ["", "1", "+", "+1.", "+01", "+1 -2", "+1\n", "+9999999999"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(KTError):
        Cube.parse(name)


def test_cubes_are_deterministic() -> None:
    first, second = ([c.name for c in _split(task("6x6"), 50)] for _ in range(2))
    assert first == second and len(first) == 50


def _split(asked: Task, parts: int) -> list[Cube]:
    with Splitter(asked) as splitter:
        return splitter.split(Cube(), parts)


# -- runs --------------------------------------------------------------------------------------------------------------


def finished(folder: Path, asked: Task, cubes: int = 8) -> Path:
    """A run done in this process."""
    begin(folder, asked, cubes)
    text = json.dumps(asked.to_json())
    with locked(folder), Ledger(folder, writable=True) as ledger:
        for name in ledger.leaves():
            answer = solve_cube(text, name, 60)
            solutions = tuple(Solution(key, tuple(edges)) for key, edges in answer["solutions"])
            ledger.record(Outcome(name, DONE, answer["found"], solutions))
    return folder


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        (task("5x6"), 8),
        (task("5x6", up_to_symmetry=True), 3),
        (task("3x4", "path"), 8),
        (task("6x6", symmetry="rot90"), 10),
        (task("6x6", "cycle", "turns", value=32), 18),
        (task("6x6", counting=True), 9862),
        (task("6x6", "cycle", "turns", value=32, counting=True), 18),
        (task("6x6", symmetry="rot90", counting=True), 10),
        (task("4x4"), 0),
    ],
)
def test_a_run_is_whole(asked: Task, count: int, tmp_path: Path) -> None:
    folder = finished(tmp_path / "run", asked)
    with Ledger.read(folder) as ledger:
        status = ledger.status()
        assert status.complete and status.found == count
        assert len(list(ledger.tours())) == (0 if asked.counting else count)
    assert f"run: {count:,} " in audit(folder)


def test_the_ledger_is_only_added_to(tmp_path: Path) -> None:
    folder = finished(tmp_path / "run", task("5x6"))
    with locked(folder), Ledger(folder, writable=True) as ledger:
        with pytest.raises(KTError, match="UNIQUE"):
            ledger.record(Outcome(next(iter(ledger.leaves())), DONE))
        assert ledger.status().found == 8
    database = sqlite3.connect(folder / "ledger.sqlite")
    for change in ("DELETE FROM tour", "UPDATE outcome SET found = '9'"):
        with pytest.raises(sqlite3.DatabaseError, match="only added to"):
            database.execute(change)
    with pytest.raises(KTError, match="already"), locked(folder):
        create(folder, task("5x6"), [Cube()])


def _forge(*statements: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        database = sqlite3.connect(folder / "ledger.sqlite")
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            database.execute(statement)
        database.commit()
        database.close()

    return change


def _edit(file: str, old: str, new: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        text = (folder / file).read_text()
        assert old in text
        (folder / file).write_text(text.replace(old, new, 1))

    return change


_SOME = "(SELECT cube FROM solution LIMIT 1)"


@pytest.mark.parametrize(
    "change",
    [
        _forge("DELETE FROM solution WHERE key = (SELECT MIN(key) FROM solution)"),
        _forge("DELETE FROM tour WHERE key = (SELECT MIN(key) FROM tour)"),
        _forge("UPDATE tour SET key = 'x' WHERE key = (SELECT MIN(key) FROM tour)"),
        _forge("UPDATE tour SET edges = x'00' WHERE key = (SELECT MIN(key) FROM tour)"),
        _forge("UPDATE tour SET edges = x'ffffffff' WHERE key = (SELECT MIN(key) FROM tour)"),
        _forge("UPDATE tour SET edges = (SELECT edges FROM tour ORDER BY key DESC LIMIT 1)"),
        _forge(f"UPDATE outcome SET found = '7' WHERE cube = {_SOME}"),
        _forge(f"UPDATE outcome SET state = 'failed' WHERE cube = {_SOME}"),
        _forge("UPDATE outcome SET parts = '[\"+1\"]', state = 'split' WHERE id = 1"),
        _forge("UPDATE outcome SET parts = '[', state = 'split' WHERE id = 1"),
        _forge("UPDATE outcome SET cube = '+999' WHERE id = 1"),
        _forge("INSERT INTO solution VALUES ('+999', 'x')"),
        _forge("UPDATE outcome SET found = 'many'"),
        _forge("DROP TABLE outcome"),
        _edit("problem.json", "5x6", "6x5"),
        _edit("problem.json", '"counting": false', '"counting": 0'),
        _edit("cubes.json", "+", "-"),
        lambda folder: (folder / "ledger.sqlite").write_bytes(b"nothing"),
        lambda folder: (folder / "ledger.sqlite").unlink(),
        lambda folder: (folder / "cubes.json").write_text("[]"),
    ],
)
def test_forgeries(change: Callable[[Path], None], tmp_path: Path) -> None:
    folder = finished(tmp_path / "run", task("5x6"))
    audit(folder)
    for leftover in ("ledger.sqlite-wal", "ledger.sqlite-shm"):
        (folder / leftover).unlink(missing_ok=True)
    change(folder)
    with pytest.raises(KTError):
        audit(folder)


def test_a_cube_that_was_done_with_too_few(tmp_path: Path) -> None:
    """Solutions left out and the digest with them: only the search can tell, and the audit does not claim it."""
    begin(tmp_path / "run", task("5x6"), 1)
    with locked(tmp_path / "run"), Ledger(tmp_path / "run", writable=True) as ledger:
        ledger.record(Outcome(".", DONE, 0))
    assert "the search's word" in audit(tmp_path / "run")


def test_one_process_at_a_time(tmp_path: Path) -> None:
    begin(tmp_path / "run", task("5x6"), 4)
    with locked(tmp_path / "run"):
        status, out, err = kt("--run", str(tmp_path / "run"), "--resume")
        assert status == 2 and out == "" and f"another process ({os.getpid()})" in err


def test_killed_and_resumed(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    words = [sys.executable, "-m", "cli.main", "enumerate", "--run", str(folder)]
    first = subprocess.Popen([*words, "6x6", "--cubes", "40", "--workers", "1"])
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        time.sleep(0.05)
        if (folder / "problem.json").exists():
            with Ledger.read(folder) as ledger:
                if ledger.status().done >= 3:
                    break
    first.send_signal(signal.SIGKILL)
    first.wait()
    with Ledger.read(folder) as ledger:
        before = ledger.status()
        finished_before = {name for name, outcome in ledger.leaves().items() if outcome}
    assert 3 <= before.done < before.cubes == 40
    assert "of 40 cubes" in audit(folder)
    assert subprocess.run([*words, "--resume", "--workers", "1"], timeout=120, stdout=subprocess.PIPE).returncode == 0
    with Ledger.read(folder) as ledger:
        status = ledger.status()
        order = [outcome.cube for outcome in ledger.outcomes()]
    assert status.complete and status.found == 9862 and len(order) == len(set(order)) == 40
    assert set(order[: before.done]) == finished_before
    assert "9,862" in audit(folder)


def _dies_on_large(text: str, name: str, *more: Any) -> Any:
    if len(Cube.parse(name).decisions) < 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return solve_cube(text, name, *more)


def _greedy_on_large(text: str, name: str, *more: Any) -> Any:
    if len(Cube.parse(name).decisions) < 3:
        bytearray(8 * 10**9)
    return solve_cube(text, name, *more)


@pytest.mark.parametrize(("job", "reason"), [(_dies_on_large, "BrokenProcessPool"), (_greedy_on_large, "MemoryError")])
def test_a_cube_that_fails_is_cut_finer(job: Any, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(tmp_path / "run", task("5x6"), 2)
    monkeypatch.setattr(running, "solve_cube", job)
    status = resume(tmp_path / "run", Work(workers=1, memory=10**9))
    assert status.complete and status.found == 8 and status.splits >= 2
    with Ledger.read(tmp_path / "run") as ledger:
        assert reason in next(ledger.outcomes()).reason
    audit(tmp_path / "run")


def test_out_of_time(tmp_path: Path) -> None:
    begin(tmp_path / "run", task("6x6"), 1)
    status = resume(tmp_path / "run", Work(workers=1, seconds=0.25))
    assert status.complete and status.found == 9862 and status.splits >= 1
    audit(tmp_path / "run")


def test_failures_are_reported_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(tmp_path / "run", task("5x6"), 3)
    with monkeypatch.context() as patch:
        patch.setattr(running, "solve_cube", _dies_on_large)
        patch.setattr(running, "MOST_LEVELS", 0)
        status = resume(tmp_path / "run", Work(workers=1))
    assert not status.complete and status.failed == len(status.failures) == 3
    assert "not complete: 0 of 3 cubes" in audit(tmp_path / "run")
    shown = CliRunner().invoke(main, ["runs", "status", str(tmp_path / "run")])
    assert shown.exit_code == 3 and shown.stdout.count("BrokenProcessPool") == 3
    code, out, _ = kt("--run", str(tmp_path / "run"), "--resume", "--workers", "1", "--json")
    assert code == 0 and json.loads(out)["count"] == 8


def test_stopped_runs_say_so(tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    begin(folder, task("8x8"), 8)
    code, out, _ = kt("--run", folder, "--resume", "--workers", "1", "--time-limit", "0.5", "--json")
    assert code == 3 and json.loads(out)["complete"] is False
    code, _, err = kt("8x8", "--run", f"{folder}2", "--cubes", "1000000", "--time-limit", "0.01")
    assert code == 3 and "no run was begun" in err and not (tmp_path / "run2" / "problem.json").exists()
    shown = CliRunner().invoke(main, ["runs", "status", folder, "--json"])
    assert shown.exit_code == 3 and json.loads(shown.stdout)["complete"] is False


@pytest.mark.slow
def test_dask_cluster_loses_a_worker(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    begin(tmp_path / "run", task("6x6"), 60)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        killed: list[int] = []

        def kill_one(status: Any) -> None:
            if status.done and not killed:
                killed.append(next(iter(cluster.workers.values())).pid)
                os.kill(killed[0], signal.SIGKILL)

        status = resume(tmp_path / "run", Work(scheduler=cluster.scheduler_address), on_progress=kill_one)
    assert killed and status.complete and status.found == 9862
    audit(tmp_path / "run")
    local = finished(tmp_path / "local", task("6x6"), 60)
    with Ledger.read(tmp_path / "run") as one, Ledger.read(local) as other:
        assert one.digests().keys() == other.digests().keys() or status.splits
        assert list(one.solutions()) == list(other.solutions())
