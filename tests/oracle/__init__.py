"""The oracle: small problems solved by brute force, and every checker held against what came out.

    python -m tests.oracle.attack --problems 1000000 --seed 1 --out oracle.json

`truth` enumerates the solutions of a problem with code of its own (nothing of the toolkit but the problem as a bag of
numbers); `problems` draws small problems of every kind; `forgery` makes certificate data, genuine, perturbed, spliced
and senseless; `attack` puts the three together.  `tests/oracle/test_oracle.py` does a little of it with every test run.
"""
