#!/usr/bin/env bash
# The proofs of the solvers in PySAT, and a checker in Python.
source "$(dirname "$0")/common"
install 'python-sat==1.9.dev24' 'dratify==0.1.10'
guess 'Each solver with proofs writes one that a checker of DRAT accepts, about the variables of the formula.'
behaviour "maplesat numbers the variables from 2: the proof about two variables speaks of a third, and dratify refuses it. With 1 less everywhere it is right. That of maplecm ends before the empty clause."
cat >proofs.py <<'PYTHON'
from dratify import check_proof, parse_dimacs
from pysat.solvers import Solver

clauses = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
formula = parse_dimacs("p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n")
for name in ("cadical195", "glucose4", "lingeling", "maplechrono", "maplecm", "maplesat"):
    with Solver(name, bootstrap_with=clauses, with_proof=True) as solver:
        solver.solve()
        proof = solver.get_proof()
    learnt = [line for line in proof if not line.startswith("d")]
    print(name, learnt, check_proof(formula, "\n".join(proof)).ok)
lower = [" ".join(str(int(word) - (int(word) > 0) + (int(word) < 0)) for word in line.split()) for line in learnt]
print("maplesat, 1 less", lower, check_proof(formula, "\n".join(lower)).ok)
PYTHON
seen="cadical195 ['-2 0', '1 0', '0'] True
glucose4 ['2 0', '0'] True
lingeling ['2 0', '1 0', '0'] True
maplechrono ['2 0', '0'] True
maplecm ['1 0'] False
maplesat ['-3 0', '0'] False
maplesat, 1 less ['-2 0', '0'] True"
compare python proofs.py
