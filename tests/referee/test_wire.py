"""Hand-formatted turns against the generated code."""

from dataclasses import replace
from random import Random

import pytest

from lastcard.faces import card
from lastcard.history import History
from lastcard.link.wire import match
from lastcard.v1 import play_pb2 as pb
from referee import wire
from referee.hosting.hosted import Hosted
from referee.hosting.seats import Seat
from referee.match import MatchPlay
from referee.rules import view
from referee.rules.games import resolve
from referee.table import Table
from tests.referee.playing import SEED, play_game, spec


def _turn_of(raw: bytes) -> pb.Turn:
    response = pb.PlayResponse.FromString(raw)
    assert len(response.turns) == 1
    return response.turns[0]


@pytest.mark.parametrize("name", ["uno-classic-2", "uno-classic-4", "uno-classic-500-2"])
def test_every_turn_says_what_the_view_says(name: str) -> None:
    """Each field of an encoded turn, parsed by the generated code, is the value of the seat's view."""
    chosen = spec(name, 1)
    play = MatchPlay(chosen, SEED)
    hosted = Hosted(play, "1-0-x", 1, 0)
    seats: dict[int, Seat] = {}
    met: set[int] = set()

    def see(table: Table) -> None:
        for number in table.round.asked:
            seat = seats.setdefault(number, Seat(hosted, table, number, number))
            seat.handle, seat.act = 300, table.round.asked_at
            first = seat.seen
            turn = _turn_of(wire.turn(seat))
            decision = turn.decision
            sight, events = view.decision(table.round, number), view.events(table.round, number, first)
            assert (turn.round, turn.act, turn.first_event) == (300, table.round.asked_at, first)
            assert turn.HasField("start") is (number not in met)
            if number not in met:
                met.add(number)
                start = turn.start
                assert (start.round_id, start.seat) == (seats[number].round_id, number)
                assert tuple(start.entrants) == tuple(chosen.seating(table.index))
                assert tuple(start.scores or [0] * table.round.n) == tuple(table.game.scores)
            assert (decision.time_ms, decision.bank_ms) == (seat.clock.rule.decision_ms, seat.clock.bank_ms)
            seat.clock.charge(seat.clock.rule.decision_ms + 1_100)  # some of the bank, beyond any lag
            assert (turn.event_kind, turn.event_seat, turn.event_card, turn.event_arg) == events
            assert [int(decision.kind), int(decision.top), int(decision.color)] == [sight.kind, sight.top, sight.color]
            assert decision.hand == sight.hand
            assert (decision.direction, decision.counts, decision.draw_pile, decision.discard_pile) == sight[4:8]
            assert (decision.pending, decision.drawn, decision.row, decision.bonus, decision.turn_seat) == sight[8:13]
            options = sight.options
            assert (decision.option_act, decision.option_card, decision.option_second) == options[:3]
            assert (decision.option_color, decision.option_slot) == options[3:]
            assert (decision.min_picks or 1, decision.max_picks or 1) == sight.picks

    play_game(play, 0, Random(2), see)


@pytest.mark.parametrize(
    ("preset", "options", "expected"),
    [
        pytest.param("classic", {}, {"R7": 7, "RS": 20, "W": 50, "W4": 50}, id="points of the game"),
        pytest.param(
            "spin", {"points": [5, 1_000_000, 0]}, {"B4*": 4, "BD": 5, "W": 1_000_000, "W4": 0}, id="own points"
        ),
        pytest.param("dos", {"wild_points": [1, 300]}, {"R10": 10, "W2": 1, "Y#": 300}, id="own points in DOS"),
    ],
)
def test_a_match_tells_what_its_cards_count(preset: str, options: dict[str, object], expected: dict[str, int]) -> None:
    """An organiser's format has whatever name and points; a bot learns the points with the match."""
    chosen = spec("uno-classic-2", 1)
    own = replace(chosen.format, name="an-own-format", rules=resolve(preset, options, 2))
    raw = wire.match_start(MatchPlay(replace(chosen, format=own), SEED))
    told = match(pb.PlayResponse.FromString(raw).notices[0].match_start)
    points = History("cup.1.1.0/0/0/0", 0, told).catalogue.points
    assert {face: points[card(face, dos=preset == "dos").code] for face in expected} == expected
    assert points[255] == 0
