"""Lets matches that began with little room play more games at once, here and at the homes of their bots."""

from collections.abc import Awaitable
from contextlib import ExitStack

from referee.hosting.host import Host
from referee.hosting.hosted import Hosted, Phase
from referee.hosting.rooms import Counted, Rooms
from referee.hosting.seeking import Seeker, side_by_side


class Growth:
    """Widens the matches of a host, as far as its bots and their homes have room."""

    def __init__(self, host: Host, rooms: Rooms, seeker: Seeker) -> None:
        self._host = host
        self._rooms = rooms
        self._seeker = seeker

    def grow(self) -> None:
        """Let matches whose bots are all here, and that began with little room, play more games at once."""
        rooms = Counted(self._rooms)
        for hosted in list(self._host.matches.values()):
            room, here = self._growth(hosted, rooms)
            if room > 0 and not hosted.homes:
                rooms.took(here, room)
                self._widen(hosted, room)

    async def grow_away(self) -> None:
        """Let those grow that have bots at other referees: all homes are asked side by side."""
        rooms = Counted(self._rooms)
        asking: dict[Hosted, Awaitable[int]] = {}
        with ExitStack() as held:
            for hosted in [one for one in self._host.matches.values() if one.homes]:
                room, here = self._growth(hosted, rooms)
                if room > 0:
                    rooms.anew()
                    held.enter_context(self._rooms.holding(f"{hosted.id} more", map(hosted.stay, here), room))
                    asking[hosted] = self._seeker.more(hosted, room)
            granted = await side_by_side(asking.values())
        for hosted, room in zip(asking, granted, strict=True):
            if room > 0:
                self._widen(hosted, room)

    def _growth(self, hosted: Hosted, rooms: Counted) -> tuple[int, list[str]]:
        """Return by how many games a match may grow, as far as we know, and those of its bots that are here."""
        left = hosted.play.spec.games - hosted.play.games_done - hosted.parallel
        if hosted.phase is not Phase.PLAYING or left < 1:
            return 0, []
        playing = [bot for e, bot in enumerate(hosted.play.spec.entrants) if e not in hosted.play.gone]
        here = [bot for bot in playing if bot not in hosted.homes]
        if rooms.free < 1 or not all(self._rooms.has_place(bot, hosted.format_name) for bot in here):
            return 0, []  # as it is where everybody plays: nothing has to be counted
        return min(left, rooms.free, *(rooms.of(bot, hosted.format_name) or 0 for bot in here)), here

    def _widen(self, hosted: Hosted, room: int) -> None:
        if hosted.phase is Phase.PLAYING:
            hosted.parallel += room
            self._host.fill(hosted)
