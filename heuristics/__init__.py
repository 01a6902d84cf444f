"""Tours without a solver: searches, constructions, local search, and a folder for each paper."""
