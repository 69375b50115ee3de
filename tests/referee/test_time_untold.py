"""What a seat learns of time: its own clock, and nothing of how long others thought, or of what a draw was good for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random
from statistics import mean, stdev
from typing import Any

import pytest

from lastcard.v1 import play_pb2 as pb
from referee import wire
from referee.hosting.hosted import Hosted
from referee.hosting.seats import Seat
from referee.match import MatchPlay
from referee.rules.vocabulary import Act, DecisionKind
from tests.referee.playing import CALLED, SEED, spec
from tests.rules.playing import some_answer

OWN = {
    "Decision.time_ms",
    "Decision.bank_ms",
    "GoingAway.reconnect_after_ms",
}
"""Fields of a message to a bot that say a time, beside the limits of its own session."""
DRAWS = 2_000
MOST_NS = 50_000


def timed_fields(message: Any, seen: set[str]) -> Iterator[str]:  # noqa: ANN401 (of one protobuf or another)
    """Yield the fields below a message that are named for a time."""
    if message.full_name in seen:
        return
    seen.add(message.full_name)
    for field in message.fields:
        if field.message_type is not None:
            yield from timed_fields(field.message_type, seen)
        if field.name.endswith(("_ms", "_us", "_ns", "_seconds", "_at")) or "elapsed" in field.name:
            yield f"{message.name}.{field.name}"


def test_no_message_has_a_field_for_the_time_of_others() -> None:
    """Times in what bots are sent are about their own clock and their own session; a new one has to be argued for."""
    found = set(timed_fields(pb.PlayResponse.DESCRIPTOR, set()))
    assert {name for name in found if not name.startswith("Limits.")} == OWN


def turns_of(play: MatchPlay, seat: int, think: Random) -> list[bytes]:
    """Play a game by the same answers, the others taking so long for theirs; return all turns of a seat."""
    hosted, answers, table, told = Hosted(play, "1-0-x", 1, 0), Random(5), play.start(0), list[bytes]()
    seats = {number: Seat(hosted, table, number, number) for number in range(table.round.n)}
    while 0 in play.tables and not table.round_over:
        asked = sorted(table.round.asked)
        for number in asked:
            seats[number].handle, seats[number].act = 7, table.round.asked_at
        if seat in asked:
            told.append(wire.turn(seats[seat]))
        number = answers.choice(asked)
        picks, call, color = some_answer(table.round, number, answers)
        ms = (
            40 if number == seat else think.randrange(4_000, 9_000)
        )  # beyond the clock of a decision: some is of the bank
        play.act(table, number, picks, color + CALLED * call, 0, 0, ms)
    return told


@pytest.mark.parametrize("name", ["uno-classic-2", "uno-house-4", "spin-2", "duo", "dos-2"])
def test_a_seat_is_told_the_same_however_long_the_others_think(name: str) -> None:
    """Byte for byte, while the round is played; only when its turn comes is told by its coming."""
    slow, slower = (turns_of(MatchPlay(spec(name, 1), SEED), 0, Random(seed)) for seed in (1, 2))
    assert len(slow) > 3
    assert slow == slower


def drawn(play: MatchPlay, game: int, rng: Random) -> Iterator[tuple[bool, int]]:
    """Play a game that draws whenever it can; yield, for each draw, whether the card fits, and the work in ns.

    The work is all between the answer and the bytes of what is asked next.
    """
    hosted, table = Hosted(play, "1-0-x", 1, 0), play.start(game)
    seats = {number: Seat(hosted, table, number, number) for number in range(table.round.n)}
    while game in play.tables and not table.round_over:
        number = min(table.round.asked)
        options = table.round.columns(number).act
        draws = table.round.asked[number] is DecisionKind.TURN and bytes((Act.DRAW,)) in options and rng.random() < 0.5
        pick = options.index(Act.DRAW) if draws else int(rng.random() * len(options))
        began = time.thread_time_ns()
        play.act(table, number, pick, 0, 0, 0, 5)
        if table.round_over:
            return
        asked = min(table.round.asked)
        seats[asked].handle, seats[asked].act = 7, table.round.asked_at
        wire.turn(seats[asked])
        took = time.thread_time_ns() - began
        if draws:
            yield table.round.asked[asked] is DecisionKind.PLAY_DRAWN, took


@pytest.mark.thorough
def test_a_card_that_fits_costs_no_more_work_than_one_that_does_not() -> None:
    """Over 2,000 draws of each the means differ by less than 0.05 ms of processor time, less the slowest twentieth."""
    rng, found = Random(3), {True: list[int](), False: list[int]()}
    number = 0
    while min(map(len, found.values())) < DRAWS:
        number += 1
        for fits, took in drawn(MatchPlay(spec("uno-house-2", 1), number.to_bytes(32, "big")), 0, rng):
            found[fits].append(took)
    fit, other = (sorted(times[:DRAWS])[: DRAWS * 19 // 20] for times in found.values())
    difference = mean(fit) - mean(other)
    z = difference / ((stdev(fit) ** 2 + stdev(other) ** 2) / len(fit)) ** 0.5
    assert abs(difference) < MOST_NS, f"{difference / 1000:+.1f} us, z {z:+.1f}"
