"""Exit statuses: 0 answered in full, 2 bad usage or unreadable input, and these."""

from __future__ import annotations

REFUTED = 1
"""Exit status when what was claimed turned out to be wrong."""
UNANSWERED = 3
"""Exit status when a limit or a signal came before the full answer."""
