"""Puzzles, whole commands, start-up included: kt beside models of CP-SAT and of clingo that were written by hand.

    python -m benchmarks.puzzles --write benchmarks/results/puzzles.json
    python -m benchmarks.puzzles --each 3 --kinds zip
    python -m benchmarks.puzzles --folder PUZZLES

The puzzles are made by `kt puzzle` in this run: Numbrix of 9x9, Hidato of 8x8, Zip of 7x7 and Numberlink of 8x8 cells;
or they are grids in the folders `numbrix`, `hidato`, `zip` and `numberlink` of PUZZLES, each of which has one solution.
`solve` finds one solution, and `only` shows that there is no other one. kt counts there, and the models look for a
second solution. Each answer is a process of its own, with one worker and with compiled modules. Given are the median
processor seconds of the puzzles of a kind, and of kt the worst excess over the goal; wall-clock seconds mean something
only on a machine without other work. clingo is not a part of kt: `pip install knights-tours[peers]` brings it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kt_models.files.puzzles import GRIDS
from kt_models.json_version import FORMAT_VERSION
from kt_models.writing import write_atomic

KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "numbrix": ("9x9", {"leaper": "wazir", "open": True}),
    "hidato": ("8x8", {"leaper": "king", "open": True}),
    "zip": ("7x7", {"kind": "waypoints", "open": True}),
    "numberlink": ("8x8", {"kind": "paths"}),
}
"""Board and arguments of `kt.puzzles`."""
GOAL_RATIO, GOAL_SECONDS = 1.5, 0.5
"""What issue 73 asks for: kt takes at most so many times the faster model, and so many seconds more."""
GRID_KINDS = {"numbrix": "numbers", "hidato": "numbers", "zip": "waypoints", "numberlink": "paths"}
"""The kind of puzzle in each folder."""

CPSAT = """
import json, sys
from ortools.sat.python import cp_model

data, wanted = json.load(open(sys.argv[1])), int(sys.argv[2])
near, numbers, n = data["near"], data["numbers"], len(data["near"])
model = cp_model.CpModel()
if data["kind"] == "numbers":
    at = [[model.new_bool_var("") for _ in range(n)] for _ in range(n)]
    for k in range(n):
        model.add_exactly_one(at[k])
        model.add_exactly_one(at[j][k] for j in range(n))
    for k in range(n - 1):
        for v in range(n):
            model.add_bool_or([~at[k][v], *(at[k + 1][u] for u in near[v])])
            model.add_bool_or([~at[k + 1][v], *(at[k][u] for u in near[v])])
    for v, number in enumerate(numbers):
        if number:
            model.add(at[number - 1][v] == 1)
    variables = [x for row in at for x in row]
else:
    arc = {(u, v): model.new_bool_var("") for u in range(n) for v in near[u]}
    variables = list(arc.values())
    arcs = [(u, v, x) for (u, v), x in arc.items()]
    count = max(numbers)
    if data["kind"] == "waypoints":
        place = [model.new_int_var(0, n - 1, "") for _ in range(n)]
        stops = [numbers.index(k) for k in range(1, count + 1)]
        arcs.append((stops[-1], stops[0], True))
        for (u, v), x in arc.items():
            model.add(place[v] == place[u] + 1).only_enforce_if(x)
        model.add(place[stops[0]] == 0)
        for u, v in zip(stops, stops[1:]):
            model.add(place[u] < place[v])
    else:  # A circuit through all paths, from the end of each to the start of the next
        ends = [[v for v in range(n) if numbers[v] == k] for k in range(1, count + 1)]
        for k in range(count):
            arcs.append((ends[k][1], ends[(k + 1) % count][0], True))
        path = [[model.new_bool_var("") for _ in range(count)] for _ in range(n)]
        for v in range(n):
            model.add_exactly_one(path[v])
            if numbers[v]:
                model.add(path[v][numbers[v] - 1] == 1)
        for (u, v), x in arc.items():
            for k in range(count):
                model.add_implication(path[u][k], path[v][k]).only_enforce_if(x)
                model.add_implication(path[v][k], path[u][k]).only_enforce_if(x)
    model.add_circuit(arcs)
solver = cp_model.CpSolver()
solver.parameters.num_workers = 1
found = 0
while found < wanted and solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
    found += 1
    model.add_bool_or([~x for x in variables if solver.boolean_value(x)])
