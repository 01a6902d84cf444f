"""Longest walks: `task` says what they are, `sweep` finds one and shows that nothing is longer, `check` reads files."""
