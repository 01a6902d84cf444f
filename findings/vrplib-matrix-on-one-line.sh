#!/usr/bin/env bash
# A matrix of weights whose rows are not lines, in vrplib.
source "$(dirname "$0")/common"
install 'vrplib==2.2.0'
guess 'TSPLIB says nothing about lines: nine numbers on one line are a matrix of 3 times 3.'
behaviour 'vrplib takes lines for rows: a matrix of 1 times 9, without an error.'
cat >line.py <<'PYTHON'
import vrplib

HEAD = "NAME: a\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n"
for body in ("0 1 2\n1 0 4\n2 4 0\n", "0 1 2 1 0 4 2 4 0\n"):
    with open("a.tsp", "w") as file:
        file.write(HEAD + body + "EOF\n")
    print("lines:", body.count("\n"), "shape:", vrplib.read_instance("a.tsp")["edge_weight"].shape)
PYTHON
seen='lines: 3 shape: (3, 3)
lines: 1 shape: (1, 9)'
compare python line.py
