"""This toolkit beside other solvers, on the same graphs in one run, for `benchmarks/hamiltonian.py`.

`graphs` makes the graphs, `contestants` has the solvers, and `measure` runs a solve in a process of its own.
"""
