"""A bot plays what its Hello offers, and for a match of anything else it is not there."""

import asyncio
from pathlib import Path
from typing import Any

from ladder.store import Store
from ladder.store.rows import MatchState
from tests.live.house import FORMAT, House, house, plan, result
from tests.live.peer import Peer
from tests.live.test_faults import FAST, Quick, Slow
from tests.live.test_matches import Greedy
from tests.patience import PATIENCE_S

OTHER = "dos-2-fast"


class Both(Greedy):
    """Plays two games."""

    formats = (FAST, OTHER)


def asked(peer: Peer) -> list[int]:
    """Return the decisions that a peer was asked."""
    return [turn.act for turn in peer.turns if turn.HasField("decision")]


def begun(peer: Peer) -> list[str]:
    """Return the matches that a peer was told of."""
    return [notice.match_start.match for notice in peer.notices if notice.HasField("match_start")]


async def _told(home: House, match: str) -> dict[str, Any]:
    row = await home.ended(match)
    assert row.state is MatchState.CLOSED
    return result(row)


async def test_who_does_not_offer_the_format_never_came(store: Store, tmp_path: Path) -> None:
    """It is waited for like a bot that is away, and asked nothing, not even for a nonce."""
    async with house(store, tmp_path, absent_s=0.5) as home, Peer.open(home, "dosser", formats=[OTHER]) as dosser:
        quick = await home.join("quick", Quick())
        await home.plan(plan("o.1.1.0", dosser.bot, quick, format_name=FAST))
        told = await _told(home, "o.1.1.0")
        assert told["walkover"] is True
        assert told["forfeits"] == [{"entrant": 0, "reason": "NEVER_CAME"}]
        assert dosser.turns == []
        assert begun(dosser) == []


async def test_who_offers_it_in_time_plays(store: Store, tmp_path: Path) -> None:
    """Also where another process of the bot was there before."""
    async with house(store, tmp_path, absent_s=20.0) as home, Peer.open(home, "late", formats=[OTHER]) as early:
        quick = await home.join("quick", Quick())
        await home.plan(plan("o.1.2.0", early.bot, quick, format_name=FAST))
        async with Peer.open(home, "late", instance="second", formats=[FAST]) as second:
            second.answer = lambda _turn: [0]
            told = await _told(home, "o.1.2.0")
            assert told["forfeits"] == []
            assert asked(second)
        assert asked(early) == []


async def test_each_process_is_asked_in_the_formats_that_it_offers(store: Store, tmp_path: Path) -> None:
    """Room of one is no room of the other: more matches of a format wait, whatever other processes could take."""
    async with (
        house(store, tmp_path) as home,
        Peer.open(home, "twin", instance="cards", formats=[FAST], max_games=2) as cards,
        Peer.open(home, "twin", instance="tiles", formats=[OTHER], max_games=64) as tiles,
    ):
        other = await home.join("other", Both())
        most = 0

        def pick(_turn: object) -> list[int]:
            nonlocal most
            player = home.referee.roster.players[cards.bot]
            most = max(most, sum(seat.hosted.format_name == FAST for seat in player.seats))
            return [0]

        for peer in (cards, tiles):
            peer.answer = pick
        matches = [plan(f"o.2.{n}.0", cards.bot, other, format_name=(FAST, OTHER)[n % 2], meetings=2) for n in range(6)]
        await home.plan(*matches)
        for match in matches:
            assert (await _told(home, match.id))["forfeits"] == []
        assert sorted(begun(cards)) == [match.id for match in matches if match.format == FAST]
        assert sorted(begun(tiles)) == [match.id for match in matches if match.format == OTHER]
        assert most == 2


async def test_who_comes_back_with_fewer_formats_forfeits_what_it_dropped(store: Store, tmp_path: Path) -> None:
    """After the same time as a bot that is away, and it is asked no more."""
    async with house(store, tmp_path, absent_s=1.0) as home:
        slow = await home.join("slow", Slow())
        async with Peer.open(home, "fickle", formats=[FAST, OTHER]) as before:
            before.answer = lambda _turn: [0]
            await home.plan(plan("o.3.1.0", before.bot, slow, format_name=FAST, meetings=8))
            await before.seen_turns(3)
            async with Peer.open(home, "fickle", formats=[OTHER]) as after:
                told = await _told(home, "o.3.1.0")
                assert told["forfeits"] == [{"entrant": 0, "reason": "ABSENT"}]
                assert after.turns == []
                assert begun(after) == []


async def test_what_a_process_dropped_goes_on_at_another_that_offers_it(store: Store, tmp_path: Path) -> None:
    """With the same decision, and without a fault."""
    async with house(store, tmp_path) as home, Peer.open(home, "pair", instance="a", formats=[FORMAT]) as first:
        gus = await home.join("gus", Greedy())
        await home.plan(plan("o.3.2.0", first.bot, gus))
        await first.seen_turns(1)
        async with (
            Peer.open(home, "pair", instance="b", formats=[FORMAT]) as second,
            Peer.open(home, "pair", instance="a", formats=[OTHER]) as again,
        ):
            second.answer = lambda _turn: [0]
            told = await _told(home, "o.3.2.0")
            assert told["forfeits"] == []
            assert again.turns == []
            assert set(asked(first)) <= set(asked(second))


async def test_the_planner_sees_room_by_format(store: Store, tmp_path: Path) -> None:
    """Of the processes that offer it."""
    async with (
        house(store, tmp_path) as home,
        Peer.open(home, "twin", instance="a", formats=[FAST], max_games=3) as peer,
        Peer.open(home, "twin", instance="b", formats=[FAST, OTHER], max_games=5),
    ):
        async with asyncio.timeout(PATIENCE_S):
            while store.presence.online().get(peer.bot) is None or store.presence.online()[peer.bot].room < 8:  # noqa: ASYNC110  (the store tells nobody)
                await asyncio.sleep(0.02)
        rooms = {name: store.presence.online(name)[peer.bot].room for name in (FAST, OTHER)}
        assert rooms == {FAST: 8, OTHER: 5}
        assert store.presence.online("spin-2") == {}
