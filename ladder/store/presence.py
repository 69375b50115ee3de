"""Who is connected where: a hint for planning, valid while the referee that wrote it is alive."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from ladder.store.call import Call
from ladder.store.client import Link
from ladder.store.keys import Keys
from ladder.store.scripts import script
from ladder.store.unread import Unread


@dataclass(frozen=True, slots=True)
class Online:
    """A bot version that is connected."""

    formats: frozenset[str]
    """That it plays."""
    room: int
    """Games that it plays at once."""
    rooms: Mapping[str, int] = field(default_factory=dict)
    """Those of formats that not all of its processes play."""

    def room_for(self, format_name: str) -> int:
        """Games of a format that it plays at once."""
        return self.rooms.get(format_name, self.room) if format_name in self.formats else 0


class Presence:
    """Connected versions of a tenant."""

    def __init__(self, link: Link, keys: Keys) -> None:
        self._link = link
        self._keys = keys
        self._unread = Unread("presence_unreadable")

    def put(self, me: str, here: Mapping[str, Online]) -> None:
        """Says that these versions are connected to the referee `me`; others that it named stay."""
        rows = {f"{me}/{bot}": _text(online) for bot, online in here.items()}
        self._write(rows)

    def drop(self, me: str, gone: Collection[str]) -> None:
        """Says that these versions are no longer connected to the referee `me`."""
        self._write({f"{me}/{bot}": "" for bot in gone})

    def online(self, for_format: str | None = None) -> dict[str, Online]:
        """Connected versions, in alphabetical order; with a format only those that play it, and room for it.

        Room adds up.
        """
        found: dict[str, Online] = {}
        for _, bot, online in self._living():
            if for_format is None or for_format in online.formats:
                before = found.get(bot, Online(frozenset(), 0))
                room = online.room if for_format is None else online.room_for(for_format)
                found[bot] = Online(before.formats | online.formats, before.room + room)
        return dict(sorted(found.items()))

    def by_referee(self) -> dict[str, dict[str, Online]]:
        """Connected versions by the referee that they dialled."""
        found: dict[str, dict[str, Online]] = {}
        for me, bot, online in self._living():
            found.setdefault(me, {})[bot] = online
        return found

    def sweep(self) -> int:
        """Forgets what dead referees said; returns how many entries that were."""
        keys = (self._keys.referees, self._keys.presence)
        swept = self._link.run(Call(script("sweep"), keys, (self._keys.beat(""), self._keys.owned(""))))
        assert isinstance(swept, int)
        return swept

    def _write(self, rows: Mapping[str, str]) -> None:
        if rows:
            words = tuple(word for row in rows.items() for word in row)
            self._link.run(Call(script("presence"), (self._keys.presence,), words))

    def _living(self) -> Iterator[tuple[str, str, Online]]:
        reply = cast("Mapping[bytes, bytes]", self._link.read("HGETALL", self._keys.presence))
        rows = {where.decode(errors="backslashreplace"): text for where, text in reply.items()}
        referees = sorted({where.rpartition("/")[0] for where in rows})
        alive = dict(zip(referees, self._link.exist([self._keys.beat(me) for me in referees]), strict=True))
        here = {where: _online(text) for where, text in rows.items() if alive[where.rpartition("/")[0]]}
        self._unread.name(where for where, online in here.items() if online is None)
        for where, online in here.items():
            me, _, bot = where.rpartition("/")
            if online is not None:
                yield me, bot, online


def _online(text: bytes) -> Online | None:
    """What a referee said of a version; None: nothing that can be read."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return None
    match content:
        case {"formats": [*formats], "room": int(room)} if all(isinstance(one, str) for one in formats):
            rooms = content.get("rooms", {})
            if isinstance(rooms, dict) and all(isinstance(one, int) for one in rooms.values()):
                return Online(frozenset(formats), room, rooms)
    return None


def _text(online: Online) -> str:
    content: dict[str, object] = {"formats": sorted(online.formats), "room": online.room}
    if online.rooms:
        content["rooms"] = dict(sorted(online.rooms.items()))
    return json.dumps(content, separators=(",", ":"))
