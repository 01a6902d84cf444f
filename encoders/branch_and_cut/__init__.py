"""Branch and cut for sums over single edges: degrees, cut-sets and blossoms as rows, reduced weights, a tree by edge.

`program` is the linear program over a part of the edges, `separation` finds rows that its solution violates,
`search` grows the tree, whose nodes are those of a certificate (`kt_models.kernel.certificates.edge_tree`), and
`prove` lets it take turns with a search for better tours.
"""
