"""A process of the service with a planted bug: `python -m tests.chaos.planted NAME serve referee …`."""

import sys

from lastcard.cli import main
from tests.simulate.series import PLANTED


def run(bug: str, command: list[str]) -> int:
    """Plant a bug of the simulation, then be the command `lastcard`."""
    sys.argv = ["lastcard", *command]
    with PLANTED[bug].plant():
        return main()


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], sys.argv[2:]))
