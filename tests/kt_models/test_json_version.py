"""Versions of files: what is refused, in which words, and that all delivered files are of the version that is read."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from drawing.page_entries import read_entry
from encoders import solve
from encoders.pb.models import read_solution
from encoders.work.state import read_state
from heuristics.find import find
from kt_models import Board, CertificateError, KTError, MoveGraph, Problem, graph_of, json_version, read_tour
from kt_models.files.check import check_again, check_file
from kt_models.files.graphs import read_graph
from kt_models.json_version import FORMAT_VERSION, OLDEST_VERSION, read_document
from kt_models.kernel.certificates import Certificate
from kt_models.kernel.certificates.certificate import digest
from kt_models.kernel.certificates.longest.sweep import longest
from kt_models.kernel.certificates.longest.task import LongestTask
from kt_models.tour import tour_to_json

ROOT = Path(__file__).parents[2]
RESULT = ROOT / "heuristics" / "delivered" / "results" / "turns-6x6.json"
DELIVERED = [
    path
    for folder in (
        "heuristics/delivered/results",
        "heuristics/delivered/results/aztec",
        "heuristics/delivered/records",
        "docs/runs",
        "heuristics/gadgets",
    )
    for path in sorted((ROOT / folder).glob("*.json*"))
    if path.name != "parberry.json"  # A list of commands and what they find
]


def _of_version(version: Any, path: Path, folder: Path) -> Path:
    data = json.loads(path.read_text())
    copy = folder / path.name
    copy.write_text(json.dumps(data | {"version": version}))
    return copy


@pytest.mark.parametrize("path", DELIVERED, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_delivered_files_are_of_this_version(path: Path) -> None:
    for text in path.read_text().splitlines() if path.suffix == ".jsonl" else [path.read_text()]:
        data = json.loads(text)
        assert data["version"] == FORMAT_VERSION
        if "certificate" in data:
            assert Certificate.from_json(data["certificate"]).bound == data["bound"]


@pytest.mark.parametrize(
    "name",
    [
        "heuristics/delivered/results/turns-6x6.json",
        "heuristics/delivered/results/turns-all-n.json",
        "docs/runs/heels-24.json",
        "docs/runs/turns-6x6.json",
        "heuristics/gadgets/strands-turns.json",
        "heuristics/gadgets/octants-crossings.json",
        "heuristics/gadgets/rings.json",
    ],
)
@pytest.mark.parametrize("version", [1, 3, 0, "2", True, None, 2.0])
def test_other_versions_are_refused_in_one_line(name: str, version: Any, tmp_path: Path) -> None:
    with pytest.raises(KTError, match=f"this program reads version {FORMAT_VERSION}") as raised:
        check_file(_of_version(version, ROOT / name, tmp_path))
    assert "\n" not in str(raised.value)


# -- versions to come --------------------------------------------------------------------------------------------------


def _newer(data: dict[str, Any]) -> dict[str, Any]:
    return data | {"version": FORMAT_VERSION + 1}


BOUND = {"version": 2, "kind": "bound", **Problem(graph_of("6x6"), objective="turns").to_json(), "bound": 32}
READERS: dict[str, tuple[dict[str, Any], Callable[[Path], object]]] = {
    "result": (json.loads(RESULT.read_text()), check_file),
    "result as a tour": (json.loads(RESULT.read_text()), read_tour),
    "result to draw": (json.loads(RESULT.read_text()), lambda path: read_entry(path).facts),
    "bound to draw": (BOUND, lambda path: read_entry(path).facts),
    "certificate": (json.loads(RESULT.read_text())["certificate"], check_file),
    "tour": (tour_to_json(read_tour(RESULT)), check_file),
    "longest-walk": (longest(LongestTask(graph_of("3x3"), True, False)).to_json(), check_file),
    "graph": ({"version": 2, "kind": "graph", "vertices": 3, "edges": [[0, 1], [1, 2], [0, 2]]}, read_graph),
    "model": (
        {"version": 2, "kind": "model", "problem": Problem(graph_of("3x3")).to_json()},
        lambda path: read_solution(path, path.rename(f"{path}.map")),
    ),
    "state": (
        {"version": 2, "kind": "branching-state", "bound": 5},
        lambda path: read_state(path, "branching", {"bound": 5})["bound"],
    ),
    **{
        name: (json.loads((ROOT / name).read_text()), check_file)
        for name in (
            "heuristics/delivered/results/aztec.json",
            "heuristics/delivered/results/strips-5.json",
            "heuristics/delivered/results/turns-all-n.json",
            "docs/runs/heels-24.json",
            "docs/runs/turns-6x6.json",
            "heuristics/gadgets/octants-crossings.json",
        )
    },
}


@pytest.mark.parametrize("name", READERS)
def test_a_newer_file_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    data, read = READERS[name]
    path = tmp_path / "file.json"
    path.write_text(json.dumps(_newer(data)))
    with pytest.raises(KTError, match="version 3: this program reads version 2; a newer kt wrote it") as raised:
        read(path)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if "octants" in name else [])
        for name in READERS
        if name not in ("model", "heuristics/delivered/results/strips-5.json")
    ],
)
def test_files_of_today_stay_readable(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program of the next version reads them, and asks for the function that makes its own layout of today's.

    A model needs a solution beside it, and the check of strips takes minutes.
    """
    data, read = READERS[name]
    path = tmp_path / "file.json"
    path.write_text(json.dumps(data))
    if "tours" in data:
        shutil.copy(ROOT / "docs" / "runs" / data["tours"], tmp_path)
    expected = read(path)
    asked: set[tuple[str, int]] = set()

    class Upgrades(dict[Any, Any]):
        def get(self, key: Any, default: Any = None) -> Any:
            asked.add(key)
            return default

    monkeypatch.setattr(json_version, "FORMAT_VERSION", 3)
    monkeypatch.setattr(json_version, "UPGRADES", Upgrades())
    assert repr(read(path)) == repr(expected)
    assert asked and {version for _, version in asked} == {2}


