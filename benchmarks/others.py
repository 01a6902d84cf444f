"""Questions that are not one Hamiltonian cycle: kt beside programs of other people, each on its smallest row.

    python -m benchmarks.others [counts] [opb] [lists]

prints a row for each program that is installed: its answer, and processor seconds of the whole command, start-up
included. The answers of a question have to agree. `counts` are Hamiltonian cycles of the grid of 6x6 (Graphillion),
`opb` the least turns of open tours on 3x4, from a file that kt writes (Exact, SCIP), and `lists` the cubic graphs of 12
vertices without a Hamiltonian cycle (nauty's cubhamg). `pip install graphillion exact pyscipopt` and Debian's `nauty`
bring them; `benchmarks.hamiltonian` has solvers for one cycle, `benchmarks.geometry` LKH and OR-Tools for lengths, and
`benchmarks.puzzles` models of puzzles.
"""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

KT = (sys.executable, "-m", "kt")
GRAPHILLION = """
from graphillion import GraphSet, tutorial

GraphSet.set_universe(tutorial.grid(5, 5))  # Its numbers are those of squares
print(len(GraphSet.cycles(is_hamilton=True)))
"""
EXACT = """
import sys
from exact import Exact

solver = Exact()
objective, names = [], set()
for line in open(sys.argv[1]):
    words = line.rstrip().rstrip(";").split()
    if line.startswith("*") or not words:
        continue
    sign = next((word for word in words if word in (">=", "=")), None)
    terms = words[1:] if sign is None else words[: words.index(sign)]
    for name in terms[1::2]:
        if name.lstrip("~") not in names:
            names.add(name.lstrip("~"))
            solver.addVariable(name.lstrip("~"), 0, 1)
    rows = [(int(weight), name) for weight, name in zip(terms[::2], terms[1::2])]
    pairs = [(-weight if name[0] == "~" else weight, name.lstrip("~")) for weight, name in rows]
    moved = sum(weight for weight, name in rows if name[0] == "~")
    if sign is None:
        objective = pairs
        continue
    bound = int(words[-1]) - moved
    solver.addConstraint(pairs, True, bound, sign == "=", bound)
solver.setObjective(objective, True, 0)
print(solver.toOptimum(0)[1])
"""
SCIP = """
import sys
from pyscipopt import Model

model = Model()
model.hideOutput()
model.readProblem(sys.argv[1])
model.optimize()
print(round(model.getObjVal()))
"""


def row(program: str, command: tuple[str, ...], pattern: str = r"(\d+)", lines: str = "") -> str:
    """Run a command, print its answer, the last match of a pattern, and its processor seconds; return the answer."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    answer = str(re.findall(pattern, done.stdout + done.stderr)[-1])
    print(f"  {program:12} {answer:8} {seconds:8.2f}", flush=True)
    return answer


def python(program: str, package: str, text: str, *words: str) -> list[str]:
    """The answer of a program in Python; none if its package is not installed."""
    if find_spec(package) is None:
        print(f"  {program:12} not installed")
        return []
    return [row(program, (sys.executable, "-c", text, *words))]


def counts() -> list[str]:
    """Hamiltonian cycles of a grid."""
    answer = row("kt", (*KT, "enumerate", "6x6", "--leaper", "wazir", "--count", "--json"), r'"count": (\d+)')
    return [answer, *python("Graphillion", "graphillion", GRAPHILLION)]


def opb() -> list[str]:
    """The least turns, from a pseudo-Boolean file."""
    problem = ("--open", "--minimize", "turns")
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "turns.opb")
        subprocess.run((*KT, "convert", "3x4", file, *problem), check=True, capture_output=True)
        answer = row("kt", (*KT, "solve", "3x4", *problem, "--json"), r'"value": (\d+)')
        return [answer, *python("Exact", "exact", EXACT, file), *python("SCIP", "pyscipopt", SCIP, file)]


def lists() -> list[str]:
    """Cubic graphs without a Hamiltonian cycle."""
    names = ("geng", "nauty-geng"), ("cubhamg", "nauty-cubhamg")
    geng, cubhamg = (next(filter(None, map(shutil.which, both)), None) for both in names)
    if geng is None or cubhamg is None:
        print("  nauty        not installed")
        return []
    graphs = subprocess.run((geng, "-cd3D3q", "12"), check=True, capture_output=True, text=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cubic.g6"
        file.write_text(graphs)
        command = (*KT, "solve", str(file), "--only", "infeasible", "--as", "graph6")
        answer = row("kt", ("sh", "-c", '"$@" 2>/dev/null | wc -l', "sh", *command))
    return [answer, row("cubhamg", (cubhamg,), r"(\d+) nonhamiltonian graphs", graphs)]


QUESTIONS = {"counts": counts, "opb": opb, "lists": lists}


def main() -> None:
    """Answer the questions that are named, or all."""
    for name in sys.argv[1:] or QUESTIONS:
        print(name)
        if len(set(QUESTIONS[name]())) > 1:
            sys.exit("the answers differ")


if __name__ == "__main__":
    main()
