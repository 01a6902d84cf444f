"""Puzzles with exactly one solution: a random solution, and clues of which none can be left out.

`numbered` and `linked` write the puzzles of a board as clauses and look for other solutions than the wanted one.
`rules` solves a puzzle by the rules that a person has, which tells how difficult it is. `make` puts them together.
"""

from encoders.puzzles.make import make_puzzles
from encoders.puzzles.task import MAX_PUZZLES, PuzzleTask

__all__ = ["MAX_PUZZLES", "PuzzleTask", "make_puzzles"]
