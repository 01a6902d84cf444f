#!/usr/bin/env bash
# Node-link JSON between rustworkx and networkx.
source "$(dirname "$0")/common"
install 'rustworkx==0.18.1' 'networkx==3.6.1'
guess 'Both call it node-link JSON, so each reads what the other writes.'
behaviour "rustworkx writes and wants the key 'links', networkx writes and wants 'edges': neither reads the other's without edges='links'."
cat >links.py <<'PYTHON'
import json

import networkx as nx
import rustworkx as rx

graph = rx.generators.cycle_graph(3)
text = rx.node_link_json(graph)
print("rustworkx writes", sorted(json.loads(text)))
print("networkx writes", sorted(nx.node_link_data(nx.cycle_graph(3))))
try:
    print(nx.node_link_graph(json.loads(text)))
except KeyError as error:
    print("networkx: KeyError", error)
try:
    print(rx.parse_node_link_json(json.dumps(nx.node_link_data(nx.cycle_graph(3)))))
except rx.JSONDeserializationError as error:
    print("rustworkx:", str(error).split(" at ")[0])
print("with edges='links':", nx.node_link_graph(json.loads(text), edges="links").number_of_edges(), "edges")
PYTHON
seen="rustworkx writes ['attrs', 'directed', 'links', 'multigraph', 'nodes']
networkx writes ['directed', 'edges', 'graph', 'multigraph', 'nodes']
networkx: KeyError 'edges'
rustworkx: JSON Deserialization Error missing field \`links\`
with edges='links': 3 edges"
compare python links.py
