"""The five papers, a folder each: algorithms, experiments and bounds that only the paper is about (docs/papers.md).

The `__init__` of a folder imports the methods of `kt find` that come from its paper.
"""
