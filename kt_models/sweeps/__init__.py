"""One engine for sweeps over the frontier of a graph.

A sweep goes through the vertices in order.  A state is what the chosen edges look like from the part that is left; for
each state it keeps how many partial solutions there are, or the least cost.

- `net`, `plan`, `costs`: what a sweep works on, in which order, and what each step charges.
- `forms`: how a state is written into words, and the step from one layer of states to the next.
- `charge`, `values`: what a state costs and is worth; the hash table.
- `bounds`: states that cost too much with what is still to be charged are left out.
- `run`: threads, disk and memory.
"""
