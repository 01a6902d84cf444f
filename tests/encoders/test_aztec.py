"""The ledger of Aztec diamonds: facts that are found again, and files that go on."""

from __future__ import annotations

import copy
import json
import signal
import threading
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.aztec import parse_radii
from cli.aztec_output import ranges
from encoders.papers.aztec import ledger
from encoders.papers.aztec import settle as aztec
from encoders.papers.aztec.ledger import AztecLedger, by_radius, settle_all
from encoders.papers.aztec.settle import CERTIFICATE, FROM_CLOSED, Entry, Existence, digest, recreate, settle
from kt_models import CertificateError, KTError, Problem, Tour, graph_of, read_tour, verify
from kt_models.json_version import FORMAT_VERSION
from kt_models.limits import Limits
from tests import brute, command
from tests.effort import part_of
from tests.processes import PATIENCE, started, until

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "heuristics" / "delivered" / "results" / "aztec.json"


kt = partial(command.kt, "aztec")


@pytest.fixture(scope="module")
def small() -> dict[int, aztec.RadiusResult]:
    return {radius: settle(radius) for radius in (1, 2, 3, 4, 13, 20)}


# -- facts -------------------------------------------------------------------------------------------------------------


def test_small_radii_agree_with_enumeration(small: dict[int, aztec.RadiusResult]) -> None:
    for radius in (1, 2):
        entry = small[radius].entry
        assert entry.closed.exists == brute.has_tour(f"aztec:{radius}", True)
        assert entry.open.exists == brute.has_tour(f"aztec:{radius}", False)


def test_tours_are_tours_and_carry_their_digest(small: dict[int, aztec.RadiusResult]) -> None:
    for radius, settled in small.items():
        if radius == 1:
            assert settled.tours == {}
            assert settled.entry.closed.method == settled.entry.open.method == CERTIFICATE
            continue
        tour = settled.tours["closed"]
        assert (tour.closed, len(tour)) == (True, 2 * radius * (radius + 1))
        verify(tour)
        fact = settled.entry.closed
        assert fact == Existence(True, "exact" if radius <= 12 else "rings", 0, digest(tour))
        assert settled.entry.open == Existence(True, FROM_CLOSED)
        verify(aztec.without_a_move(tour))


def test_the_digest_is_of_the_tour_not_of_how_it_is_written(small: dict[int, aztec.RadiusResult]) -> None:
    tour = small[4].tours["closed"]
    rolled = Tour(tour.graph, np.roll(tour.order[::-1], 7), True)
    assert digest(rolled) == digest(tour)
    assert digest(small[3].tours["closed"]) != digest(tour)


def test_entries_survive_json(small: dict[int, aztec.RadiusResult]) -> None:
    for settled in small.values():
        data = json.loads(json.dumps(settled.entry.to_json()))
        again = Entry.from_json(data)
        assert again.to_json() == data
        assert recreate(again) is not None


def test_an_open_tour_is_searched_where_there_is_no_closed_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def stubborn(problem: Problem, *rest: Any) -> tuple[Existence, Tour | None]:
        return (Existence(False, "exact"), None) if problem.closed else exact(problem, *rest)

    exact = aztec.METHODS["exact"]
    monkeypatch.setitem(aztec.METHODS, "exact", stubborn)
    settled = settle(3)
    assert settled.entry.closed == Existence(False, "exact")
    assert settled.entry.open.method == "exact"
    assert not settled.tours["open"].closed
    verify(settled.tours["open"])
    assert recreate(settled.entry) is not None
    monkeypatch.undo()
    with pytest.raises(CertificateError, match="there is a tour"):
        recreate(settled.entry)


def test_merging_that_finds_nothing_hands_over_to_the_exact_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aztec, "MAX_EXACT_RADIUS", 3)
    assert settle(4).entry.closed.method == "rings"
    monkeypatch.setitem(aztec.METHODS, "rings", lambda *rest: (Existence(), None))
    assert settle(4).entry.closed.method == "exact"


@pytest.mark.parametrize("radius", [0, -3])
def test_a_radius_below_one_is_refused(radius: int) -> None:
    with pytest.raises(KTError, match="at least 1"):
        settle(radius)


def test_a_limit_leaves_a_radius_unknown() -> None:
    stop = threading.Event()
    stop.set()
    for entry in (settle(30, Limits(0)).entry, settle(5, Limits(stop=stop)).entry):
        assert (entry.closed, entry.open, entry.answered) == (Existence(), Existence(), False)
    assert recreate(settle(13).entry, limits=Limits(stop=stop)) is None


