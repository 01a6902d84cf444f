"""Gadgets counted by a sweep: against brute force, and what check does with files that say too much."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from encoders.gadgets import Wanted, frames, search
from kt_models import CertificateError, InvalidTour, KTError
from kt_models.files.check import check_file
from kt_models.gadgets.count import count_gadgets
from kt_models.gadgets.frame import Frame, Port
from tests.command import kt
from tests.encoders.test_gadgets import covers, crossings_of, outside, turns_of

CELLS = tuple((x, y) for x in range(4) for y in range(4))
TWELVE = Frame(CELLS, (Port((0, 3), (-2, -1)), Port((3, 0), (2, 1)), Port((3, 1), (2, 1)), Port((0, 0), (-2, -1))))
FOUR = Frame(CELLS, (Port((2, 3), (-2, 1)), Port((3, 1), (-1, -2)), Port((3, 0), (1, 2)), Port((0, 0), (-2, 1))))


@pytest.mark.parametrize("frame", [TWELVE, FOUR])
def test_counts_are_those_of_brute_force(frame: Frame) -> None:
    values = [(turns_of(s), crossings_of(s)) for s in ([*moves, *outside(frame)] for moves in covers(frame))]
    assert len(values) == (12 if frame is TWELVE else 4)
    assert count_gadgets(frame, Wanted()) == len(values)
    for k, metric in enumerate(("turns", "crossings")):
        known = Counter(value[k] for value in values)
        for most in range(min(known) - 1, max(known) + 1):
            assert count_gadgets(frame, Wanted(), metric, most) == sum(known[v] for v in known if v <= most)
    pairings = Wanted().pairings(frame)
    each = [count_gadgets(frame, Wanted(joined=tuple(tuple(sorted(p)) for p in one))) for one in pairings]
    assert len(each) == 3 and sum(each) == len(values)


def test_what_is_not_counted() -> None:
    with pytest.raises(KTError, match="period"):
        count_gadgets(frames.strip("left", 1, 4, (-2, 1)), Wanted())


def test_a_search_says_that_a_sweep_counts_as_many() -> None:
    assert search(FOUR, minimize="turns").counted and search(FOUR, minimize="crossings", most=1).counted
    assert not search(frames.strip("left", 1, 4, (-2, 1)), minimize="turns").counted


def test_check_counts_again(tmp_path: Path) -> None:
    """The paper's heel: two have 21 turns, and none has fewer."""
    file = tmp_path / "g.json"
    text = kt("search", "heel", "--minimize", "turns", "--all", "-o", file).stdout
    assert "that there are no others, or none better, is counted by an exact sweep" in text
    good = json.loads(file.read_text())
    verdict = check_file(file)
    assert not verdict.stated and "no gadget has fewer than 21 turns" in verdict.text
    assert "each path from a port that is not marked out to one that is" in verdict.text
    one = good | {"gadgets": good["gadgets"][:1], "count": 1}
    for change, error in (
        (one, CertificateError),  # there are two
        (good | {"wanted": {**good["wanted"], "joined": [[0, 1]]}}, InvalidTour),  # neither joins these
        (good | {"wanted": {**good["wanted"], "matchings": ["A>B"]}}, KTError),
        (good | {"wanted": []}, KTError),
        (good | {"at_most": 22}, CertificateError),  # there are six
        (good | {"at_most": "many"}, KTError),
    ):
        file.write_text(json.dumps(change))
        with pytest.raises(error):
            check_file(file)
    file.write_text(json.dumps({key: value for key, value in good.items() if key != "wanted"}))
    assert check_file(file).stated  # nobody knows of which gadgets
