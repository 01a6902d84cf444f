"""Parts of a run: each job has a folder of its own, and together they are the run that one process would have made."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from kt_models.runs.ledger import Ledger
from kt_models.runs.parts import RunPart, merge, parts_in
from tests.command import kt, one_line_refusal

LIST = ("enumerate", "5x6", "--cubes", "9", "--workers", "1")


def solved(folder: Path) -> set[str]:
    """The keys of the tours in a run."""
    with Ledger.read(folder) as ledger:
        return {solution.key for solution in ledger.solutions()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of one process."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    assert kt(*LIST, "--run", folder).exit_code == 0
    return folder


@pytest.mark.parametrize("parts", [1, 2, 20])
def test_parts_make_the_run_of_one_process(parts: int, whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    for number in range(1, parts + 1):
        assert kt(*LIST, "--run", folder, "--part", f"{number}/{parts}").exit_code == 0
    status = kt("runs", "merge", folder, "--json")
    assert status.exit_code == 0
    assert json.loads(status.stdout)["complete"]
    assert solved(folder) == solved(whole)
    assert kt("check", folder).exit_code == kt("check", whole).exit_code


def test_no_cube_falls_to_two_parts(whole: Path) -> None:
    with Ledger.read(whole) as ledger:
        shares = [RunPart(number, 4).cubes(ledger) for number in (1, 2, 3, 4)]
        assert sum(map(len, shares)) == len(set().union(*shares))
        assert set().union(*shares) >= set(ledger.first_cubes())


def test_merging_again_takes_what_is_new_and_nothing_twice(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert kt(*LIST, "--run", folder, "--part", "1/2").exit_code == 0
    assert kt("runs", "merge", folder).exit_code == 3
    assert kt("runs", "merge", folder).exit_code == 3
    assert kt(*LIST, "--run", folder, "--part", "2/2").exit_code == 0
    # The same command again has nothing to do.
    assert kt(*LIST, "--run", folder, "--part", "2/2").exit_code == 0
    assert kt("runs", "merge", folder).exit_code == 0
    with Ledger.read(folder) as ledger:
        cubes = [record.cube for record in ledger.records("done")]
    assert len(cubes) == len(set(cubes))


def test_folders_with_parts_in_them_are_merged(tmp_path: Path) -> None:
    folders = [tmp_path / str(k) for k in (1, 2)]
    for k, folder in enumerate(folders, 1):
        assert kt("enumerate", "5x6", "--count", "--run", folder, "--part", f"{k}/2").exit_code == 0
    assert kt("runs", "merge", folders[0]).exit_code == 3
    merged = kt("runs", "merge", *folders, "--json")
    assert merged.exit_code == 0 and json.loads(merged.stdout)["count"] == 8


def test_proofs_of_a_bound_are_merged(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    for number in (1, 2):
        asked = ("bound", "6x6", "--minimize", "crossings", "--at-least", "18", "--cubes", "2", "--workers", "1")
        assert kt(*asked, "--run", folder, "--part", f"{number}/2").exit_code == 0
    assert kt("runs", "merge", folder).exit_code == 0
    assert kt("check", folder).exit_code == 0


def test_parts_of_other_tasks_or_cubes_are_refused(whole: Path, tmp_path: Path) -> None:
    other, fewer = tmp_path / "other", tmp_path / "fewer"
    assert kt("enumerate", "3x4", "--open", "--run", other, "--workers", "1").exit_code == 0
    assert kt("enumerate", "5x6", "--cubes", "2", "--run", fewer, "--workers", "1").exit_code == 0
    copy = tmp_path / "copy"
    shutil.copytree(whole, copy)
    one_line_refusal(kt("runs", "merge", copy, other), "another task")
    one_line_refusal(kt("runs", "merge", copy, fewer), "other cubes")
    one_line_refusal(kt("runs", "merge", tmp_path / "empty"), "no parts")
    one_line_refusal(kt("runs", "merge", copy, tmp_path / "nowhere"), "not a run")


@pytest.mark.parametrize("part", ["0/3", "4/3", "3", "a/b", "1/0", "-1/3"])
def test_a_part_is_a_number_of_parts(part: str, tmp_path: Path) -> None:
    one_line_refusal(kt(*LIST, "--run", tmp_path / "run", f"--part={part}"), "3/20")


def test_parts_are_found_by_their_names_in_order(whole: Path, tmp_path: Path) -> None:
    for number in (10, 2):
        shutil.copytree(whole, tmp_path / f"part-{number}-of-12")
    (tmp_path / "part-3-of-12").mkdir()
    assert [Path(part).name for part in parts_in(tmp_path)] == ["part-2-of-12", "part-10-of-12"]
    (tmp_path / "part-3-of-12").rmdir()
    merge(tmp_path)
    assert solved(tmp_path) == solved(whole)
