"""Longest walks: their definition (`task`), a sweep that finds one and proves it longest, and the check of files."""
