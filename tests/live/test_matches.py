"""Matches of real bots on a real referee and store."""

import asyncio
from hashlib import sha256
from pathlib import Path

from ladder.store import Store
from ladder.store.rows import MatchState
from lastcard import Bot, Option, Turn
from referee import formats
from referee.fold import fold
from referee.hosting.window import FEW
from referee.match_spec import MatchSpec
from tests.live.house import FORMAT, house, plan, result
from tests.live.peer import Peer


class Greedy(Bot):
    """The bot of the README."""

    def choose(self, turn: Turn) -> Option:
        """Play what has most points."""
        return max(turn.options, key=lambda option: option.points)


async def test_two_bots_play_a_match_to_its_end(store: Store, tmp_path: Path) -> None:
    """The match is closed with a result for every game, no faults, and a log that folds to that result."""
    async with house(store, tmp_path) as home:
        a = await home.join("ann", Greedy())
        b = await home.join("ben", Greedy())
        await home.plan(plan("t.1.1.0", a, b, meetings=4))
        row = await home.ended("t.1.1.0")
        assert row.state is MatchState.CLOSED
        told = result(row)
        assert told["faults"] == [0, 0]
        assert [len(meeting["games"]) for meeting in told["meetings"]] == [2] * 4
        seed = store.matches.seed("t.1.1.0")
        assert seed is not None
        assert row.commitment == sha256(seed.reveal()).hexdigest()
        spec = MatchSpec("t.1.1.0", formats.get(FORMAT), (a, b), 4)
        play = fold(spec, seed, [data for _, _, data in store.matches.log("t.1.1.0")])
        assert play.result() == told
        assert all(nonce is not None for nonce in play.nonces.values())


async def test_many_matches_run_at_once(store: Store, tmp_path: Path) -> None:
    """Three bots in a round robin: all matches close, each once."""
    async with house(store, tmp_path) as home:
        names = [await home.join(name, Greedy()) for name in ("ann", "ben", "cy0")]
        pairs = [(a, b) for index, a in enumerate(names) for b in names[:index]]
        await home.plan(*(plan(f"t.1.{n}.0", *pair, meetings=8) for n, pair in enumerate(pairs)))
        rows = await asyncio.gather(*(home.ended(f"t.1.{n}.0") for n in range(len(pairs))))
        assert {row.state for row in rows} == {MatchState.CLOSED}


async def test_a_queue_of_matches_that_cannot_begin_holds_nobody_back(store: Store, tmp_path: Path) -> None:
    """Two bots with room for one round never answer, and have more matches waiting than a referee first looks at."""
    async with house(store, tmp_path) as home:
        slow = [Peer.open(home, name, max_games=1) for name in ("mute", "numb")]
        async with slow[0] as one, slow[1] as other:
            stuck = [plan(f"s.1.{n}.0", one.bot, other.bot) for n in range(2 * FEW)]
            await home.plan(*stuck)
            names = [await home.join(name, Greedy()) for name in ("ann", "ben")]
            await home.plan(plan("t.2.1.0", *names))
            row = await home.ended("t.2.1.0")
            assert row.state is MatchState.CLOSED
            assert result(row)["faults"] == [0, 0]
            assert sum(store.matches.get(one.id).state is MatchState.READY for one in stuck) >= FEW
