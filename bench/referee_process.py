"""The referee of a benchmark: the shipped one on a core of its own.

With `--no-log S` it writes nothing and releases effects after S seconds, the time that a commit would have taken; with
`--no-metrics` it counts answers, and nothing else.
"""

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial

from bench.peers import pin
from ladder.store import logs
from referee import app, settings
from referee.hosting.grouping import Grouping
from referee.hosting.host import Host
from referee.hosting.hosted import Hosted, Inflight, Phase
from referee.hosting.roster import Roster
from referee.metrics import Buckets, Metrics


class NoLog:
    """Groups what it is told of as the log does, and writes nothing.

    A group is under way as long as one that is written, so that as many moves share a message: what is left out is
    forming entries, writing them and reading replies, and nothing else.

    Args:
        host: whose effects are let out.
        roster: its bots, who share the messages of a group.
        commit_s: seconds that a group is under way.
    """

    def __init__(self, host: Host, roster: Roster, commit_s: float) -> None:
        self._host = host
        self._commit_s = commit_s
        self._dirty: dict[Hosted, None] = {}
        self._under_way = False
        self._group = Grouping(self._flush, lambda: len(roster.players))

    def mark(self, hosted: Hosted) -> None:
        """Release the match's effects with the next group."""
        self._dirty[hosted] = None
        self._group.size += 1
        if not self._under_way:
            self._group.due()

    def _flush(self) -> None:
        dirty, self._dirty = self._dirty, {}
        entries = {}
        for hosted in dirty:
            final = hosted.phase in (Phase.CLOSING, Phase.LEAVING)
            wanted = final or bool(hosted.pending)
            effects, hosted.effects = hosted.effects, []
            entry = Inflight(b"", hosted.head, hosted.seq, effects, final=final, has_leave=hosted.leave_pending)
            hosted.pending.clear()
            hosted.leave_pending = False
            if wanted:
                hosted.inflight = entries[hosted] = entry
            else:
                self._host.committed(hosted, entry)
        if entries:
            self._under_way = True
            asyncio.get_running_loop().call_later(self._commit_s, self._committed, entries)

    def _committed(self, entries: dict[Hosted, Inflight]) -> None:
        for hosted, entry in entries.items():
            if hosted.inflight is entry:
                self._host.committed(hosted, entry)
        self._under_way = False
        if self._dirty:
            self._group.due()


class WithoutLog(app.Referee):
    """A referee that writes nothing."""

    def __init__(self, given: settings.Settings, *, commit_s: float) -> None:
        super().__init__(given)
        self.host.connect(NoLog(self.host, self.roster, commit_s))


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
    without.add_argument("--no-log", metavar="SECONDS", type=float)
    without.add_argument("--no-metrics", action="store_true")
    options = parser.parse_args()
    pin(options.core)
    chosen = settings.load(index=0, play=options.play, metrics="127.0.0.1:0", insecure=True, dev=False)
    if options.no_log is not None:
        return app.serve(chosen, partial(WithoutLog, commit_s=options.no_log))
    return app.serve(chosen, WithoutMetrics if options.no_metrics else app.Referee)


if __name__ == "__main__":
    logs.configure()
    sys.exit(main())
