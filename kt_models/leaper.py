"""`Leaper`: the moves of a piece, by the offsets of its leaps; a sum of leapers has the moves of all of them."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt

from kt_models.arguments import require_text, require_whole
from kt_models.board import MAX_DIMENSION, Board
from kt_models.errors import CertificateError, KTError, TooLarge, excerpt, nearest

MAX_LEAP = 1_000_000
MAX_MOVES = 100_000
"""Most moves of a leaper with many offsets; up to four offsets are within it in eight dimensions."""
MAX_PARTS = 32
"""Most leapers of a sum: the queen's on a board of 17x17."""
PIECES = {
    "wazir": "0,1", "ferz": "1,1", "dabbaba": "0,2", "knight": "1,2", "alfil": "2,2", "camel": "1,3", "zebra": "2,3",
    "giraffe": "1,4", "antelope": "3,4", "king": "0,1+1,1",
    "step": "1,1",
}  # fmt: skip
"""Names of leapers and of sums."""
RIDERS = {"rook": "0,1", "bishop": "1,1", "queen": "0,1+1,1"}
"""Names of pieces that repeat a leap, which boards of bounded size turn into sums of leapers."""
SYNONYMS = {"kings": "king", "knights": "knight", "horse": "knight"}


@dataclass(frozen=True, init=False, repr=False)
class Leaper:
    """A leaper with given offsets: each changes a different coordinate, up or down, and the rest stay the same.

    Of two offsets it is the (a, b)-leaper (Knuth 1994), of three or more one that needs as many dimensions (Qing and
    Watkins, "Knight's tours for cubes and boxes"). An offset 0 changes nothing, so of more than two offsets
    those are dropped: (0, 1, 2) is (1, 2). A sum of leapers may move as each of them: the king is (0, 1) + (1, 1).

    Parameters
    ----------
    offsets
        Two or more, not all 0; kept in increasing order.

    Examples
    --------
    >>> Leaper(0, 1) + Leaper(1, 1) == Leaper.parse("king")
    True
    """

    parts: tuple[tuple[int, ...], ...]
    """Offsets of each leaper of the sum, in order; of a single leaper, its own."""

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
        object.__setattr__(self, "parts", (tuple(kept),))

    @classmethod
    def parse(cls, text: str) -> Leaper:
        """The leaper written `1,2`; in more dimensions `1,2,3`; a sum, `0,1+1,1`; or a name, `king`.

        Raises
        ------
        KTError
            If the text has none of these forms.
        """
        piece = parse_piece(text)
        if isinstance(piece, Rider):
            raise KTError(f"leaper {piece}: it needs a board of bounded size, on which it is a sum of leapers")
        return piece

    @classmethod
    def _parse_one(cls, text: str, whole: str) -> Leaper:
        name = text.strip().lower()
        if name in PIECES:
            return cls.parse(PIECES[name])
        if not re.fullmatch(rf"\s*[0-9]{{1,40}}(\s*,\s*[0-9]{{1,40}}){{1,{MAX_DIMENSION - 1}}}\s*", text):
            offsets = re.findall(r"[0-9]+", text)
            guess = ",".join(offsets) if len(offsets) > 1 else nearest(text, (*PIECES, *RIDERS), SYNONYMS)
            meant = f", did you mean {guess[:20]!r}? A" if guess else ": a"
            words = f"{meant} leaper is written as two or more numbers, such as 1,2, a sum 0,1+1,1, or a name: "
            raise KTError(f"unknown leaper {excerpt(whole)}{words}{', '.join((*PIECES, *RIDERS))}")
        return cls(*(int(offset) for offset in text.split(",")))

    def __add__(self, other: Leaper) -> Leaper:
        """The piece that may move as either leaper; equal leapers count once.

        Raises
        ------
        KTError
            If a part is not a leaper, or the sum has more than `MAX_PARTS` parts.
        """
        if not isinstance(other, Leaper):
            return NotImplemented
        parts = tuple(sorted({*self.parts, *other.parts}))
        if len(parts) > MAX_PARTS:
            raise TooLarge(f"leaper: a sum of over {MAX_PARTS} leapers")
        total = object.__new__(Leaper)
        object.__setattr__(total, "parts", parts)
        return total

    @property
    def offsets(self) -> tuple[int, ...]:
        """The offsets; of a sum, those of all its leapers, four or more."""
        return tuple(offset for part in self.parts for offset in part)

    @property
    def a(self) -> int:
        """The smaller of two offsets; raises for leapers of three offsets, and for sums."""
        return self._pair()[0]

    @property
    def b(self) -> int:
        """The larger of two offsets."""
        return self._pair()[1]

    def _pair(self) -> tuple[int, ...]:
        if len(self.offsets) > 2:
            raise CertificateError(f"leaper {self}: this argument is about single leapers of two offsets")
        return self.offsets

    @property
    def piece(self) -> str:
        """The piece in words: `knight`, `king`, or `1,4-leaper`."""
        return {KNIGHT: "knight", KING: "king"}.get(self, f"{self}-leaper")

    def __str__(self) -> str:
        return "+".join(",".join(map(str, part)) for part in self.parts)

    def __repr__(self) -> str:
        return " + ".join(f"Leaper({', '.join(map(str, part))})" for part in self.parts)

    def half_moves(self, dimension: int) -> npt.NDArray[np.int64]:
        """One displacement of each opposite pair, the greater one; shape (k, dimension), sorted.

        Raises
        ------
        KTError
            If there are more offsets than dimensions.
        TooLarge
            If there are more than `MAX_MOVES` moves (opposite and repeated ones counted).
        """
        dimension = require_whole(dimension, "dimension", 1, MAX_DIMENSION)
        count = max(map(len, self.parts))
        if count > dimension:
            raise KTError(f"leaper {self}: it needs a board of {count} dimensions or more, not {dimension}")
        if sum(math.perm(dimension, len(part)) * 2 ** len(part) for part in self.parts) > MAX_MOVES:
            raise TooLarge(f"leaper {self}: over the limit of {MAX_MOVES:,} moves in {dimension} dimensions")
        moves = set()
        for part in self.parts:
            for axes in itertools.permutations(range(dimension), len(part)):
                for signs in itertools.product((1, -1), repeat=len(part)):
                    move = [0] * dimension
                    for axis, sign, offset in zip(axes, signs, part, strict=True):
                        move[axis] = sign * offset
                    moves.add(max(tuple(move), tuple(-c for c in move)))
        return np.array(sorted(moves), dtype=np.int64)


