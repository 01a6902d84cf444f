"""Lists of graphs as streams: blocks say what the ordinary readers say, however the bytes arrive."""

from __future__ import annotations

import bz2
import gzip
import itertools
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_models.directed import SplitGraph
from kt_models.errors import KTError
from kt_models.files.graph_forms.codes import read_code
from kt_models.files.graph_forms.several import graph_list
from kt_models.files.graph_lists.block import DIRECTED, KIND, LINE, SIZE, UNREAD, GraphBlock, regrouped
from kt_models.files.graph_lists.codes import code_blocks
from tests.small_graphs import digraph6, graph6

Graph = tuple[int, bool, frozenset[tuple[int, int]]]
"""Vertices, whether it is directed, and its arcs or edges."""


def rows_of(block: GraphBlock) -> Iterator[Graph | None]:
    """The graphs of a block by its bit sets, one bit after the other; None for those that have none."""
    for row, record in enumerate(block.records):
        n, directed = int(record[SIZE]), bool(record[KIND] == DIRECTED)
        if n == UNREAD:
            yield None
            continue
        near = [int(word) for word in block.neighbours(row)]
        pairs = [(u, v) for u in range(n) for v in range(n) if near[u] >> v & 1]
        if not directed:
            assert all((v, u) in set(pairs) for u, v in pairs)
        yield n, directed, frozenset(pair for pair in pairs if directed or pair[0] < pair[1])


def read(line: str) -> Graph | None:
    """The graph of a line by the ordinary reader; None if it is damaged or large."""
    try:
        graph = read_code(line, "graph")
    except KTError:
        return None
    if isinstance(graph, SplitGraph):
        n, arcs = graph.directed.n, graph.directed.arcs.tolist()
        return (n, True, frozenset(map(tuple, arcs))) if n <= 64 else None
    return (graph.n, False, frozenset((u, v) for u, v in graph.ends.tolist())) if graph.n <= 64 else None


def graphs_of(data: bytes, cuts: list[int] | None = None) -> list[Graph | None]:
    places = [0, *sorted(cuts or []), len(data)]
    chunks = [data[begin:end] for begin, end in itertools.pairwise(places)]
    return [graph for block in code_blocks(chunks) for graph in rows_of(block)]


def sparse6(network: nx.Graph) -> str:
    return nx.to_sparse6_bytes(network, header=False).decode().strip()


networks = st.builds(nx.gnp_random_graph, st.integers(1, 66), st.floats(0, 1), st.integers(0, 99))
directed = st.builds(
    lambda n, p, seed: digraph6(n, frozenset(nx.gnp_random_graph(n, p, seed, directed=True).edges)),
    st.integers(1, 66).filter(lambda n: n < 63), st.floats(0, 1), st.integers(0, 99),
)  # fmt: skip
damaged = st.builds(
    lambda line, place, letter: line[: place % len(line)] + letter + line[place % len(line) + 1 :],
    st.one_of(networks.map(graph6), networks.map(sparse6), directed),
    st.integers(0, 999),
    st.sampled_from("?@A_~:;& \x7f}>"),
)
lines = st.one_of(networks.map(graph6), networks.map(sparse6), directed, damaged, st.text("?~@:;&\x7f", max_size=6))


@given(st.lists(lines, max_size=6), st.sampled_from(["\n", "\r\n", "\r"]), st.lists(st.integers(0, 400), max_size=5))
def test_blocks_agree_with_the_ordinary_reader(codes: list[str], feed: str, cuts: list[int]) -> None:
    """Whatever the compiled loop accepts, the ordinary reader reads as the same graph, and the other way round."""
    codes = [code for code in codes if ";" not in code[:1] and code.strip()]
    data = "".join(code + feed for code in codes).encode("latin-1", "replace")
    assert graphs_of(data, [cut % (len(data) + 1) for cut in cuts]) == [read(code) for code in codes]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 7, 8, 16, 17, 31, 32, 33, 62, 63, 64])
def test_every_form_at_the_sizes_where_lengths_change(n: int) -> None:
    network = nx.gnp_random_graph(n, 0.5, n)
    edges = frozenset((min(edge), max(edge)) for edge in network.edges)
    assert graphs_of(f"{graph6(network)}\n{sparse6(network)}".encode()) == [(n, False, edges)] * 2


