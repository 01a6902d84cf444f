"""Rectangles and boxes: `8x8`, `4x4x4`."""

from kt_models.shapes import BOX, BoardKind, Extent


def layout(*sides: int) -> Extent:
    """The box with these sides."""
    return Extent(sides)


KIND = BoardKind("", BOX, layout, "8x8, 4x4x4", "a rectangle, width first; a box")
