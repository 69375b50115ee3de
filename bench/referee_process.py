"""The referee of a benchmark: the shipped one on core 0; with `--no-log` it releases effects without writing them."""

import asyncio
import sys

from bench.peers import pin
from ladder.store import logs
from referee import app, settings
from referee.hosting.host import Host
from referee.hosting.hosted import Hosted, Inflight, Phase


class NoLog:
    """Lets effects out at the end of the loop turn, as if the log had them already."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._dirty: dict[Hosted, None] = {}

    def mark(self, hosted: Hosted) -> None:
        """Release the match's effects at the end of the loop turn."""
        if not self._dirty:
            asyncio.get_running_loop().call_soon(self._flush)
        self._dirty[hosted] = None

    def _flush(self) -> None:
        dirty, self._dirty = self._dirty, {}
        for hosted in dirty:
            hosted.pending.clear()
            hosted.leave_pending = False
            effects, hosted.effects = hosted.effects, []
            final = hosted.phase in (Phase.CLOSING, Phase.LEAVING)
            self._host.committed(hosted, Inflight(b"", hosted.head, hosted.seq, effects, final=final))


class WithoutLog(app.Referee):
    """A referee that writes nothing."""

    def __init__(self, given: settings.Settings) -> None:
        super().__init__(given)
        self.host.connect(NoLog(self.host))


def main() -> int:
    """Serve until killed."""
    chosen = settings.load(index=0, play="127.0.0.1:0", metrics="127.0.0.1:0", insecure=False, dev=False)
    return app.serve(chosen, WithoutLog if "--no-log" in sys.argv else app.Referee)


if __name__ == "__main__":
    pin(0)
    logs.configure()
    sys.exit(main())
