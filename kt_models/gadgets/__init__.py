"""Regions covered by paths that enter and leave as given: `frame` asks, `gadget` answers, `wanted` says which count."""
