"""Files with several graphs, read one graph after the other, whatever their length.

A damaged graph has a number and a fault instead of a graph, and the others are still read.
"""

from __future__ import annotations

import itertools
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from kt_models.arguments import require_path, require_text
from kt_models.errors import KTError, about, reason_of
from kt_models.files.graph_forms.codes import are_codes, is_code
from kt_models.files.graph_forms.form import NO_CHOICES, FormChoices, Piece, read_piece
from kt_models.files.graph_forms.table import GRAPH_FORMS, form_named, likely_forms
from kt_models.files.graph_forms.text import read_graph_bytes
from kt_models.files.graph_lists.block import GraphBlock
from kt_models.files.graph_lists.bytes import BYTE_FORMS, LETTERS, STREAM_FORMS, stream_blocks, stream_form
from kt_models.files.graph_lists.codes import code_blocks, whole_lines
from kt_models.files.graph_lists.compressed import decompressed
from kt_models.files.graph_lists.pieces import piece_blocks
from kt_models.files.graphs import read_graph
from kt_models.files.suffixes import GRAPH_SUFFIXES, graph_suffix
from kt_models.graph import MoveGraph
from kt_models.storage import (
    CHUNK_BYTES,
    STANDARD,
    chunks_of_standard_input,
    lines_of,
    standard_input_begins,
    with_line_feeds,
)

CODES = ("graph6", "sparse6", "digraph6")
"""Forms with one graph per line."""
HEAD_BYTES = 200_000
"""Bytes at the beginning of a file that determine its form."""


@dataclass(frozen=True)
class GraphList:
    """A file with several graphs.

    Parameters
    ----------
    name
        Path of the file.
    form
        The name of the form in `GRAPH_FORMS`.
    blocks
        The graphs, some at a time, as they are read.
    size
        How many bytes the file has, if that is known.
    """

    name: str
    form: str
    blocks: Iterator[GraphBlock]
    size: int | None = None

    @property
    def pieces(self) -> Iterator[Piece]:
        """The graphs one by one, for `graph_of_piece` to read."""
        return (block.piece(row) for block in self.blocks for row in range(len(block)))


def graph_of_piece(piece: Piece, form: str, name: str) -> MoveGraph:
    """One graph of a list, named by the file's name and its number.

    Raises
    ------
    KTError
        If the file is damaged.
    """
    with about(f"{name} ({piece.number})"):
        if piece.fault:
            raise KTError(piece.fault)
        return read_piece(piece, GRAPH_FORMS[form], name)


def graph_list(path: str, choices: FormChoices = NO_CHOICES) -> GraphList | None:
    """Graphs of a file with more than one; `None` if it is missing or has to be read as a whole.

    Files may be compressed. Standard input is read as it arrives, if it begins like a list of graphs; it is one then,
    even with one graph.
    """
    if path == STANDARD:
        return _of_standard_input(choices)
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode):
            return None
        with open(path, "rb") as stream:
            raw = stream.read(HEAD_BYTES)
    except (OSError, ValueError):
        return None
    named = _form_of(_unpacked_head(raw), graph_suffix(path), choices)
    if named is None:
        return None
    name = os.path.basename(path)
    counted = _Counted(_chunks_of_file(path))
    blocks = counted.placed(_blocks(decompressed(counted), named, name, choices))
    graphs = _list_of(name, named, blocks)
    return graphs and replace(graphs, size=found.st_size)


