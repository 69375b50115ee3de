"""The referee of a benchmark: the shipped one on a core of its own.

With `--no-log` it releases effects without writing them; with `--no-metrics` it counts answers, and nothing else.
"""

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Iterator

from bench.peers import pin
from ladder.store import logs
from referee import app, settings
from referee.hosting.host import Host
from referee.hosting.hosted import Hosted, Inflight, Phase
from referee.metrics import Buckets, Metrics


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


class Forgetful(Counter[str]):
    """Counts nothing."""

    def __setitem__(self, key: str, value: int) -> None:
        """Forget it."""


class NoTimes(Buckets):
    """Takes no note of times."""

    __slots__ = ()

    def add(self, value: float) -> None:
        """Forget it."""


class Answers(Buckets):
    """Counts values, and takes no note of them: what is measured hangs on their number."""

    __slots__ = ("_count",)

    def __init__(self) -> None:
        super().__init__(())
        self._count = 0

    def add(self, value: float) -> None:
        """Count one."""
        del value
        self._count += 1

    def cumulative(self) -> Iterator[tuple[str, int]]:
        """Yield their number."""
        yield "+Inf", self._count


class NoMetrics(Metrics):
    """What a referee counts on the way of an answer, without counting it."""

    def __init__(self) -> None:
        super().__init__()
        self.messages = Forgetful()
        self.replies = Forgetful()
        self.decisions = Answers()
        self.commits = NoTimes(())

    def game(self, format_name: str, ending: str) -> None:
        """Forget it."""

    def commit(self, seconds: float) -> None:
        """Forget it."""

    def appends(self, entries: int) -> None:
        """Forget it."""


class WithoutMetrics(app.Referee):
    """A referee that counts answers, and nothing else."""

    def __init__(self, given: settings.Settings) -> None:
        super().__init__(given, counts=NoMetrics())


def main() -> int:
    """Serve until killed."""
    parser = argparse.ArgumentParser("bench.referee_process", description=__doc__)
    parser.add_argument("--core", type=int, default=0)
    parser.add_argument("--play", metavar="HOST:PORT", default="127.0.0.1:0")
    without = parser.add_mutually_exclusive_group()
    without.add_argument("--no-log", dest="kind", action="store_const", const=WithoutLog, default=app.Referee)
    without.add_argument("--no-metrics", dest="kind", action="store_const", const=WithoutMetrics)
    options = parser.parse_args()
    pin(options.core)
    chosen = settings.load(index=0, play=options.play, metrics="127.0.0.1:0", insecure=True, dev=False)
    return app.serve(chosen, options.kind)


if __name__ == "__main__":
    logs.configure()
    sys.exit(main())
