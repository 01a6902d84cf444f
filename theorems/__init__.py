"""Claims about boards of all sizes: a folder for each theorem, with its proof and the checker of its files."""
