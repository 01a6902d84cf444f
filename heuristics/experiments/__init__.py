"""The papers' experiments, done again: random graphs (Davies, Xue and Yerger 2017), types of tours (Miller 2018)."""
