"""Forecasts of checks have the right order of magnitude, and harm nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kt_models.kernel.certificates import Certificate
from kt_models.kernel.check_forecast import seconds_to_audit, seconds_to_check, seconds_to_read, seconds_to_replay
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


@pytest.mark.parametrize("data", [{}, {"nodes": 7}, {"certificate": {"data": {}}}, {"certificate": {"data": []}}])
@pytest.mark.parametrize("method", ["tree", "farkas", "bands", "frontier", "sweep", "quotient", "cut", "unknown"])
def test_forecasts_take_any_data(method: str, data: dict[str, object]) -> None:
    assert seconds_to_check(method, _certificate("results/crossings-6x6").problem, data) < 60


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
