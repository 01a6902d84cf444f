"""The loop that cuts graph6, sparse6 and digraph6 into graphs, and makes bit sets of the small ones (McKay's formats).

It is stricter than it has to be: a line that it does not understand in full is left to the ordinary reader, which reads
it or says what is wrong with it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kt_models.files.graph_lists.block import (
    BEGIN,
    DIRECTED,
    END,
    INCREMENTAL,
    KIND,
    LINE,
    MAX_SMALL,
    ROW,
    SIZE,
    UNDIRECTED,
    UNREAD,
)
from kt_models.jit import kernel
from kt_models.kernel.sweeps.bits import bare_kernel

POSITION, LINES, PREVIOUS, USED = range(4)
"""Places of the state: the byte to go on with, the lines before it, the number of vertices of the graph before (or
`UNREAD`), and the rows used."""
_FEED, _RETURN, _SPACE, _LESS, _GREATER = 10, 13, 32, 60, 62
_FIRST, _LAST = 63, 126
"""The first and last character of the alphabet."""
_COLON, _AMPERSAND, _SEMICOLON = 58, 38, 59
_G, _S, _D = 103, 115, 100


@bare_kernel
def _set(rows: Any, place: int, vertex: int) -> None:
    rows[place] |= np.uint64(1) << np.uint64(vertex)


@bare_kernel
def _flip(rows: Any, place: int, vertex: int) -> None:
    rows[place] ^= np.uint64(1) << np.uint64(vertex)


@bare_kernel
def _triangle(data: Any, at: int, n: int, rows: Any, row: int) -> bool:
    """Read the upper triangle of a graph's matrix, column by column; return whether the last bits are zeros."""
    k = 6
    word = 0
    for j in range(1, n):
        for i in range(j):
            if k == 6:
                k = 0
                word = int(data[at]) - 63
                at += 1
            if (word >> (5 - k)) & 1:
                _set(rows, row + j, i)
                _set(rows, row + i, j)
            k += 1
    return (word & ((1 << (6 - k)) - 1)) == 0


@bare_kernel
def _square(data: Any, at: int, n: int, rows: Any, row: int) -> bool:
    """Read a directed graph's matrix, row by row; return whether the last bits are zeros."""
    k = 6
    word = 0
    for i in range(n):
        for j in range(n):
            if k == 6:
                k = 0
                word = int(data[at]) - 63
                at += 1
            if (word >> (5 - k)) & 1 and i != j:
                _set(rows, row + i, j)
            k += 1
    return (word & ((1 << (6 - k)) - 1)) == 0


