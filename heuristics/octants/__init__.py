"""Closed tours of squares whose interior is eight fans of parallel lines: few crossings, any even side."""