def test_an_old_layout_is_read_by_one_function(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if version 3 had begun to call `tour` and `data` what version 2 calls `cells` and `body`."""

    def renamed(old: str, new: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
        return lambda document: {new if key == old else key: value for key, value in document.items()}

    upgrades = {("tour", 2): renamed("cells", "tour"), ("certificate", 2): renamed("body", "data")}
    monkeypatch.setattr(json_version, "FORMAT_VERSION", 3)
    monkeypatch.setattr(json_version, "UPGRADES", upgrades)
    tour = tour_to_json(read_tour(RESULT)) | {"kind": "tour"}
    path = tmp_path / "tour.json"
    path.write_text(json.dumps(renamed("tour", "cells")(tour)))
    assert read_tour(path).measure("turns") == 32
    certificate = renamed("data", "body")(json.loads(RESULT.read_text())["certificate"])
    sealed = certificate | {"sha256": digest({k: v for k, v in certificate.items() if k != "sha256"})}
    assert Certificate.from_json(sealed).bound == 32  # Its digest is that of the file as it was written
    with pytest.raises(CertificateError, match="altered"):
        Certificate.from_json(sealed | {"bound": 31})
    with pytest.raises(KTError, match="certificate version 1: this program reads version 3"):
        Certificate.from_json(certificate | {"version": 1})
    with pytest.raises(KTError, match="certificate version 4: this program reads version 3; a newer kt wrote it"):
        Certificate.from_json(certificate | {"version": 4})


def test_every_version_from_the_oldest_on_is_read() -> None:
    """A kind that kept its layout needs no function."""
    assert OLDEST_VERSION == 2
    for version in range(OLDEST_VERSION, FORMAT_VERSION + 1):
        assert read_document({"version": version, "kind": "any"}, "any")["version"] == FORMAT_VERSION


@pytest.mark.parametrize("moves", [4, True, "a1-b3", None, {}, [[1]], [[1, 2], [1]], [[1.0, 2]], [1, 2]])
def test_moves_that_are_no_vectors_are_refused(moves: Any, tmp_path: Path) -> None:
    tour = find(Problem(graph_of("torus:3x4"))).tour
    assert tour is not None
    path = tmp_path / "t.json"
    path.write_text(json.dumps(tour_to_json(tour) | {"moves": moves}))
    for read in (check_file, read_tour):
        with pytest.raises(KTError, match="'moves'"):
            read(path)


@pytest.mark.parametrize("kind", ["enumeration", "magic", "bound", "counts", "model", "nonsense"])
def test_a_kind_that_is_not_checked_is_named(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"version": 2, "kind": kind, "board": "6x6"}))
    with pytest.raises(KTError, match=f"it is of kind '{kind}', which"):
        check_file(path)


@pytest.mark.parametrize("name", ["8x8", "aztec:3", "", "graph of mine"])
def test_a_result_agrees_with_its_file_whatever_its_graph_is_called(name: str) -> None:
    graph = MoveGraph.from_edges(3, [(0, 1), (1, 2)], name=name)
    board = Board.from_cells([(0, 0), (1, 2)], name)
    for problem in (Problem(graph), Problem(graph, "path"), Problem(MoveGraph.of(board)), Problem(graph_of("4x6"))):
        result = solve(problem)
        verdict = check_again(result)
        assert [claim.text for claim in verdict.shown] == [claim.text for claim in result.statements]
