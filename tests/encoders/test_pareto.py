"""Fronts beside the list of all tours, runs that are stopped and continued, and files that are wrong."""

from __future__ import annotations

import json
from itertools import pairwise
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import kt
from encoders.counting.several_sums import count_jointly
from kt_models import KTError, Tour, Weights, graph_of
from kt_models.pareto_front import Absence, ParetoFront, ValuePair
from kt_models.quantities import quantity_cost
from tests import brute
from tests.command import kt as run
from tests.command import one_line_refusal


def least_of(values: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """The pairs that no other one is below."""
    return sorted(v for v in values if not any(a <= v[0] and b <= v[1] and (a, b) != v for a, b in values))


@pytest.mark.slow
def test_the_front_of_6x6() -> None:
    front = kt.pareto("6x6")
    assert [tuple(point.values) for point in front.points] == [(32, 54), (34, 52)]
    assert all(point.proved and point.how for point in front.points)
    assert front.complete and front.status == "optimal" and not front.undecided
    assert least_of(set(count_jointly(front.problem, ["turns", "crossings"]))) == [(32, 54), (34, 52)]


@pytest.mark.parametrize(
    ("board", "is_open", "sums"),
    [
        ("5x6", False, ("turns", "crossings")),
        pytest.param("5x5", True, ("turns", "crossings"), marks=pytest.mark.slow),
        ("3x4", True, ("turns", "-crossings")),
        pytest.param("3x4", True, ("2*turns + crossings", "-turns"), marks=pytest.mark.slow),
        ("3x4", True, ("crossings", "turns")),
    ],
)
def test_fronts_agree_with_all_tours(board: str, is_open: bool, sums: tuple[str, str]) -> None:
    graph = graph_of(board)
    front = kt.pareto(board, sums, open=is_open)
    values = set()
    for order in brute.tours(board, not is_open):
        edges = Tour(graph, np.array(order), not is_open).edges
        first, second = (quantity_cost(graph, quantity, edges) for quantity in front.quantities)
        values.add((first, second))
    assert [tuple(point.values) for point in front.points] == least_of(values)
    assert front.complete


def test_a_front_of_two_lengths_beside_all_cycles() -> None:
    """Two lengths of the roads of a small graph, beside all its cycles."""
    chance = Random(3)
    edges = [(a, b) for a in range(6) for b in range(a) if (a, b) != (5, 2)]
    graph = kt.graph(edges=edges)
    sums = [kt.edge_weights(graph, {edge: chance.randint(0, 9) for edge in edges}) for _ in range(2)]
    front = kt.pareto(graph, sums)
    values = {tuple(w.value(tour.edges) for w in sums) for tour in kt.tours(graph)}
    assert [tuple(point.values) for point in front.points] == least_of(values)  # type: ignore[arg-type]


@pytest.mark.slow
def test_constraints_and_symmetry() -> None:
    front = kt.pareto("6x6", symmetry="rot180", at_least={"crossings": 54})
    values = {(t.measure("turns"), t.measure("crossings")) for t in kt.tours("6x6", symmetry="rot180")}
    kept = {(a, b) for a, b in values if b >= 54}
    assert [tuple(point.values) for point in front.points] == least_of(kept)


def test_a_board_without_a_tour_has_an_empty_front() -> None:
    front = kt.pareto("4x6")
    assert front.status == "infeasible" and front.complete and not front.points
    assert run("pareto", "4x6").exit_code == 0


def test_undecided_pairs_hold_every_missing_point() -> None:
    """Absences and tours in any order leave undecided that hold all that is missing."""
    listed = {}
    for tour in kt.tours("5x5", open=True):
        listed.setdefault(ValuePair(tour.measure("turns"), tour.measure("crossings")), tour)
    right = least_of(set(listed))
    chance = Random(5)
    steps = [(-1, inf), *right, (inf, -1)]
    corners = [(b[0] - 1, a[1] - 1) for a, b in pairwise(steps)]
    for _ in range(30):
        front = ParetoFront(kt.problem("5x5", open=True), ["turns", "crossings"])
        for pair in chance.sample(sorted(listed), chance.randint(0, 5)):
            front.add_tour(listed[pair])
        for first, second in chance.sample(corners, chance.randint(0, len(corners))):
            front.add_absence(Absence(first, second, "a list"))
        for pair in right:
            inside = any(
                low[0] <= pair[0] <= high[0] and low[1] <= pair[1] <= high[1]
                for low, high in ((area.least, area.most) for area in front.undecided)
            )
            assert inside or ValuePair(*pair) in front.tours
        again = ParetoFront.from_json(json.loads(json.dumps(front.to_json())))
        assert again.pairs == front.pairs and again.undecided == front.undecided
    front = ParetoFront(kt.problem("5x5", open=True), ["turns", "crossings"])
    front.add_absence(Absence(30, inf, "a mistake"))
    with pytest.raises(RuntimeError):
        front.add_tour(listed[ValuePair(*right[0])])


@pytest.mark.slow
def test_a_run_is_continued(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    first = kt.pareto("6x6", folder=folder, stop=lambda: (folder / "front.json").exists())
    assert (folder / "front.json").exists()
    assert first.complete or first.undecided
    known = json.loads((folder / "front.json").read_text())
    front = kt.pareto("6x6", folder=folder)
    assert [tuple(point.values) for point in front.points] == [(32, 54), (34, 52)]
    assert len(known["front"]) <= 3
    assert kt.pareto("6x6", folder=folder, time_limit=60).complete  # Nothing is left to do
    with pytest.raises(KTError, match="another"):
        kt.pareto("5x6", folder=folder)
    with pytest.raises(KTError, match="another"):
        kt.pareto("6x6", ("turns", "-crossings"), folder=folder)


def test_a_limit_says_what_may_be_missing() -> None:
    done = run("pareto", "8x8", "--time-limit", "0.01", "--json")
    data = json.loads(done.stdout)
    assert done.exit_code == 3 and data["status"] in ("feasible", "unknown")
    assert data["missing"]
    assert all(set(area) == {"turns", "crossings"} for area in data["missing"])


@pytest.mark.slow
def test_a_front_is_written_proved_and_checked(tmp_path: Path) -> None:
    plot, file, proofs = tmp_path / "front.svg", tmp_path / "front.json", tmp_path / "proofs"
    done = run("pareto", "5x5", "--open", "--json", "-o", plot, "--proof", proofs)
    data = json.loads(done.stdout)
    assert done.exit_code == 0
    assert [(row["turns"], row["crossings"], len(row["tour"])) for row in data["front"]] == [(20, 38, 25), (22, 34, 25)]
    assert plot.read_text().startswith("<?xml") and "(20, 38)" in plot.read_text()
    assert [path.name for path in proofs.iterdir()] == ["turns-21-crossings-37"]
    assert run("check", proofs / "turns-21-crossings-37").exit_code == 0
    assert run("pareto", "5x5", "--open", "-o", file).exit_code == 0
    assert run("check", file).exit_code == 3  # A solver says where there is no tour
    forged = json.loads(file.read_text())
    forged["front"][0]["tour"] = forged["front"][0]["tour"][1:] + forged["front"][0]["tour"][:1]
    file.write_text(json.dumps(forged))
    assert run("check", file).exit_code == 1


def test_forged_fronts() -> None:
    data = json.loads(json.dumps(kt.pareto("4x5", open=True).to_json()))
    for change in (
        {"front": 3}, {"front": [3]}, {"front": [{}]}, {"absent": [{}]}, {"absent": [{"at_most": [1]}]},
        {"absent": [{"at_most": [True, 3]}]}, {"sums": []}, {"sums": [{"sum": "turns"}] * 2}, {"board": "5x6"},
    ):  # fmt: skip
        with pytest.raises(KTError):
            ParetoFront.from_json({**data, **change})
    row = next(row for row in data["absent"] if "certificate" in row)
    side = 0 if row["at_most"][1] is None else 1
    row["at_most"][side] += 1
    with pytest.raises(KTError, match="another claim"):
        ParetoFront.from_json(data)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["6x6", "--minimize", "turns"], ["two sums"]),
        (["6x6", "--minimize", "turns,turns"], ["different"]),
        (["6x6", "--minimize", "turns,bends"], ["turns"]),
        (["6x6", "--minimize", "turns,weight"], ["weight"]),
        (["6x6", "-o", "front.png"], [".svg"]),
        (["6x6", "--number", "a1=1"], ["given numbers"]),
        (["6x6", "--minimize", "turns"], ["--minimize"]),
        ([], ["BOARD"]),
    ],
)
def test_senseless_fronts_are_refused(arguments: list[str], words: list[str]) -> None:
    one_line_refusal(run("pareto", *arguments), *words)


@pytest.mark.parametrize(
    "asked", [{"measures": "turns"}, {"measures": 3}, {"measures": ("turns", 3)}, {"minimize": "turns"}, {"folder": 3}]
)
def test_senseless_fronts_are_refused_in_python(asked: dict[str, Any]) -> None:
    with pytest.raises(KTError):
        kt.pareto("6x6", **asked)
    assert isinstance(kt.edge_weights("6x6", {}), Weights)
