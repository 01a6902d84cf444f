#!/usr/bin/env bash
# How long a path is in all_simple_paths.
source "$(dirname "$0")/common"
install 'rustworkx==0.18.1' 'networkx==3.6.1'
guess 'cutoff means the same in rustworkx as in networkx, the greatest number of edges: 3 gives the Hamiltonian paths of 4 vertices.'
behaviour 'networkx counts edges and rustworkx vertices: with cutoff=3 the two Hamiltonian paths are missing, with min_depth=4 there are only they.'
cat >paths.py <<'PYTHON'
import networkx as nx
import rustworkx as rx

network, graph = nx.complete_graph(4), rx.generators.mesh_graph(4)
print("cutoff     1 2 3 4")
print("networkx ", *(len(list(nx.all_simple_paths(network, 0, 3, cutoff=n))) for n in (1, 2, 3, 4)))
print("rustworkx", *(len(rx.all_simple_paths(graph, 0, 3, cutoff=n)) for n in (1, 2, 3, 4)))
print("min_depth=4:", sorted(list(path) for path in rx.all_simple_paths(graph, 0, 3, min_depth=4)))
PYTHON
seen='cutoff     1 2 3 4
networkx  1 3 5 5
rustworkx 1 1 3 5
min_depth=4: [[0, 1, 2, 3], [0, 2, 1, 3]]'
compare python paths.py
