"""A referee process under attack: the honest pair beside it, and what may be seen of it from outside."""

import asyncio
import itertools
import json
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ladder.store import Store
from ladder.store.rows import MatchState
from lastcard.link.loop import Link
from lastcard.link.player import player
from lastcard.settings import settings
from tests.live.house import ended, plan, result
from tests.live.process import Process
from tests.live.test_matches import Greedy
from tests.patience import PATIENCE_S

EVENTS = {"joined", "parted", "banned", "draining", "store_stalled", "beat_failed", "claim_failed", "store_unavailable"}
"""Everything that a referee may log while strangers play tricks on it."""
_numbers = itertools.count(1)


@dataclass
class Target:
    """One referee process and its ledger.

    Attributes:
        sockets: how many of them one attacker opens at once.
        honest_name: what the honest bots of this target are called.
    """

    store: Store
    process: Process
    folder: Path
    tokens: dict[str, str] = field(default_factory=dict)
    matches: list[str] = field(default_factory=list)
    looked: int = 0
    sockets: int = 5_000
    honest_name: str = "honest"

    @property
    def server(self) -> str:
        """Where bots dial in."""
        return self.process.play

    def token(self, name: str) -> str:
        """Return the token of a bot, registering it the first time."""
        if name not in self.tokens:
            _, self.tokens[name] = self.store.registry.register(name, f"owner of {name}")
        return self.tokens[name]

    def fresh(self, name: str = "mallory") -> str:
        """Return the token of a bot that nobody has seen before."""
        return self.token(f"{name}-{next(_numbers)}")

    # -- the honest

    @asynccontextmanager
    async def honest(self, count: int = 2, *formats: str) -> AsyncIterator[tuple[str, ...]]:
        """Connect honest bots; yields their names."""
        names = [f"{self.honest_name}-{number}" for number in range(count)]
        links = [self._link(name, formats or ("uno-classic-2",)) for name in names]
        tasks = [asyncio.create_task(link.run()) for link in links]
        try:
            yield tuple(f"{name}@1" for name in names)
        finally:
            for link in links:
                link.stop()
            await asyncio.gather(*tasks)

    def _link(self, name: str, formats: tuple[str, ...]) -> Link:
        wanted = settings([], {}, server=self.server, token=self.token(name))
        self.store.registry.version(name, "1")
        bot = Greedy()
        bot.formats = formats
        return Link(player(bot, lambda _error: None), wanted)

    def begin(self, *entrants: str, meetings: int = 2, format_name: str = "uno-classic-2") -> str:
        """Plan a match; returns its id."""
        match = f"x.1.{next(_numbers)}.0"
        self.matches.append(match)
        self.store.matches.plan([plan(match, *entrants, meetings=meetings, format_name=format_name)], 1)
        return match

    async def faults(self, match: str, seconds: float = PATIENCE_S) -> list[int]:
        """Wait until a match is closed and return the faults by entrant."""
        row = await ended(self.store, match, seconds)
        assert row.state is MatchState.CLOSED, row.reason
        return list(result(row)["faults"])

    # -- from outside

    @property
    def rss_mib(self) -> float:
        """Memory of the process."""
        return rss_mib(self.process.process.pid)

    @property
    def peak_mib(self) -> float:
        """Most memory that the process had since `forget_peak`."""
        return _status_mib(self.process.process.pid, "VmHWM")

    def forget_peak(self) -> None:
        """Let the peak begin anew."""
        Path(f"/proc/{self.process.process.pid}/clear_refs").write_text("5", encoding="ascii")

    @property
    def descriptors(self) -> int:
        """Files and sockets that the process has open."""
        return len(list(Path(f"/proc/{self.process.process.pid}/fd").iterdir()))

    def metrics(self) -> str:
        """Return the page of metrics."""
        with urllib.request.urlopen(f"http://{self.process.metrics}/metrics", timeout=PATIENCE_S) as page:
            return str(page.read().decode())

    def metric(self, name: str) -> float:
        """Return the value of a metric with these labels; 0 where it was never counted."""
        lines = (line.rpartition(" ") for line in self.metrics().splitlines())
        return next((float(value) for words, _, value in lines if words == name), 0.0)

    async def settles(self, sessions: int = 0) -> None:
        """Wait until so few sessions, and no match, are left."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                left = await asyncio.to_thread(self.metric, "lastcard_sessions")
                hosted = await asyncio.to_thread(self.metric, "lastcard_matches_hosted")
                if left <= sessions and not hosted:
                    return
                await asyncio.sleep(0.1)

    def news(self) -> str:
        """Return what the process has logged since this was last asked."""
        whole = (self.folder / "referee.log").read_text(encoding="utf-8")
        new, self.looked = whole[self.looked :], len(whole)
        return new

    def secrets(self) -> dict[str, str]:
        """Return everything that nobody may ever read, by what it is."""
        found = {f"token of {name}": token.split("_", 2)[2] for name, token in self.tokens.items()}
        found["pepper"] = (self.folder / "pepper").read_text(encoding="ascii").strip()
        for match in self.matches:
            seed = self.store.matches.seed(match)
            if seed is not None:
                found[f"seed of {match}"] = seed.reveal().hex()
        return found

    def betrayed(self) -> list[str]:
        """Return what is wrong with log and metrics: secrets in them, or lines that nobody expects."""
        news = self.news()
        text = news + self.metrics()
        wrong = [name for name, secret in self.secrets().items() if secret in text]
        for line in news.splitlines():
            try:
                event = json.loads(line)["event"]
            except (ValueError, KeyError):
                event = line
            if event not in EVENTS:
                wrong.append(line[:2000])
        return wrong


def rss_mib(pid: int) -> float:
    """Return how much memory a process has."""
    return _status_mib(pid, "VmRSS")


def _status_mib(pid: int, name: str) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith(name)).split()[1]) / 1024
