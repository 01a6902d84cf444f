"""Runs: exhaustive searches cut into cubes, kept in a folder with a ledger, and their audit.

`cubes` cuts a problem into parts, `task` says what is asked of it (`tours`, `bounds`, `gadgets`; all of them in
`kinds`), `folder` and `ledger` keep what came of each cube, `rows` reads that without believing it, and `audit` says
what it shows.  `summary` is a finished run on a page.
"""
