"""Drawing on the axes of a plot, as networkx does."""

from __future__ import annotations

import pytest

import kt
from kt_models import KTError

plt = pytest.importorskip("matplotlib.pyplot")


def test_a_tour_is_drawn_on_axes_of_ones_own() -> None:
    figure, axes = plt.subplots(1, 2, figsize=(6, 3))
    other = axes[1].plot([0, 1], [0, 1])[0]
    try:
        assert kt.draw(kt.find("6x6"), ax=axes[0], numbers=True) is None
        assert kt.draw("5x6", ax=axes[1]) is None
        figure.canvas.draw()
        assert len(axes[0].texts) >= 36  # A number in each cell
        assert len(axes[0].collections) > 2
        assert axes[0].get_xlim()[1] >= 5.5
        assert other in axes[1].lines  # What was there stays
    finally:
        plt.close(figure)


def test_lines_are_as_wide_as_the_axes_are_large() -> None:
    widths = []
    for inches in (2, 4):
        figure, axes = plt.subplots(figsize=(inches, inches))
        kt.draw(kt.find("6x6"), ax=axes)
        widths.append(max(float(w) for c in axes.collections for w in c.get_linewidths()))
        plt.close(figure)
    assert widths[1] == pytest.approx(2 * widths[0], rel=0.05)


def test_what_is_no_axes_and_what_does_not_fit_is_refused(tmp_path: object) -> None:
    figure, axes = plt.subplots()
    try:
        with pytest.raises(KTError, match="axes of Matplotlib"):
            kt.draw("5x6", ax=3)
        with pytest.raises(KTError, match="leave out path"):
            kt.draw("5x6", "x.svg", ax=axes)
        with pytest.raises(KTError, match="one"):
            kt.draw([kt.find("5x6"), kt.find("6x6")], ax=axes)
    finally:
        plt.close(figure)
