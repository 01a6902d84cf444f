"""Forms of graphs from other programs: `table` lists what is read, `write` what is written; a module for each kind."""
