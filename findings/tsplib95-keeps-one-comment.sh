#!/usr/bin/env bash
# The length that LKH writes into a tour file, read by tsplib95.
source "$(dirname "$0")/common"
install 'tsplib95==0.7.1'
guess "Both COMMENT lines of a tour by LKH, 'Length = 7' and 'Found by LKH', are in the field comment."
behaviour 'Each COMMENT replaces the one before: the length is gone, and a saved copy of the tour lacks it.'
cat >comment.py <<'PYTHON'
import tsplib95

tour = tsplib95.parse(
    "NAME : a.7.tour\nCOMMENT : Length = 7\nCOMMENT : Found by LKH\nTYPE : TOUR\nDIMENSION : 3\nTOUR_SECTION\n1\n2\n3\n-1\nEOF\n"
)
print(repr(tour.comment))
print([line for line in tour.render().split("\n") if line.startswith("COMMENT")])
PYTHON
seen="'Found by LKH'
['COMMENT: Found by LKH']"
compare python comment.py
