"""Bots register once, speak by tokens that the store does not know, and have versions."""

import json
import re
from dataclasses import replace

import pytest

from ladder.store import Store, tokens
from ladder.store.audit import Deed
from ladder.store.bot_rows import OperatorToken
from ladder.store.client import Link
from ladder.store.credentials import DAY_MS
from ladder.store.errors import (
    BadInputError,
    BadTokenError,
    LimitError,
    NameTakenError,
    PepperError,
    RetiredError,
    StoreError,
    UnknownError,
)
from ladder.store.registry import BOTS_AN_OWNER, Identity
from ladder.store.tokens import LIFE_MS, Scope
from tests.fixtures_store import OpenStore

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


# tokens


def test_all_bad_tokens_are_refused_alike(store: Store) -> None:
    """Unknown, wrong, malformed, revoked, expired: one sentence."""
    _, token = store.registry.register("ann-bot", "Ann", now_ms=NOW)
    _, other = store.registry.register("bob-bot", "Bob", now_ms=NOW)
    store.registry.revoke("bob-bot")
    keyid, secret = token[5:15], token[16:]
    bad = [
        "",
        "x",
        f"lcb1_{'a' * 10}_{secret}",
        f"lcb1_{keyid}_{'A' * 43}",
        token + "A",
        token[:-1],
        token.upper(),
        other,
    ]
    said = set()
    for text in bad:
        with pytest.raises(BadTokenError) as refused:
            store.registry.authenticate(text, now_ms=NOW)
        said.add((str(refused.value), refused.value.reason))
    with pytest.raises(BadTokenError) as refused:
        store.registry.authenticate(token, now_ms=NOW + LIFE_MS)
    said.add((str(refused.value), refused.value.reason))
    assert len(said) == 1


def test_rotation_keeps_two_tokens_alive(store: Store) -> None:
    """The new one and the newest before it; a third rotation ends the first."""
    _, first = store.registry.register("ann-bot", "Ann", now_ms=NOW)
    second = store.registry.rotate("ann-bot", now_ms=NOW)
    for token in (first, second):
        store.registry.authenticate(token, now_ms=NOW)
    third = store.registry.rotate("ann-bot", now_ms=NOW)
    for token in (second, third):
        store.registry.authenticate(token, now_ms=NOW)
    with pytest.raises(BadTokenError):
        store.registry.authenticate(first, now_ms=NOW)


