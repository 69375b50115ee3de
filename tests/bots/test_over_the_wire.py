"""A house bot decides from the bytes of a referee as it decides in the local arena."""

from __future__ import annotations

from random import Random

import pytest

from lastcard.history import History, Match
from lastcard.turn import Turn
from lastcard.v1 import play_pb2 as pb
from referee import formats, wire
from referee.bots import BOTS, get
from referee.hosted import Hosted
from referee.local_bot import ask
from referee.match import MatchPlay
from referee.seats import Seat
from referee.table import Table
from tests.referee.playing import SEED, play_game, spec


@pytest.mark.parametrize("name", ["uno-classic-2", "uno-house-4", "uno-official-4", "uno-pairs-4"])
def test_it_decides_the_same_remotely_and_locally(name: str) -> None:
    """In every decision of a few games, whoever plays the others."""
    played = formats.get(name)
    play = MatchPlay(spec(name, 2), SEED)
    hosted = Hosted(play, "1-0-x", 1, 0, 0.0)
    bots = [get(bot)(3) for bot in BOTS]
    seats: dict[tuple[int, int], tuple[Seat, History, History]] = {}
    compared = 0

    def see(table: Table) -> None:
        nonlocal compared
        for number in table.round.asked:
            key = (table.index, number)
            if key not in seats:
                seat = Seat(hosted, table, number, number)
                here, there = (History(seat.round_id, number, Match("cup.1.1.0", name)) for _ in range(2))
                seats[key] = seat, here, there
            seat, here, there = seats[key]
            seat.handle, seat.act = 1, table.round.asked_at
            remote = Turn.from_wire(pb.PlayResponse.FromString(wire.turn(seat)).turns[0], there)
            local = ask(table.round, number, here, played.clock)
            assert (local.act, local.past, local.options) == (remote.act, remote.past, remote.options)
            assert local.seconds_left == remote.seconds_left == 25.0
            for bot in bots:
                assert bot.choose(local) == bot.choose(remote)
                compared += 1

    rng = Random(4)
    for game in range(3):
        play_game(play, game, rng, see)
    assert compared > 200
