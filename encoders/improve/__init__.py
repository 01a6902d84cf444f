"""A better tour from a given one: windows of it are freed and solved to the end, the rest stays as it is."""

from encoders.improve.search import improve

__all__ = ["improve"]
