"""Who may sit at which deals: seen to at the seating of a table, whatever was planned."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ladder.store import Store
from ladder.store.counters import Counter
from ladder.store.errors import BadInputError, UnknownError
from ladder.store.hosting import DEALS_S
from ladder.store.matches import DEALS_AFTER_S
from ladder.store.rows import Claimed, ClaimRefused, MatchState, Refusal
from tests.store.scenes import SEED, Host, beats_for_good, plan, result_text

pytestmark = pytest.mark.slow

RESULT = result_text([[[1, 2], [2, 1]]])
NUMBERS = count(1)
OWNERS = ("Ann", "Ben", "Cid", "Dan")
ALARM = Counter("alarms_total", {"kind": "deal"})


def register(store: Store, **owners: str) -> None:
    """Register bots, name by owner; those of `house` are the operator's."""
    for name, owner in owners.items():
        if owner == "house":
            store.registry.house(name)
        else:
            store.registry.register(name, owner)


def seat(store: Store, match: str, *bots: str, **changes: object) -> Claimed | ClaimRefused:
    """Plan a match between these bots and claim it for the first time."""
    entrants = tuple(f"{bot}@1" for bot in bots)
    store.matches.plan([plan(match, entrants, **changes)], 1)
    beats_for_good(store, "ref-1")
    return store.matches.claim(match, "ref-1", 2, seed=SEED)


def alarms(store: Store) -> int:
    """Return how often a table was refused."""
    return store.counters.read().get(ALARM, 0)


def left_s(store: Store, deals: str) -> object:
    """Return how long it is known who has these deals; -1: for ever, -2: not at all."""
    return store.link.read("TTL", store.keys.deal(deals))


def test_deals_are_for_one_table(store: Store) -> None:
    """A second table that was planned with the deals of another is void, with an alarm; the first plays on."""
    assert isinstance(seat(store, "cup.1.1.0", "ann", "ben", group="cup.1.0.g0"), Claimed)
    assert seat(store, "cup.1.2.0", "cid", "dan", group="cup.1.0.g0") == ClaimRefused(Refusal.DEAL)
    row = store.matches.get("cup.1.2.0")
    assert (row.state, row.reason, row.commitment) == (MatchState.VOID, "deal: another table has its deals", "")
    assert store.matches.seed("cup.1.2.0") is None
    assert store.matches.get("cup.1.1.0").state is MatchState.RUNNING
    assert alarms(store) == 1


def test_whoever_takes_over_keeps_the_deals(store: Store) -> None:
    """A second host sits at no other table, and a lost reply seats nobody twice."""
    host = Host(store)
    store.matches.plan([plan()], 1)
    host.claim()
    host.die()
    assert isinstance(store.matches.claim("cup.1.1.0", "ref-1", 3, seed=SEED), ClaimRefused)
    Host(store, "ref-2").claim()
    assert alarms(store) == 0


def test_deals_are_known_a_week_longer(store: Store) -> None:
    """No key is left for ever: a year while it may be played, seven days after it was settled."""
    store.matches.plan([plan()], 1)
    host = Host(store)
    head = host.claim().head
    assert 0 < int(str(left_s(store, "cup.1.1.0"))) <= DEALS_S
    host.close(head, RESULT)
    store.matches.settle("cup.1.1.0")
    assert DEALS_AFTER_S - 60 < int(str(left_s(store, "cup.1.1.0"))) <= DEALS_AFTER_S == 7 * 86_400


def test_an_owner_meets_a_shared_deal_once(store: Store) -> None:
    """Not with another bot either; strangers sit down, and the house's bots as often as they like."""
    register(store, ann="Ann", anna="Ann", ben="Ben", cid="Cid", dan="Dan", robot="house")
    group = {"deals": "field", "group": "cup.1.0.g0"}
    assert isinstance(seat(store, "cup.1.1.0", "ann", "robot", **group), Claimed)
    assert seat(store, "cup.1.2.0", "anna", "ben", **group) == ClaimRefused(Refusal.DEAL)
    assert store.matches.get("cup.1.2.0").reason == "deal: one of its owners met its deals before"
    assert isinstance(seat(store, "cup.1.3.0", "ben", "robot", **group), Claimed)
    assert isinstance(seat(store, "cup.1.4.0", "cid", "dan", **group), Claimed)
    assert alarms(store) == 1


