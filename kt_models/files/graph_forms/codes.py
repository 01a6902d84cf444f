"""graph6, sparse6 and digraph6: one graph per line, in printable characters of six bits each (McKay).

networkx reads the first two. It does not know digraph6, trusts the size that a line claims, and stops silently at
damaged sparse6. So this module reads the bits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from kt_models.directed import DirectedGraph
from kt_models.errors import KTError, TooLarge
from kt_models.files.graph_forms.form import Piece, only_piece
from kt_models.graph import MAX_EDGES, MAX_PLACES, MoveGraph
from kt_models.storage import lines_of

_HEADER = re.compile(r">>(?:(graph6|sparse6|digraph6)|(planar_code|edge_code|multi_code)[^<]*)<<")
_LINE = re.compile(r"[:&]?[?-~]+")
FIRST_CODE, LONG_SIZE_CODE = 63, 126
"""Character of six zero bits, and the character before a size that needs more bits."""


def is_code(line: str) -> bool:
    """Whether a line is a graph in one of these forms, as far as its length tells."""
    code = _HEADER.sub("", line.strip())
    if not _LINE.fullmatch(code):
        return False
    try:
        n, bits = _size_and_bits(code.lstrip(":&"))
    except KTError:
        return False
    return code[0] == ":" or len(bits) // 6 == _sextets_needed(n, directed=code[0] == "&")


def are_codes(text: str) -> bool:
    """Whether the first lines of a text are graphs in these forms."""
    first = [line for line in lines_of(text[:100_000]) if line.strip()][:3]
    if len(text) > 100_000 and len(first) < 3:  # The line is longer than what is looked at
        return bool(first) and bool(_LINE.fullmatch(_HEADER.sub("", first[0].strip())))
    return bool(first) and all(is_code(line) or _HEADER.fullmatch(line.strip()) for line in first)


def code_lines(lines: Iterable[str]) -> Iterator[Piece]:
    """One graph per line, with or without a header."""
    count = 0
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text or (count == 0 and _HEADER.fullmatch(text)):
            continue
        count += 1
        yield Piece(count, number, text)


def read_code(text: str, name: str) -> MoveGraph:
    """The graph of a line, whose first character determines the form; vertices count from 0.

    Raises
    ------
    KTError
        If a character is not in the alphabet, or the length does not fit the number of vertices.
    """
    code = only_piece(code_lines(lines_of(text))).text
    header = _HEADER.match(code)
    if header and header[2]:
        raise KTError(f"{header[2]} is not read")
    code = _HEADER.sub("", code)
    if code.startswith(";"):
        raise KTError("it is incremental sparse6, whose graph depends on the line before")
    if not _LINE.fullmatch(code):
        odd = next((mark for mark in code.lstrip(":&") if not "?" <= mark <= "~"), "")
        raise KTError(f"{odd!a} is not a character of graph6" if odd else "a line of graph6 is empty")
    kind = {":": "sparse6", "&": "digraph6"}.get(code[0], "graph6")
    if header and header[1] != kind:
        raise KTError(f"its header says {header[1]}, and its first character {kind}")
    n, bits = _size_and_bits(code.lstrip(":&"))
    if code[0] == ":":
        return MoveGraph.from_edges(n, _sparse_edges(n, bits), name)
    directed = code[0] == "&"
    rows = n * n if directed else n * (n - 1) // 2
    if len(bits) // 6 != _sextets_needed(n, directed=directed):
        needed = _sextets_needed(n, directed=directed)
        raise KTError(f"{n:,} vertices take {needed:,} characters after their number, and {len(bits) // 6:,} are there")
    if bits[rows:].any():
        raise KTError("its last character has bits beyond the last pair of vertices")
    places = np.flatnonzero(bits[:rows])
    if directed:
        return DirectedGraph.from_arcs(n, np.stack(np.divmod(places, max(n, 1)), axis=1), name).split()
    columns = np.arange(n, dtype=np.int64)
    before = columns * (columns - 1) // 2  # Pairs whose greater vertex is below
    greater = np.searchsorted(before, places, side="right") - 1
    return MoveGraph.from_edges(n, np.stack([places - before[greater], greater], axis=1), name)


def changed_edges(code: str, n: int) -> npt.NDArray[np.int64]:
    """The pairs that a line of incremental sparse6 changes in the graph before it, which has n vertices."""
    if not _LINE.fullmatch(f":{code[1:]}") and len(code) > 1:
        raise KTError("a character of it is not one of sparse6")
    values = np.frombuffer(code[1:].encode("ascii"), dtype=np.uint8) - FIRST_CODE
    return _sparse_edges(n, np.unpackbits(values[:, None], axis=1)[:, 2:].reshape(-1))


def code_of_bit_sets(rows: npt.NDArray[np.uint64], *, directed: bool) -> str:
    """A graph of at most 64 vertices, given by the sets of neighbours, as a line of sparse6 or digraph6."""
    n = len(rows)
    bits = np.unpackbits(rows.astype("<u8").view(np.uint8).reshape(n, 8), axis=1, bitorder="little")[:, :n]
    if directed:
        return f"&{code_of(n, bits.reshape(-1).astype(np.bool_))}"
    return sparse6_of(n, np.argwhere(np.triu(bits)).astype(np.int64))


def _sextets_needed(n: int, *, directed: bool) -> int:
    return ((n * n if directed else n * (n - 1) // 2) + 5) // 6


def _size_and_bits(code: str) -> tuple[int, npt.NDArray[np.uint8]]:
    """Number of vertices that a code claims, and the bits behind it."""
    values = np.frombuffer(code.encode("ascii"), dtype=np.uint8) - FIRST_CODE
    # graph6 writes the number of vertices in one, three or six characters, the longer ones after one or two '~'
    if not len(values):
        raise KTError("it has no number of vertices")
    width = (
        1
        if values[0] < LONG_SIZE_CODE - FIRST_CODE
        else 3
        if not (values[1:2] == LONG_SIZE_CODE - FIRST_CODE).any()
        else 6
    )
    start = 0 if width == 1 else 1 if width == 3 else 2
    digits = values[start : start + width].tolist()
    if len(digits) < width:
        raise KTError("it ends within the number of its vertices")
    n = sum(digit << 6 * (width - 1 - place) for place, digit in enumerate(digits))
    if n > MAX_EDGES:
        raise TooLarge(f"it claims {n:,} vertices, over the limit of {MAX_EDGES:,}")
    rest = values[start + width :]
    if len(rest) * 6 > MAX_PLACES:
        raise TooLarge(
            f"it has {len(rest) * 6:,} pairs of vertices, over the limit of {MAX_PLACES:,}; sparse6 is shorter"
        )
    # A character holds six bits, so the two upper bits of each byte are dropped
    return n, np.unpackbits(rest[:, None], axis=1)[:, 2:].reshape(-1)


def _sparse_edges(n: int, bits: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """The edges of sparse6: units of a bit that moves on to the next vertex, and a vertex that is joined or gone to."""
    width = max(1, (n - 1).bit_length()) + 1
    units = bits[: len(bits) // width * width].reshape(-1, width)
    others = units[:, 1:].astype(np.int64) @ (1 << np.arange(width - 2, -1, -1, dtype=np.int64))
    edges: list[tuple[int, int]] = []
    vertex = 0
    for unit, (step, tail) in enumerate(zip(units[:, 0].tolist(), others.tolist(), strict=True)):
        vertex += step
        if vertex >= n or tail >= n:
            if not bits[unit * width + 1 :].all() or len(bits) - unit * width > 6:  # What fills the last character
                raise KTError(f"it names vertex {max(vertex, tail):,} of {n:,}, from 0: a character is wrong")
            break
        if tail > vertex:
            vertex = tail
        else:
            edges.append((tail, vertex))
    return np.array(edges, dtype=np.int64).reshape(-1, 2)


# -- out ---------------------------------------------------------------------------------------------------------------


def code_of(n: int, bits: npt.NDArray[np.bool_]) -> str:
    """A number of vertices and bits, six per character, padded with zeros."""
    width = 1 if n <= 62 else 3 if n < 1 << 18 else 6
    size = [n >> 6 * place & 63 for place in reversed(range(width))]
    padded = np.zeros((len(bits) + 5) // 6 * 6, dtype=np.int64)
    padded[: len(bits)] = bits
    sextets = padded.reshape(-1, 6) @ [32, 16, 8, 4, 2, 1]
    head = [LONG_SIZE_CODE - FIRST_CODE] * {1: 0, 3: 1, 6: 2}[width] + size
    return bytes((np.concatenate([head, sextets]) + FIRST_CODE).astype(np.uint8)).decode("ascii")


def sparse6_of(n: int, ends: npt.NDArray[np.int64]) -> str:
    """A graph as a line of sparse6, parallel edges among them.

    networkx writes the same, and takes minutes for some hundred thousand edges.
    """
    ends = np.sort(ends, axis=1)
    # sparse6 lists edges by their greater vertex
    ends = ends[np.lexsort((ends[:, 0], ends[:, 1]))]
    others, vertices = ends.T
    steps = np.diff(vertices, prepend=0)
    width = max(1, (n - 1).bit_length())
    first = np.cumsum(1 + (steps > 1)) - 1  # The unit that has the other end; the one before it goes to the vertex
    units = np.zeros(int(first[-1]) + 1 if len(first) else 0, dtype=np.int64)
    units[first] = others + np.where(steps == 1, 1 << width, 0)
    far = steps > 1
    units[first[far] - 1] = vertices[far] + (1 << width)
    bits = (units[:, None] >> np.arange(width, -1, -1) & 1).reshape(-1)
    missing = -len(bits) % 6
    filling = np.ones(missing, dtype=np.int64)
    last = int(vertices[-1]) if len(vertices) else 0
    if width < 6 and n == 1 << width and missing >= width and last < n - 1:  # Ones might be a loop
        filling[0] = 0
    return f":{code_of(n, np.concatenate([bits, filling]).astype(np.bool_))}"


def digraph6_of(graph: DirectedGraph) -> str:
    """A directed graph as a line of digraph6."""
    bits = np.zeros(graph.n * graph.n, dtype=np.bool_)
    bits[graph.arcs.astype(np.int64) @ [graph.n, 1]] = True
    return f"&{code_of(graph.n, bits)}"
