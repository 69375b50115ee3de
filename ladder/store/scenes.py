"""Scenes of matches that somebody watches: written by referees as long as they are wanted, read by the ladder.

Nothing in them is secret, and nothing depends on them: they are gone a minute after the last one.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from ladder.store.call import Call
from ladder.store.client import Link
from ladder.store.keys import Keys
from ladder.store.live import Scene
from ladder.store.scripts import script
from ladder.store.unread import CAUSES, UnreadRows

WATCH_MS: Final = 30_000
"""How long a match is shown for one wish."""
RENEWED_MS: Final = 15_000
"""As long ago a wish may be that stands before those of others."""
KEPT: Final = 30
"""Scenes of a match that are kept; every tenth is whole."""
KEPT_MS: Final = 60_000


@dataclass(frozen=True, slots=True)
class Shown:
    """A scene of one match, to be written; epoch and number order all scenes of a match."""

    match: str
    epoch: int
    number: int
    scene: Scene


class Scenes:
    """Scenes of a tenant's matches."""

    def __init__(self, link: Link, keys: Keys) -> None:
        self._link = link
        self._keys = keys
        self._unread = UnreadRows("scene", "it is gone in a minute")

    def want(self, match: str, before: int = 0) -> None:
        """Says that somebody wants to see a match for the next 30 s, and so many others before it."""
        self._link.run(Call(script("watch"), (self._keys.watch(match),), (WATCH_MS, before, WATCH_MS - RENEWED_MS)))

    def put(self, shown: Collection[Shown]) -> None:
        """Writes scenes; one that is older than what a later host wrote is left out."""
        self._link.run_all([self._put(one) for one in shown])

    def _put(self, one: Shown) -> Call:
        args = (f"{one.epoch}-{one.number}", one.scene.text(), KEPT, KEPT_MS)
        return Call(script("scene"), (self._keys.live(one.match),), args)

    def read(self, match: str, after: str = "") -> tuple[list[Scene], str]:
        """The scenes of a match behind a place in their order, and the place up to which they are read now."""
        try:
            entries = self._link.entries(self._keys.live(match), f"({after}" if after else "-")
            scenes = [Scene.of(parts["d"]) for _, parts in entries]
        except CAUSES as error:
            self._unread.note(match, error)
            return [], after
        self._unread.mended(match)
        return scenes, entries[-1][0] if entries else after
