"""A copy of a store that lies where a server would neither read nor keep it; `python -m ladder.store.lone_copy FOLDER`.

As a command it refuses such a folder with exit code 1, before a server is started there (deploy/systemd).
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

__all__ = ["BEGIN_EMPTY", "copy_alone", "refusal"]

COPY: Final = "dump.rdb"
BEGIN_EMPTY: Final = "move it away to begin empty"


def copy_alone(directory: Path) -> Path | None:
    """The copy in a directory that a server would neither read nor keep: `dump.rdb` without a log beside it."""
    logs = (*(directory / "appendonlydir").glob("*.manifest"), *directory.glob("appendonly.aof"))
    copy = directory / COPY
    return copy if copy.exists() and not logs else None


def refusal(copy: Path) -> str:
    """What to say to whoever starts a server beside such a copy."""
    return (
        f"{copy} lies there without a log: a store reads its log only, so it would begin empty and write over the copy "
        f"when it ends; load the copy once, as docs/operations.md (Restore) has it, or {BEGIN_EMPTY}"
    )


def main(arguments: Sequence[str]) -> int:
    """Look at the folder of a store; returns 1 where a copy lies alone in it, 2 where none is named."""
    if len(arguments) != 1:
        sys.stderr.write("lastcard: name the folder of a store: python -m ladder.store.lone_copy FOLDER\n")
        return 2
    (folder,) = arguments
    copy = copy_alone(Path(folder))
    if copy:
        sys.stderr.write(f"lastcard: {refusal(copy)}\n")
    return 1 if copy else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
