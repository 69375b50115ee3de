"""Bots register once, with names and owners, and have versions."""

import json
import re

import pytest

from ladder.store import Store
from ladder.store.errors import (
    BadInputError,
    LimitError,
    NameTakenError,
    RetiredError,
    StoreError,
    UnknownError,
)
from ladder.store.registry import BOTS_AN_OWNER, Identity
from ladder.store.tokens import Scope

NOW = 1_700_000_000_000
REQUEST = "0123456789abcdef"


def test_a_bot_is_registered_with_a_token_that_speaks_for_it(store: Store) -> None:
    """The token is shown this once and has the scopes of a bot."""
    row, token = store.registry.register("ann-bot", "Ann", now_ms=NOW)
    assert (row.name, row.owner, row.created_ms, row.house, row.versions, row.active) == (
        "ann-bot",
        "Ann",
        NOW,
        False,
        (),
        None,
    )
    assert re.fullmatch(r"lcb1_[a-z2-7]{10}_[A-Za-z0-9_-]{43}", token)
    identity = store.registry.authenticate(token, now_ms=NOW)
    assert identity == Identity("ann-bot", "Ann", frozenset({Scope.PLAY, Scope.OWNER}), token[5:15])
    assert store.registry.get("ann-bot") == row


def test_the_same_request_repeats_the_answer(store: Store) -> None:
    """A client whose connection broke asks again with its id and gets the same token."""
    first = store.registry.register("ann-bot", "Ann", REQUEST, now_ms=NOW)
    assert store.registry.register("ann-bot", "Ann", REQUEST, now_ms=NOW + 5) == first
    assert store.registry.count() == 1


@pytest.mark.parametrize(
    ("name", "owner", "request_id"),
    [
        pytest.param("ann-bot", "Bob", REQUEST, id="another owner"),
        pytest.param("bob-bot", "Ann", REQUEST, id="another name"),
        pytest.param("bob-bot", "Ann", "short", id="an id that can be guessed"),
        pytest.param("bob-bot", "Ann", "x" * 65, id="an id that is too long"),
    ],
)
def test_a_request_id_belongs_to_one_request(store: Store, name: str, owner: str, request_id: str) -> None:
    """With another content it is refused, and nobody gets somebody's token."""
    store.registry.register("ann-bot", "Ann", REQUEST, now_ms=NOW)
    with pytest.raises(BadInputError) as refused:
        store.registry.register(name, owner, request_id, now_ms=NOW)
    assert refused.value.reason == "BAD_REQUEST_ID"


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, id=name) for name in ("paypa1", "pay-pa1", "paypal", "paypai", "p-a-y-p-a-l")],
)
def test_names_that_look_alike_are_one_name(store: Store, name: str) -> None:
    """Who has `pay-pal` keeps it to the eye."""
    store.registry.register("pay-pal", "Ann", now_ms=NOW)
    with pytest.raises(NameTakenError) as taken:
        store.registry.register(name, "Eve", now_ms=NOW)
    assert "pay-pal" in str(taken.value)


@pytest.mark.parametrize(
    "owner",
    [
        pytest.param("", id="empty"),
        pytest.param("x" * 65, id="long"),
        pytest.param(" Ann", id="space"),
        pytest.param("A\u202enn", id="direction mark"),
        pytest.param("A\nnn", id="line"),
    ],
)
def test_owners_are_printable(store: Store, owner: str) -> None:
    """1 to 64 characters."""
    with pytest.raises(BadInputError) as refused:
        store.registry.register("ann-bot", owner, now_ms=NOW)
    assert refused.value.reason == "BAD_OWNER"


def test_an_owner_has_at_most_so_many_bots(store: Store) -> None:
    """House bots do not count, and another owner is not concerned."""
    for number in range(BOTS_AN_OWNER):
        store.registry.register(f"bot-x{number:02}q", "Ann", now_ms=NOW)
    with pytest.raises(LimitError) as refused:
        store.registry.register("one-more", "Ann", now_ms=NOW)
    assert refused.value.reason == "TOO_MANY_BOTS"
    store.registry.register("one-more", "Ann", now_ms=NOW, house=True)
    store.registry.register("of-bob", "Bob", now_ms=NOW)


def test_house_names_are_the_operators(store: Store) -> None:
    """Also what looks like them; the operator gets a fresh token whenever it asks."""
    for name in ("random", "rand0m", "careful", "lastcard", "adm1n"):
        with pytest.raises(BadInputError) as refused:
            store.registry.register(name, "Eve", now_ms=NOW)
        assert refused.value.reason == "BAD_NAME"
    row, first = store.registry.house("random", now_ms=NOW)
    again, second = store.registry.house("random", now_ms=NOW)
    assert (row.house, again, first != second) == (True, row, True)
    assert (
        store.registry.authenticate(first, now_ms=NOW).bot
        == store.registry.authenticate(second, now_ms=NOW).bot
        == "random"
    )


def test_the_operator_does_not_take_over_a_bot(store: Store) -> None:
    """`house` is for the operator's own names."""
    store.registry.register("ann-bot", "Ann", now_ms=NOW)
    with pytest.raises(NameTakenError):
        store.registry.house("ann-bot", now_ms=NOW)


# versions


