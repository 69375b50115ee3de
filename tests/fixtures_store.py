"""A real store for tests: one server a session, one tenant a test.

`store_server` is the process (`.url`), `tenant` a name that no other test has, `store` an open facade on it, and
`open_store` opens further ones: other processes of the same house.
"""

import itertools
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import cast

import pytest
import redis

from ladder.store import Store
from ladder.store.errors import StoreError
from ladder.store.hosting import SEED_BYTES
from ladder.store.local import Fsync, LocalStore, start
from ladder.store.unread import CAUSES
from referee import formats
from referee.logbook import CorruptLogError, NonceRecord, records
from referee.match import EngineMismatchError, MatchPlay
from referee.rules.cards import format_cards
from tests import secrets_hook
from workers.engine import spec_of
from workers.proof import UnprovenResultError

PEPPER = bytes(range(32))
_numbers = itertools.count(1)
SAMPLE = 4
"""Matches of a process whose hands are looked for."""
SHORTEST = 5
"""Different cards of such a hand: fewer stand in many a text by chance."""
UNTOLD = {"planned", "ready", "running", "parked", "draft", "scheduled", "paused", "finishing"}
"""States of matches and tournaments whose seeds nobody was told."""

OpenStore = Callable[..., Store]


@pytest.fixture(scope="session")
def store_server() -> Iterator[LocalStore]:
    """A server that ends with the session."""
    with (
        tempfile.TemporaryDirectory(prefix="lastcard-") as directory,
        start(Path(directory), fsync=Fsync.EVERYSEC) as server,
    ):
        yield server
        note_secrets(server.url)


def note_secrets(url: str) -> None:
    """Have the secrets of all tenants of a server looked for: the seeds of matches and tournaments, and some hands."""
    with redis.Redis.from_url(url) as link:
        seeds = {key.decode(): link.get(key) for key in link.scan_iter(match="*:seed:*", count=10_000)}
        found = {key: seed for key, seed in seeds.items() if isinstance(seed, bytes)}
        told = {key for key in found if _told(link, key)}
        told_matches = {_named(key) for key in told if ":seed:t:" not in key}
    secrets_hook.note([PEPPER, *found.values()])
    secrets_hook.note_untold([found[key] for key in found.keys() - told], [found[key] for key in told])
    for tenant, match in sorted(_named(key) for key in found if ":seed:t:" not in key)[:: max(1, len(found) // SAMPLE)]:
        for cards in hands(url, tenant, match):
            secrets_hook.note_hand(cards, format_cards(cards), held=(tenant, match) not in told_matches)


def _told(link: "redis.Redis", key: str) -> bool:
    """Whether the seed of this key was told to somebody: its match, or its tournament, is over."""
    key = key.replace(":shown:seed:", ":seed:")
    owner = key.replace(":seed:t:", ":t:") if ":seed:t:" in key else key.replace(":seed:", ":m:")
    try:
        state = cast("bytes | None", link.hget(owner, "state"))
    except redis.ResponseError:  # a test has damaged it
        return True
    return state is None or state.decode(errors="replace") not in UNTOLD


def _named(key: str) -> tuple[str, str]:
    tenant, _, match = key.replace(":shown:seed:", ":seed:").partition("}:seed:")
    return tenant.removeprefix("{"), match


def hands(url: str, tenant: str, match: str) -> list[bytes]:
    """Return the hands that were dealt in the first game of a match; none of one that a test has damaged."""
    with Store.open(url, tenant=tenant, role="test", allow_volatile=True) as store:
        try:
            row, seed = store.matches.get(match), store.matches.seed(match)
            if seed is None or len(seed) != SEED_BYTES:
                return []
            play = MatchPlay(spec_of(row), seed)
            for _, _, entry in store.matches.log(match):
                for record in records(entry):
                    if isinstance(record, NonceRecord):
                        play.redo(record)
            if play.missing_nonces:
                return []
            played = play.start(0).round
        except (
            *CAUSES,
            StoreError,
            CorruptLogError,
            UnprovenResultError,
            EngineMismatchError,
            formats.UnknownFormatError,
        ):
            return []
        return [bytes(hand) for hand in played.hands if len(set(hand)) >= SHORTEST]


@pytest.fixture
def tenant() -> str:
    """A tenant of this test alone."""
    return f"test-{next(_numbers)}"


@pytest.fixture
def open_store(store_server: LocalStore, tenant: str) -> Iterator[OpenStore]:
    """Opens stores on the tenant of this test; they are closed after it."""
    with ExitStack() as stack:

        def open_one(role: str = "test", pepper: bytes = PEPPER) -> Store:
            return stack.enter_context(Store.open(store_server.url, tenant=tenant, role=role, pepper=pepper))

        yield open_one


@pytest.fixture
def store(open_store: OpenStore) -> Store:
    """An open store on the tenant of this test."""
    return open_store()
