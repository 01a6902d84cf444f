"""Lists of graphs as streams: bytes in blocks, and the graphs in them as bit sets."""
