"""The parts of papers that need a solver, a folder for each paper; `heuristics.papers` has the others."""
