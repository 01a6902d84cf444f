"""The command `kt`, also as `python -m kt`."""

from cli import run

__all__ = ["run"]

if __name__ == "__main__":
    run()
