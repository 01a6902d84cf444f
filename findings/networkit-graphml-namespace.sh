#!/usr/bin/env bash
# GraphML written by NetworKit, read by networkx.
source "$(dirname "$0")/common"
install 'networkit==11.3' 'networkx==3.6.1'
guess "networkx reads the GraphML of NetworKit's writer."
behaviour "NetworKit names the namespace in an attribute xmlnsi instead of xmlns, so networkx finds no graph in the file."
cat >namespace.py <<'PYTHON'
import re

import networkit
import networkx as nx

graph = networkit.Graph(3)
for tail, head in ((0, 1), (1, 2), (2, 0)):
    graph.addEdge(tail, head)
networkit.graphio.writeGraph(graph, "triangle.graphml", networkit.Format.GraphML)
text = open("triangle.graphml").read()
print(re.search(r"<graphml \S+", text).group())
print(text.count("<edge"), "edges")
try:
    print("networkx:", nx.read_graphml("triangle.graphml").number_of_edges())
except nx.NetworkXError as error:
    print("networkx:", error)
PYTHON
seen='<graphml xmlnsi="http://graphml.graphdrawing.org/xmlns"
3 edges
networkx: file not successfully read as graphml'
compare python namespace.py
