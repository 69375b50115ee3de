"""Everything that lasts, behind one door."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from ladder.store.archive import Archive
from ladder.store.audit import Audit
from ladder.store.checks import Checks, check, demand
from ladder.store.circuit import Circuit
from ladder.store.client import Link
from ladder.store.counters import Counters
from ladder.store.credentials import wall_ms
from ladder.store.fits import Fits
from ladder.store.generations import Generations
from ladder.store.gifts import Gifts
from ladder.store.house_games import HouseGames
from ladder.store.keys import Keys, check_tenant
from ladder.store.matches import Matches
from ladder.store.places import Places
from ladder.store.presence import Presence
from ladder.store.ratings import Ratings
from ladder.store.registry import Registry
from ladder.store.reports import NightReports
from ladder.store.reveals import Reveals
from ladder.store.salvage import Salvage
from ladder.store.scenes import Scenes
from ladder.store.seals import DealSeals
from ladder.store.shelf import Shelf
from ladder.store.ticks import Ticks
from ladder.store.tournaments import Tournaments
from ladder.store.upgrades import Upgrades
from ladder.store.weights import Weights
from lastcard.secret import Secret


@dataclass(frozen=True, slots=True)
class Store:
    """The ledger of one tenant. Thread-safe; after a fork each process uses connections of its own."""

    link: Link
    keys: Keys
    checks: Checks
    warnings: tuple[str, ...]
    """What is wrong with the server, but allowed; a sentence each, to be shown loudly."""
    matches: Matches
    shelf: Shelf
    seals: DealSeals
    reveals: Reveals
    ratings: Ratings
    generations: Generations
    fits: Fits
    reports: NightReports
    gifts: Gifts
    house: HouseGames
    weights: Weights
    registry: Registry
    places: Places
    tournaments: Tournaments
    presence: Presence
    scenes: Scenes
    counters: Counters
    ticks: Ticks
    audit: Audit
    upgrades: Upgrades
    salvage: Salvage

    @classmethod
    def open(
        cls,
        url: str,
        *,
        tenant: str = "main",
        role: str,
        pepper: bytes | Secret | None = None,
        archive: Archive | None = None,
        allow_volatile: bool = False,
        clock: Callable[[], int] = wall_ms,
        circuit: Circuit | None = None,
    ) -> Self:
        """Connects, checks the server and loads the scripts.

        Args:
            url: `redis://`, `rediss://` or `unix://`.
            tenant: Whose keys.
            role: referee, worker, ladder, …: names the connections.
            pepper: Needed where tokens are handled (`pepper.load`).
            archive: Needed where logs are read or archived that are old.
            allow_volatile: Take a server that may lose what it acknowledged.
            clock: Wall time in ms, where a caller does not give it.
            circuit: Leaves a server alone that does not answer (`Link`).

        Raises:
            BadInputError: BAD_STORE_URL or BAD_TENANT.
            StoreUnavailableError: The server does not answer; StoreLoadingError: it still loads its files.
            UnfitStoreError: It is too old, volatile, or open to everybody.
        """
        check_tenant(tenant)
        link = Link(url, role=role, circuit=circuit)
        checks = check(link)
        warnings = demand(checks, url, allow_volatile=allow_volatile)
        link.load()
        return cls.on(link, Keys(tenant), checks, warnings, pepper=pepper, archive=archive, clock=clock)

    @classmethod
    def on(
        cls,
        link: Link,
        keys: Keys,
        checks: Checks,
        warnings: tuple[str, ...] = (),
        *,
        pepper: bytes | Secret | None = None,
        archive: Archive | None = None,
        clock: Callable[[], int] = wall_ms,
    ) -> Self:
        """The ledger on a connection to a server that was checked."""
        matches = Matches(link, keys, archive)
        return cls(
            link=link,
            keys=keys,
            checks=checks,
            warnings=warnings,
            matches=matches,
            shelf=Shelf(link, keys, matches, archive),
            seals=DealSeals(link, keys),
            reveals=Reveals(link, keys),
            ratings=Ratings(link, keys),
            generations=Generations(link, keys),
            fits=Fits(link, keys),
            reports=NightReports(link, keys),
            gifts=Gifts(link, keys),
            house=HouseGames(link, keys),
            weights=Weights(link, keys),
            registry=Registry(link, keys, pepper, clock),
            places=Places(link, keys),
            tournaments=Tournaments(link, keys),
            presence=Presence(link, keys),
            scenes=Scenes(link, keys),
            counters=Counters(link, keys),
            ticks=Ticks(link, keys),
            audit=Audit(link, keys),
            upgrades=Upgrades(link, keys),
            salvage=Salvage(link, keys),
        )

    def ping(self) -> None:
        """Returns when the server answers.

        Raises:
            StoreUnavailableError: It does not.
        """
        self.link.ping()

    def close(self) -> None:
        """Gives all connections back."""
        self.link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
