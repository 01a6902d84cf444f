"""Symmetries: signed axis permutations about the centre of a board's box, the groups they generate, and orbits."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import factorial

import numpy as np
import numpy.typing as npt

from kt_models.arguments import require, require_text, require_whole, require_wholes
from kt_models.board import MAX_DIMENSION, Board, IntArray
from kt_models.errors import KTError, TooLarge, excerpt, nearest

AXES = "xyzwvuts"
NAMES = {
    "identity": "(x,y)",
    "rot180": "(-x,-y)",
    "rot90": "(-y,x)",
    "mirror-x": "(-x,y)",
    "mirror-y": "(x,-y)",
    "diagonal": "(y,x)",
    "antidiagonal": "(-y,-x)",
}
SYNONYMS = {
    **dict.fromkeys(("180", "half-turn", "central", "point", "c2", "rotation180"), "rot180"),
    **dict.fromkeys(("90", "quarter-turn", "c4", "rot270", "rotation90"), "rot90"),
    **dict.fromkeys(("mirror", "vertical", "reflection", "flip"), "mirror-x"),
    "horizontal": "mirror-y",
}
"""Synonyms of the names; messages answer with the right word."""
MAX_GROUP = 50_000
"""Most signed axis permutations that are listed (46,080 in six dimensions)."""


@dataclass(frozen=True, order=True)
class Symmetry:
    """A signed axis permutation: coordinate `i` of the image is `signs[i]` times coordinate `axes[i]`."""

    axes: tuple[int, ...]
    signs: tuple[int, ...]

    def __post_init__(self) -> None:
        for name in ("axes", "signs"):
            object.__setattr__(self, name, tuple(require_wholes(getattr(self, name), name).tolist()))
        if sorted(self.axes) != list(range(len(self.axes))) or {*self.signs} - {1, -1}:
            raise KTError(f"symmetry must permute the axes and have signs 1 or -1, got {self.axes} and {self.signs}")
        if len(self.axes) != len(self.signs) or not self.axes:
            raise KTError(f"symmetry must have as many signs as axes, got {self.signs} for {self.axes}")

    @classmethod
    def parse(cls, text: str, dimension: int = 2) -> Symmetry:
        """Parse a symmetry: `(-y,x)`, or in the plane a name such as `rot180`, `rot90`, `mirror-x`.

        Raises
        ------
        KTError
            If the text is not a signed permutation of the axes of this dimension.
        """
        require_text(text, "symmetry", "a text such as 'rot180'")
        dimension = require_whole(dimension, "dimension", 1, MAX_DIMENSION)
        body = NAMES.get(text.strip().lower(), text.strip().lower()) if dimension == 2 else text.strip().lower()
        parts = [part.strip() for part in body.strip("()").split(",")]
        letters = [part.lstrip("+-") for part in parts]
        if sorted(letters) != sorted(AXES[:dimension]) or not all(re.fullmatch(r"[+-]?[a-z]", p) for p in parts):
            names = ", ".join(NAMES) + " or a " if dimension == 2 else "a "
            example = "(" + ",".join("-" + a for a in AXES[:dimension]) + ")"
            guess = nearest(text, NAMES, SYNONYMS) if dimension == 2 else ""
            meant = f", did you mean {guess!r}? Use" if guess else ": use"
            raise KTError(
                f"unknown symmetry {excerpt(text)}{meant} {names}signed permutation of the axes such as {example}"
            )
        return cls(tuple(AXES.index(letter) for letter in letters), tuple(-1 if p[0] == "-" else 1 for p in parts))

    @classmethod
    def identity(cls, dimension: int) -> Symmetry:
        """The identity."""
        dimension = require_whole(dimension, "dimension", 1, MAX_DIMENSION)
        return cls(tuple(range(dimension)), (1,) * dimension)

    def __str__(self) -> str:
        parts = [("-" if sign < 0 else "") + AXES[axis] for axis, sign in zip(self.axes, self.signs, strict=True)]
        return "(" + ",".join(parts) + ")"

    @property
    def name(self) -> str:
        """The short name in the plane, the signed permutation elsewhere."""
        return next((name for name, text in NAMES.items() if text == str(self)), str(self))

    def __matmul__(self, other: Symmetry) -> Symmetry:
        """The composition: `other` first, then this symmetry."""
        axes = tuple(other.axes[a] for a in self.axes)
        signs = tuple(s * other.signs[a] for a, s in zip(self.axes, self.signs, strict=True))
        return Symmetry(axes, signs)

    def apply_vectors(self, vectors: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """Images of displacements, shape (m, dimension)."""
        return require_wholes(vectors, "vectors", len(self.axes))[:, list(self.axes)] * np.array(self.signs)

    def fits_box(self, board: Board) -> bool:
        """Whether it maps the board's box, and its periodic axes, to themselves."""
        require(board, "board", Board, "a Board")
        return len(self.axes) == board.dimension and all(
            board.shape[a] == board.shape[i] and board.wraps[a] == board.wraps[i] for i, a in enumerate(self.axes)
        )

    def fixes(self, board: Board) -> bool:
        """Whether it maps the board to itself."""
        if not self.fits_box(board):
            return False
        if board.mask is None:
            return True
        return bool(np.array_equal(self._transform(board.mask), board.mask))

    def _transform(self, array: npt.NDArray) -> npt.NDArray:
        """The array whose entry at a cell's image is this array's entry at the cell."""
        # permute axes first, then mirror: the order in which the text reads
        moved = np.transpose(array, self.axes)
        flips = tuple(i for i, sign in enumerate(self.signs) if sign < 0)
        return np.flip(moved, axis=flips) if flips else moved

    def permutation(self, board: Board) -> IntArray:
        """Number of each cell's image, shape (n,).

        Raises
        ------
        KTError
            If the board is not mapped to itself.
        """
        if not self.fixes(board):
            raise KTError(f"symmetry {self.name}: it does not map the board {board.text} to itself")
        image = np.empty(board.n, dtype=np.int32)
        preimage_at = self._transform(board.grid)
        there = board.grid >= 0
        # the transformed grid tells for each place which cell comes to lie there
        image[preimage_at[there]] = board.grid[there]
        return image


