"""Run a soak by its name, for example `./dev soak luck --help`."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Final

PROGRAMS: Final = frozenset({"crowd", "house"})
"""What soaks start, and no soaks."""


def main(argv: list[str]) -> int:
    """Run one; returns its exit code: 1 when it found something."""
    modules = {path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("__")}
    known = sorted(modules - PROGRAMS)
    if not argv or argv[0] not in known:
        print(f"usage: ./dev soak NAME …; there are {', '.join(known)}", file=sys.stderr)
        return 2
    code: int = import_module(f"tests.soak.{argv[0]}").main(argv[1:])
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
