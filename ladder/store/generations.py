"""Generations of a ladder: computed anew from its log without the matches that were declared void, published at once.

The new numbers are written beside the served ones. One script puts them in their place, and only if they cover every
entry and every void of that moment; what came in meanwhile is added first. Readers see the old ladder or the new one.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, cast

from ladder.store.call import Call, Word
from ladder.store.client import Link
from ladder.store.keys import Keys
from ladder.store.ladder_log import Ladder, RatedMatch, Voided, parse
from ladder.store.replay import Replay
from ladder.store.scripts import script

PARTS: Final = ("rating", "games", "log", "stat")
"""What a generation consists of; `cfg`, `seen` and `void` belong to all of them."""
PAGE: Final = 500
WORDS: Final = 2_000
"""Words of one call, about: it must not hold up the one thread of the server."""
ALIVE_S: Final = 60
"""So long after its last word a builder counts as dead, and what it left goes by itself."""
ATTEMPTS: Final = 100
"""Times that matches which came in meanwhile are added before it is left for later."""
RESTARTS: Final = 5
"""Times that it is begun again because further matches were declared void meanwhile."""


@dataclass(frozen=True, slots=True)
class Renewed:
    """A new generation is served."""

    generation: int
    matches: int
    """Applied, those without effect included."""
    voids: int
    """Of these, matches that count for nothing."""


@dataclass(slots=True)
class _Building:
    """A generation in the making."""

    builder: str
    ladder: Ladder
    voids: Mapping[str, str]
    replay: Replay
    last: str = ""
    """Id of the last entry that it covers."""
    dropped: int = 0
    written: dict[str, dict[str, str]] = field(default_factory=dict)
    """By part, the rows as they stand in the store."""


class _MovedError(Exception):
    """Somebody else builds, or what is left out has changed: begin again or leave it."""


class Generations:
    """Of all ladders of a tenant."""

    def __init__(self, link: Link, keys: Keys) -> None:
        self._link = link
        self._keys = keys

    def due(self) -> list[str]:
        """Formats whose ladders have to be computed anew."""
        return self._link.ranked("ZRANGE", self._keys.renew_due, 0, -1)

    def renew(self, ladder_format: str, builder: str) -> Renewed | None:
        """Computes a ladder anew and serves it; None: another builder is at work, or was faster.

        Args:
            ladder_format: Its format.
            builder: A name that nobody else has.
        """
        fields = self._link.hash(self._keys.ladder(ladder_format, "cfg"))
        if not fields:
            self._forget(ladder_format)
            return None
        ladder = Ladder.of(ladder_format, fields)
        for _ in range(RESTARTS):
            building = self._begin(ladder, builder)
            if building is None:
                return None
            try:
                return self._build(building)
            except _MovedError:
                continue
        return None

    def _forget(self, ladder_format: str) -> None:
        """Forgets that a ladder is due that nobody ever entered."""
        self._link.run(Call(script("undue"), (self._keys.renew_due,), (ladder_format,)))

    def _begin(self, ladder: Ladder, builder: str) -> _Building | None:
        keys = (self._key(ladder, "builder"), *(self._key(ladder, f"new:{part}") for part in PARTS))
        if self._link.run(Call(script("renew_begin"), keys, (builder, ALIVE_S))) != b"OK":
            return None
        voids = self._link.hash(self._key(ladder, "void"))
        return _Building(builder, ladder, voids, Replay(ladder.elo.init))

    def _build(self, building: _Building) -> Renewed | None:
        """Adds what is new until nothing is; returns what is served then, None if it never caught up."""
        for _ in range(ATTEMPTS):
            for entries in self._pages(building):
                self._add(building, entries)
            self._write_rows(building)
            word, *rest = self._switch(building)
            if word == "OK":
                return Renewed(int(rest[0]), building.replay.seq, building.dropped)
            if word == "LOST" or self._link.hash(self._key(building.ladder, "void")) != building.voids:
                raise _MovedError
        return None

    def _pages(self, building: _Building) -> Iterator[list[tuple[str, dict[str, bytes]]]]:
        """Yields the entries of the served log that are not covered yet."""
        key = self._key(building.ladder, "log")
        while True:
            first = f"({building.last}" if building.last else "-"
            entries = self._link.entries(key, first, "+", PAGE)
            yield entries
            if len(entries) < PAGE:
                return

    def _add(self, building: _Building, entries: Iterable[tuple[str, dict[str, bytes]]]) -> None:
        """Replays entries, and writes them as they ought to be."""
        words: list[Word] = []
        for entry_id, fields in entries:
            entry = parse(entry_id, fields, building.ladder.elo.init)
            if isinstance(entry, RatedMatch) and entry.match in building.voids:
                entry = Voided(entry.seq, entry.match, entry.digest, building.voids[entry.match])
            building.dropped += isinstance(entry, Voided)
            right = building.replay.add(entry).words()
            words += [entry_id, len(right), *right]
            building.last = entry_id
            if len(words) > WORDS:
                self._put(building, "log", "log", words)
                words = []
        if words:
            self._put(building, "log", "log", words)

    def _write_rows(self, building: _Building) -> None:
        """Writes the rows that are not as they stand in the store already."""
        replay = building.replay
        self._rows(building, "zset", "rating", {bot: str(micro) for bot, micro in replay.rating.items()})
        self._rows(building, "hash", "stat", replay.stats())
        self._rows(building, "hash", "games", {"#seq": str(replay.seq), "#sum": str(replay.entries)})

    def _rows(self, building: _Building, kind: str, part: str, rows: Mapping[str, str]) -> None:
        before = building.written.get(part, {})
        changed = [(name, value) for name, value in rows.items() if before.get(name) != value]
        for first in range(0, len(changed), PAGE):
            pairs = changed[first : first + PAGE]
            words = [word for name, value in pairs for word in ((value, name) if kind == "zset" else (name, value))]
            self._put(building, kind, part, words)
        building.written[part] = dict(rows)

    def _put(self, building: _Building, kind: str, part: str, words: Iterable[Word]) -> None:
        made = (self._key(building.ladder, f"new:{name}") for name in (part, *PARTS))
        keys = (self._key(building.ladder, "builder"), *made)
        if self._link.run(Call(script("renew_put"), keys, (building.builder, ALIVE_S, kind, *words))) != b"OK":
            raise _MovedError

    def _switch(self, building: _Building) -> list[str]:
        ladder = building.ladder
        served, made = [[self._key(ladder, f"{new}{part}") for part in PARTS] for new in ("", "new:")]
        fixed = (
            self._key(ladder, "builder"),
            self._key(ladder, "cfg"),
            self._keys.renew_due,
            self._key(ladder, "void"),
        )
        args = (building.builder, ladder.format, building.last, len(building.voids))
        reply = self._link.run(Call(script("renew_switch"), (*fixed, *served, *made), args))
        return [word.decode() for word in cast("list[bytes]", reply)]

    def _key(self, ladder: Ladder, part: str) -> str:
        return self._keys.ladder(ladder.format, part)
