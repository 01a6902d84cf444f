"""No option without effect: each one of every command changes what comes out, or is refused.

`EFFECT` has, for every option of every command, words that give it, beside words that do without. What the command
answers has to differ (times left out), or the option has to be refused in one line. The first test finds options that
are missing here.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import kt
from cli.main import COMMANDS, main
from cli.option_errors import rules
from encoders.bounds import certify_lower_bound
from encoders.engines import engines
from encoders.find import METHODS
from kt_models.cells import cell_name
from kt_models.files.calls import LIMITS, PROBLEM
from tests.golden.transcript import SAMPLES

EXEMPT = {
    "seed", "workers", "time_limit", "memory", "check_stated", "radius_time", "cube_time",
    "quiet", "force", "as_json", "as_csv", "statistics",
    "output", "as_format", "log_file", "certificate", "proof", "tours", "figure", "ledger", "folder", "layers", "state",
    "resume", "scheduler", "cubes", "part", "port", "no_browser", "quick", "warm", "version", "help",
}  # fmt: skip
"""Parameters that never change an answer: limits, how much is said, and where it is written or work is kept."""
LISTINGS = {"methods", "variants", "engines", "encodings"}
"""Options that print a list and end."""

Words = str
RANDOM_GRAPHS = "experiment random-graphs --workers 1"
EFFECT: dict[str, dict[str, tuple[Words, Words]]] = {
    "solve": {
        "graph_time": ("solve list.g6 --workers 1", "--graph-time 0"),
        "only": ("solve list.g6 --workers 1", "--only feasible"),
        "as_form": ("solve list.g6 --workers 1 --only feasible", "--as graph6"),
        "certificates": ("solve list.g6 --workers 1", "--certificates"),
        "property_name": ("solve list.g6 --workers 1", "--property traceable"),
        "form": ("solve three.edges --json", "--form neighbours"),
        "leaper": ("solve 5x6", "--leaper 2,3"),
        "is_open": ("solve 5x6", "--open"),
        "start": ("solve 5x6", "--from c3"),
        "finish": ("solve 3x4 --open --from a1", "--to c3"),
        "symmetry": ("solve 6x6", "--symmetry rot90"),
        "require": ("solve 5x6 --forbid a1-b3", "--require a1-b3"),
        "forbid": ("solve 5x6", "--forbid a1-b3"),
        "number": ("solve 5x6", "--number e6=14"),
        "clues": ("solve 3x4 --open --from a1", "--clues nowhere.txt"),
        "in_order": ("solve 3x4 --open --from a1", "--in-order a1,a1"),
        "waypoints": ("solve 3x4 --open --from a1", "--waypoints nowhere.txt"),
        "straight": ("solve 3x4 --open --from a1", "--straight a1,zz9"),
        "turn": ("solve 3x4 --open --from a1", "--turn a1,zz9"),
        "white_pearls": ("solve 3x4 --open --from a1", "--white-pearls a1,zz9"),
        "black_pearls": ("solve 3x4 --open --from a1", "--black-pearls a1,zz9"),
        "forbid_triples": ("solve 3x4 --open --from a1", "--forbid-triples celtik"),
        "shape": ("solve 3x4 --open --from a1", "--shape XX"),
        "paths": ("solve 3x4 --open --from a1", "--paths zz9-zz8"),
        "cycles": ("solve 3x4 --open --from a1", "--cycles 900"),
        "equal": ("solve 3x4 --open --from a1", "--equal"),
        "optional": ("solve 3x4 --open --from a1", "--optional zz9"),
        "visit": ("solve 3x4 --open --from a1", "--visit zz9"),
        "sum_of_edges": ("solve 3x4 --open --from a1", "--sum-of-edges a1=x"),
        "cells": ("solve 3x4 --open --from a1", "--cells #"),
        "sums": ("solve 5x6", "--sums rows=93"),
        "minimize": ("solve 5x6", "--minimize turns"),
        "maximize": ("solve 5x6", "--maximize turns"),
        "near": ("solve 6x6", "--near tour.json"),
        "at_most": ("solve 5x6", "--at-most turns=27"),
        "at_least": ("solve 5x6", "--at-least turns=31"),
        "engine": ("solve 5x6", "--engine cpsat"),
        "encoding": ("solve 5x6", "--encoding cut-set"),
        "solver": ("solve 5x6", "--solver glucose4"),
        "hint": ("solve 6x6 --minimize turns", "--hint open.json"),
        "no_hint": ("solve 6x6 --minimize turns", "--no-hint"),
        "no_best": ("solve 6x6 --minimize turns", "--no-best"),
        "no_presolve": ("solve 4x6 --engine sat", "--no-presolve"),
    },
    "find": {
        "form": ("find three.edges --json", "--form neighbours"),
        "leaper": ("find 5x6", "--leaper 2,3"),
        "is_watched": ("find 5x6 --method merge -o steps.json", "--steps"),
        "is_open": ("find 5x6", "--open"),
        "start": ("find 5x6", "--from c3"),
        "finish": ("find 3x4 --open --from a1", "--to c3"),
        "symmetry": ("find 6x6", "--symmetry rot90"),
        "require": ("find 5x6 --forbid a1-b3", "--require a1-b3"),
        "forbid": ("find 5x6", "--forbid a1-b3"),
        "number": ("find 5x6", "--number e6=14"),
        "clues": ("find 3x4 --open", "--clues nowhere.txt"),
        "in_order": ("find 3x4 --open", "--in-order a1,a1"),
        "waypoints": ("find 3x4 --open", "--waypoints nowhere.txt"),
        "straight": ("find 3x4 --open", "--straight a1,zz9"),
        "turn": ("find 3x4 --open", "--turn a1,zz9"),
        "white_pearls": ("find 3x4 --open", "--white-pearls a1,zz9"),
        "black_pearls": ("find 3x4 --open", "--black-pearls a1,zz9"),
        "forbid_triples": ("find 3x4 --open", "--forbid-triples celtik"),
        "shape": ("find 3x4 --open", "--shape XX"),
        "paths": ("find 3x4 --open", "--paths zz9-zz8"),
        "cycles": ("find 3x4 --open", "--cycles 900"),
        "equal": ("find 3x4 --open", "--equal"),
        "optional": ("find 3x4 --open", "--optional zz9"),
        "visit": ("find 3x4 --open", "--visit zz9"),
        "sum_of_edges": ("find 3x4 --open", "--sum-of-edges a1=x"),
        "cells": ("find 3x4 --open", "--cells #"),
        "sums": ("find 5x6", "--sums rows=1"),
        "method": ("find 6x6", "--method random-greedy"),
        "settings": ("find 6x6 --method warnsdorff", "--set tie_break=random"),
        "heel": ("find 32x32 --method formation", "--heel crossings"),
        "cell_at": ("find 32x32", "--cell-at 7"),
        "index_of": ("find 32x32", "--index-of 1,2"),
        "minimize": ("find 6x6 --time-limit 0.1", "--minimize turns"),
        "maximize": ("find 6x6 --time-limit 0.1", "--maximize turns"),
    },
    "improve": {
        "minimize": ("improve tour.json --minimize turns --time-limit 1", "--minimize crossings"),
        "maximize": ("improve tour.json --minimize turns --time-limit 1", "--maximize crossings"),
        "board": ("improve tour.json --minimize turns --time-limit 1", "--board 5x6"),
        "leaper": ("improve tour.json --minimize turns --time-limit 1", "--leaper 1,3"),
        "form": ("improve tour.txt --minimize turns --time-limit 1", "--form indices"),
        "base": ("improve tour.txt --minimize turns --time-limit 1", "--base 0"),
        "is_open": ("improve tour.json --minimize turns --time-limit 1", "--open"),
        "start": ("improve tour.json --minimize turns --time-limit 1", "--from c3"),
        "finish": ("improve open.json --minimize turns --time-limit 1", "--to b2"),
        "symmetry": ("improve tour.json --minimize turns --time-limit 1", "--symmetry rot90"),
        "require": ("improve tour.json --minimize turns --time-limit 1 --forbid a1-b3", "--require a1-b3"),
        "forbid": ("improve tour.json --minimize turns --time-limit 1", "--forbid a1-b3 --forbid a1-c2"),
        "number": ("improve tour.json --minimize turns --time-limit 1", "--number a1=1"),
        "clues": ("improve tour.json --minimize turns --time-limit 1", "--clues nowhere.txt"),
        "in_order": ("improve tour.json --minimize turns --time-limit 1", "--in-order a1,a1"),
        "waypoints": ("improve tour.json --minimize turns --time-limit 1", "--waypoints nowhere.txt"),
        "straight": ("improve tour.json --minimize turns --time-limit 1", "--straight a1,zz9"),
        "turn": ("improve tour.json --minimize turns --time-limit 1", "--turn a1,zz9"),
        "white_pearls": ("improve tour.json --minimize turns --time-limit 1", "--white-pearls a1,zz9"),
        "black_pearls": ("improve tour.json --minimize turns --time-limit 1", "--black-pearls a1,zz9"),
        "forbid_triples": ("improve tour.json --minimize turns --time-limit 1", "--forbid-triples celtik"),
        "shape": ("improve tour.json --minimize turns --time-limit 1", "--shape XX"),
        "paths": ("improve tour.json --minimize turns --time-limit 1", "--paths zz9-zz8"),
        "cycles": ("improve tour.json --minimize turns --time-limit 1", "--cycles 900"),
        "equal": ("improve tour.json --minimize turns --time-limit 1", "--equal"),
        "optional": ("improve tour.json --minimize turns --time-limit 1", "--optional zz9"),
        "visit": ("improve tour.json --minimize turns --time-limit 1", "--visit zz9"),
        "sum_of_edges": ("improve tour.json --minimize turns --time-limit 1", "--sum-of-edges a1=x"),
        "cells": ("improve tour.json --minimize turns --time-limit 1", "--cells #"),
        "sums": ("improve tour.json --minimize turns --time-limit 1", "--sums rows=111"),
        "no_anneal": ("improve poor.json --minimize turns --no-best --time-limit 1 --seed 1", "--no-anneal"),
        "no_best": ("improve poor.json --minimize turns --time-limit 1", "--no-best"),
    },
    "best": {
        "leaper": ("best 6x6", "--leaper 1,4"),
        "cells": ("best 6x6", "--cells #"),
        "is_open": ("best 5x6", "--open"),
        "start": ("best 3x4 --open", "--from b2"),
        "finish": ("best 3x4 --open", "--to b2"),
        "symmetry": ("best 6x6", "--symmetry rot90"),
        "require": ("best 5x6 --forbid a1-b3", "--require a1-b3"),
        "forbid": ("best 5x6", "--forbid a1-b3"),
        "number": ("best 5x6", "--number a1=1"),
        "clues": ("best 5x6", "--clues nowhere.txt"),
        "in_order": ("best 5x6", "--in-order a1,a1"),
        "waypoints": ("best 5x6", "--waypoints nowhere.txt"),
        "straight": ("best 5x6", "--straight a1,zz9"),
        "turn": ("best 5x6", "--turn a1,zz9"),
        "white_pearls": ("best 5x6", "--white-pearls a1,zz9"),
        "black_pearls": ("best 5x6", "--black-pearls a1,zz9"),
        "forbid_triples": ("best 5x6", "--forbid-triples celtik"),
        "shape": ("best 5x6", "--shape XX"),
        "paths": ("best 5x6", "--paths zz9-zz8"),
        "cycles": ("best 5x6", "--cycles 900"),
        "equal": ("best 5x6", "--equal"),
        "optional": ("best 5x6", "--optional zz9"),
        "visit": ("best 5x6", "--visit zz9"),
        "sum_of_edges": ("best 5x6", "--sum-of-edges a1=x"),
        "sums": ("best 5x6", "--sums rows=93"),
        "minimize": ("best 5x6", "--minimize turns"),
    },
    "compare": {
        "minimize": ("compare --workers 1 5x6 --minimize turns --tries 1 --seconds 0", "--minimize crossings"),
        "leaper": ("compare --workers 1 6x6 --minimize turns --tries 1 --seconds 0.2 --proof 0", "--leaper 2,3"),
        "is_open": ("compare --workers 1 5x6 --minimize turns --tries 1 --seconds 0.2 --proof 0", "--open"),
        "tries": ("compare --workers 1 5x6 --minimize turns --seconds 0.2 --proof 0 --tries 1 --json", "--tries 2"),
        "seconds": ("compare --workers 1 5x6 --minimize turns --tries 1 --proof 0", "--seconds 0"),
        "proof": ("compare --workers 1 5x6 --minimize turns --tries 1 --seconds 0.2 --proof 0", "--proof 5"),
        "no_best": ("compare --workers 1 6x6 --minimize turns --tries 1 --seconds 0.2 --proof 0", "--no-best"),
    },
    "table": {
        "minimize": ("table 5x6", "--minimize turns"),
        "leaper": ("table 4x4", "--leaper 0,1"),
        "cells": ("table 4x4", "--cells #"),
        "is_open": ("table 4x5 --minimize turns", "--open"),
        "seconds": ("table 5x6 --minimize turns --no-best", "--seconds 0"),
        "no_best": ("table 5x6 --minimize turns --seconds 0 --json", "--no-best"),
    },
    "pareto": {
        "form": ("pareto three.edges --minimize weight,weight --json", "--form neighbours"),
        "leaper": ("pareto 3x4 --open", "--leaper 0,1"),
        "is_open": ("pareto 4x5", "--open"),
        "start": ("pareto 3x4 --open --json", "--from a1"),
        "finish": ("pareto 3x4 --open --from a1 --json", "--to c3"),
        "symmetry": ("pareto 3x4 --open", "--symmetry rot180"),
        "require": ("pareto 5x6", "--require c3-d5"),
        "forbid": ("pareto 3x4 --open", "--forbid a1-b3"),
        "number": ("pareto 3x4 --open", "--number a1=1"),
        "clues": ("pareto 3x4 --open", "--clues nowhere.txt"),
        "in_order": ("pareto 3x4 --open", "--in-order a1,a1"),
        "waypoints": ("pareto 3x4 --open", "--waypoints nowhere.txt"),
        "straight": ("pareto 3x4 --open", "--straight a1,zz9"),
        "turn": ("pareto 3x4 --open", "--turn a1,zz9"),
        "white_pearls": ("pareto 3x4 --open", "--white-pearls a1,zz9"),
        "black_pearls": ("pareto 3x4 --open", "--black-pearls a1,zz9"),
        "forbid_triples": ("pareto 3x4 --open", "--forbid-triples celtik"),
        "shape": ("pareto 3x4 --open", "--shape XX"),
        "paths": ("pareto 3x4 --open", "--paths zz9-zz8"),
        "cycles": ("pareto 3x4 --open", "--cycles 900"),
        "equal": ("pareto 3x4 --open", "--equal"),
        "optional": ("pareto 3x4 --open", "--optional zz9"),
        "visit": ("pareto 3x4 --open", "--visit zz9"),
        "sum_of_edges": ("pareto 3x4 --open", "--sum-of-edges a1=x"),
        "cells": ("pareto 3x4 --open", "--cells #"),
        "sums": ("pareto 3x4 --open", "--sums rows=26"),
        "at_most": ("pareto 3x4 --open", "--at-most turns=9"),
        "at_least": ("pareto 3x4 --open", "--at-least turns=11"),
        "minimize": ("pareto 3x4 --open", "--minimize turns,-crossings"),
    },
    "longest": {
        "form": ("longest three.edges --json", "--form neighbours"),
        "leaper": ("longest 4x4", "--leaper 0,1"),
        "cells": ("longest 4x4", "--cells #"),
        "is_open": ("longest 4x4", "--open"),
        "uncrossed": ("longest 4x4", "--uncrossed"),
    },
    "puzzle": {
        "leaper": ("puzzle 4x4 --open --leaper king", "--leaper wazir"),
        "is_open": ("puzzle 4x4 --leaper king", "--open"),
        "kind": ("puzzle 4x4 --open --leaper wazir", "--kind paths"),
        "clue_count": ("puzzle 4x4 --open --leaper king", "--clues 1"),
        "difficulty": ("puzzle 4x4 --open --leaper wazir --clues 1", "--difficulty hard"),
        "redundant": ("puzzle 4x4 --open --leaper wazir --clues 12", "--redundant"),
        "count": ("puzzle 4x4 --open --leaper wazir", "--count 2"),
        "title": ("puzzle 4x4 --open --leaper wazir -o out.json", "--title Mine"),
    },
    "magic": {
        "leaper": ("magic 4x4 --open", "--leaper 0,1"),
        "is_open": ("magic 3x4", "--open"),
        "start": ("magic 4x4 --open --leaper 0,1 --json", "--from z9"),
        "finish": ("magic 4x4 --open --leaper 0,1 --json", "--to z9"),
        "symmetry": ("magic 4x4 --open --leaper 0,1", "--symmetry rot180"),
        "require": ("magic 3x4 --open --json", "--require a1-b3"),
        "forbid": ("magic 3x4 --open --json", "--forbid a1-b3"),
        "number": ("magic 3x4 --open --json", "--number a1=1"),
        "clues": ("magic 3x4 --open --json", "--clues nowhere.txt"),
        "in_order": ("magic 3x4 --open --json", "--in-order a1,a1"),
        "waypoints": ("magic 3x4 --open --json", "--waypoints nowhere.txt"),
        "straight": ("magic 3x4 --open --json", "--straight a1,zz9"),
        "turn": ("magic 3x4 --open --json", "--turn a1,zz9"),
        "white_pearls": ("magic 3x4 --open --json", "--white-pearls a1,zz9"),
        "black_pearls": ("magic 3x4 --open --json", "--black-pearls a1,zz9"),
        "forbid_triples": ("magic 3x4 --open --json", "--forbid-triples celtik"),
        "shape": ("magic 3x4 --open --json", "--shape XX"),
        "paths": ("magic 3x4 --open --json", "--paths zz9-zz8"),
        "cycles": ("magic 3x4 --open --json", "--cycles 900"),
        "equal": ("magic 3x4 --open --json", "--equal"),
        "optional": ("magic 3x4 --open --json", "--optional zz9"),
        "visit": ("magic 3x4 --open --json", "--visit zz9"),
        "sum_of_edges": ("magic 3x4 --open --json", "--sum-of-edges a1=x"),
        "cells": ("magic 3x4 --open --json", "--cells #"),
        "form": ("magic three.edges --json", "--form graph6"),
        "directed": ("magic 3x4 --open --json", "--directed"),
        "missing": ("magic 3x4 --open --json", "--missing 0"),
        "sums": ("magic 3x4 --open --json", "--sums diagonals=3"),
        "diagonals": ("magic 4x4 --open --leaper 0,1 --json", "--diagonals"),
        "quartes": ("magic 4x4 --open --leaper 0,1 --json", "--quartes"),
        "halves": ("magic 4x4 --open --leaper 0,1 --json", "--halves"),
    },
    "bound": {
        "form": ("bound three.edges --minimize weight", "--form neighbours"),
        "no_best": ("bound 6x6 --minimize crossings", "--no-best"),
        "leaper": ("bound 6x6", "--leaper 1,4"),
        "is_open": ("bound 6x6", "--open"),
        "start": ("bound 3x4 --open", "--from a1"),
        "finish": ("bound 3x4 --open", "--to a1"),
        "symmetry": ("bound 6x6 --json", "--symmetry rot180"),
        "require": ("bound 5x6 --json", "--require a1-b3"),
        "forbid": ("bound 5x6", "--forbid a1-b3"),
        "number": ("bound 5x6", "--number a1=1"),
        "clues": ("bound 5x6", "--clues nowhere.txt"),
        "in_order": ("bound 5x6", "--in-order a1,a1"),
        "waypoints": ("bound 5x6", "--waypoints nowhere.txt"),
        "straight": ("bound 5x6", "--straight a1,zz9"),
        "turn": ("bound 5x6", "--turn a1,zz9"),
        "white_pearls": ("bound 5x6", "--white-pearls a1,zz9"),
        "black_pearls": ("bound 5x6", "--black-pearls a1,zz9"),
        "forbid_triples": ("bound 5x6", "--forbid-triples celtik"),
        "shape": ("bound 5x6", "--shape XX"),
        "paths": ("bound 5x6", "--paths zz9-zz8"),
        "cycles": ("bound 5x6", "--cycles 900"),
        "equal": ("bound 5x6", "--equal"),
        "optional": ("bound 5x6", "--optional zz9"),
        "visit": ("bound 5x6", "--visit zz9"),
        "sum_of_edges": ("bound 5x6", "--sum-of-edges a1=x"),
        "cells": ("bound 5x6", "--cells #"),
        "sums": ("bound 5x6", "--sums rows=93"),
        "minimize": ("bound 5x6", "--minimize crossings"),
        "method": ("bound 5x6", "--method regions"),
        "at_least": ("bound 5x6", "--at-least 3"),
        "small": ("bound 5x6", "--small"),
        "infeasible": ("bound 5x6", "--infeasible"),
        "no_proofs": ("bound 5x6", "--no-proofs"),
        "verbose": ("bound 12x12 --method family", "--verbose"),
        "program": ("bound 5x6 --at-least 3", "--solver /bin/nowhere"),
    },
    "enumerate": {
        "graph_time": ("enumerate list.g6 --at-least 1 --workers 1", "--graph-time 0"),
        "only": ("enumerate list.g6 --at-least 1 --workers 1", "--only yes"),
        "as_form": ("enumerate list.g6 --at-least 1 --workers 1 --only yes", "--as graph6"),
        "histogram": ("enumerate list.g6 --count --workers 1", "--histogram"),
        "wanted": ("enumerate 5x6 --at-least 2", "--at-least 9"),
        "form": ("enumerate three.edges --count --json", "--form neighbours"),
        "leaper": ("enumerate 5x6 --count", "--leaper 2,3"),
        "is_open": ("enumerate 3x4 --count", "--open"),
        "start": ("enumerate 3x4 --open --count", "--from a1"),
        "finish": ("enumerate 3x4 --open --count", "--to a1"),
        "symmetry": ("enumerate 5x6 --count", "--symmetry rot180"),
        "require": ("enumerate 5x6 --count", "--require c3-d5"),
        "forbid": ("enumerate 5x6 --count", "--forbid a1-b3"),
        "number": ("enumerate 5x6 --count", "--number a1=1"),
        "clues": ("enumerate 3x4 --open --count", "--clues nowhere.txt"),
        "in_order": ("enumerate 3x4 --open --count", "--in-order a1,a1"),
        "waypoints": ("enumerate 3x4 --open --count", "--waypoints nowhere.txt"),
        "straight": ("enumerate 3x4 --open --count", "--straight a1,zz9"),
        "turn": ("enumerate 3x4 --open --count", "--turn a1,zz9"),
        "white_pearls": ("enumerate 3x4 --open --count", "--white-pearls a1,zz9"),
        "black_pearls": ("enumerate 3x4 --open --count", "--black-pearls a1,zz9"),
        "forbid_triples": ("enumerate 3x4 --open --count", "--forbid-triples celtik"),
        "shape": ("enumerate 3x4 --open --count", "--shape XX"),
        "paths": ("enumerate 3x4 --open --count", "--paths zz9-zz8"),
        "cycles": ("enumerate 3x4 --open --count", "--cycles 900"),
        "equal": ("enumerate 3x4 --open --count", "--equal"),
        "optional": ("enumerate 3x4 --open --count", "--optional zz9"),
        "visit": ("enumerate 3x4 --open --count", "--visit zz9"),
        "sum_of_edges": ("enumerate 3x4 --open --count", "--sum-of-edges a1=x"),
        "cells": ("enumerate 3x4 --open --count", "--cells #"),
        "sums": ("enumerate 3x4 --open --count", "--sums rows=26"),
        "at_most": ("enumerate 5x6 --count", "--at-most turns=28"),
        "counting": ("enumerate 5x6", "--count"),
        "by": ("enumerate 5x6 --count", "--by turns"),
        "minimize": ("enumerate 5x6 --count", "--minimize turns"),
        "maximize": ("enumerate 5x6 --count", "--maximize turns"),
        "value": ("enumerate 5x6 --count --by turns", "--value 28"),
        "up_to_symmetry": ("enumerate 5x6 --count", "--up-to-symmetry"),
        "distinguish_moves": ("enumerate torus:3x3 --count", "--distinguish-moves"),
        "engine": ("enumerate 5x6 --count", "--engine search"),
        "program": ("enumerate 5x6 --count", "--solver /bin/nowhere"),
        "ahead": ("enumerate 6x6 --count", "--forecast"),
    },
    "aztec": {
        "verify": ("aztec 3", "--verify nowhere.json"),
        "sample": ("aztec 3", "--sample 2"),
        "lemmas": ("aztec 3", "--lemmas"),
    },
    "search corner": {
        "region": ("search corner --region 3x3 --lines -2,1", "--region 3x4"),
        "enter": ("search corner --region 3x4", "--enter a1:-2,1 --enter c1:2,1"),
        "leave": ("search corner --region 3x4", "--leave a1:-2,1 --leave c1:2,1"),
        "quartet": ("search corner --region 5x4", "--quartet a1:-2,1"),
        "lines": ("search corner --region 3x3", "--lines -2,1"),
        "sides": ("search corner --region 4x4 --lines -2,1", "--open top"),
        "through": ("search corner --region 3x4 --lines -2,1", "--through"),
        "one_cycle": ("search corner --region 4x4 --lines -2,1 --json", "--one-cycle"),
        "link": ("search corner --region 4x4 --lines -2,1 --one-cycle --json", "--link 1-2"),
        "matching": ("search corner --region 5x4 --quartet a1:-2,1 --json", "--matching H"),
    },
    "search heel": {
        "sweep": ("search heel --formation", "--sweep nonsense"),
        "line": ("search heel --formation", "--line 2,1"),
        "line_out": ("search heel --formation", "--line-out 2,1"),
        "steps": ("search heel --formation --json", "--steps 3"),
        "period": ("search heel --formation", "--period 8"),
        "matching": ("search heel", "--matching nonsense"),
        "any_pairing": ("search heel --json", "--any-pairing"),
        "drift": ("search heel --json", "--drift 0"),
        "formation": ("search heel --json", "--formation"),
    },
    "search junction": {
        "region": ("search junction --json", "--region 5x6"),
        "quartet": ("search junction --json", "--quartet a1:-2,1"),
        "line": ("search junction --json", "--line 1,-2"),
        "matching": ("search junction --json", "--matching H"),
    },
    "search strip": {
        "side": ("search strip --minimize turns", "--side left"),
        "direction": ("search strip --minimize turns", "--direction 2,1"),
        "period": ("search strip --minimize turns", "--period 6"),
        "depth": ("search strip --json", "--depth 5"),
    },
    "check": {
        "board": ("check tour.json", "--board 5x6"),
        "verbose": (f"check {SAMPLES}/family-turns-all-n.json", "--verbose"),
        "leaper": ("check tour.json", "--leaper 1,3"),
        "form": ("check tour.txt", "--form indices"),
        "base": ("check tour.txt", "--base 0"),
        "checker": ("check tour.json", "--with veripb"),
        "number": ("check tour.json", "--number a1=1"),
        "clues": ("check tour.json", "--clues nowhere.txt"),
        "in_order": ("check tour.json", "--in-order a1,a1"),
        "waypoints": ("check tour.json", "--waypoints nowhere.txt"),
        "straight": ("check tour.json", "--straight a1,zz9"),
        "turn": ("check tour.json", "--turn a1,zz9"),
        "white_pearls": ("check tour.json", "--white-pearls a1,zz9"),
        "black_pearls": ("check tour.json", "--black-pearls a1,zz9"),
        "forbid_triples": ("check tour.json", "--forbid-triples celtik"),
        "shape": ("check tour.json", "--shape XX"),
        "cells": ("check tour.json", "--cells #"),
        "sums": ("check tour.json", "--sums rows=111"),
    },
    "measure": {
        "board": ("measure tour.json", "--board 5x6"),
        "leaper": ("measure tour.json", "--leaper 1,3"),
        "cells": ("measure tour.json", "--cells #"),
        "form": ("measure tour.txt", "--form indices"),
        "base": ("measure tour.txt", "--base 0"),
    },
    "show": {
        "board": ("show tour.json", "--board 5x6"),
        "leaper": ("show tour.json", "--leaper 1,3"),
        "cells": ("show tour.json", "--cells #"),
        "form": ("show tour.txt", "--form indices"),
        "base": ("show tour.txt", "--base 0"),
    },
    "experiment closing": {
        "leaper": ("experiment closing 6x6 --tours 2", "--leaper 2,3 --time-limit 1"),
        "tours": ("experiment closing 6x6 --tours 2", "--tours 3"),
        "turns": ("experiment closing 6x6 --tours 5 --json", "--turns 1"),
    },
    "experiment lemmas": {},
    "experiment tour-types": {
        "leaper": ("experiment tour-types 3x4 --tours 3", "--leaper 0,1"),
        "tours": ("experiment tour-types 3x4 --tours 3", "--tours 4"),
        "tries": ("experiment tour-types 3x4 --tours 3 --json", "--tries 1"),
    },
    "experiment random-graphs": {
        "tables": (f"{RANDOM_GRAPHS} --graphs 1 --vertices 20 --table 1 --rows 8", "--table 3"),
        "rows": (f"{RANDOM_GRAPHS} --graphs 1 --vertices 20 --table 3 --rows 8", "--rows 10"),
        "vertices": (f"{RANDOM_GRAPHS} --graphs 1 --table 3 --rows 8 --vertices 20", "--vertices 30"),
        "graphs": (f"{RANDOM_GRAPHS} --vertices 20 --table 3 --rows 8 --graphs 1", "--graphs 2"),
        "pairs": (f"{RANDOM_GRAPHS} --graphs 1 --vertices 20 --table 3 --rows 8 --json", "--no-pairs"),
        "variant": (f"{RANDOM_GRAPHS} --graphs 1 --vertices 20 --table 3 --rows 8", "--variant nonsense"),
    },
    "draw": {
        "clues": ("draw 6x6 -o out.svg", "--clues nowhere.txt"),
        "waypoints": ("draw 6x6 -o out.svg", "--waypoints nowhere.txt"),
        "paths": ("draw 6x6 -o out.svg", "--paths a1-f6"),
        "board": ("draw tour.json -o out.svg", "--board 5x6"),
        "leaper": ("draw 6x6 -o out.svg", "--leaper nonsense"),
        "cells": ("draw 6x6 -o out.svg", "--cells #"),
        "form": ("draw tour.txt -o out.svg", "--form indices"),
        "base": ("draw tour.txt -o out.svg", "--base 0"),
        "numbers": ("draw tour.json -o out.svg", "--numbers"),
        "turns": ("draw tour.json -o out.svg", "--no-turns"),
        "crossings": ("draw tour.json -o out.svg", "--no-crossings"),
        "direction": ("draw tour.json -o out.svg", "--direction"),
        "moves": ("draw 6x6 -o out.svg", "--moves"),
        "degrees": ("draw 6x6 -o out.svg", "--degrees"),
        "colours": ("draw 6x6 -o out.svg", "--colours"),
        "theme": ("draw tour.json -o out.svg", "--theme print"),
        "title": ("draw tour.json -o out.svg", "--title Mine"),
        "caption": ("draw tour.json -o out.svg", "--caption Mine"),
        "size": ("draw tour.json -o out.svg", "--size 300"),
        "argument": ("draw tour.json -o out.svg", "--argument"),
        "strands": ("draw 32x32 -o out.svg", "--strands"),
        "bound": ("draw 32x32 -o out.svg", "--bound edge"),
        "seconds": ("draw tour.json -o out.svg", "--seconds 3"),
    },
    "convert": {
        "board": ("convert 5x6 out.hcp", "--board 6x6"),
        "leaper": ("convert 5x6 out.hcp", "--leaper 2,3"),
        "form": ("convert tour.txt out.json", "--form indices"),
        "base": ("convert tour.txt out.json", "--base 0"),
        "encoding": ("convert 4x5 out.cnf", "--encoding lfsr"),
        "stats": ("convert 4x5 out.cnf", "--stats"),
        "family": ("convert 4x5 out.cnf", "--family hardness"),
        "count": ("convert --family hardness -o x.dir", "--count 0"),
        "proof": ("convert none.txt out.json --model 4x5.cnf", "--proof nowhere.lrat"),
        "is_open": ("convert 4x5 out.cnf", "--open"),
        "start": ("convert 4x5 out.cnf --open", "--from a1"),
        "finish": ("convert 4x5 out.cnf --open", "--to a1"),
        "symmetry": ("convert 4x5 out.cnf", "--symmetry rot180"),
        "require": ("convert 4x5 out.cnf", "--require a1-b3"),
        "forbid": ("convert 4x5 out.cnf", "--forbid a1-b3"),
        "number": ("convert 4x5 out.cnf", "--number a1=1"),
        "clues": ("convert 4x5 out.cnf", "--clues nowhere.txt"),
        "in_order": ("convert 4x5 out.cnf", "--in-order a1,a1"),
        "waypoints": ("convert 4x5 out.cnf", "--waypoints nowhere.txt"),
        "straight": ("convert 4x5 out.cnf", "--straight a1,zz9"),
        "turn": ("convert 4x5 out.cnf", "--turn a1,zz9"),
        "white_pearls": ("convert 4x5 out.cnf", "--white-pearls a1,zz9"),
        "black_pearls": ("convert 4x5 out.cnf", "--black-pearls a1,zz9"),
        "forbid_triples": ("convert 4x5 out.cnf", "--forbid-triples celtik"),
        "shape": ("convert 4x5 out.cnf", "--shape XX"),
        "paths": ("convert 4x5 out.cnf", "--paths zz9-zz8"),
        "cycles": ("convert 4x5 out.cnf", "--cycles 900"),
        "equal": ("convert 4x5 out.cnf", "--equal"),
        "optional": ("convert 4x5 out.cnf", "--optional zz9"),
        "visit": ("convert 4x5 out.cnf", "--visit zz9"),
        "sum_of_edges": ("convert 4x5 out.cnf", "--sum-of-edges a1=x"),
        "cells": ("convert 4x5 out.cnf", "--cells #"),
        "sums": ("convert 4x5 out.cnf", "--sums rows=50"),
        "minimize": ("convert 4x5 out.opb", "--minimize turns"),
        "maximize": ("convert 4x5 out.opb", "--maximize turns"),
        "at_most": ("convert 4x5 out.opb", "--at-most turns=15"),
        "at_least": ("convert 4x5 out.opb", "--at-least turns=15"),
        "model": ("convert 4x5 out.json", "--model nowhere.opb"),
    },
}  # fmt: skip
"""By command and parameter: words without it, and words that give it."""
GADGETS: dict[str, tuple[Words, Words]] = {
    "leaper": ("", "--leaper 1,4"),
    "minimize": ("--json", "--minimize turns"),
    "at_most": ("--minimize turns --all --json", "--at-most 1"),
    "join": ("", "--join nonsense"),
    "every": ("--json", "--all"),
    "most": ("--all --json --max 2", "--max 1"),
    "pick": ("--all --max 3 --json", "--pick 2"),
}
SEARCHES = {
    "search corner": "search corner --region 3x4 --enter a1:-2,1 --leave c1:2,1",
    "search heel": "search heel",
    "search junction": "search junction --region 4x4",
    "search strip": "search strip --period 2 --depth 3",
}
for kind, base in SEARCHES.items():
    EFFECT[kind] |= {name: (f"{base} {words}", option) for name, (words, option) in GADGETS.items()}
for _rows in EFFECT.values():
    if "--form neighbours" in _rows.get("form", ()):  # Commands that read files of graphs
        _of_edges = _rows["form"][0]
        _rows["directed"] = (_of_edges, "--directed")
        _rows["missing"] = (_of_edges.replace("three.edges", "zeros.txt"), "--missing 0")
        _of_points = _of_edges.replace("three.edges", "points.xy").replace("weight,weight", "length,turns")
        _of_points = _of_points.replace("weight", "length")
        _rows["edges"] = (_of_points, "--edges within:1.1")
        _rows["positions"] = (_of_edges, "--positions nowhere.xy")
        _rows["precision"] = (_of_points, "--precision 0.3")
for _name, _words in (("edges", "within:1.1"), ("positions", "nowhere.xy"), ("precision", "0.3")):
    EFFECT["magic"][_name] = ("magic points.xy --json", f"--{_name} {_words}")
EFFECT["draw"]["edges"] = ("draw points.xy -o out.svg", "--edges within:1.1")
EFFECT["draw"]["positions"] = ("draw points.xy -o out.svg", "--positions nowhere.xy")
EFFECT["convert"]["directed"] = ("convert three.edges out.json", "--directed")
EFFECT["convert"]["missing"] = ("convert zeros.txt out.json", "--missing 0")
EFFECT["search heel"]["leaper"] = ("search heel --formation", "--leaper 1,4")

SLOW = ("search", "compare", "improve", "pareto", "experiment")
"""Commands whose options are tried with the slow tests."""

UNREAD = [
    ("solve k4.hcp", "--leaper 1,2"),
    ("enumerate 5x6 --count", "--from a1"),
    ("bound 6x6", "--from a1"),
    ("convert 5x6 out.cnf", "--from a1"),
    ("best 6x6", "--from a1"),
    ("find 6x6", "--set tries=3"),
    ("find 6x6 --method merge", "--set tries=3"),
    ("find 32x32 --cell-at 3", "--open"),
    ("find 32x32 --cell-at 3", "--minimize turns"),
    ("find 32x32 --index-of 1,2", "--statistics"),
    ("find 32x32 --index-of 1,2", "--steps"),
    ("find 32x32 --index-of 1,2", "--log log.jsonl"),
    ("enumerate k4.hcp", "--up-to-symmetry"),
    ("find 6x6 --method euler", "--heel turns"),
    ("improve tour.json --minimize turns", "--leaper 1,2"),
    ("measure tour.json", "--leaper 1,2"),
    ("show tour.json", "--leaper 1,2"),
    ("measure tour.json", "--form grid"),
    ("measure tour.json", "--base 1"),
    ("solve 6x6", "--format csv"),
    ("convert 6x6 out.hcp", "--format csv"),
    ("convert tour.json out.tour", "--leaper 1,2"),
    ("convert tour.json out.tour", "--encoding lfsr"),
    ("draw tour.json -o out.svg", "--leaper 1,2"),
    ("draw 6x6 -o out.svg", "--board 6x6"),
    ("draw 6x6 -o out.svg", "--numbers"),
    ("draw tour.json -o out.html", "--size 300"),
    ("draw tour.json -o out.html", "--theme print"),
    ("draw tour.json -o out.html", "--caption Mine"),
    ("draw tour.json -o out.gif", "--numbers"),
    ("draw tour.json -o gallery/", "--numbers"),
    ("draw tour.json -o gallery/", "--caption Mine"),
    ("draw tour.json tour.json -o out.svg", "--strands"),
    ("draw tour.json tour.json -o out.svg", "--bound edge"),
    ("draw 32x32 -o out.svg", "--strands --bound edge"),
    ("bound 6x6 --infeasible --run run", "--minimize turns"),
    ("bound --run run --resume", "--leaper 1,2"),
    ("bound 6x6 --method regions", "--small"),
    ("bound 6x6 --method regions", "--state state.json"),
    ("enumerate 6x6 --count --minimize turns", "--by turns"),
    ("enumerate 8x8 --count --forecast", "--run run"),
    ("aztec 3 --lemmas", "--radius-time 3"),
    ("search heel --formation", "--minimize turns"),
    ("search junction --quartet d5:2,-1", "--line 2,-1"),
    ("search corner --region 5x4 --enter a4:-2,1 --leave e4:2,1", "--open top"),
]
"""Commands that would not read an option: words without it, and words that give it."""


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command that is not a group, by its words."""
    context = click.Context(main)
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            for word, inner in command.commands.items():
                yield f"{name} {word}", inner
        else:
            yield name, command


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a good tour, a poor one, an open one, and graphs."""
    made = tmp_path_factory.mktemp("files")
    good = kt.find("6x6", "merge")
    good.save(made / "tour.json")
    good.save(made / "tour.txt")
    kt.find("10x10", "random-walk").save(made / "poor.json")
    kt.find("3x4", open=True).save(made / "open.json")
    (made / "k4.hcp").write_text(
        "DIMENSION: 4\nEDGE_DATA_FORMAT: EDGE_LIST\nEDGE_DATA_SECTION\n1 2\n2 3\n3 4\n4 1\n-1\n"
    )
    (made / "zeros.txt").write_text("0 2 3 0\n2 0 0 5\n3 0 0 4\n0 5 4 0\n")  # Distances, with 0 or without edges
    (made / "points.xy").write_text("0 0\n1 0\n1 1\n0 2\n")  # No cycle within 1.1
    (made / "list.g6").write_text("Bw\nBw\n")
    (made / "three.edges").write_text("1 2 3\n1 3 2\n2 3 1\n")  # A triangle with weights, or lists of neighbours
    return made


@pytest.fixture(autouse=True)
def folder(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where commands run: with copies of the files."""
    for path in files.iterdir():
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)


