"""What docs/runs holds: every tour and gadget verified again, classes distinct, sums and recurrences as they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import counts
from kt_models import CertificateError, InvalidTour, KTError, Problem, graph_of, read_tour
from kt_models.files.check import check_file
from kt_models.gadgets.gadget import Gadget, gadgets_of_json
from kt_models.kernel.certificates.frontier import count_solutions
from kt_models.runs.summary import KIND, check_summary, images_of
from kt_models.runs.tour_task import TourTask
from kt_models.tour import tour_from_json
from tests import brute
from tests.effort import slow

FOLDER = Path(__file__).parents[2] / "docs" / "runs"
RESULTS = FOLDER.parents[1] / "heuristics" / "delivered" / "results"
FILES = sorted(FOLDER.glob("*.json"))
SUMMARIES = [path for path in FILES if f'"kind": "{KIND}"' in path.read_text()[:200]]
HEELS = [path for path in FILES if path.name.startswith("heels")]
FEW_HEELS = [path for path in HEELS if path.stem.startswith("heels-24")]
"""Those of the default tests: the others take longer, and are checked in the same way."""
LONG = ("turns-6x6-open", "turns-6x8")
"""Runs with many tours."""


# -- runs --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=pytest.mark.slow if path.stem in LONG else []) for path in SUMMARIES],
    ids=lambda path: path.stem,
)
def test_summaries_are_what_their_runs_found(path: Path) -> None:
    """Tours, values, classes, and that the images of the classes are what the run without symmetry found."""
    assert "two runs, with and without symmetry, agree" in check_summary(path).how
    data = json.loads(path.read_text())
    total = sum(int(size) * number for size, number in data["orbits"].items())
    assert total == data["whole"]["count"] and data["run"]["count"] == data["count"]
    for page in (data["run"], data["whole"]):
        assert page["command"].startswith("kt enumerate ") and page["records"]["done"] == page["cubes"]


@pytest.mark.parametrize("path", SUMMARIES, ids=lambda path: path.stem)
def test_their_tours_by_other_code(path: Path) -> None:
    data = json.loads(path.read_text())
    task = TourTask.from_json(data["task"])
    graph, closed = task.problem.graph, task.problem.closed
    lines = (FOLDER / data["tours"]).read_text().splitlines()
    sets = []
    for line in lines:
        order = tuple(tour_from_json(json.loads(line)).order.tolist())
        assert sorted(order) == list(range(graph.n))
        sets.append(brute.edge_set(graph, order, closed))
        if task.problem.objective == "turns":
            assert brute.turns(graph, order, closed) == task.value
        elif task.problem.objective == "crossings":
            assert brute.crossings(graph, order, closed) == task.value
    assert len(set(sets)) == len(sets) == data["count"]
    for i, mine in enumerate(sets):
        images = {frozenset(graph.edge_permutation(s)[list(mine)].tolist()) for s in graph.symmetries()}
        assert not images & set(sets[i + 1 :])


@pytest.mark.parametrize(
    ("name", "classes", "tours"),
    [("turns-6x6", 3, 18), ("turns-8x8", 14, 112), ("crossings-6x6", 3, 14), ("crossings-6x8", 1, 4)],
)
def test_classes_and_tours_are_as_many_as_known(name: str, classes: int, tours: int) -> None:
    data = json.loads((FOLDER / f"{name}.json").read_text())
    assert (data["count"], data["whole"]["count"]) == (classes, tours)


@pytest.mark.parametrize("path", SUMMARIES, ids=lambda path: path.stem)
def test_the_least_value_is_the_proved_one(path: Path) -> None:
    """Where heuristics/delivered/results has a certificate for the same question, its tour is in one of the classes."""
    task = TourTask.from_json(json.loads(path.read_text())["task"])
    proved = RESULTS / path.name
    if task.problem.symmetry or not proved.exists():
        pytest.skip("not in heuristics/delivered/results")
    data = json.loads(proved.read_text())
    assert data["status"] == "optimal" and data["value"] == task.value
    lines = (FOLDER / f"{path.stem}.jsonl").read_text().splitlines()
    assert task.key(read_tour(proved)) in {task.key(tour_from_json(json.loads(line))) for line in lines}


def _summary(change: Callable[[dict[str, Any]], None]) -> Callable[[Path], None]:
    def forge(folder: Path) -> None:
        data = json.loads((folder / "x.json").read_text())
        change(data)
        (folder / "x.json").write_text(json.dumps(data))

    return forge


def _lines(change: Callable[[list[str]], list[str]]) -> Callable[[Path], None]:
    """Forged tours, and their digest with them."""

    def forge(folder: Path) -> None:
        from hashlib import sha256

        lines = change((folder / "x.jsonl").read_text().splitlines())
        text = "".join(f"{line}\n" for line in lines)
        (folder / "x.jsonl").write_text(text)
        _summary(lambda data: data.update(sha256=sha256(text.encode()).hexdigest()))(folder)

    return forge


def _image(line: str) -> str:
    """Another tour of the same class."""
    tour = tour_from_json(json.loads(line))
    image = images_of(TourTask(Problem(tour.graph), up_to_symmetry=True), tour)[-1]
    cells = [tour.graph.board.cells[v].tolist() for v in image.order]  # type: ignore[union-attr]
    return json.dumps({**json.loads(line), "tour": cells})


@pytest.mark.parametrize(
    "forge",
    [
        _lines(lambda lines: lines[1:]),
        _lines(lambda lines: [*lines, lines[0]]),
        _lines(lambda lines: [*lines[1:], _image(lines[1])]),
        _lines(lambda lines: [*lines[1:], lines[0].replace("[0, 0], [1, 2]", "[1, 2], [0, 0]")]),
        _lines(lambda lines: [*lines, "no"]),
        lambda folder: (folder / "x.jsonl").unlink(),
        lambda folder: (folder / "x.jsonl").write_text((folder / "x.jsonl").read_text() + "\n"),
        _summary(lambda data: data.update(orbits={"8": 3})),
        _summary(lambda data: data.update(count=4)),
        _summary(lambda data: data["task"].update(value=33)),
        _summary(lambda data: data["whole"].update(count=19)),
        _summary(lambda data: data["whole"].update(keys="0" * 64)),
        _summary(lambda data: data["run"].update(keys="0" * 64)),
        _summary(lambda data: data.update(kind="run")),
        _summary(lambda data: data.update(whole=[])),
        _summary(lambda data: data.update(tours="../x.jsonl")),
        _summary(lambda data: data.pop("task")),
    ],
)
def test_forged_summaries_are_refused(forge: Callable[[Path], None], tmp_path: Path) -> None:
    for suffix in (".json", ".jsonl"):
        text = (FOLDER / f"turns-6x6{suffix}").read_text()
        (tmp_path / f"x{suffix}").write_text(text.replace("turns-6x6.jsonl", "x.jsonl"))
    check_summary(tmp_path / "x.json")
    forge(tmp_path)
    with pytest.raises(KTError) as raised:
        check_summary(tmp_path / "x.json")
    assert "\n" not in str(raised.value)
    assert isinstance(raised.value, (CertificateError, InvalidTour)) or "x.json" in str(raised.value)


# -- heels -------------------------------------------------------------------------------------------------------------


@cache
def heels(name: str) -> tuple[dict[str, Any], tuple[Gadget, ...]]:
    data = json.loads((FOLDER / f"{name}.json").read_text())
    return data, gadgets_of_json(data)


@pytest.mark.parametrize(
    "path",
    [*FEW_HEELS, *slow(path for path in HEELS if path not in FEW_HEELS)],
    ids=lambda path: path.stem,
)
def test_lists_of_heels_are_complete_and_verified(path: Path) -> None:
    assert "each path and pairing verified" in check_file(path).text
    data, found = heels(path.stem)
    assert data["complete"] and data["count"] == len(found) == len({heel.paths for heel in found})
    assert data["command"].startswith("kt search heel ")
    if "minimize" in data:
        assert {heel.measure(data["minimize"]) for heel in found} == {data["value"]}


def test_the_delivered_runs_have_all_seven_heels() -> None:
    _, found = heels("heels-24")
    values = sorted((heel.turns, heel.crossings) for heel in found)
    assert values == [(21, 31), (21, 31), (22, 28), (22, 30), (22, 32), (22, 32), (24, 34)]
    for name, least in (("heels-24-turns", 21), ("heels-24-crossings", 28)):
        data, best = heels(name)
        metric = data["minimize"]
        assert data["value"] == least
        assert {heel.paths for heel in best} == {heel.paths for heel in found if heel.measure(metric) == least}


# -- counts ------------------------------------------------------------------------------------------------------------

RECORDS = counts.read(counts.FILE)

PUBLISHED = {
    "3x10 closed": 16, "3x12 closed": 176, "3x14 closed": 1536, "3x16 closed": 15424, "3x18 closed": 147728,
    "5x6 closed": 8, "5x8 closed": 44202, "6x6 closed": 9862, "6x7 closed": 1067638, "6x8 closed": 55488142,
    "3x4 open": 8, "4x5 open": 82, "4x6 open": 744, "5x5 open": 864, "6x6 open": 3318960,
}  # fmt: skip
"""Without direction."""


@pytest.mark.parametrize("name", PUBLISHED)
def test_recorded_counts_are_the_published_ones(name: str) -> None:
    assert int(RECORDS[name]["count"]) == PUBLISHED[name]


OTHERS = counts.read(counts.OTHER_FILE)


@pytest.mark.parametrize("board", ["aztec:2", "aztec:3", "2x3x4", "torus:3x3"])
def test_other_boards_counted_by_the_whole_sweep(board: str) -> None:
    assert int(OTHERS[f"{board} closed"]["count"]) == count_solutions(Problem(graph_of(board)).by_cells).total


def test_the_published_number_of_the_4_cube() -> None:
    """Hamiltonian cycles of the 4-cube, which is the graph of the torus 4x4: A066037 of the OEIS."""
    assert int(OTHERS["torus:4x4 closed"]["count"]) == 1344


def test_published_numbers_of_grids() -> None:
    """Cycles of grids, tours of the leaper 0,1: A003763 of the OEIS."""
    known = {6: 1072, 8: 4638576, 10: 467260456608, 12: 1076226888605605706}
    assert {n: int(OTHERS[f"{n}x{n}/0,1 closed"]["count"]) for n in known} == known


def test_the_page_shows_what_the_file_has(capsys: pytest.CaptureFixture[str]) -> None:
    counts.print_tables(RECORDS, OTHERS)
    page = (FOLDER.parent / "data" / "counts.md").read_text()
    assert [line for line in capsys.readouterr().out.splitlines() if line not in page] == []


def test_where_there_are_none() -> None:
    """Schwenk 1991: closed tours of rectangles with both sides at least 3, the shorter one first."""
    for name, record in RECORDS.items():
        board, kind, *_ = name.split()
        if kind == "closed" and "count" in record:
            a, b = map(int, board.split("x"))
            none = (a % 2 and b % 2) or a == 4 or (a == 3 and b in (4, 6, 8))
            assert (int(record["count"]) == 0) == bool(none), name


@pytest.mark.parametrize("name", [name for name in RECORDS if len(name.split()) == 3])
def test_counts_by_value_add_up_to_the_count(name: str) -> None:
    board, kind, metric = name.split()
    record = RECORDS[name]
    values = {int(value): int(number) for value, number in record["by_value"].items()}
    assert sum(values.values()) == int(record["count"]) == int(RECORDS[f"{board} {kind}"]["count"])
    proved = RESULTS / f"{metric}-{board}{'' if kind == 'closed' else '-open'}.json"
    if proved.exists():
        assert min(values) == json.loads(proved.read_text())["value"]


@pytest.mark.parametrize("name", ["3x30 closed", "4x9 closed", "5x10 closed", "4x12 open", "6x6 closed turns"])
def test_a_sweep_counts_the_same_again(name: str) -> None:
    board, kind, *metric = name.split()
    problem = Problem(graph_of(board), "cycle" if kind == "closed" else "path", *metric)  # type: ignore[arg-type]
    again = count_solutions(problem, by_value=bool(metric))
    assert str(again.total) == RECORDS[name]["count"]
    if again.by_value is not None:
        assert {str(value): str(number) for value, number in again.by_value.items()} == RECORDS[name]["by_value"]


def test_runs_and_counts_agree() -> None:
    for path in SUMMARIES:
        data = json.loads(path.read_text())
        task = TourTask.from_json(data["task"])
        graph, kind = task.problem.graph.name, "closed" if task.problem.closed else "open"
        record = RECORDS.get(f"{graph} {kind} {task.problem.objective}")
        if record is not None and not task.problem.symmetry:
            assert record["by_value"][str(task.value)] == str(data["whole"]["count"]), path.name


def test_a_recurrence_of_3xn() -> None:
    """Found from the first terms alone, it gives all the others: the counts vouch for each other."""
    widths, terms = counts.family(RECORDS, 3, "closed")
    assert widths[:4] == [4, 6, 8, 10] and len(terms) > 100
    found = counts.recurrence(terms[:60])
    assert found is not None and len(found) == 21
    for i in range(21, len(terms)):
        assert terms[i] == sum(c * terms[i - 1 - j] for j, c in enumerate(found))
    changed = terms.copy()
    changed[50] += 1
    assert counts.recurrence(changed) is None or len(counts.recurrence(changed) or []) > 21


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=4), st.lists(st.integers(-9, 9), min_size=4, max_size=4))
def test_a_recurrence_is_found_from_its_terms(coefficients: list[int], start: list[int]) -> None:
    order = len(coefficients)
    terms = start[:order]
    while len(terms) < 4 * order + 4:
        terms.append(sum(c * terms[-1 - j] for j, c in enumerate(coefficients)))
    found = counts.recurrence(terms)
    assert found is not None and len(found) <= order
    k = len(found)
    assert all(terms[i] == sum(c * terms[i - 1 - j] for j, c in enumerate(found)) for i in range(k, len(terms)))
