"""Takes one match on: claims it, rebuilds it from its log, hosts it. What is wrong with it harms no other match."""

import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Protocol, TypeVar

from ladder.store import Store
from ladder.store.archive import Entry
from ladder.store.errors import FencedError, StoreError, StoreUnavailableError, UnfitStoreError
from ladder.store.logs import logger
from ladder.store.masking import told
from ladder.store.rows import Claimed, MatchRow, MatchState, Refusal
from referee.hosting.beat import LapsedRefereeError
from referee.hosting.hosted import Home, Hosted, Stay
from referee.hosting.matchlog import MatchLog
from referee.hosting.rooms import Rooms
from referee.hosting.seeking import Sight
from referee.hosting.takeover import claimed_before, is_ours, park, redo, seed_of, spec_of
from referee.logbook import CorruptLogError
from referee.machine import Machine
from referee.match import EngineMismatchError, MatchPlay
from referee.match_spec import MatchSpec

PARK_AGAIN_S: Final = (1.0, 60.0)
"""Between two attempts to park a match, or two looks at it: at first, and at most; each pause is twice the one before.
"""
ATTEMPTS: Final = 3
"""So often is it tried to claim a match of which the store says that something is missing."""
T = TypeVar("T")

log = logger("referee.hosting.taking")


class Run(Protocol):
    """Runs blocking calls on the ledger beside the loop."""

    async def __call__(self, call: Callable[[], T], /) -> T:
        """Return what the call returns."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How a match is taken on.

    Attributes:
        absent: entrants that were waited for long enough; None: nobody has looked who is there.
        room: rounds that may be in flight.
        homes: by bot, the other referee that keeps room for it.
    """

    absent: Sequence[int] | None = None
    room: int = 1
    homes: Mapping[str, Home] = field(default_factory=dict)


class HeadlessMatchError(Exception):
    """A match that waits to be played has no head: it was never written, or taken away."""


class UnknownMatchError(Exception):
    """What waits to be played is no match: nothing stands under its name, or it has none that is text."""


class OwnedMatchError(Exception):
    """A match waits to be played, and has a host that lives: no host waits for what it plays."""


@dataclass(slots=True)
class Setback:
    """A match that was set aside: to be parked, if it is ours; else to be looked at again, for it may be mended.

    Attributes:
        incident: names the report of it.
        pause_s: how long is waited from now on; 0.0: nothing was waited for yet.
        next: loop time of the next attempt to park it, or of the next look at it.
        ours: it may be.
        unparkable: an attempt to park it has failed.
    """

    incident: str
    pause_s: float = 0.0
    next: float = 0.0
    ours: bool = True
    unparkable: bool = False

    def put_off(self, now: float) -> None:
        """Come back to it later than last time."""
        shortest, longest = PARK_AGAIN_S
        self.pause_s = min(longest, max(shortest, 2 * self.pause_s))
        self.next = now + self.pause_s


