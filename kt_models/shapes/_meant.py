"""Suggestions for texts that are not boards: other spellings that people use, in the right form."""

from __future__ import annotations

import re

from kt_models.shapes import BoardKind, shapes

_BOX = r"[0-9]{1,9}(?:x[0-9]{1,9}){1,7}"
_CELL = r"[a-z]{1,7}[0-9]{1,9}"


def meant_board(text: str) -> str:
    """The board text that was probably meant, or an empty text.

    >>> [meant_board(text) for text in ("8*8", "8 by 8", "8", "Aztec diamond 5", "torus 8x8", "8x8 - a1 h8")]
    ['8x8', '8x8', '8x8', 'aztec:5', 'torus:8x8', '8x8-a1,h8']
    """
    body = text.strip().casefold()[:200]
    if body.endswith((".txt", ".mask")):
        return "@" + text.strip() if "@" not in body else ""
    body = re.sub(r"(?<=[0-9])\s*(?:[*x×✕/·,;]|by)\s*(?=[0-9])", "x", body)
    named = {word: shape for shape in shapes() if shape.name for word in (shape.name, *shape.aliases)}
    if shape := next((shape for word, shape in named.items() if word in body), _misspelt(body, named)):
        size = re.search(shape.pattern, body)
        return f"{shape.name}:{size[0]}" if size else ""
    if square := re.fullmatch(r"\D{0,3}([0-9]{1,4})\D{0,3}", body):
        return f"{square[1]}x{square[1]}"
    if box := re.fullmatch(rf"[\s(\[]*({_BOX})[\s)\]x-]*", body):
        return box[1]
    if parts := re.fullmatch(rf"({_BOX})\W*(?:without|minus|less)?\W*({_CELL}(?:\W+{_CELL})*)\W*", body):
        return f"{parts[1]}-{','.join(re.findall(_CELL, parts[2]))}"
    return ""


def _misspelt(body: str, named: dict[str, BoardKind]) -> BoardKind | None:
    """The kind of board whose name is nearest to the first word of a text."""
    from kt_models.errors import nearest

    word = re.match(r"[a-z]{4,}", body)
    return named.get(nearest(word[0], named)) if word else None
