"""Statements, certificates and their checkers: what must be correct for claims to be true (docs/theory/kernel.md)."""

from kt_models.certificates.certificate import Certificate, Checked, check
from kt_models.certificates.statement import Statement
from kt_models.certificates.verdict import Verdict

__all__ = ["Certificate", "Checked", "Statement", "Verdict", "check"]
