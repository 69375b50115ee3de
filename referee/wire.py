"""Protocol bytes of what a referee says. All that a match says to bots is encoded here.

Turns are formatted by hand: they are most of the traffic, and one formatting operation costs a third of building a
message. A test holds every one of them against the generated code.
"""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from struct import Struct
from typing import Final

from lastcard.v1 import play_pb2 as pb
from referee.clock import SeatClock
from referee.hosting.seats import Seat
from referee.hosting.sessions import Greeting
from referee.match import MatchPlay
from referee.rules import view
from referee.rules.columns import Columns
from referee.rules.games import points_of
from referee.rules.round import Round
from referee.rules.scoring import RoundEnd
from referee.varints import varint


class ReplyCode(IntEnum):
    """What became of an answer that is told of (numbers of the protocol): it counted before, or why it does not."""

    OK = 1
    STALE = 2
    ROUND_OVER = 3
    FOREIGN = 4
    MOVED = 5
    ILLEGAL = 6
    MALFORMED = 7
    RATE = 8
    LATE = 9


SERVICE: Final = pb.DESCRIPTOR.services_by_name["PlayService"].full_name
HEARTBEAT_MS: Final = 15_000
MOST_TAKEN: Final = 65_536
"""Bytes of a message of a bot. A larger one is refused with a reason."""
MOST_CARRIED: Final = 2 * MOST_TAKEN
"""Bytes of a message that gRPC hands over; it refuses what is larger before anybody sees it, and without a reason."""
MOST_SENT: Final = 262_144
"""Bytes of a message to a bot."""
USELESS_PER_S: Final = 50
MOST_ERRORS: Final = 100
"""Messages of a token within ten minutes that break the protocol, at which it is shut out for a minute."""

# Field keys (number << 3 | wire type), one byte up to field 15 and two from 16 on.
SMALL: Final = 4_096
ONE_PICK: Final = (1, 1)
_sixteen: Final = Struct("16B").pack


def _varint(n: int) -> bytes:
    return _SMALL[n] if n < len(_SMALL) else varint(n)


_SMALL: Final = tuple(varint(n) for n in range(SMALL))


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
    number = seat.number
    first = seat.seen
    handle, act, clock = seat.handle, seat.act, seat.clock
    kinds, who, cards, args = view.seen(current, number, first)
    n = len(kinds)
    seat.seen = first + n
    start = b""
    if not seat.introduced:
        seat.introduced = True
        start = _blob(b"\x42", _round_start(seat))
    (kind, hand, top, color, direction, counts, draw_pile, discard_pile, pending, drawn, row, bonus, turn_seat, options,
     picks) = view.sight(current, number)  # fmt: skip
    small = clock.encoded or _times(clock)
    rest = options.encoded or _options(options)
    if pending or drawn or row:
        rest += _rare(pending, drawn, row, bonus)
    if picks != ONE_PICK or options.slot:
        rest += _list_fields(options, picks)
    kind_key, who_key, card_key, arg_key = _EVENT_KEYS[n] if n < SMALL else _event_keys(n)
    size = _DECISION_BYTES + len(counts) + len(hand) + len(small) + len(rest)
    body = b"".join(
        (
            b"\x08",
            _SMALL[handle] if handle < SMALL else _varint(handle),
            b"\x10",
            _SMALL[act] if act < SMALL else _varint(act),
            b"\x18",
            _SMALL[first] if first < SMALL else _varint(first),
            kind_key,
            kinds,
            who_key,
            who,
            card_key,
            cards,
            arg_key,
            args,
            start,
            b"\x4a",
            _SMALL[size] if size < SMALL else _varint(size),
            # The order of fields is free on the wire: those of one byte each go together.
            _sixteen(8, kind, 40, top, 48, color, 56, direction, 72, draw_pile, 80, discard_pile, 120, turn_seat, 34,
                     len(hand)),
            hand,
            b"\x42",
            _SMALL[len(counts)],
            counts,
            small,
            rest,
        )
    )  # fmt: skip
    size = len(body)
    return b"".join((b"\x0a", _SMALL[size] if size < SMALL else _varint(size), body))


# Bytes of a decision beside hand, counts, times and what follows them: sixteen, the key and the length of the counts.
_DECISION_BYTES: Final = 18


def _framed(body: bytes) -> bytes:
    return b"\x0a%b%b" % (_varint(len(body)), body)


def _events(current: Round, seat: int, first: int) -> bytes:
    kinds, seats, cards, args = view.seen(current, seat, first)
    kind, who, card, arg = _event_keys(len(kinds))
    return b"".join((kind, kinds, who, seats, card, cards, arg, args))


