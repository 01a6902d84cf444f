"""Models for other people's solvers, and their solutions read back."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from dataclasses import replace
from itertools import combinations, groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from encoders.cpsat.model import Model
from encoders.pb.linear import CIRCUIT, linear_model
from encoders.pb.models import FORMATS, map_text, read_solution, to_cp_sat, to_wcnf
from encoders.pb.size import ModelSize, model_size
from encoders.sat.dimacs import to_dimacs
from encoders.sat.encodings import encode, encodings
from encoders.solve import solve
from kt_models import KTError, MoveGraph, Problem, Symmetry, graph_of
from kt_models.files.given import read_valid_tour
from kt_models.files.problems import problem_from
from kt_models.kernel.certificates.proofs.zero_one import edge_variables
from tests.command import kt, one_line_refusal
from tests.effort import slow_rows


@pytest.mark.parametrize(
    ("suffix", "encoding"),
    [*slow_rows([(".lp", "lfsr")]), (".lp", "flow"), pytest.param(".mps", "flow", marks=pytest.mark.slow)],
)
def test_highs_finds_the_fewest_turns(suffix: str, encoding: str, tmp_path: Path) -> None:
    import highspy

    model, solution, tour = (tmp_path / name for name in (f"m{suffix}", "solution.txt", "tour.json"))
    assert kt("convert", "5x6", model, "--minimize", "turns", "--encoding", encoding).exit_code == 0
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.readModel(str(model))
    solver.run()
    solver.writeSolution(str(solution), 0)
    assert kt("convert", solution, tour, "--model", model).exit_code == 0
    assert read_valid_tour(tour).measure("turns") == 28


@pytest.mark.parametrize("suffix", [".opb", ".lp", ".mps"])
def test_scip_finds_the_fewest_turns(suffix: str, tmp_path: Path) -> None:
    scip = pytest.importorskip("pyscipopt")
    model, solution, tour = (tmp_path / name for name in (f"m{suffix}", "solution.txt", "tour.json"))
    assert kt("convert", "5x6", model, "--minimize", "turns", "--encoding", "flow").exit_code == 0
    solver = scip.Model()
    solver.hideOutput()
    solver.readProblem(str(model))
    solver.optimize()
    solver.writeBestSol(str(solution))
    assert kt("convert", solution, tour, "--model", model).exit_code == 0
    assert read_valid_tour(tour).measure("turns") == 28


@pytest.mark.skipif(shutil.which("kissat") is None, reason="kissat is not installed")
def test_kissat_finds_a_tour(tmp_path: Path) -> None:
    model, tour = tmp_path / "m.cnf", tmp_path / "tour.json"
    assert kt("convert", "6x6", model).exit_code == 0
    done = subprocess.run(["kissat", "-q", str(model)], capture_output=True, text=True, check=False)
    (tmp_path / "solution.txt").write_text(done.stdout)
    assert kt("convert", tmp_path / "solution.txt", tour, "--model", model).exit_code == 0


def test_cp_sat_finds_the_fewest_turns(tmp_path: Path) -> None:
    from ortools.sat.python import cp_model

    model, solution, tour = (tmp_path / name for name in ("m.pb.txt", "solution.txt", "tour.json"))
    assert kt("convert", "5x6", model, "--minimize", "turns").exit_code == 0
    asked, solver = cp_model.CpModel(), cp_model.CpSolver()
    asked.proto.parse_text_format(model.read_text())
    solver.parameters.num_workers = 1
    solver.solve(asked)
    solution.write_text(str(solver.response_proto))
    assert kt("convert", solution, tour, "--model", model).exit_code == 0
    assert read_valid_tour(tour).measure("turns") == 28
    one_line_refusal(kt("convert", "5x6", model, "--encoding", "lfsr"), "lfsr", "circuit")


def test_rc2_finds_the_fewest_turns(tmp_path: Path) -> None:
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    model, solution, tour = (tmp_path / name for name in ("m.wcnf", "solution.txt", "tour.tour"))
    assert kt("convert", "5x6", model, "--minimize", "turns").exit_code == 0
    answer = RC2(WCNF(from_file=str(model))).compute()
    assert answer is not None
    words = " ".join(map(str, answer))
    bits = "".join("1" if x > 0 else "0" for x in answer)
    for text in (
        f"s OPTIMUM FOUND\nv {words} 0\n",
        f"v {bits}\n",
        f"v {words.replace(' ', ' x').replace('x-', '-x')}\n",
    ):
        solution.write_text(text)
        assert kt("convert", solution, tour, "--model", model).exit_code == 0
        assert read_valid_tour(tour).measure("turns") == 28


def test_a_sat_solver_finds_an_open_tour(tmp_path: Path) -> None:
    from pysat.formula import CNF
    from pysat.solvers import Solver

    model, solution, tour = (tmp_path / name for name in ("m.cnf", "solution.txt", "tour.json"))
    assert kt("convert", "3x4", model, "--open").exit_code == 0
    with Solver("cadical153", bootstrap_with=CNF(from_file=str(model))) as solver:
        assert solver.solve()
        solution.write_text(f"v {' '.join(map(str, solver.get_model()))} 0\n")
    assert kt("convert", solution, tour, "--model", model).exit_code == 0
    assert not read_valid_tour(tour).closed


@pytest.mark.parametrize("suffix", sorted(FORMATS))
def test_every_objective_and_symmetry_can_be_written(suffix: str) -> None:
    for objective in ("turns", "crossings"):
        problem = Problem(graph_of("5x6"), "cycle", objective, symmetry=(Symmetry.parse("rot180"),))
        assert FORMATS[suffix](problem, "degrees")


def test_wrong_solutions_are_refused(tmp_path: Path) -> None:
    assert kt("convert", "5x6", tmp_path / "m.opb", "--encoding", "degrees").exit_code == 0
    solution, tour, beside = tmp_path / "s.txt", tmp_path / "t.json", tmp_path / "m.opb.map"
    names = json.loads(beside.read_text())["variables"]
    assert len(names) == graph_of("5x6").m
    for text, words in (
        ("", "no solution"),
        ("v 1 -2 a\n", "'a'"),
        ("x1 0.5\n", "neither 0 nor 1"),
        ("x1 nan\n", "no solution"),
        ("x1 1e999\n", "neither"),
        ("x1 1.1.1\n", "number"),
        ("v 1 2 3\n", "s.txt"),
    ):
        solution.write_text(text)
        one_line_refusal(kt("convert", solution, tour, "--model", beside), words)
    one_line_refusal(kt("convert", solution, tour, "--model", solution), "s.txt")
    one_line_refusal(kt("convert", solution, tmp_path / "t.svg", "--model", beside), "t.svg")
    one_line_refusal(kt("convert", "5x6", tmp_path / "m.cnf", "--minimize", "turns"), "--minimize", ".opb")
    one_line_refusal(kt("convert", "5x6", tmp_path / "clauses.wcnf"), ".cnf")
    one_line_refusal(kt("convert", "1x2", tmp_path / "program.lp"), "3 vertices")
    one_line_refusal(kt("convert", "5x6", tmp_path / "program.lp", "--encoding", "nonsense"), "nonsense")


@pytest.mark.parametrize("asked", [{}, {"open": True}, {"symmetry": "rot180"}])
def test_the_size_of_a_model_is_that_of_its_file(asked: dict[str, Any]) -> None:
    """Clauses are counted as PySAT reads them, and linear models as they are made, in every format alike."""
    from pysat.formula import CNF, WCNF

    problem = problem_from("4x5", minimize="turns", **asked)
    for name in encodings():
        text = to_dimacs(encode(replace(problem, objective=None), name), name)
        read = CNF(from_string=text)
        assert model_size(text, ".cnf") == ModelSize(read.nv, len(read.clauses), sum(map(len, read.clauses)))
    soft = to_wcnf(problem)
    read = WCNF(from_string=soft)
    clauses = [*read.hard, *read.soft]
    assert model_size(soft, ".wcnf") == ModelSize(read.nv, len(clauses), sum(map(len, clauses)))
    model = linear_model(problem)
    size = ModelSize(model.top, len(model.rows), sum(len(row.terms) for row in model.rows))
    assert {model_size(FORMATS[suffix](problem), suffix) for suffix in (".opb", ".lp", ".mps")} == {size}
    cp = Model(problem, CIRCUIT).cp.proto
    assert model_size(to_cp_sat(problem), ".pb.txt").variables == len(cp.variables)
    assert model_size(to_cp_sat(problem), ".pb.txt").constraints == len(cp.constraints)


@pytest.mark.parametrize("asked", [{}, {"open": True}, {"symmetry": "rot180"}, {"at_most": {"turns": 20}}])
def test_the_size_of_a_constraint_model_is_that_of_its_rows(asked: dict[str, Any]) -> None:
    problem = problem_from("4x5", minimize="turns", **asked)
    rows = linear_model(problem, "degrees")
    around = problem.graph.n + (problem.connectivity == "path")
    successors = model_size(FORMATS[".mzn"](problem, ""), ".mzn")
    assert (successors.variables, model_size(FORMATS[".xml"](problem, ""), ".xml").variables) == (
        rows.top + around,
    ) * 2
    assert model_size(FORMATS[".smt2"](problem, "degrees"), ".smt2").constraints == len(rows.rows)


CONSTRAINT_SOLVERS = {
    ".mzn": ["minizinc", "--solver", "gecode"],
    ".smt2": ["z3"],
}


@pytest.mark.parametrize("suffix", sorted(CONSTRAINT_SOLVERS))
@pytest.mark.parametrize("asked", ["5x6 --minimize turns", "3x4 --open --minimize turns", "4x6"])
def test_constraint_solvers_find_the_best_tour(asked: str, suffix: str, tmp_path: Path) -> None:
    options = tuple(asked.split())
    command = CONSTRAINT_SOLVERS[suffix]
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    model, solution, answer = tmp_path / f"m{suffix}", tmp_path / "solution.txt", tmp_path / "answer.json"
    assert kt("convert", options[0], model, *options[1:]).exit_code == 0
    solution.write_text(subprocess.run([*command, str(model)], capture_output=True, text=True, check=False).stdout)
    assert kt("convert", solution, answer, "--model", model).exit_code == 0
    least = solve(problem_from(options[0], open="--open" in options, minimize="turns"), hint="best").value
    data = json.loads(answer.read_text())
    assert data.get("turns") == least
    assert ("evidence" in data) == (suffix == ".mzn" or asked == "4x6")


def brute_circuits(text: str) -> set[frozenset[int]]:
    """The true variables of edges in each solution of the `circuit` of a MiniZinc model, by trying all successors."""
    domains = [list(map(int, row.split(","))) for row in re.findall(r"successor\[\d+\] in \{([^}]*)\}", text)]
    rows = re.findall(r"constraint (x\[\d+\](?: \+ x\[\d+\])*) = bool2int\(successor\[(\d+)\] = (\d+)\) \+ ", text)
    found: set[frozenset[int]] = set()

    def walk(way: list[int]) -> None:
        for other in domains[way[-1] - 1]:
            if other == 1 and len(way) == len(domains):
                steps = {frozenset(step) for step in zip(way, [*way[1:], 1], strict=True)}
                chosen = [names for names, a, b in rows if frozenset((int(a), int(b))) in steps]
                found.add(frozenset(int(x) for names in chosen for x in re.findall(r"\d+", names)))
            if other not in way:
                walk([*way, other])

    walk([1])
    return found


@pytest.mark.parametrize(
    ("board", "leaper", "is_open", "count"), [("3x4", "knight", True, 8), ("4x4", "wazir", False, 6)]
)
def test_the_circuits_of_a_minizinc_model_are_the_tours(board: str, leaper: str, is_open: bool, count: int) -> None:
    problem = problem_from(board, leaper=leaper, open=is_open)
    assert len(brute_circuits(FORMATS[".mzn"](problem, ""))) == count


XCSP3 = "v <instantiation> <list> {names} </list> <values> {values} </values> </instantiation>"


@pytest.mark.parametrize("form", ["xcsp3", "repeated", "smt", "named"])
def test_answers_of_constraint_solvers_are_read(form: str, tmp_path: Path) -> None:
    problem = problem_from("5x6")
    edges = solve(problem).edges
    assert edges is not None
    values = {x: int(e in set(edges.tolist())) for e, x in enumerate(edge_variables(problem))}
    suffix = {"smt": ".smt2", "named": ".mzn"}.get(form, ".xml")
    model = tmp_path / f"m{suffix}"
    assert kt("convert", "5x6", model).exit_code == 0
    names = " ".join(f"x{x}" for x in values)
    if form == "smt":
        text = "sat\n(" + "\n ".join(f"(x{x} {'true' if value else 'false'})" for x, value in values.items()) + ")\n"
    elif form == "named":
        text = "".join(f"x{x} {value}\n" for x, value in values.items()) + "----------\n"
    else:
        words = [str(value) for value in values.values()]
        if form == "repeated":
            runs = [(value, len(list(same))) for value, same in groupby(words)]
            words = [f"{value}x{length}" if length > 1 else value for value, length in runs]
        text = "\x1b[92ms SATISFIABLE\x1b[0m\n" + XCSP3.format(names=names, values=" ".join(words))
    (tmp_path / "s.txt").write_text(text)
    assert kt("convert", tmp_path / "s.txt", tmp_path / "t.json", "--model", model).exit_code == 0
    assert np.array_equal(np.sort(read_valid_tour(tmp_path / "t.json").edges), np.sort(edges))


@pytest.mark.parametrize("text", ["s UNSATISFIABLE\n", "UNSAT\n", "unsat\n(error x)\n", "=====UNSATISFIABLE=====\n"])
def test_no_solution_becomes_a_result_that_says_whose_word_it_is(text: str, tmp_path: Path) -> None:
    model, output, answer = tmp_path / "m.cnf", tmp_path / "said.txt", tmp_path / "answer.json"
    assert kt("convert", "3x4", model).exit_code == 0
    output.write_text(text)
    assert kt("convert", output, answer, "--model", model).exit_code == 0
    data = json.loads(answer.read_text())
    assert (data["status"], data["evidence"]) == ("infeasible", f"answer in {output}, not checked")
    checked = kt("check", answer)
    assert checked.exit_code == 3
    assert "claimed, not shown" in checked.stdout
    one_line_refusal(kt("convert", output, tmp_path / "t.tour", "--model", model), ".json")


def test_the_lrat_proof_of_another_solver_is_checked(tmp_path: Path) -> None:
    from pysat.formula import CNF

    from encoders.proof.log import LoggedOracle

    model, output, proof, answer = (tmp_path / name for name in ("m.cnf", "said.txt", "p.lrat", "answer.json"))
    assert kt("convert", "3x4", model).exit_code == 0
    with LoggedOracle(CNF(from_file=str(model)).clauses) as oracle:
        assert not oracle.solve()
        oracle.write(proof)
    output.write_text("s UNSATISFIABLE\n")
    assert kt("convert", output, answer, "--model", model, "--proof", proof).exit_code == 0
    assert "steps, checked" in json.loads(answer.read_text())["evidence"]
    lines = proof.read_text().splitlines()
    proof.write_text("\n".join(lines[len(lines) // 2 :]))
    one_line_refusal(kt("convert", output, answer, "--model", model, "--proof", proof, "--force"), "p.lrat")
    # A formula with a clause more is not that of the problem, whatever its map says.
    text = model.read_text().rsplit("\n", 2)[0] + "\n1 0\n-1 0\n"
    model.write_text(text)
    beside = tmp_path / "m.cnf.map"
    data = json.loads(beside.read_text()) | {"model_sha256": hashlib.sha256(text.encode()).hexdigest()}
    beside.write_text(json.dumps(data))
    proof.write_text("\n".join(lines))
    one_line_refusal(kt("convert", output, answer, "--model", model, "--proof", proof, "--force"), "not the formula")


def test_a_family_of_instances_has_the_answers_of_its_table(tmp_path: Path) -> None:
    from pysat.formula import CNF
    from pysat.solvers import Solver

    folder = tmp_path / "family"
    asked = kt("convert", "--family", "hardness", "--count", "7", "-o", folder, "--json")
    rows = json.loads(asked.stdout)["instances"]
    assert len(rows) == 7 == len(list(folder.glob("*.cnf")))
    assert len((folder / "table.csv").read_text().splitlines()) == 8
    for row in rows:
        with Solver("cadical153", bootstrap_with=CNF(from_file=str(folder / row["file"])).clauses) as solver:
            assert solver.solve() == (row["answer"] == "satisfiable"), row
    one_line_refusal(kt("convert", "--family", "nonsense", "-o", tmp_path / "other"), "hardness")
    one_line_refusal(kt("convert", "--family", "hardness"), "-o DIR")
    one_line_refusal(kt("convert", "5x6"), "OUT is missing")


# -- what other programs write -----------------------------------------------------------------------------------------


def minisat(values: dict[int, int], _: list[int]) -> str:
    return "SAT\n" + " ".join(str(x if value else -x) for x, value in sorted(values.items())) + " 0\n"


def glpk_w(values: dict[int, int], order: list[int]) -> str:
    rows = "".join(f"j {place} {values[x]}\n" for place, x in enumerate(order, start=1))
    return f"c Status:     INTEGER OPTIMAL\nc\ns mip 1 {len(order)} o 0\ni 1 1\n{rows}e o f\n"


def glpk_o(values: dict[int, int], order: list[int]) -> str:
    head = "Status:     INTEGER OPTIMAL\n\n   No.   Row name        Activity     Lower bound   Upper bound\n"
    head += "     1 c1    1\n\n"
    head += "   No. Column name       Activity     Lower bound   Upper bound\n------ ------------    -------------\n"
    rows = "".join(f"{place:6d} {f'x{x}':12} * {values[x]:15d} {0:13d} {1:13d} \n" for place, x in enumerate(order, 1))
    return f"{head}{rows}\nKKT.PE: max.abs.err = 0.00e+00 on row 0\nEnd of output\n"


def highs_1(values: dict[int, int], order: list[int]) -> str:
    head = "Columns\n    Index Status        Lower        Upper       Primal         Dual  Type        Name\n"
    rows = "".join(
        f"{place:9d}        {0:12d} {1:12d} {values[x]:12d}               Integer     x{x}\n"
        for place, x in enumerate(order)
    )
    rest = "Rows\n    Index Status        Lower        Upper       Primal         Dual  Name\n        0   1   1\n"
    return head + rows + rest


@pytest.mark.parametrize("form", [minisat, glpk_w, glpk_o, highs_1], ids=lambda form: form.__name__)
@pytest.mark.parametrize("suffix", [".lp", ".mps"])
def test_solutions_of_other_programs_are_read(form: Any, suffix: str, tmp_path: Path) -> None:
    problem = Problem(graph_of("5x6"))
    text = FORMATS[suffix](problem, "")
    (tmp_path / f"m{suffix}.map").write_text(map_text(problem, "", suffix, text))
    edges = solve(problem).edges
    assert edges is not None
    names = [int(name) for name in re.findall(r"(?<![\w.])x([1-9][0-9]*)(?![\w.])", text)]
    order = list(dict.fromkeys(names))
    values = dict.fromkeys(order, 0) | {edge_variables(problem)[e]: 1 for e in edges.tolist()}
    (tmp_path / "s.sol").write_text(form(values, order))
    read = read_solution(tmp_path / "s.sol", tmp_path / f"m{suffix}.map").edges
    assert read is not None
    assert read.tolist() == sorted(edges.tolist())


@pytest.mark.parametrize("suffix", [".lp", ".mps"])
@pytest.mark.parametrize("style", range(4))
def test_each_style_of_highs_is_read(style: int, suffix: str, tmp_path: Path) -> None:
    import highspy

    problem = Problem(graph_of("3x4"), "path")
    text = FORMATS[suffix](problem, "")
    (tmp_path / f"m{suffix}").write_text(text)
    (tmp_path / f"m{suffix}.map").write_text(map_text(problem, "", suffix, text))
    solver = highspy.Highs()
    solver.silent()
    solver.readModel(str(tmp_path / f"m{suffix}"))
    solver.run()
    solver.writeSolution(str(tmp_path / "s.sol"), style)
    assert read_solution(tmp_path / "s.sol", tmp_path / f"m{suffix}.map").tour is not None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("c Status: INTEGER EMPTY\ns mip 1 0 n 0\n", "known"),
        ("<solution>3</solution>\n", "in a form that is known; read are"),
    ],
)
def test_a_file_without_a_solution_or_of_an_unknown_form_says_which(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "m.lp.map").write_text(map_text(Problem(graph_of("3x4"), "path"), "", ".lp", ""))
    (tmp_path / "s.sol").write_text(text)
    with pytest.raises(KTError, match=re.escape(words)):
        read_solution(tmp_path / "s.sol", tmp_path / "m.lp.map")


@pytest.mark.parametrize("text", ["UNSAT\n", "s UNSATISFIABLE\n"])
def test_the_word_of_a_solver_that_there_is_none_is_not_shown(text: str, tmp_path: Path) -> None:
    (tmp_path / "m.lp.map").write_text(map_text(Problem(graph_of("3x4"), "path"), "", ".lp", ""))
    (tmp_path / "s.sol").write_text(text)
    result = read_solution(tmp_path / "s.sol", tmp_path / "m.lp.map")
    assert (result.status, result.how) == ("infeasible", "solver's answer, not certified")


def test_the_map_of_another_model_is_refused(tmp_path: Path) -> None:
    model, solution, tour = (tmp_path / name for name in ("m.opb", "s.txt", "t.json"))
    assert kt("convert", "5x6", model).exit_code == 0
    edges = solve(Problem(graph_of("5x6"))).edges
    assert edges is not None
    solution.write_text(f"v {' '.join(f'x{e + 1}' for e in edges.tolist())}\n")
    for named in (model, f"{model}.map"):
        assert kt("convert", solution, tour, "--model", named).exit_code == 0
    before = model.read_text()
    model.write_text(before.replace("x1 ", "x2 "))
    for named in (model, f"{model}.map"):
        one_line_refusal(kt("convert", solution, tour, "--model", named), "another model", "m.opb")
    model.unlink()  # The map alone says what the variables mean
    assert kt("convert", solution, tour, "--model", f"{model}.map").exit_code == 0
    one_line_refusal(kt("convert", solution, tour, "--model", tmp_path / "none.opb"), "none.opb.map")


@pytest.mark.parametrize(("encoding", "solutions"), [("", 60), ("degrees", 70)])
def test_clauses_without_connectivity_have_all_2_factors(encoding: str, solutions: int) -> None:
    """The complete graph of 6 vertices has 60 Hamiltonian cycles, and 10 pairs of triangles."""
    from pysat.formula import CNF
    from pysat.solvers import Solver

    problem = Problem(MoveGraph.from_edges(6, list(combinations(range(6), 2))))
    edges = edge_variables(problem)
    found = set()
    with Solver("cadical153", bootstrap_with=CNF(from_string=FORMATS[".cnf"](problem, encoding))) as solver:
        while solver.solve():
            model = set(solver.get_model())
            found.add(frozenset(model & set(edges)))
            solver.add_clause([-x if x in model else x for x in edges])
    assert len(found) == solutions


def test_a_literal_of_ones_and_zeros_is_no_word_of_bits(tmp_path: Path) -> None:
    """Two orbits of moves: the literal 10 is as long as a word of all of them."""
    model, solution, tour = (tmp_path / name for name in ("m.cnf", "solution.txt", "tour.json"))
    asked = ["triangle:2", "--symmetry", "(x,z,y)", "--encoding", "binary"]
    assert kt("convert", *asked[:1], model, *asked[1:]).exit_code == 0
    for words in ("1 2 -3 10 -11 0", "11"):
        solution.write_text(f"s SATISFIABLE\nv {words}\n")
        assert kt("convert", solution, tour, "--model", model, "--force").exit_code == 0


def test_no_row_has_a_variable_twice() -> None:
    """The moves of an orbit are one variable; HiGHS warned of it and others may refuse it."""
    stops = [(2, 1, 0), (1, 1, 0), (0, 1, 0), (1, 0, 0)]
    asked = {"symmetry": "(x+2,-y,-z)", "in_order": stops, "minimize": "length", "open": True}
    problem = problem_from("cylinder:3x2x1", leaper="0,1+1,2", **asked)
    for row in linear_model(problem, "relative").rows:
        assert len({x for _, x in row.terms}) == len(row.terms)
