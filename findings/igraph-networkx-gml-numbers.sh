#!/usr/bin/env bash
# Small and large numbers in GML, between igraph and networkx.
source "$(dirname "$0")/common"
install 'igraph==1.0.0' 'networkx==3.6.1'
guess 'A position of 0.00001 written to GML by igraph is read by networkx, and the other way round.'
behaviour "networkx reads igraph's 1e-05 as the number 1 and a key 'e' with -5, without an error; it writes 1.E-05, which igraph refuses."
cat >exponents.py <<'PYTHON'
import igraph
import networkx as nx

graph = igraph.Graph(2, [(0, 1)])
graph.vs["label"] = ["a", "b"]
graph.vs["x"] = [1e-05, 1.0]
graph.write_gml("igraph.gml")
print("igraph writes", *(line.strip() for line in open("igraph.gml") if " x " in line), sep=" | ")
print("networkx reads", nx.read_gml("igraph.gml").nodes["a"])
network = nx.Graph()
network.add_node("a", x=1e-05)
nx.write_gml(network, "networkx.gml")
print("networkx writes", *(line.strip() for line in open("networkx.gml") if " x " in line), sep=" | ")
try:
    print("igraph reads", igraph.Graph.Read_GML("networkx.gml").vs["x"])
except igraph.InternalError as error:
    print("igraph refuses it:", "syntax error" in str(error))
PYTHON
seen="igraph writes | x 1e-05 | x 1
networkx reads {'x': 1, 'e': -5}
networkx writes | x 1.E-05
igraph refuses it: True"
compare python exponents.py