def answer(words: str) -> tuple[int, str]:
    """Exit status, and all that is printed and written, but for times."""
    for path in Path().glob("out.*"):
        path.unlink()
    done = CliRunner().invoke(main, words.split())
    written = "".join(path.read_text(errors="replace") for path in sorted(Path().glob("out.*")))
    text = re.sub(r"[0-9.]+ s\b|\"(\w*seconds|time)\": [0-9.]+", "", done.stdout + done.stderr)
    assert "internal error" not in text, text
    return done.exit_code, text + written


usual = cache(answer)
"""What a command without the option answers: several options are tried beside the same words."""


def with_option(words: str, option_words: str) -> str:
    """A command with one more option, in the place of the one that it has with the same name."""
    option = option_words.split()[0]
    return f"{re.sub(rf'{option} [^ ]+', '', words)} {option_words}"


def test_every_option_of_every_command_is_tried() -> None:
    for name, command in commands():
        options = {str(p.name) for p in command.params if isinstance(p, click.Option) and not p.hidden}
        assert options - EXEMPT - LISTINGS <= set(EFFECT.get(name, {})), name
        assert set(EFFECT.get(name, {})) <= options, name


@pytest.mark.parametrize(
    ("words", "option"),
    [
        pytest.param(*row, id=f"{name}-{option}", marks=[pytest.mark.slow] if name.startswith(SLOW) else [])
        for name, rows in EFFECT.items()
        for option, row in rows.items()
    ],
)
def test_an_option_changes_the_answer_or_is_refused(words: str, option: str) -> None:
    status, text = answer(with_option(words, option))
    if status == 2:
        assert text.startswith("kt: ") and text.count("\n") == 1, text
    else:
        assert (status, text) != usual(words), text


