"""One engine for sweeps over the frontier of a graph.

A sweep processes the vertices in order. A state is what the remaining part sees of the chosen edges; for each state the
sweep keeps the number of partial solutions, or the least cost.

- `net`, `plan`, `costs`: the graph of a sweep, its order, and what each step charges.
- `forms`: the layout of a state in words, and the step from one layer of states to the next.
- `charge`, `values`: the cost and value of a state; the hash table.
- `bounds`: pruning of states whose cost plus a bound on the remaining cost is too large.
- `run`: threads, disk and memory.
"""
