#!/usr/bin/env bash
# EUC_2D of one TSPLIB file in tsplib95, vrplib and PyVRP.
source "$(dirname "$0")/common"
install 'tsplib95==0.7.1' 'vrplib==2.2.0' 'pyvrp==0.14.1'
guess "All give 3, 1 and 3 for distances 2.5, 0.5 and 2.55: TSPLIB's nint is int(d + 0.5). PyVRP's round_func='round' is that rule."
behaviour "vrplib gives floats. PyVRP truncates by default, and its 'round' rounds halves to even: 2 and 0, where TSPLIB has 3 and 1."
cat >lengths.py <<'PYTHON'
import pyvrp
import tsplib95
import vrplib

with open("three.tsp", "w") as file:
    file.write(
        "NAME: a\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 2.5 0\n3 0 0.5\nEOF\n"
    )
pairs = (0, 1), (0, 2), (1, 2)
problem = tsplib95.load("three.tsp")
print("tsplib95     ", *(problem.get_weight(a + 1, b + 1) for a, b in pairs))
weights = vrplib.read_instance("three.tsp")["edge_weight"]
print("vrplib       ", *(round(float(weights[pair]), 3) for pair in pairs))
for rule in ("none", "round"):
    matrix = pyvrp.read("three.tsp", round_func=rule).distance_matrix(0)
    print(f"PyVRP {rule:7}", *(int(matrix[pair]) for pair in pairs))
PYTHON
seen='tsplib95      3 1 3
vrplib        2.5 0.5 2.55
PyVRP none    2 0 2
PyVRP round   2 0 3'
compare python lengths.py
