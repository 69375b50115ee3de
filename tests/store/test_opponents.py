"""Whom a version of a ladder met, counted from the log of the ladder."""

from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.readings.histories import Histories, Opponent
from ladder.store import Store
from ladder.store.ladder_log import Ladder
from ladder.store.local import LocalStore
from tests.store.scenes import LADDER, result

BOTS = ("ann@1", "bob@1", "cat@1", "dan@1")
PARTNERS = Ladder("uno-pairs-4", "p" * 16, 4)


@pytest.fixture
def ladder(store: Store) -> Store:
    """Two ladders that all have entered."""
    for one in (LADDER, PARTNERS):
        store.ratings.enter(one, dict.fromkeys(BOTS))
    return store


def test_games_of_all_matches_are_added_up_for_both(ladder: Store) -> None:
    """Whoever is named first, ties count half; the one with most games comes first."""
    ladder.ratings.apply(result("cup.1.1.0", ("bob@1", "ann@1"), [[[1, 2], [2, 1]], [[1, 2], [1, 2]]]))
    ladder.ratings.apply(result("cup.1.2.0", ("ann@1", "cat@1"), [[[1, 2]]]))
    histories = Histories(ladder.ratings)
    assert histories.opponents(LADDER.format, "bob@1") == (Opponent("ann@1", 4, 0.75),)
    ladder.ratings.apply(result("cup.1.3.0", ("ann@1", "bob@1"), [[[1, 1]]]))
    assert histories.opponents(LADDER.format, "ann@1") == (Opponent("bob@1", 5, 0.3), Opponent("cat@1", 1, 1.0))
    assert histories.opponents(LADDER.format, "bob@1") == (Opponent("ann@1", 5, 0.7),)
    assert histories.opponents(LADDER.format, "dan@1") == ()


def test_partners_are_no_opponents(ladder: Store) -> None:
    """They share their places."""
    ladder.ratings.apply(result("cup.1.1.0", BOTS, [[[1, 2, 1, 2]]], teams=(0, 1, 0, 1), ladder=PARTNERS))
    histories = Histories(ladder.ratings)
    assert histories.opponents(PARTNERS.format, "ann@1") == (Opponent("bob@1", 1, 1.0), Opponent("dan@1", 1, 1.0))
    assert histories.opponents(PARTNERS.format, "dan@1") == (Opponent("ann@1", 1, 0.0), Opponent("cat@1", 1, 0.0))
    assert histories.opponents(LADDER.format, "ann@1") == ()


PLAYED = st.lists(
    st.tuples(
        st.lists(st.sampled_from(BOTS), min_size=2, max_size=2, unique=True),
        st.lists(st.sampled_from([[1, 2], [2, 1], [1, 1]]), min_size=1, max_size=3),
    ),
    min_size=1,
    max_size=6,
)


@settings(deadline=None, max_examples=30)
@given(played=PLAYED)
def test_they_are_what_the_ledger_counted(
    store_server: LocalStore, played: list[tuple[list[str], list[list[int]]]]
) -> None:
    """Over its opponents a version has the wins, ties and losses that the ledger's script added up."""
    with Store.open(store_server.url, tenant=uuid4().hex, role="test") as store:
        store.ratings.enter(LADDER, dict.fromkeys(BOTS))
        for at, (entrants, games) in enumerate(played):
            store.ratings.apply(result(f"cup.1.{at}.0", entrants, [games]))
        histories = Histories(store.ratings)
        for tally in store.ratings.tallies(LADDER.format):
            met = histories.opponents(LADDER.format, tally.bot)
            assert sum(row.games for row in met) == tally.wins + tally.ties + tally.losses
            assert sum(row.games * row.score for row in met) == pytest.approx(tally.wins + tally.ties / 2)


def test_counts_of_pairs_of_the_first_release_go(ladder: Store) -> None:
    """It kept them in the store; the next bots that enter take them away."""
    kept = ladder.keys.ladder(LADDER.format, "pair")
    ladder.link.read("HSET", kept, "ann@1|bob@1", "4 3")
    ladder.ratings.enter(LADDER, {"eve@1": None})
    assert not ladder.link.read("EXISTS", kept)
