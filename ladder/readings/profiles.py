"""Bots as everybody may see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ladder.errors import UnknownNameError
from ladder.names import checked, nearest, offered
from ladder.store.errors import UnknownError
from lastcard.names import BOT, bot_of

if TYPE_CHECKING:
    from ladder.store.presence import Presence
    from ladder.store.registry import BotRow, Registry

NEIGHBOURS = 1_000


@dataclass(frozen=True, slots=True)
class Version:
    """An immutable version of a bot."""

    id: str
    """`name@n`."""
    version: str
    """What its author calls it."""
    created_ms: int


@dataclass(frozen=True, slots=True)
class Profile:
    """A bot."""

    name: str
    owner: str
    created_ms: int
    versions: tuple[Version, ...]
    """Oldest first."""
    online: bool
    house: bool
    retired: bool = False


@dataclass(frozen=True, slots=True)
class ProfilePage:
    """Bots by name."""

    profiles: tuple[Profile, ...]
    next: str
    """Token of the next page; empty on the last."""


class Profiles:
    """Reads bots."""

    def __init__(self, registry: Registry, presence: Presence) -> None:
        self._registry = registry
        self._presence = presence

    def get(self, name: str) -> Profile:
        """Return a bot.

        Raises:
            UnknownNameError: there is no such bot.
        """
        checked(BOT, name, "name")
        try:
            row = self._registry.get(name)
        except UnknownError as error:
            near = nearest(name, [row.name for row in self._registry.page(NEIGHBOURS).rows])
            sentence = f"there is no bot {name!r}{offered(near)}"
            raise UnknownNameError("UNKNOWN_BOT", sentence, field="name", value=name, allowed=near) from error
        return self.of(row)

    def page(self, limit: int, token: str = "") -> ProfilePage:
        """Return bots by name.

        Raises:
            BadInputError: the token is none of ours.
        """
        page = self._registry.page(limit, token)
        online = self.online()
        return ProfilePage(tuple(profile(row, online=row.name in online) for row in page.rows), page.next)

    def of(self, row: BotRow) -> Profile:
        """Return a bot that is at hand already."""
        return profile(row, online=row.name in self.online())

    def online(self) -> frozenset[str]:
        """Return the names of bots with a process that is connected."""
        return frozenset(bot_of(version) for version in self._presence.online())


def profile(row: BotRow, *, online: bool) -> Profile:
    """Return what everybody may see of a bot."""
    versions = tuple(Version(version.id, version.version, version.created_ms) for version in row.versions)
    return Profile(row.name, row.owner, row.created_ms, versions, online, row.house, row.retired)
