"""Programs that found the seeds and data that kt ships with. Nothing imports them, and they are not installed."""
