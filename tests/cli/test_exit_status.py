"""What an exit status means is one table; `kt check` keeps to it with every kind of file."""

from __future__ import annotations

import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import kt
from cli.live import LongCheck
from cli.status import EXIT_STATUSES
from kt_models.errors import CertificateError, InvalidTour
from kt_models.files.check import check_again, check_file
from kt_models.kernel.certificates import Verdict
from kt_models.limits import Limits, Listener, Report, Stopped
from tests.command import answered

ROOT = Path(__file__).parents[2]
DELIVERED = {
    "crossings-family": "heuristics/delivered/results/crossings-open-all-n.json",
    "turns-family": "heuristics/delivered/results/turns-all-n.json",
    "strips": "heuristics/delivered/results/strips.json",
    "longest-walk": "heuristics/delivered/results/uncrossed-5x5.json",
    "gadgets": "docs/runs/heels-24-turns.json",
    "gadget": "docs/runs/heels-24-crossings.json",
    "run-summary": "docs/runs/turns-5x6.json",
}
"""Files of kinds that no quick command makes."""
MADE = {
    "result": "solve 5x6 --minimize turns --no-best -o {}.json",
    "infeasible": "solve 4x6 -o {}.json",
    "certificate": "bound 6x6 --minimize turns --certificate {}.json",
    "tour": "convert {folder}/result.json {}.tour",
    "tour-json": "convert {folder}/result.json {folder}/tour-json.json",
    "list": "enumerate 5x6 -o {}.jsonl",
    "open-walk": "longest 2x2 --open -o {}.json",
    "proof": "solve 4x6 --engine sat --proof {}",
    "run": "enumerate 5x6 --run {}",
}
FALSE: dict[str, Callable[[Any], object]] = {
    "result": lambda data: data.update(bound=data["bound"] - 1, status="optimal"),
    "infeasible": lambda data: data.update(board="6x6"),
    "certificate": lambda data: data.update(bound=data["bound"] + 8),
    "tour-json": lambda data: data["tour"].reverse() or data["tour"].append(data["tour"].pop(3)),
    "open-walk": lambda data: data.update(moves=1),
    "longest-walk": lambda data: data.update(bound=data["moves"] - 1),
    "crossings-family": lambda data: data["claims"][0]["bounds"][0].update(constant="1000"),
    "turns-family": lambda data: data["claims"][0]["bounds"][0].update(constant="1000"),
    "strips": lambda data: data["strips"][0]["claim"]["values"].__setitem__(0, 0),
    "run-summary": lambda data: data.update(count=data.get("count", 0) + 1),
}
"""What makes a file say something false."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A good file or folder of each kind."""
    folder = tmp_path_factory.mktemp("good")
    for name, words in MADE.items():
        line = words.format(folder / name, folder=folder).split()
        status, _, complaint = answered(*line)
        assert status in (0, 3), (line, complaint)
    good = {path.stem: path for path in folder.iterdir()}
    for name, delivered in DELIVERED.items():
        good[name] = folder / f"{name}.json"
        shutil.copy(ROOT / delivered, good[name])
        listed = (ROOT / delivered).with_suffix(".jsonl")
        if listed.exists():
            shutil.copy(listed, folder / listed.name)
            shutil.move(good[name], folder / Path(delivered).name)
            good[name] = folder / Path(delivered).name
    return good


KINDS = [*MADE, *DELIVERED]
LONG = {"longest-walk", "crossings-family", "strips", "turns-family"}


def checked(path: Path, *options: str) -> tuple[int, str]:
    """The exit status of `kt check`, and its verdict."""
    status, out, _ = answered("check", path, "--json", *options)
    (row,) = json.loads(out)["files"]
    return status, row["verdict"]


def test_the_table_is_in_the_help_and_in_the_docs() -> None:
    page = (ROOT / "docs/use/how-to.md").read_text()
    help_text = re.sub(r"\s+", " ", answered("--help")[1])
    for status in EXIT_STATUSES:
        assert f"| {status.number} | {status.every} | {status.check} |" in page
        assert f"{status.number} {status.every}" in help_text
    assert [status.number for status in EXIT_STATUSES] == [0, 1, 2, 3]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in LONG - {"turns-family"}])
