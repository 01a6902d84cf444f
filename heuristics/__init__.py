"""Tours without a solver: searches, constructions, local search, and the papers' experiments."""
