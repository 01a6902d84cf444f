"""What needs a solver of what is in `heuristics.papers`, a folder for each paper."""
