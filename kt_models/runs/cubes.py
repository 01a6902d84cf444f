"""Cubes: independent parts of a problem, by decisions about single moves, and the check that none is missing.

A *cube* is a sequence of decisions, each about one edge: it is used, or it is not. A cube is the same problem with
these edges required and forbidden, so anything that solves, counts or bounds problems also handles cubes. A cube's name
is its decisions, `+12-15` (edge 12 is used, edge 15 is not); the name of the whole problem is `.`.

Cubes that are the leaves of a binary tree, in which the two children of a node decide one edge both ways, have every
solution in exactly one of them: follow the decisions from the root. `check_cover` recovers that tree from the names
alone, so it does not matter how the edges were chosen. (Cubes are from cube and conquer: Heule, Kullmann, Wieringa and
Biere 2011.)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from kt_models.errors import CertificateError, KTError
from kt_models.problem import Problem

ROOT = "."
# Each decision takes a level of the split tree; deeper trees come from damaged files only.
MAX_DECISIONS = 10_000
_NAME = re.compile(r"\.|(?:[+-](?:0|[1-9][0-9]{0,8}))+")

Decision = tuple[int, bool]


@dataclass(frozen=True)
class Cube:
    """Part of a problem.

    Parameters
    ----------
    decisions
        Edge numbers, and whether the edge is used; from the root of the tree down.
    """

    decisions: tuple[Decision, ...] = ()

    @classmethod
    def parse(cls, name: str) -> Cube:
        """The cube with a name.

        Raises
        ------
        KTError
            If the text is not the name of a cube.
        """
        if not isinstance(name, str) or len(name) > 11 * MAX_DECISIONS or not _NAME.fullmatch(name):
            raise KTError(f"{str(name)[:40]!r} is not the name of a cube, such as +12-15")
        if name == ROOT:
            return cls()
        return cls(tuple((int(word[1:]), word[0] == "+") for word in re.findall(r"[+-][0-9]+", name)))

    @property
    def name(self) -> str:
        return "".join(f"{'+' if made else '-'}{edge}" for edge, made in self.decisions) or ROOT

    def child(self, edge: int, made: bool) -> Cube:
        """This cube with one more decision."""
        return Cube((*self.decisions, (edge, made)))

    def of(self, problem: Problem) -> Problem:
        """The part of a problem that this cube stands for.

        Raises
        ------
        KTError
            If a decision is not about an edge of the problem.
        """
        required = {edge for edge, made in self.decisions if made}
        forbidden = {edge for edge, made in self.decisions if not made}
        return replace(problem, required=problem.required | required, forbidden=problem.forbidden | forbidden)

    def holds(self, edges: set[int]) -> bool:
        """Whether a solution with these edges lies in the cube."""
        return all((edge in edges) == made for edge, made in self.decisions)


def check_cover(cubes: Iterable[Cube]) -> int:
    """Check that every set of edges lies in exactly one of some cubes.

    Parameters
    ----------
    cubes
        In the order of their names. A walk through their tree meets the leaves in this order (`+` before `-`), so the
        function remembers only the branches not taken yet.

    Returns
    -------
    int
        The number of cubes.

    Raises
    ------
    CertificateError
        If they are not the leaves of a binary tree of decisions in this order; the message says where a part is
        missing, twice, or cut by two edges.
    """
    ahead: list[tuple[Decision, ...]] = [()]  # Uncovered parts, the next one last
    number = 0
    for cube in cubes:
        number += 1
        path = cube.decisions
        if not ahead:
            raise CertificateError(f"everything is covered, and cube {cube.name} is there as well")
        prefix = ahead.pop()
        if path[: len(prefix)] != prefix:
            raise CertificateError(f"no cube covers {Cube(prefix).name} before {cube.name}, or one is there twice")
        # "+" sorts before "-": on the way down each decision comes first as made
        for depth in range(len(prefix), len(path)):
            edge, made = path[depth]
            if not made:
                raise CertificateError(f"no cube covers {Cube((*path[:depth], (edge, True))).name}")
            ahead.append((*path[:depth], (edge, False)))
    if ahead:
        raise CertificateError(f"no cube covers {Cube(ahead[-1]).name}" if number else "there are no cubes")
    return number
