"""Comparisons as a table for people, as lines for a spreadsheet, and as a picture."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from encoders.compare.run import Comparison, Score
from encoders.table import HEAD
from kt_models.files.workbook import workbook

COLUMNS = (
    "board", "cells", "bound", "certificate", "optimum", "best_known", "method", "tries", "tours", "best", "median",
    "seconds", "gap_percent",
)  # fmt: skip


def table(rows: Sequence[Comparison]) -> list[list[str]]:
    """A line for each board, after one of titles: the row of `kt table`, the best of all methods, and each score."""
    names = list(dict.fromkeys(score.method for row in rows for score in row.scores))
    lines = [[*HEAD, "best", "above", *names]]
    for row in rows:
        scores = {score.method: score for score in row.scores}
        gap = row.gap(row.best)
        words = "" if gap is None else f"{'' if row.optimum is not None else '<= '}{gap:.1f}%"
        best = "" if row.best is None else str(row.best)
        lines.append([*row.row.cells, best, words, *(_cell(scores.get(name)) for name in names)])
    return lines


def _cell(score: Score | None) -> str:
    """Best, median and seconds; nothing if the method does not apply to the board."""
    if score is None:
        return ""
    if score.best is None:
        return "-"
    values = f"{score.best}" if len(score.seconds) == 1 else f"{score.best}/{score.median:g}"
    return f"{values} {score.time:.2g}s"


def csv_text(rows: Sequence[Comparison]) -> str:
    """A line for each board and method."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(_values(rows))
    return stream.getvalue()


def sheet(rows: Sequence[Comparison]) -> bytes:
    """The same as a workbook."""
    return workbook(COLUMNS, _values(rows), "comparison")


def _values(rows: Sequence[Comparison]) -> Iterator[list[Any]]:
    """The values of `COLUMNS` for each board and method."""
    for row in rows:
        data = row.to_json()
        for score in data["methods"]:
            yield [(data | score).get(name, "") for name in COLUMNS]


def plot(rows: Sequence[Comparison], metric: str) -> bytes:
    """An SVG of the tours of each method, as multiples of the optimum, or else of the bound.

    Below 0 an excess has no multiple, so that 1 and the excess are drawn: where the optimum is above 0, they are it.
    """
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    from drawing.figure import image_of

    scored = [row for row in rows if row.scores and row.gap(row.best) is not None]
    names = list(dict.fromkeys(score.method for row in scored for score in row.scores))
    figure = Figure(figsize=(max(6.0, 2.5 + 0.4 * len(scored)), 4.5), layout="constrained")
    axes = figure.subplots()
    for number, name in enumerate(names):
        points: list[tuple[int, float, float]] = []
        for place, row in enumerate(scored):
            for score in row.scores:
                gaps = row.gap(score.best), row.gap(score.median)
                if score.method == name and gaps[0] is not None and gaps[1] is not None:
                    points.append((place, 1 + gaps[0] / 100, 1 + gaps[1] / 100))
        if points:
            x, best, median = zip(*points, strict=True)
            spread: Any = [[0.0] * len(x), [m - b for b, m in zip(best, median, strict=True)]]
            marker = "osv^D<>pP*Xdh"[number % 13]
            axes.errorbar(x, best, yerr=spread, fmt=marker, ms=4, lw=0, elinewidth=0.8, label=name)
    axes.axhline(1.0, color="0.3", lw=0.8)
    axes.set_yscale("log")
    for ticks in (axes.yaxis.set_major_formatter, axes.yaxis.set_minor_formatter):
        ticks(lambda value, place: f"{value:g}")
    axes.yaxis.set_minor_locator(MaxNLocator(6))
    axes.set_xticks(
        range(len(scored)),
        [row.problem.graph.name + ("" if row.optimum is not None else "*") for row in scored],
        rotation=60 if len(scored) > 6 else 0,
    )
    scale = "times the optimum" if all((row.reference or 0) > 0 for row in scored) else "1 + excess over the optimum"
    axes.set_ylabel(f"{metric}: {scale} (*: the bound)")
    axes.set_title("best of the tries; the line goes up to the median", loc="left", fontsize=9)
    axes.grid(alpha=0.3)
    if names:
        axes.legend(fontsize=7, frameon=False, ncols=2)
    return image_of(figure, "svg")


STYLE = (
    "body{font:14px sans-serif;margin:2em;color:#22262b;background:#fff}h1{font-size:18px}"
    "svg{max-width:100%;height:auto}"
    "div{overflow-x:auto}table{border-collapse:collapse}th{vertical-align:bottom;position:sticky;top:0;background:#fff}"
    "td,th{text-align:right;padding:3px 9px;border-bottom:1px solid #ddd;white-space:nowrap}"
    "td:first-child,th:first-child{text-align:left}"
)


def page(rows: Sequence[Comparison], metric: str) -> str:
    """The picture and the table as one file that needs no network."""
    head, *body = table(rows)
    lines = [_line("th", head), *(_line("td", line) for line in body)]
    picture = plot(rows, metric).decode()
    title = f"{escape(metric)}: heuristics and optima"
    words = f"{metric.capitalize()} of the best tour of each method, and the seconds of a try, beside what is known."
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><meta name="generator" content="kt">\n'
        f"<title>{title}</title>\n"
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>{STYLE}</style>\n'
        f"<h1>{title}</h1>\n<p>{escape(words)}</p>\n{picture[picture.index('<svg') :]}\n"
        f"<div><table>\n{''.join(lines)}</table></div></html>\n"
    )


def _line(tag: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>\n"
