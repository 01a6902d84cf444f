"""Labels: the names of the vertices of a graph without a board, as users gave them, and in JSON files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from kt_models.errors import KTError
from kt_models.json_values import is_integer

MAX_NESTED = 20
"""Most levels of nested tuples in a label: each level is a recursive call."""


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
