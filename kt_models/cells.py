"""Names of cells and vertices, in both directions: `a1` is (0, 0) in the plane, `0,3,2` in higher dimensions; labels.

`Vocabulary` has the terms for a tour, a cell and a move, on a board or in a graph.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from kt_models.errors import KTError, excerpt
from kt_models.json_values import is_integer
from kt_models.storage import parse_json

Cell = tuple[int, int]
"""A cell of the plane."""

MAX_NESTED = 20
"""Most levels of nested tuples in a label: each level is a recursive call."""
_ALGEBRAIC = re.compile(r"([a-z]{1,7})([0-9]{1,9})")
_COORDINATES = re.compile(r"\(?\s*(-?[0-9]{1,9}(?:\s*,\s*-?[0-9]{1,9})+)\s*\)?")


def column_name(x: int) -> str:
    """Letters of column `x`: 0 is `a`, 25 is `z`, 26 is `aa`."""
    letters = ""
    x += 1
    while x > 0:
        x, digit = divmod(x - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters


def cell_name(cell: Sequence[int]) -> str:
    """Text of a cell: algebraic in two dimensions; coordinates in others, and if one of them is negative."""
    if len(cell) == 2 and min(cell) >= 0:
        return f"{column_name(int(cell[0]))}{int(cell[1]) + 1}"
    return ",".join(str(int(c)) for c in cell)


def parse_cell(text: str) -> tuple[int, ...]:
    """Coordinates of a named cell: `a1`, `aa12`, `0,3,2` or `(0,3,2)`.

    Raises
    ------
    KTError
        If the text has neither form.
    """
    stripped = text.strip()
    if match := _ALGEBRAIC.fullmatch(stripped.lower()):
        column = 0
        for letter in match[1]:
            column = column * 26 + ord(letter) - ord("a") + 1
        row = int(match[2])
        if row == 0:
            raise KTError(f"cell {excerpt(text)}: rows are numbered from 1")
        return column - 1, row - 1
    if match := _COORDINATES.fullmatch(stripped):
        return tuple(int(part) for part in match[1].split(","))
    raise KTError(f"cell {excerpt(text)}: neither a name such as 'a1' nor coordinates such as '0,3,2'")


# -- labels of a graph's vertices --------------------------------------------------------------------------------------


def frozen_labels(labels: Sequence[Any]) -> Sequence[Any]:
    """Immutable labels: lists become tuples.

    Raises
    ------
    KTError
        If a label is nested too deeply.
    """

    def frozen(label: Any) -> Any:
        return tuple(map(frozen, label)) if type(label) in (list, tuple) else label

    if isinstance(labels, range):
        return labels
    _require_shallow(labels)
    return tuple(map(frozen, labels))


def label_names(labels: Sequence[Any]) -> list[str]:
    """Distinct names of labels in text: by `str` or, if that is not enough, by `repr`.

    They are the names of the labels as a file has them, so a claim reads the same before it is written and after.

    Raises
    ------
    KTError
        If two labels have the same name in both spellings, or a label is nested too deeply.
    """
    plain = _plain_labels(labels)
    for text in (str, repr):
        names = [text(label) for label in plain]
        if len(set(names)) == len(names) and all(
            name and name == name.strip() and name.isprintable() for name in names
        ):
            return names
    raise _alike(names) or KTError("a vertex has a name without letters")


def _plain_labels(labels: Sequence[Any]) -> list[int | str | tuple[Any, ...]]:
    """Labels as JSON returns them, no two alike: integers, texts and tuples of these; the name of any other label.

    Raises
    ------
    KTError
        If two labels of different types have one spelling, or a label is nested too deeply or cannot be written.
    """
    _require_shallow(labels)
    plain_data = list(map(_plain_label, labels))
    for name in (str, repr, _name_with_kind):
        try:
            plain = [name(label) if data is None else data for label, data in zip(labels, plain_data, strict=True)]
        except Exception:  # `str` of an object of unknown type may raise anything
            raise KTError("a vertex has a name that cannot be written") from None
        if len(set(plain)) == len(plain):
            return plain
    raise _alike(plain) or AssertionError


def _name_with_kind(label: Any) -> str:
    return f"{type(label).__name__} {label!r}"


def _alike(names: Sequence[Any]) -> KTError | None:
    """An error about a repeated name; `None` if all names differ."""
    twice = next((name for name, times in Counter(names).items() if times > 1), None)
    return None if twice is None else KTError(f"two vertices have the same name, {str(twice)[:40]!r}")


def _require_shallow(labels: Sequence[Any]) -> None:
    """Refuse tuples and lists that are nested too deeply for a name."""

    def look_into(parts: Iterable[Any], depth: int) -> None:
        for part in parts:
            if isinstance(part, tuple | list):
                if depth == MAX_NESTED:
                    raise KTError(f"the name of a vertex is nested more than {MAX_NESTED} levels deep")
                look_into(part, depth + 1)

    look_into(labels, 0)


MAX_LISTED_NUMBERS = 1_000_000
"""Most consecutive numbers that are written one by one where they are labels."""


def labels_to_json(labels: Sequence[Any]) -> list[Any] | dict[str, int]:
    """Labels for JSON: integers, texts, and lists of these for tuples; the name of any other label.

    Of very many consecutive numbers only the first is written, as `{"first": 1}`.
    """
    if isinstance(labels, range):
        return list(labels) if len(labels) <= MAX_LISTED_NUMBERS else {"first": labels[0]}
    return [_lists(label) for label in _plain_labels(labels)]


@dataclass(frozen=True, eq=False)
class NumberNames(Mapping[str, int]):
    """The vertices of consecutive numbers by their names, which are the numbers as texts, also in quotes.

    Nothing is kept for each vertex.
    """

    numbers: range

    def __getitem__(self, name: str) -> int:
        match = _NUMBER_NAME.fullmatch(name)
        # Long digits first: `int` takes quadratic time on them
        if match is None or len(match[2]) > 20 or str(int(match[2])) != match[2]:
            raise KeyError(name)
        number = int(match[2])
        if number not in self.numbers:
            raise KeyError(name)
        return self.numbers.index(number)

    def __iter__(self) -> Iterator[str]:
        return chain(map(str, self.numbers), (repr(str(number)) for number in self.numbers))

    def __len__(self) -> int:
        return 2 * len(self.numbers)


_NUMBER_NAME = re.compile("('?)(-?[0-9]+)\\1", re.ASCII)


def _plain_label(label: Any) -> int | str | tuple[Any, ...] | None:
    if hasattr(label, "dtype") and hasattr(label, "item"):  # A number or text of NumPy is written as Python's
        label = label.item()
    if type(label) in (int, str):
        return label
    if type(label) is tuple:
        parts = tuple(map(_plain_label, label))
        return None if None in parts else parts
    return None


def _lists(label: Any) -> Any:
    return [_lists(part) for part in label] if type(label) is tuple else label


def labels_from_json(data: Any, n: int) -> Sequence[Any]:
    """Labels of `n` vertices that `labels_to_json` wrote.

    Raises
    ------
    KTError
        If the labels have another form or number, or two are equal.
    """
    if isinstance(data, dict) and data.keys() == {"first"} and is_integer(data["first"]):
        return range(data["first"], data["first"] + n)
    if not isinstance(data, list) or len(data) != n:
        raise KTError(f"'labels' is not a list of one name for each of the {n:,} vertices")
    _require_shallow(data)
    labels = tuple(_label_of_json(label) for label in data)
    label_names(labels)
    return labels


def _label_of_json(data: Any) -> Any:
    if type(data) is list:
        return tuple(_label_of_json(part) for part in data)
    if type(data) not in (int, str):
        raise KTError(f"'labels' has {str(data)[:40]!r}: a label is an integer, a text, or a list of these")
    return data


_LABEL = re.compile(r"kt-label ([0-9]{1,9}) (.+)")
_RUN = re.compile(r"kt-labels (-?[0-9]{1,18})\.\.(-?[0-9]{1,18})")


def labels_to_comments(labels: Sequence[Any] | None) -> list[str]:
    """Labels as comments of a file that numbers vertices from 1; none if they are these numbers.

    They are `kt-label 1 "anna"` and so on, or for consecutive integers `kt-labels 0..99`.
    """
    if labels is None:
        return []
    if isinstance(labels, range):
        return [] if labels[0] == 1 else [f"kt-labels {labels[0]}..{labels[-1]}"]
    data = [*labels_to_json(labels)]
    if all(map(is_integer, data)) and data == list(range(data[0], data[0] + len(data))):
        return [] if data[0] == 1 else [f"kt-labels {data[0]}..{data[-1]}"]
    return [f"kt-label {number} {json.dumps(label)}" for number, label in enumerate(data, start=1)]


def labels_from_comments(comments: Iterable[str], n: int) -> Sequence[Any]:
    """Labels of `n` vertices in comments that `labels_to_comments` wrote; otherwise their numbers, from 1.

    Raises
    ------
    KTError
        If some vertices have no label or two labels, or if a label cannot be read.
    """
    lines = [comment for comment in map(str.strip, comments) if re.match(r"kt-labels? ", comment)]
    if not lines:
        return range(1, n + 1)
    if len(lines) == 1 and (run := _RUN.fullmatch(lines[0])) and int(run[2]) - int(run[1]) == n - 1:
        numbers = range(int(run[1]), int(run[2]) + 1)
        return numbers if n > MAX_LISTED_NUMBERS else tuple(numbers)
    matches = [_LABEL.fullmatch(line) for line in lines]
    if [match and int(match[1]) for match in matches] != list(range(1, n + 1)):
        raise KTError(
            f"its comments 'kt-label NUMBER NAME' are not one for each vertex from 1 to {n:,}, in their order"
        )
    return labels_from_json([parse_json(match[2]) for match in matches if match], n)


# -- words -------------------------------------------------------------------------------------------------------------


class Vocabulary(NamedTuple):
    """Words for the parts of a problem."""

    cycle: str
    path: str
    place: str
    places: str
    move: str

    @property
    def moves(self) -> str:
        """The plural of a move."""
        return f"{self.move}s"

    @property
    def a_move(self) -> str:
        """The move with its article."""
        return f"{'an' if self.move[0] in 'ae' else 'a'} {self.move}"

    @property
    def tour(self) -> str:
        """A closed or an open tour."""
        return self.cycle.rpartition(" ")[2]

    @property
    def a_cycle(self) -> str:
        """The closed tour with its article."""
        return f"a {self.cycle}"

    @property
    def a_path(self) -> str:
        """The open tour with its article."""
        return f"{'an' if self.path.startswith('o') else 'a'} {self.path}"

    def walk(self, closed: bool) -> str:
        """A closed or an open tour that may leave places out."""
        return (self.cycle if closed else self.path).replace("tour", "walk").removeprefix("Hamiltonian ")


BOARD_WORDS = Vocabulary("closed tour", "open tour", "cell", "cells", "move")
GRAPH_WORDS = Vocabulary("Hamiltonian cycle", "Hamiltonian path", "vertex", "vertices", "edge")
DIRECTED_WORDS = GRAPH_WORDS._replace(move="arc")
