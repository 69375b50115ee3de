"""A server that would lose or evict what it acknowledged, or that is open to everybody, is refused."""

import dataclasses
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from ladder.store import Store
from ladder.store.checks import Checks, check, demand
from ladder.store.client import Link
from ladder.store.errors import BadInputError, StoreLoadingError, StoreUnavailableError, UnfitStoreError
from tests.fixtures_store import OpenStore
from tests.store.slow_store import DeafDoor, hurried, loading_store

pytestmark = pytest.mark.slow

GOOD = Checks(version="7.0.15", aof=True, fsync="always", policy="noeviction", open_to_all=False)
URL = "redis://user:secret@store.example:6379/0"


def test_a_good_server_is_taken_without_a_word() -> None:
    """Nothing to warn of."""
    assert demand(GOOD, URL, allow_volatile=False) == ()


@pytest.mark.parametrize(
    ("changes", "advice"),
    [
        pytest.param({"aof": False}, "appendonly yes", id="no file"),
        pytest.param({"fsync": "no"}, "appendfsync always", id="never synced"),
        pytest.param({"policy": "allkeys-lru"}, "maxmemory-policy noeviction", id="evicts"),
        pytest.param({"open_to_all": True}, "set a password", id="open to all"),
    ],
)
def test_a_bad_server_is_refused_with_what_to_set(changes: dict[str, object], advice: str) -> None:
    """Unless a volatile one is allowed: then it is said loudly. The password is never shown."""
    checks = dataclasses.replace(GOOD, **changes)  # type: ignore[arg-type]
    with pytest.raises(UnfitStoreError, match=advice) as refused:
        demand(checks, URL, allow_volatile=False)
    assert "secret" not in str(refused.value)
    (warning,) = demand(checks, URL, allow_volatile=True)
    assert advice in warning


def test_everysec_is_a_warning() -> None:
    """It is a choice with a price: up to a second."""
    (warning,) = demand(dataclasses.replace(GOOD, fsync="everysec"), URL, allow_volatile=False)
    assert "everysec" in warning


def test_what_cannot_be_checked_is_said(store: Store) -> None:
    """A managed store may refuse `CONFIG`: then somebody has to look."""
    store.link.read("ACL", "SETUSER", "managed", "on", ">pw", "~*", "+@all", "-config", "-acl")
    url = store.link.url.replace("redis://", "redis://managed:pw@")
    try:
        with Store.open(url, tenant=store.keys.tenant, role="test") as managed:
            (warning,) = managed.warnings
    finally:
        store.link.read("ACL", "DELUSER", "managed")
    assert "`CONFIG GET` is refused" in warning
    assert "appendfsync always" in warning


def test_a_real_server_is_checked_when_it_is_opened(store: Store) -> None:
    """Version, file, sync and policy are read from it."""
    assert (store.checks.aof, store.checks.fsync, store.checks.policy, store.checks.open_to_all) == (
        True,
        "everysec",
        "noeviction",
        False,
    )
    assert len(store.warnings) == 1


def test_a_policy_changed_later_is_found_at_the_next_start(open_store: OpenStore) -> None:
    """The check is of the running server, not of a file."""
    store = open_store()
    store.link.read("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    try:
        with pytest.raises(UnfitStoreError, match="allkeys-lru"):
            open_store()
    finally:
        store.link.read("CONFIG", "SET", "maxmemory-policy", "noeviction")


def test_a_store_that_is_not_there_is_unavailable() -> None:
    """One typed error, also a ConnectionError for whoever retries on that."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        with pytest.raises(StoreUnavailableError) as refused:
            Store.open(f"redis://:secret@127.0.0.1:{nobody.getsockname()[1]}/0", role="test")
    assert isinstance(refused.value, ConnectionError)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("url", ["", "http://x", "localhost:6379", "redis://x:port/0"])
def test_what_is_no_url_is_said(url: str) -> None:
    """With the forms that are."""
    with pytest.raises(BadInputError) as refused:
        Store.open(url, role="test")
    assert refused.value.reason == "BAD_STORE_URL"


@pytest.mark.parametrize("name", ["", "Main", "a}b", "a:b", "x" * 33])
def test_tenants_are_plain(name: str, open_store: OpenStore) -> None:
    """They stand in every key, in braces."""
    url = open_store().link.url
    with pytest.raises(BadInputError) as refused:
        Store.open(url, tenant=name, role="test")
    assert refused.value.reason == "BAD_TENANT"


def test_tenants_do_not_see_each_other(store: Store) -> None:
    """Same names, other keys."""
    with Store.open(store.link.url, tenant="other", role="test") as other:
        store.ticks.tick("job", "1")
        assert other.ticks.tick("job", "1")


def test_a_server_that_takes_no_writes_is_unavailable(store: Store) -> None:
    """Memory full: the caller retries later; reads go on."""
    store.link.read("CONFIG", "SET", "maxmemory", "1")
    try:
        with pytest.raises(StoreUnavailableError, match="no writes"):
            store.ticks.tick("job", "2")
        store.ping()
    finally:
        store.link.read("CONFIG", "SET", "maxmemory", "0")


def test_a_user_without_rights_is_told_so(store: Store) -> None:
    """A user of a role that may only read can open the store and read; a write is a matter of set-up, not of luck."""
    store.link.read("ACL", "SETUSER", "reader", "on", ">pw", "~*", "+@read", "+@connection", "+info")
    url = store.link.url.replace("redis://", "redis://reader:pw@")
    try:
        with Store.open(url, tenant=store.keys.tenant, role="test") as reader:
            assert reader.matches.open_ids() == set()
            with pytest.raises(UnfitStoreError) as refused:
                reader.ticks.tick("job", "3")
    finally:
        store.link.read("ACL", "DELUSER", "reader")
    assert "pw@" not in str(refused.value)


@pytest.fixture
def loading(tmp_path: Path) -> Iterator[str]:
    """Start a store that has a file to load, and takes its time for every entry; returns its URL."""
    with loading_store(tmp_path) as url:
        yield url


def test_a_store_that_loads_its_files_is_waited_for(loading: str) -> None:
    """It says that it keeps no file until it has read it; that is no reason to be refused."""
    with hurried(loading) as said, Store.open(loading, role="test") as store:
        assert store.checks.aof
    assert said == [f"the store at {loading} loads its files; waiting for it, 45 s at most"]


@pytest.mark.thorough
def test_a_store_that_loads_too_long_is_unavailable(loading: str) -> None:
    """Whoever starts a process knows from its exit code to try again."""
    with (
        Link(loading, role="test") as link,
        pytest.raises(StoreLoadingError, match="still loads its files") as late,
    ):
        check(link, loading_s=0.0)
    assert late.value.exit_code == 3


@pytest.mark.thorough
def test_a_store_that_was_too_busy_to_say_so_is_waited_for(loading: str) -> None:
    """One look that is not answered in time does not mean that everything is loaded."""
    with DeafDoor(loading) as door, hurried(loading) as said, Link(door.url, role="test") as link:
        assert check(link).aof
    assert said == [f"the store at {door.url} loads its files; waiting for it, 45 s at most"]


@pytest.mark.thorough
def test_a_store_that_loads_says_how_far_it_is(loading: str) -> None:
    """It answers, so that whoever started it sees that it lives; other words of it are refused."""
    with Link(loading, role="test", retries=0) as link:
        said = cast("dict[str, object]", link.read("INFO", "persistence"))
        with pytest.raises(StoreLoadingError):
            link.ping()
    assert said["loading"] == 1
    assert 0 < float(str(said["loading_loaded_perc"]).removesuffix("%")) < 100
