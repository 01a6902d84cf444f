"""Boxes that are periodic along x only: `strip:4x10`, with a period of 4."""

from kt_models.shapes import BOX, BoardKind, Extent, sides


def layout(text: str) -> Extent:
    """The strip with these sides."""
    shape = sides(text)
    return Extent(shape, wraps=(True, *(False,) * (len(shape) - 1)))


KIND = BoardKind("strip", BOX, layout, "strip:4x10", "periodic along x only")
