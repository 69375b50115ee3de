"""Messages of a referee, for scripts."""

from __future__ import annotations

from collections.abc import Sequence

from lastcard.faces import COLOR_CODES, card
from lastcard.v1 import cards_pb2
from lastcard.v1 import play_pb2 as pb

ROUND = "m1/0/0/0"
Line = tuple[str, str, str]  # act, card or "", colour or ""
THREE: Sequence[Line] = (("PLAY", "R1", ""), ("PLAY", "R9", ""), ("DRAW", "", ""))


def decision(
    options: Sequence[Line] = THREE, hand: str = "R1 R9 B2", kind: str = "TURN", **fields: object
) -> pb.Decision:
    """Return a question with `options`."""
    message = pb.Decision(
        kind=f"DECISION_KIND_{kind}",
        time_ms=5000,
        bank_ms=20000,
        hand=bytes(card(text).code for text in hand.split()),
        top=cards_pb2.CARD_RED_5,
        color=cards_pb2.COLOR_RED,
        direction=1,
        counts=b"\x03\x07",
        option_act=bytes(cards_pb2.Act.Value(f"ACT_{act}") for act, _, _ in options),
        option_card=bytes(card(text).code if text else 0 for _, text, _ in options),
        option_color=bytes(COLOR_CODES.get(color, 0) for _, _, color in options),
    )
    message.MergeFrom(pb.Decision(**fields))  # type: ignore[arg-type]
    return message


def asked(
    handle: int = 0, act: int = 0, *, events: int = 0, first: int = 0, round_id: str = "", **fields: object
) -> pb.Turn:
    """Return a Turn with a question, `events` events from `first` on, and the introduction of `round_id`."""
    turn = pb.Turn(round=handle, act=act, first_event=first, decision=decision(**fields))  # type: ignore[arg-type]
    columns(turn, first, events)
    if round_id:
        turn.start.CopyFrom(introduction(round_id))
    return turn


def over(handle: int = 0, *, first: int = 0, events: int = 0, game_over: bool = True) -> pb.Turn:
    """Return the Turn that ends a round, which seat 0 won."""
    turn = pb.Turn(round=handle, first_event=first, end=pb.RoundEnd(ending=1, game_over=game_over))  # type: ignore[arg-type]
    turn.end.places.extend((1, 2))
    turn.end.game_places.extend((1, 2))
    turn.end.points.extend((15, 0))
    turn.end.left.extend((0, 15))
    turn.end.hands.extend((b"", bytes([card("R7").code, card("B8").code])))
    columns(turn, first, events)
    return turn


def columns(turn: pb.Turn, first: int, events: int) -> None:
    """Give `turn` draws as events, each with its own number in arg."""
    turn.event_kind = bytes([cards_pb2.EVENT_KIND_DREW]) * events
    turn.event_seat = bytes(events)
    turn.event_card = bytes([card("B7").code]) * events
    turn.event_arg = bytes(range(first, first + events))


def introduction(round_id: str = ROUND, seat: int = 0) -> pb.RoundStart:
    """Return the start of a round between both entrants."""
    return pb.RoundStart(round_id=round_id, seat=seat, entrants=[0, 1], scores=[40, 0])


def match_start(match: str = "m1", commitment: bytes = b"") -> pb.Notice:
    """Return the announcement of a match."""
    start = pb.MatchStart(
        match=match, format="uno-classic-2", entrants=["greedy@1", "careful@1"], commitment=commitment, meetings=2
    )
    return pb.Notice(match_start=start)