def test_lines_are_counted_and_empty_ones_and_headers_are_no_graphs() -> None:
    (block,) = code_blocks(
        [b"\xef\xbb\xbf>>graph6<<\n\nBw\r\n \t\n>>graph6<<C~\n>>sparse6<<:Cdv\n  Bw  \n>>graph6<<:Cdv\n"]
    )
    assert block.records[:, LINE].tolist() == [3, 5, 6, 7, 8]
    assert block.records[:, SIZE].tolist() == [3, 4, 4, 3, UNREAD]  # The last one contradicts its header
    assert [block.piece(row).text for row in (1, 4)] == [">>graph6<<C~", ">>graph6<<:Cdv"]


def incremental(before: nx.Graph, after: nx.Graph) -> str:
    """A line of incremental sparse6: what sparse6 has behind its size, of the pairs that differ."""
    changed = nx.symmetric_difference(before, after)
    return ";" + sparse6(changed)[1 + (1 if len(after) < 63 else 4) :]


@pytest.mark.parametrize("n", [2, 9, 33, 64, 70])
def test_incremental_lines_change_the_graph_before(n: int) -> None:
    """Large graphs, which have no bit sets, get a piece of their own."""
    graphs = [nx.gnp_random_graph(n, 0.3, seed) for seed in range(5)]
    text = [sparse6(graphs[0])] + [incremental(before, after) for before, after in itertools.pairwise(graphs)]
    text.insert(3, digraph6(2, frozenset({(0, 1)})))  # A directed graph between them is no graph before
    (block,) = code_blocks([("\n".join(text) + "\n").encode()])
    pieces = [read_code(block.piece(row).text, "graph") for row in range(6) if row != 3]
    assert [set(map(tuple, piece.ends.tolist())) for piece in pieces] == [
        {(min(edge), max(edge)) for edge in graph.edges} for graph in graphs
    ]
    if n <= 64:
        assert [graph and graph[2] for graph in rows_of(block)][5] == {(min(e), max(e)) for e in graphs[4].edges}


def test_an_incremental_line_without_a_graph_before_is_a_fault() -> None:
    blocks = list(code_blocks([b";@\nBw\n;^^^~\n;@\n~?A?\n;@\n"]))
    faults = [block.piece(row).fault for block in blocks for row in range(len(block)) if block.records[row, SIZE] < 0]
    assert all("no graph before it" in fault for fault in faults[:1]) and all(faults[row] for row in (0, 1, 2))


def test_many_blocks_have_numbers_without_gaps() -> None:
    data = b"Bw\n" * 20_000
    blocks = list(code_blocks([data[:10_001], data[10_001:]]))
    assert len(blocks) > 2 and sum(map(len, blocks)) == 20_000
    numbers = np.concatenate([block.first + np.arange(len(block)) for block in blocks])
    assert numbers.tolist() == list(range(1, 20_001))
    assert np.concatenate([block.records[:, LINE] for block in blocks]).tolist() == numbers.tolist()


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz"])
@pytest.mark.parametrize("form", ["graph6", "planar_code", "letters", "lists"])
def test_positions_of_graphs_grow_to_the_size_of_the_file(form: str, suffix: str, tmp_path: Path) -> None:
    """As far as a bar needs them: those of compressed files are rough, but the last one is the size."""
    text, name = {
        "graph6": ("Bw\nC~\n" * 500, "a.g6"),
        "planar_code": (">>planar_code<<" + "\3\2\3\0\1\3\0\1\2\0" * 500, "a.plc"),
        "letters": ("3 bc,ac,ab\n" * 500, "a.plantri"),
        "lists": ("1: 2 3\n2: 1 3\n3: 1 2\n\n" * 500, "a.lst"),
    }[form]
    pack: dict[str, Callable[[bytes], bytes]]
    pack = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
    packed = pack[suffix](text.encode())
    path = tmp_path / (name + suffix)
    path.write_bytes(packed)
    graphs = graph_list(str(path))
    assert graphs is not None
    positions = [block.position(row) for block in graphs.blocks for row in range(len(block))]
    assert positions == sorted(positions) and len(positions) in (500, 1000)
    assert graphs.size == len(packed) and len(packed) - 1 <= positions[-1] <= len(packed)
    joined = [block.position(-1) for block in regrouped(_again(path), 7)]
    assert joined == positions[6::7] + positions[-1:] * (len(positions) % 7 > 0)


def _again(path: Path) -> Iterator[GraphBlock]:
    graphs = graph_list(str(path))
    assert graphs is not None
    return graphs.blocks
