"""Counting by halves with layers in parts, on several threads, on the disk, and gone on with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from encoders.counting import meet
from encoders.counting.count import HalvesCount, count_by_halves
from encoders.counting.values import ValueCounts, count_values_by_halves
from kt_models import KTError, Problem, TooLarge, graph_of
from kt_models.kernel.sweeps import run
from kt_models.limits import Limits, Report, Stopped
from tests.command import kt, one_line_refusal

SMALL = "5x8"
TOURS = 44202


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Layers of some hundred states have parts, and come in several rounds."""
    monkeypatch.setattr(run, "CHUNK", 400)
    monkeypatch.setattr(run, "CHUNKS", 2)
    monkeypatch.setattr(run, "PART_BITS", 3)
    monkeypatch.setattr(run, "FEWEST_ROWS", 8)
    monkeypatch.setattr(meet, "BLOCK", 400)
    monkeypatch.setattr(meet, "TOGETHER", 1)


def counted(board: str = SMALL, kind: str = "cycle", **options: object) -> HalvesCount:
    limits = {name: options.pop(name) for name in ("workers", "memory") if name in options}
    count = count_by_halves(Problem(graph_of(board), kind), limits=Limits(**limits), **options)  # type: ignore[arg-type]
    assert count is not None
    return count


def counted_by_turns(board: str = "5x6", **options: object) -> ValueCounts:
    limits = {name: options.pop(name) for name in ("workers", "memory") if name in options}
    problem = Problem(graph_of(board), "cycle", "turns")
    count = count_values_by_halves(problem, limits=Limits(**limits), **options)  # type: ignore[arg-type]
    assert count is not None
    return count


@pytest.mark.parametrize("workers", [1, 5])
def test_threads_change_nothing(workers: int) -> None:
    count = counted(workers=workers)
    assert count.total == TOURS
    assert count.states == counted(workers=1).states


@pytest.mark.parametrize(("board", "kind", "total"), [("3x10", "cycle", 16), ("4x5", "path", 82)])
def test_parts_beside_published_numbers(board: str, kind: str, total: int) -> None:
    assert counted(board, kind).total == total


def test_layers_beyond_the_memory_go_to_the_folder(tmp_path: Path) -> None:
    """Several times over the old states, some parts of the next layer each time."""
    whole = counted(workers=1)
    little = whole.peak_bytes // 2
    with pytest.raises(TooLarge):
        counted(workers=1, memory=little)
    count = counted(workers=1, memory=little, folder=tmp_path)
    assert (count.total, count.states) == (TOURS, whole.states)
    assert count.peak_bytes <= little


def test_counts_by_value_use_threads_and_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several threads, layers on the disk, and a join that goes on where it was killed."""
    monkeypatch.setattr("encoders.counting.folder.LEAST_PAUSE", 0.0)
    monkeypatch.setattr("encoders.counting.folder.WRITING", 0)
    monkeypatch.setattr("encoders.counting.values.VECTOR_BYTES", 1 << 16)
    whole = counted_by_turns(workers=1)
    assert sum(whole.by_value.values()) == 8
    assert counted_by_turns(workers=3).by_value == whole.by_value
    little = whole.peak_bytes * 2 // 3
    with pytest.raises(TooLarge):
        counted_by_turns(workers=1, memory=little)

    def kill(now: Report) -> None:
        if now.words.startswith("joined 2 of"):
            raise _Killed

    with pytest.raises(_Killed):
        counted_by_turns(workers=1, memory=little, folder=tmp_path, on_progress=kill)
    heard: list[str] = []
    count = counted_by_turns(workers=1, memory=little, folder=tmp_path, on_progress=lambda now: heard.append(now.words))
    assert (count.by_value, count.states) == (whole.by_value, whole.states)
    assert not any("step 1 of" in line or line.startswith("joined 1 of") for line in heard)
    with pytest.raises(KTError, match="another count"):
        counted("5x6", folder=tmp_path)


class _Killed(Exception):
    pass


@pytest.mark.parametrize("words", ["both halves, step 12", "second half, step", "joined 2 of"])
def test_a_count_goes_on_where_it_was_killed(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the last layer on the disk, whichever that is."""
    monkeypatch.setattr("encoders.counting.folder.LEAST_PAUSE", 0.0)
    monkeypatch.setattr("encoders.counting.folder.WRITING", 0)
    heard: list[str] = []
    killing = True

    def hear(now: Report) -> None:
        heard.append(now.words)
        if killing and now.words.startswith(words):
            raise _Killed

    with pytest.raises(_Killed):
        counted(folder=tmp_path, on_progress=hear)
    (tmp_path / "9-9.part").write_bytes(b"what was being written")
    killing = False
    count = counted(folder=tmp_path, on_progress=hear)
    assert (count.total, count.states) == (TOURS, counted().states)
    assert sum("step 1 of" in line for line in heard) == 1  # It was not begun anew
    assert sum("joined 1 of" in line for line in heard) == 1  # Nor was the join
    assert not list(tmp_path.glob("*.part"))


def test_a_count_that_another_version_began_says_so(tmp_path: Path) -> None:
    counted(folder=tmp_path)
    manifest = json.loads((tmp_path / "count.json").read_text())
    for layout in ({}, {"layout": 1}):
        older = {name: value for name, value in manifest.items() if name != "layout"} | layout
        (tmp_path / "count.json").write_text(json.dumps(older))
        with pytest.raises(KTError, match="another version of kt began this count"):
            counted(folder=tmp_path)


def test_damaged_layers_are_noticed(tmp_path: Path) -> None:
    counted(folder=tmp_path)
    (file,) = tmp_path.glob("second-*.rows")
    data = bytearray(file.read_bytes())
    data[40] ^= 1
    for wrong in (bytes(data), bytes(data[:-16])):
        file.write_bytes(wrong)
        with pytest.raises(KTError, match="damaged"):
            counted(folder=tmp_path)
    with pytest.raises(KTError, match="another count"):
        counted("3x10", folder=tmp_path)
    manifest = json.loads((tmp_path / "count.json").read_text())
    for forged in ({"file": "../x"}, {"parts": [-1]}, {"states": []}, {"crc32": None}):
        layers = {name: {**record, **forged} for name, record in manifest["layers"].items()}
        (tmp_path / "count.json").write_text(json.dumps({**manifest, "layers": layers}))
        with pytest.raises(KTError, match="damaged"):
            counted(folder=tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    (other / "letter.txt").write_text("mine")
    with pytest.raises(KTError, match="not empty"):
        counted(folder=other)


def test_stopped_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says how far it is; the same command goes on."""
    words = ["enumerate", SMALL, "--count", "--folder", str(tmp_path)]
    with monkeypatch.context() as patch:

        def stop(limits: Limits) -> None:
            raise Stopped("stopped before the end")

        patch.setattr(Limits, "check", stop)
        patch.setattr(Limits, "run", lambda limits, work, grace=0.0: work())
        stopped = kt(*words)
    assert stopped.exit_code == 3, stopped.stderr
    assert "the same command goes on" in stopped.stderr
    assert stopped.stderr.count("\n") == 1
    answer = kt(*words)
    assert (answer.exit_code, f"{TOURS:,} tours" in answer.stdout) == (0, True)
    for wrong in (
        ["--by", "turns", "--value", "40"], ["--symmetry", "rot180"], ["--run", "x"], ["--engine", "search"],
        ["--at-most", "turns=40"], ["--at-least", "turns=40"], ["--number", "a1=1"],
    ):  # fmt: skip
        one_line_refusal(kt(*words, *wrong), "--folder")
