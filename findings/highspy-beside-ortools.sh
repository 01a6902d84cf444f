#!/usr/bin/env bash
# Versions of highspy in one process with OR-Tools, which has a HiGHS of its own inside.
source "$(dirname "$0")/common"
install 'ortools==9.15.6755' 'highspy==1.12.0'
guess 'After 1.12, the version inside OR-Tools 9.15, no highspy can be loaded beside it: their symbols have the same names.'
behaviour 'Only 1.15 cannot: whichever module comes second lacks a symbol. 1.13, 1.14 and 1.16 load and answer, in either order.'
for version in 1.13.1 1.14.0 1.15.1 1.16.0; do
  python -m pip install -q --disable-pip-version-check --no-deps --target "$version" "highspy==$version"
done
cat >both.py <<'PYTHON'
import sys


def highs() -> float:
    import highspy

    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    model.addVar(0, 10)
    model.changeColCost(0, -1.0)
    model.run()
    return model.getInfo().objective_function_value


def cpsat() -> float:
    from ortools.sat.python import cp_model

    model, solver = cp_model.CpModel(), cp_model.CpSolver()
    model.maximize(model.new_bool_var("x"))
    solver.solve(model)
    return solver.objective_value


questions = {"highspy": highs, "ortools": cpsat}
for name in sys.argv[2:]:
    try:
        questions[name]()
    except ImportError as error:
        print(f"highspy {sys.argv[1]}, {' and then '.join(sys.argv[2:])}: {name} has an", str(error).split(": ")[1].split(" ")[0], "symbol")
        break
else:
    print(f"highspy {sys.argv[1]}, {' and then '.join(sys.argv[2:])}: both answer")
PYTHON
versions() {
  for version in 1.12.0 1.13.1 1.14.0 1.15.1 1.16.0; do
    PYTHONPATH="$version" python both.py "$version" highspy ortools | tail -n 1
    PYTHONPATH="$version" python both.py "$version" ortools highspy | tail -n 1
  done
}
seen='highspy 1.12.0, highspy and then ortools: both answer
highspy 1.12.0, ortools and then highspy: both answer
highspy 1.13.1, highspy and then ortools: both answer
highspy 1.13.1, ortools and then highspy: both answer
highspy 1.14.0, highspy and then ortools: both answer
highspy 1.14.0, ortools and then highspy: both answer
highspy 1.15.1, highspy and then ortools: ortools has an undefined symbol
highspy 1.15.1, ortools and then highspy: highspy has an undefined symbol
highspy 1.16.0, highspy and then ortools: both answer
highspy 1.16.0, ortools and then highspy: both answer'
compare versions
