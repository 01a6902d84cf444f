#!/usr/bin/env bash
# Digraphs in dreadnaut's format, through dretog.
source "$(dirname "$0")/common"
install --no-deps 'passagemath-nauty==10.8.13'
guess "dretog writes digraph6 where the input says d, as its help has it: '-z Use digraph6 format (default for directed graphs)'."
behaviour 'Without -z it warns on stderr and writes graph6, in which one of three arcs is left, as an edge.'
printf 'n=3 d g 0:1;1:2;2:0.\n' >cycle.dre
digraph() { echo "dretog    $(dretog -q cycle.dre)"; echo "dretog -z $(dretog -qz cycle.dre)"; }
seen='dretog    BO
dretog -z &BP_'
compare digraph
