"""Good files of every kind, small and quick to check: what the damage is done to."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from click.testing import CliRunner

from cli.main import main

RESULTS = Path(__file__).parents[2] / "heuristics" / "delivered" / "results"
MADE = {
    "tour.json": ["find", "6x6", "--method", "warnsdorff"],
    "open.json": ["find", "5x5", "--open", "--method", "warnsdorff"],
    "tour.tour": ["find", "6x6", "--method", "warnsdorff"],
    "torus.json": ["solve", "torus:5x4"],
    "box.json": ["solve", "4x3x2"],
    "none.json": ["solve", "4x6"],
    "bound.json": ["bound", "5x6", "--minimize", "turns"],
    "edge.json": ["bound", "8x8", "--minimize", "turns", "--method", "edge"],
    "crown.json": ["bound", "60x60", "--minimize", "turns", "--method", "crown"],
    "crossings.json": ["bound", "5x6", "--minimize", "crossings"],
    "heel.json": ["search", "heel", "--minimize", "turns"],
}
"""File and the command that makes it."""
DELIVERED = ["turns-6x6", "turns-aztec-2", "crossings-3x4-open", "turns-all-n", "turns-5x5-open"]
WRITTEN = {
    "graph.hcp": "NAME : g\nTYPE : HCP\nDIMENSION : 5\nEDGE_DATA_FORMAT : EDGE_LIST\n"
    "EDGE_DATA_SECTION\n1 2\n2 3\n3 4\n4 5\n5 1\n-1\nEOF\n",
    "graph.col": "c a graph\np edge 5 5\ne 1 2\ne 2 3\ne 3 4\ne 4 5\ne 5 1\n",
    "graph.g6": ">>graph6<<Bw\nC~\n:Bc?\n&BP_\nDqK\n",
    "graph.gml": 'graph [\n node [ id 1 label "a" ]\n node [ id 2 label "b" ]\n node [ id 3 label "c" ]\n'
    " edge [ source 1 target 2 ]\n edge [ source 2 target 3 ]\n edge [ source 3 target 1 weight 4 ]\n]\n",
    "graph.graphml": '<?xml version="1.0" encoding="utf-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    '<graph edgedefault="undirected"><node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>\n',
    "graph.dot": 'strict graph g { a -- {b; "c d"} [weight=2]; b -- "c d" /* x */ }\n',
    "graph.net": '*Vertices 3\n1 "a"\n2 "b"\n3 "c"\n*Edges\n1 2 1\n2 3 1\n1 3 1\n',
    "graph.mtx": "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 1\n3 2\n",
    "graph.graph": "% METIS\n3 3\n2 3\n1 3\n1 2\n",
    "graph.lst": "2\n1\n3\n1 2\n0 2\n0 1\n{ two }\n2\n4\n1 2 3\n0 2 3\n0 1 3\n0 1 2\n",
    "mask.txt": "######\n######\n##..##\n######\n######\n######\n",
    "graph.json": '{"version": 2, "kind": "graph", "vertices": 4, "edges": [[0, 1], [1, 2], [2, 3], [3, 0]]}\n',
}


@lru_cache(maxsize=1)
def corpus(folder: Path) -> dict[str, bytes]:
    """File name and content of every good file; made in `folder`."""
    for name, line in MADE.items():
        option = "--certificate" if line[0] == "bound" else "-o"
        CliRunner().invoke(main, [*line, option, str(folder / name)])
    for name in DELIVERED:
        (folder / f"{name}.json").write_bytes((RESULTS / f"{name}.json").read_bytes())
    for name, text in WRITTEN.items():
        (folder / name).write_text(text)
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
