#!/usr/bin/env bash
# Vertices of a TSPLIB file with a matrix of weights, in tsplib95.
source "$(dirname "$0")/common"
install 'tsplib95==0.7.1'
guess 'Vertices of TSPLIB are 1, ..., n, whatever the weights come from.'
behaviour 'tsplib95 numbers them from 1 if there are coordinates and from 0 if there is a matrix: get_weight(1, 2) is then the weight of the second and the third vertex.'
cat >matrix.py <<'PYTHON'
import tsplib95

HEAD = "NAME: a\nTYPE: TSP\nDIMENSION: 3\n"
points = tsplib95.parse(HEAD + "EDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 0\n3 3 4\nEOF\n")
matrix = tsplib95.parse(
    HEAD + "EDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_SECTION\n3 5\n4\nEOF\n"
)
for name, problem in (("coordinates", points), ("matrix", matrix)):
    print(name, list(problem.get_nodes()), "weight of (1, 2):", problem.get_weight(1, 2))
PYTHON
seen='coordinates [1, 2, 3] weight of (1, 2): 3
matrix [0, 1, 2] weight of (1, 2): 4'
compare python matrix.py
