"""What travels on a trunk, as bytes: the only module that knows its messages.

Every function returns one frame as a piece of a message; pieces put together are a message.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from referee.hosting.hosted import Stay
from referee.hosting.sessions import Greeting as BotGreeting
from referee.internal.v1 import trunk_pb2 as pb
from referee.rules.round import Picks
from referee.varints import varint

VERSION: Final = 5
US: Final = 1_000_000
Frame: TypeAlias = pb.Frame
Greeting: TypeAlias = pb.Greeting
Line: TypeAlias = pb.Line
Closed: TypeAlias = pb.Answer | pb.Late
SMALL: Final = 4_096
_SMALL: Final = tuple(varint(n) for n in range(SMALL))


def parse(message: bytes) -> Sequence[pb.Frame]:
    """Return the frames of a message.

    Raises:
        DecodeError: it is none.
    """
    return pb.CarryRequest.FromString(message).frames


def _piece(frame: pb.Frame) -> bytes:
    return pb.CarryRequest(frames=[frame]).SerializeToString()


# Questions and answers are most of the traffic: they are formatted by hand, and a test holds them against the generated
# code. Field keys are (number << 3 | wire type).


def _varint(n: int) -> bytes:
    return _SMALL[n] if n < SMALL else varint(n)


def _size(n: int) -> int:
    return 1 if n < 128 else len(_varint(n))


@lru_cache(16_384)
def _address(lane: int, handle: int) -> bytes:
    return b"\x08%b\x10%b" % (varint(lane), varint(handle))


@lru_cache(4_096)
def _limits(decision_ms: int, allowance_ms: int) -> bytes:
    return b"\x20%b\x28%b" % (varint(decision_ms), varint(allowance_ms))


# -- who speaks


def greeting(sender: str, receiver: str, nonce: bytes) -> bytes:
    """Say who speaks, and what the other side is to sign."""
    return _piece(pb.Frame(greeting=pb.Greeting(version=VERSION, sender=sender, receiver=receiver, nonce=nonce)))


def proof(signature: bytes) -> bytes:
    """Show that the greeting was true."""
    return _piece(pb.Frame(proof=pb.Proof(proof=signature)))


# -- who is where


def arrival(bot: str, instance: str, keyid: str) -> bytes:
    """Say that a process of a bot has opened a stream, and with which token."""
    return _piece(pb.Frame(arrival=pb.Line(bot=bot, instance=instance, keyid=keyid)))


def departure(bot: str, instance: str) -> bytes:
    """Say that a process of a bot has no stream here any more."""
    return _piece(pb.Frame(departure=pb.Line(bot=bot, instance=instance)))


def inquiry(bot: str, instance: str, asked_us: int) -> bytes:
    """Ask when its stream began."""
    return _piece(pb.Frame(inquiry=pb.Line(bot=bot, instance=instance, asked_us=asked_us)))


def age(bot: str, instance: str, asked_us: int, age_us: int) -> bytes:
    """Answer an inquiry."""
    return _piece(pb.Frame(age=pb.Line(bot=bot, instance=instance, asked_us=asked_us, age_us=max(0, age_us))))


# -- host to home


def reserve(call: int, stay: Stay, rounds: int, *, must: bool = False) -> bytes:
    """Ask for room."""
    match, bot, format_name = stay
    said = pb.Reserve(call=call, match=match, bot=bot, format=format_name, rounds=rounds, must=must)
    return _piece(pb.Frame(reserve=said))


def sign(call: int) -> bytes:
    """Ask for nothing: that is answered all the same, after all that was said before."""
    return _piece(pb.Frame(reserve=pb.Reserve(call=call)))


def stay_of(said: pb.Reserve) -> Stay:
    """Return what room is asked for."""
    return Stay(said.match, said.bot, said.format)


def question(lane: int, handle: int, act: int, decision_ms: int, allowance_ms: int, turn: bytes) -> bytes:
    """Hand over a turn that asks."""
    body = b"".join(
        (
            _address(lane, handle),
            b"\x18",
            _varint(act),
            _limits(decision_ms, allowance_ms),
            b"\x32",
            _varint(len(turn)),
            turn,
        )
    )
    return b"".join((b"\x0a", _varint(len(body) + 1 + _size(len(body))), b"\x1a", _varint(len(body)), body))


def pass_on(lane: int, piece: bytes, *, hint: bool = False) -> bytes:
    """Hand over what asks nothing; `hint`: the bot can do without it."""
    return _piece(pb.Frame(piece=pb.Piece(lane=lane, content=piece, hint=hint)))


def round_end(lane: int, handle: int, turn: bytes) -> bytes:
    """Hand over the end of a round."""
    return _piece(pb.Frame(round_end=pb.RoundEnd(lane=lane, handle=handle, turn=turn)))


def refusal(lane: int, handle: int, act: int, piece: bytes) -> bytes:
    """Hand over why an answer did not count."""
    return _piece(pb.Frame(refusal=pb.Refusal(lane=lane, handle=handle, act=act, piece=piece)))


def withdraw(lane: int, handle: int, *, gone: bool = False, moved: bool = False) -> bytes:
    """Close a question, or (`gone`) a handle."""
    return _piece(pb.Frame(withdraw=pb.Withdraw(lane=lane, handle=handle, gone=gone, moved=moved)))


def replace(lane: int) -> bytes:
    """End a session that a newer one of its instance has replaced."""
    return _piece(pb.Frame(replace=pb.Replace(lane=lane)))


# -- home to host


def grant(call: int, rounds: int) -> bytes:
    """Answer a Reserve."""
    return _piece(pb.Frame(grant=pb.Grant(call=call, rounds=rounds)))


def join(lane: int, first_handle: int, bot: str, session: str, greeting: BotGreeting, age_s: float) -> bytes:
    """Introduce a session."""
    said = pb.Join(
        lane=lane,
        first_handle=first_handle,
        bot=bot,
        session=session,
        instance=greeting.instance,
        version=greeting.version,
        age_ms=max(0, int(age_s * 1000)),
        max_games=greeting.max_games,
        max_open=greeting.max_open,
        orders=greeting.orders,
        formats=sorted(greeting.formats),
        resume=[pb.Known(round_id=known, next_event=event) for known, event in greeting.resume.items()],
    )
    return _piece(pb.Frame(join=said))


def greeting_of(said: pb.Join) -> BotGreeting:
    """Return the greeting of the session that joins."""
    catch, challenge, late_call = said.orders
    return BotGreeting(
        instance=said.instance,
        version=said.version,
        formats=frozenset(said.formats),
        max_games=said.max_games,
        max_open=said.max_open,
        orders=(catch, challenge, late_call),
        resume={known.round_id: known.next_event for known in said.resume},
        minor=0,
    )


def part(lane: int, running: Sequence[tuple[int, int]], *, ours: bool, moved: bool = False) -> bytes:
    """Say that a session is gone; `running` has handle and milliseconds of the open questions."""
    clocks = [pb.Running(handle=handle, elapsed_ms=ms) for handle, ms in running]
    return _piece(pb.Frame(part=pb.Part(lane=lane, ours=ours, moved=moved, running=clocks)))


def answer(
    lane: int, handle: int, act: int, picks: Picks, flags: int, ms: int, given_back_ms: int, thought_ms: int
) -> bytes:
    """Hand over an answer."""
    listed = _varint(picks) if isinstance(picks, int) else b"".join(map(_varint, picks))
    body = b"".join(
        (_address(lane, handle), b"\x18", _varint(act), b"\x22", _varint(len(listed)), listed, b"\x28", _varint(flags),
         b"\x30", _varint(ms), b"\x38" + _varint(given_back_ms) if given_back_ms else b"",
         b"\x40" + _varint(thought_ms) if thought_ms else b"")
    )  # fmt: skip
    return b"".join((b"\x0a", _varint(len(body) + 1 + _size(len(body))), b"\x62", _varint(len(body)), body))


def picks_of(said: pb.Answer) -> Picks:
    """Return the picks of an answer as an asker takes them: one alone, several in a list."""
    return said.picks[0] if len(said.picks) == 1 else tuple(said.picks)


def late(lane: int, handle: int, act: int, ms: int, given_back_ms: int) -> bytes:
    """Say that the time of a question is over."""
    said = pb.Late(lane=lane, handle=handle, act=act, ms=ms, given_back_ms=given_back_ms)
    return _piece(pb.Frame(late=said))


def nonce(lane: int, match: str, value: bytes) -> bytes:
    """Hand over a nonce."""
    return _piece(pb.Frame(nonce=pb.Nonce(lane=lane, match=match, nonce=value)))
