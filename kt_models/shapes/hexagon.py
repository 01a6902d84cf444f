"""Regular hexagons of hexagonal cells: `hex:5`, by the cells along a side."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kt_models.errors import KTError
from kt_models.shapes import BoardKind, Extent


def layout(side: int) -> Extent:
    """The hexagon with n cells along a side: 3n(n-1) + 1 cells.

    Cells have cube coordinates: three integers with one sum, of which a step to one of the six cells around changes two
    by 1 and -1.
    """
    if side < 1:
        raise KTError(f"board hex:{side}: a side has at least 1 cell")
    box = 2 * side - 1

    def mask() -> npt.NDArray[np.bool_]:
        axis = np.arange(box)
        return axis[:, None, None] + axis[None, :, None] + axis == 3 * (side - 1)

    return Extent((box, box, box), mask, text=f"hex:{side}")


KIND = BoardKind(
    "hex", r"[0-9]{1,40}", layout, "hex:5", "a hexagon of hexagons, by its side", ("hexagon", "hexagonal", "honeycomb")
)
