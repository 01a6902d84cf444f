"""Files of graphs with attributes that kt does not use: converting them says what is lost."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest

from kt_models.files.graph_forms.dropped import dropped_attributes
from tests.command import kt


def cycle(**attributes: object) -> nx.Graph:
    """A cycle of four vertices whose edges have attributes."""
    graph = nx.cycle_graph(4)
    for edge in graph.edges:
        graph.edges[edge].update(attributes)
    return graph


@pytest.mark.parametrize("suffix", [".graphml", ".gexf", ".gml"])
def test_attributes_without_use_are_named(suffix: str, tmp_path: Path) -> None:
    source, target = tmp_path / f"g{suffix}", tmp_path / "h.graphml"
    write = {".graphml": nx.write_graphml, ".gexf": nx.write_gexf, ".gml": nx.write_gml}[suffix]
    write(cycle(weight=2, speed=3.5, surface="gravel"), source)
    answer = kt("convert", source, target)
    assert answer.exit_code == 0
    words = answer.stderr.partition("attributes that kt does not use are left out: ")[2]
    assert {word.strip() for word in words.splitlines()[0].split(",")} == {"speed", "surface"}
    write(cycle(weight=2), source)
    assert "left out" not in kt("convert", source, target, "--force").stderr


def test_attributes_of_a_drawing_in_dot_are_named() -> None:
    text = 'graph { a -- b [weight=2, color="red", penwidth=3]; b -- c [weight=1]; c -- a [weight=1] }'
    assert dropped_attributes(text, ".dot") == ["color", "penwidth"]
    assert dropped_attributes("1 2\n2 3\n", ".edges") == []


def test_the_kings_tours_are_called_that() -> None:
    assert "king's tour" in kt("solve", "4x4", "--leaper", "king", "--minimize", "turns").stdout
    assert "1,4-leaper's" in kt("solve", "4x4", "--leaper", "1,4").stdout
