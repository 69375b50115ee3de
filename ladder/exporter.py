"""Looks into the store whenever Prometheus asks, and says what it saw."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from threading import Lock

from prometheus_client import CollectorRegistry
from prometheus_client.core import Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ladder.elo import MICRO
from ladder.metrics import TOP, WORKER_COUNTERS, Labels, LadderReading, Reading, build_family, families
from ladder.readings.boards import Board
from ladder.readings.damage import Damage
from ladder.readings.reads import Reads
from ladder.readings.reports import report_of
from ladder.store.client import Link
from ladder.store.counters import Counter
from ladder.store.errors import StoreUnavailableError
from ladder.store.logs import logger
from ladder.store.ratings import SumCheck
from ladder.store.rows import LOST
from ladder.store.unread import UnreadRows
from ladder.web.headers import ReadOnly

_log = logger("ladder.exporter")


class Queues:
    """Celery's queues on the broker."""

    def __init__(self, broker: Link, keys: Mapping[str, Sequence[str]]) -> None:
        self._broker = broker
        self._keys = keys

    def lengths(self) -> dict[str, int] | None:
        """Return the tasks that wait by queue; None if the broker does not answer."""
        try:
            return {queue: sum(self._broker.size("LLEN", key) for key in keys) for queue, keys in self._keys.items()}
        except StoreUnavailableError:
            return None


class Risen:
    """Counts by how much gauges rose since the first look; what falls and rises again counts again."""

    def __init__(self, names: Iterable[str]) -> None:
        self._last: Mapping[str, int] | None = None
        self._risen = dict.fromkeys(names, 0)

    def seen(self, values: Mapping[str, int]) -> dict[str, int]:
        """Return the counts after one more look."""
        before = self._last or values
        for name in self._risen:
            self._risen[name] += max(0, values[name] - before[name])
        self._last = dict(values)
        return dict(self._risen)


class LadderCollector(Collector):
    """Everything that is read from the store; looks that come at the same time are one after the other."""

    def __init__(self, reads: Reads, queues: Queues | None, version: str) -> None:
        self._reads = reads
        self._queues = queues
        self._version = version
        self._sums: dict[str, tuple[int, SumCheck]] = {}
        self._lost = Risen(sorted(LOST))
        self._damage = Damage(reads)
        self._unread = UnreadRows("ladder")
        self._looking = Lock()

    def describe(self) -> Sequence[Metric]:
        """Return no family: their names are known once the store was read."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Yield the families of one look into the store."""
        yield build_family(self._version)
        yield from families(self.read())

    def read(self) -> Reading | None:
        """Return what is there now; None if the store does not answer."""
        with self._looking:
            return self._read()

    def _read(self) -> Reading | None:
        try:
            begun = time.perf_counter()
            self._reads.store.ping()
            ping_s = time.perf_counter() - begun
            census = self._reads.census()
            return Reading(
                ping_s=ping_s,
                census=census,
                lost=self._lost.seen(census.matches),
                ladders=self._ladders(),
                counters=declared(self._reads.store.counters.read()),
                queues=self._queues.lengths() if self._queues else {},
                damaged=self._damage.counts(),
            )
        except StoreUnavailableError as error:
            _log.warning("the store does not answer", error=str(error))
            return None

    def _ladders(self) -> dict[str, LadderReading]:
        boards = self._reads.boards.every()
        read = self._unread.passing((board.format, partial(self._named, board)) for board in boards)
        return dict(read)

    def _named(self, board: Board) -> tuple[str, LadderReading]:
        return board.format, self._ladder(board)

    def _ladder(self, board: Board) -> LadderReading:
        seats = self._reads.store.ratings.ladder(board.format).seats
        meetings = sum(row.meetings for row in board.standings) // seats
        best = sorted(board.standings, key=lambda row: (-row.raw_elo, row.bot))[:TOP]
        checked = self._sum_check(board.format, board.seq)
        report = report_of(self._reads.store, board.format)
        return LadderReading(
            matches=board.seq,
            meetings=meetings,
            games=meetings * seats,
            bots=len(board.standings),
            sum_error_elo=(checked.ratings - checked.entries) / MICRO,
            anomalies=len(report.anomalies) if report else 0,
            ratings=tuple((row.bot, row.raw_elo) for row in best),
        )

    def _sum_check(self, name: str, seq: int) -> SumCheck:
        """Return the sums of a ladder, computed again only when a match was applied."""
        known = self._sums.get(name)
        if known is None or known[0] != seq:
            known = self._sums[name] = (seq, self._reads.store.ratings.sum_check(name))
        return known[1]


def declared(counters: Mapping[Counter, int]) -> dict[tuple[str, Labels], int]:
    """Return the workers' counters that are declared; others are named in the log and left out."""
    found: dict[tuple[str, Labels], int] = {}
    for counter, value in counters.items():
        labels, known = dict(counter.labels), WORKER_COUNTERS.get(counter.name)
        if known is None or set(known.labels) != set(labels):
            _log.warning("a counter that nobody declared", counter=str(counter))
            continue
        found[counter.name, tuple(labels[name] for name in known.labels)] = value
    return found


def metrics_app(registry: CollectorRegistry) -> ReadOnly:
    """Return the application that answers `/metrics`, in a thread."""

    def metrics(request: Request) -> Response:
        encoder, content_type = choose_encoder(request.headers.get("accept", ""))
        return Response(encoder(registry), headers={"Content-Type": content_type, "Cache-Control": "no-store"})

    return ReadOnly(Starlette(routes=[Route("/metrics", metrics)]))
