"""Gadgets: blocks of cells from which larger tours are built, such as heels, junctions, corners and strips.

`search` finds the gadgets of a `Frame` of cells and `Port`s; `frames` has the frames of the formation algorithm.
"""

from __future__ import annotations

from encoders.gadgets import Wanted, frames, search
from kt_models.gadgets.frame import Frame, Port

__all__ = ["Frame", "Port", "Wanted", "frames", "search"]
