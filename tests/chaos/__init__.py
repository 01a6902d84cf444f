"""Faults of the machine: whatever happens to a command, nothing is lost or miscounted, and its ending is foreseen.

    python -m tests.chaos GROUP [--rounds N] [--seed S]
    python -m tests.chaos all                              every group, and a table of how the rounds ended

| group | what happens |
| --- | --- |
| kills | SIGKILL to runs, ledgers and states at random moments, which then go on; SIGKILL to workers of a run |
| disks | full and read-only disks, a limit on the size of files |
| streams | closed and full streams, readers that go away, a terminal that is lost |
| signals | SIGINT, SIGTERM, SIGHUP, SIGXCPU and SIGKILL at random moments of every long command |
| caches | damaged files of machine code, before and while commands run, several processes at once |
| limits | small limits on open files, memory, processes and processor time |
| dask | a scheduler or its workers are killed at random moments |

A round is made from the seed, its group and its number alone, so `--first N --rounds 1` repeats one; but moments are
seconds, and what a command does in them differs. `tests/test_chaos.py` has a short form, in which things happen when
a function is called. Figures of the long runs are in docs/use/limits.md.
"""
