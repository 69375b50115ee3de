"""The records of a match's log: what the bytes of an entry mean.

An entry is a sequence of records. It holds everything that a fold needs and nothing that it must not see: answers with
their author, nonces, milliseconds, and checks (option counts, state hashes). Forced decisions are not in it.

Beside them stand the wall time of an entry, for people, and remarks, of which a reader that does not know their type
passes over so many bytes as they say that they have. They say again, or for people only, what a fold can do without.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from referee.rules.chance import NONCE_BYTES
from referee.rules.events import MOST_SEATS
from referee.rules.scoring import RoundEnd
from referee.rules.vocabulary import RoundEnding
from referee.varints import Reader, varint, zigzag

LOG_FORMAT: Final = 2  # goes up when bytes of a log mean something else; 1: the order of shared deals was public


class Author(IntEnum):
    """Who answered."""

    BOT = 0
    ORDER = 1
    CLOCK = 2
    FORFEIT = 3


class Fault(IntEnum):
    """Why an answer counts as a fault of its seat; 0 = it does not."""

    NONE = 0
    LATE = 1
    ILLEGAL = 2
    MALFORMED = 3


class LeaveReason(IntEnum):
    """Why an entrant forfeits the rest of a match."""

    ABSENT = 1
    FAULTS = 2
    NEVER_CAME = 4  # 3 was never written


class CorruptLogError(Exception):
    """A log entry that this version cannot read.

    Attributes:
        offset: byte in the entry.
        problem: what was wrong there.
    """

    def __init__(self, offset: int, problem: str) -> None:
        super().__init__(f"log entry unreadable at byte {offset}: {problem}")
        self.offset = offset
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Stamp:
    """Wall time of an entry in Unix milliseconds, for people only."""

    unix_ms: int


@dataclass(frozen=True, slots=True)
class NonceRecord:
    """The nonce of one entrant; None = left out."""

    entrant: int
    nonce: bytes | None


@dataclass(frozen=True, slots=True)
class ActRecord:
    """One answer.

    Attributes:
        game: index of the game in the match.
        seat: seat that answered.
        options: number of options offered, modulo 256.
        picks: an option index, or the ordered picks of a list.
        call: the UNO! or DOS! call.
        color: 0-4.
        ms: milliseconds charged to the seat.
    """

    game: int
    seat: int
    options: int
    picks: int | tuple[int, ...]
    call: bool
    color: int
    author: Author
    fault: Fault
    ms: int


@dataclass(frozen=True, slots=True)
class TimeRecord:
    """What became of the time of the act before it, for people only: what its milliseconds alone do not tell.

    Attributes:
        game: index of the game in the match.
        seat: seat that was asked.
        decision: its id, as the seat was told it.
        given_back_ms: milliseconds beside those charged, in which the platform was slow, and not the bot.
        thought_ms: milliseconds that the bot says it thought, true or not; 0 = it does not say.
    """

    game: int
    seat: int
    decision: int
    given_back_ms: int
    thought_ms: int


@dataclass(frozen=True, slots=True)
class LeaveRecord:
    """An entrant forfeits the rest of the match from here on."""

    entrant: int
    reason: LeaveReason


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """A round ended; digest = 8 bytes over its complete state."""

    game: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class RoundResult:
    """How the round came out whose end stands before it: a fold that needs only what is open passes over its acts.

    Attributes:
        game: index of the game in the match.
        index: number of the round in its game.
        dealer: who deals the next round of the game; 0 where there is none.
    """

    game: int
    index: int
    dealer: int
    end: RoundEnd


@dataclass(frozen=True, slots=True)
class CloseRecord:
    """The match ended; digest = SHA-256 of its canonical result."""

    digest: bytes


Record = Stamp | NonceRecord | ActRecord | TimeRecord | LeaveRecord | RoundRecord | RoundResult | CloseRecord

# First byte of a record. Acts have bit 7: bit 6 = list of picks, bit 5 = call, bits 4-3 = author, 2-0 = colour.
# Without bit 7, bit 6 is a remark: its length follows.
_STAMP: Final = b"\x01"
_NONCE: Final = b"\x02"
_NO_NONCE: Final = b"\x03"
_LEAVE: Final = b"\x04"
_ROUND: Final = b"\x05"
_CLOSE: Final = b"\x06"
_REMARK: Final = 0x40
_TIME: Final = _REMARK
_RESULT: Final = _REMARK + 1
_ACT: Final = 0x80
_LIST: Final = 0x40
CALLED: Final = 0x20
"""Bit of the flags of an act: colour (0-4), and this if the seat called."""


def stamp(unix_ms: int) -> bytes:
    """Encode the wall time of an entry."""
    return _STAMP + unix_ms.to_bytes(8, "big")


def nonce(entrant: int, value: bytes | None) -> bytes:
    """Encode an entrant's nonce, or that it is left out."""
    who = bytes((entrant,))
    return _NO_NONCE + who if value is None else _NONCE + who + value


def time(game: int, seat: int, decision: int, given_back_ms: int, thought_ms: int) -> bytes:
    """Encode what became of the time of the act before it."""
    body = b"".join(map(varint, (game, seat, decision, given_back_ms, thought_ms)))
    return bytes((_TIME, len(body))) + body


def leave(entrant: int, reason: LeaveReason) -> bytes:
    """Encode that an entrant forfeits the rest."""
    return _LEAVE + bytes((entrant, reason))


def round_end(game: int, digest: bytes) -> bytes:
    """Encode the end of a round."""
    return _ROUND + varint(game) + digest


