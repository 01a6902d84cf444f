"""Exhaustive searches for gadgets: every way to cover a region by paths with given ends, or every best way."""

from encoders.gadgets.search import GadgetResult, search
from kt_models.gadgets.wanted import Wanted

__all__ = ["GadgetResult", "Wanted", "search"]
