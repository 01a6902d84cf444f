"""A problem as a CP-SAT model, and the engines that search it."""