@pytest.mark.parametrize(("words", "option"), UNREAD, ids=map(" ".join, UNREAD))
def test_an_option_that_would_not_be_read_is_refused(words: str, option: str) -> None:
    status, text = answer(f"{words} {option}")
    assert status == 2 and text.startswith("kt: ") and text.count("\n") == 1, text


def test_rules_name_options_that_there_are() -> None:
    for name, command in commands():
        options = {str(parameter.name) for parameter in command.params}
        for rule in rules(command):
            assert set(rule.options) <= options, name


def test_what_is_given_twice_or_empty_is_refused() -> None:
    """click would take the last one, and a program would take an empty text for none."""
    for name, command in commands():
        for option in command.params:
            if not isinstance(option, click.Option) or option.is_flag or option.nargs != 1:
                continue
            word = option.opts[-1]
            if not option.multiple:
                status, text = answer(f"{name} {word}=1 {word}=1")
                assert status == 2 and f"{word} is given 2 times" in text, (name, word)
            status, text = answer(f"{name} {word}=")
            assert status == 2 and text.startswith("kt: "), (name, word)
    assert "the value is empty" in answer("enumerate 5x6 --run=")[1]


# -- Python ------------------------------------------------------------------------------------------------------------


def test_no_parameter_of_a_method_has_the_name_of_a_problems_argument() -> None:
    """A parameter of that name would take the value meant for the problem, such as the start of a tour."""
    for name, method in METHODS.items():
        assert not set(method.parameters) & (PROBLEM | LIMITS | {"board", "method", "on_progress"}), name
    tour = kt.find("8x8", "random-walk", open=True, start="a1", end="b1", seed=1).tour
    assert tour is not None and (tour[0], tour[-1]) == ((0, 0), (1, 0))


