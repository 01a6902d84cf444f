"""Boxes that are periodic along x only: `cylinder:6x8`, six cells around."""

from kt_models.shapes import BOX, BoardKind, Extent


def layout(around: int, *rest: int) -> Extent:
    """The cylinder with a number of cells around, and these sides along the other axes."""
    return Extent((around, *rest), wraps=(True, *(False,) * len(rest)))


KIND = BoardKind("cylinder", BOX, layout, "cylinder:6x8", "periodic along x only", ("cylindrical", "strip", "tube"))
