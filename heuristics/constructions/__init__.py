"""Tours of all sizes by a rule, one module or folder each; those with a `METHOD` can be named."""
