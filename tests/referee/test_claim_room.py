"""What one look for work takes of the room of bots: never more than there is, whoever else takes of it meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladder.store import Store
from ladder.store.rows import MatchRow, MatchState
from referee import formats
from referee.app import Referee
from referee.hosting.hosted import Hosted, Phase, Stay
from referee.hosting.rooms import Count, Rooms
from referee.hosting.taking import Terms
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.trunk import frames
from tests.live.house import FORMAT, plan
from tests.referee.idle import idle
from tests.referee.playing import SEED

ANN, BEN, CID, DAN = BOTS = ("ann@1", "ben@1", "cid@1", "dan@1")
ROOM, GAMES = 2, 2
"""Of each bot, and of each match."""


class OtherHost:
    """A referee that has matches of bots that are here."""

    name = "ref-other"
    silent = False

    def send(self, frame: bytes) -> None:
        """Hear of nothing."""


def hosted(referee: Referee) -> dict[str, int]:
    """Return how many games at once the matches here may play."""
    return {match: one.reserved for match, one in referee.host.matches.items()}


def taken(referee: Referee) -> dict[str, int]:
    """Return the rounds of each bot that matches here and other hosts have."""
    return {bot: ROOM - referee.claimer.rooms.of(bot, FORMAT) for bot in BOTS}


@pytest.mark.parametrize(
    ("promised", "begun"),
    [
        pytest.param(0, {"t.1.1.0": 2, "t.1.2.0": 2}, id="nothing"),
        pytest.param(1, {"t.1.1.0": 2, "t.1.2.0": 1}, id="some of it"),
        pytest.param(2, {"t.1.1.0": 2}, id="all of it"),
    ],
)
async def test_what_is_promised_while_a_match_is_claimed_is_not_taken_again(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, promised: int, begun: dict[str, int]
) -> None:
    """Room was counted before: of the next match in the same look a bot has less by then."""
    async with idle(store, tmp_path, *BOTS, room=ROOM) as referee:
        take = referee.claimer.taker.take

        async def taking(row: MatchRow, terms: Terms) -> None:
            if promised and row.id == "t.1.1.0":
                asked = frames.parse(frames.reserve(1, Stay("far.1.1.0", CID, FORMAT), promised))[0]
                referee.lodging.reserve(OtherHost(), asked)
            await take(row, terms)

        monkeypatch.setattr(referee.claimer.taker, "take", taking)
        store.matches.plan([plan("t.1.1.0", ANN, BEN), plan("t.1.2.0", CID, DAN)], 5)
        await referee.claimer._claim_ready()
        assert hosted(referee) == begun
        assert taken(referee) == {ANN: 2, BEN: 2, CID: 2, DAN: begun.get("t.1.2.0", 0)}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Keep whose room is asked for anew."""
    bots: list[str] = []
    of = Rooms.of

    def counted(self: Rooms, bot: str, format_name: str) -> int:
        bots.append(bot)
        return of(self, bot, format_name)

    monkeypatch.setattr(Rooms, "of", counted)
    return bots


async def test_matches_that_share_a_bot_take_no_more_than_it_has(
    store: Store, tmp_path: Path, asked: list[str]
) -> None:
    """What the first took is known when the second is looked at: nobody is asked for the room of bots once more."""
    async with idle(store, tmp_path, *BOTS, room=ROOM) as referee:
        store.matches.plan([plan("t.1.1.0", ANN, BEN), plan("t.1.2.0", ANN, CID), plan("t.1.3.0", ANN, DAN)], 5)
        await referee.claimer._claim_ready()
        assert asked == [ANN, BEN]
        assert hosted(referee) == {"t.1.1.0": GAMES}
        assert taken(referee) == {ANN: 2, BEN: 2, CID: 0, DAN: 0}


async def test_a_referee_that_becomes_late_while_it_claims_counts_that_once(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: list[str]
) -> None:
    """It has no room from then on: that is not found out for each match that waits, while everybody else does, too."""
    bots = [f"bot-{number}@1" for number in range(12)]
    async with idle(store, tmp_path, *bots, room=ROOM) as referee:
        take = referee.claimer.taker.take

        async def taking(row: MatchRow, terms: Terms) -> None:
            await take(row, terms)
            referee.claimer.rooms.most = referee.claimer.rooms.in_use

        monkeypatch.setattr(referee.claimer.taker, "take", taking)
        store.matches.plan([plan(f"t.1.{n}.0", *bots[2 * n : 2 * n + 2]) for n in range(6)], 5)
        await referee.claimer._claim_ready()
        assert hosted(referee) == {"t.1.0.0": GAMES}
        assert asked == bots[:4]


async def test_matches_that_share_a_bot_grow_no_further_than_it_has(store: Store, tmp_path: Path) -> None:
    """One look has both grow: what the first took is not there for the second."""
    async with idle(store, tmp_path, ANN, BEN, CID, room=8) as referee:
        for number, other in enumerate((BEN, CID)):
            played = MatchSpec(f"cup.1.{number}.0", formats.get(FORMAT), (ANN, other), 4, with_nonces=False)
            one = referee.host.matches[played.id] = Hosted(MatchPlay(played, SEED), "0-0-", 0, 0)
            one.phase = Phase.PLAYING
        referee.claimer.growth.grow()
        assert hosted(referee) == {"cup.1.0.0": 7, "cup.1.1.0": 1}


@pytest.mark.parametrize(("room", "counts"), [pytest.param(1, 0, id="no place"), pytest.param(2, 1, id="a place")])
async def test_nothing_is_counted_where_all_places_are_taken(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int, counts: int
) -> None:
    """A match whose bots all play grows by nothing, which nobody has to look at all other matches for."""
    counted = 0
    count = Rooms.count

    def counting(self: Rooms) -> Count:
        nonlocal counted
        counted += 1
        return count(self)

    async with idle(store, tmp_path, ANN, BEN, room=room) as referee:
        one = Hosted(
            MatchPlay(MatchSpec("cup.1.1.0", formats.get(FORMAT), (ANN, BEN), 4, with_nonces=False), SEED), "0-0-", 0, 0
        )
        referee.host.matches[one.id] = one
        one.phase = Phase.PLAYING
        referee.host.fill(one)
        assert [referee.claimer.rooms.has_place(bot, FORMAT) for bot in (ANN, BEN)] == [bool(counts)] * 2
        monkeypatch.setattr(Rooms, "count", counting)
        referee.claimer.growth.grow()
        assert (counted, one.parallel) == (counts, room)


async def test_absent_bots_are_looked_for_also_when_enough_was_claimed(store: Store, tmp_path: Path) -> None:
    """Else they would seem to have come and gone whenever there is much to do, and would be waited for without end."""
    async with idle(store, tmp_path, ANN, BEN, room=8) as referee:
        claimer = referee.claimer
        store.matches.plan([plan("t.1.1.0", ANN, BEN), plan("t.1.2.0", ANN, BEN), plan("t.1.3.0", ANN, CID)], 5)
        claimer._left = 1
        await claimer._claim_ready()
        assert list(referee.host.matches) == ["t.1.1.0"]
        assert store.matches.states()[MatchState.RUNNING] == 1
        assert claimer._absences.since(CID, FORMAT) > 0.0
