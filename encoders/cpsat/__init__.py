"""A problem as a CP-SAT model, and the engines that search it."""

ENCODINGS = ("circuit", "cut-set", "race")
"""`circuit`: every answer is a tour; `cut-set`: degrees alone, and what an answer breaks; `race`: both side by side."""
MAX_MODEL_EDGES = 400_000
"""Most edges of a graph that is made a model: about 3 GB and a minute to build."""
