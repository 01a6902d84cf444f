"""Linear programming by HiGHS: the relaxation of a problem, and branch and bound on it.

From the ground up: `program` wraps the solver, `duals` makes integers of what it says, `separation` finds cuts;
`relaxation` solves the whole problem's program once, `node` the one of a node of the tree, `branching` grows the tree,
`compact` makes it small, `engine` lets it race.
"""
