"""Gadgets searched for by cubes: the same as without, audited; and numbers by value in runs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from encoders.enumeration.job import solve_cube
from encoders.enumeration.split import Splitter
from encoders.gadgets import Wanted, frames, search
from kt_models import CertificateError, InvalidTour, KTError, Problem, graph_of
from kt_models.files.check import check_directory
from kt_models.gadgets.frame import Frame
from kt_models.limits import NO_LIMITS
from kt_models.runs.audit import audit
from kt_models.runs.cubes import Cube
from kt_models.runs.gadget_task import GadgetTask
from kt_models.runs.kinds import task_of_json
from kt_models.runs.ledger import Ledger
from kt_models.runs.task import Solutions
from kt_models.runs.tour_task import TourTask
from tests.command import answered as kt
from tests.processes import PATIENCE
from tests.run_tools import finished, forge

HEEL = frames.formation(*frames.parse_formation(frames.HEEL)).frame

SQUARE = Frame(tuple((x, y) for x in range(4) for y in range(4)), frames.quartet_ports((2, 2), (2, -1)))


@pytest.mark.parametrize(
    ("frame", "wanted", "minimize", "at_most", "cubes"),
    [
        pytest.param(HEEL, Wanted(through=True), "turns", 22, 40, marks=pytest.mark.slow),
        (HEEL, Wanted(), "turns", 21, 12),
        pytest.param(HEEL, Wanted(through=True, matchings=("H>H",)), "crossings", 32, 12, marks=pytest.mark.slow),
        (SQUARE, Wanted(), None, None, 9),
        (frames.strip("bottom", 2, 4), Wanted(), "turns", 6, 6),
        (frames.strip("bottom", 2, 4), Wanted(drift=0), "turns", 8, 6),
    ],
)  # fmt: skip
def test_with_and_without_cubes(
    frame: Frame, wanted: Wanted, minimize: str | None, at_most: int | None, cubes: int, tmp_path: Path
) -> None:
    task = GadgetTask(frame, wanted, minimize, at_most)
    assert task_of_json(json.loads(json.dumps(task.to_json()))).to_json() == task.to_json()
    folder = finished(tmp_path / "run", task, cubes)
    with Ledger.read(folder) as ledger:
        found = {gadget.paths for gadget in ledger.verified()}
    whole = search(frame, minimize=minimize, wanted=wanted, at_most=at_most)
    assert whole.complete and found == {gadget.paths for gadget in whole.gadgets}
    verdict = audit(folder)
    assert verdict.shown == ((Solutions(task, len(found)),) if found else ())
    assert verdict.stated == (Solutions(task, len(found), complete=True),)


@pytest.mark.slow
def test_a_run_finds_what_the_plain_search_finds(tmp_path: Path) -> None:
    words = ["search", "heel", "--minimize", "turns", "--all", "--json"]
    plain = json.loads(kt(*words)[1])
    code, out, _ = kt(*words, "--run", str(tmp_path / "run"), "--cubes", "8", "--workers", "1")
    data = json.loads(out)
    assert code == 0 and data.get("gadgets", data) and data["value"] == data["bound"] == plain["value"] == 21
    assert data.get("gadgets") == plain.get("gadgets") and data["command"] == plain["command"]
    assert kt(*words, "--run", str(tmp_path / "run"), "--resume")[0] == 0
    assert kt("check", str(tmp_path / "run"))[0] == 0  # That there are no others is counted again
    for minimize, *other in (["crossings"], ["turns", "--at-most", "22"], ["turns", "--any-pairing"]):
        another = ["search", "heel", "--minimize", minimize, "--all", *other]
        code, _, err = kt(*another, "--run", str(tmp_path / "run"), "--resume")
        assert code == 2 and "other gadgets" in err
    assert kt("search", "heel", "--run", str(tmp_path / "x"))[0] == 2
    assert kt("search", "heel", "--all", "--max", "3", "--run", str(tmp_path / "x"))[0] == 2


def test_a_gadget_that_is_not_wanted(tmp_path: Path) -> None:
    folder = finished(tmp_path / "run", GadgetTask(HEEL, Wanted(through=True), "turns", 22), 8)
    with Ledger.read(folder) as ledger:
        gadget = next(ledger.verified())
    for task in (
        GadgetTask(HEEL, Wanted(through=True), "turns", gadget.turns - 1),
        GadgetTask(HEEL, Wanted(joined=((0, 1),))),
    ):
        with pytest.raises(InvalidTour):
            task.solution(gadget.edges)
    with pytest.raises(KTError):
        GadgetTask(HEEL, Wanted(), "turns", None)


# -- numbers by value --------------------------------------------------------------------------------------------------

BY_TURNS = {32: 18, 33: 344, 34: 1816, 35: 4504, 36: 3180}


@pytest.mark.parametrize("engine", ["auto", pytest.param("search", marks=pytest.mark.slow)])
def test_cubes_add_up_to_the_counts_by_value(engine: str) -> None:
    task = TourTask(Problem(graph_of("6x6"), objective="turns"), counting=True, by_value=True)
    with Splitter(task) as splitter:
        cubes = splitter.split(Cube(), 5)
    counts: dict[int, int] = {}
    for cube in cubes:
        answer = solve_cube(json.dumps(task.to_json()), cube.name, PATIENCE, engine)
        assert sum(count for _, count in answer["by_value"]) == answer["count"]
        for value, count in answer["by_value"]:
            counts[value] = counts.get(value, 0) + count
    assert counts == BY_TURNS


@pytest.mark.slow
def test_a_distribution_as_a_run(tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    words = [
        "enumerate",
        "6x6",
        "--count",
        "--by",
        "turns",
        "--run",
        folder,
        "--cubes",
        "6",
        "--workers",
        "1",
        "--json",
    ]
    code, out, _ = kt(*words)
    assert code == 0 and json.loads(out)["by_value"] == {str(value): count for value, count in BY_TURNS.items()}
    answer = kt("runs", "status", folder, "--json")
    assert json.loads(answer[1])["by_value"]["32"] == 18
    assert "9,862" in audit(folder).text
    forge("UPDATE record SET by_value = '[]' WHERE cube = (SELECT MAX(cube) FROM record)")(Path(folder))
    with pytest.raises(KTError, match="by value"):
        audit(folder)


@pytest.mark.parametrize(
    ("minimize", "at_most", "least"), [(None, None, False), ("turns", 22, False), ("turns", 21, True)]
)
def test_a_folder_shows_what_the_file_of_a_plain_search_shows(
    minimize: str | None, at_most: int | None, least: bool, tmp_path: Path
) -> None:
    task = GadgetTask(HEEL, Wanted(through=True), minimize, at_most, least)
    verdict = check_directory(finished(tmp_path / "run", task, 4))
    assert verdict.shown and not verdict.stated and "counted by a sweep" in verdict.how
    assert any(statement.text.startswith("no gadget has fewer than 21 turns") for statement in verdict.shown) == least


def test_a_run_that_misses_a_gadget_or_is_not_least_is_wrong() -> None:
    task = GadgetTask(HEEL, Wanted(through=True), "turns", 22)
    right = len(search(HEEL, minimize="turns", at_most=22, wanted=Wanted(through=True)).gadgets)
    assert task.recount(right, NO_LIMITS)[0]
    for wrong in (right - 1, right + 1, 0):
        with pytest.raises(CertificateError):
            task.recount(wrong, NO_LIMITS)
    with pytest.raises(CertificateError):
        replace(task, least=True).recount(right, NO_LIMITS)
