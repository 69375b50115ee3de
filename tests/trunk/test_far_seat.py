"""A seat whose bot dialled another referee than its host: everything that a bot is promised holds there, too."""

import itertools
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from ladder.store import Store
from ladder.store.errors import StoreUnavailableError
from ladder.store.rows import MatchState
from lastcard.address import Address
from lastcard.v1 import play_pb2 as pb
from referee.fold import fold
from referee.formats import get
from referee.hosting import seeking
from referee.match_spec import MatchSpec
from referee.trunk.handshake import Handshake
from referee.trunk.line import Line
from referee.trunk.switchboard import Switchboard
from tests.live.house import FORMAT, House, house, plan, result
from tests.live.peer import Peer
from tests.live.test_faults import FAST, Quick
from tests.live.test_matches import Greedy
from tests.patience import PATIENCE_S, until

pytestmark = pytest.mark.slow
ANY = Address("127.0.0.1", 0)
REPLACED = "replaced"
NUMBERS = itertools.count()


@asynccontextmanager
async def two_houses(store: Store, folder: Path, **changes: object) -> AsyncIterator[tuple[House, House]]:
    """Run two referees in this loop, with a trunk between them; they know the same bots."""
    async with AsyncExitStack() as stack:
        first, second = [await stack.enter_async_context(house(store, folder, trunk=ANY, **changes)) for _ in range(2)]
        second.tokens = first.tokens
        await until(lambda: all(board(one).links for one in (first, second)))
        yield first, second


def board(one: House) -> Switchboard:
    """Return the trunks of a referee."""
    assert one.referee.switchboard is not None
    return one.referee.switchboard


async def an_id_for(home: House, *entrants: str) -> str:
    """Return a match id that a referee is the first to claim, among those with as many of its bots."""
    sight = await home.referee.claimer._look()
    ids = (f"m.{next(NUMBERS)}.1.0" for _ in range(1000))
    return next(match for match in ids if home.referee.claimer.seeker.my_turn(match, entrants, sight))


def away(match: str, homes: tuple[House, House]) -> tuple[House, House]:
    """Return the host of a match and the other one."""
    return homes if match in homes[0].referee.host.matches else (homes[1], homes[0])


async def _played(homes: tuple[House, House], match: str, peer: Peer) -> dict[str, Any]:
    quick = await homes[0].join("quick", Quick())
    await homes[0].plan(plan(match, peer.bot, quick, format_name=FAST))
    row = await homes[0].ended(match, 60)
    assert row.state is MatchState.CLOSED
    return result(row)


