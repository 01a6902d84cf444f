"""Options that take a name from a table; the help makes the list only when it is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click


class NameOption(click.Option):
    """An option whose help is made when it is shown.

    Parameters
    ----------
    describe
        Makes the help; imports only happen inside it.
    """

    def __init__(self, *args: Any, describe: Callable[[], str], **kwargs: Any) -> None:
        self._describe = describe
        super().__init__(*args, metavar="NAME", **kwargs)

    @property
    def help(self) -> str:
        """The names in the table."""
        return self._describe()

    @help.setter
    def help(self, text: str | None) -> None:
        """Ignore the help that click sets."""


def bound_methods() -> str:
    """The methods of `kt bound`."""
    from encoders.bounds.methods import summaries

    return f"{', '.join(summaries())}."


def engines() -> str:
    """The engines of `kt solve`."""
    from encoders.engines import engine_names

    return f"Engine: {', '.join(engine_names())}."


def encodings() -> str:
    """The encodings of all engines."""
    from encoders.engines import encodings_of, engine_names

    of_engines = (f"{name}: {', '.join(encodings_of(name))}." for name in engine_names()[1:])
    return f"Encoding of connectivity. {' '.join(of_engines)}"


def cnf_encodings() -> str:
    """The encodings that a formula can be written by."""
    from encoders.sat.encodings import default_encoding, encodings

    names = ", ".join(encodings())
    return (
        f"Encoding of connectivity in a model: {names} (default: {default_encoding()}); flow: by sums (.opb, .lp, .mps,"
        " DIR/); circuit (.pb.txt, default there); degrees: not at all."
    )


def graph_forms() -> str:
    """The forms of a file of a graph."""
    from kt_models.files.graph_forms.table import GRAPH_FORMS

    return f"Format of a graph file, if its suffix and content do not determine it: {', '.join(GRAPH_FORMS)}."
