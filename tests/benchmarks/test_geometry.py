"""The tables of figures of points are made from a file of results."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import geometry
from benchmarks.geometry import MARKS, PAGES
from kt_models.writing import write_json

RESULTS = {
    "date": "2026-01-02",
    "cores": 2,
    "load": [0.5, 0.4, 0.3],
    "rows": [
        {
            "case": "turns, 9 vertices",
            "kt": {"status": "optimal", "value": 6, "bound": 6, "seconds": 0.25, "processor": 0.5},
            "plain": {"status": "unknown", "seconds": 15.0, "processor": 20.0},
        },
        {
            "case": "length",
            "points": 50,
            "sets": [
                {"status": "optimal", "value": 2.0, "seconds": 1.0, "processor": 2.0, "check": 0.25,
                 "lkh": {"value": 2.0}, "routing": None, "plain": None},
                {"status": "feasible", "value": 4.0, "seconds": 3.0, "processor": 4.0, "check": 0.75,
                 "lkh": {"value": 5.0}, "routing": None, "plain": None},
            ],
        },
        {"case": "many", "points": 1000, "ratio": 0.75, "seconds": 2.0, "processor": 3.0, "svg": {"seconds": 1.0}},
    ],
}  # fmt: skip


def test_the_pages_get_their_tables_from_a_file_of_results(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    root = Path(geometry.__file__).parents[1]
    for page in PAGES:
        (tmp_path / page).parent.mkdir(parents=True)
        (tmp_path / page).write_text((root / page).read_text())
    monkeypatch.setattr(geometry, "__file__", str(tmp_path / "benchmarks" / "geometry.py"))
    write_json(tmp_path / "results.json", RESULTS)
    geometry.write_pages(tmp_path / "results.json")
    texts = [(tmp_path / page).read_text() for page in PAGES]
    for page, text in zip(PAGES, texts, strict=True):
        before, rest = (root / page).read_text().split(MARKS[0])
        assert text.startswith(before + MARKS[0]) and text.endswith(MARKS[1] + rest.split(MARKS[1])[1])
        assert "on 2 cores with a load of 0.5" in text
    assert "| turns, 9 vertices | 6, proved, 0.2 s (0.5 s) |" in texts[0]
    assert "| length, 50 points, all pairs, five sets | 1 of 2 proved, 2.0 s (3.0 s), the check 0.5 s |" in texts[0]
    assert "| a tour of 1,000 points | 0.75 √(nA), 2.0 s (3.0 s) |" in texts[0]
    assert "| turns, 9 vertices | 6, proved, 0.2 s (0.5 s) | nothing in 15 s |" in texts[1]
    assert "| 50 points | 1 of 2 proved, 2.0 s (3.0 s), the check 0.5 s | 1.000 to 1.250 | – | – |" in texts[1]
    geometry.write_pages(tmp_path / "results.json")
    assert texts == [(tmp_path / page).read_text() for page in PAGES]
