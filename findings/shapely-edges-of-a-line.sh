#!/usr/bin/env bash
# Points on one line, in the triangulations of Shapely and SciPy.
source "$(dirname "$0")/common"
install 'shapely==2.2.0' 'scipy==1.17.1'
guess 'Points on a line have no triangle, so Shapely gives nothing, triangles or edges; SciPy refuses them.'
behaviour 'With only_edges=True Shapely gives the path through the points, though it gives no triangle whose edges these could be. SciPy refuses them.'
cat >line.py <<'PYTHON'
from scipy.spatial import Delaunay, QhullError
from shapely import MultiPoint, delaunay_triangles

points = [(2, 2), (0, 0), (3, 3), (1, 1)]
print("triangles:", delaunay_triangles(MultiPoint(points)).wkt)
print("edges:", *sorted(edge.wkt for edge in delaunay_triangles(MultiPoint(points), only_edges=True).geoms))
try:
    Delaunay(points)
except QhullError as error:
    print("SciPy:", str(error).split(" ")[0])
PYTHON
seen='triangles: GEOMETRYCOLLECTION EMPTY
edges: LINESTRING (0 0, 1 1) LINESTRING (1 1, 2 2) LINESTRING (2 2, 3 3)
SciPy: QH6154'
compare python line.py
