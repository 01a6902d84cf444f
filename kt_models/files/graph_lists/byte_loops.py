"""Loops that cut binary lists into graphs: planar_code, multi_code, edge_code and GENREG's short codes.

None of these forms marks where a graph begins, so a list is lost after a damaged graph.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kt_models.files.graph_lists.block import (
    BEGIN,
    END,
    KIND,
    LINE,
    MAX_SMALL,
    ROW,
    SIZE,
    UNDIRECTED,
    UNDIRECTED_LITTLE,
    UNREAD,
)
from kt_models.jit import kernel
from kt_models.kernel.sweeps.bits import bare_kernel

POSITION, OFFSET, ORDER, USED, FAULT, VERTICES = range(6)
"""Places of the state: the byte to go on with, the bytes of the list before these, the order of bytes of long numbers,
the rows used, whether the graph at the position is damaged, and the number of vertices of the graph that was read."""
EITHER, LITTLE, BIG = range(3)
"""Orders of bytes. Either one may follow a header that does not say: then the one that makes a graph is right, and the
big-endian one, which nauty writes, if both do."""
INCOMPLETE, DAMAGED = -1, -2
_GREATER, _LESS, _SPACE = 62, 60, 32
_L = 108


@bare_kernel
def _number(data: Any, at: int, wide: bool, little: bool) -> int:
    if not wide:
        return int(data[at])
    return int(data[at]) + 256 * int(data[at + 1]) if little else 256 * int(data[at]) + int(data[at + 1])


@bare_kernel
def _join(rows: Any, row: int, u: int, v: int) -> None:
    if u != v:
        rows[row + u] |= np.uint64(1) << np.uint64(v)


@bare_kernel
def _lists(data: Any, begin: int, rows: Any, row: int, state: Any, little: bool, above: bool) -> int:
    """Read a number of vertices and lists of neighbours that end with 0; return where they end, or why they do not.

    Parameters
    ----------
    above
        Whether the lists name neighbours of greater number only (multi_code), so that the last one is left out.
        Otherwise each edge is named from both ends (planar_code).
    """
    size = len(data)
    at = begin
    if at >= size:
        return INCOMPLETE
    wide = data[at] == 0
    step = 2 if wide else 1
    at += 1 if wide else 0
    if at + step > size:
        return INCOMPLETE
    n = _number(data, at, wide, little)
    at += step
    if n == 0:
        return DAMAGED
    small = n <= MAX_SMALL
    if small:
        for v in range(n):
            rows[row + v] = np.uint64(0)
    ends = 0
    for u in range(n - 1 if above else n):
        while True:
            if at + step > size:
                return INCOMPLETE
            v = _number(data, at, wide, little)
            at += step
            if v == 0:
                break
            if v > n or (above and v <= u + 1):
                return DAMAGED
            ends += 1
            if small:
                _join(rows, row, u, v - 1)
                if above:
                    _join(rows, row, v - 1, u)
    if not above and ends % 2:
        return DAMAGED
    if small and not above:
        for u in range(n):
            for v in range(n):
                if (rows[row + u] >> np.uint64(v)) & np.uint64(1) and not (rows[row + v] >> np.uint64(u)) & np.uint64(
                    1
                ):
                    return DAMAGED
    state[VERTICES] = n
    return at


@bare_kernel
def _either(data: Any, begin: int, rows: Any, row: int, state: Any, above: bool) -> int:
    """Read a graph in the order of bytes of the list, or in the one that makes a graph."""
    if state[ORDER] != EITHER or begin >= len(data) or data[begin] != 0:
        return _lists(data, begin, rows, row, state, state[ORDER] == LITTLE, above)
    end = _lists(data, begin, rows, row, state, False, above)
    if end >= 0:
        state[ORDER] = BIG
        return end
    other = _lists(data, begin, rows, row, state, True, above)
    if other >= 0:
        state[ORDER] = LITTLE
    return max(end, other)


@bare_kernel
def _header(data: Any, at: int, state: Any) -> int:
    """The byte after a header such as `>>planar_code le<<`; `at` if none is there, INCOMPLETE if it may go on.

    No graph begins in this way: 62 vertices, of which the first one has the neighbours 62 and another one above 62.
    """
    size = len(data)
    if at < size and data[at] != _GREATER:
        return at
    for place in range(at, min(size, at + 3)):
        if (place < at + 2) != (data[place] == _GREATER) or (place == at + 2 and data[place] < 97):
            return at
    order = EITHER
    place = at + 3
    while place + 1 < size and not (data[place] == _LESS and data[place + 1] == _LESS):
        if data[place] == _SPACE:
            order = LITTLE if data[place + 1] == _L else BIG
        place += 1
        if place > at + 24:
            return at
    if place + 1 >= size:
        return INCOMPLETE
    state[ORDER] = order
    return place + 2


@bare_kernel
def _edges(data: Any, begin: int, rows: Any, row: int, state: Any, firsts: Any) -> int:
    """Read the numbers of the edges round each vertex, separated by 255 (edge_code); see `_lists`.

    Long numbers of edges, of which a graph has 255 or more, are left to the ordinary reader.
    """
    size = len(data)
    at = begin
    if at >= size:
        return INCOMPLETE
    length = int(data[at])
    at += 1
    width = 1
    if length == 0:
        if at >= size:
            return INCOMPLETE
        digits, width = int(data[at]) >> 4, int(data[at]) & 15
        at += 1
        if digits == 0 or digits > 4 or width == 0 or width > 4:
            return DAMAGED
        if at + digits > size:
            return INCOMPLETE
        for place in range(digits):
            length = 256 * length + int(data[at + place])
        at += digits
    if width > 1:
        # As many numbers and separators as fill the length; a separator has one byte
        items = length // width
        n = 1
        while items:
            if at >= size:
                return INCOMPLETE
            if data[at] == 255:
                n += 1
                at += 1
            else:
                at += width
            items -= 1
        state[VERTICES] = n
        return at if at <= size else INCOMPLETE
    if at + length > size:
        return INCOMPLETE
    n = 1
    for place in range(at, at + length):
        if data[place] == 255:
            n += 1
    state[VERTICES] = n
    if n > MAX_SMALL:
        return at + length
    for v in range(n):
        rows[row + v] = np.uint64(0)
    for edge in range(256):
        firsts[edge] = -1
    v = 0
    waiting = 0
    for place in range(at, at + length):
        edge = int(data[place])
        if edge == 255:
            v += 1
        elif firsts[edge] == -1:
            firsts[edge] = v
            waiting += 1
        elif firsts[edge] == -2:
            return DAMAGED
        else:
            _join(rows, row, v, firsts[edge])
            _join(rows, row, firsts[edge], v)
            firsts[edge] = -2
            waiting -= 1
    return at + length if not waiting else DAMAGED


PLANAR, MULTI, EDGES = range(3)


@kernel("int64(uint8[::1], int64[::1], int64, uint64[::1], int64[:, ::1])")
def cut_bytes(data: Any, state: Any, form: int, rows: Any, records: Any) -> int:
    """Cut bytes into graphs, as far as bytes, rows and records last; return how many records were filled.

    Parameters
    ----------
    data
        Bytes of the list.
    state
        Shape (6,): see `POSITION`; it is brought up to date.
    form
        `PLANAR`, `MULTI` or `EDGES`.
    rows, records
        As of a `GraphBlock`; they are filled.
    """
    firsts = np.empty(256, dtype=np.int64)
    count = 0
    row = 0
    at = state[POSITION]
    while count < len(records) and row + MAX_SMALL <= len(rows):
        begin = _header(data, at, state)
        if begin < 0:
            break
        if form == EDGES:
            end = _edges(data, begin, rows, row, state, firsts)
        else:
            end = _either(data, begin, rows, row, state, form == MULTI)
        if end < 0:
            at = begin
            state[FAULT] = end == DAMAGED
            break
        n = state[VERTICES]
        records[count, BEGIN] = begin
        records[count, END] = end
        records[count, LINE] = state[OFFSET] + begin + 1
        records[count, SIZE] = n if n <= MAX_SMALL else UNREAD
        records[count, ROW] = row
        records[count, KIND] = UNDIRECTED_LITTLE if state[ORDER] == LITTLE else UNDIRECTED
        row += n if n <= MAX_SMALL else 0
        count += 1
        at = end
    state[POSITION] = at
    state[USED] = row
    return count


@kernel("int64(uint8[::1], int64[::1], int64, int64, uint8[::1], uint64[::1], int64[:, ::1])")
def cut_short_codes(data: Any, state: Any, n: int, degree: int, code: Any, rows: Any, records: Any) -> int:
    """Cut GENREG's short codes into graphs: see `cut_bytes`.

    A graph says how many entries it shares with the one before, and then the others. The entries are the neighbours of
    greater number of vertex 1, of vertex 2, ..., which go on until the vertex has its degree.

    Parameters
    ----------
    n, degree
        Number of vertices, and the degree of each; `n` is at most 64.
    code
        The entries of the graph before, shape (n * degree / 2,).
    """
    degrees = np.empty(n, dtype=np.int64)
    count = 0
    row = 0
    at = state[POSITION]
    while count < len(records) and row + n <= len(rows) and at < len(data):
        shared = int(data[at])
        if shared >= len(code) or (shared and state[VERTICES] == 0):
            state[FAULT] = 1
            break
        end = at + 1 + len(code) - shared
        if end > len(data):
            break
        for place in range(shared, len(code)):
            code[place] = data[at + 1 + place - shared]
        for v in range(n):
            rows[row + v] = np.uint64(0)
            degrees[v] = 0
        u = 0
        right = True
        for place in range(len(code)):
            while u < n and degrees[u] == degree:
                u += 1
            v = int(code[place]) - 1
            if u >= n or v <= u or v >= n or degrees[v] == degree:
                right = False
                break
            if (rows[row + u] >> np.uint64(v)) & np.uint64(1):
                right = False
                break
            _join(rows, row, u, v)
            _join(rows, row, v, u)
            degrees[u] += 1
            degrees[v] += 1
        if not right:
            state[FAULT] = 1
            break
        state[VERTICES] = n
        records[count, BEGIN] = at
        records[count, END] = end
        records[count, LINE] = state[OFFSET] + at + 1
        records[count, SIZE] = n
        records[count, ROW] = row
        records[count, KIND] = UNDIRECTED
        row += n
        count += 1
        at = end
    state[POSITION] = at
    state[USED] = row
    return count


_A, _COMMA, _NINE, _ZERO = 97, 44, 57, 48


@kernel("int64(uint8[::1], int64[::1], uint64[::1], int64[:, ::1])")
def cut_letters(data: Any, state: Any, rows: Any, records: Any) -> int:
    """Cut lines such as `4 bcd,adc,abd,acb` (plantri -a) into graphs: see `cut_bytes`.

    `OFFSET` counts the lines before; a line that is damaged or of a large graph has no rows.
    """
    size = len(data)
    count = 0
    row = 0
    at = state[POSITION]
    while count < len(records) and row + MAX_SMALL <= len(rows) and at < size:
        begin = at
        end = at
        while end < size and data[end] != 10:
            end += 1
        at = end + 1
        state[OFFSET] += 1
        while end > begin and (data[end - 1] == 13 or data[end - 1] == _SPACE):
            end -= 1
        if begin == end:
            continue
        place = begin
        n = 0
        while place < end and _ZERO <= data[place] <= _NINE and n <= MAX_SMALL:
            n = 10 * n + int(data[place]) - _ZERO
            place += 1
        right = 0 < n <= MAX_SMALL and place < end and data[place] == _SPACE
        place += 1
        if right:
            for v in range(n):
                rows[row + v] = np.uint64(0)
            u = 0
            while place < end and right:
                if data[place] == _COMMA:
                    u += 1
                    right = u < n
                else:
                    v = int(data[place]) - _A
                    right = 0 <= v < n
                    if right:
                        _join(rows, row, u, v)
                place += 1
            right = right and u == n - 1
            for u in range(n if right else 0):
                for v in range(n):
                    bit = (rows[row + u] >> np.uint64(v)) & np.uint64(1)
                    if bit != (rows[row + v] >> np.uint64(u)) & np.uint64(1):
                        right = False
        records[count, BEGIN] = begin
        records[count, END] = end
        records[count, LINE] = state[OFFSET]
        records[count, SIZE] = n if right else UNREAD
        records[count, ROW] = row
        records[count, KIND] = UNDIRECTED
        row += n if right else 0
        count += 1
    state[POSITION] = at
    state[USED] = row
    return count
