"""Rectangles and boxes: `8x8`, `4x4x4`."""

from kt_models.shapes import BOX, BoardKind, Extent, sides

KIND = BoardKind("", BOX, lambda text: Extent(sides(text)), "8x8, 4x4x4", "a rectangle, width first; a box")
