"""Protocol bytes of what a referee says. The only module that knows protobuf and domain both.

Turns are formatted by hand: they are most of the traffic, and one formatting operation costs a third of building a
message. A test holds every one of them against the generated code.
"""

from collections.abc import Sequence
from enum import IntEnum
from hashlib import sha256
from typing import Final

from lastcard.v1 import play_pb2 as pb
from referee.match import MatchPlay
from referee.rules import view
from referee.rules.round import Round
from referee.seats import Seat
from referee.sessions import Session


class ReplyCode(IntEnum):
    """Why an answer did not count (numbers of the protocol)."""

    OK = 1
    STALE = 2
    ROUND_OVER = 3
    FOREIGN = 4
    MOVED = 5
    ILLEGAL = 6
    MALFORMED = 7
    RATE = 8
    LATE = 9


HEARTBEAT_MS: Final = 15_000
MOST_BYTES: Final = 65_536
USELESS_PER_S: Final = 50

# Field keys (number << 3 | wire type), one byte up to field 15 and two from 16 on.
_ONE_PICK: Final = (1, 1)
_VARINT: Final = [bytes((n,)) if n < 128 else bytes((n & 127 | 128, n >> 7)) for n in range(16_384)]


def _varint(n: int) -> bytes:
    if n < 16_384:
        return _VARINT[n]
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def _signed(n: int) -> bytes:
    """Encode a sint32 (zigzag)."""
    return _varint(n << 1 if n >= 0 else (-n << 1) - 1)


def _blob(key: bytes, value: bytes | bytearray) -> bytes:
    return key + _varint(len(value)) + value if value else b""


def _number(key: bytes, value: int) -> bytes:
    return key + _varint(value) if value else b""


def _packed(key: bytes, values: Sequence[int], *, signed: bool = False) -> bytes:
    return _blob(key, b"".join(map(_signed if signed else _varint, values)))


# -- turns


def turn(seat: Seat) -> bytes:
    """Encode what a seat saw since its last turn and the question that is open for it; the seat has seen it then."""
    current = seat.table.round
    first = seat.seen
    seat.seen = len(current.events) >> 2
    start = b""
    if not seat.introduced:
        seat.introduced = True
        start = _blob(b"\x42", _round_start(seat))
    body = _decision(seat, current)
    length = len(body)
    return _framed(
        b"\x08%b\x10%b%b%b%b\x4a%b%b"
        % (
            _varint(seat.handle),
            _varint(seat.act),
            _number(b"\x18", first),
            _events(current, seat.number, first),
            start,
            _VARINT[length] if length < 16_384 else _varint(length),
            body,
        )
    )


def _framed(body: bytes) -> bytes:
    return b"\x0a%b%b" % (_varint(len(body)), body)


def _events(current: Round, seat: int, first: int) -> bytes:
    kinds, seats, cards, args = view.events(current, seat, first)
    if not kinds:
        return b""
    length = _varint(len(kinds))
    return b"\x22%b%b\x2a%b%b\x32%b%b\x3a%b%b" % (length, kinds, length, seats, length, cards, length, args)


def _decision(seat: Seat, current: Round) -> bytes:
    sight = view.decision(current, seat.number)
    clock = seat.hosted.play.clocks[seat.table.index][seat.number]
    act, card, _, color, slot = sight.options
    counts, hand = sight.counts, sight.hand
    options = _VARINT[len(act)]
    rare = b""
    if sight.pending or sight.drawn or sight.row:
        rare = b"%b%b%b%b" % (
            _number(b"\x58", sight.pending),
            _number(b"\x60", sight.drawn),
            _blob(b"\x6a", sight.row),
            _number(b"\x70", sight.bonus),
        )
    body = b"\x08%c\x10%b\x18%b\x22%b%b\x28%c\x30%c\x38%c\x42%c%b\x48%c\x50%c%b\x78%c\x82\x01%b%b\x8a\x01%b%b%b" % (
        sight.kind,
        _varint(clock.rule.decision_ms),
        _varint(clock.bank_ms),
        _VARINT[len(hand)],
        hand,
        sight.top,
        sight.color,
        sight.direction,
        len(counts),
        counts,
        sight.draw_pile,
        sight.discard_pile,
        rare,
        sight.turn_seat,
        options,
        act,
        options,
        card,
        b"\x9a\x01%b%b" % (options, color) if color else b"",
    )
    if sight.picks == _ONE_PICK and not slot:
        return body
    return body + _list_fields(sight)


