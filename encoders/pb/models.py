"""A problem as a file for other solvers, and the solution that they return.

In every format the first variables are the orbits of edges (without symmetry x1 is edge 0), so all solutions are read
alike. OPB, LP and MPS have the linear model of `ZeroOneModel`, WCNF has the clauses of the SAT engine.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from encoders.pb.constraint_models import to_minizinc, to_smt_lib, to_xcsp3
from encoders.pb.linear import CIRCUIT, DEGREES, FLOW, linear_model, mark, unit_lines
from encoders.sat.dimacs import to_dimacs
from encoders.sat.encodings import default_encoding, encode
from encoders.sat.formula import Formula
from encoders.sat.objective import Objective
from kt_models.errors import CertificateError, KTError, about
from kt_models.json_version import FORMAT_VERSION, read_document
from kt_models.kernel.certificates.proofs.dimacs import digest_of, open_file, proof_steps, read_formula
from kt_models.kernel.certificates.proofs.lrat import replay
from kt_models.kernel.certificates.proofs.zero_one import LinearConstraint, edge_variables
from kt_models.problem import Problem
from kt_models.result import Result
from kt_models.storage import lines_of, read_json, read_text

WHOLE = 1e-6
"""Greatest distance from 0 or 1 of a value from a solver of linear programs."""
WIDTH = 400
"""Most characters of a line of an LP file; CPLEX accepts 560."""


def to_opb(problem: Problem, encoding: str = "") -> str:
    """Pseudo-Boolean, as RoundingSat and others read it."""
    head, rest = linear_model(problem, encoding).opb(minimize=problem.objective is not None).split("\n", 1)
    return "\n".join([head, *(f"* {line}" for line in (mark(problem), *unit_lines(problem))), rest])


def to_lp(problem: Problem, encoding: str = "") -> str:
    """An LP file, as CPLEX, Gurobi, SCIP, HiGHS and others read it."""
    model = linear_model(problem, encoding)
    comments = [f"\\ {line}" for line in (mark(problem), *unit_lines(problem))]
    lines = [*comments, "Minimize", *_folded(" obj:", [*model.objective, (0, 1)]), "Subject To"]
    for number, row in enumerate(model.rows, start=1):
        *most, last = _folded(f" c{number}:", row.terms)
        lines += [*most, f"{last} {'=' if row.equal else '>='} {row.right}"]
    lines += ["Binary", *(f" x{x}" for x in range(1, model.top + 1)), "End"]
    return "\n".join(lines) + "\n"


def _folded(begin: str, terms: Iterable[tuple[int, int]]) -> Iterator[str]:
    line = begin
    for c, x in terms:
        word = f" {'-' if c < 0 else '+'} {abs(c)} x{x}"
        if len(line) + len(word) > WIDTH:
            yield line
            line = " "
        line += word
    yield line


def to_mps(problem: Problem, encoding: str = "") -> str:
    """Free MPS, as every solver of integer programs reads it."""
    model = linear_model(problem, encoding)
    columns: list[list[tuple[str, int]]] = [[] for _ in range(model.top + 1)]
    for c, x in model.objective:
        columns[x].append(("obj", c))
    for number, row in enumerate(model.rows, start=1):
        for c, x in row.terms:
            columns[x].append((f"c{number}", c))

    def kind(row: LinearConstraint) -> str:
        return "E" if row.equal else "G"

    comments = [f"* {line}" for line in unit_lines(problem)]
    lines = [
        *comments,
        "NAME kt",
        "ROWS",
        " N obj",
        *(f" {kind(row)} c{i}" for i, row in enumerate(model.rows, start=1)),
    ]
    lines += ["COLUMNS", " MARKER0 'MARKER' 'INTORG'"]
    for x in range(1, model.top + 1):
        lines += [f" x{x} {row} {c}" for row, c in columns[x] or [("obj", 0)]]
    lines += [" MARKER1 'MARKER' 'INTEND'", "RHS"]
    lines += [f" rhs c{i} {row.right}" for i, row in enumerate(model.rows, start=1) if row.right]
    lines += ["BOUNDS", *(f" BV bnd x{x}" for x in range(1, model.top + 1)), "ENDATA"]
    return "\n".join(lines) + "\n"


def to_cnf(problem: Problem, encoding: str = "") -> str:
    """DIMACS CNF, as every SAT solver reads it; the objective is not part of it."""
    encoding = encoding or default_encoding()
    return to_dimacs(_formula(problem, encoding), encoding)


def _formula(problem: Problem, encoding: str) -> Formula:
    """The clauses of a problem, in an encoding of connectivity or without it."""
    if encoding == FLOW:
        raise KTError("--encoding flow: it is for .opb, .lp and .mps")
    return Formula(problem) if encoding == DEGREES else encode(problem, encoding)


def to_wcnf(problem: Problem, encoding: str = "") -> str:
    """WCNF, in the form that MaxSAT solvers read since 2022: `h` before hard clauses, weights before the others."""
    if problem.objective is None:
        raise KTError("a .wcnf file needs an objective; a .cnf file holds the clauses alone")
    formula = _formula(problem, encoding)
    objective = Objective(formula)
    lines = [f"c {mark(problem)}", f"c {problem.objective_name}: {objective.base} and what is paid"]
    lines += [f"c {line}" for line in unit_lines(problem)]
    lines += [" ".join(map(str, ("h", *clause, 0))) for clause in formula.clauses]
    lines += [f"{weight} {-x} 0" for x, weight in objective.weights.items()]
    return "\n".join(lines) + "\n"


def to_cp_sat(problem: Problem, encoding: str = "") -> str:
    """The model that CP-SAT gets here, as text of its protocol buffer."""
    from encoders.cpsat.model import Model

    encoding = encoding or CIRCUIT
    if encoding not in (CIRCUIT, DEGREES):
        raise KTError(f"--encoding {encoding}: a .pb.txt file has {CIRCUIT} or {DEGREES}")
    comments = "".join(f"# {line}\n" for line in (mark(problem), *unit_lines(problem)))
    return f"{comments}{Model(problem, encoding).cp.proto}"


FORMATS = {
    ".cnf": to_cnf,
    ".opb": to_opb,
    ".lp": to_lp,
    ".mps": to_mps,
    ".wcnf": to_wcnf,
    ".pb.txt": to_cp_sat,
    ".mzn": to_minizinc,
    ".xml": to_xcsp3,
    ".smt2": to_smt_lib,
}
"""The writer for each suffix of a model file."""


MAP = ".map"
"""The end of the name of a map, behind the name of its model file."""


def map_text(problem: Problem, encoding: str, suffix: str, model: str) -> str:
    """The contents of a map: the problem, the meaning of the first variables of a model, and the model's digest."""
    graph = problem.graph
    moves: dict[int, str] = {}
    for e, x in enumerate(edge_variables(problem)):
        moves[x] = f"{moves[x]} {graph.edge_name(e)}" if x in moves else graph.edge_name(e)
    data = {"version": FORMAT_VERSION, "kind": "model", "format": suffix, "encoding": encoding}
    data["model_sha256"] = hashlib.sha256(model.encode()).hexdigest()
    return json.dumps({**data, "problem": problem.to_json(), "variables": list(moves.values())}) + "\n"


