#!/usr/bin/env bash
# Costs with fractions in OR-Tools routing.
source "$(dirname "$0")/common"
install 'ortools==9.15.6755'
guess 'A callback that returns 1.9 is refused, or the cost is rounded down to 1.'
behaviour 'Every such cost counts as 0: the solver says that a tour of cost 0 is optimal (status 7), and prints nothing.'
cat >routing.py <<'PYTHON'
from ortools.constraint_solver import pywrapcp

LENGTHS = [[0, 1.9, 2.9], [1.9, 0, 3.9], [2.9, 3.9, 0]]
for scale in (1, 10):
    nodes = pywrapcp.RoutingIndexManager(3, 1, 0)
    routing = pywrapcp.RoutingModel(nodes)

    def length(tail, head):
        value = LENGTHS[nodes.IndexToNode(tail)][nodes.IndexToNode(head)] * scale
        return value if scale == 1 else int(value)

    routing.SetArcCostEvaluatorOfAllVehicles(routing.RegisterTransitCallback(length))
    solution = routing.Solve()
    print("floats:" if scale == 1 else "ten times, as int:", solution.ObjectiveValue(), "status", routing.status())
PYTHON
seen='floats: 0 status 7
ten times, as int: 87 status 1'
compare python routing.py
