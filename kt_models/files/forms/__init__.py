"""Tours as people write them: `table` has what is read, `given` reads any of it, `write` writes it."""
