"""A referee that others dial by way of a proxy: `python -m tests.chaos.disguised TRUNK BUG serve referee …`.

It tells everybody that its trunk is at TRUNK; a bug of the simulation is planted in it, unless BUG is empty.
"""

import sys
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from unittest.mock import patch

from lastcard.address import Address
from lastcard.cli import main
from referee.trunk.carrier import GrpcCarrier
from referee.trunk.line import Line
from tests.simulate.series import PLANTED


def run(trunk: str, bug: str, command: list[str]) -> int:
    """Be the command `lastcard`, with the trunk behind another address."""
    listen, told = GrpcCarrier.listen, Address.parse(trunk, "TRUNK")

    async def behind(carrier: GrpcCarrier, accept: Callable[[Line], Awaitable[None]]) -> Address:
        await listen(carrier, accept)
        return told

    sys.argv = ["lastcard", *command]
    with patch.object(GrpcCarrier, "listen", behind), PLANTED[bug].plant() if bug else nullcontext():
        return main()


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], sys.argv[2], sys.argv[3:]))
