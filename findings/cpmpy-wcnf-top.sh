#!/usr/bin/env bash
# Weighted formulas in the form before 2022, in CPMpy and in PySAT.
source "$(dirname "$0")/common"
install 'cpmpy==1.1.1' 'python-sat==1.9.dev24'
guess "In 'p wcnf 1 3 10' the last number is the weight of hard clauses: both readers find that two of them contradict each other."
behaviour "CPMpy takes every clause for a soft one: it answers with an optimum of 10 where PySAT finds the formula unsatisfiable. Files with 'h' for hard clauses are read alike."
cat >top.py <<'PYTHON'
from pathlib import Path

from cpmpy.tools.io.wcnf import load_wcnf
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

for name, text in (("top", "p wcnf 1 3 10\n10 1 0\n10 -1 0\n2 -1 0\n"), ("h", "h 1 0\nh -1 0\n2 -1 0\n")):
    Path("f.wcnf").write_text(text)
    model = load_wcnf("f.wcnf")
    print(f"{name}, CPMpy:", model.objective_value() if model.solve() else "unsatisfiable")
    with RC2(WCNF(from_file="f.wcnf")) as rc2:
        print(f"{name}, PySAT:", "unsatisfiable" if rc2.compute() is None else rc2.cost)
PYTHON
seen='top, CPMpy: 10
top, PySAT: unsatisfiable
h, CPMpy: unsatisfiable
h, PySAT: unsatisfiable'
compare python top.py
