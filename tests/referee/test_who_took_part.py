"""Why an entrant leaves that is not there: it never came only where it had no part in what was played."""

import pytest

from referee import logbook
from referee.fold import fold
from referee.logbook import LeaveReason
from referee.match import MatchPlay
from tests.referee.playing import SEED, spec

NONCE = bytes(16)


@pytest.mark.parametrize("nonce", [NONCE, None], ids=["given", "left out"])
def test_who_was_asked_for_its_nonce_took_part(nonce: bytes | None) -> None:
    """The match was begun with it; who was not asked has only been waited for."""
    play = MatchPlay(spec(with_nonces=True), SEED)
    play.set_nonce(0, nonce)
    assert play.absence(0) is LeaveReason.ABSENT
    assert play.absence(1) is LeaveReason.NEVER_CAME
    assert play.begun is (nonce is not None)


def test_everybody_takes_part_in_what_was_dealt() -> None:
    """Also where no nonces are asked for."""
    play = MatchPlay(spec(), SEED)
    assert play.absence(0) is LeaveReason.NEVER_CAME
    assert not play.begun
    play.start(0)
    assert play.absence(0) is LeaveReason.ABSENT
    assert play.begun


def test_a_log_of_before_means_what_it_meant() -> None:
    """Earlier versions had an entrant never come after games were played: such a match is a walkover for ever."""
    chosen = spec()
    play = MatchPlay(chosen, SEED)
    table = play.start(0)
    act = play.act(table, table.round.seat, 0, 0, 0, 0, 0)
    leave = play.leave(1, LeaveReason.NEVER_CAME)
    close, _ = play.close()
    folded = fold(chosen, SEED, [logbook.stamp(1) + act, logbook.stamp(2) + leave + close])
    assert folded.walkover
    assert folded.result() == play.result()
