"""Whether what the toolkit says is true."""

from __future__ import annotations

from typing import Any

from kt_models.kernel.certificates import Statement
from tests.oracle.truth import Case, TooMany, case_of


def truth_of_bound(case: Case, value: int | None) -> bool | None:
    """Whether there is no solution (`value` None), or none below a value; None if that is not known."""
    try:
        if not case.solutions:
            return True
        return False if value is None else case.least is not None and case.least >= value
    except TooMany:
        return None


def truth_of(statement: Statement) -> bool | None:
    """Whether a statement is true; None if that is not known."""
    case, value = case_of(statement.problem), statement.value
    if statement.kind in ("infeasible", "at-least"):
        return truth_of_bound(case, value)
    try:
        solutions = case.solutions
    except TooMany:
        return None
    if statement.kind == "optimum":
        return bool(solutions) and case.least == value
    if statement.kind == "tour":
        return bool(solutions) if value is None else value in map(case.value, solutions)
    if statement.classes:
        return None
    if statement.of_value is not None:
        solutions = [s for s in solutions if case.value(s) == statement.of_value]
    return len(solutions) == value


class Names:
    """Texts and digests that were given to statements: no two different statements may share one."""

    def __init__(self) -> None:
        self.known: dict[str, Any] = {}

    def see(self, statement: Statement) -> str | None:
        """What is wrong with the names of a statement, if anything."""
        content = canonical(statement)
        for kind, name in (("digest", statement.digest), ("text", statement.text)):
            other = self.known.setdefault(kind + name, content)
            if other != content:
                return f"two statements of the same {kind}: {name!r}: {other} and {content}"
        other = self.known.setdefault(repr(content), statement.digest)
        if other != statement.digest:
            return f"one statement with two digests: {statement.text!r}"
        if len(self.known) > 300_000:
            self.known.clear()
        return None


def canonical(statement: Statement) -> Any:
    """What a statement is about, told from the bag of numbers; two that say the same are equal."""
    case = case_of(statement.problem)
    place: Any = (case.n, tuple(sorted(tuple(sorted(e)) for e in case.edges)))
    if case.directed:
        place = ("directed", case.n, case.edges)
    if case.cells:
        place = ("board", case.cells, case.shape, case.wraps)
    ends: Any = tuple(sorted(case.terminals))
    if case.connectivity == "linkage":
        ends = tuple(sorted(tuple(sorted(p)) for p in zip(case.terminals[::2], case.terminals[1::2], strict=True)))
    leaper = str(statement.problem.graph.leaper)
    objective: Any = case.objective
    if isinstance(objective, tuple):
        table: dict[tuple[int, int], int] = {}
        for e, f, w in objective:
            table[min(e, f), max(e, f)] = table.get((min(e, f), max(e, f)), 0) + w
        objective = tuple(sorted((pair, w) for pair, w in table.items() if w))
    group = _group(case.generators, case.shape) if case.generators else ()
    return (
        place, leaper, case.connectivity, ends, tuple(sorted(case.required)), tuple(sorted(case.forbidden)),
        objective, group, statement.kind, statement.value, statement.of_value, statement.classes,
    )  # fmt: skip


def _group(generators: Any, shape: Any) -> Any:
    """All products of some signed permutations with translations."""
    size = len(generators[0][0])
    known = {(tuple(range(size)), (1,) * size, (0,) * size)}
    todo = list(known)
    for axes, signs, shifts in todo:
        for more_axes, more_signs, more_shifts in generators:
            parts = list(zip(more_axes, more_signs, more_shifts, shape, strict=True))
            product = (
                tuple(axes[a] for a, _, _, _ in parts),
                tuple(s * signs[a] for a, s, _, _ in parts),
                tuple((s * shifts[a] + t) % side for a, s, t, side in parts),
            )
            if product not in known:
                known.add(product)
                todo.append(product)
    return tuple(sorted(known))
