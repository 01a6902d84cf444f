"""Counting tours by meeting in the middle: states of two halves of a board, joined into one cycle.

`kt_models.kernel.certificates.frontier` sweeps over a whole board, counts by value and serves every connectivity. This
package only counts, and needs the states of half a board: `halves` has the steps, `kt_models.kernel.sweeps` makes the
states, and `join` and `meet` combine the halves.
"""
