"""What generators write, as bytes: planar_code, multi_code, edge_code, short codes, letters; compressed or damaged."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import networkx as nx
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import kt
from cli.main import main
from kt_models.errors import KTError
from kt_models.files.graph_forms.form import Piece
from kt_models.files.graph_forms.several import graph_list
from kt_models.files.graph_lists.bytes import stream_blocks
from kt_models.files.graph_lists.compressed import decompressed
from tests.command import answered

Edges = list[tuple[int, int]]


def numbered(network: nx.Graph) -> nx.Graph:
    return nx.convert_node_labels_to_integers(network)


def number(value: int, wide: bool, order: str) -> bytes:
    return value.to_bytes(2 if wide else 1, order)  # type: ignore[arg-type]


def planar(network: nx.Graph, order: str = "big", above: bool = False) -> bytes:
    """A graph in planar_code; with `above` in multi_code."""
    n = len(network)
    wide = n > 255
    out = (b"\0" if wide else b"") + number(n, wide, order)
    for u in range(n - above):
        near = [v for v in network[u] if not above or v > u]
        out += b"".join(number(v + 1, wide, order) for v in near) + number(0, wide, order)
    return out


def multi(network: nx.Graph, order: str = "big") -> bytes:
    return planar(network, order, above=True)


def edge_code(network: nx.Graph) -> bytes:
    """A graph in edge_code: numbers of one byte up to 254 edges, of two bytes above."""
    numbers = {frozenset(edge): place for place, edge in enumerate(network.edges)}
    wide = len(numbers) > 254
    width = 2 if wide else 1
    stars = [[numbers[frozenset((u, v))] for v in network[u]] for u in range(len(network))]
    body = b"\xff".join(b"".join(edge.to_bytes(width, "big") for edge in star) for star in stars)
    length = (2 * len(numbers) + len(network) - 1) * width
    if length < 256 and not wide:
        return bytes([length]) + body
    return bytes([0, 2 << 4 | width]) + length.to_bytes(2, "big") + body


def letters(network: nx.Graph) -> bytes:
    rows = (bytes(97 + v for v in network[u]) for u in range(len(network)))
    return f"{len(network)} ".encode() + b",".join(rows) + b"\n"


FORMS: dict[str, tuple[str, bytes, Callable[[nx.Graph], bytes]]] = {
    "planar_code": ("planar_code", b">>planar_code<<", planar),
    "planar_code, little": ("planar_code", b">>planar_code le<<", lambda network: planar(network, "little")),
    "planar_code, big": ("planar_code", b">>planar_code be<<", planar),
    "planar_code, little, unsaid": ("planar_code", b">>planar_code<<", lambda network: planar(network, "little")),
    "planar_code, no header": ("planar_code", b"", planar),
    "multi_code": ("multi_code", b">>multi_code<<", multi),
    "multi_code, little": ("multi_code", b">>multi_code le<<", lambda network: multi(network, "little")),
    "edge_code": ("edge_code", b">>edge_code<<", edge_code),
    "letters": ("letters", b"", letters),
}


def graphs_of(data: bytes, form: str, cuts: list[int] | None = None, name: str = "list") -> list[tuple[int, set]]:
    """The number of vertices and the edges of each graph, by its piece and by its bit sets."""
    places = [0, *sorted(cuts or []), len(data)]
    found = []
    for block in stream_blocks([data[begin:end] for begin, end in pairwise(places)], form, name):
        for row in range(len(block)):
            piece = block.piece(row)
            assert not piece.fault and piece.number == len(found) + 1
            near = [line.split(":") for line in piece.text.split("\n")]
            label = {name: vertex for vertex, (name, _) in enumerate(near)}
            edges = {frozenset((label[u], label[v])) for u, others in near for v in others.split()}
            if block.records[row, 3] > 0:
                sets = [int(word) for word in block.neighbours(row)]
                assert edges == {frozenset((u, v)) for u in range(len(sets)) for v in range(64) if sets[u] >> v & 1}
            found.append((len(near), edges))
    return found


def expected(networks: list[nx.Graph]) -> list[tuple[int, set]]:
    return [(len(network), {frozenset(edge) for edge in network.edges}) for network in networks]


graphs = st.builds(nx.gnp_random_graph, st.integers(2, 12), st.floats(0, 1), st.integers(0, 99))


@pytest.mark.parametrize("name", FORMS)
@given(st.lists(graphs, min_size=1, max_size=4), st.lists(st.integers(0, 999), max_size=4))
def test_bytes_are_read_however_they_arrive(name: str, networks: list[nx.Graph], cuts: list[int]) -> None:
    form, header, write = FORMS[name]
    data = header + b"".join(map(write, networks))
    assert graphs_of(data, form, [cut % (len(data) + 1) for cut in cuts]) == expected(networks)


@pytest.mark.parametrize("name", [name for name in FORMS if name != "letters"])
@pytest.mark.parametrize("n", [62, 63, 64, 65, 200, 255, 256, 257, 300, 511])
def test_large_graphs_beside_small_ones(name: str, n: int) -> None:
    """From 256 vertices on, numbers have two bytes; from 65 on there are no bit sets; 62 is how a header begins."""
    form, header, write = FORMS[name]
    networks = [nx.cycle_graph(n), nx.complete_graph(5), nx.path_graph(n), nx.empty_graph(1)]
    if form == "edge_code":
        networks.pop()  # A body without bytes would have the length 0, which means something else
    assert graphs_of(header + b"".join(map(write, networks)), form) == expected(networks)


def test_letters_go_beyond_the_alphabet() -> None:
    networks = [nx.cycle_graph(64), nx.complete_graph(33)]
    assert graphs_of(b"".join(map(letters, networks)), "letters") == expected(networks)


def test_headers_may_stand_between_graphs() -> None:
    """As in files that were joined by `cat`; each one may say another order."""
    ring = nx.cycle_graph(300)
    data = b">>planar_code le<<" + planar(ring, "little") + b">>planar_code be<<" + planar(ring) + b">>planar_code<<"
    assert graphs_of(data, "planar_code") == expected([ring, ring])


def test_files_of_plantri_and_nauty_are_read() -> None:
    """The bytes of plantri 5.5: `plantri 4`, `plantri -E 6`, `plantri -a 5`; and of planarg -p for 300 in a cycle."""
    tetrahedron = bytes.fromhex("3e3e706c616e61725f636f64653c3c04020304000104030001020400010302 00")
    assert graphs_of(tetrahedron, "planar_code") == expected([nx.complete_graph(4)])
    edges = bytes.fromhex("3e3e656467655f636f64653c3c1d00010203 04ff00050607ff040805ff03090a0608ff0a0b0107ff0b0902")
    ((n, pairs),) = graphs_of(edges, "edge_code")
    assert n == 6 and len(pairs) == 12
    ((n, pairs),) = graphs_of(b"5 bcde,aedc,abd,acbe,adb\n", "letters")
    assert n == 5 and len(pairs) == 9
    begins = bytes.fromhex("3e3e706c616e61725f636f64653c3c00012c0002012c0000")
    assert (b">>planar_code<<" + planar(nx.cycle_graph(300))).startswith(begins)


def short_codes(networks: list[nx.Graph], degree: int) -> bytes:
    """GENREG's codes: how many entries are those of the graph before, then the others."""
    out, before = b"", b""
    for network in networks:
        code = bytes(v + 1 for u in range(len(network)) for v in sorted(network[u]) if v > u)
        shared = next((place for place, pair in enumerate(zip(before, code, strict=False)) if pair[0] != pair[1]), 0)
        out += bytes([shared]) + code[shared:]
        before = code
    return out


