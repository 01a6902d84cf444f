"""Few crossings: the searches behind `docs/constructions/few-crossings.md`."""
