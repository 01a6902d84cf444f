#!/usr/bin/env bash
# Pseudo-Boolean files with large coefficients, in SCIP.
source "$(dirname "$0")/common"
install 'pyscipopt==6.3.0'
guess 'OPB has integers, so SCIP decides such a file exactly, or refuses numbers that a double does not hold.'
behaviour 'Constraints may be missed by a millionth of their right side: 10000000 x1 + x2 >= 10000001 counts as satisfied without x2. Beyond 2**53 numbers are rounded, and a feasible file is infeasible.'
cat >tolerance.py <<'PYTHON'
import pyscipopt

FILES = {
    "needs x2, which is 0": "min: +1 x1 ;\n+{large} x1 +1 x2 >= {next} ;\n+1 ~x2 >= 1 ;\n",
    "x1 = x2 = 1": "min: +1 x1 +1 x2 ;\n+{next} x1 -{large} x2 >= 1 ;\n+1 x1 >= 1 ;\n+1 x2 >= 1 ;\n",
}
for (right, text), numbers in zip(FILES.items(), ((1000, 10**7), (2**52, 2**53)), strict=True):
    for large in numbers:
        with open("file.opb", "w") as file:
            file.write("* #variable= 2 #constraint= 3\n" + text.format(large=large, next=large + 1))
        model = pyscipopt.Model()
        model.hideOutput()
        model.readProblem("file.opb")
        model.optimize()
        print(f"{large:16} {right}: {model.getStatus()}")
PYTHON
seen='            1000 needs x2, which is 0: infeasible
        10000000 needs x2, which is 0: optimal
4503599627370496 x1 = x2 = 1: optimal
9007199254740992 x1 = x2 = 1: infeasible'
compare python tolerance.py