def test_count_and_tours_read_the_objective() -> None:
    assert kt.count("6x6", minimize="turns") == len(set(kt.tours("6x6", minimize="turns"))) == 18
    assert kt.count("6x6", by="turns", value=33) == kt.count("6x6", minimize="turns", value=33) == 344
    assert kt.count("6x6", minimize="turns", up_to_symmetry=True) == 3 and kt.count("4x4", minimize="turns") == 0
    assert kt.count(kt.problem("6x6", minimize="turns")) == 18
    data = json.loads(CliRunner().invoke(main, ["enumerate", "6x6", "--minimize", "turns", "--count", "--json"]).stdout)
    assert data["count"] == 18
    for asked in ({"by": "turns"}, {"by": "turns", "value": 33, "minimize": "turns"}, {"value": 33}):
        with pytest.raises(kt.KTError):
            kt.count("6x6", **asked)  # type: ignore[arg-type]


def test_a_closed_tour_is_written_from_its_start() -> None:
    """Where a tour is made; elsewhere a start of closed tours would mean nothing."""
    for result in (kt.solve("6x6", start="c3"), kt.find("6x6", start=(2, 2)), kt.solve("torus:5x6", start="c3")):
        assert result.tour is not None and result.tour[0] == (2, 2)
        kt.verify(result.tour)
    for function in (kt.problem, kt.bound, kt.count, kt.best):
        with pytest.raises(kt.KTError, match="no first cell"):
            function("6x6", start="c3")