def read_solution(
    path: str | os.PathLike[str], model: str | os.PathLike[str], proof: str | os.PathLike[str] | None = None
) -> Result:
    """Read and verify the answer of a solver: a solution, or that there is none, or none better.

    Parameters
    ----------
    path
        Lines `v 1 -2 3` or `v x1 -x2 x3` as SAT solvers print them, one word of 0 and 1, a result file of MiniSat
        (`SAT`, then literals), lines `solution: 1` of CP-SAT, a value after the name of each variable as solvers of
        linear programs print it, files of `glpsol -w` and `-o`, and HiGHS's styles of solutions.
    model
        The model file, or the map beside it. If both are there, the map must be that of the model.
    proof
        An LRAT proof that the `.cnf` model has no solution.

    Returns
    -------
    Result
        What is only the solver's word is in its `evidence`.

    Raises
    ------
    KTError
        If a file cannot be read, or has no answer in it.
    InvalidTour
        If the solution does not solve the problem.
    CertificateError
        If the proof is wrong.
    """
    name = os.fspath(model).removesuffix(MAP)
    data = read_json(name + MAP)
    with about(name + MAP):
        if not isinstance(data, dict) or data.get("kind") != "model" or not isinstance(data.get("problem"), dict):
            raise KTError("not the map of a model")
        data = read_document(data, "model")
        problem = Problem.from_json(data["problem"])
        # Variables have no names: a solution of another model would be read as a solution of this one.
        if os.path.isfile(name) and data.get("model_sha256") != digest_of(Path(name)):
            raise KTError(f"it is the map of another model than {name}, which was written again or changed since")
    variables = edge_variables(problem)
    text = _COLOURS.sub("", read_text(path))
    answer = f"answer in {os.fspath(path)}"
    lines = [line.strip() for line in lines_of(text)]
    if says_none(lines):
        words = f"{answer}, not checked" if proof is None else _checked_proof(problem, data, Path(name), Path(proof))
        return Result(problem, "infeasible", engine="given").with_notes(evidence=words)
    with about(path):
        if proof is not None:
            raise KTError("it does not say that there is no solution, so there is nothing to prove")
        columns = partial(_columns, problem, data.get("format"), data.get("encoding"))
        true = _true(text, max(variables, default=0), columns)
        edges = np.array([e for e, x in enumerate(variables) if x in true], dtype=np.int32)
        found = Result(problem, "feasible", edges=edges, engine="given")
    if problem.objective is None or data.get("encoding") == DEGREES or not says_optimal(lines):
        return found
    words = f"that none is better, {answer}, not checked"
    return found.with_bound("optimal", found.value).with_notes(evidence=words)


