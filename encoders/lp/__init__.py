"""Linear programming by HiGHS: the relaxation of a problem, and branch and bound on it.

The modules build on each other: `program` wraps the solver, `duals` turns its floating point numbers into integers, and
`separation` finds cuts; `relaxation` solves the program of a whole problem once, and `node` that of a node of the tree;
`branching` grows the tree, `compact` makes it small, and `engine` lets it race.
"""
