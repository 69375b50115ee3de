"""Looks for matches to take on, those that are ready or orphaned; hands them back."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from ladder.store import Store
from ladder.store.errors import StoreError
from ladder.store.logs import logger
from ladder.store.rows import MatchRow, Stop
from ladder.store.strain import Strain
from referee.hosting.absences import Absences
from referee.hosting.beat import Beat
from referee.hosting.growth import Growth
from referee.hosting.hosted import Home, Hosted, Phase, Stay
from referee.hosting.matchlog import MatchLog
from referee.hosting.pauses import Pauses
from referee.hosting.reveals import Showing
from referee.hosting.rooms import Counted, Rooms
from referee.hosting.seeking import Seeker, Sight, Trunks
from referee.hosting.sessions import NOTICE_S
from referee.hosting.taking import Taker, Terms
from referee.hosting.versions import announced, lacks
from referee.hosting.window import Window
from referee.machine import Machine

BEAT_S: Final = 1.0
SCAN_S: Final = 0.2
ORPHAN_SCAN_S: Final = 1.0
STRAIN_S: Final = 5.0
HALT_S: Final = 1.0
"""Between two looks at how full the store is while bots wait for it."""
MOST_CLAIMS: Final = 50
"""In one look: each deals games, or reads what was dealt, and whoever plays here waits meanwhile."""
MEET_S: Final = 1.0
Meet = Callable[[Mapping[str, Mapping[str, object]]], None]
T = TypeVar("T")

log = logger("referee.hosting.claim")


class Claimer:
    """The loop that keeps a referee busy.

    Args:
        me: incarnation of this referee.
        absent_s: seconds that a ready match waits for a bot that is not here before it is played without.
        address: what the beat publishes.
        machine: clocks and chance.
    """

    def __init__(
        self, store: Store, match_log: MatchLog, rooms: Rooms, trunks: Trunks, *, me: str, absent_s: float,
        address: dict[str, object], machine: Machine,
    ) -> None:  # fmt: skip
        self._store = store
        self._host = host = rooms.host
        self._log = match_log
        self._me = me
        self.rooms = rooms
        self.seeker = Seeker(host, trunks, me, self._look, host.give_back)
        self.growth = Growth(host, rooms, self.seeker)
        self._met = 0.0
        self._absences = Absences()
        self._pauses = Pauses(host.clock, machine.random_below)
        self._absent_s = absent_s
        self._address = address
        self._machine = machine
        self._threads = ThreadPoolExecutor(4, "store")
        self._beat = Beat(store, machine, me)
        self._window = Window()
        self.taker = Taker(
            store, match_log, rooms, machine, me, run=self.store, look=self._look,
            changed=lambda match: self._window.rows.pop(match, None),
        )  # fmt: skip
        self.strain: Callable[[], Strain] | None = None
        """Measures how full the store is."""
        self.strained: tuple[str, ...] = ()
        """Why nothing new may be taken on, a sentence each; what was begun goes on, unless the host stands still."""
        self.draining = False
        self._left = MOST_CLAIMS
        host.on_gone = self._gone
        self.meet: Meet | None = None
        """Told once a second of the referees that live; None: there are no trunks."""
        self.watched: Callable[[Sequence[str]], None] = lambda _matches: None
        """Told with each beat which of our matches somebody watches."""

    async def store(self, call: Callable[[], T]) -> T:
        """Run a blocking call on the store."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    def _gone(self, hosted: Hosted) -> None:
        self._log.forget(hosted)
        self.seeker.forget(hosted)
        self.taker.probation.discard(hosted.id)

    # -- the beat

    def reconnected(self) -> None:
        """Go on after the store came back."""
        self._beat.reconnected()

    @property
    def store_silent(self) -> bool:
        """Whether the store has not answered for a while: nobody can come in then, which is not the bots' fault."""
        return not self._log.connected or self._beat.unanswered

    async def beat(self) -> None:
        """Renew the beat each second; raises LapsedRefereeError."""
        while True:
            await self._beat.ready()
            await self._beat_once()
            await asyncio.sleep(BEAT_S)

    async def _beat_once(self) -> None:
        payload = {
            **self._address, **announced(),
            "capacity": 0 if self.draining else self.rooms.capacity, "rounds": self.rooms.in_use,
            "matches": len(self._host.matches), "draining": self.draining, "strained": list(self.strained),
            "open_ms": self._beat.open_ms,
            "halted": self._host.halted,
        }  # fmt: skip
        progress = {hosted.id: hosted.play.games_done for hosted in self._host.matches.values()}
        fresh = self._beat.fresh
        orders = await self._beat.renew(payload, progress)
        if orders is None:
            return
        if fresh and self._host.matches:
            await self._drop_lost()
        self._stop(orders.stops)
        self.watched(orders.watched)

    async def _drop_lost(self) -> None:
        """Forget the matches that others took on while our beat was missing."""
        try:
            rows = await self.taker.rows(self._host.matches)
        except StoreError as error:
            log.warning("ownership_unknown", error=str(error))  # the next append finds out
            return
        for row in rows:
            hosted = self._host.matches.get(row.id)
            if hosted is not None and row.owner != self._me and hosted.inflight is None:
                self._host.fenced(hosted)

    def _stop(self, stops: Mapping[str, Stop]) -> None:
        for match, stop in stops.items():
            hosted = self._host.matches.get(match)
            if hosted is not None:
                hosted.parked = False  # our own bug may just have ended it: the operator's word counts
                self._host.void(hosted, stop.reason)

    # -- claiming

    async def claim(self) -> None:
        """Look for work until cancelled."""
        last_orphans = last_strain = 0.0
        showing = Showing(self._store.reveals)
        while True:
            await asyncio.sleep(SCAN_S)
            if self.draining or not self._log.connected or self._beat.fresh:
                continue
            now = self._host.clock()
            self._left = MOST_CLAIMS
            try:
                if self.strain is not None and now - last_strain > (HALT_S if self._host.halted else STRAIN_S):
                    last_strain = now
                    await self._look_at_strain(self.strain)
                await self.taker.take_up_begun()
                if (show := showing.due(now)) is not None:
                    await self.store(show)
                if self._host.halted:
                    continue
                self.growth.grow()
                if not self.strained:
                    await self._claim_ready()
                if now - last_orphans > ORPHAN_SCAN_S and now > self._beat.orphans_from:
                    await self._claim_orphans()
                    last_orphans = now if self._left else 0.0
            except StoreError as error:
                log.warning("claim_failed", error=str(error))

    async def follow(self) -> None:
        """Keep up with other referees until cancelled: what one of them is long in answering holds up no claim."""
        while True:
            await asyncio.sleep(SCAN_S)
            if self.meet is None or self.draining or not self._log.connected or self._beat.fresh:
                continue
            try:
                await self._meet(self.meet, self._host.clock())
                await self.seeker.follow()
                await self.seeker.doubt()
                if not self._host.halted:
                    await self.growth.grow_away()
            except StoreError as error:
                log.warning("follow_failed", error=str(error))

    async def _look_at_strain(self, strain: Callable[[], Strain]) -> None:
        found = await self.store(strain)
        before, self.strained = self.strained, found.reasons()
        if bool(before) != bool(self.strained):
            log.warning("strained" if self.strained else "relieved", reasons=list(self.strained or before))
        if found.halts != self._host.halted:
            said = log.critical if found.halts else log.warning
            said("halted" if found.halts else "goes_on", reasons=list(self.strained or before))
            self._host.halted = found.halts
            self._log.halt(halted=found.halts)

    async def _meet(self, meet: Meet, now: float) -> None:
        """Look who lives, for the trunks."""
        if now - self._met > MEET_S:
            self._met = now
            meet(await self.store(self._store.matches.referees))

    async def _look(self) -> Sight:
        """Return what the ledger shows of referees and of who is connected to them."""
        at = await self.store(self._store.presence.by_referee)
        return Sight({} if self.meet is None else await self.store(self._store.matches.referees), at)

    async def _claim_ready(self) -> None:
        if self.rooms.free < 1:
            return
        unix_ms = self._machine.wall_ms()
        due = await self.store(lambda: self._store.matches.ready_ids(unix_ms, self._window.size))
        if unread := self._window.unread(due):
            self._window.read(await self.taker.waiting(unread))
            self._name_unsupported(unread)
        rooms = Counted(self.rooms)
        waiting: list[MatchRow] = []
        for match in due:
            row = self._window.rows.get(match)
            if row is None or match in self._host.matches or match in self.taker.aside or self.draining or lacks(row):
                continue
            with self.taker.alone(match):
                if not await self._claim_here(row, rooms):
                    waiting.append(row)
        if waiting:
            await self._claim_waiting(waiting, unix_ms)
        self._window.looked(due, self._host.matches)

    def _name_unsupported(self, matches: Iterable[str]) -> None:
        """Say of matches that have just come into view which are none for this release: others may play them."""
        for row in filter(None, map(self._window.rows.get, matches)):
            if why := lacks(row):
                log.error("unsupported", match=row.id, lacks=why)

    async def _claim_here(self, row: MatchRow, rooms: Counted) -> bool:
        """Claim a match if there is room for it; return whether all its bots are here."""
        here = self._here(row, rooms)
        if len(here) < len(row.entrants):
            return False
        games = row.meetings * len(row.entrants)
        least = min(games, *(self.rooms.share(bot, row.format) for bot in row.entrants))
        if self._left > 0 and min(rooms.free, *here.values()) >= least:
            room = min(games, rooms.look_again(row.entrants, row.format))
            if room >= least:
                rooms.took(row.entrants, room)
                await self._take(row, Terms((), room))
        return True

    def _here(self, row: MatchRow, rooms: Counted) -> dict[str, int]:
        """Return how many rounds each of a match's bots can take that are here."""
        found = {bot: rooms.of(bot, row.format) for bot in row.entrants}
        return {bot: room for bot, room in found.items() if room is not None}

    async def _claim_waiting(self, rows: list[MatchRow], unix_ms: int) -> None:
        """Claim matches with bots at other referees, and those whose absent seats have been waited for long enough."""
        since = await self.store(self._store.matches.waiting)
        sight = await self._look()
        self._absences.look_out(rows, sight, self._host.clock())
        rooms = Counted(self.rooms)
        for row in rows:
            with self.taker.alone(row.id):
                waited_ms = unix_ms - max(row.created_ms, since.get(row.id, unix_ms))
                await self._claim_waited(row, waited_ms, sight.of(row.format), rooms)

    async def _claim_waited(self, row: MatchRow, waited_ms: int, seen: Sight, rooms: Counted) -> None:
        """Claim a match whose bots are not all here, if all others are within reach or were waited for."""
        here = self._here(row, rooms)
        away = {bot: self.seeker.reachable(bot, seen) for bot in row.entrants if bot not in here}
        homes = {bot: home for bot, home in away.items() if home is not None}
        absent = [entrant for entrant, bot in enumerate(row.entrants) if bot not in here and bot not in homes]
        if any(seen.homes(row.entrants[one]) or not self._missed(row.entrants[one], row) for one in absent):
            return
        if self.draining or not away or (absent and waited_ms < self._absent_s * 1000):
            return
        if self.meet is None or self.seeker.my_turn(row.id, row.entrants, seen):
            await self._claim_away(row, absent, homes, seen, rooms)

    async def _claim_away(
        self, row: MatchRow, absent: list[int], homes: dict[str, Home], sight: Sight, rooms: Counted
    ) -> None:
        """Claim a match with bots that are at other referees, if there is room for it everywhere."""
        here = self._here(row, rooms)
        stays = {Stay(row.id, bot, row.format): home for bot, home in homes.items()}
        games = row.meetings * len(row.entrants)
        shares = [self.rooms.share(bot, row.format) for bot in here] + [sight.share(bot) for bot in homes]
        least = 1 if absent else min(games, *shares)
        room = min(rooms.free, games, *here.values())
        if room < least or self._left < 1 or not self._pauses.over(row.id):
            return
        rooms.anew()  # all that follows takes time
        try:
            if homes:
                with self.rooms.holding(row.id, [Stay(row.id, bot, row.format) for bot in here], room):
                    room = await self.seeker.reserve(stays, room)
            if room < least:
                self._pauses.refused(row.id)
            elif not self.draining:
                self._pauses.granted(row.id)
                await self._take(row, Terms(absent, room, homes))
        finally:
            if row.id not in self._host.matches:
                self.seeker.release(stays)

    async def _take(self, row: MatchRow, terms: Terms) -> None:
        """Claim a match, unless this look has claimed enough."""
        if self._left > 0:
            self._left -= 1
            await self.taker.take(row, terms)

    def _missed(self, bot: str, row: MatchRow) -> bool:
        """Whether the bot could have offered the format here for long enough and did not.

        A match that is older than this referee, or had another host, may have had its bots at one that is gone, which
        they have to notice first. Who was turned away while the ledger did not answer has to dial again.
        """
        roster = self._host.roster
        player = roster.players.get(bot)
        opened = self._beat.opened + (NOTICE_S if row.created_ms < self._beat.opened_ms else 0.0)
        away_here = player.away_since(row.format) if player else 0.0
        nowhere = self._absences.since(bot, row.format) + (NOTICE_S if row.claimed_ms else 0.0)
        away_since = max(opened, roster.awaited, away_here, nowhere)
        return self._host.clock() - away_since >= self._absent_s

    async def _claim_orphans(self) -> None:
        for row in await self.taker.orphans():  # their strikes of now
            if row.id in self._host.matches or self.draining or lacks(row):
                continue
            with self.taker.alone(row.id):
                if self.meet is None or self.seeker.my_turn(row.id, row.entrants, (await self._look()).of(row.format)):
                    await self._take(row, Terms())

    # -- handing back

    async def drain(self, patience_s: float) -> None:
        """Hand every match back, also one that is just being claimed, and wait until the log has it."""
        self.draining = True
        deadline = self._host.clock() + patience_s
        while (self._hand_back() or self.taker.busy) and self._host.clock() < deadline:  # noqa: ASYNC110  (a deadline, too)
            await asyncio.sleep(0.02)
        try:
            await self.store(lambda: self._store.matches.leave(self._me))
        except StoreError as error:
            log.warning("leave_failed", error=str(error))  # the beat runs out by itself

    def _hand_back(self) -> bool:
        """Have every match released that can be; return whether one is left."""
        for hosted in self._host.matches.values():
            if hosted.phase in (Phase.NONCES, Phase.PLAYING):
                self._host.give_back(hosted)
        return bool(self._host.matches)
