#!/usr/bin/env bash
# Lines of DIMACS, in the readers of PySAT, cdclkit and CPMpy.
source "$(dirname "$0")/common"
install 'python-sat==1.9.dev24' 'cdclkit==0.1.7' 'cpmpy==1.1.1'
guess 'DIMACS ends a clause with 0 wherever that stands: all three read a clause on two lines, and two clauses on one.'
behaviour 'PySAT reads a clause a line and raises ValueError for both, and for the line with % at the end of the files of SATLIB, which CPMpy refuses too.'
cat >lines.py <<'PYTHON'
from pathlib import Path

import cdclkit
from cpmpy.tools.io.dimacs import load_dimacs
from pysat.formula import CNF

FILES = {"on two lines": "p cnf 3 2\n1 2\n3 0\n-1 0\n", "on one line": "p cnf 3 2\n1 2 3 0 -1 0\n", "% at the end": "p cnf 3 2\n1 2 3 0\n-1 0\n%\n0\n"}
READERS = {
    "PySAT": lambda path: len(CNF(from_file=path).clauses),
    "cdclkit": lambda path: len(cdclkit.parse_dimacs_file(path).clauses),
    "CPMpy": lambda path: len(load_dimacs(path).constraints),
}
for name, text in FILES.items():
    Path("f.cnf").write_text(text)
    for reader, count in READERS.items():
        try:
            print(f"{name}, {reader}: {count('f.cnf')} clauses")
        except ValueError:
            print(f"{name}, {reader}: ValueError")
PYTHON
seen='on two lines, PySAT: ValueError
on two lines, cdclkit: 2 clauses
on two lines, CPMpy: 2 clauses
on one line, PySAT: ValueError
on one line, cdclkit: 2 clauses
on one line, CPMpy: 2 clauses
% at the end, PySAT: ValueError
% at the end, cdclkit: 2 clauses
% at the end, CPMpy: ValueError'
compare python lines.py
