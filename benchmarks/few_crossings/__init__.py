"""Few crossings: the searches behind `docs/few-crossings.md`."""
