"""`ListedGraphs`: the graphs of a file for Python, and those among them with an answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from encoders.many.compiled import outcome_of
from encoders.many.ordinary import answered
from encoders.many.outcome import UNKNOWN
from encoders.many.question import UNREADABLE, Filter, Question
from kt_models.errors import KTError
from kt_models.files.graph_forms.several import Graphs, graph_of_piece
from kt_models.files.graph_lists.block import SIZE, UNREAD, GraphBlock
from kt_models.files.graph_lists.pieces import block_of_graph
from kt_models.graph import MoveGraph
from kt_models.limits import Limits

Chosen = tuple[GraphBlock, npt.NDArray[np.bool_]]
"""A block, and which of its graphs are chosen."""
STATUSES = ("feasible", "infeasible")


class ListedGraphs(Graphs):
    """Graphs of a file one by one: an iterator that continues after a damaged graph."""

    _single: MoveGraph | None = None
    """The graph of a file that is no list, once it is read."""

    def filter(
        self,
        answer: str | None = None,
        *,
        count: int | tuple[int, int | None] | None = None,
        open: bool = False,
        graph_time: float | None = None,
    ) -> FilteredGraphs:
        """The graphs with an answer; those for which it is unknown are left out.

        Parameters
        ----------
        answer
            `feasible` or `infeasible`: whether there is a Hamiltonian cycle; or a property, such as `hypohamiltonian`.
        count
            The number of Hamiltonian cycles, or the least and the greatest number, which may be None.
        open
            Paths instead of cycles.
        graph_time
            Seconds for each graph.

        Raises
        ------
        KTError
            If there is no such answer.
        """
        return FilteredGraphs(self, *_asked(answer, count, open, graph_time))

    def _chosen(self) -> Iterator[Chosen]:
        """The graphs that are left, some at a time."""
        if self._list is not None:
            for block in self._list.blocks:
                yield block, np.ones(len(block), dtype=np.bool_)
            return
        for read in self._only:
            self._single = read()
            yield block_of_graph(self._single), np.ones(1, dtype=np.bool_)

    def _graph(self, block: GraphBlock, row: int) -> MoveGraph:
        """One of the graphs."""
        if self._list is None:
            assert self._single is not None
            return self._single
        return graph_of_piece(block.piece(row), self._list.form, self._list.name)

    def _origin(self) -> tuple[str, str]:
        """The form and the name of the list."""
        return ("graph6", self._path) if self._list is None else (self._list.form, self._list.name)


class FilteredGraphs(Iterator[MoveGraph]):
    """Graphs with an answer; see `ListedGraphs.filter`."""

    def __init__(self, graphs: ListedGraphs | FilteredGraphs, question: Question, chosen: Filter) -> None:
        self._graphs, self._question, self._filter = graphs, question, chosen
        self._found = self._each()

    def filter(self, answer: str | None = None, **wanted: Any) -> FilteredGraphs:
        """Graphs that have another answer, too: see `ListedGraphs.filter`."""
        asked = {"count": None, "open": False, "graph_time": None} | wanted
        if odd := set(wanted) - {"count", "open", "graph_time"}:
            raise KTError(f"filter: there is no argument {min(odd)!r}; it takes count, open and graph_time")
        return FilteredGraphs(self, *_asked(answer, asked["count"], asked["open"], asked["graph_time"]))

    def __iter__(self) -> FilteredGraphs:
        return self

    def __next__(self) -> MoveGraph:
        """The next graph.

        Raises
        ------
        KTError
            If a graph is damaged; the next one follows then.
        """
        found = next(self._found)
        if isinstance(found, KTError):
            raise found
        return found

    def _each(self) -> Iterator[MoveGraph | KTError]:
        for block, rows in self._chosen():
            for row in np.flatnonzero(rows).tolist():
                try:
                    yield self._graph(block, row)
                except KTError as error:
                    yield error

    def _chosen(self) -> Iterator[Chosen]:
        """The graphs that are left, and damaged ones, which nobody should miss."""
        stop = np.zeros(1, dtype=np.int64)
        for block, rows in self._graphs._chosen():
            outcome = outcome_of(block, self._question, stop)
            wanted = self._filter.rows(self._question, outcome)
            for row in np.flatnonzero((outcome.statuses == UNKNOWN) & rows).tolist():
                answer = answered(block.piece(row), *self._origin(), self._question, Limits())
                damaged = answer.status == UNREADABLE and block.records[row, SIZE] == UNREAD
                wanted[row] = damaged or self._filter.accepts(answer)
            yield block, wanted & rows

    def _graph(self, block: GraphBlock, row: int) -> MoveGraph:
        return self._graphs._graph(block, row)

    def _origin(self) -> tuple[str, str]:
        return self._graphs._origin()


def _asked(
    answer: str | None, count: int | tuple[int, int | None] | None, is_open: bool, graph_time: float | None
) -> tuple[Question, Filter]:
    """The question for each graph, and the answers that are wanted."""
    if (answer is None) == (count is None):
        raise KTError("filter: give one of a status, such as 'feasible', a property, or count=")
    conditions: tuple[tuple[str, Any], ...] = (("open", True),) if is_open else ()
    if count is not None:
        least, most = (count, count) if isinstance(count, int) else count
        chosen = Filter("counted", least, most)
        return Question(conditions=conditions, seconds=graph_time, counting=True, enough=chosen.enough), chosen
    assert answer is not None
    if answer in STATUSES:
        return Question(conditions=conditions, seconds=graph_time), Filter(answer)
    if is_open:
        raise KTError("filter: open is for 'feasible', 'infeasible' and count=; the name of a property says what it is")
    return Question(seconds=graph_time, property_name=answer), Filter("yes")