@dataclass(frozen=True)
class Rider:
    """A rook, bishop or queen, or a sum with one: on a board of bounded size a sum of leapers, one for each distance.

    Its moves leap over holes, as those of all leapers do.

    Parameters
    ----------
    text
        Its name, `queen`, or the sum, `rook+knight`.
    """

    text: str

    def __str__(self) -> str:
        return self.text

    def on(self, board: Board) -> Leaper:
        """The sum of leapers that has all its moves on a board.

        Raises
        ------
        KTError
            If the board is periodic.
        TooLarge
            If the sum has more than `MAX_PARTS` parts.
        """
        if any(board.wraps):
            raise KTError(f"leaper {self}: {board.text} is periodic, and only a board of bounded size bounds its moves")
        parts: set[tuple[int, ...]] = set()
        for name in self.text.split("+"):
            if name not in RIDERS:
                parts.update(Leaper.parse(name).parts)
                continue
            sides = sorted(board.shape, reverse=True)
            for part in Leaper.parse(RIDERS[name]).parts:
                steps = zip(sorted(part, reverse=True), sides, strict=False)
                farthest = min((side - 1) // step for step, side in steps if step)
                parts.update(tuple(k * step for step in part) for k in range(1, max(farthest, 1) + 1))
        if len(parts) > MAX_PARTS:
            raise TooLarge(
                f"leaper {self}: on {board.text} a sum of {len(parts)} leapers, over the limit of {MAX_PARTS}"
            )
        return reduce(Leaper.__add__, (Leaper(*part) for part in sorted(parts)))


def parse_piece(text: str) -> Leaper | Rider:
    """The piece of a text that `Leaper.parse` reads, or that has the name of a rider.

    Raises
    ------
    KTError
        If the text has none of these forms.
    """
    require_text(text, "leaper", "a text such as '1,2'")
    names = [part.strip().lower() for part in text.split("+")[: MAX_PARTS + 1]]
    parts = [Leaper._parse_one(name, text) for name in names if name not in RIDERS]
    return reduce(Leaper.__add__, parts) if len(parts) == len(names) else Rider("+".join(names))


KNIGHT = Leaper(1, 2)
STEP = Leaper(1, 1)
KING = Leaper(0, 1) + STEP


def usual_leaper(board: Board) -> Leaper:
    """The piece that is meant where none is named: the knight, and on hexagonal cells the step to one of those around.

    On these boards the leaps (1, 1) that change two coordinates alike lead off the board, so a step is (1, 1).
    """
    return STEP if board.is_flat else KNIGHT