def all_symmetries(dimension: int) -> Iterator[Symmetry]:
    """All signed axis permutations of a dimension, the identity first."""
    for axes in itertools.permutations(range(dimension)):
        for signs in itertools.product((1, -1), repeat=dimension):
            yield Symmetry(axes, signs)


def board_symmetries(board: Board) -> list[Symmetry]:
    """The signed axis permutations that map the board to itself, the identity first.

    Raises
    ------
    TooLarge
        If there are more than `MAX_GROUP` candidates (seven dimensions or more).
    """
    if 2**board.dimension * factorial(board.dimension) > MAX_GROUP:
        raise TooLarge(f"board {board.text}: symmetries are listed up to six dimensions")
    return [symmetry for symmetry in all_symmetries(board.dimension) if symmetry.fixes(board)]


def generate(generators: Iterable[Symmetry], dimension: int) -> list[Symmetry]:
    """The generated group, the identity first.

    Raises
    ------
    TooLarge
        If there are more than `MAX_GROUP` elements (seven dimensions or more).
    """
    gens: list[Symmetry] = []
    group = [Symmetry.identity(dimension)]
    seen = set(group)
    for further in generators:
        if further in seen:
            continue
        gens.append(further)  # each generator at least doubles the group, so these are few
        group = [Symmetry.identity(dimension)]
        seen = set(group)
        for element in group:  # the list grows during the loop: a closure
            for generator in gens:
                product = generator @ element
                if product not in seen:
                    seen.add(product)
                    group.append(product)
            if len(group) > MAX_GROUP:
                raise TooLarge(f"symmetry: the group has over {MAX_GROUP:,} elements, the most that are listed")
    return group


def orbits(permutations: Sequence[IntArray]) -> IntArray:
    """Least element of each element's orbit, given all permutations of a group (identity included)."""
    return np.minimum.reduce(list(permutations))
