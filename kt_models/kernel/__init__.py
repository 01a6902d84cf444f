"""The kernel: certificates and their checkers, and the sweeps that some of them repeat. It imports the model only."""
