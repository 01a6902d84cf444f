"""Boxes that are periodic along every axis: `torus:8x8`."""

from kt_models.shapes import BOX, BoardKind, Extent, sides


def layout(text: str) -> Extent:
    """The torus with these sides."""
    shape = sides(text)
    return Extent(shape, wraps=(True,) * len(shape))


KIND = BoardKind("torus", BOX, layout, "torus:8x8", "periodic along every axis", ("toroidal",))