_COLOURS = re.compile("\x1b\\[[0-9;]*m")
_REFUTED = re.compile(r"^(s )?unsat(isfiable)?$|^=+UNSATISFIABLE=+$|\binfeasible\b(?! or)", re.IGNORECASE)
"""Lines by which solvers say that there is no solution."""
_OPTIMAL = re.compile(r"^s OPTIMUM FOUND$|^={10}$")
"""Lines by which solvers say that a solution is the best one."""


def says_none(lines: Iterable[str]) -> bool:
    """Whether a solver says that there is no solution."""
    return any(map(_REFUTED.search, lines))


def says_optimal(lines: Iterable[str]) -> bool:
    """Whether a solver says that its last solution is the best one."""
    return any(map(_OPTIMAL.search, lines))


def true_variables(text: str, last: int) -> set[int]:
    """The variables up to the last one that are true, in what a solver printed by their names."""

    def unnamed() -> list[int]:
        raise KTError("its variables have no names")

    return _true(text, last, unnamed)


def _checked_proof(problem: Problem, data: dict[str, Any], model: Path, proof: Path) -> str:
    """Replay an LRAT proof against a formula that kt makes again, and say so."""
    suffix, encoding = data.get("format"), data.get("encoding")
    if suffix != ".cnf" or not isinstance(encoding, str):
        raise KTError(f"{proof}: an LRAT proof is about a .cnf model, and {model} is of another form")
    if to_cnf(problem, encoding) != read_text(model):
        raise CertificateError(f"{model}: not the formula that kt writes for its problem")
    with about(proof), open_file(proof) as stream:
        steps = replay(read_formula(model), proof_steps(stream, proof))
    return f"LRAT proof {proof}, {steps:,} steps, checked; the {encoding} formula is what kt writes for the problem"


