"""Statements, certificates and their checkers: what must be correct for claims to be true (docs/theory/kernel.md)."""

from kt_models.kernel.certificates.certificate import Certificate, Checked, check
from kt_models.kernel.certificates.statement import Statement
from kt_models.kernel.certificates.verdict import Verdict

__all__ = ["Certificate", "Checked", "Statement", "Verdict", "check"]
