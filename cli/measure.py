"""`kt measure`: the properties of a tour."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from cli.command import Command
from cli.options import TourOptions, json_option, print_json, print_rows, tour_options, tour_rules
from cli.output import names_text, tour_rows, walk_rows, walks_in
from kt_models.files.given import holds_json
from kt_models.tour import order_to_json

if TYPE_CHECKING:
    from kt_models import Tour

MAX_TYPE_WIDTH = 80
"""Most cells of a tour whose type is printed in full, on one line of a terminal."""
MAX_SYMMETRIES = 12
"""Most symmetries of a tour that are printed; a tour of a torus may have thousands."""
MAX_TOUCHINGS = 5
"""Most touchings that are listed in words."""


@click.command("measure", cls=Command)
@click.argument("file")
@tour_options()
@json_option
@tour_rules(lambda values: holds_json(values["file"]))
def command(file: str, written: TourOptions, as_json: bool) -> int:
    """Show turns, crossings, symmetries, sums, type and canonical form of the tour in FILE, in any form that kt reads.

    \b
    kt measure tour.json
    kt measure tour.txt                            a grid of numbers, squares, coordinates: whatever kt check reads
    kt measure tour.tour --board 8x8
    kt measure tour.json --json                    with the canonical form itself

    Two tours have the same canonical form, and so the same digest, exactly when a symmetry of the board (or another
    start or direction) maps one to the other. Cylinders and tori have translations among their symmetries, (x+2,y).
    Sums are of the numbers of the visit, on a rectangle: a tour is semi-magic if all rows have one sum and all columns
    one sum, and magic if the diagonals of a square have it too. The type lists for each cell how many exterior faces it
    has (kt experiment tour-types). Of several paths or cycles, and of walks that leave cells out, kt shows the sizes
    and the measures.
    """
    from heuristics.papers.cube.tour_types import least_sequence, location_codes
    from kt_models.line_sums import line_sums

    if (result := walks_in(file)) is not None:
        if as_json:
            kept = ("board", "leaper", "closed", "paths", "cycles")
            document = result.to_document()
            print_json({"kind": "measure", **{key: document[key] for key in kept if key in document},
                        **result.walk_measures})  # fmt: skip
        else:
            print_rows(walk_rows(result))
        return 0
    tour = written.read_valid(file)
    canonical = tour.canonical()
    names = [symmetry.name for symmetry in tour.symmetries()[1:]]
    counts = {metric: tour.measure(metric) for metric in tour.metrics}
    touched = _touchings(tour)
    digest = hashlib.sha256(",".join(map(str, canonical.order.tolist())).encode()).hexdigest()
    sums, board_ = line_sums(tour), tour.graph.board
    kind = ""
    if board_ is not None:
        codes = least_sequence(location_codes(board_)[tour.order], rotate=tour.closed)
        kind = ("" if max(codes) < 10 else ",").join(map(str, codes))
    if as_json:
        data: dict[str, Any] = {"kind": "measure", "board": tour.graph.name}
        if tour.graph.leaper:
            data["leaper"] = str(tour.graph.leaper)
        data |= {"closed": tour.closed, "cells": len(tour), **counts, "symmetries": names}
        if sums is not None:
            data["sums"] = asdict(sums) | {"magic": sums.magic}
        if kind:
            data["type"] = kind
        if touched:
            data["touchings"] = touched
        print_json(data | {"canonical": order_to_json(tour.graph, canonical.vertices), "digest": digest})
        return 0
    rows = tour_rows(tour, counts)
    if touched:
        listed = ", ".join(f"{edge} at {vertex}" for edge, vertex in touched[:MAX_TOUCHINGS])
        rows.append(("touchings", f"{len(touched):,}: {listed}{' ...' if len(touched) > MAX_TOUCHINGS else ''}"))
    more = f" ... ({len(names):,} beside the identity)" if len(names) > MAX_SYMMETRIES else ""
    rows.append(("symmetries", (" ".join(names[:MAX_SYMMETRIES]) or "none") + more))
    if sums is not None:
        rows.append(("sums", sums.text))
    if kind:
        rows.append(("type", kind if len(kind) <= MAX_TYPE_WIDTH else f"{kind[:MAX_TYPE_WIDTH]} ..."))
    start = names_text(canonical.names[:8])
    rows.append(("canonical", f"{start}{' ...' if len(tour) > 8 else ''}"))
    rows.append(("digest", digest))
    print_rows(rows)
    return 0


def _touchings(tour: Tour) -> list[list[str]]:
    """Edges of a tour that pass through a vertex, with the vertex; none on a board."""
    if tour.graph.board is not None or tour.graph.positions is None:
        return []

    from kt_models.metrics.crossings import touchings

    place = tour.graph.directed or tour.graph
    graph, edges = tour.placed_edges
    pairs = touchings(graph, edges)
    return [[graph.edge_name(edge), place.name_of(vertex)] for edge, vertex in pairs]  # type: ignore[attr-defined]
