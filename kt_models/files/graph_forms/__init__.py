"""Graphs as other programs write them: `table` has what is read and `write` what is written; a module for each kind."""
