"""The referee of a benchmark: the shipped one on core 0; with `--no-log` it releases effects without writing them."""

import asyncio
import sys

from bench.peers import pin
from referee import app, settings
from referee.hosted import Hosted, Inflight, Phase


class NoLog:
    """Lets effects out at the end of the loop turn, as if the log had them already."""

    def __init__(self, log: object, host: "app.Host") -> None:
        self._log = log
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


async def main() -> int:
    """Serve until killed."""
    chosen = settings.load(index=0, play="127.0.0.1:0", metrics="127.0.0.1:0", insecure=False, dev=False)
    if "--no-log" in sys.argv:
        referee_class = app.Referee

        class WithoutLog(referee_class):  # type: ignore[misc, valid-type]
            def __init__(self, given: settings.Settings) -> None:
                super().__init__(given)
                self.host.connect(NoLog(self.log, self.host))

        app.Referee = WithoutLog  # type: ignore[misc]
    return await app.serve(chosen)


if __name__ == "__main__":
    pin(0)
    sys.exit(asyncio.run(main()))
