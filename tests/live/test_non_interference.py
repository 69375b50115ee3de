"""What a seat is told depends on what it may know, over the real wire: other hidden cards, the same bytes.

Two matches with the same seed on a real referee, with bots that decide from their turns alone. In the second, the
cards that entrant 0 cannot see are others: the hands of its opponents, what they draw, the depth of the pile. The
others draw and keep, so that nothing they hold comes to the table unless the rules lay it open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import grpc
import pytest

from ladder.store import Store
from ladder.store.local import LocalStore
from ladder.store.rows import MatchState
from lastcard import Act, Turn
from lastcard.answer import decide
from lastcard.history import History, Match
from lastcard.v1 import play_pb2 as pb
from referee import formats
from referee.hosting import taking
from referee.match import MatchPlay
from referee.rules import view
from referee.rules.round import Picks, Round
from referee.rules.uno.round import UnoRound
from tests.fixtures_store import PEPPER
from tests.live.hidden import Stream, difference, game_for
from tests.live.house import House, house, plan, result
from tests.live.leaks import tell_the_card
from tests.live.peer import Peer
from tests.patience import PATIENCE_S

FORMATS = ("uno-classic-2", "uno-house-4", "uno-official-4", "uno-pairs-4", "spin-4", "dos-4", "duo")
LONG = {"uno-house-4", "uno-official-4", "uno-pairs-4"}
"""Their rounds are long where others only draw; every game is among the rest."""
SEED = bytes(range(32))
MATCH = "n.1.1.0"
PILE = 6
"""Where a view says how large the draw pile is."""
LEAST = {"dos-4": 5}
"""Turns that are the same at least, of all rounds; in DOS most turns lay cards open."""
QUIET = (Act.DRAW, Act.KEEP, Act.PASS, Act.ACCEPT)


class Player(Peer):
    """A bot that decides from its turns alone: entrant 0 plays what comes first, the others show nothing."""

    quiet = True

    def __init__(self, call: grpc.aio.StreamStreamCall[bytes, bytes], bot: str) -> None:
        super().__init__(call, bot)
        self.format = ""
        self.histories: dict[int, History] = {}

    def _request(self, response: pb.PlayResponse) -> pb.PlayRequest:
        request = super()._request(response)
        for turn in response.turns:
            if turn.HasField("start"):
                start = turn.start
                self.histories[turn.round] = History(start.round_id, start.seat, Match(format=self.format))
            if turn.HasField("decision"):
                asked = Turn.from_wire(turn, self.histories[turn.round])
                picked, wrong = decide(self._choose, asked)
                assert wrong is None
                answer = pb.Answer(round=turn.round, act=turn.act, picks=picked.picks, call=True)
                answer.color = picked.color  # type: ignore[assignment]  # the number of the enum
                request.answers.append(answer)
        return request

    def _choose(self, turn: Turn) -> object:
        if self.quiet:
            for act in QUIET:
                for option in turn.options:
                    if option.act is act:
                        return option
        return () if turn.may_be_empty else 0


async def played(store: Store, folder: Path, format_name: str, salt: int | None) -> Stream:
    """Play one meeting and return what entrant 0 was told; `salt` exchanges what it cannot see."""
    match_play = MatchPlay if salt is None else partial(MatchPlay, game=game_for(salt))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(taking, "MatchPlay", match_play)
        patch.setattr(taking, "seed_of", lambda *_: SEED)
        async with house(store, folder) as home:
            return await _meeting(home, format_name)


async def _meeting(home: House, format_name: str) -> Stream:
    seats = formats.get(format_name).seats
    async with asyncio.timeout(PATIENCE_S):
        stack = [Player.open(home, f"bot{n}", formats=[format_name], max_games=seats) for n in range(seats)]
        async with AsyncExitStack() as open_:
            peers = [await open_.enter_async_context(one) for one in stack]
            for peer in peers:
                peer.format = format_name
            peers[0].quiet = False
            await home.plan(plan(MATCH, *(peer.bot for peer in peers), format_name=format_name))
            row = await home.ended(MATCH)
            assert row.state is MatchState.CLOSED
            assert result(row)["faults"] == [0] * seats
            await peers[0].seen_end()
            return Stream(peers[0].raw)


@pytest.fixture
def other_store(store_server: LocalStore, tenant: str) -> Iterator[Store]:
    """The ledger of another house, in which matches may have the same names."""
    with Store.open(store_server.url, tenant=f"{tenant}-other", role="test", pepper=PEPPER) as opened:
        yield opened


def compared(one: Stream, other: Stream) -> tuple[list[int], list[str]]:
    """Return by round how many turns were the same, and everything that tells of hidden cards."""
    same, wrong = [], []
    for handle, turns in one.rounds.items():
        count, why = difference(turns, other.rounds[handle])
        same.append(count)
        wrong += [why] if why else []
    if one.notices != other.notices:
        wrong.append("the notices differ")
    return same, wrong


@pytest.mark.parametrize(
    "format_name",
    [pytest.param(name, marks=pytest.mark.thorough if name in LONG else ()) for name in FORMATS],
)
async def test_other_hidden_cards_are_the_same_stream(
    store: Store, other_store: Store, tmp_path: Path, format_name: str
) -> None:
    """Every turn is the same bytes until a card comes that the seat may see, and every notice is, whatever comes."""
    plain = await played(store, tmp_path, format_name, None)
    other = await played(other_store, tmp_path, format_name, 7)
    same, wrong = compared(plain, other)
    assert wrong == []
    assert sum(same) >= LEAST.get(format_name, 25), same


def count_answers(patch: pytest.MonkeyPatch) -> None:
    """The id of a decision counts answers: it tells whether a drawn card that was kept could have been played."""
    apply = UnoRound.apply

    def leaking(self: UnoRound, seat: int, picks: Picks, call: bool = False, color: int = 0) -> None:
        apply(self, seat, picks, call, color)
        self.asked_at = self.acts

    patch.setattr(UnoRound, "apply", leaking)


def show_the_pile(patch: pytest.MonkeyPatch) -> None:
    """The view says more of the draw pile than its size."""
    sight = view.sight

    def leaking(round_: Round, seat: int) -> view.Sight:
        told = list(sight(round_, seat))
        told[PILE] = len(round_.draw) + round_.draw[0] % 2
        return tuple(told)  # type: ignore[return-value]  # as long and of the same kinds

    patch.setattr(view, "sight", leaking)


@pytest.mark.parametrize(
    "leak",
    [pytest.param(one, id=one.__name__.replace("_", " ")) for one in (tell_the_card, count_answers, show_the_pile)],
)
async def test_a_planted_leak_is_seen(
    store: Store, other_store: Store, tmp_path: Path, leak: Callable[[pytest.MonkeyPatch], None]
) -> None:
    """The same comparison finds it."""
    with pytest.MonkeyPatch.context() as patch:
        leak(patch)
        plain = await played(store, tmp_path, FORMATS[0], None)
        other = await played(other_store, tmp_path, FORMATS[0], 7)
    _, wrong = compared(plain, other)
    assert wrong
