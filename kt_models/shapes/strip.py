"""Boxes that are periodic along x only: `strip:4x10`, with a period of 4."""

from kt_models.shapes import BOX, BoardKind, Extent


def layout(period: int, *rest: int) -> Extent:
    """The strip with this period, and these sides along the other axes."""
    return Extent((period, *rest), wraps=(True, *(False,) * len(rest)))


KIND = BoardKind("strip", BOX, layout, "strip:4x10", "periodic along x only: a cylinder", ("cylinder", "ring"))
