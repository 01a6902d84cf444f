"""Record anew what is recorded: `python -m tests.golden`, or some of it: `python -m tests.golden solve-boxes find`."""

from __future__ import annotations

import sys

from tests.golden.recordings import recordings


def main(names: list[str]) -> None:
    """Record all that does not take long, or what is named (a name, or the beginning of one)."""
    known = recordings()
    chosen = [one for one in known if any(one.name.startswith(name) for name in names) or (not names and not one.slow)]
    if not chosen:
        sys.exit(f"no recording of that name: {' '.join(one.name for one in known)}")
    for one in chosen:
        before = one.recorded()
        after = one.renew()
        if before != after:
            one.path.parent.mkdir(exist_ok=True)
            one.path.write_text(after)
            print(f"{one.path.relative_to(one.root)}: changed", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
