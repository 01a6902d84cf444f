"""Forecasts of checks have the right order of magnitude, and harm nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kt_models import Problem, graph_of
from kt_models.files.check import check_document
from kt_models.gadgets.frame import Frame, Port
from kt_models.kernel.certificates import Certificate
from kt_models.kernel.check_forecast import (
    seconds_to_audit,
    seconds_to_check,
    seconds_to_count_gadgets,
    seconds_to_prove,
    seconds_to_read,
    seconds_to_replay,
)
from kt_models.leaper import KNIGHT, Leaper
from kt_models.limits import Report
from kt_models.runs.audit import audit
from tests.run_tools import finished, task

DELIVERED = Path(__file__).parents[2] / "heuristics/delivered"


def _certificate(name: str) -> Certificate:
    return Certificate.from_json(json.loads((DELIVERED / f"{name}.json").read_text())["certificate"])


def _seconds(name: str) -> float:
    certificate = _certificate(name)
    return seconds_to_check(certificate.method, certificate.problem, certificate.data)


@pytest.mark.parametrize(
    "name",
    [
        "records/crossings-26x26",
        "records/crossings-20x20",
        "records/crossings-15x15-a1",
        "records/crossings-12x12",
        "results/crossings-14x14-rot90",
        "results/crossings-6x16",
        "results/crossings-8x12",
        "records/crossings-7x7-a1",
        "records/crossings-3x3x4",
        "records/crossings-2x4x4",
        "results/crossings-aztec-4",
    ],
)
def test_checks_that_are_measured_to_take_long_are_expected_to_take_longer_than_ten_seconds(name: str) -> None:
    assert 10 < _seconds(name) < 1000


@pytest.mark.parametrize(
    "name",
    [
        "results/crossings-8x8",
        "results/crossings-7x8",
        "results/crossings-6x6",
        "results/crossings-5x6",
        "records/crossings-6x6-rot90",
        "results/crossings-aztec-3",
        "records/turns-10x20",
        "records/turns-16x20",
        "results/turns-torus-4x4",
        "results/turns-torus-6x6",
    ],
)
def test_short_checks_are_expected_to_be_short(name: str) -> None:
    assert 0 <= _seconds(name) < 10


@pytest.mark.parametrize(
    "data",
    [
        {}, {"nodes": 7}, {"certificate": {"data": {}}}, {"certificate": {"data": []}}, {"regions": 7},
        {"regions": [7, {"cells": [10**9]}, {"cells": "a"}, {"cells": []}]},
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "method", ["tree", "farkas", "bands", "frontier", "regions", "sweep", "quotient", "cut", "unknown"]
)
def test_forecasts_take_any_data(method: str, data: dict[str, object]) -> None:
    assert seconds_to_check(method, _certificate("results/crossings-6x6").problem, data) < 60


def belt(leaper: Leaper, rows: int) -> float:
    """The forecast of the outer rows of 16x16, as a closed region."""
    graph = graph_of("16x16", leaper)
    number = {tuple(cell): vertex for vertex, cell in enumerate(graph.board.cells.tolist())}  # type: ignore[union-attr]
    turned = [(0, 0), (15, 0), (15, 15), (0, 15)]
    steps = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    cells = [
        (x + along * dx - depth * dy, y + along * dy + depth * dx)
        for (x, y), (dx, dy) in zip(turned, steps, strict=True)
        for along in range(15)
        for depth in range(rows)
    ]
    order = [number[cell] for cell in dict.fromkeys(cells)]
    data = {"regions": [{"cells": order, "closed": True}], "laps": 2}
    return seconds_to_check("regions", Problem(graph, "cycle", "crossings"), data)


def test_regions_are_forecast_by_the_moves_that_are_remembered() -> None:
    """Measured on one processor: 0.06 s, 1.2 s, and more than 6 s."""
    assert belt(KNIGHT, 2) < 0.2 < belt(KNIGHT, 3) < 5 < belt(Leaper(2, 3), 2) < 60


def quartet(width: int, height: int) -> Frame:
    """A rectangle with a quartet of ports at its corner."""
    ports = tuple(Port((width - 2 + k % 2, height - 1 - k // 2), (2, -1)) for k in range(4))
    return Frame(tuple((x, y) for x in range(width) for y in range(height)), ports, (0, 0), KNIGHT)


def test_gadgets_are_forecast_by_the_frontier_of_their_region() -> None:
    small, middle, large = (seconds_to_count_gadgets(quartet(side, side).problem(None).graph) for side in (4, 5, 8))
    assert small < middle < 1 < 10 < large < 1000


def test_claims_about_all_boards_are_forecast_by_their_width() -> None:
    """The delivered files of widths 3 and 4 take 5 s, that of width 5 three minutes, that of width 6 half an hour."""
    seconds = [
        seconds_to_prove(json.loads((DELIVERED / f"results/{name}.json").read_text()))
        for name in ("strips", "strips-5", "strips-6", "crossings-open-all-n", "crossings-all-n", "turns-all-n")
    ]
    assert seconds[0] < 10 < seconds[1] < 1000 < seconds[2] < 10_000
    assert 0 == seconds[5] < seconds[3] < 10 < seconds[4] < 100
    for data in ({}, {"kind": "strips", "strips": [7, {}, {"claim": {"width": 10**9}}]}):
        assert seconds_to_prove(data) >= 0


def test_gadgets_and_claims_about_all_boards_announce_their_check() -> None:
    wanted = {"through": False, "matchings": ["H"], "joined": []}
    none = {"version": 2, "kind": "gadgets", **quartet(4, 4).to_json(), "status": "infeasible", "wanted": wanted}
    strips = json.loads((Path(__file__).parents[1] / "golden/samples/family-strips.json").read_text())
    for data in ({**none, "gadgets": []}, strips):
        reports: list[Report] = []
        check_document(data, on_progress=reports.append)
        assert any(report.expected for report in reports)


def test_forecasts_grow_with_the_size_of_files() -> None:
    assert seconds_to_read(100_000) < 1 < 10 < seconds_to_read(10_000_000)
    assert seconds_to_replay(100_000) < 1 < 10 < seconds_to_replay(100_000_000)


def test_long_runs_are_announced_by_the_sizes_of_their_files(tmp_path: Path) -> None:
    reports: list[Report] = []
    audit(finished(tmp_path / "run", task("3x4", "path"), 3), reports.append)
    assert reports[0].words == "the run" and 0 < reports[0].expected < 10
    assert seconds_to_audit(100_000, 0) < 1 and seconds_to_audit(0, 1_000_000) > 1
    assert seconds_to_audit(10_000_000, 0) > 10 and seconds_to_audit(0, 10_000_000) > 10


def test_a_check_reports_its_forecast_before_it_reports_progress() -> None:
    reports: list[Report] = []
    certificate = _certificate("results/crossings-5x6")
    certificate.check(on_progress=reports.append)
    assert reports[0].expected > 0 and reports[0].words == "the certificate, by frontier"
    assert len(reports) > 1 and not any(report.expected for report in reports[1:])