@given(st.lists(st.integers(0, 50), min_size=1, max_size=4), st.lists(st.integers(0, 99), max_size=4))
def test_short_codes_share_their_beginnings(seeds: list[int], cuts: list[int]) -> None:
    networks = [numbered(nx.random_regular_graph(3, 8, seed)) for seed in dict.fromkeys(seeds)]
    data = short_codes(networks, 3)
    assert graphs_of(data, "scd", [cut % (len(data) + 1) for cut in cuts], "08_3_3.scd") == expected(networks)
    with pytest.raises(KTError, match="rename"):
        graphs_of(data, "scd")


def pieces_of(data: bytes, form: str) -> tuple[list[Piece], str]:
    """The pieces of a list, and why it ends too early."""
    found: list[Piece] = []
    try:
        for block in stream_blocks([data], form, "list"):
            found += [block.piece(row) for row in range(len(block))]
    except KTError as error:
        return found, str(error)
    return found, ""


@pytest.mark.parametrize("name", FORMS)
def test_a_damaged_list_is_answered_as_far_as_it_can_be_read(name: str) -> None:
    """Any byte may be wrong, and the list may end anywhere: what is before is read, and the end is never silent."""
    form, header, write = FORMS[name]
    networks = [nx.complete_graph(4), nx.cycle_graph(5), nx.complete_graph(4)]
    records = [write(network) for network in networks]
    data = header + b"".join(records)
    first = len(header) + len(records[0])
    for place in range(first, len(data)):
        for wrong in (0, 1, 6, 200, 255):
            found, why = pieces_of(data[:place] + bytes([wrong]) + data[place + 1 :], form)
            assert found and not found[0].fault and (not why or "byte" in why)
        found, why = pieces_of(data[:place], form)
        whole = place in (first, first + len(records[1]))
        if form == "letters":
            assert not found[0].fault and (whole or data[place] == 10 or any(piece.fault for piece in found))
        else:
            assert whole == (not why) and len(found) == 1 + (place >= first + len(records[1]))


PACK: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


