"""Tokens: made, changed, ended and looked at; the store does not know them."""

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
    PepperError,
)
from ladder.store.registry import Identity
from ladder.store.tokens import LIFE_MS, Scope
from tests.fixtures_store import OpenStore

NOW = 1_700_000_000_000
REQUEST = "0123456789abcdef"


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
    secret = token.secret.text()
    assert secret not in f"{token} {token!r}"
    assert secret in token.reveal()


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
