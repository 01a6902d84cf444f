#!/usr/bin/env bash
# The dual graph of streets that cross in their middles, in momepy.
source "$(dirname "$0")/common"
install 'momepy==0.11.0' 'geopandas==1.2.0' 'shapely==2.2.0' 'networkx==3.6.1'
guess "The dual graph has a node for each street: six for the sides and the diagonals of a square, and the way back gives six lines."
behaviour 'A node is the middle of its street, and two streets with one middle become one node: five nodes, and one diagonal is gone without a word.'
cat >streets.py <<'PYTHON'
import geopandas
import momepy
from shapely import LineString

corners = [(0, 0), (2, 0), (2, 2), (0, 2)]
pairs = [(u, v) for v in range(4) for u in range(v)]
streets = geopandas.GeoDataFrame({"name": [f"{u}-{v}" for u, v in pairs]}, geometry=[LineString([corners[u], corners[v]]) for u, v in pairs], crs=3857)
primal = momepy.gdf_to_nx(streets, approach="primal")
print("primal:", primal.number_of_nodes(), "nodes,", primal.number_of_edges(), "edges")
dual = momepy.gdf_to_nx(streets, approach="dual")
print("dual:", dual.number_of_nodes(), "nodes")
print("back:", *sorted(momepy.nx_to_gdf(dual)["name"]))
PYTHON
seen='primal: 4 nodes, 6 edges
dual: 5 nodes
back: 0-1 0-3 1-2 1-3 2-3'
compare python streets.py