def test_altered_entries_are_found_out(small: dict[int, aztec.RadiusResult]) -> None:
    def altered(radius: int, kind: str, **changes: Any) -> Entry:
        data = copy.deepcopy(small[radius].entry.to_json())
        data[kind].update(changes)
        return Entry.from_json(data)

    document = small[1].entry.to_json()
    for entry, words in [
        (altered(13, "closed", sha256="0" * 64), "not the one recorded"),
        (altered(20, "closed", seed=1), "not the one recorded"),
        (altered(1, "closed", certificate=document["open"]["certificate"]), "about something else"),
        (altered(1, "open", certificate={}), "does not hold"),
        (Entry(2, Existence(False, "exact"), Existence(False, "exact")), "there is a tour"),
        (Entry(1, Existence(True, "rings", 0, "0" * 64), Existence(True, FROM_CLOSED)), "finds no tour"),
        (
            Entry(2, Existence(False, CERTIFICATE, certificate=document["closed"]["certificate"]), Existence()),
            "about something else",
        ),
    ]:
        with pytest.raises(CertificateError, match=words):
            recreate(entry)


junk = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 10**30), st.floats(), st.text(max_size=5), st.just([]), st.just({})
)


@settings(max_examples=part_of(150), deadline=None)
@given(st.data())
def test_hostile_ledgers_are_refused_or_read(data: st.DataObject) -> None:
    found = {"exists": True, "method": "rings", "seed": 0, "sha256": "ab" * 32}
    entry = {"radius": 5, "cells": 60, "closed": found, "open": {"exists": True, "method": FROM_CLOSED}, "seconds": 1}
    ledger: Any = {"version": FORMAT_VERSION, "kind": "aztec-ledger", "made_with": ["x"], "entries": [entry]}
    place = data.draw(st.sampled_from([ledger, entry, found, entry["open"]]))
    place[data.draw(st.sampled_from([*place, "other"]))] = data.draw(junk)
    try:
        read = AztecLedger.from_json(ledger)
    except KTError:
        return
    assert AztecLedger.from_json(read.to_json()).to_json() == read.to_json()


# -- many radii --------------------------------------------------------------------------------------------------------


def test_processes_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "MIN_PARALLEL_WORK", 10_000)
    radii = list(range(13, 25))
    digests = [
        {s.entry.radius: s.entry.closed.sha256 for s in settle_all(radii, limits=Limits(workers=workers))}
        for workers in (1, 2)
    ]
    assert digests[0] == digests[1]
    assert sorted(digests[0]) == radii


def test_work_on_radii_ends_when_told_and_passes_faults_on() -> None:
    stop = threading.Event()
    calls = [(radius,) for radius in range(1000)]
    results = by_radius(lambda radius, limits: radius, calls, Limits(stop=stop, workers=1))
    assert [next(results) for _ in range(5)] == [0, 1, 2, 3, 4]
    stop.set()
    assert list(results) == []

    def fail(radius: int, limits: Limits) -> int:
        raise KTError("broken")

    with pytest.raises(KTError, match="broken"):
        list(by_radius(fail, calls, Limits(workers=1)))


# -- the command -------------------------------------------------------------------------------------------------------


@given(st.sets(st.integers(1, 60), min_size=1))
def test_radii_are_read_as_they_are_written(radii: set[int]) -> None:
    assert parse_radii(ranges(radii)) == sorted(radii)


def test_radii_in_words() -> None:
    assert parse_radii("3, 1..2,2..4") == [1, 2, 3, 4]
    assert ranges([]) == "none of these"


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ("", "RADII"),
        ("0", "at least 1"),
        ("1..x", "write them as"),
        ("5..3", "greater"),
        ("5..", "write them as"),
        ("99999", "limit"),
        ("5 --workers 0", "workers"),
        ("5 --time-limit nan", "time limit"),
        ("5 --time-limit -1", "time limit"),
        ("5 --seed -1", "seed"),
        ("5 --sample 3", "--sample"),
        ("--verify x.json --lemmas", "different"),
        ("5 --ledger x.txt", ".json"),
        ("5 --ledger /nope/x.json", "cannot write"),
        ("--verify /nope/x.json", "cannot read"),
        ("500 --lemmas", "limit"),
    ],
)
def test_bad_input_is_refused_in_a_line(arguments: str, word: str) -> None:
    result = kt(*arguments.split())
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1), result.output
    assert word in result.stderr


