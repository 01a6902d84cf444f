"""The options of a formation tour: its heels and its junctions."""

from typing import Literal

Style = Literal["turns", "plain", "crossings", "both"]
Corner = Literal["heights", "best", "square"]
