"""Forms of tours as people write them: `table` lists them, `text` and `data` read them, `write` writes them."""
