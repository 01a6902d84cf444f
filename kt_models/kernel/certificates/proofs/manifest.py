"""`Manifest`: what a proof folder claims, and what its clauses mean.

Reading it checks only types and ranges; `meaning` and `lrat` check whether it is true.

The file
--------
`manifest.json` is one object, and every number in it is an integer of at most 2^31 - 1. Its keys:

- `version`, `kind`: the version of all files (docs/use/format.md), and "proof".
- `claim`: {"status": "infeasible"} says that there is no solution, {"bound": b} that every solution has a value of at
  least b.
- `problem`: the problem (`board`, `leaper`, `connectivity`, `objective`, `terminals`, `required`, `forbidden`,
  `symmetry`, ...), as in a result.
- `solver`: the solver that logged the proof; it is not used.
- `sha256`: the digests of `formula.cnf` and `proof.lrat` in hexadecimal, and no others.
- `counted`: a list of [variable, weight], the counted variables of the objective.
- `constrained`: such a list for each constraint of the problem, in their order; it is left out where there is none.
- `counters`: a list of {"of": "objective" | "constraint" | "ends" | "degree", "vertex": v, "constraint": i, "nodes":
  [[left, right, first, [t1, t2, ...]], ...]}.
- `groups`: a list of {"rule": ..., "clauses": c, ...}.  The next c clauses of the formula follow by this rule.

Variables
---------
The variables 1, 2, ... are the orbits of edges under the symmetry, in the order of their least edges. Without a
symmetry, edge e is variable e + 1. If a path has free ends, the end variables come next, one for each vertex that is
not a terminal. Every other variable is a counted variable or belongs to a counter, and is defined once.

Counters
--------
A counter adds up weighted inputs in a binary tree. Its items are its inputs, and after them its nodes. The inputs of
`objective` are its counted variables, and those of a `constraint` the counted variables of that one. Those of `ends`
are the end variables, each with weight 1. Those of `degree` are the variables at the vertex, and each weighs as often
as it occurs there. A node has two earlier items below it,
and each item is below at most one node. The variables `first`, `first + 1`, ... of a node belong to its thresholds
`t1`, `t2`, ...
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kt_models.errors import CertificateError, KTError, about
from kt_models.fields import require_derived, require_fields
from kt_models.json_values import is_integer, is_number
from kt_models.json_version import FORMAT_VERSION, read_document
from kt_models.kernel.certificates.statement import Statement
from kt_models.problem import Problem
from kt_models.storage import read_json

MANIFEST, FORMULA, PROOF = "manifest.json", "formula.cnf", "proof.lrat"
MAX_NUMBER = 2**31 - 1
"""Greatest variable, weight, threshold or count: the limit of many DIMACS readers."""


def kind_of(folder: Path) -> Any:
    """The kind of proof that a folder holds, according to its manifest; None without one."""
    path = folder / MANIFEST
    data = read_json(path) if path.is_file() else None
    return data.get("kind") if isinstance(data, dict) else None


@dataclass(frozen=True)
class Group:
    """Consecutive clauses of the formula that follow from the problem by one rule."""

    rule: str
    clauses: int
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Node:
    """Part of a counter: `variables[i]` is true if the inputs under it sum to at least `thresholds[i]`."""

    left: int
    right: int
    first: int
    thresholds: tuple[int, ...]

    @property
    def variables(self) -> range:
        """Variables of the part, one for each threshold."""
        return range(self.first, self.first + len(self.thresholds))


@dataclass(frozen=True)
class Counter:
    """A binary tree that adds weighted literals. Its items are the inputs 0..i-1, then the nodes."""

    of: str
    vertex: int | None
    nodes: tuple[Node, ...]
    constraint: int | None = None


@dataclass(frozen=True)
class Manifest:
    """The claim of a proof folder, and what the clauses of its formula mean.

    Parameters
    ----------
    problem, bound
        The claim: every solution has at least this value; with bound None there is no solution.
    digests
        SHA-256 of formula and proof, in hexadecimal.
    counted
        Variables that stand for weighted pairs of edges of the objective, and their weights.
    constrained
        The same for each constraint.
    """

    problem: Problem
    bound: int | None
    digests: dict[str, str]
    counted: tuple[tuple[int, int], ...]
    counters: tuple[Counter, ...]
    groups: tuple[Group, ...]
    solver: str = ""
    constrained: tuple[tuple[tuple[int, int], ...], ...] = ()

    @property
    def statement(self) -> Statement:
        """The claim as a statement."""
        return Statement(self.problem, "infeasible" if self.bound is None else "at-least", self.bound)

    def to_json(self) -> dict[str, Any]:
        """The keys that this module describes."""
        return {
            "version": FORMAT_VERSION,
            "kind": "proof",
            "claim": {"status": "infeasible"} if self.bound is None else {"bound": self.problem.unit.value(self.bound)},
            "problem": self.problem.to_json(),
            "solver": self.solver,
            "sha256": self.digests,
            "counted": [list(pair) for pair in self.counted],
            **({"constrained": [[list(p) for p in row] for row in self.constrained]} if self.constrained else {}),
            "counters": [
                {
                    "of": counter.of,
                    **({} if counter.vertex is None else {"vertex": counter.vertex}),
                    **({} if counter.constraint is None else {"constraint": counter.constraint}),
                    "nodes": [[node.left, node.right, node.first, list(node.thresholds)] for node in counter.nodes],
                }
                for counter in self.counters
            ],
            "groups": [{"rule": group.rule, "clauses": group.clauses, **group.data} for group in self.groups],
        }

    @classmethod
    def read(cls, directory: Path) -> Manifest:
        """The manifest in a folder.

        Raises
        ------
        KTError
            If it cannot be read, a key is missing, or a value is of the wrong type or out of range.
        """
        path = directory / MANIFEST
        with about(path):
            return cls.from_json(read_json(path))

    @classmethod
    def from_json(cls, data: Any) -> Manifest:
        """Read the manifest of a JSON object; a `KTError` names what is missing or of the wrong type."""
        if not isinstance(data, dict) or data.get("kind") != "proof":
            raise KTError("not the manifest of a proof")
        data = read_document(data, "proof")
        problem = data.get("problem")
        if not isinstance(problem, dict):
            raise KTError("'problem' is missing")
        digests = data.get("sha256")
        if not isinstance(digests, dict) or sorted(digests) != [FORMULA, PROOF]:
            raise KTError(f"'sha256' does not name {FORMULA} and {PROOF}, and nothing else")
        if not all(isinstance(digest, str) for digest in digests.values()):
            raise KTError("'sha256' has a digest that is not a text")
        about = Problem.from_json(problem)
        require_fields(data, "proof")
        require_derived(data, {"problem": about.to_json()}, "proof", ("sha256",), CertificateError)
        return cls(
            about,
            _bound(about, data.get("claim")),
            digests,
            _weighted(_rows(data, "counted", 2)),
            tuple(_counter(row) for row in _objects(data, "counters")),
            tuple(_group(row) for row in _objects(data, "groups")),
            str(data.get("solver", ""))[:200],
            tuple(
                _weighted(_rows({"constrained": row}, "constrained", 2)) for row in _list(data.get("constrained", []))
            ),
        )


def _weighted(rows: list[list[Any]]) -> tuple[tuple[int, int], ...]:
    return tuple((_number(variable, 1), _number(weight, 1)) for variable, weight in rows)


def _bound(problem: Problem, claim: Any) -> int | None:
    if claim == {"status": "infeasible"}:
        return None
    if not isinstance(claim, dict) or set(claim) != {"bound"}:
        raise KTError("'claim' is neither a bound nor the status 'infeasible'")
    if not is_number(claim["bound"]):
        raise KTError(f"{_text(claim['bound'])} stands where a bound should")
    return _number(problem.unit.cost(claim["bound"], "'claim': the bound"), -MAX_NUMBER)


def _counter(row: dict[str, Any]) -> Counter:
    of, places = row.get("of"), (row.get("vertex"), row.get("constraint"))
    if not isinstance(of, str):
        raise KTError("a counter does not say what it counts")
    nodes = [
        Node(_number(left, 0), _number(right, 0), _number(first, 1), tuple(_number(t, 1) for t in _list(thresholds)))
        for left, right, first, thresholds in _rows(row, "nodes", 4)
    ]
    vertex, constraint = (None if place is None else _number(place, 0) for place in places)
    return Counter(of, vertex, tuple(nodes), constraint)


def _group(row: dict[str, Any]) -> Group:
    rule = row.get("rule")
    if not isinstance(rule, str):
        raise KTError("a group of clauses does not name its rule")
    data = {key: value for key, value in row.items() if key not in ("rule", "clauses")}
    return Group(rule, _number(row.get("clauses"), 0), data)


def _number(value: Any, least: int) -> int:
    if not is_integer(value) or not least <= value <= MAX_NUMBER:
        raise KTError(f"{_text(value)} stands where a number from {least} to {MAX_NUMBER} should")
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise KTError(f"{_text(value)} stands where a list should")
    return value


def _text(value: Any) -> str:
    """A misplaced value in few words (it may be a list of millions)."""
    return repr(value)[:40] if isinstance(value, int | float | str | None) else f"a {type(value).__name__}"


def _rows(data: dict[str, Any], key: str, width: int) -> list[list[Any]]:
    rows = _list(data.get(key, []))
    if not all(isinstance(row, list) and len(row) == width for row in rows):
        raise KTError(f"{key!r} is not a list of lists of {width}")
    return rows


def _objects(data: dict[str, Any], key: str) -> list[dict[str, Any]]:
    rows = _list(data.get(key, []))
    if not all(isinstance(row, dict) for row in rows):
        raise KTError(f"{key!r} is not a list of objects")
    return rows
