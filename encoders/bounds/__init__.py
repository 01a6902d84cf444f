"""Lower bounds with certificates: `certify_lower_bound`, and in `methods` a module for each way to make one."""

from encoders.bounds.certify import NotShown, certified, certify_lower_bound

__all__ = ["NotShown", "certified", "certify_lower_bound"]
