#!/usr/bin/env bash
# Positions written by igraph.
source "$(dirname "$0")/common"
install 'igraph==1.0.0'
guess 'A double written to GraphML comes back as it was: 17 digits, or the shortest text that gives it.'
behaviour 'igraph writes 15 digits: distinct positions become equal, and a whole number above 10 to the 15 changes.'
cat >digits.py <<'PYTHON'
import igraph

graph = igraph.Graph(3, [(0, 1), (1, 2)])
graph.vs["x"] = [123456789.12345678, 123456789.12345679, 9007199254740991.0]
graph.write_graphml("graph.graphml")
back = igraph.Graph.Read_GraphML("graph.graphml")
for before, after in zip(graph.vs["x"], back.vs["x"], strict=True):
    print(repr(before), "comes back as", repr(after))
PYTHON
seen='123456789.12345678 comes back as 123456789.123457
123456789.12345679 comes back as 123456789.123457
9007199254740991.0 comes back as 9007199254740990.0'
compare python digits.py