def test_linked_owners_are_one(store: Store) -> None:
    """From the moment on at which an operator says so, and until he takes it back."""
    register(store, ann="Ann", ben="Ben", cid="Cid", dan="Dan", eve="Eve")
    assert store.registry.link(["Ann", "Ben"])
    assert not store.registry.link(["Ben", "Ann"])
    assert store.registry.find(["ben"])["ben"].kin == "Ann"
    group = {"deals": "field", "group": "cup.1.0.g0"}
    assert isinstance(seat(store, "cup.1.1.0", "ann", "cid", **group), Claimed)
    assert seat(store, "cup.1.2.0", "ben", "dan", **group) == ClaimRefused(Refusal.DEAL)
    assert store.registry.unlink("Ben")
    assert not store.registry.unlink("Ben")
    assert isinstance(seat(store, "cup.1.3.0", "ben", "dan", **group), Claimed)


def test_who_sits_twice_at_a_table_shares_its_deals_with_nobody(store: Store) -> None:
    """Whichever comes first."""
    register(store, ann="Ann", anna="Ann", ben="Ben", cid="Cid")
    first = {"deals": "field", "group": "cup.1.0.t1"}
    assert isinstance(seat(store, "cup.1.1.0", "ann", "anna", **first), Claimed)
    assert seat(store, "cup.1.2.0", "ben", "cid", **first) == ClaimRefused(Refusal.DEAL)
    second = {"deals": "field", "group": "cup.1.0.g0"}
    assert isinstance(seat(store, "cup.1.3.0", "ben", "cid", **second), Claimed)
    assert seat(store, "cup.1.4.0", "ann", "anna", **second) == ClaimRefused(Refusal.DEAL)


@pytest.mark.parametrize(
    ("bots", "trusted", "sits"),
    [
        pytest.param(("ann", "ben"), False, False, id="strangers"),
        pytest.param(("ann", "robot"), False, False, id="a stranger and the house"),
        pytest.param(("ann", "ben"), True, True, id="strangers for whom the organiser vouches"),
        pytest.param(("ann", "anna"), False, True, id="one owner"),
        pytest.param(("robot", "robert"), False, True, id="the house"),
        pytest.param(("ghost", "spirit"), False, False, id="bots that nobody knows"),
    ],
)
def test_one_deal_in_all_seats_is_for_those_who_are_vouched_for(
    store: Store, bots: tuple[str, ...], trusted: bool, sits: bool
) -> None:
    """Mirrored deals, whatever the planner thought."""
    register(store, ann="Ann", anna="Ann", ben="Ben", robot="house", robert="house")
    said = seat(store, "cup.1.1.0", *bots, deals="mirrored", trusted=trusted)
    assert isinstance(said, Claimed) == sits
    assert alarms(store) == (not sits)


def test_a_refused_table_is_to_be_played_again(store: Store) -> None:
    """It stands among those of its tournament that are planned anew, on deals of their own."""
    store.tournaments.create("cup", {}, state="running", now_ms=1)
    seat(store, "cup.1.1.0", "ann", "ben", group="cup.1.0.g0", tournament="cup")
    seat(store, "cup.1.2.0", "cid", "dan", group="cup.1.0.g0", tournament="cup")
    assert store.upgrades.again("cup") == {"cup.1.2.0"}
    assert isinstance(seat(store, "cup.1.2.0.r2", "cid", "dan", group="cup.1.2.0.r2", tournament="cup"), Claimed)


def test_a_refused_table_on_a_mirrored_deal_is_not_played_again(store: Store) -> None:
    """The next would be refused for the same reason, and the next: it is void until somebody decides otherwise."""
    store.tournaments.create("cup", {}, state="running", now_ms=1)
    register(store, ann="Ann", ben="Ben")
    assert seat(store, "cup.1.1.0", "ann", "ben", deals="mirrored", tournament="cup") == ClaimRefused(Refusal.DEAL)
    assert store.matches.get("cup.1.1.0").state is MatchState.VOID
    assert store.upgrades.again("cup") == set()
    assert alarms(store) == 1


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param((("DEL", "kin"), ("SET", "kin", "x")), id="a text in the place of all links"),
        pytest.param((("HSET", "kin", "Ann", b"\xff"),), id="a link that is no text"),
        pytest.param((("DEL", "bot:ann"), ("SET", "bot:ann", "x")), id="a text in the place of a bot"),
    ],
)
def test_what_cannot_be_read_of_owners_holds_up_no_table(store: Store, damage: Sequence[Sequence[str | bytes]]) -> None:
    """It is seated, on shared deals, too, and other bots are found: each of them stands for itself."""
    register(store, ann="Ann", ben="Ben", cid="Cid")
    store.registry.link(["Ben", "Ann"])
    for command, key, *words in damage:
        store.link.read(command, f"{{{store.keys.tenant}}}:{key!s}", *words)
    assert set(store.registry.find(["ann", "ben", "cid"])) >= {"ben", "cid"}
    assert isinstance(seat(store, "cup.1.1.0", "ann", "cid", deals="field", group="cup.1.0.g0"), Claimed)


