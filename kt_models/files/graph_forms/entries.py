"""Graphs of square matrices: which entries are edges, which are weights, and whether the graph is directed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.arguments import require_boolean, require_items
from kt_models.decimals import MAX_WEIGHT
from kt_models.directed import DirectedGraph, arcs_once
from kt_models.errors import KTError, excerpt
from kt_models.files.graph_forms.form import FormChoices, Missing
from kt_models.graph import MoveGraph

MAX_WORDS = 20
"""Most numbers that the option `--missing` takes."""
WHICH_MISSING = "give --missing {0}, or --missing none if all pairs are edges (in Python missing={0} or missing=())"
"""The options that decide which numbers mean that there is no edge."""


def missing_from(value: Any) -> Missing:
    """Numbers that mean that there is no edge: one, or several; NaN is `None`.

    Raises
    ------
    KTError
        If it is neither a number nor a list of numbers.
    """
    wanted = "a number such as 0, inf or nan, several of them, or () for none"
    several = isinstance(value, list | tuple | set | frozenset | np.ndarray)
    numbers = require_items(value, "missing", wanted) if several else [value]
    if len(numbers) > MAX_WORDS:
        raise KTError(f"missing {excerpt(value)}: at most {MAX_WORDS} numbers")
    for number in numbers:
        real = isinstance(number, int | float | np.integer | np.floating) and not isinstance(number, bool)
        if not (number is None or real) or (isinstance(number, int) and abs(number) > MAX_WEIGHT):
            raise KTError(f"missing must be {wanted}, got {excerpt(value)}")
    return frozenset(None if number is None or number != number else float(number) for number in numbers)


def choices_from(form: str | None, directed: Any = None, missing: Any = None) -> FormChoices:
    """Keywords of Python about the file or the matrix of a graph."""
    if directed is not None:
        directed = require_boolean(directed, "directed")
    return FormChoices(form, directed, None if missing is None else missing_from(missing))


def missing_of_text(text: str) -> Missing:
    """The same of the text of an option: `0`, `inf,nan`, or `none`."""
    if text.strip().lower() == "none":
        return frozenset()
    words = [word.strip().lower() for word in text.split(",")]
    if odd := next(
        (word for word in words if not re.fullmatch(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+|inf)|nan", word)), None
    ):
        raise KTError(f"missing {excerpt(odd)}: a number such as 0, inf or nan, several such as 0,inf, or none")
    return missing_from([float(word) for word in words])


def graph_of_entries(
    ends: npt.NDArray[np.int64],
    values: npt.NDArray[Any],
    labels: Sequence[Any],
    name: str = "graph",
    *,
    directed: bool | None = None,
    missing: Missing | None = None,
) -> MoveGraph:
    """The graph of entries of a square matrix.

    If all entries off the diagonal are 0 or 1, those that are 1 are edges without weights. Otherwise entries are
    weights.

    Parameters
    ----------
    ends
        Row and column of each entry that is stored, from 0, each once, shape (p, 2).
    values
        The entries, numbers, or `None` where there is none, shape (p,).
    labels
        Names of the vertices.
    directed
        Whether entries are arcs from rows to columns; by default they are if the matrix is not symmetric.
    missing
        Numbers that mean that there is no edge, if the user says it.

    Raises
    ------
    KTError
        If an entry off the diagonal may be a weight or say that there is no edge, or the matrix may be half of a
        symmetric one; or if it is not symmetric, and the graph is to be undirected.
    """
    proper = ends[:, 0] != ends[:, 1]
    ends, values = ends[proper], values[proper]
    numbers = _as_floats(values)
    plain = missing is None and bool(((numbers == 0) | (numbers == 1)).all())
    if plain:
        ends, values, numbers = ends[numbers == 1], values[numbers == 1], numbers[numbers == 1]
    else:
        there = np.array([value is not None for value in values.tolist()], dtype=bool)
        if missing is None:
            _require_weights(ends[there], numbers[there], labels)
        else:
            there &= ~(np.isin(numbers, [number for number in missing if number is not None]))
            if None in missing:
                there &= ~np.isnan(numbers)
        ends, values, numbers = ends[there], values[there], numbers[there]
        if not np.isfinite(numbers).all():
            odd = int(np.argmin(np.isfinite(numbers)))
            raise KTError(
                f"the entry {_place(ends[odd], labels)} is {numbers[odd]}, which is no weight: name it in missing="
            )
    n = len(labels)
    graph: MoveGraph
    if _is_directed(ends, numbers, labels, directed):
        graph = DirectedGraph.from_arcs(n, ends, name, labels).split()
    else:
        upper = ends[:, 0] < ends[:, 1]
        ends, values = ends[upper], values[upper]
        graph = MoveGraph.from_edges(n, ends, name, labels)
    if plain or not len(ends):
        return graph
    try:
        return graph.weighed(ends, values.tolist())
    except KTError as error:  # The error is raised only if somebody asks for the weights
        return graph.having(unweighted=str(error))


def _as_floats(values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Numbers for comparisons; the weights are read from the values themselves."""
    if values.dtype.kind == "O":
        return np.array([np.nan if value is None else float(value) for value in values.tolist()], dtype=np.float64)
    return values.astype(np.float64)


