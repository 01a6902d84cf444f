"""A bound that is cheap and good comes first, and is kept while a better one is worked on."""

from __future__ import annotations

import threading
import time
from itertools import pairwise

import numpy as np
import pytest

from encoders.bounds import NotShown, certify_lower_bound
from encoders.bounds.methods import methods
from encoders.compare import Comparison, Effort, compare
from encoders.gadgets import Wanted, frames, search
from encoders.table import BoardTable, problems_of
from kt_models import Leaper, Problem, Symmetry, graph_of
from kt_models.kernel.certificates import states
from kt_models.limits import Limits, Report
from kt_models.problem import MAX_SYMMETRIC

SECONDS = 5.0
SLOWER = 50.0
"""How many times slower than idle a busy machine may be."""


def processor_limit(seconds: float) -> Limits:
    """A limit of processor seconds, which other work on the machine does not shorten."""
    until = time.process_time() + seconds
    return Limits(SLOWER * seconds).until(lambda: time.process_time() >= until)


@pytest.mark.parametrize(
    ("board", "metric", "method", "least"),
    [
        ("300x300", "turns", "family", 8 * 300 - 24),
        ("301x300", "turns", "family", 8 * 300 - 20),
        ("2000x2000", "turns", "family", 8 * 2000 - 24),
        ("10001x10002", "turns", "family", 8 * 10_001 - 22),
    ],
)
def test_the_first_bound_of_a_large_board_is_quick_and_close_to_the_best(
    board: str, metric: str, method: str, least: int
) -> None:
    first = next(methods()[method].certificates(Problem(graph_of(board), objective=metric)))
    assert first.bound is not None and first.bound >= least


def test_a_board_that_lacks_a_cell_has_a_good_bound_before_its_own_relaxation_is_solved() -> None:
    for board, least in (("21x21-a1", 141), ("31x31-a1", 221)):
        certificate = certify_lower_bound(Problem(graph_of(board), objective="turns"), least, known=False)
        assert certificate.method == "family" and certificate.bound == least