def test_an_open_tour_is_written_towards_its_end() -> None:
    for end in ("a1", "b1"):
        made = [kt.solve("3x4", open=True, end=end).tour, kt.find("3x4", open=True, end=end).tour]
        for tour in (*made, *kt.tours("3x4", open=True, end=end)):
            assert tour is not None and cell_name(tour[-1]) == end
        assert {*kt.tours("3x4", open=True, end=end)} == {*kt.tours("3x4", open=True, start=end)}


def test_verify_reads_whether_a_tour_is_to_be_closed() -> None:
    closed, path = kt.solve("5x6"), kt.solve("3x4", open=True)
    assert closed.tour is not None and path.tour is not None
    path.tour.save("open.json", force=True)
    for form in (path.tour, path, "open.json"):
        assert kt.verify(form) == kt.verify(form, closed=False) == path.tour
        with pytest.raises(kt.InvalidTour, match="an open tour, not a closed tour"):
            kt.verify(form, closed=True)
    for form in (closed.tour, closed):
        assert kt.verify(form, closed=True) == closed.tour
        with pytest.raises(kt.InvalidTour, match="a closed tour, not an open tour"):
            kt.verify(form, closed=False)
    assert kt.verify(list(path.tour), "3x4") == path.tour
    with pytest.raises(kt.InvalidTour, match="so the tour is not closed"):
        kt.verify(list(path.tour), "3x4", closed=True)