SOLUTIONS = (
    "lines 'v 1 -2', MiniSat's 'SAT' and literals, lines 'solution: 1' of CP-SAT, values after names x1, x2, ..., "
    "the files of glpsol -w and -o, HiGHS's solutions of styles 0 to 3, (x1 true) of SMT-LIB, <instantiation> of XCSP3"
)
"""The forms of solutions that are read, for errors."""


def _true(text: str, last: int, columns: Callable[[], list[int]]) -> set[int]:
    """The variables up to the last one that are true.

    Parameters
    ----------
    columns
        The variables in the order of the model's columns, for forms without names.
    """
    lines = [line for line in lines_of(text) if line.strip()]
    values: dict[int, float] = {}
    for read in READERS:
        if values := read(lines, last, columns):
            break
    if not values and (line := next((line for line in lines if _NO_SOLUTION.search(line)), None)):
        raise KTError(f"there is no solution in it: the solver says {line.strip()[:40]!r}, which is not checked")
    if not values:
        raise KTError(f"there is no solution in it in a form that is known; read are {SOLUTIONS}")
    part = {x: value for x, value in values.items() if x <= last}
    for x, value in part.items():
        if not math.isfinite(value) or min(abs(value), abs(value - 1)) > WHOLE:
            raise KTError(f"x{x} is {value:g}, neither 0 nor 1")
    return {x for x, value in part.items() if value > 0.5}


_NO_SOLUTION = re.compile(
    r"\bunsat|infeasible|\bINDET|no (integer |primal )?(feasible )?solution|undefined|\bunknown", re.IGNORECASE
)
"""Words of solvers that found no solution."""
ColumnNumbers = Callable[[], list[int]]
Values = dict[int, float]


def _literals(lines: list[str], last: int, _: ColumnNumbers) -> Values:
    """Lines `v 1 -2 3` or `v x1 -x2`, or of one word of 0 and 1."""
    values: Values = {}
    words = [word for line in lines if line[:2] in ("v ", "V ") for word in line.split()[1:]]
    for word in words:
        # Beside other words, 10 is a literal
        if len(words) == 1 and re.fullmatch(r"[01]+", word) and len(word) > max(1, last - 1):
            values |= {x: float(bit) for x, bit in enumerate(word, start=1)}
        elif match := re.fullmatch(r"(-?)x?([1-9]\d{0,9})", word):
            values[int(match[2])] = float(not match[1])
        elif word != "0":
            raise KTError(f"{word[:40]!r} stands where a variable should")
    return values


def _minisat(lines: list[str], last: int, columns: ColumnNumbers) -> Values:
    """A result file of MiniSat: `SAT`, then literals up to 0."""
    if not lines or lines[0].strip() != "SAT":
        return {}
    return _literals([f"v {line}" for line in lines[1:]], last, columns)


_PRIMAL = {"mip": 2, "bas": 3, "ipt": 2}
"""Place of the value in a line `j`, by the kind of solution."""


def _numbered_columns(lines: list[str], _: int, columns: ColumnNumbers) -> Values:
    """The file of `glpsol -w`, which HiGHS writes in style 2: `s mip ...`, and `j COLUMN VALUE`."""
    kind = next(
        (words[1] for words in map(str.split, lines) if words[0] == "s" and words[1:2] and words[1] in _PRIMAL), None
    )
    rows = [words for words in map(str.split, lines) if words[0] == "j"]
    if kind is None or not rows:
        return {}
    order, values = columns(), Values()
    for words in rows:
        if len(words) <= _PRIMAL[kind] or not words[1].isdecimal() or not 1 <= int(words[1][:10]) <= len(order):
            raise KTError(f"{' '.join(words)[:40]!r} is not a column of the model and its value")
        values[order[int(words[1]) - 1]] = _number(words[_PRIMAL[kind]])
    return values


