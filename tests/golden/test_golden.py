"""What comes out today is what is recorded (tests/golden/README.md)."""

from __future__ import annotations

import pytest

from tests.golden.recordings import Recording, recordings


@pytest.mark.parametrize(
    "recording",
    [pytest.param(one, id=one.name, marks=[pytest.mark.slow] if one.slow else []) for one in recordings()],
)
def test_nothing_differs_from_what_is_recorded(recording: Recording) -> None:
    """A difference is a fault, or is accepted with the command that the message names."""
    difference = recording.difference()
    if difference:
        pytest.fail(difference, pytrace=False)
