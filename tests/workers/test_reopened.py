"""A tournament that ended with parked matches: they can be put back, and until then its deal seed is secret."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import replace
from io import StringIO

import pytest

from ladder.errors import WrongStateError
from ladder.store.errors import WrongStateError as StateError
from ladder.store.rows import Claimed, MatchState
from lastcard.cli import main
from referee.hosting import takeover
from referee.machine import Machine
from tests.workers.house import FIELD, NAMES, House, field, spec
from tests.workers.killing import KilledError, killed_at
from tests.workers.served import served
from tests.workers.small_referee import FORMAT
from workers.records.closed_match import closed_match
from workers.tournaments.client import TournamentClient
from workers.tournaments.life import State
from workers.tournaments.tournament_status import TournamentStatus
from workers.tournaments.tournament_text import show_tournament

SECRET = bytes(range(100, 132))
POISON, SECOND = "spring.1.1.0", "spring.2.1.0"


def _park(house: House, match: str) -> None:
    """Park a match as a referee does that cannot host it; its seed stands, and it was not begun."""
    seed = takeover.seed_of(house.store.matches.get(match), house.store, Machine())
    assert isinstance(house.store.matches.claim(match, house.referee.me, house.now_ms, seed=seed), Claimed)
    assert takeover.park(match, house.store, house.referee.me, house.now_ms, "engine")


def _ended(house: House, *stuck: str) -> House:
    """Play a tournament of three bots to its end, with these of its three matches parked."""
    house.enter("alpha", "beta", "gamma")
    house.referee.by_secret = True
    house.desk.create(spec("spring", "alpha", "beta", "gamma"), SECRET, "tester")
    house.look()
    for match in stuck:
        _park(house, match)
    assert house.play("spring") is State.FINISHED
    return house


@pytest.fixture
def ended(house: House) -> House:
    """Let one of three matches be parked when its tournament ends."""
    return _ended(house, POISON)


def _seed(house: House) -> bytes | None:
    return house.store.tournaments.get("spring").deal_seed


def test_it_ends_without_the_parked_one_and_keeps_its_seed(ended: House) -> None:
    """Two matches count; with the seed everybody would know the cards of the third."""
    row = ended.store.tournaments.get("spring")
    assert (row.done, row.lost, row.parked, row.withheld, row.deal_seed) == (2, 1, 1, True, None)
    assert ended.desk.get("spring").deal_seed == b""
    page = StringIO()
    show_tournament(ended.desk.get("spring"), page)
    assert "the deal seed is secret while 1 match is parked" in " ".join(page.getvalue().split())


def test_who_watches_it_does_not_wait_for_a_seed_that_stays_secret(
    ended: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The result is shown at once; the ladder is not asked again and again."""
    asked, get = list[str](), TournamentClient.get

    def counted(client: TournamentClient, name: str) -> TournamentStatus:
        asked.append(name)
        return get(client, name)

    monkeypatch.setattr(TournamentClient, "get", counted)
    with served(ended) as address:
        monkeypatch.setenv("LASTCARD_LADDER", address)
        assert main(["tournament", "watch", "spring"]) == 0
    assert (asked, "1 parked" in capsys.readouterr().out) == ([], True)


def test_the_parked_one_is_played_and_all_follows(ended: House) -> None:
    """State, table, ratings, seed: as if it had been played in time."""
    before = ended.desk.get("spring").table
    assert ended.desk.requeue(POISON, "mended", "olga").state is MatchState.READY
    row = ended.store.tournaments.get("spring")
    assert (State(row.state), row.ended_ms, row.parked, row.lost, row.deal_seed) == (State.RUNNING, 0, 0, 0, None)
    assert ended.play("spring") is State.FINISHED
    row = ended.store.tournaments.get("spring")
    assert (row.done, row.lost, row.withheld, row.deal_seed) == (3, 0, False, SECRET)
    assert row.ended_ms == ended.now_ms
    after = ended.desk.get("spring").table
    assert sum(one.meetings for one in after.standings) == sum(one.meetings for one in before.standings) + 6
    assert ended.store.ratings.seq(FORMAT) == 3
    assert ended.store.ratings.rebuild(FORMAT).equal
    assert closed_match(ended.store, POISON).doubt() is None
    assert hashlib.sha256(SECRET).hexdigest() == row.commitment


def test_the_same_again_changes_nothing(ended: House) -> None:
    """An operator who asks twice has one line in the audit."""
    for _ in range(2):
        assert ended.desk.requeue(POISON, "mended", "olga").state is MatchState.READY
    assert [deed.verb for deed in ended.store.audit.tail(20, POISON)] == ["requeue"]


