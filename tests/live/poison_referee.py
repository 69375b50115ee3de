"""A referee that dies whenever it hosts one certain match: `python -m tests.live.poison_referee MATCH PLAY`."""

from __future__ import annotations

import os
import signal
import sys

from ladder.store import Store
from referee import app, settings
from referee.hosting.host import Host
from referee.hosting.hosted import Hosted


def poisoned(match: str) -> type[app.Referee]:
    """Return a referee that ends as a crash does when it takes this match on."""

    class Poisoned(app.Referee):
        async def start(self, store: Store) -> app.Running:
            adopt = Host.adopt

            def deadly(host: Host, hosted: Hosted, absent: list[int]) -> None:
                if hosted.id == match:
                    os.kill(os.getpid(), signal.SIGKILL)
                adopt(host, hosted, absent)

            Host.adopt = deadly  # type: ignore[assignment, method-assign]
            return await super().start(store)

    return Poisoned


if __name__ == "__main__":
    told = settings.load(index=0, play=sys.argv[2], metrics="127.0.0.1:0", insecure=False, dev=False)
    sys.exit(app.serve(told, poisoned(sys.argv[1])))
