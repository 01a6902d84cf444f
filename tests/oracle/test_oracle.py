"""A little of the oracle with every run; the long run is `python -m tests.oracle.attack` (docs/use/limits.md)."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from kt_models import Problem, graph_of
from kt_models.kernel.certificates.methods import methods
from tests import brute
from tests.effort import part_of
from tests.oracle import pages
from tests.oracle.attack import Attack
from tests.oracle.documents import Documents
from tests.oracle.families import GADGETS, truth_of_family
from tests.oracle.folders import Folders
from tests.oracle.gadgets import judged
from tests.oracle.problems import problem
from tests.oracle.tally import WRONG
from tests.oracle.truth import TooMany, case_of, edges_of
from theorems.statement import Boards, Bound, FamilyStatement

ROUNDS = part_of(1200)


@pytest.mark.parametrize("connectivity", ["cycle", "path"])
@pytest.mark.parametrize("board", ["3x4", "4x5", "5x5", "3x7", "3x8"])
def test_the_truth_is_that_of_another_enumeration(board: str, connectivity: str) -> None:
    graph = graph_of(board)
    orders = brute.tours(board, connectivity == "cycle")
    for metric, measure in (("turns", brute.turns), ("crossings", brute.crossings)):
        case = case_of(Problem(graph, connectivity, metric))
        try:
            values = sorted(map(case.value, case.solutions))
        except TooMany:
            pytest.skip("too many for the oracle")
        assert values == sorted(measure(graph, order, connectivity == "cycle") for order in orders)


def test_the_toolkit_measures_as_the_oracle_does() -> None:
    rng, seen = Random(4), 0
    while seen < 150:
        _, posed = problem(rng)
        case = case_of(posed)
        try:
            solutions = case.solutions[:5]
        except TooMany:
            continue
        for chosen in solutions if posed.objective is not None else []:
            assert posed.value(edges_of(posed, chosen)) == case.value(chosen)
            seen += 1


def test_weights_of_edges_are_those_of_the_file() -> None:
    """In the order in which the file lists edges or arcs, whichever numbers these have inside."""
    rng, seen = Random(5), 0
    while seen < 60:
        data, posed = problem(rng)
        if "edge_weights" not in data:
            continue
        assert posed == Problem.from_json(data)
        case = case_of(posed)
        for chosen in case.solutions[:3]:
            listed = [w for e, w in enumerate(data["edge_weights"]) if chosen >> e & 1]
            assert case.value(chosen) == sum(listed)
            seen += 1


def test_nothing_false_is_accepted() -> None:
    tally = Attack(seed=1).run(ROUNDS)
    assert not tally.faults, tally.faults[0]
    assert all(tally.counts[f"{name} tried"] > part_of(30) for name in methods())
    names = ("tree", "edge-tree", "regions", "frontier", "sweep", "parts")
    assert all(tally.counts[f"{name} accepted"] for name in names)
    # A graph that both rule out has the certificate of the one that was asked first
    assert tally.counts["cut accepted"] + tally.counts["forced accepted"]
    # Bounds that could not be a single unit larger; how many depends on how far the makers come in their time.
    assert tally.counts["tight"]
    assert tally.counts["files accepted"] > part_of(60)  # The sets that the problems come from vary with the hash seed


@pytest.mark.parametrize("method", ["tree", "farkas", "edge-tree", "regions", "frontier"])
def test_nothing_false_is_accepted_of_one_method(method: str) -> None:
    tally = Attack(seed=2, methods=[method], with_files=False).run(part_of(240))
    assert not tally.faults, tally.faults[0]


def test_texts_of_files_stay_texts_on_pages(tmp_path: Path) -> None:
    counts = pages.attack_pages(tmp_path, pages.documents(), 60)
    assert counts["drawn"] > 10


def test_nothing_false_is_accepted_of_runs_and_proof_folders(tmp_path: Path) -> None:
    folders = Folders(seed=1)
    counts = folders.run(15, tmp_path)
    assert not folders.tally.of(*WRONG), folders.tally.faults[0]
    assert counts["honest run accepted"] and counts["honest proof accepted"] and counts["honest formula accepted"]
    assert counts["forged run"] + counts["forged proof"] + counts["forged formula"] >= 60


def test_nothing_false_is_accepted_of_gadgets_lists_and_families(tmp_path: Path) -> None:
    documents = Documents(2, tmp_path)
    documents.gadgets = [data for data in documents.gadgets if "--period 6" not in data["command"]]  # Seconds each time
    tally = documents.run(part_of(420))
    assert not tally.faults, tally.faults[0]
    assert all(
        tally.counts[f"{kind} accepted"] > least for kind, least in (("gadgets", part_of(18)), ("list", part_of(36)))
    )
    assert tally.counts["families accepted"]


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("rectangles 12 closed turns at-least 4 -24", None),
        ("rectangles 12 closed turns at-least 4 -12", False),
        ("squares 12 closed turns at-least 9 -300", False),
        ("squares 500 closed crossings at-least 7 0", False),
        ("squares 12 closed turns at-most 7 1000", False),
        ("rectangles 5 open crossings at-most 1 1000", False),
        ("rectangles 12 closed turns at-most 9 1000", False),  # Of an odd number of cells there is none
        ("squares 3 open turns at-most 9 1000", False),
    ],
)
def test_claims_about_all_sizes_are_judged(text: str, true: bool | None) -> None:
    shape, least, kind, metric, relation, slope, constant = text.split()
    bound = Bound(relation, metric, Fraction(slope), Fraction(constant))  # type: ignore[arg-type]
    claim = FamilyStatement(Boards(shape, int(least)), closed=kind == "closed", bounds=(bound,))  # type: ignore[arg-type]
    assert truth_of_family(claim) is true


@pytest.mark.parametrize("name", ["strip-left-turns", "heel-turns-1", "heel-sharing-crossings-1"])
def test_gadgets_are_counted_as_the_oracle_does(name: str) -> None:
    data = json.loads((GADGETS / f"{name}.json").read_text())
    for gadget in data.get("gadgets", [data]):
        answer = judged(gadget)
        assert not isinstance(answer, str), answer
        assert answer[1:] == (gadget["turns"], gadget["crossings"])


@pytest.mark.slow
def test_nothing_false_is_accepted_of_many_gadgets_lists_and_families(tmp_path: Path) -> None:
    tally = Documents(13, tmp_path).run(10_000)
    assert not tally.faults, tally.faults[0]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 12])
def test_nothing_false_is_accepted_in_a_long_run(seed: int) -> None:
    tally = Attack(seed=seed).run(20_000)
    assert not tally.faults, tally.faults[0]


@pytest.mark.slow
def test_nothing_false_is_accepted_of_many_runs_and_proof_folders(tmp_path: Path) -> None:
    folders = Folders(seed=13)
    folders.run(600, tmp_path)
    assert not folders.tally.of(*WRONG), folders.tally.faults[0]