def round_result(result: RoundResult) -> bytes:
    """Encode how the round came out whose end stands before it."""
    end = result.end
    winner = 0 if end.winner is None else end.winner + 1
    numbers = [result.game, result.index, result.dealer, end.ending, winner, len(end.points)]
    numbers += [zigzag(number) for number in (*end.points, *end.left)]
    body = b"".join(map(varint, (*numbers, *end.places, len(end.out), *end.out)))
    return bytes((_RESULT,)) + varint(len(body)) + body


def close(digest: bytes) -> bytes:
    """Encode the end of the match."""
    return _CLOSE + digest


def act(
    game: int,
    seat: int,
    options: int,
    picks: int | tuple[int, ...],
    flags: int,
    author: int,
    fault: int,
    ms: int,
) -> bytes:
    """Encode one answer.

    Args:
        game: index of the game in the match.
        seat: seat, below 16.
        options: number of options offered.
        picks: one index or an ordered tuple of them.
        flags: colour (0-4), plus CALLED.
        author: an Author.
        fault: a Fault.
        ms: milliseconds charged.
    """
    head = _ACT | flags | author << 3
    if isinstance(picks, int):
        if game < 128 and picks < 128 and ms < 128:
            return bytes((head, game, seat | fault << 4, options & 255, picks, ms))
        return bytes((head,)) + varint(game) + bytes((seat | fault << 4, options & 255)) + varint(picks) + varint(ms)
    body = varint(len(picks)) + b"".join(map(varint, picks))
    return bytes((head | _LIST,)) + varint(game) + bytes((seat | fault << 4, options & 255)) + body + varint(ms)


def _read_act(reader: Reader, head: int) -> ActRecord:
    if not head & _LIST and (short := reader.short(5)):  # nearly all of them
        game, seat, options, pick, ms = short
        if (game | pick | ms) < 128:
            reader.at += 5
            return _act_of(reader, head, game, seat, options, pick, ms)
    game = reader.varint()
    seat = reader.byte()
    options = reader.byte()
    picks = tuple(reader.varint() for _ in range(reader.varint())) if head & _LIST else reader.varint()
    return _act_of(reader, head, game, seat, options, picks, reader.varint())


def _act_of(
    reader: Reader, head: int, game: int, seat: int, options: int, picks: int | tuple[int, ...], ms: int
) -> ActRecord:
    color, fault = head & 7, seat >> 4
    if color > 4 or fault > Fault.MALFORMED:
        raise CorruptLogError(reader.at, f"colour {color} or fault {fault} does not exist")
    called, author = bool(head & CALLED), _AUTHORS[head >> 3 & 3]
    return ActRecord(game, seat & 15, options, picks, called, color, author, _FAULTS[fault], ms)


def _read_result(reader: Reader) -> RoundResult:
    game, index, dealer, ending, winner, seats = (reader.varint() for _ in range(6))
    if ending not in _ENDINGS or seats > MOST_SEATS:
        raise CorruptLogError(reader.at, f"a round of {seats} seats with ending {ending} does not exist")
    points, left = (tuple(reader.signed() for _ in range(seats)) for _ in range(2))
    places = tuple(reader.varint() for _ in range(seats))
    leavers = reader.varint()
    if leavers > seats:
        raise CorruptLogError(reader.at, f"{leavers} of {seats} seats cannot have left")
    out = tuple(reader.varint() for _ in range(leavers))
    end = RoundEnd(RoundEnding(ending), winner - 1 if winner else None, points, left, places, out)
    return RoundResult(game, index, dealer, end)


def _read_remark(reader: Reader, head: int) -> TimeRecord | RoundResult | None:
    """Return a remark, without what a later version adds to it; None for one of a type that only that one knows."""
    end = reader.varint() + reader.at
    read: TimeRecord | RoundResult | None = None
    if head == _RESULT:
        read = _read_result(reader)
    elif head == _TIME:
        read = TimeRecord(reader.varint(), reader.varint(), reader.varint(), reader.varint(), reader.varint())
    if reader.at > end:
        raise CorruptLogError(reader.at, "a remark is longer than it says")
    reader.take(end - reader.at)
    return read


def _read_leave(reader: Reader) -> LeaveRecord:
    entrant, reason = reader.byte(), reader.byte()
    if reason not in _REASONS:
        raise CorruptLogError(reader.at - 1, f"reason {reason} to leave does not exist")
    return LeaveRecord(entrant, LeaveReason(reason))


_AUTHORS: Final = tuple(Author)
_FAULTS: Final = tuple(Fault)
_REASONS: Final = frozenset(LeaveReason)
_ENDINGS: Final = frozenset(RoundEnding)
_READERS: Final[dict[int, Callable[[Reader], Record]]] = {
    _STAMP[0]: lambda reader: Stamp(int.from_bytes(reader.take(8), "big")),
    _NONCE[0]: lambda reader: NonceRecord(reader.byte(), reader.take(NONCE_BYTES)),
    _NO_NONCE[0]: lambda reader: NonceRecord(reader.byte(), None),
    _LEAVE[0]: _read_leave,
    _ROUND[0]: lambda reader: RoundRecord(reader.varint(), reader.take(8)),
    _CLOSE[0]: lambda reader: CloseRecord(reader.take(32)),
}


def _read_one(reader: Reader) -> Record | None:
    head = reader.byte()
    if head & _ACT:
        return _read_act(reader, head)
    if head & _REMARK:
        return _read_remark(reader, head)
    read = _READERS.get(head)
    if read is None:
        raise CorruptLogError(reader.at - 1, f"record type {head:#04x} does not exist")
    return read(reader)


def records(entry: bytes) -> Iterator[Record]:
    """Yield the records of an entry.

    Raises:
        CorruptLogError: the entry is not a sequence of whole records.
    """
    reader = Reader(entry, CorruptLogError)
    while reader.at < len(entry):
        record = _read_one(reader)
        if record is not None:
            yield record
