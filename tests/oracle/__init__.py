"""The oracle: small problems solved by brute force, and every checker held against what came out.

    python -m tests.oracle.attack --problems 1000000 --seed 1 --out oracle.json

`truth` enumerates the solutions of a problem with code of its own (nothing of the toolkit but the problem as a bag of
numbers); `problems` draws small problems of every kind; `forgery` makes certificate data, genuine, perturbed, spliced
and senseless; `attack` puts the three together. `tests/oracle/test_oracle.py` does a little of it with every test run.

`frozen_sweep` is the frontier sweep as it was, for boards where brute force ends. An engine that replaces the sweep of
the toolkit has to agree with it: `test_frozen_sweep.py` asks both for counts and least values.
"""