print(found)
"""
"""A model as it is usually written: Booleans of numbers, a circuit with places, a circuit with paths."""
CLINGO = '''
import json, sys
import clingo

data, wanted = json.load(open(sys.argv[1])), int(sys.argv[2])
near, numbers, n = data["near"], data["numbers"], len(data["near"])
facts = [f"cell({v})." for v in range(n)] + [f"near({u},{v})." for u in range(n) for v in near[u]]
facts += [f"given({v},{k})." for v, k in enumerate(numbers) if k]
places = """
1 { at(K,V) : cell(V) } 1 :- K = 1..n.
:- cell(V), not 1 { at(K,V) : K = 1..n } 1.
:- at(K,V), K < n, not at(K+1,U) : near(V,U).
:- at(K,V), K > 1, not at(K-1,U) : near(V,U).
"""
if data["kind"] == "numbers":
    rules = places + ":- given(V,K), not at(K,V).\\n#show at/2."
else:
    rules = """
{ go(U,V) : near(U,V) } 1 :- cell(U), not final(U).
{ go(U,V) : near(U,V) } 1 :- cell(V), not initial(V).
:- cell(V), not final(V), not 1 { go(V,U) : near(V,U) } 1.
:- cell(V), not initial(V), not 1 { go(U,V) : near(U,V) } 1.
:- go(U,V), final(U).
:- go(U,V), initial(V).
"""
    if data["kind"] == "waypoints":
        last = max(numbers)
        facts += [f"initial({numbers.index(1)}).", f"final({numbers.index(last)})."]
        # The stop that was passed last: a segment lasts until the next stop
        rules += """
part(V,K) :- given(V,K), K = 1.
part(V,K) :- go(U,V), part(U,K), not given(V,_).
part(V,K+1) :- go(U,V), part(U,K), given(V,K+1).
:- cell(V), not part(V,_).
:- given(V,K), not part(V,K).
"""
    else:
        for k in range(1, max(numbers) + 1):
            first, second = [v for v in range(n) if numbers[v] == k]
            facts += [f"initial({first}).", f"final({second})."]
        rules += """
part(V,K) :- initial(V), given(V,K).
part(V,K) :- go(U,V), part(U,K).
:- cell(V), not part(V,_).
:- final(V), given(V,K), not part(V,K).
"""
    rules += "#show go/2."
control = clingo.Control(["-n", str(wanted), "-c", f"n={n}"])
control.add("base", [], "\\n".join(facts) + rules)
control.ground([("base", [])])
found = 0
with control.solve(yield_=True) as models:
    for _ in models:
        found += 1
print(found)
'''
"""The same in answer sets: at each number one cell, or at each cell one way on, and paths that reach every cell."""


def processor_seconds() -> float:
    """What the processes that have ended took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measured(words: list[str], environment: dict[str, str]) -> tuple[float, float, str]:
    """Processor seconds, wall-clock seconds and output of a process."""
    before, began = processor_seconds(), time.monotonic()
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return processor_seconds() - before, time.monotonic() - began, done.stdout


@dataclass(frozen=True)
class Grid:
    """A puzzle in a file.

    Parameters
    ----------
    path
        A grid or a file of `kt puzzle`.
    words
        The options that name the grid and the piece.
    data
        What the models read.
    """

    path: Path
    words: tuple[str, ...]
    data: dict[str, Any]

    @classmethod
    def of(cls, kind: str, path: Path) -> Grid:
        """The grid of a file."""
        import kt
        from kt_models.files.clues import clues_from

        form = GRID_KINDS[kind]
        piece, is_open = "king" if kind == "hidato" else "wazir", form != "paths"
        arguments: dict[str, Any] = {GRIDS[form]: str(path), "leaper": piece, "open": is_open or None}
        problem = kt.problem(**{name: value for name, value in arguments.items() if value is not None})
        near: list[list[int]] = [[] for _ in range(problem.graph.n)]
        for edge, (u, v) in enumerate(problem.graph.ends.tolist()):
            if edge not in problem.forbidden:
                near[u].append(v)
                near[v].append(u)
        numbers = list(clues_from(str(path), stops=form != "numbers").numbers)
        # The models number paths from 1
        place = {number: k for k, number in enumerate(sorted({0, *numbers}))}
        numbers = [place[number] for number in numbers] if form == "paths" else numbers
        words = (f"--{GRIDS[form]}", str(path), "--leaper", piece, *(["--open"] if is_open else []))
        return cls(path, words, {"kind": form, "near": near, "numbers": numbers})


