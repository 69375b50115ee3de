"""A match as a fold of its log."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import logbook
from referee.fold import fold
from referee.logbook import CorruptLogError, Fault, LeaveReason
from referee.match import EngineMismatchError, MatchPlay
from tests.referee.playing import SEED, play_game, play_match, spec


@pytest.mark.parametrize("name", ["uno-classic-2", "uno-classic-4", "uno-classic-500-2"])
def test_a_match_rebuilt_from_its_log_is_the_match(name: str) -> None:
    """The fold of the log gives the same result, faults and clocks."""
    chosen = spec(name, 1, with_nonces=True)
    play, entries = play_match(chosen)
    again = fold(chosen, SEED, entries)
    assert again.over
    assert again.result() == play.result()


@given(cut=st.integers(0, 400), seed=st.integers(0, 50))
@settings(max_examples=25, deadline=None)
def test_a_match_goes_on_from_any_point_of_its_log(cut: int, seed: int) -> None:
    """A prefix of the log gives a state whose open round has the same digest as the original had there."""
    chosen = spec(meetings=1)
    rng = Random(seed)
    play = MatchPlay(chosen, SEED)
    table = play.start(0)
    log = b""
    for _ in range(cut):
        if table.round_over:
            break
        seat = min(table.round.asked)
        log += play.act(table, seat, rng.randrange(len(table.round.options(seat))), 0, 0, 0, 0)
    again = fold(chosen, SEED, [log] if log else [])
    assert again.table(0).round.digest() == table.round.digest()
    assert again.table(0).round.asked == table.round.asked
    assert again.table(0).round.events == table.round.events


def test_another_seed_is_another_match() -> None:
    """A log does not fold over a seed that is not its own."""
    chosen = spec(meetings=1)
    _, entries = play_match(chosen)
    with pytest.raises(EngineMismatchError):
        fold(chosen, bytes(32), entries)


def test_every_bot_sits_once_in_every_seat_of_a_meeting() -> None:
    """The games of a meeting are all rotations of one circular order."""
    chosen = spec("uno-classic-4", 1)
    seatings = [chosen.seating(game) for game in range(4)]
    assert [sorted(column) for column in zip(*seatings, strict=True)] == [[0, 1, 2, 3]] * 4
    assert all(chosen.seating(game)[chosen.seat_of(game, e)] == e for game in range(4) for e in range(4))


def test_three_faults_lose_the_meeting_and_only_that() -> None:
    """The bot with three faults is last in the games of that meeting that were not over."""
    chosen = spec(meetings=2)
    play = MatchPlay(chosen, SEED)
    play_game(play, 0, Random(5))
    before = play.results[0]
    table = play.start(1)
    while sum(play.fault_kinds[0].values()) < 3:
        seat = min(table.round.asked)
        ours = chosen.seating(1)[seat] == 0
        picks, call, color = table.round.default(seat)
        play.act(table, seat, picks, color | (32 if call else 0), 2, Fault.LATE if ours else 0, 0)
    assert play.has_lost(1, 0)
    assert not play.has_lost(2, 0)
    while not table.round_over:
        seat = min(table.round.asked)
        picks, call, color = table.round.default(seat)
        play.act(table, seat, picks, color | (32 if call else 0), 3, 0, 0)
    play.end_round(table)
    assert play.results[0] == before
    result = play.results[1]
    assert result is not None
    assert result.ranks == (2, 1)


def test_who_leaves_is_last_in_every_game_that_is_not_over() -> None:
    """After a leave the open game ends, the others end as soon as they are dealt, and the leaver is last in all."""
    chosen = spec(meetings=2)
    play = MatchPlay(chosen, SEED)
    table = play.start(0)
    log = play.leave(1, LeaveReason.ABSENT)
    log += play.end_round(table)
    for game in range(1, chosen.games):
        log += play.end_round(play.start(game))
    assert [result.ranks for result in play.results if result] == [(1, 2)] * 4
    assert fold(chosen, SEED, [log]).result() == play.result()


def test_a_match_that_only_one_bot_came_to_is_not_dealt() -> None:
    """A walkover has ranks and no rounds."""
    play = MatchPlay(spec(meetings=1), SEED)
    play.leave(0, LeaveReason.NEVER_CAME)
    assert play.walkover
    assert play.over
    games = play.result()["meetings"][0]["games"]  # type: ignore[index]
    assert [(game["ranks"], game["ending"], game["rounds"]) for game in games] == [([2, 1], "WALKOVER", 0)] * 2


def test_whatever_is_changed_in_a_log_is_refused_as_a_wrong_log() -> None:
    """Or changes nothing that counts. Never as a mistake of ours: that would take everything else along."""
    chosen = spec(meetings=1, with_nonces=True)
    play, entries = play_match(chosen, seed=4)
    log = b"".join(entries[:-1]) + play.leave(1, LeaveReason.ABSENT) + play.close()[0]
    result = fold(chosen, SEED, [log]).result()
    assert result == play.result()
    wrong: list[tuple[int, int, str]] = []
    for index in [*range(80), *range(80, len(log), 11)]:
        for mask in (1, 2, 4, 7, 64, 128, 255):
            changed = log[:index] + bytes((log[index] ^ mask,)) + log[index + 1 :]
            try:
                again = fold(chosen, SEED, [changed])
            except (EngineMismatchError, CorruptLogError):
                continue
            except Exception as error:  # noqa: BLE001
                wrong.append((index, mask, repr(error)))
            else:
                if again.over and again.result() != result:
                    wrong.append((index, mask, "another result"))
    assert not wrong


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        pytest.param(logbook.nonce(0, None) * 2, "second nonce", id="two nonces of one entrant"),
        pytest.param(logbook.nonce(2, None), "no entrant 2", id="a nonce of nobody"),
        pytest.param(logbook.leave(2, LeaveReason.ABSENT), "no entrant 2", id="nobody leaves"),
        pytest.param(logbook.act(0, 0, 3, 0, 0, 0, 0, 0), "before every nonce", id="a deal without nonces"),
        pytest.param(logbook.round_end(2, bytes(8)), "no such game", id="a game beyond the last"),
    ],
)
def test_what_no_host_would_log_is_refused(entry: bytes, problem: str) -> None:
    """With what is wrong about it."""
    with pytest.raises(EngineMismatchError, match=problem):
        fold(spec(meetings=1, with_nonces=True), SEED, [entry])
