"""Fewest crossings of 2-factors, by bands of columns: `bound` reads a certificate, `board` sweeps, step by `step`."""
