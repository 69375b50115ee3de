"""A house bot decides from the bytes of a referee as it decides in the local arena, in every game that there is."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from lastcard.history import History, Match
from lastcard.turn import Turn
from lastcard.v1 import play_pb2 as pb
from referee import formats, wire
from referee.bots import BOTS, HouseBot, make
from referee.hosting.hosted import Hosted
from referee.hosting.seats import Seat
from referee.local.local_bot import ask
from referee.match import MatchPlay
from referee.rules.games import GAMES
from referee.table import Table
from tests.referee.playing import CALLED, SEED, spec
from tests.rules.playing import some_answer

pytestmark = pytest.mark.slow

FORMATS = ("uno-classic-2", "uno-house-4", "uno-official-4", "uno-pairs-4", "spin-2", "spin-4", "dos-2", "dos-4", "duo")
GAMES_PLAYED = 3
SETTINGS = {"search": "search:8"}  # it shall not think long here


def house() -> list[HouseBot]:
    """Return one of each house bot."""
    return [make(SETTINGS.get(name, name), 3) for name in BOTS]


def tables(play: MatchPlay, rng: Random) -> Iterator[Table]:
    """Play some games with random answers; yield the table before each of them."""
    for game in range(GAMES_PLAYED):
        table = play.start(game)
        while game in play.tables:
            if table.round_over:
                play.end_round(table)
                continue
            yield table
            seat = rng.choice(sorted(table.round.asked))
            picks, call, color = some_answer(table.round, seat, rng)
            play.act(table, seat, picks, color | CALLED if call else color, 0, 0, 0)


def test_every_game_is_among_them() -> None:
    """A game that is added is to be added here."""
    assert {formats.get(name).rules.game for name in FORMATS} == set(GAMES)


FEW = {"uno-house-4", "dos-2"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in FEW else pytest.mark.nightly) for name in FORMATS]
)
def test_it_decides_the_same_remotely_and_locally(name: str) -> None:
    """In every decision of a few games, whoever plays the others."""
    played = formats.get(name)
    play = MatchPlay(spec(name, 2), SEED)
    hosted = Hosted(play, "1-0-x", 1, 0)
    bots = house()
    match = Match("cup.1.1.0", name, ruleset=played.rules.hash)
    seats: dict[tuple[int, int], tuple[Seat, History, History]] = {}
    compared = 0
    for table in tables(play, Random(4)):
        for number in table.round.asked:
            key = (table.index, number)
            if key not in seats:
                seat = Seat(hosted, table, number, number)
                seats[key] = seat, History(seat.round_id, number, match), History(seat.round_id, number, match)
            seat, here, there = seats[key]
            seat.handle, seat.act = 1, table.round.asked_at
            remote = Turn.from_wire(pb.PlayResponse.FromString(wire.turn(seat)).turns[0], there)
            local = ask(table.round, number, here, played.clock)
            assert (local.act, local.past, local.options) == (remote.act, remote.past, remote.options)
            assert local.seconds_left == remote.seconds_left == 25.0
            for bot in bots:
                assert bot.choose(local) == bot.choose(remote)
                compared += 1
    assert compared > 100
