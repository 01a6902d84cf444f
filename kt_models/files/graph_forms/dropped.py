"""Attributes of vertices and edges in a file of a graph that kt does not use, so that none is lost without a word."""

from __future__ import annotations

import re

USED = frozenset({
    "id", "label", "name", "source", "target", "weight", "x", "y", "z", "pos", "position", "directed", "value", "key",
    "graph", "node", "edge", "graphics", "creator", "version", "comment", "from", "to", "multigraph", "point", "viz",
})  # fmt: skip
"""Names of attributes that kt reads, or that belong to a form, in lower case."""
NAMES = {
    ".graphml": re.compile(r"""<key\b[^>]*\battr\.name\s*=\s*["']([^"']{1,80})["']"""),
    ".gexf": re.compile(r"""<attribute\b[^>]*\btitle\s*=\s*["']([^"']{1,80})["']"""),
    ".gml": re.compile(r"^\s*([A-Za-z]\w{0,79})\s+\S", re.MULTILINE),
    ".dot": re.compile(r"[\[,;]\s*\"?([A-Za-z_]\w{0,79})\"?\s*="),
}
"""Where names of attributes stand, by the suffix of a file."""
NAMES[".gv"] = NAMES[".dot"]
MAX_NAMES = 8
"""Most names in a message."""


def dropped_attributes(text: str, suffix: str) -> list[str]:
    """Names of the attributes in a file that the graph read from it does not have, in their order."""
    pattern = NAMES.get(suffix)
    names = pattern.findall(text) if pattern is not None else []
    return [name for name in dict.fromkeys(names) if name.lower() not in USED]


def in_words(names: list[str]) -> str:
    """A note about dropped attributes; empty if there are none."""
    if not names:
        return ""
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    return f"attributes that kt does not use are left out: {', '.join(names[:MAX_NAMES])}{more}"
