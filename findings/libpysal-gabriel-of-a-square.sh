#!/usr/bin/env bash
# Points on one circle, in the Gabriel graph of libpysal.
source "$(dirname "$0")/common"
install 'libpysal==4.14.1' 'scipy==1.17.1' 'shapely==2.2.0'
guess 'Other corners of a square lie on the circle over a diagonal: with closed discs its Gabriel graph has the 4 sides, with open ones both diagonals too.'
behaviour 'It has 5 edges: one diagonal, which Qhull happened to choose, in each square of a grid. The relative neighbourhood graph has the sides alone.'
cat >square.py <<'PYTHON'
import numpy as np
from libpysal.graph import Graph

grid = np.array([[x, y] for x in range(3) for y in range(3)], dtype=float)
for name, points in (("square", grid[[0, 3, 4, 1]]), ("grid of 3 by 3", grid)):
    for method in ("gabriel", "delaunay", "relative_neighborhood"):
        pairs = {(u, v) for u, v in Graph.build_triangulation(points, method=method).adjacency.index if u < v}
        diagonals = sum((points[u] != points[v]).all() for u, v in pairs)
        print(f"{name}, {method}: {len(pairs)} edges, {diagonals} of them diagonals")
PYTHON
seen='square, gabriel: 5 edges, 1 of them diagonals
square, delaunay: 5 edges, 1 of them diagonals
square, relative_neighborhood: 4 edges, 0 of them diagonals
grid of 3 by 3, gabriel: 16 edges, 4 of them diagonals
grid of 3 by 3, delaunay: 16 edges, 4 of them diagonals
grid of 3 by 3, relative_neighborhood: 12 edges, 0 of them diagonals'
compare python square.py