def test_a_stop_while_a_known_certificate_is_checked_leaves_the_bound_of_a_formula(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = threading.Event()

    def stopped(problem: Problem, limits: Limits) -> None:
        asked.set()

    monkeypatch.setattr("encoders.bounds.certify.known_certificate", stopped)
    best = certify_lower_bound(Problem(graph_of("10x10"), objective="crossings"), limits=Limits(stop=asked))
    assert asked.is_set() and best.bound is not None and best.bound >= 40


def test_certificates_become_better_and_the_first_comes_before_all_are_made() -> None:
    bounds = []

    def hear(certificate) -> None:
        bounds.append(certificate.bound)

    best = certify_lower_bound(Problem(graph_of("302x302"), objective="turns"), 2394, on_certificate=hear)
    # The tables for all sizes, those for this remainder, and the border.
    assert bounds == [2392, 2393, 2394] and best.bound == 2394


def test_a_limit_during_the_second_certificate_leaves_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time ends as soon as there is a certificate; the method goes on with one that takes longer."""
    bounds: list[int | None] = []
    limits = Limits().until(lambda: bool(bounds))
    problem = Problem(graph_of("1000x1000"), objective="turns")
    best = certify_lower_bound(problem, limits=limits, on_certificate=lambda made: bounds.append(made.bound))
    assert best.bound == bounds[0] == 7976 and limits.unfinished == ("family",)


def test_methods_of_papers_do_not_delay_what_shows_more() -> None:
    for board, metric in (("300x300", "turns"), ("600x600", "crossings")):
        problem = Problem(graph_of(board), objective=metric)
        first = next(row for row in methods().values() if row.rank is not None and row.worth(problem, None))
        assert first.number is None


def test_states_are_merged_early_and_come_out_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    parts = [np.sort(rng.integers(0, 1 << 16, rng.integers(0, 400)).astype(np.uint64)) for _ in range(30)]
    least: dict[int, int] = {}
    for word in np.concatenate(parts).tolist():
        state, cost = word >> states.COST_BITS, word & ((1 << states.COST_BITS) - 1)
        least[state] = min(cost, least.get(state, cost))
    wanted = [state << states.COST_BITS | cost for state, cost in sorted(least.items())]
    for most in (0, 1, 100, 10_000_000):
        monkeypatch.setattr(states, "MERGED_STATES", most)
        assert states.least_costs(iter(parts)).tolist() == wanted


def test_a_search_starts_from_a_known_gadget_and_ends_with_it_if_there_is_no_time() -> None:
    giraffe = Leaper(1, 4)
    made = frames.formation(*frames.parse_formation(frames.GIRAFFE_HEEL), (-4, 1), leaper=giraffe)
    seen: list[str] = []

    def hear(now: Report) -> None:
        seen.append(now.words)

    limits = Limits().until(lambda: bool(seen))
    result = search(made.frame, minimize="turns", wanted=Wanted(True), start=made, limits=limits, on_progress=hear)
    assert result.value == made.turns == 208 and result.gadgets == (made,) and result.status == "feasible"


def test_windows_of_a_gadget_keep_how_its_ports_are_joined() -> None:
    """The heel of the paper has 22 turns; the least number is 21, among heels whose paths run through."""
    made = frames.formation(*frames.parse_formation(frames.HEEL), (-2, 1))
    result = search(made.frame, minimize="turns", wanted=Wanted(True), start=made, most=1)
    assert made.turns == 22 and result.value == result.bound == 21
    assert all(Wanted(True).admits(gadget) for gadget in result.gadgets)


def test_a_comparison_that_is_stopped_has_a_row_with_what_there_is() -> None:
    """The time is over as soon as the first method has begun."""
    begun: list[Report] = []

    def hear(now: Report) -> None:
        if "try" in now.words:
            begun.append(now)

    limits = Limits(workers=1).until(lambda: bool(begun))
    rows: list[Comparison] = list(
        compare(["6x6", "8x8"], "turns", effort=Effort(tries=1, seconds=1), limits=limits, on_progress=hear)
    )
    (row,) = rows
    assert not row.complete and not row.to_json()["complete"]
    assert row.optimum == 32 and row.problem.graph.name == "6x6"
    assert row.row.cells[5].endswith("; stopped early")


def test_a_table_that_is_stopped_has_the_row_that_was_begun(tmp_path) -> None:
    begun: list[Report] = []
    table = BoardTable(problems_of(["9x11", "5x6"], ["crossings"]), best=False, folder=tmp_path / "run")
    table.fill(Limits(workers=1).until(lambda: bool(begun)), begun.append)
    assert len(table.rows) == 1 and not table.rows[0].complete and not table.complete
    again = BoardTable(problems_of(["5x6"], ["crossings"]), folder=tmp_path / "run")
    again.fill()
    assert again.complete and again.rows[0].result.value == 49


SIDES = (20, 22, 23, 24, 27, 28, 30, 31, 34, 40, 41, 46, 50, 59, 60, 70, 80, 84, 86, 99, 100, 102, 120, 150, 163, 180)
SIDES += (182, 200, 222, 250, 300, 301, 350, 400, 450, 500, 600, 707, 800, 900, 1000, 1200, 1500, 2000, 2500, 3000)
SIDES += (4000, 5000, 6000, 8000, 10_000)
BOARDS = {
    "squares": lambda n: f"{n}x{n}" if n % 2 == 0 else f"{n}x{n + 1}",
    "rectangles": lambda n: f"{n}x{n + 20 + n % 2}",
    "open": lambda n: f"{n}x{n}",
    "less a cell": lambda n: f"{n | 1}x{n | 1}-a1",
    "half turn": lambda n: f"{n + n % 2}x{n + n % 2}",
}


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("metric", ["turns", "crossings"])
@pytest.mark.parametrize("kind", BOARDS)
def test_bounds_do_not_fall_as_boards_grow(kind: str, metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With five seconds of a processor, no bound is below that of a smaller board, or below the theorem in README."""
    monkeypatch.setattr("kt_models.speed.FACTOR", SLOWER)
    monkeypatch.setattr("kt_models.speed.speed", lambda: 1 / SLOWER)  # What fits, fits into processor seconds.
    bounds: list[tuple[str, int]] = []
    for n in SIDES:
        if kind == "half turn" and n * n > MAX_SYMMETRIC:
            break
        name = BOARDS[kind](n)
        connectivity = "path" if kind == "open" else "cycle"
        symmetry = (Symmetry.parse("rot180"),) if kind == "half turn" else ()
        problem = Problem(graph_of(name), connectivity, metric, symmetry=symmetry)
        try:
            bound = certify_lower_bound(problem, limits=processor_limit(SECONDS)).bound or 0
        except NotShown:
            bound = 0
        bounds.append((name, bound))
        if kind == "squares" and metric == "turns" and n % 2 == 0:
            assert bound >= 8 * n - 22, name
    fallen = [(small, large) for small, large in pairwise(bounds) if large[1] < small[1]]
    assert not fallen, bounds
