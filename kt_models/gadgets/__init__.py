"""Gadgets: regions covered by paths with given ends. `frame` poses a search, `gadget` answers it, `wanted` selects."""
