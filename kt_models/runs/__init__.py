"""Runs: exhaustive searches cut into cubes, kept in a folder with a ledger, and their audit.

`cubes` splits a problem into parts, and `task` defines what is searched (tours, bounds, gadgets; `kinds` lists them).
`folder` and `ledger` keep the outcome of each cube, `rows` reads it without trusting it, and `audit` determines what it
shows. `summary` has the summary of a finished run.
"""
