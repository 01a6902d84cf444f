"""Runs with their reports, engines that race, child processes, and pools of processes."""
