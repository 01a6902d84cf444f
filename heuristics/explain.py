"""The recognition of the method that made a tour, and its explanation for a drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kt_models.errors import KTError

if TYPE_CHECKING:
    from drawing.explanation_parts import Parts
    from drawing.page_entries import PageEntry

MAX_RECOGNISED_CELLS = 40_000
"""Most cells of a tour for which a page tests, without being asked, whether it is a formation tour: about a second."""


def parts_of_bound(entry: PageEntry, name: str) -> Parts:
    """The picture of the argument behind a bound, on a board or over a tour.

    Raises
    ------
    KTError
        If there is none of this bound on this board.
    """
    from heuristics.papers.taming.bounds.picture import bound_parts

    return bound_parts(entry.graph, name)


def parts_of(entry: PageEntry, required: bool) -> Parts | None:
    """The explanation of a tour, or a board, by a method: if it is required, or if a page's tour fits one.

    Raises
    ------
    KTError
        If an explanation is required, and no method made the tour.
    """
    if required:
        if entry.graph.board is None:
            raise KTError(f"graph {entry.graph.name} has no board: it cannot be drawn")
        if len(entry.tours) > 1:
            raise KTError("--strands: this is not one tour")
    elif len(entry.tours) != 1 or len(entry.tours[0]) > MAX_RECOGNISED_CELLS:
        return None
    from heuristics.find import METHODS

    subject = entry.tours[0] if entry.tours else entry.graph
    faults = []
    for method in METHODS.values():
        if method.explain is not None:
            try:
                return method.explain(subject)
            except KTError as error:
                faults.append(str(error))
    if required:
        raise KTError(f"--strands: {'; '.join(faults)}")
    return None