def test_nothing_is_improved_without_an_objective() -> None:
    tour = kt.read("tour.json")
    for nothing in (None, kt.problem("6x6")):
        with pytest.raises(kt.KTError, match="objective"):
            kt.improve(tour, nothing, time_limit=1)  # type: ignore[arg-type]


def test_unknown_keywords_are_named() -> None:
    for call in (lambda: kt.graph("3x4", opn=True), lambda: kt.read("tour.json", edge=[])):  # type: ignore[call-arg]
        with pytest.raises(kt.KTError, match="unknown argument"):
            call()


def test_a_graph_has_the_moves_that_it_has() -> None:
    square = [("a", "b"), ("b", "c"), ("c", "a")]
    for board in (square, kt.graph("6x6"), kt.graph(square)):
        with pytest.raises(kt.KTError, match="leaper 1,4: the moves of"):
            kt.graph(board, leaper=(1, 4))
    assert kt.graph(kt.graph("6x6"), leaper="1,2").leaper == kt.KNIGHT
    with pytest.raises(kt.KTError, match="only the method"):
        certify_lower_bound(kt.problem("6x6", minimize="turns"), method="regions", small=True)


def test_engines_refuse_encodings_and_solvers_that_they_have_not() -> None:
    for name, engine in engines().items():
        others = {word for row in engines().values() for word in row.encodings()} - set(engine.encodings())
        for encoding in others:
            with pytest.raises(kt.KTError, match="encoding"):
                kt.solve("4x4", engine=name, encoding=encoding)
        if not engine.solvers:
            with pytest.raises(kt.KTError, match="solver"):
                kt.solve("4x4", engine=name, solver="glucose4")


def test_drawings_refuse_what_is_about_a_tour_where_there_is_none() -> None:
    for look in ({"numbers": True}, {"turns": False}, {"crossings": False}, {"direction": True}):
        with pytest.raises(kt.KTError, match="none to draw"):
            kt.draw("6x6", **look)


def test_files_refuse_what_they_do_not_read(tmp_path: Path) -> None:
    for name, look in (("a.html", {"size": 300}), ("a.html", {"theme": "dark"}), ("a.gif", {"numbers": True})):
        with pytest.raises(kt.KTError, match="no effect on a"):
            kt.draw("6x6", tmp_path / "new" / name, **look)
    with pytest.raises(kt.KTError, match="about an animation"):
        kt.draw("6x6", tmp_path / "new" / "a.svg", seconds=3)
