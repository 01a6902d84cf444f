"""The data of a page: boards and walks as the JSON object that `drawing/web` reads (docs/use/pages.md).

A walk is its first cell and a byte for each step, the number of its move: a tour of 10⁴ cells takes 13 kB in base64.
Cells are numbered in the box, holes counted, in lexicographic order.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from drawing.caption import board_of, piece_words, plural
from drawing.explanation_parts import Parts
from drawing.page_entries import NOTHING, PageEntry, Shading, counts_of
from kt_models.board import Board
from kt_models.errors import KTError, shortened
from kt_models.graph import MoveGraph
from kt_models.metrics import BOARD_METRICS, METRICS
from kt_models.tour import Tour

VERSION = 1
MAX_KINDS = 127
"""Most moves of a leaper, without opposites: a step is one byte."""
COUNTS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten"}
MAX_TEXT = 300
"""Most characters of foreign text that is shown."""


def page_data(entries: Sequence[PageEntry], show: Mapping[str, bool] | None = None, title: str = "") -> dict[str, Any]:
    """Data of a page with one board, or with several side by side; `show` gives the initial state of its switches.

    Board and leaper of the first entry stand once; an entry of another board or leaper has its own.

    Raises
    ------
    KTError
        If there is no board or no leaper, or a leaper has too many moves.
    InvalidTour
        If a step is not a move of the board.
    """
    first = _place_json(entries[0].graph)
    named = [shortened(entry.name, MAX_TEXT) for entry in entries if entry.name != board_of(entry.graph).text]
    data = {
        "version": VERSION,
        "title": title or title_of(entries),
        "subtitle": " beside ".join(named) if len(entries) <= 2 else "",
        **first,
        "show": dict(show or {}),
        "sides": [_entry_json(entry) for entry in entries],
    }
    for entry, written in zip(entries[1:], data["sides"][1:], strict=True):
        if (place := _place_json(entry.graph)) != first:
            written["place"] = place
    if entries[0].parts and entries[0].parts.steps is not None:
        data["colour"] = "strand"
    return data


def title_of(entries: Sequence[PageEntry]) -> str:
    """Title: `8x8, closed, 45 turns, 101 crossings`; for several entries, their common board and their number."""
    if len(entries) == 1:
        return ", ".join(part for part in (_name_of(entries[0].graph), caption_of(entries[0])) if part)
    places = {_name_of(entry.graph) for entry in entries}
    count = COUNTS.get(len(entries), f"{len(entries)}")
    if all(len(entry.tours) == 1 for entry in entries):
        contents = f"{count} tours"
    else:
        contents = "side by side" if len(places) == 1 else f"{count} boards"
    return f"{places.pop()}, {contents}" if len(places) == 1 else f"{contents[0].upper()}{contents[1:]}"


def _name_of(graph: MoveGraph) -> str:
    """The board, and its leaper unless it is a knight."""
    return ", ".join([shortened(board_of(graph).text), *piece_words(graph)])


def caption_of(entry: PageEntry) -> str:
    """Caption: `closed, 45 turns, 101 crossings`; without walks, the claim or the number of cells."""
    if not entry.tours:
        if entry.parts and entry.parts.caption:
            return entry.parts.caption.removeprefix(f"{entry.graph.name}, ")
        return f"{entry.claim.text[:1].lower()}{entry.claim.text[1:]}" if entry.claim else plural(entry.graph.n, "cell")
    closed = sum(tour.closed for tour in entry.tours)
    if len(entry.tours) == 1:
        walks = ["closed" if closed else "open"]
    else:
        walks = [plural(k, kind) for k, kind in ((closed, "cycle"), (len(entry.tours) - closed, "path")) if k]
    counts = counts_of(entry.tours)
    return ", ".join(
        [*walks, *(plural(counts[metric], METRICS[metric].singular) for metric in BOARD_METRICS if metric in counts)]
    )


def packed(values: npt.NDArray[np.uint8]) -> str:
    """Bytes as base64."""
    return base64.b64encode(np.ascontiguousarray(values, dtype=np.uint8).tobytes()).decode("ascii")


def _place_json(graph: MoveGraph) -> dict[str, Any]:
    """The board, its leaper, and the moves that the steps of walks refer to."""
    board, (_, moves) = board_of(graph), graph.geometry
    if len(moves) > MAX_KINDS:
        raise KTError(f"leaper {graph.leaper}: {len(moves)} kinds of moves, and a page shows at most {MAX_KINDS}")
    return {"board": _board_json(board), "leaper": str(graph.leaper), "moves": moves.tolist()}


def _board_json(board: Board) -> dict[str, Any]:
    data: dict[str, Any] = {
        "text": shortened(board.text, MAX_TEXT),
        "shape": list(board.shape),
        "wraps": list(board.wraps),
        "cells": board.n,
    }
    if board.mask is not None and not board.mask.all():
        data["mask"] = packed(np.packbits(board.mask))
    return data


def _entry_json(entry: PageEntry) -> dict[str, Any]:
    board = board_of(entry.graph)
    data: dict[str, Any] = {
        "name": shortened(entry.name, 80),
        "caption": caption_of(entry),
        "counts": counts_of(entry.tours),
        "facts": [[label, shortened(text, MAX_TEXT)] for label, text in entry.facts],
        **_walks_json(entry.tours, board),
    }
    if entry.claim:
        claim = entry.claim
        data["claim"] = {key: shortened(getattr(claim, key), 600) for key in ("text", "known", "more")}
    if entry.parts:
        data["parts"] = _parts_json(entry.parts, board.dimension == 2)
    if entry.layer:
        data["layer"] = _layer_json(entry.layer, board)
    return data


def _walks_json(tours: Sequence[Tour], board: Board) -> dict[str, Any]:
    if not tours:
        return {"walks": {"starts": [], "lengths": [], "closed": []}, "steps": ""}
    steps = [tour.steps for tour in tours]
    kinds = np.concatenate([step.kinds + np.where(step.forward, 0, len(tours[0].graph.geometry[1])) for step in steps])
    starts = board.cells[[tour.order[0] for tour in tours]]
    return {
        "walks": {
            "starts": np.ravel_multi_index(tuple(starts.T), board.shape).tolist(),
            "lengths": [len(tour) for tour in tours],
            "closed": [int(tour.closed) for tour in tours],
        },
        "steps": packed(kinds.astype(np.uint8)),
    }


def _parts_json(parts: Parts, flat: bool) -> dict[str, Any]:
    data: dict[str, Any] = {
        "palette": list(parts.palette),
        "key": [[colour, text] for colour, text in parts.key],
        "frames": [  # A page turns boards in space, and has no frames there
            {
                "label": frame.label,
                "colour": frame.colour,
                "cells": np.asarray(frame.cells).reshape(-1).tolist(),
            }
            for frame in parts.frames
            if flat
        ],
        "arrows": [[*arrow.start, *arrow.end, arrow.colour, int(arrow.head)] for arrow in parts.arrows if flat],
        "dots": [[*mark.at, mark.colour] for mark in parts.marks if flat],
    }
    if parts.steps is not None:
        data["steps"] = packed(parts.steps.astype(np.uint8))
    return data


def _layer_json(layer: Shading, board: Board) -> dict[str, Any]:
    rows = np.full(board.shape, NOTHING, dtype=np.uint8)
    rows[board.grid >= 0] = layer.rows
    return {
        "rows": packed(rows),
        "palette": list(layer.palette),
        "labels": list(layer.labels),
        "key": [[row, text] for row, text in layer.key],
        "strong": list(layer.strong),
    }