async def test_a_bug_of_ours_in_one_trunk_is_told_and_it_is_dialled_again(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is in the log, and costs nobody else anything."""
    dial, tries = Handshake.dial, list[str]()

    async def buggy(self: Handshake, line: Line, name: str) -> None:
        tries.append(name)
        if len(tries) == 1:
            raise ZeroDivisionError("planted")
        await dial(self, line, name)

    monkeypatch.setattr(Handshake, "dial", buggy)
    with capture_logs() as told:
        async with two_houses(store, tmp_path):
            assert len(tries) > 1
    assert [line["peer"] for line in told if line["event"] == "trunk_crashed"] == tries[:1]


async def test_room_that_was_kept_for_a_claim_is_free_again_where_the_store_falls_silent(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody asks for it again: the match is void by then."""
    async with two_houses(store, tmp_path) as homes:
        ann, ben = await homes[0].join("ann", Quick()), await homes[1].join("ben", Quick())
        promised: list[object] = []

        def silent(match: str, *_: object, **__: object) -> None:
            promised.extend(promise for home in homes for promise in home.referee.lodging.promised())
            store.matches.void(match, "no more", "ann", 7)
            raise StoreUnavailableError("planted")

        monkeypatch.setattr(store.matches, "claim", silent)
        await homes[0].plan(plan("f.9.1.0", ann, ben, format_name=FAST))
        await until(lambda: promised)
        await until(lambda: not any(home.referee.lodging.promised() for home in homes))


async def test_a_far_bot_that_never_answers_loses_by_its_clock(store: Store, tmp_path: Path) -> None:
    """Its home says when it is late; the opponent has no fault and wins."""
    async with two_houses(store, tmp_path) as homes, Peer.open(homes[1], "mute", formats=[FAST]) as mute:
        told = await _played(homes, "f.1.1.0", mute)
        assert told["fault_kinds"][0]["late"] >= 3
        assert told["faults"][1] == 0
        assert {reply.code for reply in mute.replies} == {9}


async def test_a_far_bot_that_answers_garbage_is_told_and_counted(store: Store, tmp_path: Path) -> None:
    """The default is played, a reply says so."""
    async with two_houses(store, tmp_path) as homes, Peer.open(homes[1], "liar", formats=[FAST]) as liar:
        liar.answer = lambda turn: [len(turn.decision.option_act) + 7]
        told = await _played(homes, "f.1.2.0", liar)
        assert told["fault_kinds"][0]["illegal"] >= 3
        assert {reply.code for reply in liar.replies} == {6}


async def test_repeated_and_foreign_answers_of_a_far_bot_cost_nothing(store: Store, tmp_path: Path) -> None:
    """They get their reply from their home."""
    async with two_houses(store, tmp_path) as homes, Peer.open(homes[1], "echo", formats=[FAST]) as echo:
        echo.echoes = True
        echo.answer = lambda _turn: [0]
        told = await _played(homes, "f.1.3.0", echo)
        assert told["faults"] == [0, 0]
        assert {1, 2, 3, 4} >= {reply.code for reply in echo.replies} >= {1, 4}


async def test_the_nonce_of_a_far_bot_enters_the_deals(store: Store, tmp_path: Path) -> None:
    """As that of one that is here; and it is told of begin and end."""
    async with two_houses(store, tmp_path) as homes, Peer.open(homes[1], "peer", formats=[FAST]) as peer:
        peer.nonce = b"0123456789abcdef"
        peer.answer = lambda _turn: [0]
        await _played(homes, "f.1.4.0", peer)
        row = store.matches.get("f.1.4.0")
        seed = store.matches.seed(row.id)
        assert seed is not None
        play = fold(MatchSpec(row.id, get(FAST), row.entrants, 1), seed, [e[2] for e in store.matches.log(row.id)])
        assert play.nonces[0] == peer.nonce
        await until(lambda: any(notice.HasField("match_end") for notice in peer.notices))
        assert sum(notice.HasField("match_start") for notice in peer.notices) == 1


async def test_all_hosts_together_ask_no_more_than_a_bot_takes(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one decision at a time, questions of two hosts wait for each other at its home, their clocks not started."""
    monkeypatch.setattr(seeking, "STEP_S", PATIENCE_S)  # on a busy machine one of them would take all
    async with two_houses(store, tmp_path) as homes, Peer.open(homes[0], "busy", max_open=1) as busy:
        names = [await home.join(f"gus{n}", Greedy()) for n, home in enumerate(homes)]
        ids = [await an_id_for(home, busy.bot, names[1]) for home in (*homes, homes[1])]
        await homes[0].plan(*(plan(match, busy.bot, names[1]) for match in ids))
        await until(lambda: all(home.referee.host.matches for home in homes))
        [session] = homes[0].referee.roster.local_sessions(busy.bot)
        await until(lambda: any(not hasattr(asked, "entrant") for asked in (*session.open, *session.waiting)))
        await until(lambda: len(session.waiting) >= 2)
        assert len(session.open) == 1
        assert all(not asked.started for asked in session.waiting)
        assert len([turn for turn in busy.turns if turn.HasField("decision")]) == 1
        busy.answer = lambda _turn: [0]
        [turn] = [turn for turn in busy.turns if turn.HasField("decision")]
        await busy.say(_answer(turn.round, turn.act))
        rows = [await homes[0].ended(match, 60) for match in ids]
        assert [result(row)["faults"] for row in rows] == [[0, 0]] * 3


def _answer(handle: int, act: int) -> pb.PlayRequest:
    return pb.PlayRequest(answers=[pb.Answer(round=handle, act=act, picks=[0])])


async def test_a_match_is_played_where_all_its_bots_are(store: Store, tmp_path: Path) -> None:
    """The other referee leaves it alone, though it has nothing to do."""
    async with two_houses(store, tmp_path) as homes:
        names = [await homes[0].join(name, Greedy()) for name in ("ann", "ben")]
        matches = [plan(f"h.1.{n}.0", *names) for n in range(5)]
        await homes[0].plan(*matches)
        rows = [await homes[0].ended(match.id) for match in matches]
        assert {row.state for row in rows} == {MatchState.CLOSED}
        assert [home.referee.counts.claims for home in homes] == [5, 0]


async def test_room_is_reserved_at_home(store: Store, tmp_path: Path) -> None:
    """A bot that takes one round at a time is never in two, whoever hosts them."""
    async with two_houses(store, tmp_path) as homes, Peer.open(homes[0], "small", max_games=1) as small:
        names = [await home.join(f"gus{n}", Greedy()) for n, home in enumerate(homes)]
        most = 0

        def pick(turn: object) -> list[int]:
            nonlocal most
            del turn
            hosted = [one for home in homes for one in home.referee.host.matches.values() if one.play.tables]
            most = max(most, sum(len(one.play.tables) for one in hosted))
            return [0]

        small.answer = pick
        matches = [plan(f"r.1.{n}.0", small.bot, names[n % 2]) for n in range(6)]
        await homes[0].plan(*matches)
        for match in matches:
            row = await homes[0].ended(match.id, 60)
            assert result(row)["faults"] == [0, 0]
        assert most == 1


async def test_a_stream_at_another_referee_replaces_the_old_one(store: Store, tmp_path: Path) -> None:
    """The newer one of an instance has the seats, wherever it is; the old one is told."""
    async with two_houses(store, tmp_path) as homes, Peer.open(homes[1], "twin", formats=[FORMAT]) as old:
        greedy = await homes[0].join("gus", Greedy())
        await homes[0].plan(plan("w.1.1.0", old.bot, greedy))
        await old.seen_turns(1)
        host, _ = away("w.1.1.0", homes)
        async with Peer.open(host, "twin", formats=[FORMAT]) as new:
            new.answer = lambda _turn: [0]
            for turn in [turn for turn in new.turns if turn.HasField("decision")]:
                await new.say(_answer(turn.round, turn.act))
            row = await homes[0].ended("w.1.1.0", 60)
            assert result(row)["faults"] == [0, 0]
            await until(lambda: any(notice.HasField(REPLACED) for notice in old.notices))


async def test_where_the_trunk_is_cut_nobody_is_charged(store: Store, tmp_path: Path) -> None:
    """Both referees live and cannot speak: the clocks stand, the match is given back, and goes on when they can."""
    async with two_houses(store, tmp_path) as homes:
        ann = await homes[0].join("ann", Greedy())
        async with Peer.open(homes[1], "ben") as ben:
            await homes[0].plan(plan("c.1.1.0", ann, ben.bot))
            await ben.seen_turns(1)
            host, _ = away("c.1.1.0", homes)
            for one in homes:
                board(one).closing = True
            for one in homes:
                for link in list(board(one).links.values()):
                    link.cut()
            await until(lambda: "c.1.1.0" not in host.referee.host.matches)
            assert store.matches.get("c.1.1.0").state is MatchState.READY
            ben.answer = lambda _turn: [0]
            for one in homes:
                board(one).closing = False
            row = await homes[0].ended("c.1.1.0", 60)
            assert row.state is MatchState.CLOSED
            assert result(row)["faults"] == [0, 0]
            assert result(row)["forfeits"] == []
