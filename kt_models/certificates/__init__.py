"""What has been shown, and its checkers: the only code that has to be right for a claim to be true (docs/kernel.md)."""

from kt_models.certificates.certificate import METHODS, Certificate
from kt_models.certificates.statement import Statement

__all__ = ["METHODS", "Certificate", "Statement"]