def test_right_files_are_ok(kind: str, files: dict[str, Path]) -> None:
    # What a run counted rests on its engine
    assert checked(files[kind]) in (
        [(0, "ok")] if kind not in ("run", "run-summary") else [(0, "ok"), (3, "not shown")]
    )


@pytest.mark.parametrize("kind", FALSE)
def test_false_files_are_wrong(kind: str, files: dict[str, Path], tmp_path: Path) -> None:
    data = json.loads(files[kind].read_text())
    FALSE[kind](data)
    if "sha256" in data:
        from kt_models.kernel.certificates.certificate import digest

        data["sha256"] = digest({key: value for key, value in data.items() if key != "sha256"})
    path = tmp_path / files[kind].name
    path.write_text(json.dumps(data))
    for beside in files[kind].parent.glob(f"{files[kind].stem}.jsonl"):
        shutil.copy(beside, tmp_path)
    assert checked(path) == (1, "WRONG")


def test_false_lists_tours_and_folders_are_wrong(files: dict[str, Path], tmp_path: Path) -> None:
    first = files["list"].read_text().splitlines()[0]
    (tmp_path / "twice.jsonl").write_text(f"{first}\n{first}\n")
    text = files["tour"].read_text().splitlines()
    text[-4], text[-5] = text[-5], text[-4]
    (tmp_path / "swapped.tour").write_text("\n".join(text) + "\n")
    shutil.copytree(files["proof"], tmp_path / "proof")
    (tmp_path / "proof/formula.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n")
    assert checked(tmp_path / "twice.jsonl") == (1, "WRONG")
    assert checked(tmp_path / "swapped.tour") == (1, "WRONG")
    assert checked(tmp_path / "proof") == (1, "WRONG")


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_are_unreadable(kind: str, files: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / files[kind].name
    if files[kind].is_dir():
        path.mkdir()
        (path / "note").write_text("nothing of kt\n")
    else:
        text = files[kind].read_text()
        path.write_text(text[: len(text) // 2 - 3])
    assert checked(path) == (2, "unreadable")


@pytest.mark.parametrize("kind", KINDS)
def test_checks_that_take_too_long_are_stopped(kind: str, files: dict[str, Path]) -> None:
    assert checked(files[kind], "--time-limit", "0.000001") == (3, "stopped")
    assert "not decided: not done within" in answered("check", files[kind], "--time-limit", "0.000001")[2]


class Looks:
    """A flag that is set once it was looked at so often."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def is_set(self) -> bool:
        self.looks -= 1
        return self.looks < 0


def verdicts(path: Path) -> Iterator[str]:
    """What is said of a file whose check is ended at the first look at the limits, the second, and so on."""
    for looks in (0, 1, 2, 3, 5, 8, 13, 40, 200):
        try:
            yield check_again(path, Limits(stop=Looks(looks))).text
        except Stopped:
            yield "stopped"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in LONG])
def test_a_check_that_is_ended_anywhere_is_stopped(kind: str, files: dict[str, Path]) -> None:
    right = check_again(files[kind]).text
    assert set(verdicts(files[kind])) <= {right, "stopped"}


@pytest.mark.parametrize("kind", ["crossings-family", "longest-walk", "turns-family", "strips"])
def test_a_long_check_that_is_ended_anywhere_is_stopped(kind: str, files: dict[str, Path]) -> None:
    for looks in (0, 1, 2, 3, 5, 8):
        with pytest.raises(Stopped):
            check_again(files[kind], Limits(stop=Looks(looks)))


def test_a_certificate_that_is_stopped_is_not_called_wrong(files: dict[str, Path]) -> None:
    result = json.loads(files["result"].read_text())
    assert result["certificate"]
    for looks in range(12):
        try:
            check_again(files["result"], Limits(stop=Looks(looks)))
        except (InvalidTour, CertificateError) as error:
            raise AssertionError(f"stopped after {looks} looks: {error}") from error
        except Stopped:
            continue


def test_nothing_claimed_is_not_ok(tmp_path: Path) -> None:
    unknown = kt.Result(kt.problem("6x6"), "unknown")
    unknown.save(tmp_path / "unknown.json")
    assert checked(tmp_path / "unknown.json") == (3, "not shown")
    assert "it claims nothing" in answered("check", tmp_path / "unknown.json")[1]


def test_a_limit_of_memory_is_a_limit(files: dict[str, Path]) -> None:
    assert checked(files["list"], "--memory", "0.000001") == (3, "stopped")


def test_one_limit_holds_for_all_files(files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is over once the first file was checked: the others are named, and not begun."""
    made: list[Limits] = []
    over = threading.Event()

    def limits_of_the_command(*arguments: Any, **more: Any) -> Limits:
        made.append(Limits(stop=over))
        return made[-1]

    monkeypatch.setattr("cli.check.Limits", limits_of_the_command)
    monkeypatch.setattr("cli.check.require_leaper", lambda *arguments: over.set())
    copies = [shutil.copy(files["strips"], tmp_path / f"{k}.json") for k in range(30)]
    status, out, complaint = answered("check", files["infeasible"], *copies, "--time-limit", "60")
    assert status == 3 and len(made) == 1
    assert out.count(": ok: ") == 1
    assert len([line for line in complaint.splitlines() if "not decided" in line]) == 30


@pytest.mark.parametrize("others", [("result", "damaged"), ("false", "damaged"), ("result", "unknown")])
def test_the_worst_file_counts(others: tuple[str, str], files: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "damaged.json").write_text("{")
    kt.Result(kt.problem("6x6"), "unknown").save(tmp_path / "unknown.json")
    data = json.loads(files["result"].read_text())
    FALSE["result"](data)
    (tmp_path / "false.json").write_text(json.dumps(data))
    paths = [files.get(name, tmp_path / f"{name}.json") for name in others]
    expected = {("result", "damaged"): 2, ("false", "damaged"): 1, ("result", "unknown"): 3}[others]
    for line in (paths, paths[::-1]):
        assert answered("check", *line)[0] == expected


def test_models_are_no_claims(tmp_path: Path) -> None:
    assert answered("convert", "4x5", tmp_path / "x.cnf")[0] == 0
    for name in ("x.cnf", "x.cnf.map"):
        assert checked(tmp_path / name) == (2, "unreadable")


def test_a_check_that_takes_long_says_so_before_it_begins(files: dict[str, Path], tmp_path: Path) -> None:
    """Delivered files are measured. The others are made before: the thread that is left behind loads modules."""
    name = "crossings-10x15.json"
    copy = tmp_path / name
    shutil.copy(ROOT / "heuristics/delivered/records" / name, copy)
    status, _, complaint = answered("check", copy, "--time-limit", "0.1")
    assert status == 3 and complaint.splitlines()[0] == f"{copy}: the check takes about 42 seconds"


@pytest.mark.parametrize("name", ["certificate", "result"])
def test_a_check_of_a_users_file_says_how_long_it_is_expected_to_take(
    name: str, files: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kt_models.kernel.check_forecast.seconds_to_check", lambda *_: 170.0)
    file = files[name]
    assert answered("check", file)[::2] == (0, f"{file}: the check is expected to take about 3 minutes\n")
    assert answered("check", "-q", file)[2] == ""
    monkeypatch.setattr("kt_models.kernel.check_forecast.seconds_to_check", lambda *_: 9.0)
    assert answered("check", file)[::2] == (0, "")


def test_a_check_that_nobody_forecast_says_that_it_goes_on(
    files: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check of this test waits for the word that it goes on."""
    announced, go_on = threading.Event(), LongCheck.go_on

    def heard(check: LongCheck) -> None:
        go_on(check)
        announced.set()

    def wait(path: Path, graph: object, limits: object, on_progress: Listener) -> Verdict:
        on_progress(Report(words="row 3 of 8"))
        assert announced.wait(60)
        return check_file(path)

    monkeypatch.setattr("cli.live.MAX_SILENT_SECONDS", 0.01)
    monkeypatch.setattr(LongCheck, "go_on", heard)
    monkeypatch.setattr("cli.check.check_file", wait)
    status, _, complaint = answered("check", files["certificate"])
    assert status == 0
    # The first word may come before the report.
    assert re.match(rf"{re.escape(str(files['certificate']))}: the check goes on after 0 seconds", complaint)
