"""`kt.graphs(path).filter(...)`: graphs with an answer, from lists and from single files."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest

import kt
from kt_models.errors import KTError
from tests.small_graphs import graph6

PETERSEN = graph6(nx.petersen_graph())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "list.g6").write_text("\n".join(["Bw", "C~", PETERSEN, "C]", "B?"]) + "\n")
    return tmp_path / "list.g6"


def sizes(graphs: object) -> list[int]:
    return [graph.n for graph in graphs]  # type: ignore[attr-defined]


def test_graphs_with_an_answer(path: Path) -> None:
    assert sizes(kt.graphs(path).filter("feasible")) == [3, 4, 4]
    assert sizes(kt.graphs(path).filter("infeasible")) == [10, 3]
    assert sizes(kt.graphs(path).filter("infeasible", open=True)) == [3]
    assert sizes(kt.graphs(path).filter("hypohamiltonian")) == [10]
    assert sizes(kt.graphs(path).filter(count=1)) == [3, 4]
    assert sizes(kt.graphs(path).filter(count=(1, None))) == [3, 4, 4]
    assert sizes(kt.graphs(path).filter(count=(0, 1), open=True)) == [3]
    assert [graph.name for graph in kt.graphs(path).filter(count=1)] == ["list.g6 (1)", "list.g6 (4)"]


def test_a_filter_of_a_filter(path: Path) -> None:
    assert sizes(kt.graphs(path).filter("feasible").filter("hamilton-laceable")) == [4]
    assert sizes(kt.graphs(path).filter("traceable").filter("infeasible")) == [10]


def test_a_file_of_one_graph_and_of_a_large_one(path: Path) -> None:
    path.write_text(f"{PETERSEN}\n")
    assert sizes(kt.graphs(path).filter("hypohamiltonian")) == [10] and not sizes(kt.graphs(path).filter("pancyclic"))
    path.write_text(graph6(nx.cycle_graph(70)) + "\nBw\n")
    assert sizes(kt.graphs(path).filter("feasible")) == [70, 3]
    assert sizes(kt.graphs(path).filter("pancyclic")) == [3]  # Unknown matches nothing
    (path.parent / "names.edges").write_text("a b\nb c\nc a\n")
    (graph,) = kt.graphs(path.parent / "names.edges").filter(count=1)
    assert list(graph.labels or ()) == ["a", "b", "c"]


def test_a_damaged_graph_is_an_error_and_the_next_one_follows(path: Path) -> None:
    path.write_text("Bw\nB\nC~\n")
    found = kt.graphs(path).filter("feasible")
    assert next(found).n == 3
    with pytest.raises(KTError, match="vertices take"):
        next(found)
    assert sizes(found) == [4]


def test_unknown_answers_are_refused(path: Path) -> None:
    for wanted in ({}, {"answer": "feasible", "count": 1}, {"answer": "pancyclic", "open": True}, {"answer": "cyclic"}):
        with pytest.raises(KTError):
            kt.graphs(path).filter(**wanted)  # type: ignore[arg-type]
    with pytest.raises(KTError, match="no argument"):
        kt.graphs(path).filter("feasible").filter("infeasible", closed=True)