def _table_of_glpk(lines: list[str], _: int, __: ColumnNumbers) -> Values:
    """The table of `glpsol -o`, which HiGHS writes in style 3."""
    start = next(
        (place for place, line in enumerate(lines) if "Column name" in line and "Activity" in line), len(lines)
    )
    rows = (
        re.match(r"\s*\d+\s+x([1-9]\d{0,9})\s+(?:\*|[A-Z]{1,2}\s)?\s*([-+.\deE]+)(?=\s|$)", line)
        for line in lines[start:]
    )
    return {int(row[1]): _number(row[2]) for row in rows if row}


def _table_of_highs(lines: list[str], _: int, __: ColumnNumbers) -> Values:
    """The table that HiGHS writes in style 1: numbers end below the words of its header, and names stand last."""
    start = next(
        (place for place, line in enumerate(lines) if {"Upper", "Primal", "Name"} <= {*line.split()}), len(lines)
    )
    values: Values = {}
    for line in lines[start + 1 :]:
        if not (match := re.search(r"\sx([1-9]\d{0,9})\s*$", line)):
            break
        header = lines[start]
        values[int(match[1])] = _number(line[header.index("Upper") + 5 : header.index("Primal") + 6].strip())
    return values


def _cp_sat(lines: list[str], _: int, __: ColumnNumbers) -> Values:
    """Lines `solution: 1` of CP-SAT's response."""
    values = [word for line in lines if line.startswith("solution:") for word in re.findall(r"-?\d+", line)]
    return {x: float(word[:20]) for x, word in enumerate(values, start=1)}


def _named(lines: list[str], _: int, __: ColumnNumbers) -> Values:
    """A value after the name of each variable."""
    values: Values = {}
    for line in lines:
        if "Dual" in line:  # The lines that follow are no solution.
            break
        if match := re.search(r"(?<![\w.])x([1-9]\d{0,9})\s+([-+.\deE]+)(?=\s|$)", line):
            values[int(match[1])] = _number(match[2])
    return values


def _smt_lib(lines: list[str], _: int, __: ColumnNumbers) -> Values:
    """Pairs `(x1 true)` of `(get-value ...)`."""
    if not lines or lines[0].strip() != "sat":
        return {}
    pairs = re.findall(r"\(x([1-9]\d{0,9})\s+(true|false)\)", " ".join(lines))
    return {int(x): float(value == "true") for x, value in pairs}


def _xcsp3(lines: list[str], _: int, __: ColumnNumbers) -> Values:
    """The last `<instantiation>` of a solver of the XCSP3 competitions."""
    text = " ".join(line.removeprefix("v ") for line in lines)
    values: Values = {}
    for names, words in re.findall(r"<list>([^<]*)</list>\s*<values>([^<]*)</values>", text):
        repeated = [word for value in words.split() for word in _times(value)]
        pairs = zip(names.split(), repeated, strict=False)
        values |= {int(name[1:]): _number(word) for name, word in pairs if re.fullmatch(r"x[1-9]\d{0,9}", name)}
    return values


def _times(word: str) -> list[str]:
    """The values of a word such as `0x12`: 0 twelve times."""
    value, times, count = word.partition("x")
    return [value] * int(count[:7]) if times and count.isdecimal() else [value]


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise KTError(f"{word[:40]!r} stands where a number should") from None


READERS = (
    _xcsp3, _smt_lib, _literals, _minisat, _numbered_columns, _table_of_glpk, _table_of_highs, _cp_sat, _named,
)  # fmt: skip
"""The forms of solutions in the order in which they are tried."""


def _columns(problem: Problem, suffix: Any, encoding: Any) -> list[int]:
    """The variables of a model in the order of its columns: that in which its file names them first."""
    if suffix not in (".lp", ".mps") or not isinstance(encoding, str):
        raise KTError("a solution by the numbers of columns belongs to an .lp or .mps file")
    lines = [line for line in lines_of(FORMATS[suffix](problem, encoding)) if not line.startswith("\\")]
    names = re.findall(r"(?<![\w.])x([1-9]\d{0,9})(?![\w.])", "\n".join(lines))
    return [int(name) for name in dict.fromkeys(names)]
