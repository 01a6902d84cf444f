"""The method `family` of a bound: see `kt_models.certificates.families.turns`."""

from kt_models.certificates.families.turns import bound

__all__ = ["bound"]
