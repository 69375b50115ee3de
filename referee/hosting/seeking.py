"""Finds bots at other referees: for matches to be claimed here, and for matches here whose bots have moved."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from math import inf
from typing import Final, Protocol, TypeAlias, TypeVar

from ladder.store.logs import logger
from ladder.store.presence import Online
from referee.hosting.host import Host
from referee.hosting.hosted import Home, Hosted, Phase, Stay
from referee.hosting.rooms import worth
from referee.hosting.roster import Player

STEP_S: Final = 0.3
"""The next referee in line for a match waits so much longer."""
LEFT_ALONE_S: Final = 30.0
"""For so long a match is left to a referee that has all its bots and capacity."""
UNREACHABLE_S: Final = 5.0
"""After so long without a trunk to a living home a match is given back."""
GROW_S: Final = 1.0
DOUBT_S: Final = 0.5
"""After so long without a word a stream may be dead; so often it is looked for where its bot is."""
LISTED_S: Final = 0.3
"""So long after it has come in a bot is in the list of who is where."""
MOST_SEEN: Final = 10_000
MOST_ASKED: Final = 64
"""So much is asked of one home at once."""
Slots: TypeAlias = defaultdict[Home, asyncio.Semaphore]
T = TypeVar("T")

log = logger("referee.hosting.seeking")


@dataclass(frozen=True, slots=True)
class Sight:
    """What the ledger shows of referees and of who is connected to them.

    Attributes:
        beats: living referees with what they say of themselves.
        at: bots by referee.
    """

    beats: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    at: Mapping[str, Mapping[str, Online]] = field(default_factory=dict)
    _narrowed: dict[str, "Sight"] = field(default_factory=dict, compare=False)

    def of(self, format_name: str) -> "Sight":
        """Return what is to be seen of bots that offer a format, with their room for it."""
        if format_name not in self._narrowed:
            at = {name: _offering(bots, format_name) for name, bots in self.at.items()}
            self._narrowed[format_name] = Sight(self.beats, at)
        return self._narrowed[format_name]

    def homes(self, bot: str) -> list[str]:
        """Return where a bot is connected, the one with most room first."""
        found = [name for name, bots in self.at.items() if bot in bots]
        return sorted(found, key=lambda name: (-self.at[name][bot].room, name))

    def share(self, bot: str) -> int:
        """Room from which on a further match of a bot is worth beginning."""
        return worth(max((self.at[name][bot].room for name in self.homes(bot)), default=0))


def _offering(bots: Mapping[str, Online], format_name: str) -> dict[str, Online]:
    return {
        bot: Online(frozenset({format_name}), online.room_for(format_name))
        for bot, online in bots.items()
        if format_name in online.formats
    }


class Trunks(Protocol):
    """The trunks of this referee."""

    @property
    def whole(self) -> bool:
        """Whether every referee that lives can be reached."""

    @property
    def told_until(self) -> float:
        """Loop time up to which all is here that those had to say who can be reached."""

    def prove(self) -> None:
        """Have that be later soon."""

    def home(self, name: str) -> Home | None:
        """Return a referee that can be reached and answers."""


class NoTrunks:
    """There are no other referees."""

    whole = True
    told_until = inf

    def prove(self) -> None:
        """Do nothing."""

    def home(self, name: str) -> None:
        """Return nothing."""
        del name


class Seeker:
    """Places matches and follows bots.

    Args:
        me: incarnation of this referee.
        look: reads the ledger.
        give_back: has a match released.
    """

    def __init__(
        self, host: Host, trunks: Trunks, me: str, look: Callable[[], Awaitable[Sight]],
        give_back: Callable[[Hosted], None],
    ) -> None:  # fmt: skip
        self._host = host
        self._trunks = trunks
        self._me = me
        self._look = look
        self._give_back = give_back
        self._seen: dict[str, float] = {}
        self._grown: dict[str, float] = {}
        self._sought: Counter[Player] = Counter()
        self._doubted = 0.0
        self._listed_until = -inf
        self._asked = False
        self._news: dict[str, dict[str, Online]] = {}

    # -- for matches to be claimed; `sight` is of the bots that offer the format

    def reachable(self, bot: str, sight: Sight) -> Home | None:
        """Return the other referee at which a bot can be reached."""
        for name in sight.homes(bot):
            home = self._trunks.home(name)
            if home is not None:
                return home
        return None

    def my_turn(self, match: str, entrants: Sequence[str], sight: Sight) -> bool:
        """Whether a match is for this referee: most of its bots are here, or those before us have not taken it."""
        now = self._host.clock()
        if len(self._seen) > MOST_SEEN:
            self._seen.clear()
        waited = now - self._seen.setdefault(match, now)
        line = sorted(sight.beats, key=lambda name: _place(name, match, entrants, sight))
        if self._me not in line:
            return True
        first = line[0]
        alone = first != self._me and _full_house(first, entrants, sight)
        return waited >= (LEFT_ALONE_S if alone else STEP_S * line.index(self._me))

    async def reserve(self, homes: Mapping[Stay, Home], rounds: int) -> int:
        """Have room kept for a match; returns how much there is everywhere. 0: nothing is kept."""
        room = rounds
        for stay, home in sorted(homes.items()):
            room = min(room, await home.reserve(stay, room))
            if room < 1:
                self.release(homes)
                return 0
        for stay, home in homes.items():
            home.keep(stay, room)
        return room

    def release(self, homes: Mapping[Stay, Home]) -> None:
        """Have no room kept any more."""
        for stay, home in homes.items():
            home.keep(stay, 0)

    def forget(self, hosted: Hosted) -> None:
        """Give back what was kept for a match that is not here any more."""
        self.release(_stays(hosted))
        hosted.homes.clear()
        self._grown.pop(hosted.id, None)
        self._seen.pop(hosted.id, None)

    # -- for matches hosted here

    async def more(self, hosted: Hosted, rounds: int) -> int:
        """Return how many more of these rounds the homes of a match grant; asked at most once a second."""
        now = self._host.clock()
        if now - self._grown.get(hosted.id, 0.0) < GROW_S:
            return 0
        self._grown[hosted.id] = now
        before, stays = hosted.reserved, _stays(hosted)
        granted = await side_by_side(home.reserve(stay, before + rounds) for stay, home in stays.items())
        hosted.kept = max(before, min(granted, default=before + rounds))
        for (stay, home), its in zip(stays.items(), granted, strict=True):
            if its and hosted.homes.get(stay.bot) is home:
                home.keep(stay, hosted.kept)
            else:
                _let_go(hosted, stay, home)
        return 0 if hosted.phase is Phase.GONE else hosted.kept - before

    async def follow(self) -> None:
        """Keep the room of matches true, and find the bots that are not here, or not there, any more.

        All homes are asked side by side: one that is long in answering holds up nobody but who is sought there.
        """
        here = [one for one in self._host.matches.values() if one.phase in (Phase.NONCES, Phase.PLAYING)]
        growing = [(hosted, stay, home) for hosted in here for stay, home in self._true_up(hosted)]
        astray = [(hosted, bot) for hosted in here for bot in self._missing(hosted)]
        cut: set[Hosted] = set()
        if astray or growing:
            sight = await self._look() if astray else Sight()
            slots: Slots = defaultdict(partial(asyncio.Semaphore, MOST_ASKED))
            found = await side_by_side(
                [*(_grow(*one, slots) for one in growing), *(self._find(*one, sight, slots) for one in astray)]
            )
            cut = {hosted for (hosted, _), reached in zip(astray, found[len(growing) :], strict=True) if not reached}
        self._mind(cut)

    @property
    def told_until(self) -> float:
        """Loop time up to which is known here of every stream that a bot has opened anywhere."""
        return min(self._trunks.told_until, inf if self._trunks.whole else self._listed_until)

    def prove(self) -> None:
        """Ask who can be reached, and the ledger about all others."""
        self._asked = True
        self._trunks.prove()

    async def doubt(self) -> None:
        """Note which bots are at a referee out of reach, too: it cannot tell us that their lines here are dead."""
        now, players = self._host.clock(), list(self._host.roster.players.values())
        if self._trunks.whole:
            self._asked = False
            self._news.clear()
            for player in players:
                player.doubted = player.elsewhere = 0.0
        elif now - self._doubted >= DOUBT_S and (
            self._asked or any(now - one.heard > DOUBT_S for one in self._host.roster.sessions)
        ):
            self._doubted, self._asked = now, False
            sight = await self._look()
            cut = [name for name in sight.at if name != self._me and self._trunks.home(name) is None]
            for player in players:
                there = {name: sight.at[name][player.bot] for name in cut if player.bot in sight.at[name]}
                if not there:
                    player.elsewhere = 0.0
                elif there != self._news.get(player.bot):
                    player.elsewhere = now
                self._news[player.bot] = there
            self._listed_until = now - LISTED_S

    def _true_up(self, hosted: Hosted) -> list[tuple[Stay, Home]]:
        """Give back what is not needed; return the stays of which more is to be kept."""
        if not hosted.homes:
            hosted.kept = hosted.reserved
            return []
        for bot in [bot for bot in hosted.homes if self._host.roster.plays_here(bot, hosted.format_name)]:
            hosted.homes.pop(bot).keep(hosted.stay(bot), 0)
        before, hosted.kept = hosted.kept, hosted.reserved
        if hosted.kept > before:
            return [*_stays(hosted).items()]
        if hosted.kept < before:
            for stay, home in _stays(hosted).items():
                home.keep(stay, hosted.kept)
        return []

    def _missing(self, hosted: Hosted) -> list[str]:
        """Return the bots of a match that play nowhere, or at another referee which keeps nothing for it."""
        play, plays_here = hosted.play, self._host.roster.plays_here
        return [
            bot for entrant, bot in enumerate(play.spec.entrants)
            if entrant not in play.gone and not plays_here(bot, hosted.format_name) and not self._kept(hosted, bot)
        ]  # fmt: skip

    def _kept(self, hosted: Hosted, bot: str) -> bool:
        """Whether a bot plays at the referee that keeps room for it in a match."""
        player, home = self._host.roster.player(bot, self._host.clock()), hosted.homes.get(bot)
        return home is not None and any(one.at(home) for one in player.sessions_for(hosted.format_name))

    async def _find(self, hosted: Hosted, bot: str, sight: Sight, slots: Slots) -> bool:
        """Reach a bot at its new home; returns False where it is at one that lives and is out of its reach, or ours.

        A home that answers that the bot is not there is right, and the list of who is where is late: what runs for it
        runs on, without the time that the answer took.
        """
        stay = hosted.stay(bot)
        player = self._host.roster.player(bot, self._host.clock())
        names = [name for name in sight.of(stay.format_name).homes(bot) if name != self._me]
        plays = stay.format_name in player.formats
        for name in names:
            home = self._trunks.home(name)
            if home is not None and await self._settled(hosted, player, home, slots[home]):
                log.info("found", match=hosted.id, bot=bot, home=name)
                if plays:
                    self._host.remind(hosted, bot)
                return True
        if stay.format_name not in player.formats and any(self._shut(name, sight) for name in names):
            player.excuse(self._host.clock(), stay.format_name)
            player.stop(stay.format_name)
            return False
        return True

    def _shut(self, name: str, sight: Sight) -> bool:
        """Whether a bot can play at no match of ours from a referee that lives: it cannot be reached, or stops."""
        return self._trunks.home(name) is None or bool(sight.beats.get(name, {}).get("draining"))

    async def _settled(self, hosted: Hosted, player: Player, home: Home, slot: asyncio.Semaphore) -> bool:
        """Have a home say where its bot is, and keep room for it; until it does, or cannot, nobody is late."""
        stay, rounds = hosted.stay(player.bot), hosted.reserved
        with self._seeking(player):
            async with slot:
                if not await home.reserve(stay, rounds, must=True):
                    return False
        if hosted.phase is Phase.GONE:
            home.keep(stay, 0)
            return True
        old = hosted.homes.get(player.bot)
        if old is not None and old is not home:
            _let_go(hosted, stay, old)
        alike = not hosted.homes or hosted.kept == rounds
        hosted.homes[player.bot] = home
        hosted.kept = rounds if alike else 0  # then all are told at the next look
        return True

    @contextmanager
    def _seeking(self, player: Player) -> Iterator[None]:
        """Have it known that a bot is asked for, in however many matches."""
        self._sought[player] += 1
        player.sought = True
        try:
            yield
        finally:
            self._sought[player] -= 1
            if not self._sought[player]:
                del self._sought[player]
                player.sought = False

    def _mind(self, cut: set[Hosted]) -> None:
        """Give back what cannot be played here because the way to a living home is cut."""
        now = self._host.clock()
        for hosted in list(self._host.matches.values()):
            if hosted not in cut:
                hosted.cut_since = 0.0
            elif not hosted.cut_since:
                hosted.cut_since = now
            elif now - hosted.cut_since > UNREACHABLE_S and hosted.phase in (Phase.NONCES, Phase.PLAYING):
                log.warning("unreachable", match=hosted.id)
                self._give_back(hosted)


async def _grow(hosted: Hosted, stay: Stay, home: Home, slots: Slots) -> bool:
    """Have a home keep as much as a match takes by now; one that does not is asked anew at the next look."""
    async with slots[home]:
        kept = await home.reserve(stay, hosted.kept, must=True) > 0
    if not kept or hosted.homes.get(stay.bot) is not home:
        _let_go(hosted, stay, home)
    return kept


def _let_go(hosted: Hosted, stay: Stay, home: Home) -> None:
    """Have a home keep nothing any more for a bot of a match."""
    if hosted.homes.get(stay.bot) is home:
        del hosted.homes[stay.bot]
    home.keep(stay, 0)


async def side_by_side(calls: Iterable[Awaitable[T]]) -> list[T]:
    """Wait for all of them; raises what one has raised when all have ended."""
    ended = await asyncio.gather(*calls, return_exceptions=True)
    for one in ended:
        if isinstance(one, BaseException):
            raise one
    return [one for one in ended if not isinstance(one, BaseException)]


def _stays(hosted: Hosted) -> dict[Stay, Home]:
    return {hosted.stay(bot): home for bot, home in hosted.homes.items()}


def _place(name: str, match: str, entrants: Sequence[str], sight: Sight) -> tuple[bool, int, bytes]:
    """Order referees for a match: those with capacity, those with most of its bots, then by chance."""
    here = sum(bot in sight.at.get(name, {}) for bot in entrants)
    return not _has_capacity(name, sight), -here, sha256(f"{match} {name}".encode()).digest()


def _full_house(name: str, entrants: Sequence[str], sight: Sight) -> bool:
    return _has_capacity(name, sight) and all(bot in sight.at.get(name, {}) for bot in entrants)


def _has_capacity(name: str, sight: Sight) -> bool:
    said = sight.beats.get(name, {})
    capacity, in_use = said.get("capacity"), said.get("rounds", 0)
    return isinstance(capacity, int) and isinstance(in_use, int) and capacity > in_use and not said.get("strained")
