"""This toolkit beside other people's solvers, the same graphs in one run: `kt bench`, and `benchmarks/hamiltonian.py`.

`graphs` makes the graphs, `contestants` are who is measured, `measure` does one solve in a process of its own.
"""