@pytest.mark.slow
def test_a_ledger_goes_on_and_is_verified(tmp_path: Path) -> None:
    path, folder = tmp_path / "aztec.json", tmp_path / "tours"
    result = kt("1..3", "--ledger", path, "--tours", folder)
    assert result.exit_code == 0, result.output
    assert "no open tour:                 1\n" in result.stdout
    assert "an open but no closed tour:   none of these\n" in result.stdout
    assert sorted(p.name for p in folder.iterdir()) == ["closed-2.json", "closed-3.json"]
    first = path.read_bytes()
    (folder / "closed-3.json").unlink()
    assert kt("2..3", "--ledger", path, "--tours", folder).exit_code == 0  # Found again, for the file
    assert digest(read_tour(folder / "closed-3.json")) == AztecLedger.read(path).entries[3].closed.sha256
    assert path.read_bytes() == first
    data = json.loads(kt("3..5,13", "--ledger", path, "--json").stdout)
    assert [e["radius"] for e in data["entries"]] == [3, 4, 5, 13]
    assert data["unknown"] == []
    assert sorted(AztecLedger.read(path).entries) == [1, 2, 3, 4, 5, 13]
    assert first.splitlines()[1:3] == path.read_bytes().splitlines()[1:3]  # Untouched
    result = kt("1..5,13", "--verify", path)
    assert result.exit_code == 0, result.output
    assert "6 radii agree (1..5, 13)" in result.stdout
    assert json.loads(kt("--verify", path, "--sample", "2", "--json").stdout)["status"] == "ok"
    path.write_text(path.read_text().replace(AztecLedger.read(path).entries[13].closed.sha256 or "", "0" * 64))
    result = kt("5,13", "--verify", path)
    assert result.exit_code == 1
    assert "wrong: radius 13, closed: rings with seed 0 finds a tour, but not the one recorded" in result.stdout
    assert "1 radii agree (5)" in result.stdout
    assert kt("99", "--verify", path).exit_code == 2


def test_radii_that_a_limit_cut_off_are_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "aztec.json"
    result = kt("40", "--ledger", path, "--radius-time", "0.000001")
    assert result.exit_code == 3
    assert "not settled:                  40" in result.stdout
    assert not AztecLedger.read(path).entries[40].answered
    assert kt("40", "--ledger", path).exit_code == 0
    assert AztecLedger.read(path).entries[40].answered
    assert kt("40", "--verify", path, "--time-limit", "0.000001").exit_code == 3


@pytest.mark.slow
def test_ctrl_c_gives_what_is_done(tmp_path: Path) -> None:
    path = tmp_path / "aztec.json"
    process = started("aztec", "20..900", "--ledger", path, "--json")
    until(path.exists)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (3, f"written {path}\n")
    data = json.loads(out)
    assert data["entries"][0]["radius"] == 20
    assert data["unknown"][-1] == 900
    assert AztecLedger.read(path).to_json()["entries"] == data["entries"]


def test_the_command_for_lemmas() -> None:
    result = kt("1..5", "--lemmas")
    assert result.exit_code == 0
    rows = [line[:6].strip() for line in result.stdout.splitlines() if line[:6].strip()]  # Others continue a row
    assert rows == ["radius", "1", "2", "3", "4", "5"]
    data = json.loads(kt("3..4", "--lemmas", "--json", "--workers", "2").stdout)
    assert [e["radius"] for e in data["entries"]] == [3, 4]


def test_four_tours_are_drawn(tmp_path: Path) -> None:
    assert kt("2..4", "--lemmas", "--tours", str(tmp_path)).exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["four-3.svg", "four-4.svg"]
    assert (tmp_path / "four-4.svg").read_text().count("<path") >= 1


# -- what is shipped ---------------------------------------------------------------------------------------------------


def test_the_shipped_ledger_is_complete() -> None:
    ledger = AztecLedger.read(SHIPPED)
    assert set(range(1, 501)) <= set(ledger.entries)
    assert ledger.missing(ledger.entries) == []
    assert [r for r, e in ledger.entries.items() if not e.closed.exists] == [1]
    assert [r for r, e in ledger.entries.items() if not e.open.exists] == [1]
    for radius in (1, 17, 21, 100):
        assert recreate(ledger.entries[radius]) is not None
    for radius in range(2, 13):
        tour = read_tour(SHIPPED.parent / "aztec" / f"closed-{radius}.json", graph_of(f"aztec:{radius}"))
        verify(tour)
        assert digest(tour) == ledger.entries[radius].closed.sha256
