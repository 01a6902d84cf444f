"""The size of a model, counted in its file."""

from __future__ import annotations

import re
from dataclasses import dataclass

CLAUSES = (".cnf", ".wcnf")
"""Suffixes of files of clauses; other files hold constraints, which have terms instead of literals."""
_VARIABLE = re.compile(r"~?x(\d+)\b")


@dataclass(frozen=True)
class ModelSize:
    """The size of a model.

    Parameters
    ----------
    variables
        Variables that are used, or declared.
    constraints
        Clauses, or constraints; the objective does not count.
    literals
        Literals of the clauses, or terms of the constraints.
    """

    variables: int
    constraints: int
    literals: int

    def named(self, suffix: str) -> dict[str, int]:
        """The three numbers by their names for files with a suffix."""
        names = ("variables", "clauses", "literals") if suffix in CLAUSES else ("variables", "constraints", "terms")
        return dict(zip(names, (self.variables, self.constraints, self.literals), strict=True))


def model_size(text: str, suffix: str) -> ModelSize:
    """The size of the model in the text of a file that `kt convert` writes."""
    if suffix in CLAUSES:
        return _of_clauses(text, suffix)
    if suffix == ".mps":
        return _of_mps(text)
    if suffix == ".pb.txt":
        terms = len(re.findall(r"^    (?:vars|literals): ", text, flags=re.MULTILINE))
        return ModelSize(text.count("\nvariables {"), text.count("\nconstraints {"), terms)
    if suffix in _CONSTRAINT_MODELS:
        return _of_constraint_model(text, suffix)
    return _of_rows(text, suffix)


_CONSTRAINT_MODELS = {
    ".mzn": (r"^constraint ", r"\bx\[\d+\]"),
    ".xml": (r"^    <(?:sum|intension|circuit)>", r"(?<!\")\bx\d+\b"),
    ".smt2": (r"^\(assert ", r"\bx\d+\b"),
}
"""For constraint models, the forms of a constraint, and of a variable in one."""


def _of_constraint_model(text: str, suffix: str) -> ModelSize:
    """MiniZinc, XCSP3 or SMT-LIB: a constraint begins a line."""
    row, variable = _CONSTRAINT_MODELS[suffix]
    text = text.partition("(minimize")[0].partition("(check-sat)")[0].partition("  <objectives>")[0]
    text = text.partition("\nsolve ")[0]
    arrays = re.findall(r"^array\[1\.\.(\d+)\] of var", text, flags=re.MULTILINE)
    declared = len(re.findall(r"<var |^\(declare-fun ", text, flags=re.MULTILINE)) + sum(map(int, arrays))
    terms = len(re.findall(variable, text)) - (declared if suffix == ".smt2" else 0)
    return ModelSize(declared, len(re.findall(row, text, flags=re.MULTILINE)), terms)


def _of_clauses(text: str, suffix: str) -> ModelSize:
    """The size of DIMACS; in WCNF, `h` or a weight stands before each clause."""
    rows = [line.split() for line in text.splitlines() if line and line[0] not in "cp"]
    clauses = [row[suffix == ".wcnf" : -1] for row in rows]
    top = max((abs(int(word)) for clause in clauses for word in clause), default=0)
    header = re.search(r"^p cnf (\d+) ", text, flags=re.MULTILINE)
    return ModelSize(int(header[1]) if header else top, len(clauses), sum(map(len, clauses)))


def _of_rows(text: str, suffix: str) -> ModelSize:
    """OPB, a constraint a line; or LP, where a constraint begins with its name and may take several lines."""
    if suffix == ".lp":
        body = text[text.index("Subject To") : text.index("Binary")]
        rows = re.findall(r"^ c\d+:", body, flags=re.MULTILINE)
        declared = text[text.index("Binary") :]
    else:
        lines = [line for line in text.splitlines() if not line.startswith(("*", "min:"))]
        body, rows, declared = "\n".join(lines), lines, text[: text.index("\n")]
    numbers = {int(number) for number in _VARIABLE.findall(body + declared)}
    header = re.match(r"\* #variable= (\d+)", text)
    return ModelSize(int(header[1]) if header else len(numbers), len(rows), len(_VARIABLE.findall(body)))


def _of_mps(text: str) -> ModelSize:
    """Fields by column; each line of COLUMNS is a term."""
    rows, columns = text[text.index("ROWS") : text.index("COLUMNS")], text[text.index("COLUMNS") : text.index("RHS")]
    terms = re.findall(r"^ (x\d+) c\d+ ", columns, flags=re.MULTILINE)
    names = set(re.findall(r"^ (x\d+) ", columns, flags=re.MULTILINE))
    return ModelSize(len(names), len(re.findall(r"^ [ELG] c\d+", rows, flags=re.MULTILINE)), len(terms))