@pytest.mark.parametrize("writes", range(3))
def test_a_kill_leaves_it_over_or_going(ended: House, monkeypatch: pytest.MonkeyPatch, writes: int) -> None:
    """Match, tournament and audit change together."""
    with monkeypatch.context() as patched, suppress(KilledError):
        killed_at(ended, patched, writes)
        ended.desk.requeue(POISON, "mended", "olga")
    going = ended.store.matches.get(POISON).state is MatchState.READY
    assert ended.state("spring") is (State.RUNNING if going else State.FINISHED)
    assert len(ended.store.audit.tail(20, POISON)) == going
    assert going == (writes > 0)
    ended.desk.requeue(POISON, "mended", "olga")
    assert ended.play("spring") is State.FINISHED
    assert ended.store.tournaments.get("spring").done == 3


def test_with_the_last_parked_one_void_the_seed_is_shown_for_good(house: House) -> None:
    """From then on nothing is played again; as long as one is left, void ones are, too."""
    _ended(house, POISON, SECOND)
    row = house.desk.void(SECOND, "not worth it", "olga")
    assert _seed(house) is None
    assert house.desk.replay_of(row) == f"{SECOND}.r2"
    assert house.desk.requeue(SECOND, "it is, after all", "olga").id == f"{SECOND}.r2"
    assert house.play("spring") is State.FINISHED
    assert _seed(house) is None
    row = house.desk.void(POISON, "not worth it", "olga")
    house.look()  # a referee shows it
    assert _seed(house) == SECRET
    assert house.desk.replay_of(row) == ""
    for match in (POISON, f"{SECOND}.r2"):
        house.desk.void(match, "found out later", "olga")
        with pytest.raises(WrongStateError, match="the seed of its deals is public"):
            house.desk.requeue(match, "", "olga")
    assert house.state("spring") is State.FINISHED


def test_one_that_showed_its_seed_takes_nothing_back(ended: House) -> None:
    """A ledger of before: it ended, with a parked match, when there was no mark."""
    ended.store.link.read("HDEL", ended.store.keys.tournament("spring"), "withheld")
    ended.look()
    assert _seed(ended) == SECRET
    with pytest.raises(StateError, match="is finished, and the seed of its deals is public"):
        ended.desk.requeue(POISON, "", "olga")
    assert (ended.state("spring"), ended.store.matches.get(POISON).state) == (State.FINISHED, MatchState.PARKED)


def test_one_that_only_a_worker_could_not_apply_is_applied(house: House) -> None:
    """Nothing is dealt: the tournament only finishes anew."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma"))
    house.look()
    house.referee.play(house.now_ms)
    house.store.matches.spoil(POISON, "unproven", house.now_ms)
    assert house.play("spring") is State.FINISHED
    assert house.store.tournaments.get("spring").done == 2
    assert house.desk.requeue(POISON, "a new release", "olga").state is MatchState.CLOSED
    assert house.state("spring") is State.FINISHING
    assert house.play("spring") is State.FINISHED
    row = house.store.tournaments.get("spring")
    assert (row.done, row.lost, row.parked, row.deal_seed is None) == (3, 0, 0, False)
    assert house.store.ratings.seq(FORMAT) == 3


def test_a_bot_that_was_missing_at_the_end_has_its_grace_anew(house: House) -> None:
    """What was noted of it then says nothing of today."""
    _ended(house, POISON)
    absent = house.store.matches.get(POISON).entrants[0]
    present = house.store.presence.online()
    house.referee.seat({bot: said for bot, said in present.items() if bot != absent})
    house.now_ms += 3_600_000
    house.desk.requeue(POISON, "mended", "olga")
    assert house.play("spring", looks=3) is State.RUNNING
    assert house.store.matches.get(POISON).state in {MatchState.READY, MatchState.PLANNED}
    house.referee.seat(present)
    assert house.play("spring") is State.FINISHED
    assert house.store.tournaments.get("spring").done == 3


# deals that others share


def _shared(house: House) -> str:
    """Play a tournament on shared deals to its end, with one of its matches parked; returns that."""
    house.enter(*NAMES, formats=(FIELD,))
    house.referee.by_secret = True
    house.desk.create(replace(field(), meetings=1), SECRET, "tester")
    house.look()
    match = next(iter(house.store.matches.waiting()))
    _park(house, match)
    assert house.play("spring") is State.FINISHED
    assert _seed(house) is None
    return match


@pytest.mark.thorough
@pytest.mark.parametrize("writes", range(4))
def test_a_parked_table_of_shared_deals_is_played_again_on_its_own(
    house: House, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    """Also where who puts it back is killed half way: the planner writes its next attempt then."""
    match = _shared(house)
    with monkeypatch.context() as patched, suppress(KilledError):
        killed_at(house, patched, writes)
        house.desk.requeue(match, "mended", "olga")
    if not writes:
        assert house.store.matches.get(match).state is MatchState.PARKED
        house.desk.requeue(match, "mended", "olga")
    assert house.store.matches.get(match).state is MatchState.VOID
    assert house.play("spring") is State.FINISHED
    again = house.store.matches.get(f"{match}.r2")
    row = house.store.tournaments.get("spring")
    assert (again.state, again.group, row.again, row.done, row.deal_seed) == (
        MatchState.RATED, again.id, 1, row.matches, SECRET,
    )  # fmt: skip
    assert house.store.ratings.seq(FIELD) == row.matches