def _event_keys(count: int) -> tuple[bytes, bytes, bytes, bytes]:
    if not count:
        return b"", b"", b"", b""
    n = _varint(count)
    return b"\x22" + n, b"\x2a" + n, b"\x32" + n, b"\x3a" + n


_EVENT_KEYS: Final = tuple(map(_event_keys, range(SMALL)))


def _times(clock: SeatClock) -> bytes:
    """Encode what a seat may take; kept until its bank changes."""
    clock.encoded = b"\x10%b\x18%b" % (_varint(clock.rule.decision_ms), _varint(clock.bank_ms))
    return clock.encoded


def _options(options: Columns) -> bytes:
    """Encode the columns that every game has; kept, since the same few lists come again and again."""
    n = _varint(len(options.act))
    color = b"\x9a\x01%b%b" % (n, options.color) if options.color else b""
    options.encoded = b"\x82\x01%b%b\x8a\x01%b%b%b" % (n, options.act, n, options.card, color)
    return options.encoded


def _rare(pending: int, drawn: int, row: bytes, bonus: int) -> bytes:
    return b"%b%b%b%b" % (
        _number(b"\x58", pending),
        _number(b"\x60", drawn),
        _blob(b"\x6a", row),
        _number(b"\x70", bonus),
    )


def _list_fields(options: Columns, picks: tuple[int, int]) -> bytes:
    """Encode what only decisions with several picks, or with slots, have."""
    least, most = picks
    return b"".join(
        (
            _blob(b"\x92\x01", options.second),
            _blob(b"\xa2\x01", options.slot),
            _number(b"\xa8\x01", least),
            _number(b"\xb0\x01", most),
            b"" if least else b"\xb8\x01\x01",
        )
    )


def _round_start(seat: Seat) -> bytes:
    scores = seat.table.game.scores
    name = seat.round_id.encode()
    return b"".join(
        (
            b"\x0a",
            _varint(len(name)),
            name,
            _number(b"\x10", seat.number),
            _packed(b"\x1a", seat.hosted.play.spec.seating(seat.table.index)),
            _packed(b"\x22", scores, signed=True) if any(scores) else b"",
        )
    )


def _cards_left(finished: Round, result: RoundEnd) -> bytes:
    """Encode what tells of the hands at the end of a round."""
    hands = (b"\x22" + _varint(len(hand)) + hand for hand in finished.hands)
    return b"".join((_packed(b"\x1a", result.points, signed=True), *hands, _packed(b"\x2a", result.left, signed=True)))


def introduction(seat: Seat) -> bytes:
    """Encode what introduces the round in play to a seat, b"" if it knows it: before the next one begins."""
    return b"" if seat.introduced else _blob(b"\x42", _round_start(seat))


def round_end(seat: Seat, finished: Round, start: bytes, game_places: Sequence[int]) -> bytes:
    """Encode the end of a round for a seat, with the events that it has not seen, and its `introduction`.

    Where the deal is played again, nothing is said of hands and points.
    """
    result = finished.result
    assert result is not None
    first, sealed = seat.seen, seat.hosted.play.spec.sealed
    end = b"".join(
        (
            b"\x08%c" % result.ending,
            _packed(b"\x12", result.places),
            b"" if sealed else _cards_left(finished, result),
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


def welcome(greeting: Greeting, session: str, bot: str, limits: Mapping[str, int]) -> bytes:
    """Encode the answer to a Hello; `limits` by their names in the protocol."""
    told = pb.Limits(**limits)
    return _notice(welcome=pb.Welcome(minor=greeting.minor, session=session, bot=bot, limits=told))


def match_start(play: MatchPlay) -> bytes:
    """Encode the introduction of a match."""
    spec = play.spec
    return _notice(
        match_start=pb.MatchStart(
            match=spec.id,
            format=spec.format.name,
            entrants=spec.entrants,
            commitment=spec.commitment(play.seed),
            meetings=spec.meetings,
            ruleset=spec.format.rules.hash,
            points=points_of(spec.format.rules),
        )
    )


def match_end(play: MatchPlay, void_reason: str, *, goes_on: bool) -> bytes:
    """Encode the end of a match.

    The seed is revealed with it, unless other tables may still play its deals, or it waits for an operator who may have
    it go on.
    """
    sealed = goes_on or bool(play.spec.group)
    nonces = [] if sealed else [play.nonces.get(e) or b"" for e in range(len(play.spec.entrants))]
    return _notice(
        match_end=pb.MatchEnd(
            match=play.spec.id, void_reason=void_reason, seed=b"" if sealed else play.seed.reveal(), nonces=nonces
        )
    )


def reply(handle: int, act: int, code: ReplyCode, reason: str) -> bytes:
    """Encode what became of an answer."""
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
