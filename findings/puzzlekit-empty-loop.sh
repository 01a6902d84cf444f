#!/usr/bin/env bash
# The loop of a puzzle that asks for nothing, in puzzlekit.
source "$(dirname "$0")/common"
install 'puzzlekit==0.3.4' 'ortools==9.15.6755'
guess 'Slitherlink and Masyu ask for one loop: without clues puzzlekit finds one, and zeros everywhere are infeasible.'
behaviour "No loop at all counts as one: both answer Optimal with an empty grid, since a circuit constraint may leave every vertex out."
cat >loop.py <<'PYTHON'
import puzzlekit

for kind, grid in (("masyu", "3 3\n- - -\n- - -\n- - -"), ("slitherlink", "2 2\n0 0\n0 0")):
    answer = puzzlekit.solve(grid, kind).solution_data
    print(kind, answer["status"], str(answer["solution_grid"]).split("\n")[1:])
PYTHON
seen="masyu Optimal ['- - -', '- - -', '- - -']
slitherlink Optimal ['- -', '- -']"
compare python loop.py
