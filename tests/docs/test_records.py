"""The records that are delivered: tours of the values that they and the page say; bounds as good as the theorems."""

from __future__ import annotations

import json
from math import ceil

import pytest

from encoders.bounds import certify_lower_bound
from kt_models import Symmetry, read_tour, verify
from kt_models.files.check import check_file
from kt_models.limits import Limits
from research.records import FAMILIES, Case, proved_bound
from tests.house import ROOT
from theorems.statement import claims_of

RECORDS = sorted((ROOT / "heuristics" / "delivered" / "records").glob("*.json"))


def test_every_record_is_a_tour_of_its_value() -> None:
    assert RECORDS
    page = (ROOT / "docs" / "data" / "records.md").read_text()
    for path in RECORDS:
        data = json.loads(path.read_text())
        tour = read_tour(path)
        verify(tour)
        assert tour.closed and tour.measure(data["objective"]) == data["value"] >= data.get("bound", 0)
        for text in data.get("symmetry", []):
            assert Symmetry.parse(text, tour.graph.board.dimension) in tour.symmetries()
        assert f"[{data['value']}](../../heuristics/delivered/records/{path.name})" in page
        assert all(f" {data['bound']} " in f" {claim} " for claim in data.get("claims", []))


def test_no_record_has_a_lower_bound_than_the_theorems_show() -> None:
    """What `kt bound` says of any rectangle at once, the table says too; and a symmetric tour is a tour."""
    results = RECORDS[0].parents[1] / "results"
    paths = [path for kind in ("all-n", "border") for path in results.glob(f"*-{kind}*.json")]
    files = [json.loads(path.read_text()) for path in paths]
    claims = [claim for data in files for claim in claims_of(data, data["kind"]) if claim.closed]
    assert {bound.metric for claim in claims for bound in claim.bounds} == {"turns", "crossings"}
    for path in RECORDS:
        data = json.loads(path.read_text())
        board = read_tour(path).graph.board
        sides = board.shape if board.is_box and board.dimension == 2 else None
        for claim in claims:
            if "certificate" in data and sides is not None and claim.boards.includes(*sides):
                known = [ceil(bound.at(sum(sides))) for bound in claim.bounds if bound.metric == data["objective"]]
                assert data["bound"] >= max(known, default=0), path.name
        plain = path.with_name(path.name.replace("-rot90", ""))
        if plain != path and plain.exists() and "certificate" in data:
            assert data["bound"] >= json.loads(plain.read_text()).get("bound", 0), path.name


@pytest.mark.slow
def test_every_record_is_what_it_claims() -> None:
    for path in RECORDS:
        check_file(path)


def unsettled() -> list[Case]:
    cases = [case for _, family in FAMILIES.values() for case in family if case.path.exists()]
    return [case for case in cases if json.loads(case.path.read_text())["status"] != "optimal"]


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("case", unsettled(), ids=lambda case: case.path.stem)
def test_no_record_has_a_lower_bound_than_a_minute_gives(case: Case) -> None:
    """On a faster machine this asks for more, as it should: then `research/records.py --bounds` has work to do."""
    known, _ = proved_bound(case, json.loads(case.path.read_text()))
    certificate = certify_lower_bound(case.problem, limits=Limits(60))
    assert (certificate.bound or 0) <= (known or 0)
