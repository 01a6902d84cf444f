"""A reader of cutting-planes proofs (VeriPB, version 1) in exact integers: `f`, `pol`, `rup`, `red`, `del id`, `c`.

Of `red` it takes definitions of a variable alone, where each goal follows from the negated constraint.

Written from the description of the format; it shares no code with what writes proofs. A constraint is a dictionary of
literals (negative numbers are negated variables) with positive coefficients, and what they sum to at least.
"""

from __future__ import annotations

from collections import defaultdict

Constraint = tuple[dict[int, int], int]


class WrongProof(Exception):
    """What the reader does not accept."""


def parse(text: str) -> list[Constraint]:
    """A line of OPB: one constraint, or two of an equation."""
    words = text.replace(";", " ").split()
    place = next(i for i, word in enumerate(words) if word in (">=", "="))
    terms, right = list(zip(words[:place:2], words[1:place:2], strict=True)), int(words[place + 1])
    pairs = [(int(c), literal(x)) for c, x in terms]
    both = [normal(pairs, right)]
    if words[place] == "=":
        both.append(normal([(-c, x) for c, x in pairs], -right))
    return both


def literal(word: str) -> int:
    """`x3` or `~x3`."""
    sign = -1 if word.startswith("~") else 1
    if not word.lstrip("~").startswith("x"):
        raise WrongProof(word)
    return sign * int(word.lstrip("~")[1:])


def normal(terms: list[tuple[int, int]], right: int) -> Constraint:
    """With positive coefficients, each variable once."""
    total: dict[int, int] = defaultdict(int)
    for c, x in terms:
        if x < 0:
            c, x, right = -c, -x, right - c
        total[x] += c
    return (
        {x if c > 0 else -x: abs(c) for x, c in total.items() if c},
        right - sum(c for c in total.values() if c < 0),
    )


def refuted(formula: str, proof: str) -> None:
    """Read a proof to its end; `WrongProof` if it does not refute the formula."""
    *lines, end = proof.splitlines()
    rule, number = end.split()
    terms, degree = derive(formula, lines)[int(number)]
    if rule != "c" or sum(terms.values()) >= degree:
        raise WrongProof(end)


def derive(formula: str, lines: list[str]) -> dict[int, Constraint]:
    """What the lines of a proof leave, by number."""
    rows = [c for line in formula.splitlines() if not line.startswith(("*", "min:")) for c in parse(line)]
    if not lines[0].startswith("pseudo-Boolean proof version 1.") or lines[1] != f"f {len(rows)}":
        raise WrongProof("header")
    known: dict[int, Constraint] = dict(enumerate(rows, start=1))
    last = len(rows)
    for line in lines[2:]:
        rule, rest = line.split(" ", 1)
        if rule == "del":
            for word in rest.split()[1:]:
                del known[int(word)]
            continue
        if rule == "pol":
            derived = _pol(rest.split(), known)
        elif rule == "rup":
            (derived,) = parse(rest)
            if not _clash([*known.values(), _negated(derived)]):
                raise WrongProof(line)
        elif rule == "red":
            text, witness = rest.split(";")
            (derived,) = parse(text)
            variable, value = witness.split("->")
            true = literal(variable.strip()) * (1 if int(value) else -1)
            for goal in [derived, *(row for row in known.values() if true in row[0] or -true in row[0])]:
                if not _implies(_negated(derived), _assuming(goal, true)):
                    raise WrongProof(line)
        else:
            raise WrongProof(line)
        last += 1
        known[last] = derived
    return known


def _negated(row: Constraint) -> Constraint:
    terms, degree = row
    return {-x: c for x, c in terms.items()}, sum(terms.values()) - degree + 1


def _assuming(row: Constraint, true: int) -> Constraint:
    terms, degree = row
    return {x: c for x, c in terms.items() if abs(x) != abs(true)}, degree - terms.get(true, 0)


def _implies(row: Constraint, goal: Constraint) -> bool:
    """Whether a goal is left of a row when literals are taken out of it."""
    return goal[1] <= max(0, row[1] - sum(max(0, c - goal[0].get(x, 0)) for x, c in row[0].items()))


def _pol(words: list[str], known: dict[int, Constraint]) -> Constraint:
    stack: list[Constraint] = []
    for place, word in enumerate(words):
        if word == "+":
            (a, b), (c, d) = stack.pop(), stack.pop()
            stack.append(normal([(k, x) for x, k in [*a.items(), *c.items()]], b + d))
        elif word == "*":
            times, (a, b) = int(words[place - 1]), stack.pop()
            if times <= 0:
                raise WrongProof("a factor")
            stack.append(({x: k * times for x, k in a.items()}, b * times))
        elif word == "d":
            by, (a, b) = int(words[place - 1]), stack.pop()
            if by <= 0:
                raise WrongProof("a divisor")
            stack.append(({x: -(-k // by) for x, k in a.items()}, -(-b // by)))
        elif word == "s":
            a, b = stack.pop()
            stack.append(({x: min(k, b) for x, k in a.items()} if b > 0 else {}, max(b, 0)))
        elif "x" in word:
            stack.append(({literal(word): 1}, 0))
        elif words[place + 1 : place + 2] not in (["*"], ["d"]):
            stack.append(known[int(word)])
    (done,) = stack
    return done


def _clash(rows: list[Constraint]) -> bool:
    """Whether unit propagation finds a contradiction."""
    true: set[int] = set()
    where: dict[int, list[int]] = defaultdict(list)
    for i, (terms, _) in enumerate(rows):
        for x in terms:
            where[-x].append(i)
    waiting = list(range(len(rows)))
    while waiting:
        terms, degree = rows[waiting.pop()]
        slack = sum(c for x, c in terms.items() if -x not in true) - degree
        if slack < 0:
            return True
        for x, c in terms.items():
            if c > slack and x not in true and -x not in true:
                true.add(x)
                waiting += where[x]
    return False
