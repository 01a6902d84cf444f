"""Robustness: whatever is typed or read, there is no traceback, no hang, and no memory without limit.

    python -m tests.fuzz readers --inputs 80000      damaged files of every kind, through `kt check` and others
    python -m tests.fuzz commands --inputs 20000     command lines drawn from the options that the commands declare
    python -m tests.fuzz coverage --seconds 600      the readers again, guided by coverage (atheris has to be installed)

`tests/test_fuzz.py` runs a few of each. Figures of the long runs are in docs/use/limits.md. Faults of the machine
are in `tests.chaos`.
"""
