"""Looking at processes from outside, for the tests of the supervisor."""

from __future__ import annotations

from pathlib import Path


def alive(pid: int) -> bool:
    """Return whether a process runs (a dead one that nobody has reaped does not)."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state not in "ZX"


def mentions(text: str) -> list[int]:
    """Return the processes with this text on their command line or in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
        except OSError:
            continue
        if text.encode() in words and alive(int(process.name)):
            found.append(int(process.name))
    return found


class Journal:
    """What the dummies wrote down."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def rows(self) -> list[tuple[str, str, int]]:
        """Return (name, word, process) in the order of writing."""
        lines = self.path.read_text("utf-8").splitlines() if self.path.exists() else []
        return [(name, word, int(pid)) for name, word, pid in (line.split() for line in lines)]

    def names(self, word: str) -> list[str]:
        """Return who wrote this word, in order."""
        return [name for name, said, _ in self.rows() if said == word]

    def pids(self, name: str, word: str = "start") -> list[int]:
        """Return the processes of this name that wrote this word."""
        return [pid for who, said, pid in self.rows() if (who, said) == (name, word)]
