"""Bands of columns: a checker of lower bounds on the crossings of 2-factors of one board."""
