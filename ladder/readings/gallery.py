"""From where people watch matches that are being played: each is read once a second, however many look on."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from threading import Lock
from typing import TYPE_CHECKING, Final

from ladder.errors import TooManyError
from ladder.store.live import EVENT_BYTES, LiveTable
from ladder.store.rows import UNPLAYED, MatchRow, MatchState

if TYPE_CHECKING:
    from ladder.readings.summaries import Summaries
    from ladder.store.scenes import Scenes

PERIOD_S: Final = 0.5
WISH_S: Final = 10.0
"""Between two wishes for the same match; each holds for 30 s."""
SILENT_S: Final = 40.0
"""A referee that shows a match says something every ten seconds; another may take the match on meanwhile."""
LAST_S: Final = 3.0
"""What was left to be shown comes a moment after the end of a match, if it comes."""
FORGET_S: Final = 60.0
MOST_MATCHES: Final = 128
MOST_EACH: Final = 32
"""Matches that are watched here at once, in all and from one address."""
MOST_EVENTS: Final = 2_048
"""Of a round that are kept for those who come late."""
MOST_ENDED: Final = 32
"""Rounds that are over are kept for those who read slowly, so many."""


class Live(StrEnum):
    """Whether the tables of a match are shown."""

    WAITING = "waiting"
    SHOWN = "shown"
    WITHHELD = "withheld"
    BUSY = "busy"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Showing:
    """A match that is watched, at one moment."""

    row: MatchRow
    live: Live
    tables: tuple[LiveTable, ...] = ()
    """Those in play, by game."""
    ended: tuple[LiveTable, ...] = ()
    """Rounds that are over, the newest last."""
    playing: int = 0
    """Games in play."""
    rounds: int = 0
    """Rounds of the match that are over; of many in a second not all are among the `ended` ones."""


@dataclass(slots=True)
class _Watched:
    """A match as far as it was read."""

    lock: Lock = field(default_factory=Lock)
    showing: Showing | None = None
    read_at: float = 0.0
    wished_at: float = float("-inf")
    told_at: float = float("-inf")
    place: str = ""
    tables: dict[tuple[int, int], LiveTable] = field(default_factory=dict)
    ended: deque[LiveTable] = field(default_factory=lambda: deque(maxlen=MOST_ENDED))
    playing: int = 0
    rounds: int = 0
    busy: bool = False
    last: bool = False
    over_at: float = 0.0


class Gallery:
    """Reads scenes of matches, and says that they are wanted; may be used by several threads."""

    def __init__(self, summaries: Summaries, scenes: Scenes, clock: Callable[[], float] = time.monotonic) -> None:
        self._summaries = summaries
        self._scenes = scenes
        self._clock = clock
        self._lock = Lock()
        self._watched: OrderedDict[str, _Watched] = OrderedDict()
        self._asked: dict[str, dict[str, float]] = {}

    def get(self, match: str, who: str = "") -> Showing:
        """Return a match as everybody may see it now, no older than a second.

        Args:
            match: Its id.
            who: Whose wish it is, an address; what one may watch is limited. Empty: that of somebody counted already.

        Raises:
            UnknownNameError: there is no such match.
            TooManyError: TOO_MANY_WATCHED.
            StoreUnavailableError: the store does not answer.
        """
        with self._lock:
            watched = self._watched.get(match)
        if watched is not None and watched.showing is not None and self._clock() - watched.read_at < PERIOD_S:
            return watched.showing
        row = self._summaries.row(match)
        if row.deals != "fresh" and (row.state in UNPLAYED or row.sealed):
            return Showing(row, Live.WITHHELD)
        if row.state is not MatchState.RUNNING:
            return self._idle(row)
        watched = self._admit(match, who)
        with watched.lock:
            now = self._clock()
            if watched.showing is None or now - watched.read_at >= PERIOD_S:
                watched.showing, watched.read_at = self._read(row, watched, now), now
            return watched.showing

    def _idle(self, row: MatchRow) -> Showing:
        """Return a match that nobody plays now; once it is over, with what was left to be read of a watched one."""
        if row.state in UNPLAYED or row.state is MatchState.PARKED:
            return Showing(row, Live.WAITING)
        with self._lock:
            watched = self._watched.get(row.id)
        if watched is None:
            return Showing(row, Live.OVER)
        with watched.lock:
            now = self._clock()
            watched.over_at = watched.over_at or now
            self._take(row.id, watched, now)
            watched.showing = None
            if not watched.last and watched.place and now - watched.over_at < LAST_S:
                return self._showing(row, Live.SHOWN, watched)
            watched.tables.clear()
            watched.playing = 0
            return self._showing(row, Live.OVER, watched)

    def _admit(self, match: str, who: str) -> _Watched:
        """Return what is known of a match, if it may be watched."""
        now = self._clock()
        with self._lock:
            self._forget(now)
            if who:
                own = self._asked.setdefault(who, {})
                if match not in own and len(own) >= MOST_EACH:
                    sentence = (
                        f"at most {MOST_EACH} matches are watched from one address at once; end some, or wait a minute"
                    )
                    raise TooManyError("TOO_MANY_WATCHED", sentence, field="id", value=match)
                own[match] = now
            watched = self._watched.get(match)
            if watched is None:
                if len(self._watched) >= MOST_MATCHES:
                    sentence = f"{MOST_MATCHES} matches are watched here already; try again in a minute"
                    raise TooManyError("TOO_MANY_WATCHED", sentence, field="id", value=match)
                watched = self._watched[match] = _Watched(read_at=now)
            self._watched.move_to_end(match)
            return watched

    def _before(self, match: str) -> int:
        """Return how many matches are wanted before this one by whoever wants fewest before it.

        A referee shows few at once: who looks at many takes none from one who looks at one.
        """
        with self._lock:
            places = (list(own).index(match) for own in self._asked.values() if match in own)
            return min(places, default=0)

    def _forget(self, now: float) -> None:
        """Forget what nobody has asked for in a while."""
        for name, one in list(self._watched.items()):
            if now - one.read_at < FORGET_S:
                break  # those behind it were asked for later
            del self._watched[name]
        for who, own in list(self._asked.items()):
            for match in [match for match, at in own.items() if now - at >= FORGET_S]:
                del own[match]
            if not own:
                del self._asked[who]

    def _read(self, row: MatchRow, watched: _Watched, now: float) -> Showing:
        if now - watched.wished_at >= WISH_S:
            self._scenes.want(row.id, self._before(row.id))
            watched.wished_at = now
        self._take(row.id, watched, now)
        live = Live.BUSY if watched.busy else Live.SHOWN
        return self._showing(row, Live.WAITING if now - watched.told_at > SILENT_S else live, watched)

    @staticmethod
    def _showing(row: MatchRow, live: Live, watched: _Watched) -> Showing:
        tables = tuple(watched.tables[key] for key in sorted(watched.tables)) if live is Live.SHOWN else ()
        return Showing(row, live, tables, tuple(watched.ended), watched.playing, watched.rounds)

    def _take(self, match: str, watched: _Watched, now: float) -> None:
        """Read what is new."""
        scenes, watched.place = self._scenes.read(match, watched.place)
        for scene in scenes:
            watched.told_at = now
            watched.playing, watched.busy, watched.last = scene.playing, scene.busy, scene.last
            watched.rounds = max(watched.rounds, scene.rounds)
            if scene.whole:
                for key in watched.tables.keys() - {table.key for table in scene.tables}:
                    del watched.tables[key]
            for table in scene.tables:
                _merge(watched, table)


def _merge(watched: _Watched, table: LiveTable) -> None:
    """Take in what is new at a table; what is known already is left as it is."""
    known = watched.tables.get(table.key)
    if known is not None and known.round == table.round:
        if table.next <= known.next and table.end is None:
            return  # a referee that took over tells again what was told
        table = _joined(known, table)
    if table.end is None:
        if not any(over.key == table.key and over.round >= table.round for over in watched.ended):
            watched.tables[table.key] = _cut(table)
        return
    watched.tables.pop(table.key, None)
    if not any(over.key == table.key and over.round == table.round for over in watched.ended):
        watched.ended.append(_cut(table))


def _joined(known: LiveTable, table: LiveTable) -> LiveTable:
    """Return a table with all events that are known; those before a gap are given up."""
    if not known.first <= table.first <= known.next:
        return table
    before = known.events[: (table.first - known.first) * EVENT_BYTES]
    return replace(table, first=known.first, events=before + table.events)


def _cut(table: LiveTable) -> LiveTable:
    return since(table, max(table.first, table.next - MOST_EVENTS))


def since(table: LiveTable, first: int) -> LiveTable:
    """Return a table with its events from a number on, as far as they are there."""
    first = min(max(first, table.first), table.next)
    return replace(table, first=first, events=table.events[(first - table.first) * EVENT_BYTES :])
