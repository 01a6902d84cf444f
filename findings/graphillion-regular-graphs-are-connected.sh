#!/usr/bin/env bash
# Regular subgraphs in Graphillion.
source "$(dirname "$0")/common"
install 'graphillion==2.1'
guess 'regular_graphs(degree=2) are all sets of edges that give each vertex that they meet the degree 2: of two triangles three.'
behaviour 'is_connected is true by default, so that the two triangles together are missing, and 2-factors of several cycles are not counted.'
cat >regular.py <<'PYTHON'
from graphillion import GraphSet

GraphSet.set_universe([(1, 2), (2, 3), (3, 1), (4, 5), (5, 6), (6, 4)])
print("default:", len(GraphSet.regular_graphs(degree=2)))
print("is_connected=False:", len(GraphSet.regular_graphs(degree=2, is_connected=False)))
print("degree_constraints of 2 everywhere:", len(GraphSet.graphs(degree_constraints={v: 2 for v in range(1, 7)})))
PYTHON
seen='default: 2
is_connected=False: 3
degree_constraints of 2 everywhere: 1'
compare python regular.py
