"""Tours without a solver: searches, constructions, local search, counting, and the papers' experiments."""