@bare_kernel
def _pairs(data: Any, at: int, end: int, n: int, rows: Any, row: int, incremental: bool) -> bool:
    """Read the units of sparse6; return whether all are right, and what fills the last character too.

    A unit is a bit that moves on to the next vertex, and a vertex that is joined or gone to. In an incremental line the
    pairs are those that change.
    """
    width = 1
    while (1 << width) < n:
        width += 1
    bits = 6 * (end - at)
    bit = 0
    vertex = 0
    while bit + width + 1 <= bits:
        unit = 0
        filler = True
        for place in range(bit, bit + width + 1):
            value = (int(data[at + place // 6]) - 63) >> (5 - place % 6) & 1
            unit = 2 * unit + value
            if place > bit and value == 0:
                filler = False
        step = unit >> width
        tail = unit & ((1 << width) - 1)
        if vertex + step >= n or tail >= n:  # What fills the last character
            if not filler or bits - bit > 6:
                return False
            for place in range(bit + width + 1, bits):
                if ((int(data[at + place // 6]) - 63) >> (5 - place % 6) & 1) == 0:
                    return False
            return True
        vertex += step
        if tail > vertex:
            vertex = tail
        elif tail < vertex and incremental:
            _flip(rows, row + vertex, tail)
            _flip(rows, row + tail, vertex)
        elif tail < vertex:
            _set(rows, row + vertex, tail)
            _set(rows, row + tail, vertex)
        bit += width + 1
    return True


@bare_kernel
def _after_header(data: Any, at: int, end: int) -> int:
    """The byte after a header such as `>>graph6<<`; `at` if there is none."""
    if end - at < 10 or data[at] != _GREATER or data[at + 1] != _GREATER:
        return at
    for place in range(at + 2, min(end - 1, at + 13)):
        if data[place] == _LESS and data[place + 1] == _LESS:
            # The digit 6 stands before the end, and the first letter says which form it is
            return place + 2 if data[place - 1] == 54 and data[at + 2] in (_G, _S, _D) else at
    return at


@kernel("int64(uint8[::1], int64[::1], uint64[::1], uint64[::1], int64[:, ::1])")
def cut_codes(data: Any, state: Any, previous: Any, rows: Any, records: Any) -> int:
    """Cut lines into graphs, as far as rows and records last.

    Parameters
    ----------
    data
        Whole lines of the list.
    state
        Shape (4,): see `POSITION`; it is brought up to date.
    previous
        Sets of neighbours of the graph before, shape (64,), which an incremental line needs.
    rows, records
        As of a `GraphBlock`; they are filled.

    Returns
    -------
    int
        How many records were filled.
    """
    size = len(data)
    count = 0
    row = 0
    at = state[POSITION]
    while count < len(records) and row + MAX_SMALL <= len(rows):
        end = at
        while end < size and data[end] != _FEED and data[end] != _RETURN:
            end += 1
        if at >= size:
            break
        begin, stop = at, end
        at = end + 1
        if at < size and data[end] == _RETURN and data[at] == _FEED:
            at += 1
        state[LINES] += 1
        while begin < stop and (data[begin] == _SPACE or 9 <= data[begin] <= 12):
            begin += 1
        while begin < stop and (data[stop - 1] == _SPACE or 9 <= data[stop - 1] <= 12):
            stop -= 1
        first = _after_header(data, begin, stop)
        if first == stop:
            continue  # An empty line, or a header
        kind = UNDIRECTED
        n = UNREAD
        place = first
        mark = data[first]
        if mark in (_COLON, _AMPERSAND):
            place += 1
        # What the header announces, the line has to have
        letter = _S if mark in (_COLON, _SEMICOLON) else _D if mark == _AMPERSAND else _G
        fits = first == begin or data[begin + 2] == letter
        for byte in range(first + 1, stop):
            if data[byte] < _FIRST or data[byte] > _LAST:
                fits = False
        if mark == _AMPERSAND:
            kind = DIRECTED
        if mark == _SEMICOLON:
            kind = INCREMENTAL
            n = state[PREVIOUS] if fits else UNREAD
            place += 1
        elif fits and place < stop and _FIRST <= data[place] < _LAST:
            n = int(data[place]) - 63
            place += 1
        elif fits and place + 4 <= stop and data[place] == _LAST and data[place + 1] < _LAST:
            n = ((int(data[place + 1]) - 63) << 12) + ((int(data[place + 2]) - 63) << 6) + int(data[place + 3]) - 63
            place += 4
        if n == 0 or n > MAX_SMALL:
            n = UNREAD
        if n > 0:
            for v in range(n):
                rows[row + v] = previous[v] if kind == INCREMENTAL else np.uint64(0)
            if mark in (_COLON, _SEMICOLON):
                right = _pairs(data, place, stop, n, rows, row, kind == INCREMENTAL)
            elif mark == _AMPERSAND:
                right = stop - place == (n * n + 5) // 6 and _square(data, place, n, rows, row)
            else:
                right = stop - place == (n * (n - 1) // 2 + 5) // 6 and _triangle(data, place, n, rows, row)
            if not right:
                n = UNREAD
        if kind != DIRECTED:
            state[PREVIOUS] = n
            for v in range(n):
                previous[v] = rows[row + v]
        records[count, BEGIN] = begin
        records[count, END] = stop
        records[count, LINE] = state[LINES]
        records[count, SIZE] = n
        records[count, ROW] = row
        records[count, KIND] = kind
        row += max(n, 0)
        count += 1
    state[POSITION] = at
    state[USED] = row
    return count
