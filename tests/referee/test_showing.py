"""When a referee shows what was secret."""

import pytest

from ladder.store import Store
from ladder.store.errors import StoreUnavailableError
from referee.hosting.reveals import ADOPT_S, REVEAL_S, Showing
from tests.store.scenes import Host, plan, result_text

MATCH = "cup.1.1.0"


def close_as_before(store: Store) -> None:
    """Have a closed match whose seed an older referee left where only referees read, on no list."""
    store.matches.plan([plan()], 5)
    host = Host(store)
    host.close(host.claim().head, result_text([[[1, 2], [2, 1]], [[1, 2], [1, 2]]]))
    store.link.read("RENAME", store.keys.shown_seed(MATCH), store.keys.seed(MATCH))
    store.link.read("HDEL", store.keys.match(MATCH), "shown")


def test_what_is_on_no_list_is_found_by_a_later_look(store: Store) -> None:
    """At the start, and once an hour: an older referee may run beside this one."""
    showing = Showing(store.reveals)
    first = showing.due(0.0)
    assert first is not None
    assert first() == 0
    close_as_before(store)
    shown = []
    now_s = 0.0
    while now_s <= ADOPT_S + 3 * REVEAL_S:
        now_s += REVEAL_S * 1.5
        look = showing.due(now_s)
        assert look is not None
        shown += [now_s] * look()
        assert showing.due(now_s + REVEAL_S / 2) is None
    assert len(shown) == 1
    assert shown[0] > ADOPT_S
    assert store.matches.get(MATCH).shown


def test_a_look_that_failed_is_made_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that is away for a moment puts nothing off for an hour."""
    close_as_before(store)
    showing = Showing(store.reveals)

    def away() -> int:
        raise StoreUnavailableError("away")

    with monkeypatch.context() as patched:
        patched.setattr(store.reveals, "adopt", away)
        look = showing.due(0.0)
        assert look is not None
        with pytest.raises(StoreUnavailableError):
            look()
    again = showing.due(2 * REVEAL_S)
    assert again is not None
    assert again() == 1
