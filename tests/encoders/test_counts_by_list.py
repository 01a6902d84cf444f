"""Where a sweep is too large, a count lists the tours and says so."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import kt
from encoders.enumeration import together
from kt_models.errors import KTWarning
from kt_models.kernel.sweeps import run
from tests.command import kt as command

WORDS = "too wide for a sweep"


def wide_arcs(n: int, more: int, seed: int) -> list[tuple[int, int]]:
    """A Hamiltonian cycle in a random order, and random arcs besides: the frontier is wide in every order."""
    draw = random.Random(seed)
    order = draw.sample(range(n), n)
    arcs = set(zip(order, order[1:] + order[:1], strict=True))
    while len(arcs) < n + more:
        u, v = draw.sample(range(n), 2)
        arcs.add((u, v))
    return sorted(arcs)


def counted(graph: str, *words: str) -> dict[str, Any]:
    """The answer of the command, which warns on stderr."""
    answer: dict[str, Any] = json.loads(command("enumerate", graph, "--directed", "--count", "--json", *words).stdout)
    return answer


@pytest.fixture
def wide(tmp_path: Path) -> str:
    path = tmp_path / "wide.edges"
    path.write_text("".join(f"{u} {v}\n" for u, v in wide_arcs(400, 400, 1)))
    return str(path)


def test_a_wide_directed_graph_is_counted_by_listing(wide: str) -> None:
    listed = len(list(kt.tours(edges=wide_arcs(400, 400, 1), directed=True)))
    assert listed > 0
    with pytest.warns(KTWarning, match=WORDS):
        assert kt.count(edges=wide_arcs(400, 400, 1), directed=True) == listed
    with pytest.warns(KTWarning, match=WORDS):
        assert kt.count(edges=wide_arcs(400, 400, 1), directed=True, time_limit=60, workers=1) == listed
    result = command("enumerate", wide, "--directed", "--count")
    assert result.exit_code == 0 and WORDS in result.stderr and result.stderr.count("\n") == 1
    assert f"count      {listed:,}" in result.stdout and f"listed     the frontier is {WORDS}" in result.stdout
    answer = counted(wide)
    assert answer["count"] == listed and answer["complete"] and WORDS in answer["reason"]


def test_a_run_lists_cubes_that_are_too_wide(wide: str, tmp_path: Path) -> None:
    run = ("--run", str(tmp_path / "run"), "--workers", "1", "--cubes", "2")
    answer = counted(wide, *run)
    assert answer["complete"] and answer["count"] == counted(wide)["count"]


def test_a_long_list_needs_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    arcs = wide_arcs(400, 400, 1)
    monkeypatch.setattr(together, "MAX_LISTED", 0)
    with pytest.warns(KTWarning, match=WORDS), pytest.raises(kt.TooLarge, match="time limit"):
        kt.count(edges=arcs, directed=True)
    with pytest.warns(KTWarning, match=WORDS):
        assert kt.count(edges=arcs, directed=True, time_limit=60, workers=1) > 0


def test_tables_that_outgrow_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "MOST_SORTED", 0)  # A few states are sorted, and have no table
    wanted = kt.count("torus:3x3")
    with pytest.warns(KTWarning, match="tables of states"):
        assert kt.count("torus:3x3", memory=1) == wanted == 48


def test_what_is_forecast_to_exceed_the_memory_is_refused_at_once() -> None:
    refused = command("enumerate", "12x12", "--count", "--memory", "0.01")
    assert refused.exit_code == 2 and "more memory" in refused.stderr and refused.stderr.count("\n") == 1
