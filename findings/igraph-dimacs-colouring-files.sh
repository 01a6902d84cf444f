#!/usr/bin/env bash
# DIMACS files of colouring problems, read by python-igraph.
source "$(dirname "$0")/common"
install 'igraph==1.0.0'
guess "Graph.Read_DIMACS reads 'p edge 4 3' with lines 'e 1 2', as the core in C does."
behaviour 'The Python layer expects a source, a target and capacities of a flow problem, and fails on colouring files with a message about sequences.'
cat >colouring.py <<'PYTHON'
import igraph

open("flow", "w").write("p max 3 2\nn 1 s\nn 3 t\na 1 2 5\na 2 3 4\n")
open("colouring", "w").write("p edge 4 3\ne 1 2\ne 2 3\ne 3 4\n")
print("flow:", igraph.Graph.Read_DIMACS("flow").get_edgelist())
try:
    print("colouring:", igraph.Graph.Read_DIMACS("colouring").get_edgelist())
except ValueError as error:
    print("colouring: ValueError", error)
PYTHON
seen='flow: [(0, 1), (1, 2)]
colouring: ValueError sequence must not be empty'
compare python colouring.py
