"""Boxes that are periodic along every axis: `torus:8x8`."""

from kt_models.shapes import BOX, BoardKind, Extent


def layout(*sides: int) -> Extent:
    """The torus with these sides."""
    return Extent(sides, wraps=(True,) * len(sides))


KIND = BoardKind("torus", BOX, layout, "torus:8x8", "periodic along every axis", ("toroidal",))
