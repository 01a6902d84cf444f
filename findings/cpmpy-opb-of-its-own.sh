#!/usr/bin/env bash
# OPB files that CPMpy writes, in CPMpy's reader.
source "$(dirname "$0")/common"
install 'cpmpy==1.1.1'
guess 'load_opb reads what write_opb writes, and files that have no plus signs, which the grammar of OPB leaves free.'
behaviour "It refuses a constraint of a single variable, 'max:', which OPB has not, and terms without a sign: '2 x1 3 x2' is taken for a product."
cat >own.py <<'PYTHON'
import cpmpy as cp
from cpmpy.tools.io.opb import load_opb, write_opb

HEAD = "* #variable= 2 #constraint= 1\n"


def read(name: str, text: str) -> None:
    with open("f.opb", "w") as file:
        file.write(text)
    try:
        answer = f"{len(load_opb('f.opb').constraints)} constraints"
    except (AssertionError, ValueError) as error:
        answer = type(error).__name__
    print(f"{name}: {text.splitlines()[1]}   {text.splitlines()[-1]}   {answer}")


x = cp.boolvar(shape=2, name="x")
read("written by it, least", write_opb(cp.Model([x[0] | x[1]], minimize=2 * x[0] + 3 * x[1])))
read("written by it, greatest", write_opb(cp.Model([x[0] | x[1]], maximize=2 * x[0] + 3 * x[1])))
read("written by it, one variable", write_opb(cp.Model([x[0] | x[1], x[0]], minimize=2 * x[0] + 3 * x[1])))
read("without signs", HEAD + "min: 2 x1 3 x2 ;\n1 x1 1 x2 >= 1 ;\n")
PYTHON
seen='written by it, least: min: +2 x1 +3 x2;   +1 x1 +1 x2 >= 1;   1 constraints
written by it, greatest: max: +2 x1 +3 x2;   +1 x1 +1 x2 >= 1;   ValueError
written by it, one variable: min: +2 x1 +3 x2;   +1 x1 >= 1;   AssertionError
without signs: min: 2 x1 3 x2 ;   1 x1 1 x2 >= 1 ;   AssertionError'
compare python own.py
