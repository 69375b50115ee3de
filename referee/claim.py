"""Takes matches on: renews this referee's beat, claims what is ready or orphaned, rebuilds it from its log."""

import asyncio
import hmac
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

import structlog

from ladder.store import Store
from ladder.store.errors import LapsedError, StoreError
from ladder.store.rows import Claimed, MatchRow, Refusal, Stop, StopVerb
from referee import formats
from referee.fold import redo_entry
from referee.host import Host
from referee.hosted import Hosted, Phase
from referee.logbook import CorruptLogError
from referee.machine import Machine
from referee.match import EngineMismatchError, MatchPlay, MatchSpec
from referee.matchlog import MatchLog
from referee.rules.options import RULES_VERSION

BEAT_S: Final = 1.0
ON_TIME_S: Final = 2.0
SILENT_S: Final = 0.5
SCAN_S: Final = 0.2
ORPHAN_SCAN_S: Final = 1.0
SLICE_S: Final = 0.005
SCAN_LIMIT: Final = 64
ROOM_SHARE: Final = 8
T = TypeVar("T")

log = structlog.get_logger("referee.claim")


class LapsedRefereeError(Exception):
    """This referee's beat ran out: others may own its matches. It must exit (75) and come back as another."""


class Claimer:
    """The loop that keeps a referee busy.

    Args:
        me: incarnation of this referee.
        room: most rounds in flight here.
        absent_s: seconds that a ready match waits for a bot that is not here before it is played without.
        address: what the beat publishes.
        machine: clocks and chance.
    """

    def __init__(
        self, store: Store, host: Host, match_log: MatchLog, *, me: str, room: int, absent_s: float,
        address: dict[str, object], machine: Machine,
    ) -> None:  # fmt: skip
        self._store = store
        self._host = host
        self._log = match_log
        self._me = me
        self._room = room
        self._absent_s = absent_s
        self._address = address
        self._machine = machine
        self._threads = ThreadPoolExecutor(4, "store")
        self._beat_thread = ThreadPoolExecutor(1, "beat")
        self._fresh = True
        self._beaten = self._opened = host.clock()
        self._asking_since = 0.0
        self._not_orphans_before = 0.0
        self._rows: dict[str, MatchRow] = {}
        self._probation: str | None = None
        self._taking = False
        self.draining = False
        host.on_gone = self._gone

    async def store(self, call: Callable[[], T]) -> T:
        """Run a blocking call on the store."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    def _gone(self, hosted: Hosted) -> None:
        self._log.forget(hosted)
        if self._probation == hosted.id:
            self._probation = None

    # -- the beat

    def reconnected(self) -> None:
        """After the store came back: renew our beat first, leave others' matches alone, wait for bots anew."""
        self._fresh = True
        self._opened = self._host.clock()
        self._not_orphans_before = self._opened + 3.0 + self._machine.random_below(1000) / 1000

    @property
    def store_silent(self) -> bool:
        """Whether the store has not answered for a while: nobody can come in then, which is not the bots' fault."""
        since = self._asking_since
        return not self._log.connected or (since > 0.0 and self._host.clock() - since > SILENT_S)

    async def beat(self) -> None:
        """Renew the beat each second; raises LapsedRefereeError."""
        loop = asyncio.get_running_loop()
        while True:
            await loop.run_in_executor(self._beat_thread, lambda: None)
            await self._beat_once(loop)
            await asyncio.sleep(BEAT_S)

    async def _beat_once(self, loop: asyncio.AbstractEventLoop) -> None:
        payload = {
            **self._address, "capacity": 0 if self.draining else self._room, "matches": len(self._host.matches),
            "draining": self.draining,
        }  # fmt: skip
        progress = {hosted.id: hosted.play.games_done for hosted in self._host.matches.values()}
        fresh, self._fresh = self._fresh, False
        began = self._host.clock()
        on_time = began - self._beaten < ON_TIME_S
        self._asking_since = self._asking_since or began
        try:
            stops = await loop.run_in_executor(
                self._beat_thread,
                lambda: self._store.matches.beat(self._me, payload, fresh=fresh, games_done=progress),
            )
        except LapsedError as error:
            if not on_time:
                raise LapsedRefereeError(str(error)) from error
            # We asked in time and the store answered late: it stood still, not we. The heads fence what matters.
            log.warning("store_stalled", seconds=round(self._host.clock() - began, 1))
            self._asking_since = 0.0
            self.reconnected()
            return
        except StoreError as error:
            log.warning("beat_failed", error=str(error))
            self._fresh = True
            return
        self._beaten = began
        self._asking_since = 0.0
        if fresh and self._host.matches:
            await self._drop_lost()
        self._stop(stops)

    async def _drop_lost(self) -> None:
        """Forget the matches that others took on while our beat was missing."""
        try:
            rows = await self.store(lambda: self._store.matches.rows(list(self._host.matches)))
        except StoreError as error:
            log.warning("ownership_unknown", error=str(error))  # the next append finds out
            return
        for row in rows:
            hosted = self._host.matches.get(row.id)
            if hosted is not None and row.owner != self._me and hosted.inflight is None:
                self._host.fenced(hosted)

    def _stop(self, stops: dict[str, Stop]) -> None:
        for match, stop in stops.items():
            hosted = self._host.matches.get(match)
            if hosted is not None:
                hosted.parked = stop.verb is StopVerb.PARK
                self._host.void(hosted, stop.reason)

    # -- claiming

    async def claim(self) -> None:
        """Look for work until cancelled."""
        last_orphans = 0.0
        while True:
            await asyncio.sleep(SCAN_S)
            if self.draining or not self._log.connected or self._fresh:
                continue
            now = self._host.clock()
            try:
                self._grow()
                await self._claim_ready()
                if now - last_orphans > ORPHAN_SCAN_S and now > self._not_orphans_before:
                    last_orphans = now
                    await self._claim_orphans()
            except StoreError as error:
                log.warning("claim_failed", error=str(error))

    def _free(self) -> int:
        """Rounds that this referee can still take."""
        return self._room - sum(hosted.reserved for hosted in self._host.matches.values())

    def _rooms(self) -> dict[str, int]:
        """Rounds that each bot here can still take beside those that hosted matches have reserved."""
        rooms = {bot: player.room for bot, player in self._host.roster.players.items() if player.sessions}
        for hosted in self._host.matches.values():
            reserved = hosted.reserved
            for bot in hosted.play.spec.entrants:
                if bot in rooms:
                    rooms[bot] -= reserved
        return rooms

    def _share(self, bot: str) -> int:
        """Room from which on a further match of a bot is worth beginning: few games make small log entries."""
        return max(1, self._host.roster.players[bot].room // ROOM_SHARE)

    async def _claim_ready(self) -> None:
        if self._free() < 1:
            return
        unix_ms = self._machine.wall_ms()
        due = await self.store(lambda: self._store.matches.ready_ids(unix_ms, SCAN_LIMIT))
        rows = await self._known_rows(due)
        rooms = self._rooms()
        waiting: list[MatchRow] = []
        for match in due:
            row = rows.get(match)
            if row is None or match in self._host.matches or self.draining:
                continue
            if any(bot not in rooms for bot in row.entrants):
                waiting.append(row)
                continue
            room = min(self._free(), *(rooms[bot] for bot in row.entrants))
            if room >= min(row.meetings * len(row.entrants), *(self._share(bot) for bot in row.entrants)):
                await self._take(row, [], room)
                rooms = self._rooms()
        if waiting:
            await self._claim_without(waiting, unix_ms)

    async def _claim_without(self, rows: list[MatchRow], unix_ms: int) -> None:
        """Claim matches whose absent seats have been waited for long enough, by the queue and by this referee."""
        since = await self.store(self._store.matches.waiting)
        online = await self.store(self._store.presence.online)
        for row in rows:
            rooms = self._rooms()
            absent = [entrant for entrant, bot in enumerate(row.entrants) if bot not in rooms]
            if any(row.entrants[entrant] in online or not self._missed(row.entrants[entrant]) for entrant in absent):
                continue
            waited_ms = unix_ms - max(row.created_ms, since.get(row.id, unix_ms))
            room = min((rooms[bot] for bot in row.entrants if bot in rooms), default=1)
            if absent and waited_ms >= self._absent_s * 1000 and room >= 1 and not self.draining:
                await self._take(row, absent, room)

    def _missed(self, bot: str) -> bool:
        """Whether the bot could have come here for long enough and did not."""
        player = self._host.roster.players.get(bot)
        away_since = max(self._opened, player.away_since if player else 0.0)
        return self._host.clock() - away_since >= self._absent_s

    async def _claim_orphans(self) -> None:
        unix_ms = self._machine.wall_ms()
        for match in await self.store(lambda: self._store.matches.orphans(unix_ms)):
            rows = await self._known_rows([match])
            if match in rows and match not in self._host.matches and not self.draining:
                await self._take(rows[match], [], 1)

    async def _known_rows(self, matches: Iterable[str]) -> dict[str, MatchRow]:
        unknown = [match for match in matches if match not in self._rows]
        if unknown:
            fetched = await self.store(lambda: self._store.matches.rows(unknown))
            self._rows.update({row.id: row for row in fetched})
        if len(self._rows) > 10_000:
            self._rows = {match: self._rows[match] for match in matches if match in self._rows}
        return self._rows

    def _grow(self) -> None:
        """Let matches that began with little room play more games at once when their bots have room again."""
        rooms = self._rooms()
        for hosted in list(self._host.matches.values()):
            left = hosted.play.spec.games - hosted.play.games_done - hosted.parallel
            if hosted.phase is not Phase.PLAYING or left < 1:
                continue
            here = [bot for e, bot in enumerate(hosted.play.spec.entrants) if e not in hosted.play.gone]
            room = min(left, self._free(), *(rooms.get(bot, 0) for bot in here))
            if room > 0:
                hosted.parallel += room
                for bot in here:
                    rooms[bot] -= room
                self._host.fill(hosted)

    async def _take(self, row: MatchRow, absent: list[int], room: int) -> None:
        """Claim a match and host it."""
        if row.strikes and self._probation is not None:
            return
        spec = self._spec(row)
        if spec is None:
            return
        unix_ms = self._machine.wall_ms()
        seed = await self.store(lambda: self._seed(row))
        self._taking = True
        try:
            claimed = await self.store(lambda: self._store.matches.claim(row.id, self._me, unix_ms, seed=seed))
            self._rows.pop(row.id, None)
            if isinstance(claimed, Claimed):
                await self._host_claimed(spec, claimed, absent, room)
            elif claimed.reason is Refusal.SELF:
                raise LapsedRefereeError("its beat is missing")
        finally:
            self._taking = False

    def _seed(self, row: MatchRow) -> bytes:
        """Return the seed that counts if nobody has claimed the match before: for a tournament from its secret seed."""
        if not row.tournament:
            return self._machine.random_bytes(32)
        return hmac.digest(self._store.tournaments.deal_seed(row.tournament), row.id.encode(), "sha256")

    def _spec(self, row: MatchRow) -> MatchSpec | None:
        """Return what is to be played, if this version of the rules can play it."""
        try:
            played = formats.get(row.format, deals=row.deals)
        except formats.UnknownFormatError:
            return None
        if row.rules_version != RULES_VERSION or played.rules.hash != row.ruleset:
            log.error("unsupported", match=row.id, ruleset=row.ruleset, rules_version=row.rules_version)
            return None
        return MatchSpec(row.id, played, row.entrants, row.meetings, row.nonces)

    async def _host_claimed(self, spec: MatchSpec, claimed: Claimed, absent: list[int], room: int) -> None:
        row = claimed.row
        play = MatchPlay(spec, claimed.seed)
        hosted = Hosted(play, claimed.head, claimed.epoch, 0, self._host.clock())
        hosted.parallel = max(1, min(room, spec.games))
        hosted.queued_ms = row.created_ms
        self._log.open(hosted, self._store.matches.calls(row.id, me=self._me, tournament=row.tournament))
        if row.strikes:
            self._probation = row.id
        self._host.metrics.claims += 1
        if row.stop is not None:
            self._host.matches[hosted.id] = hosted
            hosted.parked = row.stop.verb is StopVerb.PARK
            self._host.void(hosted, row.stop.reason)
            return
        try:
            await self._fold(play, row.id)
        except (EngineMismatchError, CorruptLogError) as error:
            log.critical("engine_mismatch", match=row.id, problem=str(error))
            self._host.metrics.mismatches += 1
            self._host.matches[hosted.id] = hosted
            self._host.void(hosted, "engine_mismatch")
            return
        hosted.parallel = max(hosted.parallel, len(play.tables))
        self._host.adopt(hosted, absent)

    async def _fold(self, play: MatchPlay, match: str) -> None:
        """Rebuild a match from its log in slices, so that the loop stays free."""
        began = self._machine.monotonic()
        for _epoch, _seq, data in await self.store(lambda: self._store.matches.log(match)):
            redo_entry(play, data)
            if self._machine.monotonic() - began > SLICE_S:
                await asyncio.sleep(0)
                began = self._machine.monotonic()

    # -- handing back

    async def drain(self, patience_s: float) -> None:
        """Hand every match back, also one that is just being claimed, and wait until the log has it."""
        self.draining = True
        deadline = self._host.clock() + patience_s
        while (self._hand_back() or self._taking) and self._host.clock() < deadline:  # noqa: ASYNC110  (a deadline, too)
            await asyncio.sleep(0.02)
        try:
            await self.store(lambda: self._store.matches.leave(self._me))
        except StoreError as error:
            log.warning("leave_failed", error=str(error))  # the beat runs out by itself

    def _hand_back(self) -> bool:
        """Have every match released that can be; return whether one is left."""
        for hosted in self._host.matches.values():
            if hosted.phase in (Phase.NONCES, Phase.PLAYING):
                hosted.phase = Phase.LEAVING
                self._log.mark(hosted)
        return bool(self._host.matches)
