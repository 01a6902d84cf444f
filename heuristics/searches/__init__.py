"""Searches for a tour of any graph or board, one module or folder each; those with a `METHOD` can be named."""
