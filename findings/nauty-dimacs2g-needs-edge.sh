#!/usr/bin/env bash
# DIMACS files whose first line says col, through dimacs2g.
source "$(dirname "$0")/common"
install --no-deps 'passagemath-nauty==10.8.13'
guess "dimacs2g reads 'p col 3 2', as many collections write it, like 'p edge 3 2'."
behaviour "It knows 'p edge' only, stops at 'p col' with the error 'Bad p line', and writes sparse6 with parallel edges for an edge that is named twice."
colouring() {
  for word in edge col; do
    printf 'p %s 3 3\ne 1 2\ne 2 1\ne 2 3\n' "$word" >graph.col
    printf '%s: %s\n' "$word" "$(dimacs2g graph.col 2>&1 || true)"
  done
}
seen='edge: :B_n
col: Bad p line
>E Dimacs error in file graph.col'
compare colouring