def test_a_token_that_is_made_while_they_are_ended_is_ended_as_well(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has stolen one asks for another at that very moment."""
    registry = store.registry
    registry.register("ann-bot", "Ann", now_ms=NOW)
    field, stolen = Link.field, list[str]()

    def reads(self: Link, key: str, name: str) -> str | None:
        found = field(self, key, name)
        if name == "tokens":
            stolen.append(registry.rotate("ann-bot", now_ms=NOW))
        return found

    with monkeypatch.context() as patched:
        patched.setattr(Link, "field", reads)
        ended = registry.revoke("ann-bot")
    assert stolen[0].split("_")[1] in ended
    assert len(ended) == 2
    with pytest.raises(BadTokenError):
        registry.authenticate(stolen[0], now_ms=NOW)


def test_a_request_whose_token_has_expired_gets_no_other_with_it(store: Store) -> None:
    """It stands for that one token."""
    store.registry.register("ann-bot", "Ann", now_ms=NOW)
    made = store.registry.rotate("ann-bot", REQUEST, now_ms=NOW)
    assert store.registry.rotate("ann-bot", REQUEST, now_ms=NOW + LIFE_MS - 1) == made
    with pytest.raises(BadInputError, match="good no more"):
        store.registry.rotate("ann-bot", REQUEST, now_ms=NOW + LIFE_MS)


def test_what_is_done_already_adds_no_line_to_the_audit(store: Store) -> None:
    """A bot that is out of play, or has no token, stays as it is: since when, too."""
    registry = store.registry
    registry.register("ann-bot", "Ann", now_ms=NOW)
    for later in range(3):
        registry.retire("ann-bot", now_ms=NOW + later, deed=Deed("olga", "retire", "ann-bot", "", NOW))
        registry.revoke("ann-bot", deed=Deed("olga", "revoke", "ann-bot", "", NOW))
    assert [deed.verb for deed in store.audit.tail()] == ["revoke", "retire"]
    assert store.link.field(store.keys.bot("ann-bot"), "retired_ms") == str(NOW)


def test_revoking_ends_all_tokens_of_a_bot(store: Store) -> None:
    """And a new one can be made."""
    _, first = store.registry.register("ann-bot", "Ann", now_ms=NOW)
    second = store.registry.rotate("ann-bot", now_ms=NOW)
    assert store.registry.revoke("ann-bot") == (first[5:15], second[5:15])
    assert store.registry.revoke("ann-bot") == ()
    for token in (first, second):
        with pytest.raises(BadTokenError):
            store.registry.authenticate(token, now_ms=NOW)
    store.registry.authenticate(store.registry.rotate("ann-bot", now_ms=NOW), now_ms=NOW)


def test_operators_have_their_own_tokens(store: Store) -> None:
    """With their scopes only, listed without secrets, and revocable."""
    token = store.registry.operator("carl", {"organiser"}, now_ms=NOW)
    identity = store.registry.authenticate(token, now_ms=NOW)
    assert identity == Identity("", "carl", frozenset({Scope.ORGANISER}), token[5:15])
    unused = OperatorToken(identity.keyid, "carl", identity.scopes, NOW, NOW + LIFE_MS, 0)
    assert store.registry.operators() == (replace(unused, used_ms=NOW // DAY_MS * DAY_MS),)
    store.registry.operator("dora", {"admin"}, now_ms=NOW)
    assert [one.used_ms for one in store.registry.operators() if one.owner == "dora"] == [0]
    store.registry.revoke_operator(identity.keyid)
    assert [one.owner for one in store.registry.operators()] == ["dora"]
    with pytest.raises(BadTokenError):
        store.registry.authenticate(token, now_ms=NOW)


@pytest.mark.parametrize(
    "scopes",
    [
        pytest.param(set[str](), id="none"),
        pytest.param({"play"}, id="a bot's"),
        pytest.param({"admin", "root"}, id="unknown"),
    ],
)
def test_operators_get_operators_scopes(store: Store, scopes: set[str]) -> None:
    """Nothing else, and not nothing."""
    with pytest.raises(BadInputError) as refused:
        store.registry.operator("carl", scopes, now_ms=NOW)
    assert refused.value.reason == "BAD_SCOPE"


def test_no_token_is_anywhere_in_the_store(store: Store) -> None:
    """Fifty bots, rotations, operators, logins: no 8 characters of a secret in any key, field or value."""
    issued = [
        store.registry.register(f"bot-x{number:02}q", f"owner {number % 5}", f"{REQUEST}{number}", now_ms=NOW)[1]
        for number in range(50)
    ]
    issued += [store.registry.rotate(f"bot-x{number:02}q", now_ms=NOW) for number in range(10)]
    issued.append(store.registry.operator("carl", {"admin"}, now_ms=NOW))
    for token in issued[-20:]:
        store.registry.authenticate(token, now_ms=NOW)
    dump = _dump(store.link, f"{{{store.keys.tenant}}}:*")
    assert "bot-x00q" in dump
    for token in issued:
        secret = token.partition("_")[2].partition("_")[2]
        assert len(secret) == 43
        assert not any(secret[at : at + 8] in dump for at in range(len(secret) - 7))
    assert not any(f"{REQUEST}{number}" in dump for number in range(50))


def _dump(link: Link, pattern: str) -> str:
    """Every such key with its content, as text."""
    parts = []
    for key in link.read("KEYS", pattern):  # type: ignore[attr-defined]
        kind = link.read("TYPE", key)
        read = {
            b"none": ["PING"],  # it expired just now
            b"string": ["GET", key],
            b"hash": ["HGETALL", key],
            b"set": ["SMEMBERS", key],
            b"zset": ["ZRANGE", key, "0", "-1"],
            b"stream": ["XRANGE", key, "-", "+"],
        }[kind]  # type: ignore[index]
        parts.append(f"{key} {link.read(*read)}")
    return "\n".join(parts)


def test_repr_of_a_token_hides_its_secret() -> None:
    """Neither a log nor a traceback shows it."""
    token = tokens.draw()
    assert token.secret not in repr(token)
    assert token.secret in str(token)


def test_a_store_has_one_pepper(open_store: OpenStore) -> None:
    """Another one would refuse every token; none cannot handle tokens: both are said."""
    _, token = open_store().registry.register("ann-bot", "Ann", now_ms=NOW)
    with pytest.raises(PepperError) as other:
        open_store(pepper=b"x" * 32).registry.authenticate(token, now_ms=NOW)
    assert other.value.reason == "PEPPER_MISMATCH"
    with pytest.raises(PepperError) as none:
        open_store(pepper=None).registry.authenticate(token, now_ms=NOW)
    assert none.value.reason == "PEPPER_MISSING"


def test_a_login_is_noted_by_day(store: Store) -> None:
    """So that an operator sees which tokens are in use."""
    _, token = store.registry.register("ann-bot", "Ann", now_ms=NOW)
    store.registry.authenticate(token, now_ms=NOW)
    assert store.link.field(store.keys.token(token[5:15]), "used") == str(NOW // 86_400_000)


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


def test_errors_say_what_to_change(store: Store) -> None:
    """Reason, field, value and what is allowed are there for every front end."""
    with pytest.raises(StoreError) as refused:
        store.registry.register("Ann", "Ann", now_ms=NOW)
    error = refused.value
    assert (error.reason, error.field, error.value) == ("BAD_NAME", "name", "Ann")
    assert error.allowed is not None
    assert error.allowed in error.message
    assert json.dumps(error.message)