def _require_weights(ends: npt.NDArray[np.int64], numbers: npt.NDArray[np.float64], labels: Sequence[Any]) -> None:
    """Refuse entries that may mean that there is no edge."""
    doubtful = (numbers == 0) | ~np.isfinite(numbers)
    if (numbers < 0).any() and (numbers[numbers < 0] == -1).all():
        doubtful |= numbers == -1
    if doubtful.any():
        odd = int(np.argmax(doubtful))
        word = "nan" if np.isnan(numbers[odd]) else f"{numbers[odd]:g}"
        raise KTError(
            f"the entry {_place(ends[odd], labels)} is {word}: "
            + (f"a weight of {word}, or no edge" if np.isfinite(numbers[odd]) else "probably no edge")
            + f"; {WHICH_MISSING.format(word)}"
        )


def _place(ends: npt.NDArray[np.int64], labels: Sequence[Any]) -> str:
    u, v = (labels[vertex] for vertex in ends.tolist())
    return f"({u}, {v})"


def _is_directed(
    ends: npt.NDArray[np.int64], numbers: npt.NDArray[np.float64], labels: Sequence[Any], directed: bool | None
) -> bool:
    if directed or is_symmetric(ends, numbers):
        return directed is True
    single = arcs_once(ends, len(labels))
    half = len(single) == len(ends) and ((ends[:, 0] < ends[:, 1]).all() or (ends[:, 0] > ends[:, 1]).all())
    if directed is False or half:
        different = single if len(single) else _unequal(ends, numbers)
        u, v = (labels[vertex] for vertex in different[0].tolist())
        kind = f"{u} leads to {v} but {v} not to {u}" if len(single) else f"({u}, {v}) and ({v}, {u}) differ"
        more = ", and so for all edges: it may be half of a symmetric matrix" if half else ""
        raise KTError(f"{kind}{more}; give each edge from both ends, or say directed=True (--directed)")
    return True


def _unequal(ends: npt.NDArray[np.int64], numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Entries that differ from their opposite one."""
    known = {(u, v): number for (u, v), number in zip(map(tuple, ends.tolist()), numbers.tolist(), strict=True)}
    return np.array([pair for pair, number in known.items() if known[pair[::-1]] != number], dtype=np.int64)


def is_symmetric(ends: npt.NDArray[Any], values: npt.NDArray[Any] | None = None) -> bool:
    """Whether each entry has an opposite entry with the same value."""
    values = np.ones(len(ends)) if values is None else values
    order = np.lexsort((values, ends[:, 1], ends[:, 0]))
    reverse = np.lexsort((values, ends[:, 0], ends[:, 1]))
    return np.array_equal(ends[order], ends[reverse][:, ::-1]) and np.array_equal(values[order], values[reverse])