@pytest.mark.parametrize("name", PACK)
@given(st.lists(st.binary(max_size=50), min_size=1, max_size=3), st.lists(st.integers(0, 999), max_size=4))
def test_compressed_streams_are_unpacked(name: str, parts: list[bytes], cuts: list[int]) -> None:
    """Streams have several parts, in chunks of any length; of a cut one the beginning comes, then an error."""
    packed = b"".join(map(PACK[name], parts))
    places = [0, *sorted(cut % (len(packed) + 1) for cut in cuts), len(packed)]
    assert b"".join(decompressed([packed[begin:end] for begin, end in pairwise(places)])) == b"".join(parts)
    begun, cut_off = [], decompressed([packed[:-3]])
    with pytest.raises(KTError, match=r"too early|damaged"):
        begun.extend(cut_off)
    assert b"".join(parts).startswith(b"".join(begun))


@pytest.mark.parametrize("name", PACK)
def test_a_short_file_that_holds_a_long_list_is_unpacked_little_by_little(name: str) -> None:
    pieces = list(decompressed([PACK[name](bytes(5_000_000))]))
    assert sum(map(len, pieces)) == 5_000_000 and max(map(len, pieces)) <= 1 << 18


def test_uncompressed_data_stay_as_they_are() -> None:
    for data in (b"", b"B", b"BZ", b"Bw\nC~\n", b"\x1f"):
        assert b"".join(decompressed([data])) == data
    assert b"".join(decompressed([b"B", b"w\n", b"C~\n"])) == b"Bw\nC~\n"


def test_files_by_name_and_by_content(tmp_path: Path) -> None:
    """One graph is a full answer, several are a list; a truncated list has its answers, one line, and status 2."""
    first, second = planar(nx.complete_graph(4)), planar(nx.path_graph(3))
    (tmp_path / "k4.planar_code").write_bytes(b">>planar_code<<" + first)
    (tmp_path / "list").write_bytes(gzip.compress(b">>planar_code<<" + first + second))
    (tmp_path / "bare.pc").write_bytes(first + second)
    (tmp_path / "cut.pc").write_bytes(first + second[:-1])
    (tmp_path / "list.g6.xz").write_bytes(lzma.compress(b"Bw\nC?\n"))
    (tmp_path / "one.g6.gz").write_bytes(gzip.compress(b"Bw\n"))
    (tmp_path / "two.lst.gz").write_bytes(gzip.compress(b"1: 2 3\n2: 1 3\n3: 1 2\n\n1: 2\n2: 1\n"))
    code, out, _ = answered("solve", tmp_path / "k4.planar_code")
    assert code == 0 and "feasible" in out and "4 vertices" in out
    assert kt.graph(str(tmp_path / "k4.planar_code")).m == 6 and kt.graph(str(tmp_path / "one.g6.gz")).m == 3
    for name, statuses in {
        "list": ["feasible", "infeasible"],
        "bare.pc": ["feasible", "infeasible"],
        "list.g6.xz": ["feasible", "infeasible"],
        "two.lst.gz": ["feasible", "infeasible"],
    }.items():
        code, out, _ = answered("solve", tmp_path / name)
        assert code == 0 and [line.split()[1] for line in out.splitlines()] == statuses, name
    code, out, err = answered("solve", tmp_path / "cut.pc")
    assert code == 2 and [line.split()[1] for line in out.splitlines()] == ["feasible"]
    assert err.splitlines()[-1] == "kt: cut.pc: it ends within graph 2, which begins at byte 18"
    assert [graph.n for graph in kt.graphs(tmp_path / "bare.pc")] == [4, 3]
    assert graph_list(str(tmp_path / "missing.pc")) is None


def test_lines_of_binary_lists_say_bytes_and_are_called_from_1(tmp_path: Path) -> None:
    (tmp_path / "list.pc").write_bytes(planar(nx.complete_graph(3)) + planar(nx.complete_graph(4)))
    _, out, _ = answered("solve", tmp_path / "list.pc", "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert [(row["number"], row["byte"], row["labels"]) for row in rows] == [(1, 1, [1, 2, 3]), (2, 11, [1, 2, 3, 4])]
    _, out, _ = answered("solve", tmp_path / "list.pc", "--only", "feasible", "--as", "graph6")
    assert out == "Bw\nC~\n"


@pytest.mark.parametrize("n", [9, 10, 13, 26, 32])
def test_bytes_that_are_line_ends_elsewhere_are_numbers_here(n: int, tmp_path: Path) -> None:
    """Ten vertices are a line feed, 13 a carriage return: on standard input, in a list, and in a file of one graph."""
    ring, header = planar(nx.cycle_graph(n)), b">>planar_code<<"
    (tmp_path / "one").write_bytes(header + ring)
    assert kt.graph(str(tmp_path / "one")).n == n
    (tmp_path / "two").write_bytes(header + ring + ring)
    assert [graph.n for graph in kt.graphs(tmp_path / "two")] == [n, n]
    result = CliRunner().invoke(main, ["solve", "-"], input=header + ring + ring)
    assert [line.split()[1] for line in result.stdout.splitlines()] == [
        "feasible",
        "feasible",
    ] and result.exit_code == 0
