"""`Leaper`: how a piece moves, by the offsets of its leaps."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kt_models.arguments import require_text, require_whole
from kt_models.board import MAX_DIMENSION
from kt_models.errors import CertificateError, KTError, TooLarge, excerpt, nearest

MAX_LEAP = 1_000_000
MAX_MOVES = 100_000
"""Most moves a leaper of many offsets may have; up to four offsets are within it in eight dimensions."""
PIECES = {"wazir": "0,1", "ferz": "1,1", "knight": "1,2", "camel": "1,3", "giraffe": "1,4", "zebra": "2,3"}
"""Names of leapers; messages answer with their offsets."""


@dataclass(frozen=True, init=False, repr=False)
class Leaper:
    """A leaper of given offsets: each changes another coordinate, up or down, and the rest stay as they are.

    Of two offsets it is the (a, b)-leaper (Knuth 1994), of three or more one that needs as many dimensions (Qing and
    Watkins, "Knight's tours for cubes and boxes").  An offset 0 changes nothing, so of more than two offsets
    those are dropped: (0, 1, 2) is (1, 2).

    Parameters
    ----------
    offsets
        Two or more, not all 0; kept in increasing order.
    """

    offsets: tuple[int, ...]

    def __init__(self, *offsets: int) -> None:
        offsets = tuple(require_whole(offset, "leaper") for offset in offsets)
        text = ",".join(map(str, offsets))
        if len(offsets) < 2 or min(offsets) < 0 or max(offsets) > MAX_LEAP:
            raise KTError(f"leaper {text}: two or more numbers are needed, each between 0 and {MAX_LEAP:,}")
        if not any(offsets):
            raise KTError(f"leaper {text}: it does not move")
        kept = sorted(offsets)
        while len(kept) > 2 and kept[0] == 0:
            del kept[0]
        object.__setattr__(self, "offsets", tuple(kept))

    @classmethod
    def parse(cls, text: str) -> Leaper:
        """The leaper written `1,2`, or in three dimensions and more `1,2,3`.

        Raises
        ------
        KTError
            If the text is not two or more numbers, or all are 0.
        """
        require_text(text, "leaper", "a text such as '1,2'")
        if not re.fullmatch(rf"\s*[0-9]{{1,40}}(\s*,\s*[0-9]{{1,40}}){{1,{MAX_DIMENSION - 1}}}\s*", text):
            offsets = re.findall(r"[0-9]+", text)
            guess = ",".join(offsets) if len(offsets) > 1 else PIECES.get(nearest(text, PIECES), "")
            meant = f", did you mean {guess[:20]!r}? A" if guess else ": a"
            words = f"{meant} leaper is written as two or more numbers, such as 1,2"
            raise KTError(f"unknown leaper {excerpt(text)}{words}")
        return cls(*(int(offset) for offset in text.split(",")))

    @property
    def a(self) -> int:
        """The lesser of two offsets; arguments in these terms do not apply to leapers of three."""
        return self._pair()[0]

    @property
    def b(self) -> int:
        """The greater of two offsets."""
        return self._pair()[1]

    def _pair(self) -> tuple[int, ...]:
        if len(self.offsets) > 2:
            raise CertificateError(f"leaper {self}: this argument is about leapers of two offsets")
        return self.offsets

    def __str__(self) -> str:
        return ",".join(map(str, self.offsets))

    def __repr__(self) -> str:
        return f"Leaper({', '.join(map(str, self.offsets))})"

    def half_moves(self, dimension: int) -> npt.NDArray[np.int64]:
        """One displacement of each opposite pair, the one that comes after 0; shape (k, dimension), sorted.

        Raises
        ------
        KTError
            If there are more offsets than dimensions.
        TooLarge
            If there are more than `MAX_MOVES` moves (opposite and repeated ones counted).
        """
        dimension = require_whole(dimension, "dimension", 1, MAX_DIMENSION)
        count = len(self.offsets)
        if count > dimension:
            raise KTError(f"leaper {self}: it needs a board of {count} dimensions or more, not {dimension}")
        if math.perm(dimension, count) * 2**count > MAX_MOVES:
            raise TooLarge(f"leaper {self}: over the limit of {MAX_MOVES:,} moves in {dimension} dimensions")
        moves = set()
        for axes in itertools.permutations(range(dimension), count):
            for signs in itertools.product((1, -1), repeat=count):
                move = [0] * dimension
                for axis, sign, offset in zip(axes, signs, self.offsets, strict=True):
                    move[axis] = sign * offset
                moves.add(max(tuple(move), tuple(-c for c in move)))
        return np.array(sorted(moves), dtype=np.int64)


KNIGHT = Leaper(1, 2)
