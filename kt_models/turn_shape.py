"""`TurnShape`: at which places of its order a tour goes straight on and at which it turns, as snake cubes fix it.

Place k is the k-th cell of a tour numbered from 1. The first and the last of an open tour have no shape.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from kt_models.conditions.straight import pairs_at
from kt_models.directed import SplitGraph
from kt_models.errors import KTError, excerpt
from kt_models.graph import MoveGraph, has_parallel_edges, not_for_directed

ANY, STRAIGHT, TURN = ".", "S", "T"
"""The letters of a shape."""
_WORDS = {STRAIGHT: "goes straight on", TURN: "turns"}
_LETTERS = re.compile(r"[STst.?*]+")
_LENGTHS = re.compile(r"[0-9]{1,6}(?:[ ,;-]+[0-9]{1,6})*")


def letters_of(text: str, n: int, closed: bool) -> str:
    """The letter of each place of a tour with n cells, from a text as people write it.

    It has a letter for each place, or for each but the two ends of an open tour, or the numbers of cells of the
    straight pieces of an open tour, of which two share the cell between them: `3,2,2`.

    Raises
    ------
    KTError
        If the text is neither, or not as long.
    """
    letters = "".join(text.split()) if not text.strip()[:1].isdigit() else text.strip()
    inner = n if closed else max(0, n - 2)
    if _LENGTHS.fullmatch(letters) and not closed:
        pieces = [int(number) for number in re.findall("[0-9]+", letters)]
        if min(pieces) < 2:
            raise KTError(f"shape {excerpt(text)}: a straight piece has at least 2 cells")
        if sum(pieces) - len(pieces) + 1 != n:
            total = sum(pieces) - len(pieces) + 1
            raise KTError(f"shape {excerpt(text)}: these pieces have {total:,} cells, and there are {n:,}")
        letters = TURN.join(STRAIGHT * (piece - 2) for piece in pieces)
    if not closed and len(letters) == n and n > 2 and letters[0] in "SsEe.?*" and letters[-1] in "SsEe.?*":
        letters = letters[1:-1]
    if letters and not _LETTERS.fullmatch(letters):
        raise KTError(
            f"shape {excerpt(text)}: write S where the tour goes straight on, T where it turns, and . where it may do "
            "either" + ("" if closed else ", or the lengths of the straight pieces, such as 3,2,2")
        )
    if len(letters) != inner:
        which = "cells" if closed else "cells between its ends"
        raise KTError(f"shape {excerpt(text)}: {len(letters):,} letters, and the tour has {inner:,} {which}")
    letters = letters.upper().replace("?", ANY).replace("*", ANY)
    return letters if closed else f"{ANY * min(1, n)}{letters}{ANY * (n > 1)}"


@dataclass(frozen=True)
class TurnShape:
    """The shape of a tour.

    Parameters
    ----------
    letters
        A letter for each place: `S` straight on, `T` a turn, `.` either.
    """

    letters: str
    known: tuple[MoveGraph, frozenset[tuple[int, int, int]]] | None = field(default=None, compare=False, repr=False)

    def on(self, graph: MoveGraph, closed: bool) -> Self:
        """The shape of tours of a graph, which knows where they go straight on.

        Raises
        ------
        KTError
            If it does not fit the graph.
        """
        if isinstance(graph, SplitGraph):
            not_for_directed(graph, "a shape")
        if graph.merged or has_parallel_edges(graph):
            raise KTError(f"shape: two moves of {graph.name} join the same two cells")
        letters = letters_of(self.letters, graph.n, closed)
        if self.known is not None and self.known[0] is graph and letters == self.letters:
            return self
        ends = graph.ends
        straight = set()
        for vertex, pairs in pairs_at(graph, range(graph.n)).items():
            for first, second, on in pairs:
                if on:
                    u, w = (int(ends[e].sum()) - vertex for e in (first, second))
                    straight |= {(u, vertex, w), (w, vertex, u)}
        return type(self)(letters, (graph, frozenset(straight)))

    @property
    def straight(self) -> frozenset[tuple[int, int, int]]:
        """Three vertices, each joined to the next, that lie straight on: both directions of each."""
        assert self.known is not None
        return self.known[1]

    def written(self, order: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.bool_]:
        """Whether a tour goes straight on at each place, as if it were closed."""
        around = zip(np.roll(order, 1).tolist(), order.tolist(), np.roll(order, -1).tolist(), strict=True)
        return np.array([three in self.straight for three in around], dtype=bool)

    def fault(self, order: npt.NDArray[np.integer[Any]], name: Any = str) -> str | None:
        """The conflict of a numbering with the shape; `None` if it fits."""
        for place, (letter, straight) in enumerate(zip(self.letters, self.written(order).tolist(), strict=True)):
            if letter != ANY and (letter == STRAIGHT) != straight:
                does, should = (_WORDS[STRAIGHT if yes else TURN] for yes in (straight, not straight))
                return f"the tour {does} at {name(int(order[place]))}, its place {place + 1}, where its shape {should}"
        return None

    def fitting_shifts(
        self, order: npt.NDArray[np.integer[Any]], shifts: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.bool_]:
        """Whether a tour that is begun at each of some places of its order has the shape."""
        written, n = self.written(order), len(order)
        fits = np.ones(len(shifts), dtype=bool)
        for place, letter in enumerate(self.letters):
            if letter != ANY:
                fits &= written[(place + shifts) % n] == (letter == STRAIGHT)
        return fits

    @property
    def content(self) -> list[Any]:
        """Content for a digest; of a graph without moves, where its vertices lie straight on, too."""
        assert self.known is not None
        return [self.letters, [] if self.known[0].moves is not None else sorted(self.straight)]
