"""Evidence for a claim in one line: the number of lemmas that it rests on, or with `--verbose` their names."""

from __future__ import annotations

import re

import click

LEMMAS = re.compile(r"checked by program: ([^;()]*); proved by hand in [\w/]+\.md: ([^;()]*[^;() ])")
"""`Theorem.words`, within the words of a certificate or a verdict."""
verbose_option = click.option("--verbose", is_flag=True, help="Name the lemmas that a claim rests on.")


def evidence(words: str, verbose: bool) -> str:
    """The words of a certificate or a verdict, with the names of lemmas if wanted."""
    return words if verbose else LEMMAS.sub(_counted, words)


def _counted(match: re.Match[str]) -> str:
    conditions, lemmas = (len(names.split(", ")) if names else 0 for names in match.groups())
    parts = [
        f"{count} {noun if count == 1 else plural} {check}"
        for count, noun, plural, check in (
            (conditions, "condition", "conditions", "checked by program"),
            (lemmas, "lemma", "lemmas", "proved by hand"),
        )
        if count
    ]
    return f"{', '.join(parts)} (--verbose lists them)"