def _list_fields(sight: view.DecisionView) -> bytes:
    """Encode what only decisions with several picks, or with slots, have."""
    least, most = sight.picks
    return b"".join(
        (
            _blob(b"\x92\x01", sight.options.second),
            _blob(b"\xa2\x01", sight.options.slot),
            _number(b"\xa8\x01", least),
            _number(b"\xb0\x01", most),
            b"" if least else b"\xb8\x01\x01",
        )
    )


def _round_start(seat: Seat) -> bytes:
    spec = seat.hosted.play.spec
    scores = seat.table.game.scores
    return pb.RoundStart(
        round_id=seat.round_id,
        seat=seat.number,
        entrants=spec.seating(seat.table.index),
        scores=scores if any(scores) else (),
    ).SerializeToString()


def round_end(seat: Seat, finished: Round, game_places: Sequence[int]) -> bytes:
    """Encode the end of a round for a seat, with the events that it has not seen."""
    result = finished.result
    assert result is not None
    first = seat.seen
    start = b"" if seat.introduced else _blob(b"\x42", _round_start(seat))
    end = b"".join(
        (
            b"\x08%c" % result.ending,
            _packed(b"\x12", result.places),
            _packed(b"\x1a", result.points, signed=True),
            *(b"\x22" + _varint(len(hand)) + hand for hand in finished.hands),
            _packed(b"\x2a", result.left, signed=True),
            b"\x30\x01" if game_places else b"",
            _packed(b"\x3a", game_places),
            _number(b"\x40", seat.faults),
        )
    )
    return _framed(
        b"\x08%b%b%b%b\x52%b%b"
        % (
            _varint(seat.handle),
            _number(b"\x18", first),
            _events(finished, seat.number, first),
            start,
            _varint(len(end)),
            end,
        )
    )


# -- notices


def _notice(**fields: object) -> bytes:
    return pb.PlayResponse(notices=[pb.Notice(**fields)]).SerializeToString()  # type: ignore[arg-type]


def welcome(session: Session, minor: int) -> bytes:
    """Encode the answer to a Hello."""
    limits = pb.Limits(
        max_games=session.greeting.max_games,
        max_open=session.greeting.max_open,
        max_message_bytes=MOST_BYTES,
        heartbeat_ms=HEARTBEAT_MS,
        useless_per_second=USELESS_PER_S,
    )
    return _notice(welcome=pb.Welcome(minor=minor, session=session.id, bot=session.bot, limits=limits))


def match_start(play: MatchPlay) -> bytes:
    """Encode the introduction of a match."""
    spec = play.spec
    return _notice(
        match_start=pb.MatchStart(
            match=spec.id,
            format=spec.format.name,
            entrants=spec.entrants,
            commitment=sha256(play.seed).digest(),
            meetings=spec.meetings,
            ruleset=spec.format.rules.hash,
        )
    )


def match_end(play: MatchPlay, void_reason: str) -> bytes:
    """Encode the end of a match; the seed is revealed with it."""
    return _notice(
        match_end=pb.MatchEnd(
            match=play.spec.id,
            void_reason=void_reason,
            seed=play.seed,
            nonces=[play.nonces.get(e) or b"" for e in range(len(play.spec.entrants))],
        )
    )


def reply(handle: int, act: int, code: ReplyCode, reason: str) -> bytes:
    """Encode why an answer did not count."""
    return _notice(reply=pb.Reply(round=max(handle, 0), act=max(act, 0), code=pb.ReplyCode.Name(code), reason=reason))


def going_away(reconnect_after_ms: int) -> bytes:
    """Encode that this referee stops."""
    return _notice(going_away=pb.GoingAway(reconnect_after_ms=reconnect_after_ms))


def replaced() -> bytes:
    """Encode that another stream of the instance took over."""
    return _notice(replaced=pb.Replaced())


def heartbeat(stamp: int) -> bytes:
    """Encode the answer to a heartbeat."""
    return _notice(heartbeat=pb.Heartbeat(stamp=stamp))
