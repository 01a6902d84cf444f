"""Files, read and written: `tours`, `graphs`, and `check`, which checks files of any kind."""
