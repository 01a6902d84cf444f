"""What has been shown, and its checkers: the only code that has to be right for a claim to be true (docs/kernel.md)."""

from kt_models.certificates.certificate import METHODS, Certificate, check
from kt_models.certificates.statement import Statement
from kt_models.certificates.verdict import Verdict

__all__ = ["METHODS", "Certificate", "Statement", "Verdict", "check"]
