"""The speed of a machine decides what fits into a time limit; whatever is wrong with the file, there is a default."""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest

from kt_models import speed
from kt_models.code_cache import read_checked, write_checked
from kt_models.limits import Limits


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("kt_models.code_cache.cache_folder", lambda: tmp_path / "cache")
    speed.speed.cache_clear()
    yield tmp_path / "cache"
    speed.speed.cache_clear()


@pytest.mark.parametrize(("text", "wanted"), [("2.5", 2.5), ("1e9", speed.FACTOR), ("0", 1 / speed.FACTOR)])
def test_a_speed_is_read_within_bounds(folder: Path, text: str, wanted: float) -> None:
    write_checked(folder / speed.FILE, text.encode())
    assert speed.speed() == wanted


def test_a_damaged_speed_is_one(folder: Path) -> None:
    write_checked(folder / speed.FILE, b"2.5")
    (folder / speed.FILE).write_bytes((folder / speed.FILE).read_bytes()[:-1] + b"6")
    assert speed.speed() == 1.0


def test_a_speed_that_was_not_measured_is_one(folder: Path) -> None:
    assert speed.speed() == 1.0


def test_a_measured_speed_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.4, 0.2, 0.3, 0.5, 0.6])
    monkeypatch.setattr(speed, "_timed", lambda: next(times))
    assert speed.measure_speed() == speed.REFERENCE_SECONDS / 0.2 == speed.speed()
    assert read_checked(folder / speed.FILE) == b"0.5"


def test_what_fits_depends_on_the_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    for factor, fitting in ((0.5, False), (1.0, False), (2.0, True)):
        monkeypatch.setattr(speed, "speed", lambda factor=factor: factor)
        assert speed.fits(1500, Limits(1000)) == fitting
        assert speed.fits(1, Limits(1000)) and not speed.fits(inf, Limits(1000)) and speed.fits(1e9, Limits())
    assert speed.expected("sweep", 250) == "sweep (about 2 minutes)"
