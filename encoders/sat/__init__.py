"""SAT: clauses, encodings of connectivity, engines."""
