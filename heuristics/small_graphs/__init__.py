"""Hamiltonian cycles and paths of graphs of at most 64 vertices, by compiled searches on bit sets."""
