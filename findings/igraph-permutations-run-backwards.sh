#!/usr/bin/env bash
# What a permutation of vertices means, in igraph and networkx.
source "$(dirname "$0")/common"
install 'igraph==1.0.0' 'networkx==3.6.1' 'pynauty-prebuilt==2.8.8.1'
guess 'permute_vertices([1, 2, 0]) moves vertex 0 to place 1, as relabel_nodes with {0: 1, 1: 2, 2: 0} does.'
behaviour 'Since 1.0 entry k names the old vertex at the new place k. canonical_permutation is made for that, and so is canon_label of pynauty; read as new numbers, neither gives a canonical form.'
cat >permute.py <<'PYTHON'
from itertools import permutations

import igraph
import networkx as nx
import pynauty

MOVED = [1, 2, 0]
print("igraph  ", igraph.Graph(3, [(0, 1)]).permute_vertices(MOVED).get_edgelist())
print("networkx", list(nx.relabel_nodes(nx.path_graph(2), dict(enumerate(MOVED))).edges))
forms = {(name, reading): set() for name in ("igraph", "pynauty") for reading in ("old vertices", "new numbers")}
for order in permutations(range(5)):
    edges = [(order[u], order[v]) for u, v in ((0, 1), (1, 2), (2, 3), (0, 4))]
    near = {u: [v for edge in edges for v in edge if u in edge and v != u] for u in range(5)}
    labels = {
        "igraph": igraph.Graph(5, edges).canonical_permutation(),
        "pynauty": pynauty.canon_label(pynauty.Graph(5, adjacency_dict=near)),
    }
    for name, label in labels.items():
        place = {v: k for k, v in enumerate(label)}
        for reading, number in (("old vertices", place), ("new numbers", label)):
            forms[name, reading].add(frozenset(frozenset((number[u], number[v])) for u, v in edges))
for (name, reading), found in forms.items():
    print(f"120 copies of a path of 5, {name}'s labels as {reading}: {len(found)} forms")
PYTHON
seen="igraph   [(0, 2)]
networkx [(1, 2)]
120 copies of a path of 5, igraph's labels as old vertices: 1 forms
120 copies of a path of 5, igraph's labels as new numbers: 25 forms
120 copies of a path of 5, pynauty's labels as old vertices: 1 forms
120 copies of a path of 5, pynauty's labels as new numbers: 25 forms"
compare python permute.py
