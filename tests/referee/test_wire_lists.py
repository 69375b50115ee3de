"""Decisions with lists of picks, as DOS has them: encoded as the view says, logged as they were picked."""

from random import Random

import pytest

from lastcard.v1 import play_pb2 as pb
from referee import logbook, wire
from referee.hosting.hosted import Hosted
from referee.hosting.seats import Seat
from referee.match import MatchPlay
from referee.rules import view
from referee.rules.vocabulary import DecisionKind
from tests.referee.playing import SEED, spec
from tests.rules.playing import some_answer

CALLED = 32


@pytest.mark.parametrize("name", ["dos-2", "dos-4", "dos-200-2"])
def test_lists_are_encoded_as_the_view_says_and_logged_as_they_were_picked(name: str) -> None:
    """Row, bonus, slots, second cards and numbers of picks arrive; the log has every pick in its order."""
    play = MatchPlay(spec(name, 1), SEED)
    hosted = Hosted(play, "1-0-x", 1, 0)
    table, rng = play.start(0), Random(4)
    met = set()
    while 0 in play.tables:
        if table.round_over:
            play.end_round(table)
            continue
        number = rng.choice(sorted(table.round.asked))
        sight = view.decision(table.round, number)
        seat = Seat(hosted, table, number, number)
        seat.handle, seat.act = 3, table.round.asked_at
        decision = pb.PlayResponse.FromString(wire.turn(seat)).turns[0].decision
        least, most = decision.min_picks or 1, decision.max_picks or 1
        assert (0 if decision.may_be_empty else least, most) == sight.picks
        assert (decision.row, decision.bonus, decision.hand) == (sight.row, sight.bonus, sight.hand)
        assert (decision.option_act, decision.option_card) == sight.options[:2]
        assert (decision.option_second, decision.option_slot) == (sight.options.second, sight.options.slot)
        picks, call, color = some_answer(table.round, number, rng)
        entry = play.act(table, number, picks, color | CALLED if call else color, 0, 0, 5)
        [record] = logbook.records(entry)
        assert isinstance(record, logbook.ActRecord)
        assert (record.picks, record.call, record.color) == (picks, call, color)
        met.add(DecisionKind(decision.kind))
    assert met >= {DecisionKind.DOS_TURN, DecisionKind.DOS_AFTER_DRAW, DecisionKind.DOS_PLACE_BONUS}
