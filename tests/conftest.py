"""No deadlines for hypothesis: the machines that run the tests are shared."""

from hypothesis import settings

settings.register_profile("kt", deadline=None)
settings.load_profile("kt")
