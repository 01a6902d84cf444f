"""What all tests of theorems have in common."""

from __future__ import annotations

import pytest

from encoders.bounds.methods import family


@pytest.fixture(autouse=True)
def made_in_a_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Delivered files name the program of a checkout that made them; in a wheel it has another name."""
    monkeypatch.setattr(family, "HERE", family.HERE.removeprefix("kt."))
