#!/usr/bin/env bash
# A soft clause of weight 0 in PySAT.
source "$(dirname "$0")/common"
install 'python-sat==1.9.dev24'
guess 'WCNF.append(clause, weight=0) is refused, ignored, or a soft clause that costs nothing.'
behaviour 'It becomes a hard clause: 0 counts as no weight given, and a formula with an optimum is unsatisfiable.'
cat >weight.py <<'PYTHON'
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

for weight in (1, 0):
    formula = WCNF()
    formula.append([1])
    formula.append([-1], weight=weight)
    with RC2(formula) as solver:
        print("weight", weight, "hard", formula.hard, "soft", formula.soft, "model", solver.compute())
PYTHON
seen='weight 1 hard [[1]] soft [[-1]] model [1]
weight 0 hard [[1], [-1]] soft [] model None'
compare python weight.py
