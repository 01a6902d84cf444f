"""The lower bounds of Besa et al. (2022), computed by the paper's arguments, with explicit constants for a board.

Each method is a module with a function `bound(problem) -> int`: the number that the argument proves for every solution
of the problem. Nothing here is a certificate, and no checked result depends on it. The arguments about runs of straight
moves (`central`, `crown`) charge cells for turns far away, so they are neither a dual solution nor a sweep. The
checkers of `kt_models.kernel.certificates` prove the numbers in other ways (`encoders.bounds.methods.paper`).
"""
