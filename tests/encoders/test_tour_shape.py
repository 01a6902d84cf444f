"""The shape of a tour, place by place: every method against brute force of its own, proofs, files, words, refusals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

import kt
from encoders.enumeration import enumerate_tours
from encoders.numbering.engine import NumberEngine, NumberSatEngine
from encoders.solve import solve
from encoders.work.run import Run, race
from kt_models import KTError, Problem
from kt_models.kernel.certificates import Statement
from kt_models.limits import NO_LIMITS
from kt_models.numbers import GivenNumbers
from kt_models.runs.tour_task import TourTask
from kt_models.turn_shape import TurnShape, letters_of
from tests.command import kt as run
from tests.command import kt_json, one_line_refusal
from tests.effort import part_of

Order = tuple[int, ...]
SNAKE = "3,2,2,3,2,3,2,2,3,3,2,2,2,3,3,3,3"
POINTS = {0: (0, 0), 1: (1, 0), 2: (2, 0), 3: (0.5, 0.5), 4: (1, 1), 5: (3, 0)}


def orders(problem: Problem) -> Iterator[Order]:
    """Every numbering: all walks through all vertices, from everywhere in both directions."""
    near: dict[int, set[int]] = {v: set() for v in range(problem.graph.n)}
    for u, v in problem.graph.ends.tolist():
        near[u].add(v)
        near[v].add(u)
    walks = [(v,) for v in near]
    while walks:
        walk = walks.pop()
        if len(walk) < len(near):
            walks += [(*walk, w) for w in near[walk[-1]] if w not in walk]
        elif not problem.closed or (len(walk) > 2 and walk[0] in near[walk[-1]]):
            yield walk


def shape_of(problem: Problem, order: Order) -> str:
    """The letters of a numbering, by coordinates; `.` at the ends of an open tour."""
    if problem.graph.board is not None:
        points: list[Any] = [tuple(cell) for cell in problem.graph.board.cells.tolist()]
    else:
        points = [POINTS[v] for v in range(problem.graph.n)]
    letters = ""
    for k, v in enumerate(order):
        if not problem.closed and k in (0, len(order) - 1):
            letters += "."
            continue
        a, b, c = (points[w] for w in (order[k - 1], v, order[(k + 1) % len(order)]))
        into, out = ([q - p for p, q in zip(*pair, strict=True)] for pair in ((a, b), (b, c)))
        flat = all(x * w == y * u for x, u in zip(into, out, strict=True) for y, w in zip(into, out, strict=True))
        letters += "S" if flat and sum(x * y for x, y in zip(into, out, strict=True)) > 0 else "T"
    return letters


def fits(letters: str, shape: str) -> bool:
    return all(wanted in (".", letter) for letter, wanted in zip(letters, shape, strict=True))


PLACES = [("2x3", "wazir"), ("3x3", "wazir"), ("3x2", "king"), ("3x3", "king"), ("3x4", "1,2"),
          ("2x2x2", "wazir"), ("2x4", "wazir"), ("4x1", "rook")]  # fmt: skip


def problems(closed: bool) -> Iterator[Problem]:
    for board, leaper in PLACES:
        yield kt.problem(board, leaper=leaper, open=not closed)
    edges = [(0, 1), (1, 2), (2, 5), (5, 4), (4, 3), (3, 0), (1, 3), (2, 4), (0, 4)]
    yield kt.problem(edges=edges, pos=POINTS, open=not closed)


@pytest.mark.parametrize("closed", [True, False])
def test_every_method_agrees_with_brute_force(closed: bool) -> None:
    random = Random(closed)
    for plain in problems(closed):
        known = [(order, shape_of(plain, order)) for order in orders(plain)]
        n = plain.graph.n
        for _ in range(part_of(12)):
            letters = random.choice(known)[1] if known and random.random() < 0.8 else "".join(random.choices("ST", k=n))
            loose = random.random()
            shape = "".join("." if random.random() < loose else letter for letter in letters)
            shape = shape if closed else f".{shape[1:-1]}."
            allowed: list[tuple[int, list[int]]] = []
            if random.random() < 0.5:
                allowed = [(random.randrange(n), sorted({random.randint(1, n), random.randint(1, n)}))]
            problem = replace(
                plain, numbers=GivenNumbers(tuple((v, tuple(k)) for v, k in allowed), (), TurnShape(shape))
            )
            expected = [
                order for order, has in known if fits(has, shape) and all(order.index(v) + 1 in ks for v, ks in allowed)
            ]
            found = [tuple(tour.order.tolist()) for tour in enumerate_tours(TourTask(problem))]
            assert sorted(found) == sorted(expected), (problem.to_json(), shape)
            assert kt.count(problem) == len(expected)
            for engine in (NumberEngine(problem, 1), NumberSatEngine(problem)):
                report = race(Run.of(problem, NO_LIMITS), [engine])  # type: ignore[list-item]
                assert (report.status == "infeasible") == (not expected)
            assert (solve(problem).tour is not None) == bool(expected)
            assert (kt.find(problem).tour is not None) == bool(expected)
            least = kt.solve(replace(problem, objective="crossings" if plain.graph.board else None))
            assert (least.tour is not None) == bool(expected)
            assert Problem.from_json(problem.to_json()) == problem


def test_sums_and_a_shape() -> None:
    plain = kt.problem("3x3", leaper="king", open=True)
    order = next(order for order in orders(plain) if "S" in shape_of(plain, order))
    cells = plain.graph.board.cells.tolist()  # type: ignore[union-attr]
    rows = [sum(k for k, v in enumerate(order, 1) if cells[v][1] == y) for y in (2, 1, 0)]
    shape = shape_of(plain, order)
    problem = kt.problem("3x3", leaper="king", open=True, shape=shape, sums={"rows": rows})
    expected = [
        other
        for other in orders(plain)
        if shape_of(plain, other) == shape
        and [sum(k for k, v in enumerate(other, 1) if cells[v][1] == y) for y in (2, 1, 0)] == rows
    ]
    assert kt.count(problem) == len(expected) > 0


@pytest.mark.parametrize("closed", [True, False])
def test_proofs_of_none_and_of_only_one(closed: bool, tmp_path: Path) -> None:
    words = ["3x4", "--leaper", "wazir", *([] if closed else ["--open"]), "--number", "a1=1"]
    plain = kt.problem("3x4", leaper="wazir", open=not closed)
    shapes: dict[str, int] = {}
    for order in orders(plain):
        if order[0] == 0:
            shapes[shape_of(plain, order)] = shapes.get(shape_of(plain, order), 0) + 1
    single = next(shape for shape, count in shapes.items() if count == 1)
    none = "S" * len(single) if closed else f".{'S' * (len(single) - 2)}."
    for name, shape, count in (("one", single, 1), ("none", none, 0)):
        answer = kt_json("enumerate", *words, "--shape", shape, "--count", "--proof", tmp_path / name)
        assert answer["count"] == count
        checked = run("check", tmp_path / name)
        assert checked.exit_code == 0 and f"the shape {shape}" in checked.stdout, checked.stdout
    # The formula of another shape is not that of the claim.
    manifest = tmp_path / "one" / "manifest.json"
    manifest.write_text(manifest.read_text().replace(single, none))
    assert run("check", tmp_path / "one").exit_code == 1


def test_a_snake_cube() -> None:
    problem = kt.problem("3x3x3", leaper="wazir", open=True, shape=SNAKE)
    tour = kt.solve(problem).tour
    assert tour is not None and shape_of(problem, tuple(tour.order.tolist())).count("T") == 16
    assert kt.check(list(tour), "3x3x3", leaper="wazir", shape=SNAKE).shown
    with pytest.raises(KTError, match="where its shape"):
        kt.check(list(tour)[::-1], "3x3x3", leaper="wazir", shape="SSTTTSTTSTTTSTSTTTTSTSTSTSS")


def test_texts_of_shapes() -> None:
    assert letters_of("3,2,2", 5, False) == letters_of("3 2-2", 5, False) == ".STT."
    assert letters_of("SSTTS", 5, False) == letters_of("ESTTE", 5, False) == letters_of("stt", 5, False) == ".STT."
    assert letters_of("S?TT", 4, True) == "S.TT"
    assert letters_of("", 2, False) == ".." and letters_of("", 1, False) == "."


def test_words_digest_and_files(tmp_path: Path) -> None:
    problem = kt.problem("2x3", leaper="wazir", open=True, shape="STTS")
    assert "with the shape .STTS." in Statement(problem, "infeasible").text
    assert problem != kt.problem("2x3", leaper="wazir", open=True, shape="STT.")
    assert problem != replace(problem, numbers=GivenNumbers()) and problem.to_json()["tour_shape"] == ".STTS."
    edges = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)]
    spread = {0: (0, 0), 1: (1, 0), 2: (2, 0), 3: (1, 1)}
    other = {0: (0, 0), 1: (1, 0), 2: (1, 1), 3: (2, 0)}
    first, second = (kt.problem(edges=edges, pos=pos, open=True, shape="ST") for pos in (spread, other))
    assert first != second and replace(first, graph=second.graph) == second
    run("solve", "2x3", "--leaper", "wazir", "--open", "--shape", "STTS", "-o", tmp_path / "r.json")
    assert run("check", tmp_path / "r.json").exit_code == 0
    data = (tmp_path / "r.json").read_text()
    (tmp_path / "wrong.json").write_text(data.replace(".STTS.", ".TTTS."))
    assert run("check", tmp_path / "wrong.json").exit_code == 1


WRONG = [
    ("solve 3x3x3 --leaper wazir --open --shape SST", "25"),
    ("solve 3x3 --leaper wazir --open --shape 3,2", "these pieces have 4 cells, and there are 9"),
    ("solve 3x3 --leaper wazir --open --shape SSXSSSS", "write S where"),
    ("solve 2x3 --leaper wazir --shape 3,2,3", "write S where"),
    ("solve 3x3 --leaper wazir --open --shape 3,1,2", "at least 2 cells"),
    ("magic 4x4 --shape SSTTSSTTSSTTSS --open", "shape"),
    ("bound 6x6 --minimize turns --shape ....................................", "given numbers"),
    ("solve torus:3x3 --shape TTTTTTTTT", "two moves of"),
    ("solve 6x6 --shape .................................... --straight c3", "no engine serves both"),
    ("convert 4x4 out.cnf --shape ................ --leaper wazir", "given numbers"),
]


@pytest.mark.parametrize(("words", "says"), WRONG)
def test_senseless_shapes_are_refused(words: str, says: str) -> None:
    one_line_refusal(run(*words.split()), says)


def test_directed_graphs_have_no_shape() -> None:
    with pytest.raises(KTError, match="shape"):
        kt.problem(edges=[(0, 1), (1, 2), (2, 0)], pos={0: (0, 0), 1: (1, 0), 2: (0, 1)}, directed=True, shape="TTT")


def test_a_file_gives_no_shape_to_a_directed_graph() -> None:
    data = kt.problem(edges=[(0, 1), (1, 2), (2, 0)], directed=True, numbers={0: 1}).to_json()
    assert Problem.from_json(data).numbers is not None
    with pytest.raises(KTError, match="shape"):
        Problem.from_json(data | {"tour_shape": "TTT"})
