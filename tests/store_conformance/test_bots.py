"""Bots, tokens and presence: the same on Redis and on the simulated store."""

import pytest

from ladder.store.errors import BadTokenError, LimitError, NameTakenError, UnknownError
from ladder.store.presence import Online
from tests.store_conformance.stands import Stand

DAY_MS = 86_400_000


def test_a_bot_is_registered_once_and_its_token_is_good(stand: Stand) -> None:
    """The same request again gets the same token; another one is told that the name is taken."""
    registry = stand.store.registry
    row, token = registry.register("ann", "Ann", "0123456789abcdef")
    assert (row.name, row.owner) == ("ann", "Ann")
    assert registry.register("ann", "Ann", "0123456789abcdef")[1] == token
    identity = registry.authenticate(token)
    assert identity.bot == "ann"
    with pytest.raises(NameTakenError):
        registry.register("ann", "Bob", "another request id")
    with pytest.raises(BadTokenError):
        registry.authenticate(token[:-1] + ("A" if token[-1] != "A" else "B"))


def test_a_version_has_one_number(stand: Stand) -> None:
    """The same text is the same `name@n` for ever, and new texts are few a day."""
    registry = stand.store.registry
    registry.register("ann", "Ann")
    assert [registry.version("ann", text, now_ms=1) for text in ("1", "2", "1")] == ["ann@1", "ann@2", "ann@1"]
    with pytest.raises(LimitError):
        registry.version("ann", "3", now_ms=2, per_day=2)
    assert registry.version("ann", "3", now_ms=1 + DAY_MS, per_day=2) == "ann@3"
    with pytest.raises(UnknownError):
        registry.version("bob", "1")


def test_who_is_here_is_who_a_living_referee_says(stand: Stand) -> None:
    """Until it drops them or leaves."""
    store, here = stand.store, Online(formats=frozenset({"dos-2"}), room=3)
    store.matches.beat("ref-1", {}, fresh=True)
    store.presence.put("ref-1", {"ann@1": here, "bob@1": here})
    store.presence.drop("ref-1", ["bob@1"])
    assert store.presence.online() == {"ann@1": here}
    store.matches.leave("ref-1")
    assert store.presence.online() == {}


def test_the_first_pepper_counts(stand: Stand) -> None:
    """The same one is taken again."""
    stand.store.registry.pepper()
    stand.store.registry.pepper()
