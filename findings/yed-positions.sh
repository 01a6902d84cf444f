#!/usr/bin/env bash
# A drawing saved by yEd (GraphML with y:Geometry), in four libraries.
source "$(dirname "$0")/common"
install 'igraph==1.0.0' 'networkx==3.6.1' 'rustworkx==0.18.1' 'networkit==11.3'
guess 'GraphML has one grammar: all four read the graph, and those that know y:Geometry give numbers.'
behaviour "networkx gives the positions as text, igraph drops positions and labels, rustworkx and NetworKit refuse the file, whose keys of yFiles lack attr.type and attr.name, as the format allows."
cat >triangle.graphml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
  <key for="node" id="d6" yfiles.type="nodegraphics"/>
  <key for="edge" id="d10" yfiles.type="edgegraphics"/>
  <graph edgedefault="undirected" id="G">
    <node id="n0"><data key="d6"><y:ShapeNode><y:Geometry height="30.0" width="30.0" x="100.0" y="50.0"/><y:NodeLabel>Ulm</y:NodeLabel></y:ShapeNode></data></node>
    <node id="n1"><data key="d6"><y:ShapeNode><y:Geometry height="30.0" width="30.0" x="200.0" y="50.0"/><y:NodeLabel>Bonn</y:NodeLabel></y:ShapeNode></data></node>
    <node id="n2"><data key="d6"><y:ShapeNode><y:Geometry height="30.0" width="30.0" x="150.0" y="90.0"/><y:NodeLabel>Kiel</y:NodeLabel></y:ShapeNode></data></node>
    <edge id="e0" source="n0" target="n1"/>
    <edge id="e1" source="n1" target="n2"/>
    <edge id="e2" source="n2" target="n0"/>
  </graph>
</graphml>
XML
cat >read.py <<'PYTHON'
import igraph
import networkit
import networkx as nx
import rustworkx as rx

print("networkx:", nx.read_graphml("triangle.graphml").nodes["n0"])
print("igraph:", igraph.Graph.Read_GraphML("triangle.graphml").vs[0].attributes())
try:
    print("rustworkx:", rx.read_graphml("triangle.graphml")[0].nodes())
except Exception as error:
    print("rustworkx refuses it:", error)
try:
    print("NetworKit:", networkit.readGraph("triangle.graphml", networkit.Format.GraphML).numberOfEdges())
except OSError as error:
    print("NetworKit refuses it:", error)
PYTHON
seen="networkx: {'x': '100.0', 'y': '50.0', 'label': 'Ulm'}
igraph: {'id': 'n0'}
rustworkx refuses it: Attribute 'attr.type' not found.
NetworKit refuses it: triangle.graphml is not a valid Format.GraphML file: 'attr.name'"
compare python read.py