def test_a_new_version_string_is_the_next_number(store: Store) -> None:
    """The same string again is the same version."""
    store.registry.register("ann-bot", "Ann", now_ms=NOW)
    ids = [
        store.registry.version("ann-bot", version, now_ms=NOW + at)
        for at, version in enumerate(["1.0", "2.0 beta", "1.0", "3"])
    ]
    assert ids == ["ann-bot@1", "ann-bot@2", "ann-bot@1", "ann-bot@3"]
    row = store.registry.get("ann-bot")
    assert [(version.id, version.version, version.created_ms) for version in row.versions] == [
        ("ann-bot@1", "1.0", NOW),
        ("ann-bot@2", "2.0 beta", NOW + 1),
        ("ann-bot@3", "3", NOW + 3),
    ]
    assert row.active == "ann-bot@3"


def test_new_versions_can_be_limited_by_day(store: Store) -> None:
    """Two a day: the third waits until the first is a day old; a known one never waits."""
    store.registry.register("ann-bot", "Ann", now_ms=NOW)
    for version in ("1", "2"):
        store.registry.version("ann-bot", version, now_ms=NOW, per_day=2)
    with pytest.raises(LimitError) as refused:
        store.registry.version("ann-bot", "3", now_ms=NOW + 86_399_999, per_day=2)
    assert refused.value.reason == "TOO_MANY_VERSIONS"
    assert store.registry.version("ann-bot", "2", now_ms=NOW, per_day=2) == "ann-bot@2"
    assert store.registry.version("ann-bot", "3", now_ms=NOW + 86_400_000, per_day=2) == "ann-bot@3"


@pytest.mark.parametrize(
    "version",
    [
        pytest.param("", id="empty"),
        pytest.param("x" * 65, id="long"),
        pytest.param("1\0", id="zero byte"),
        pytest.param("1 ", id="space"),
    ],
)
def test_versions_are_printable(store: Store, version: str) -> None:
    """1 to 64 characters."""
    store.registry.register("ann-bot", "Ann", now_ms=NOW)
    with pytest.raises(BadInputError) as refused:
        store.registry.version("ann-bot", version, now_ms=NOW)
    assert refused.value.reason == "BAD_VERSION"


def test_unknown_bots_are_named(store: Store) -> None:
    """Wherever a bot is asked for."""
    for ask in (
        store.registry.get,
        store.registry.rotate,
        store.registry.revoke,
        store.registry.retire,
        store.registry.unretire,
        store.registry.vouch,
    ):
        with pytest.raises(UnknownError) as unknown:
            ask("nobody-here")
        assert (unknown.value.reason, unknown.value.value) == ("UNKNOWN_BOT", "nobody-here")
    with pytest.raises(UnknownError):
        store.registry.version("nobody-here", "1")
    assert store.registry.find(["nobody-here"]) == {}


def test_a_retired_bot_keeps_its_history(store: Store) -> None:
    """It is marked, and can come back."""
    store.registry.register("ann-bot", "Ann", now_ms=NOW)
    assert store.registry.retire("ann-bot", now_ms=NOW).retired
    assert not store.registry.unretire("ann-bot").retired


def test_a_retired_bot_has_no_versions_to_play_as(store: Store) -> None:
    """Neither an old nor a new one, until it comes back."""
    store.registry.register("ann-bot", "Ann", now_ms=NOW)
    assert store.registry.version("ann-bot", "1") == "ann-bot@1"
    store.registry.retire("ann-bot", now_ms=NOW)
    for author_version in ("1", "2"):
        with pytest.raises(RetiredError, match="lastcard bot retire ann-bot --undo"):
            store.registry.version("ann-bot", author_version)
    store.registry.unretire("ann-bot")
    assert store.registry.version("ann-bot", "2") == "ann-bot@2"


def test_pages_of_bots_are_alphabetical(store: Store) -> None:
    """Every bot once."""
    for name in ("cat", "ann", "dan", "bob", "eve"):
        store.registry.register(name, name, now_ms=NOW)
    names, token = [], ""
    while True:
        page = store.registry.page(2, token)
        names.append([row.name for row in page.rows])
        token = page.next
        if not token:
            break
    assert names == [["ann", "bob"], ["cat", "dan"], ["eve"]]
    assert list(store.registry.find(["eve", "ann", "xyz"])) == ["eve", "ann"]


@pytest.mark.parametrize("token", ["x", "Ann", "ann@1", "ann!", "-ann"])
def test_a_page_token_of_bots_is_one_of_ours(store: Store, token: str) -> None:
    """It is the name of a bot; what else may stand among the names in the ledger is never one."""
    with pytest.raises(BadInputError) as bad:
        store.registry.page(2, token)
    assert (bad.value.reason, bad.value.value) == ("BAD_PAGE_TOKEN", token)
    for name in ("ann", "bob", "cat"):
        store.registry.register(name, name, now_ms=NOW)
    for stray in ("ann!", "ann%", "zoë"):
        store.link.read("ZADD", store.keys.bots, 0, stray)
    ann, bob, cat = "ann", "bob", "cat"
    for limit, pages in ((1, [[ann], [bob], [cat]]), (2, [[ann, bob], [cat]]), (3, [[ann, bob, cat]])):
        found, following = list[list[str]](), ""
        while not found or following:
            page = store.registry.page(limit, following)
            found, following = [*found, [row.name for row in page.rows]], page.next
        assert found == pages


def test_errors_say_what_to_change(store: Store) -> None:
    """Reason, field, value and what is allowed are there for every front end."""
    with pytest.raises(StoreError) as refused:
        store.registry.register("Ann", "Ann", now_ms=NOW)
    error = refused.value
    assert (error.reason, error.field, error.value) == ("BAD_NAME", "name", "Ann")
    assert error.allowed is not None
    assert error.allowed in error.message
    assert json.dumps(error.message)
