"""Searches for families of tours whose interior is filled with parallel lines (`heuristics.constructions.strands`)."""
