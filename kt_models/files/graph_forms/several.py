"""Files with several graphs, read one graph after the other, whatever their length.

A damaged graph has a number and a fault instead of a graph, and the others are still read.
"""

from __future__ import annotations

import itertools
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kt_models.arguments import require_path, require_text
from kt_models.errors import KTError, about, reason_of
from kt_models.files.graph_forms.codes import are_codes, is_code
from kt_models.files.graph_forms.form import NO_CHOICES, FormChoices, Piece, read_piece
from kt_models.files.graph_forms.table import GRAPH_FORMS, form_named, likely_forms
from kt_models.files.graph_lists.block import GraphBlock
from kt_models.files.graph_lists.codes import code_blocks
from kt_models.files.graph_lists.pieces import piece_blocks
from kt_models.files.graphs import read_graph
from kt_models.files.suffixes import GRAPH_SUFFIXES, file_suffix
from kt_models.graph import MoveGraph
from kt_models.storage import (
    CHUNK_BYTES,
    MAX_FILE_BYTES,
    STANDARD,
    chunks_of_standard_input,
    lines_of,
    read_text,
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
    """

    name: str
    form: str
    blocks: Iterator[GraphBlock]

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

    Standard input is read as it arrives, if its first line is graph6, sparse6 or digraph6.
    """
    form, directed = choices.form, choices.directed
    if path == STANDARD:
        return _of_standard_input(form, directed)
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None
        with open(path, "rb") as stream:
            head = stream.read(HEAD_BYTES)
    except (OSError, ValueError):
        return None
    codes = _form_of(head.decode("utf-8-sig", "replace"), file_suffix(path), form)
    if codes is None:
        return None
    name = os.path.basename(path)
    if codes not in CODES:
        return _list_of(name, codes, _cut(_lines_of_file(path), codes, name, directed))
    return None if directed is not None else _list_of(name, codes, code_blocks(_chunks_of_file(path)))


def _form_of(text: str, suffix: str, form: str | None) -> str | None:
    """Form of a text, from its beginning, if it is a form of lists."""
    if form is None:
        named = GRAPH_SUFFIXES.get(suffix)
        if named is not None and not any(GRAPH_FORMS[name].pieces for name in named):
            return None
        likely = likely_forms(with_line_feeds(text), suffix)
        form = likely[0] if len(likely) == 1 else None
    if form is None or form_named(form).pieces is None:
        return None
    if form in CODES and not any(map(is_code, lines_of(text))):  # it is no list, and refused as a whole
        return None
    return form


def _list_of(name: str, form: str, blocks: Iterator[GraphBlock]) -> GraphList | None:
    """The list in some blocks; `None` if there is at most one graph."""
    first = next(blocks, None)
    second = next(blocks, None) if first is not None and len(first) < 2 else None
    begun = [block for block in (first, second) if block is not None]
    if sum(map(len, begun)) < 2:
        return None
    return GraphList(name, form, itertools.chain(begun, blocks))


def _cut(lines: Iterable[str], form: str, name: str, directed: bool | None) -> Iterator[GraphBlock]:
    """Blocks of a text whose form has a function that cuts its lines."""
    cut = GRAPH_FORMS[form].pieces
    assert cut is not None
    pieces = (piece._replace(directed=directed) for piece in _with_its_line(cut(lines)))
    return piece_blocks(pieces, form, name)


def _of_standard_input(form: str | None, directed: bool | None) -> GraphList | None:
    """Lines of graph6 as they arrive; any other form is read to its end."""
    if form in (None, *CODES) and directed is None:
        begun = standard_input_begins().decode("utf-8-sig", "replace")
        if are_codes(next((line for line in lines_of(begun) if line.strip()), "")):
            return GraphList(STANDARD, form or "graph6", code_blocks(chunks_of_standard_input()))
    try:
        text = read_text(STANDARD)
    except KTError:  # whoever reads it as a whole says why
        return None
    codes = _form_of(text[:HEAD_BYTES], "", form)
    if codes is None:
        return None
    return _list_of(STANDARD, codes, _cut(lines_of(text), codes, STANDARD, directed))


def _chunks_of_file(path: str) -> Iterator[bytes]:
    """Bytes of a file, even while another process writes it."""
    try:
        with open(path, "rb", buffering=0) as stream:
            while chunk := stream.read(CHUNK_BYTES):
                yield chunk
    except OSError as error:
        raise KTError(f"{path}: cannot read: {reason_of(error)}") from None


def _lines_of_file(path: str) -> Iterator[str]:
    """Lines of a file, even while another process writes it; undecodable bytes become marks that no form has."""
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as stream:
            while line := stream.readline(MAX_FILE_BYTES):
                yield line
    except OSError as error:
        raise KTError(f"{path}: cannot read: {reason_of(error)}") from None


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