class Taker:
    """Hosts what this referee claims.

    Args:
        run: runs blocking calls on the ledger.
        look: reads who is connected where.
        changed: told of a match whose row may have changed.

    Attributes:
        aside: matches that this process leaves alone for now, because something about them is broken.
        begun: matches that may be ours since a claim whose end was not heard of.
        probation: hosted matches whose last hosts died of something.
    """

    def __init__(
        self, store: Store, match_log: MatchLog, rooms: Rooms, machine: Machine, me: str, *, run: Run,
        look: Callable[[], Awaitable[Sight]], changed: Callable[[str], object],
    ) -> None:  # fmt: skip
        self._store = store
        self._log = match_log
        self._rooms = rooms
        self._host = rooms.host
        self._machine = machine
        self._me = me
        self._run = run
        self._look = look
        self._changed = changed
        self._refused: set[str] = set()
        self._broken: dict[str, Setback] = {}
        self._failed: Counter[str] = Counter()
        self._fenced: set[str] = set()
        self._looking = 0
        self.aside: set[str] = set()
        self.begun: set[str] = set()
        self.probation: set[str] = set()
        match_log.on_refused = self.refused
        match_log.on_fenced = self._fenced.add

    # -- one match

    async def take(self, row: MatchRow, terms: Terms) -> None:
        """Claim a match and host it."""
        if row.strikes and self.probation:
            return
        with self.alone(row.id):
            spec = spec_of(row)
            if spec is None:
                return
            stays = [Stay(row.id, bot, row.format) for bot in row.entrants]
            with self._rooms.holding(row.id, stays, terms.room):
                await self._claim(row, spec, terms)

    async def take_up_begun(self) -> None:
        """Host what is ours since a claim in which the store fell silent: while we beat, nobody else takes it."""
        await self._look_at_fenced()
        await self._park_broken()
        for match in list(self.begun):
            with self.alone(match):
                claimed = await self._run(partial(claimed_before, match, self._store, self._me))
                spec = None if claimed is None else spec_of(claimed.row)
                if claimed is not None and spec is not None:
                    await self._host_claimed(spec, claimed, Terms())
                self.begun.discard(match)

    async def _look_at_fenced(self) -> None:
        """Set aside what nobody else has taken on though we were fenced: then its head is not what we wrote."""
        for match in list(self._fenced):
            with self.alone(match):
                ours = await self._run(partial(is_ours, match, self._store, self._me))
                self._fenced.discard(match)
                if ours and match not in self.begun:
                    self.set_aside(match, FencedError("its head is not the one that its host wrote"))

    @property
    def busy(self) -> bool:
        """Whether a match is just being taken on."""
        return self._looking > 0

    @contextmanager
    def alone(self, match: str) -> Iterator[None]:
        """Have a drain wait for what happens in here; what is wrong with this match alone holds no other up."""
        self._looking += 1
        try:
            yield
        except (StoreUnavailableError, LapsedRefereeError):
            raise
        except StoreError as error:
            self._unclaimable(match, error)
        except Exception as broken:  # noqa: BLE001  (the next referee would meet the same match)
            self.set_aside(match, broken)
        finally:
            self._looking -= 1

    def _unclaimable(self, match: str, error: StoreError) -> None:
        """Say once that the store lacks something of a match; after some attempts it is set aside."""
        self._failed[match] += 1
        if self._failed[match] == 1 and match not in self._broken:
            log.error("unclaimable", match=match, error=str(error))
        tried = match in self._broken or self._failed[match] >= ATTEMPTS
        if tried and not isinstance(error, UnfitStoreError):  # that is about all of the store
            self.set_aside(match, error)

    def set_aside(self, match: str, broken: Exception) -> None:
        """Leave a match alone that is not hosted here, and say so under an id, once until it is mended or parked."""
        for kept in (self.begun, self._fenced):
            kept.discard(match)
        self._failed.pop(match, None)
        if match in self._host.matches:  # it is played on: only its row is damaged
            log.warning("row_unreadable", match=match, error=told(broken))
            return
        self.aside.add(match)
        if known := self._broken.get(match):
            known.ours, known.next = True, 0.0
            log.warning("still_damaged", match=match, incident=known.incident, error=told(broken))
            return
        incident = secrets.token_hex(4)
        self._broken[match] = Setback(incident)
        self._host.metrics.crashes += 1
        log.critical("match_set_aside", match=match, incident=incident, error=told(broken), exc_info=broken)

    async def _park_broken(self) -> None:
        """Park what was set aside and is ours, as soon as that can be done; let what is not be looked at again."""
        for match, setback in list(self._broken.items()):
            if self._host.clock() < setback.next:
                continue
            if match not in self.aside or match in self._host.matches:  # nothing was wrong with it at the last look
                self._mended(match)
            elif setback.ours:
                await self._park(match, setback)
            else:
                self.aside.discard(match)
                self._changed(match)  # it may have been mended
                setback.next = self._host.clock() + PARK_AGAIN_S[1]
        self._host.metrics.unparkable = sum(setback.unparkable for setback in self._broken.values())

    async def _park(self, match: str, setback: Setback) -> None:
        unix_ms, reason = self._machine.wall_ms(), f"internal error {setback.incident}"
        try:
            parked = await self._run(partial(park, match, self._store, self._me, unix_ms, reason))
        except StoreUnavailableError:
            raise
        except Exception as error:  # noqa: BLE001  (whatever is broken about it)
            if not setback.unparkable:
                log.error("unparkable", match=match, incident=setback.incident, error=told(error))  # noqa: TRY400
            setback.unparkable = True
            setback.put_off(self._host.clock())
        else:
            setback.ours = setback.unparkable = False
            if parked:
                self._mended(match)
            else:
                setback.put_off(self._host.clock())

    def _mended(self, match: str) -> None:
        """Forget what was wrong with a match: whoever puts it back into the queue has it played."""
        self.aside.discard(match)
        self._refused.discard(match)
        del self._broken[match]

    def refused(self, hosted: Hosted, error: Exception) -> None:
        """The store takes nothing more for a match: drop it and begin it anew from its log; once."""
        self._host.drop(hosted)
        if hosted.id in self._refused:
            self.set_aside(hosted.id, error)
        else:
            self._refused.add(hosted.id)
            self.begun.add(hosted.id)

    async def _claim(self, row: MatchRow, spec: MatchSpec, terms: Terms) -> None:
        unix_ms = self._machine.wall_ms()
        seed = await self._run(partial(seed_of, row, self._store, self._machine))
        self.begun.add(row.id)
        claimed = await self._run(lambda: self._store.matches.claim(row.id, self._me, unix_ms, seed=seed))
        self._changed(row.id)
        self._failed.pop(row.id, None)
        if isinstance(claimed, Claimed):
            await self._host_claimed(spec, claimed, terms)
        elif claimed.reason is Refusal.UNKNOWN:
            raise HeadlessMatchError(f"match {row.id} has no head")
        elif claimed.reason is Refusal.SELF:
            raise LapsedRefereeError("its beat is missing")
        elif claimed.reason is Refusal.DEAL:
            log.error("table_refused", match=row.id, group=row.group, deals=row.deals, entrants=row.entrants)
        elif claimed.reason is Refusal.ALIVE and row.state is MatchState.READY and row.owner:
            raise OwnedMatchError(f"match {row.id} is ready, and {row.owner} is its host and lives")
        self.begun.discard(row.id)

    async def _host_claimed(self, spec: MatchSpec, claimed: Claimed, terms: Terms) -> None:
        row = claimed.row
        entries = await self._run(partial(self._store.matches.log, row.id))
        sight = await self._look() if terms.absent is None else Sight()
        play = MatchPlay(spec, claimed.seed)
        hosted = Hosted(play, claimed.head, claimed.epoch, 0)
        hosted.parallel = max(1, min(terms.room, spec.games))
        hosted.homes, hosted.kept = dict(terms.homes), terms.room
        hosted.queued_ms = row.created_ms
        self._log.open(hosted, self._store.matches.calls(row.id, me=self._me, tournament=row.tournament))
        if row.strikes:
            self.probation.add(row.id)
        self._host.metrics.claims += 1
        if row.stop is not None:
            self._host.matches[hosted.id] = hosted
            self._host.void(hosted, row.stop.reason)
        elif await self._rebuilt(hosted, entries):
            hosted.parallel = max(hosted.parallel, len(play.tables))
            if terms.absent is None and self._unattended(hosted, sight):
                self._host.matches[hosted.id] = hosted
                self._host.give_back(hosted)
            else:
                self._host.adopt(hosted, terms.absent or ())

    def _unattended(self, hosted: Hosted, sight: Sight) -> bool:
        """Whether nothing was played and not all of its bots are there: then they are waited for, as in the queue."""
        play, seen = hosted.play, sight.of(hosted.format_name)
        here = self._host.roster.players
        hosted.unattended = not play.begun and any(
            not (bot in here and hosted.format_name in here[bot].formats) and not seen.homes(bot)
            for entrant, bot in enumerate(play.spec.entrants) if entrant not in play.gone
        )  # fmt: skip
        return hosted.unattended

    async def _rebuilt(self, hosted: Hosted, entries: Iterable[Entry]) -> bool:
        """Bring a match to where its log ends; return whether it can be played on from there."""
        try:
            await redo(hosted.play, entries, self._machine)
        except (EngineMismatchError, CorruptLogError) as error:
            log.critical("engine_mismatch", match=hosted.id, problem=str(error))
            self._host.metrics.mismatches += 1
            self._host.matches[hosted.id] = hosted
            self._host.void(hosted, "engine_mismatch")
        except Exception as bug:  # noqa: BLE001  (one match must not take its neighbours along)
            self._host.matches[hosted.id] = hosted
            self._host.crashed(hosted, bug)
        else:
            return True
        return False

    # -- their rows

    async def waiting(self, matches: Iterable[str]) -> list[MatchRow]:
        """Return the rows of these matches of the queue, as `rows`; one that is no match is set aside, too."""
        wanted = [match for match in matches if match not in self.aside]
        rows = await self.rows(wanted)
        for match in {*wanted} - {row.id for row in rows} - self.aside - self._host.matches.keys():
            self.set_aside(match, UnknownMatchError(f"{match} is in the queue, and there is no such match"))
        return rows

    async def orphans(self) -> list[MatchRow]:
        """Return the rows of matches that no referee knows of, as they are now."""
        unix_ms = self._machine.wall_ms()
        find, besides = self._store.matches.orphans, frozenset(self.aside | self._host.matches.keys())
        try:
            return await self.rows(await self._run(lambda: find(unix_ms, besides)))
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001  (a row that cannot be read; it is looked for, and then left alone)
            log.warning("orphans_unreadable", error=told(error))
            await self.rows(await self._run(self._store.matches.open_ids) - besides)
        return []

    async def rows(self, matches: Iterable[str]) -> list[MatchRow]:
        """Return the rows of these matches, less those that are set aside; one that cannot be read joins them.

        Unless it is hosted here, or was when it was asked for: then it is left out.
        """
        wanted, hosted = [match for match in matches if match not in self.aside], frozenset(self._host.matches)
        try:
            return await self._run(partial(self._store.matches.rows, wanted))
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001  (which of them it is comes out below)
            log.warning("rows_unreadable", matches=len(wanted), error=told(error))
        return await self._readable(wanted, hosted)

    async def _readable(self, matches: Sequence[str], hosted: Collection[str]) -> list[MatchRow]:
        """Return the rows of these matches, at least one of which cannot be read: it is found by halves."""
        if len(matches) == 1:
            if matches[0] in hosted:  # it plays on, or has just ended
                log.warning("row_unreadable", match=matches[0])
                return []
            with self.alone(matches[0]):
                return await self._run(partial(self._store.matches.rows, matches))
            return []
        found = []
        for half in (matches[: len(matches) // 2], matches[len(matches) // 2 :]):
            try:
                found += await self._run(partial(self._store.matches.rows, half))
            except StoreError:
                raise
            except Exception:  # noqa: BLE001  (as above)
                found += await self._readable(half, hosted)
        return found
