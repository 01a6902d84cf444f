"""Which method made a tour, as far as that can be seen from it, and what that puts on its drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kt_models.errors import KTError

if TYPE_CHECKING:
    from kt_models.drawing.parts import Parts
    from kt_models.drawing.sides import Side

MAX_RECOGNISED_CELLS = 40_000
"""Most cells of a tour that a page asks, unasked, whether it is a formation tour: trying takes about a second."""


def parts_of(side: Side, required: bool) -> Parts | None:
    """What explains a tour, or a board, of some method: if it is asked for, or a page's tour happens to be one.

    Raises
    ------
    KTError
        If it is asked for, and no method made it.
    """
    if required:
        if side.graph.board is None:
            raise KTError(f"graph {side.graph.name} has no board: it cannot be drawn")
        if len(side.tours) > 1:
            raise KTError("--strands: it is not one tour")
    elif len(side.tours) != 1 or len(side.tours[0]) > MAX_RECOGNISED_CELLS:
        return None
    from heuristics.find import METHODS

    subject = side.tours[0] if side.tours else side.graph.geometry[0]
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
