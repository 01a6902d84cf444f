"""The lower bounds of Besa et al. (2022), computed as the paper argues, with explicit constants for the board at hand.

Each method is a module with a function `bound(problem) -> int`: the number that the argument gives, over every solution
of the problem.  Nothing here is a certificate, and nothing that is checked rests on it.  The arguments about runs of
straight moves (`central`, `crown`) charge cells for turns far away, so they are no dual solution and no sweep; the
checkers of `kt_models.certificates` show their numbers in other ways (`encoders.bounds.methods.paper`).
"""
