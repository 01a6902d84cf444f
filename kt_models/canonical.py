"""Canonical forms of tours, and the symmetries of a tour, in time linear in the board for each reflection or turn.

Translations along periodic axes are not tried one by one. A tour is a word: the letter of a step is the orbit of its
cell under the translations, and the displacement to the next cell. Two tours have the same word exactly when a
translation takes one to the other, and a closed tour that starts elsewhere has a rotation of the word. So the
canonical form is the tour of the least rotation of the words of all reflected and turned images, in both directions,
moved so that it begins at the least cell of an orbit. Without translations the letters are the cells themselves, and
it is the least order of cells among all images.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from kt_models.board import Board, IntArray
from kt_models.jit import MAX_PLAIN_VERTICES, kernel
from kt_models.symmetry import BoardGroup, Symmetry, board_group, rank

Letters = npt.NDArray[np.int64]
Integer = TypeVar("Integer", bound=np.integer[Any])


def canonical_order(board: Board, order: IntArray, closed: bool) -> IntArray:
    """The order of the canonical form of a tour, which is given by the order of its cells."""
    group = board_group(board)
    images = _images(group, order, closed)
    _, word, least = next(images)
    for _, other, image in images:
        if _precedes(other, word):
            word, least = other, image
    start = int(least[0])
    return _translated(board, least, board.cells[group.cell_orbits[start]] - board.cells[start])


def tour_symmetries(board: Board, order: IntArray, closed: bool) -> list[Symmetry]:
    """The symmetries of a board that map a tour to itself as an order of cells, the identity first."""
    group = board_group(board)
    _, word, base = next(_images(group, order, closed))
    every = period(word) if closed and len(word) else max(len(word), 1)
    found = set()
    for turn, other, image in _images(group, order, closed):
        if np.array_equal(other, word):
            shifts = board.cells[base[:1]] - board.cells[image[::every]]
            found |= {group.translated(turn, shift) for shift in shifts.tolist()}
    return sorted(found, key=rank)


def _images(group: BoardGroup, order: IntArray, closed: bool) -> Iterator[tuple[Symmetry, Letters, IntArray]]:
    """The images of a tour by reflections and turns, in both directions, each with its word.

    The images of a closed tour begin where the word is least.
    """
    for turn, cell in group.images():
        image = cell[order]
        for way in (image, image[::-1]):
            word = _word(group, way, closed)
            start = least_start(word) if closed else 0
            yield turn, _from(word, start), _from(way, start)


def _from(word: npt.NDArray[Integer], start: int) -> npt.NDArray[Integer]:
    """A cyclic word from a place on; several times faster for short ones than `np.roll`."""
    return np.concatenate((word[start:], word[:start])) if start else word


def _word(group: BoardGroup, order: IntArray, closed: bool) -> Letters:
    """The orbit of each cell, and the displacement to the next one along periodic axes, as one number."""
    board, step = group.board, np.zeros(len(order), dtype=np.int64)
    word = group.cell_orbits[order].astype(np.int64)
    if group.translation_count == 1:
        return word
    following = _from(order, 1)
    for axis, (side, wrap) in enumerate(zip(board.shape, board.wraps, strict=True)):
        if wrap:
            along = board.cells[:, axis]
            step = step * side + (along[following] - along[order]) % side
            word *= side
    if not closed and len(step):
        step[-1] = 0
    return word + step


def _precedes(word: Letters, other: Letters) -> bool:
    """Whether a word is less than another of its length."""
    unequal = word != other
    place = int(np.argmax(unequal)) if len(word) else 0
    return bool(len(word) and unequal[place] and word[place] < other[place])


def _translated(board: Board, order: IntArray, shift: IntArray) -> IntArray:
    if not shift.any():
        return order
    cells = board.cells[order].astype(np.int64) + shift
    return board.numbers(np.where(board.wraps, cells % np.array(board.shape), cells))


def least_start(word: Letters) -> int:
    """Where the least rotation of a cyclic word begins; of several places the first."""
    places = np.flatnonzero(word == word.min()) if len(word) else np.zeros(1, dtype=np.int64)
    return int(places[0]) if len(places) == 1 else int(_least_rotation(np.ascontiguousarray(word)))


def period(word: Letters) -> int:
    """The least number of letters by which a cyclic word can be rotated onto itself."""
    n = len(word)
    repeats = int(np.count_nonzero(word == word[0]))
    # A rotation permutes the places of a letter, so their number is divided as well
    lengths = sorted(n // k for k in range(1, repeats + 1) if n % k == 0 and repeats % k == 0)
    return next(length for length in lengths if np.array_equal(word[length:], word[: n - length]))


@kernel("int64(int64[::1])", plain=MAX_PLAIN_VERTICES)
def _least_rotation(word):  # type: ignore[no-untyped-def]
    n = len(word)
    first, second, length = 0, 1, 0
    # Two rotations are compared; as far as they agree, neither can begin where the greater one was refuted
    while first < n and second < n and length < n:
        a = word[(first + length) % n]
        b = word[(second + length) % n]
        if a == b:
            length += 1
            continue
        if a > b:
            first += length + 1
        else:
            second += length + 1
        if first == second:
            second += 1
        length = 0
    return min(first, second)
