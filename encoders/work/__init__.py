"""How work is done: a run with its reports and engines that race, child processes, and pools of processes."""