class _Counted:
    """The chunks of a file, and how many bytes they had so far."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._count = 0

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            self._count += len(chunk)
            yield chunk

    def placed(self, blocks: Iterator[GraphBlock]) -> Iterator[GraphBlock]:
        """The blocks that are cut from the chunks, which say how far the file was read."""
        return (replace(block, read=self._count) for block in blocks)


def _unpacked_head(raw: bytes) -> bytes:
    """The content at the beginning of a file, compressed or not."""
    head = b""
    with suppress(KTError):  # The beginning of a compressed file ends too early
        for piece in decompressed([raw]):
            head += piece
            if len(head) >= HEAD_BYTES:
                break
    return head


def _form_of(head: bytes, suffix: str, choices: FormChoices) -> str | None:
    """Form of a file, from its beginning, if it is a form of lists that has room for the choices."""
    form = choices.form
    streamed = form or stream_form(head, suffix)
    if streamed == LETTERS and stream_form(head, "") != LETTERS:  # It is no list, and refused as a whole
        return None
    if streamed in STREAM_FORMS:
        return None if choices.directed is not None else streamed
    text = head.decode("utf-8-sig", "replace")
    if form is None:
        named = GRAPH_SUFFIXES.get(suffix)
        if named is not None and not any(GRAPH_FORMS[name].pieces for name in named):
            return None
        likely = likely_forms(with_line_feeds(text), suffix)
        form = likely[0] if len(likely) == 1 else None
    if form is None or form_named(form).pieces is None:
        return None
    # What is no list, and a choice that the form has no use for, is refused as a whole
    if form in CODES and (choices.directed is not None or not any(map(is_code, lines_of(text)))):
        return None
    return form


def _blocks(chunks: Iterable[bytes], form: str, name: str, choices: FormChoices) -> Iterator[GraphBlock]:
    """The graphs of a stream."""
    if form in STREAM_FORMS:
        return stream_blocks(chunks, form, name)
    if form in CODES:
        return code_blocks(chunks)
    cut = GRAPH_FORMS[form].pieces
    assert cut is not None
    lines = (line for part in whole_lines(chunks) for line in lines_of(part.decode("utf-8", "replace")))
    pieces = (piece._replace(directed=choices.directed) for piece in _with_its_line(cut(lines)))
    return piece_blocks(pieces, form, name)


def _list_of(name: str, form: str, blocks: Iterator[GraphBlock], fewest: int = 2) -> GraphList | None:
    """The list in some blocks; `None` if there are too few graphs."""
    begun: list[GraphBlock] = []
    fault: KTError | None = None
    try:
        while sum(map(len, begun)) < fewest and (block := next(blocks, None)) is not None:
            begun.append(block)
    except KTError as error:
        if not begun:
            raise type(error)(f"{name}: {error}") from None
        fault = error
    if sum(map(len, begun)) < fewest and fault is None:
        return None
    rest = blocks if fault is None else _raising(fault)
    return GraphList(name, "lists" if form in STREAM_FORMS else form, itertools.chain(begun, rest))


def _raising(fault: KTError) -> Iterator[GraphBlock]:
    """No graphs, and the reason why."""
    yield from ()
    raise fault


def _of_standard_input(choices: FormChoices) -> GraphList | None:
    """Graphs as they arrive, if the beginning is that of a list; any other form is read to its end."""
    head = _unpacked_head(standard_input_begins(_tells_the_form))
    form, plain = choices.form, choices.directed is None
    # A graph of ten vertices has the byte of a line feed behind its header, so headers of binary forms come first
    streamed = form if form in STREAM_FORMS else stream_form(head, "") if form is None else None
    if plain and streamed is not None:
        blocks = _blocks(decompressed(chunks_of_standard_input()), streamed, STANDARD, choices)
        return _list_of(STANDARD, streamed, blocks, 0 if stream_form(head, "") in BYTE_FORMS else 1)
    first_line = next((line for line in lines_of(head.decode("utf-8-sig", "replace")) if line.strip()), "")
    if plain and form in (None, *CODES) and are_codes(first_line):
        return GraphList(STANDARD, form or "graph6", code_blocks(decompressed(chunks_of_standard_input())))
    try:
        data = read_graph_bytes(STANDARD)
    except KTError:  # Whoever reads it as a whole says why
        return None
    named = _form_of(data[:HEAD_BYTES], "", choices)
    return None if named is None else _list_of(STANDARD, named, _blocks([data], named, STANDARD, choices))


def _tells_the_form(begun: bytes) -> bool:
    """Whether the beginning of standard input has a whole line, or the header of a binary form."""
    head = _unpacked_head(begun)
    return b"\n" in head.lstrip() or stream_form(head, "") in BYTE_FORMS


def _chunks_of_file(path: str) -> Iterator[bytes]:
    """Bytes of a file, even while another process writes it."""
    try:
        with open(path, "rb", buffering=0) as stream:
            while chunk := stream.read(CHUNK_BYTES):
                yield chunk
    except OSError as error:
        raise KTError(f"cannot read: {reason_of(error)}") from None


def _with_its_line(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The same lines; a fault of the whole file is raised with its first graph."""
    try:
        yield from pieces
    except KTError as error:
        yield Piece(1, 1, "", str(error))


class Graphs(Iterable[MoveGraph]):
    """Graphs of a file one by one: an iterator that continues after a damaged graph.

    Parameters
    ----------
    path
        Path of a file in any form of `GRAPH_FORMS`; `-` is standard input.
    choices
        What the user says about the file.
    """

    def __init__(self, path: str | os.PathLike[str], choices: FormChoices = NO_CHOICES) -> None:
        self._path = require_path(path)
        if choices.form is not None:
            form_named(require_text(choices.form, "form"))
        self._list = graph_list(self._path, choices)
        self._pieces = None if self._list is None else self._list.pieces
        self._only = iter(() if self._list else (lambda: read_graph(self._path, choices),))

    def __iter__(self) -> Graphs:
        return self

    def __next__(self) -> MoveGraph:
        """The next graph.

        Raises
        ------
        KTError
            If a graph is damaged; the next one follows then.
        """
        if self._list is None or self._pieces is None:
            return next(self._only)()
        return graph_of_piece(next(self._pieces), self._list.form, self._list.name)
