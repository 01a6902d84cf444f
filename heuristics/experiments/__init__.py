"""The papers' experiments, repeated: random graphs (Davies, Xue and Yerger 2017) and types of tours (Miller 2018)."""
