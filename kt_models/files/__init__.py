"""Files read and written: `tours`, `graphs`, and `check`, which says what a file of any kind shows."""
