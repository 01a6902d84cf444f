"""Record anew what is recorded: `python -m tests.golden`, or some of it: `python -m tests.golden solve-boxes find`."""

from __future__ import annotations

import sys

from tests.golden.recordings import recordings


def main(names: list[str]) -> None:
    """Record all that does not take long, or what is named (a name, or the beginning of one)."""
    known = recordings()
    chosen = [
        recording
        for recording in known
        if any(recording.name.startswith(name) for name in names) or (not names and not recording.slow)
    ]
    if not chosen:
        sys.exit(f"no recording of that name: {' '.join(recording.name for recording in known)}")
    for recording in chosen:
        before = recording.recorded()
        after = recording.renew()
        if before != after:
            recording.path.parent.mkdir(exist_ok=True)
            recording.path.write_text(after)
            print(f"{recording.path.relative_to(recording.root)}: changed", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
