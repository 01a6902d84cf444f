"""Closed tours grown from small ones whose sides repeat: few turns, few crossings, any size."""
