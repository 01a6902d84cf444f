"""Symmetries of boards: signed axis permutations about the centre of the box, and translations along periodic axes.

A symmetry stands for the group that it generates. `BoardGroup` has all symmetries of a board, as distinct maps of its
cells, without listing them: a torus of a million cells has eight million.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import factorial, gcd, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.arguments import require, require_text, require_whole, require_wholes
from kt_models.board import MAX_DIMENSION, Board, IntArray, sealed
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
"""Most symmetries that are listed (a box has up to 46,080 in six dimensions)."""
MAX_COMPARED = 25_000_000
"""Most cells to the box of a periodic board with holes: its translations are found by a Fourier transform of it."""
MAX_KEPT = 4_000_000
"""Most numbers of images that a group keeps for the next tour."""
_PART = re.compile(r"([+-]?)([a-z])(?:([+-])([0-9]{1,12}))?")


@dataclass(frozen=True, order=True)
class Symmetry:
    """A signed axis permutation about the centre of the box, and then a translation along periodic axes.

    Coordinate `i` of the image is `signs[i]` times coordinate `axes[i]`, plus `shifts[i]`. Coordinates are counted
    from the centre, and along a periodic axis modulo its side.
    """

    axes: tuple[int, ...]
    signs: tuple[int, ...]
    shifts: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for name in ("axes", "signs", "shifts"):
            object.__setattr__(self, name, tuple(require_wholes(getattr(self, name), name).tolist()))
        if sorted(self.axes) != list(range(len(self.axes))) or {*self.signs} - {1, -1}:
            raise KTError(f"symmetry must permute the axes and have signs 1 or -1, got {self.axes} and {self.signs}")
        if len(self.axes) != len(self.signs) or not self.axes:
            raise KTError(f"symmetry must have as many signs as axes, got {self.signs} for {self.axes}")
        if not self.shifts:
            object.__setattr__(self, "shifts", (0,) * len(self.axes))
        if len(self.shifts) != len(self.axes):
            raise KTError(f"symmetry must have as many shifts as axes, got {self.shifts} for {self.axes}")

    @classmethod
    def parse(cls, text: str, dimension: int = 2) -> Symmetry:
        """Parse a symmetry: `(-y,x)`, `(x+2,y)`, or in the plane a name such as `rot180`, `rot90`, `mirror-x`.

        Raises
        ------
        KTError
            If the text is not a signed permutation of the axes of this dimension, perhaps with a translation.
        """
        require_text(text, "symmetry", "a text such as 'rot180'")
        dimension = require_whole(dimension, "dimension", 1, MAX_DIMENSION)
        body = text.strip().lower()
        body = NAMES.get(body, body) if dimension == 2 else body
        parts = [_PART.fullmatch(re.sub(r"\s+", "", part)) for part in body.strip("()").split(",")]
        read = [part.groups() for part in parts if part]
        if len(read) < len(parts) or sorted(letter for _, letter, *_ in read) != sorted(AXES[:dimension]):
            names = ", ".join(NAMES) + " or a " if dimension == 2 else "a "
            example = "(" + ",".join("-" + a for a in AXES[:dimension]) + ")"
            translated = "(" + ",".join(["x+2", *AXES[1:dimension]]) + ")"
            guess = nearest(text, NAMES, SYNONYMS) if dimension == 2 else ""
            meant = f", did you mean {guess!r}? Use" if guess else ": use"
            raise KTError(
                f"unknown symmetry {excerpt(text)}{meant} {names}signed permutation of the axes such as {example}, "
                f"on periodic boards with a translation such as {translated}"
            )
        return cls(
            tuple(AXES.index(letter) for _, letter, *_ in read),
            tuple(-1 if sign == "-" else 1 for sign, *_ in read),
            tuple(int(f"{way}{by}") if by else 0 for *_, way, by in read),
        )

    @classmethod
    def identity(cls, dimension: int) -> Symmetry:
        """The identity."""
        dimension = require_whole(dimension, "dimension", 1, MAX_DIMENSION)
        return cls(tuple(range(dimension)), (1,) * dimension)

    def __str__(self) -> str:
        parts = zip(self.signs, self.axes, self.shifts, strict=True)
        words = [
            ("-" if sign < 0 else "") + AXES[axis] + (f"{shift:+d}" if shift else "") for sign, axis, shift in parts
        ]
        return "(" + ",".join(words) + ")"

    @property
    def name(self) -> str:
        """The short name in the plane, the signed permutation elsewhere."""
        return next((name for name, text in NAMES.items() if text == str(self)), str(self))

    def __matmul__(self, other: Symmetry) -> Symmetry:
        """The composition: `other` first, then this symmetry; `on` reduces its translation."""
        axes = tuple(other.axes[a] for a in self.axes)
        signs = tuple(s * other.signs[a] for a, s in zip(self.axes, self.signs, strict=True))
        shifts = tuple(s * other.shifts[a] + t for a, s, t in zip(self.axes, self.signs, self.shifts, strict=True))
        return Symmetry(axes, signs, shifts)

    @property
    def inverse(self) -> Symmetry:
        """The symmetry that takes every image back; `on` reduces its translation."""
        back = [self.axes.index(axis) for axis in range(len(self.axes))]
        signs = tuple(self.signs[i] for i in back)
        return Symmetry(tuple(back), signs, tuple(-sign * self.shifts[i] for sign, i in zip(signs, back, strict=True)))

    def on(self, board: Board) -> Symmetry:
        """The same symmetry with each part of its translation from 0 to the side of the axis less 1.

        Raises
        ------
        KTError
            If it translates along an axis that is not periodic.
        """
        require(board, "board", Board, "a Board")
        if len(self.axes) != board.dimension:
            raise KTError(f"symmetry {self.name}: the board {board.text} has {board.dimension} dimensions")
        straight = [AXES[i] for i, shift in enumerate(self.shifts) if shift and not board.wraps[i]]
        if straight:
            raise KTError(
                f"symmetry {self.name}: the board {board.text} is not periodic along {' and '.join(straight)}"
            )
        shifts = tuple(shift % side for shift, side in zip(self.shifts, board.shape, strict=True))
        return self if shifts == self.shifts else replace(self, shifts=shifts)

    def apply_vectors(self, vectors: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """Images of displacements, shape (m, dimension)."""
        return require_wholes(vectors, "vectors", len(self.axes))[:, list(self.axes)] * np.array(self.signs)

    def fits_box(self, board: Board) -> bool:
        """Whether it maps the board's box, and its periodic axes, to themselves."""
        require(board, "board", Board, "a Board")
        return len(self.axes) == board.dimension and all(
            board.shape[a] == board.shape[i] and board.wraps[a] == board.wraps[i] and (board.wraps[i] or not shift)
            for i, (a, shift) in enumerate(zip(self.axes, self.shifts, strict=True))
        )

    def fixes(self, board: Board) -> bool:
        """Whether it maps the board to itself."""
        if not self.fits_box(board):
            return False
        if board.mask is None:
            return True
        return bool(np.array_equal(self._transform(board.mask), board.mask))

    def _transform(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The array whose entry at a cell's image is this array's entry at the cell."""
        # Permute axes first, then mirror, then translate: the order in which the text reads
        moved = np.transpose(array, self.axes)
        flips = tuple(i for i, sign in enumerate(self.signs) if sign < 0)
        moved = np.flip(moved, axis=flips) if flips else moved
        shifts = {i: shift for i, shift in enumerate(self.shifts) if shift}
        return np.roll(moved, tuple(shifts.values()), axis=tuple(shifts)) if shifts else moved

    def permutation(self, board: Board) -> IntArray:
        """Number of each cell's image, shape (n,).

        Raises
        ------
        KTError
            If the board is not mapped to itself.
        """
        if not self.fixes(board):
            self.on(board)
            raise KTError(f"symmetry {self.name}: it does not map the board {board.text} to itself")
        image = np.empty(board.n, dtype=np.int32)
        preimage_at = self._transform(board.grid)
        there = board.grid >= 0
        # The transformed grid tells for each place which cell comes to lie there
        image[preimage_at[there]] = board.grid[there]
        return image

    def _moves(self, board: Board, cells: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """Whether it moves each of some cells, given by their coordinates."""
        sides = np.array(board.shape)
        far = np.where(np.array(self.signs) < 0, sides - 1, 0)
        gap = cells[:, list(self.axes)] * np.array(self.signs) + far + np.array(self.shifts) - cells
        return np.where(board.wraps, gap % sides, gap).any(axis=1)


def signed_permutations(dimension: int) -> Iterator[Symmetry]:
    """All signed axis permutations of a dimension, the identity first."""
    for axes in itertools.permutations(range(dimension)):
        for signs in itertools.product((1, -1), repeat=dimension):
            yield Symmetry(axes, signs)


def point_symmetries(board: Board) -> list[Symmetry]:
    """The reflections and turns about the centre that map the board to itself, the identity first.

    On a thin board some of them are the same map of cells: a mirror of a board one cell wide moves nothing.

    Raises
    ------
    TooLarge
        If there are more than `MAX_GROUP` candidates (seven dimensions or more).
    """
    return [symmetry for symmetry in _candidates(board) if symmetry.fixes(board)]


def _candidates(board: Board) -> Iterator[Symmetry]:
    """The signed axis permutations that map the board's box to itself."""
    if 2**board.dimension * factorial(board.dimension) > MAX_GROUP:
        raise TooLarge(f"board {board.text}: symmetries are listed up to six dimensions")
    return (symmetry for symmetry in signed_permutations(board.dimension) if symmetry.fits_box(board))


def board_symmetries(board: Board) -> list[Symmetry]:
    """The symmetries of a board, the identity first: reflections, turns, translations and their products.

    Each is a map of cells of its own; of several names of a map the first one is taken, preferably one without a
    translation.

    Raises
    ------
    TooLarge
        If there are more than `MAX_GROUP`, or more than six dimensions.
    """
    return list(board_group(board))


@lru_cache(maxsize=16)
def board_group(board: Board) -> BoardGroup:
    """The group of the symmetries of a board.

    Raises
    ------
    TooLarge
        If the board has more than six dimensions, or is periodic, has holes and more than `MAX_COMPARED` cells.
    """
    require(board, "board", Board, "a Board")
    if board.mask is None or not any(board.wraps):
        turns = point_symmetries(board)
        group = None
    else:
        if board.grid.size > MAX_COMPARED:
            raise TooLarge(f"board {board.text}: the symmetries of a periodic board with holes are found up to "
                           f"{MAX_COMPARED:,} cells")  # fmt: skip
        group = _group_generated(board, _translations(board.mask, board))
        turns = []
        for turn in _candidates(board):
            for shift in _translations(turn._transform(board.mask), board)[:1].tolist():
                translated = replace(turn, shifts=tuple(shift))
                # The transform only suggests symmetries
                if translated.fixes(board):
                    turns.append(translated)
    alike = _still(board)
    kept: dict[tuple[tuple[int, ...], tuple[int, ...]], Symmetry] = {}
    for turn in turns:
        mates = [turn @ other for other in alike]
        if not any((mate.axes, mate.signs) in kept for mate in mates):
            kept[turn.axes, turn.signs] = turn
    return BoardGroup(board, tuple(kept.values()), tuple(alike), group)


@dataclass(frozen=True, eq=False)
class BoardGroup:
    """The symmetries of a board, as distinct maps of its cells: each is one of `turns`, then a translation.

    Iterating lists them, the identity first.

    Parameters
    ----------
    board
        The board.
    turns
        Reflections and turns, the identity first, each with the first translation that makes it a symmetry.
    alike
        The symmetries that move no cell, the identity first: two on a board that is one cell wide.
    shifts
        The translations that map the board to itself, shape (k, dimension), zero first; None if all along periodic axes
        do.
    """

    board: Board
    turns: tuple[Symmetry, ...]
    alike: tuple[Symmetry, ...]
    shifts: IntArray | None

    @cached_property
    def order(self) -> int:
        """The number of symmetries."""
        return len(self.turns) * self.translation_count

    @cached_property
    def translation_count(self) -> int:
        """The number of translations, the identity among them."""
        if self.shifts is not None:
            return len(self.shifts)
        return prod(side for side, wrap in zip(self.board.shape, self.board.wraps, strict=True) if wrap)

    @property
    def words(self) -> str:
        """The group in words: `the 8 symmetries of the board`."""
        return (
            f"the {self.order:,} symmetries of the board"
            if self.order > 1
            else "the identity, the board's only symmetry"
        )

    def __len__(self) -> int:
        return self.order

    def __iter__(self) -> Iterator[Symmetry]:
        return iter(self._elements)

    @cached_property
    def _elements(self) -> tuple[Symmetry, ...]:
        if self.order > MAX_GROUP:
            raise TooLarge(
                f"board {self.board.text}: it has {self.order:,} symmetries, and at most {MAX_GROUP:,} are listed"
            )
        sides = [side if wrap else 1 for side, wrap in zip(self.board.shape, self.board.wraps, strict=True)]
        shifts = itertools.product(*map(range, sides)) if self.shifts is None else self.shifts.tolist()
        return tuple(sorted((self.translated(turn, s) for s in shifts for turn in self.turns), key=rank))

    def translated(self, symmetry: Symmetry, shift: Sequence[int]) -> Symmetry:
        """A symmetry followed by a translation, under the name that lists of symmetries have."""
        shifts = tuple(a + b for a, b in zip(symmetry.shifts, shift, strict=True))
        return self.named(replace(symmetry, shifts=shifts))

    def named(self, symmetry: Symmetry) -> Symmetry:
        """The name that lists of symmetries have for a symmetry of the board."""
        if len(self.alike) == 1:
            return symmetry.on(self.board)
        return min(((symmetry @ other).on(self.board) for other in self.alike), key=rank)

    def conjugates(self) -> list[tuple[Symmetry, int]]:
        """The first symmetry of each class of conjugates, and how many they are; the identity is the first.

        Powers that generate the same group count as conjugates here: as many tours are mapped to themselves by each.
        """
        generators = [*self.turns, *self.generators]
        left, classes = dict.fromkeys(self), []
        while left:
            first = next(iter(left))
            del left[first]
            members = [first]
            for member in members:  # The list grows during the loop
                images = [self.named(g @ member @ g.inverse) for g in generators] + self._generating(member)
                for image in images:
                    if image in left:
                        del left[image]
                        members.append(image)
            classes.append((first, len(members)))
        return classes

    def _generating(self, symmetry: Symmetry) -> list[Symmetry]:
        """The powers of a symmetry that generate the same group as it."""
        powers = [self.named(symmetry)]
        while powers[-1] != powers[0] or len(powers) == 1:
            powers.append(self.named(symmetry @ powers[-1]))
        order = len(powers) - 1
        return [powers[k - 1] for k in range(1, order + 1) if gcd(k, order) == 1]

    @cached_property
    def generators(self) -> tuple[Symmetry, ...]:
        """A few symmetries that generate the translations."""
        identity, dimension = Symmetry.identity(self.board.dimension), self.board.dimension
        if self.shifts is None:
            axes = [
                i
                for i, (side, wrap) in enumerate(zip(self.board.shape, self.board.wraps, strict=True))
                if wrap and side > 1
            ]
            return tuple(replace(identity, shifts=tuple(int(i == axis) for i in range(dimension))) for axis in axes)
        return tuple(replace(identity, shifts=tuple(shift)) for shift in _basis(self.board, self.shifts))

    @cached_property
    def cell_orbits(self) -> IntArray:
        """The least cell to which translations take each cell, shape (n,)."""
        if self.translation_count == 1:
            return sealed(np.arange(self.board.n, dtype=np.int32))
        if self.shifts is None:
            return sealed(self.board.numbers(np.where(self.board.wraps, 0, self.board.cells)))
        return sealed(orbits([generator.permutation(self.board) for generator in self.generators], self.board.n))

    def images(self) -> Iterator[tuple[Symmetry, IntArray]]:
        """Each of `turns` with the image of every cell."""
        if self.board.n * len(self.turns) <= MAX_KEPT:
            return zip(self.turns, self._images, strict=True)
        return ((turn, turn.permutation(self.board)) for turn in self.turns)

    @cached_property
    def _images(self) -> tuple[IntArray, ...]:
        return tuple(turn.permutation(self.board) for turn in self.turns)


def rank(symmetry: Symmetry) -> tuple[Any, ...]:
    """Names without a translation come first, then those of fewer exchanged axes and mirrored ones."""
    return any(symmetry.shifts), symmetry.axes, tuple(-sign for sign in symmetry.signs), symmetry.shifts


def _still(board: Board) -> list[Symmetry]:
    """The symmetries that move no cell, the identity first; others than it are found only on thin and holey boards."""
    identity = Symmetry.identity(board.dimension)
    if board.mask is None and min(board.shape) > 2:
        return [identity]
    if board.mask is None:
        # The image of a box is known from those of a corner and its neighbours
        cells = np.concatenate([np.zeros((1, board.dimension)), np.diag(np.array(board.shape) > 1)]).astype(np.int64)
    else:
        cells = board.cells.astype(np.int64)
    still = []
    for turn in _candidates(board):
        # Only one translation can bring the first cell back
        far = [side - 1 if sign < 0 else 0 for side, sign in zip(board.shape, turn.signs, strict=True)]
        image = cells[0, list(turn.axes)] * np.array(turn.signs) + far
        shift = np.where(board.wraps, (cells[0] - image) % np.array(board.shape), 0)
        candidate = replace(turn, shifts=tuple(shift.tolist()))
        if not candidate._moves(board, cells).any():
            still.append(candidate)
    return still


def _translations(mask: npt.NDArray[np.bool_], board: Board) -> IntArray:
    """The translations along periodic axes that take a mask to that of the board, in order, shape (k, dimension)."""
    target = board.mask
    assert target is not None
    axes = [axis for axis, wrap in enumerate(board.wraps) if wrap]
    # The rarer of cells and holes, for exact sums
    rare = 2 * np.count_nonzero(target) <= target.size
    size = np.count_nonzero(target == rare)
    spectrum, target_spectrum = (np.fft.rfftn((array == rare).astype(float), axes=axes) for array in (mask, target))
    across = tuple(axis for axis in range(board.dimension) if axis not in axes)
    product = (np.conj(spectrum) * target_spectrum).sum(axis=across, keepdims=True)
    common = np.fft.irfftn(product, s=[board.shape[axis] for axis in axes], axes=axes)
    return np.argwhere(np.rint(common) == size).astype(np.int32)


def _basis(board: Board, shifts: IntArray) -> list[tuple[int, ...]]:
    """A few of some translations that generate those among them that map the board to itself."""
    return _generated(board, shifts)[0]


def _group_generated(board: Board, shifts: IntArray) -> IntArray:
    """The group of the translations, of some suggested ones, that map the board to itself."""
    return np.argwhere(_generated(board, shifts)[1]).astype(np.int32)


def _generated(board: Board, shifts: IntArray) -> tuple[list[tuple[int, ...]], npt.NDArray[np.bool_]]:
    """Generators of a group of translations, and a grid of those that are in it."""
    sides = [side if wrap else 1 for side, wrap in zip(board.shape, board.wraps, strict=True)]
    reached = np.zeros(sides, dtype=bool)
    reached[(0,) * len(sides)] = True
    basis, identity = [], Symmetry.identity(board.dimension)
    for shift in map(tuple, shifts.tolist()):
        if reached[shift] or not replace(identity, shifts=shift).fixes(board):
            continue
        basis.append(shift)
        multiple = shift
        while True:  # 1, 2, 4, ... times the translation, until that adds nothing
            further = reached | np.roll(reached, multiple, axis=tuple(range(len(sides))))
            if np.array_equal(further, reached):
                break
            reached, multiple = further, tuple(2 * part % side for part, side in zip(multiple, sides, strict=True))
    return basis, reached


def generate(generators: Iterable[Symmetry], board: Board) -> list[Symmetry]:
    """The group that symmetries of a board generate, the identity first.

    Raises
    ------
    KTError
        If one translates along an axis that is not periodic.
    TooLarge
        If there are more than `MAX_GROUP` elements.
    """
    gens: list[Symmetry] = []
    group = [Symmetry.identity(board.dimension)]
    seen = set(group)
    for further in (generator.on(board) for generator in generators):
        if further in seen:
            continue
        gens.append(further)  # Each generator at least doubles the group, so these are few
        group = [Symmetry.identity(board.dimension)]
        seen = set(group)
        for element in group:  # The list grows during the loop: a closure
            for generator in gens:
                product = (generator @ element).on(board)
                if product not in seen:
                    seen.add(product)
                    group.append(product)
            if len(group) > MAX_GROUP:
                raise TooLarge(f"symmetry: the group has over {MAX_GROUP:,} elements, the most that are listed")
    return group


def orbits(generators: Iterable[IntArray], size: int) -> IntArray:
    """Least element of each element's orbit under the group that some permutations of 0..size-1 generate."""
    least: IntArray = np.arange(size, dtype=np.int32)
    permutations = list(generators)
    while True:
        before = least
        for permutation in permutations:
            power = permutation
            while True:  # The least of 1, 2, 4, ... images, until that changes nothing
                further = np.minimum(least, least[power])
                if np.array_equal(further, least):
                    break
                least, power = further, power[power]
        if len(permutations) < 2 or np.array_equal(before, least):
            return least
