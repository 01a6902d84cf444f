#!/usr/bin/env bash
# Vertices and weights that NetworKit's writers leave out.
source "$(dirname "$0")/common"
install 'networkit==11.3'
guess 'Each writer of NetworKit keeps the vertices and the weights, or refuses the graph.'
behaviour 'DOT and lists of edges lose a vertex without edges, DOT and GML lose the weights, without a word.'
cat >drop.py <<'PYTHON'
import logging
import re

import networkit

logging.disable(logging.CRITICAL)
graph = networkit.Graph(3, weighted=True)
graph.addEdge(0, 1, 2.5)
for name in ("DOT", "GML", "GEXF", "METIS", "EdgeListTabZero"):
    networkit.graphio.writeGraph(graph, "graph", getattr(networkit.Format, name))
    text = open("graph").read()
    vertices = {"GML": text.count("node ["), "GEXF": text.count("<node "), "METIS": text.count("\n") - 1}
    named = len(set(re.findall(r"(?<![\d.])\d(?![\d.])", text)))  # in DOT and in the list: by their edges only
    print(f"{name:15} {vertices.get(name, named)} vertices, the weight is", "kept" if "2.5" in text else "lost")
PYTHON
seen="DOT             2 vertices, the weight is lost
GML             3 vertices, the weight is lost
GEXF            3 vertices, the weight is kept
METIS           3 vertices, the weight is kept
EdgeListTabZero 2 vertices, the weight is kept"
compare python drop.py
