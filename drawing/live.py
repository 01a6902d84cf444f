"""`live`: the progress of a solve in a notebook, updated in place, without widgets.

The display is HTML that is written anew in place. It works wherever notebooks are shown (no extension, no
JavaScript), and what is left in the saved notebook is the last state.
"""

from __future__ import annotations

import contextvars
import sys
import threading
import time
from collections.abc import Callable

from drawing.notebook import card
from kt_models.limits import Report, silent

REDRAW_SECONDS = 0.2
"""Seconds between two drawings, so that a fast search does not flood the page."""
WIDTH, HEIGHT = 360, 90


def live() -> Callable[[Report], None]:
    """An `on_progress` for `solve` and `improve` that shows value, bound and gap in a notebook; elsewhere nothing.

    >>> import kt
    >>> kt.solve(problem, on_progress=kt.live())  # doctest: +SKIP
    """
    if not in_notebook():
        return silent
    from IPython.display import HTML, display

    history: list[Report] = []
    drawn = [0.0]
    lock = threading.Lock()
    context = contextvars.copy_context()  # Engines report from threads of their own, which know of no cell
    handle = display(HTML(picture([])), display_id=True)

    def show(now: Report) -> None:
        with lock:
            history.append(now)
            proved = now.value is not None and now.value == now.bound
            if proved or time.monotonic() - drawn[0] >= REDRAW_SECONDS:
                drawn[0] = time.monotonic()
                context.run(handle.update, HTML(picture(history)))

    return show


def progress_display() -> Callable[[Report], None]:
    """An `on_progress` for `display=True`: as `live` in a notebook, elsewhere `progress_lines`."""
    return live() if in_notebook() else progress_lines()


def progress_lines() -> Callable[[Report], None]:
    """An `on_progress` that prints a line for each better value or bound.

    The lines go to standard output, where PyVRP and other solvers write theirs.
    """
    lock = threading.Lock()
    latest: list[tuple[float | None, float | None]] = [(None, None)]

    def show(now: Report) -> None:
        numbers = (now.value, now.bound)
        with lock:
            if numbers == latest[0] or numbers == (None, None):
                return
            latest[0] = numbers
            value, bound, gap = ("-" if number is None else f"{number}" for number in (*numbers, now.gap))
            print(
                f"{now.seconds:8.2f} s   value {value:>8}   bound {bound:>8}   gap {gap:>6}   {now.engine}", flush=True
            )

    return show


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook; IPython is not imported to find out."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


def picture(history: list[Report]) -> str:
    """The latest report as a table, and below it the history of value and bound."""
    if not history:
        return card([("status", "searching")])
    now = history[-1]
    rows = [
        ("best", "-" if now.value is None else f"{now.value}"),
        ("bound", "-" if now.bound is None else f"{now.bound}"),
    ]
    if now.gap is not None:
        rows.append(("gap", f"{now.gap}"))
    rows.append(("after", f"{now.seconds:.1f} s ({now.engine})"))
    return card(rows, chart(history))


def chart(history: list[Report]) -> str | None:
    """Value (orange, from above) and bound (blue, from below) over the seconds, as SVG; `None` without data."""
    values: list[tuple[float, float]] = [(p.seconds, p.value) for p in history if p.value is not None]
    bounds: list[tuple[float, float]] = [(p.seconds, p.bound) for p in history if p.bound is not None]
    numbers = [number for _, number in values + bounds]
    if not numbers:
        return None
    end, low, high = max(history[-1].seconds, 1e-9), min(numbers), max(numbers)
    lines = "".join(
        f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{_steps(points, end, low, high)}"/>'
        for points, colour in ((values, "#eb5e28"), (bounds, "#2878b5"))
        if points
    )
    text = 'font-family="sans-serif" font-size="11" fill="#888"'
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    labels = f'<text x="2" y="10" {text}>{high}</text><text x="2" y="{HEIGHT - 3}" {text}>{low}</text>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{lines}{labels}</svg>'


def _steps(points: list[tuple[float, float]], end: float, low: float, high: float) -> str:
    """Corners of a step function that keeps each number until the next one."""
    left, top, wide, tall = 34.0, 6.0, WIDTH - 38.0, HEIGHT - 12.0

    def place(second: float, number: float) -> str:
        across = left + wide * min(1.0, second / end)
        return f"{across:.1f},{top + tall * (high - number) / (high - low or 1):.1f}"

    corners: list[str] = []
    for (second, number), (until, _) in zip(points, [*points[1:], (end, 0)], strict=True):
        corners += [place(second, number), place(until, number)]
    return " ".join(corners)