def grids(kind: str, each: int, seed: int, folder: str | None, place: Path) -> Iterator[Grid]:
    """The puzzles of a kind: those of a folder, evenly spread, or puzzles that are made here."""
    if folder is None:
        import kt

        board, words = KINDS[kind]
        for number, puzzle in enumerate(kt.puzzles(board, each, seed=seed, **words)):
            path = place / f"{kind}-{number}.json"
            puzzle.save(path, force=True)
            yield Grid.of(kind, path)
    else:
        paths = sorted(Path(folder, kind).glob("*.txt"))
        for path in paths if len(paths) <= each else [paths[k * len(paths) // each] for k in range(each)]:
            yield Grid.of(kind, path)


def answers(grid: Grid, place: Path, environment: dict[str, str]) -> Iterator[tuple[str, str, float, float]]:
    """Who answered, what, and how long it took; every answer is compared with the one solution."""
    data = place / "model.json"
    data.write_text(json.dumps(grid.data))
    jobs = {"solve": ("1", ["solve", "--workers", "1"]), "only": ("2", ["enumerate", "--count"])}
    for job, (wanted, command) in jobs.items():
        words = [sys.executable, "-m", "kt", *command, *grid.words, "--json"]
        cpu, clock, out = measured(words, environment)
        answer = json.loads(out)
        right = answer["status"] == "feasible" if job == "solve" else answer["count"] == 1
        assert right, (str(grid.path), job, out)
        yield "kt", job, cpu, clock
        for name, model in (("cp-sat", CPSAT), ("clingo", CLINGO)):
            cpu, clock, out = measured([sys.executable, "-c", model, str(data), wanted], environment)
            assert out.strip() == "1", (str(grid.path), name, job, out)
            yield name, job, cpu, clock


def summary(name: str, job: str, taken: dict[str, list[float]]) -> dict[str, Any]:
    """The medians of a job, and by how much kt misses the goal at worst, as it is printed."""
    figures: dict[str, Any] = {who: round(statistics.median(seconds), 2) for who, seconds in taken.items()}
    goals = [
        GOAL_RATIO * min(cpsat, clingo) + GOAL_SECONDS
        for cpsat, clingo in zip(taken["cp-sat"], taken["clingo"], strict=True)
    ]
    over = [seconds - goal for seconds, goal in zip(taken["kt"], goals, strict=True)]
    text = ", ".join(f"{who} {seconds:.2f}" for who, seconds in figures.items())
    missed = sum(excess > 0 for excess in over)
    note = f"; {missed} of {len(over)} over the goal, by up to {max(over):.2f}" if missed else ""
    print(f"{name:11} {job:6} {text}{note}", flush=True)
    return {**figures, "kt_worst": round(max(taken["kt"]), 2), "over_the_goal": missed, "excess": round(max(over), 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", type=int, default=20, help="puzzles of each kind")
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=list(KINDS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", help="take the puzzles from folders there")
    parser.add_argument("--write", metavar="FILE", help="write the figures as JSON")
    arguments = parser.parse_args()

    rows: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        # Commands load compiled modules, as an installed program does; the first commands compile them.
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = str(place / "compiled")
        for kind in arguments.kinds:
            chosen = list(grids(kind, arguments.each, arguments.seed, arguments.folder, place))
            for _ in answers(chosen[0], place, environment):
                pass
            taken: dict[str, dict[str, list[float]]] = {"solve": {}, "only": {}}
            for grid in chosen:
                for name, job, cpu, _ in answers(grid, place, environment):
                    taken[job].setdefault(name, []).append(cpu)
            rows[kind] = {"puzzles": len(chosen), **{job: summary(kind, job, taken[job]) for job in taken}}
    if arguments.write:
        source = f"--seed {arguments.seed}" if arguments.folder is None else "--folder PUZZLES"
        command = f"python -m benchmarks.puzzles --each {arguments.each} {source}"
        load = round(os.getloadavg()[0], 1)
        document = {"version": FORMAT_VERSION, "kind": "puzzles-benchmark", "command": command, "load": load, **rows}
        write_atomic(arguments.write, json.dumps(document, indent=1) + "\n", force=True)


if __name__ == "__main__":
    main()