def test_a_link_that_is_no_text_is_undone_and_made_again(store: Store) -> None:
    """It is named until then, and all others are listed."""
    register(store, ann="Ann", ben="Ben", cid="Cid", dan="Dan")
    store.registry.link(["Ann", "Ben"])
    store.registry.link(["Cid", "Dan"])
    store.link.read("HSET", store.keys.kin, "Ann", b"\xff")
    assert store.registry.find(["ann"])["ann"].kin == "Ann"
    assert store.registry.unread_links.names == {"Ann"}
    assert set(store.registry.linked()) == {"Ben", "Cid", "Dan"}
    store.registry.unlink("Ann")
    store.registry.link(["Ben", "Ann"])
    assert store.registry.find(["ann"])["ann"].kin == store.registry.find(["ben"])["ben"].kin
    assert store.registry.unread_links.names == set()


def test_an_order_to_be_void_is_obeyed_first(store: Store) -> None:
    """Then nobody plays it again, and nobody is alarmed."""
    seat(store, "cup.1.1.0", "ann", "ben", group="cup.1.0.g0")
    store.matches.plan([plan("cup.1.2.0", ("cid@1", "dan@1"), group="cup.1.0.g0")], 1)
    store.matches.void("cup.1.2.0", "not today", "olga", 2)
    assert store.matches.claim("cup.1.2.0", "ref-1", 3, seed=SEED) == ClaimRefused(Refusal.GONE)
    assert alarms(store) == 0


@pytest.fixture
def owned(store: Store) -> Store:
    """Register two bots of each owner."""
    register(store, **{f"{owner.lower()}{n}": owner for owner in OWNERS for n in range(2)})
    return store


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_no_schedule_makes_an_owner_meet_a_deal_twice(owned: Store, data: st.DataObject) -> None:
    """Whatever tables are planned in whatever groups: who is seated keeps the law, and nobody is refused in vain."""
    number, met, alone = next(NUMBERS), dict[int, set[str]](), set[int]()
    seats = st.lists(st.tuples(st.sampled_from(OWNERS), st.integers(0, 1)), min_size=2, max_size=4, unique=True)
    for table, (group, seated) in enumerate(
        data.draw(st.lists(st.tuples(st.integers(0, 2), seats), min_size=1, max_size=8)), 1
    ):
        owners = [owner for owner, _ in seated]
        twice, before = len(set(owners)) < len(owners), met.get(group, set())
        expected = group not in alone and not before & set(owners) and not (twice and before)
        bots = [f"{owner.lower()}{n}" for owner, n in seated]
        said = seat(owned, f"run{number}.1.{table}.0", *bots, deals="field", group=f"run{number}.1.0.g{group}")
        assert isinstance(said, Claimed) == expected
        if expected:
            met[group] = before | set(owners)
            alone |= {group} if twice else set()


def test_owners_that_do_not_exist_are_not_linked(store: Store) -> None:
    """Nor one with itself."""
    register(store, ann="Ann")
    with pytest.raises(UnknownError, match="no bot is owned by 'Bob'"):
        store.registry.link(["Ann", "Bob"])
    with pytest.raises(UnknownError, match="no bot is owned by 'Bob'"):
        store.registry.unlink("Bob")
    with pytest.raises(BadInputError, match="name two owners or more"):
        store.registry.link(["Ann", "Ann"])
    assert store.registry.linked() == {}


@given(st.lists(st.tuples(st.sampled_from(OWNERS), st.sampled_from(OWNERS), st.booleans()), max_size=12))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_links_part_owners_into_families(owned: Store, deeds: list[tuple[str, str, bool]]) -> None:
    """Linking joins two families, parting takes one out of its own: whoever is left alone stands for itself."""
    for owner in OWNERS:
        owned.registry.unlink(owner)
    families = [{owner} for owner in OWNERS]
    for one, other, together in deeds:
        of_one, of_other = (next(family for family in families if owner in family) for owner in (one, other))
        if together and one != other:
            owned.registry.link([one, other])
            families = [family for family in families if family not in (of_one, of_other)] + [of_one | of_other]
        elif not together:
            owned.registry.unlink(one)
            families = [family for family in families if family is not of_one] + [of_one - {one}, {one}]
            families = [family for family in families if family]
    linked = owned.registry.linked()
    for one in OWNERS:
        for other in OWNERS:
            together = any({one, other} <= family for family in families)
            assert (linked.get(one, one) == linked.get(other, other)) == together
    assert set(linked) == {owner for family in families if len(family) > 1 for owner in family}
