"""Board or graph -> tour, fast, with no solver."""
