"""Attacks with answers and nonces that nobody asked for."""

from typing import Any, Final, cast

from lastcard.v1 import play_pb2 as pb
from tests.hostile.raw import RawStream, opened
from tests.hostile.stranger import FOREIGN, MALFORMED, MOST_INT, cut_for_rate, joined
from tests.hostile.target import Target


async def answers_to_nothing(target: Target) -> None:
    """Handles and decisions that never were are told FOREIGN; thousands in one message are too many."""
    answers = [
        pb.Answer(round=n, act=MOST_INT, picks=[MOST_INT] * 3, color=cast("Any", 99), think_ms=MOST_INT)
        for n in range(5)
    ]
    async with opened(target.server, target.fresh()) as stream:
        await joined(stream)
        await stream.say(pb.PlayRequest(answers=answers))
        assert [reply.code for reply in await stream.replies(5)] == [FOREIGN] * 5
        await cut_for_rate(target, stream, pb.PlayRequest(answers=[pb.Answer(round=9)] * 4_096).SerializeToString())


async def nonces_for_others(target: Target) -> None:
    """Nonces for matches of others, of no match and of any size change nothing."""
    nonces = [
        pb.Nonce(match=match, nonce=bytes(size)) for match in ("", "x.1.1.0", "\U0001f0cf") for size in (0, 16, 99)
    ]
    async with opened(target.server, target.fresh()) as stream:
        await joined(stream)
        await stream.say(pb.PlayRequest(nonces=nonces), pb.PlayRequest(nonces=[nonces[0]] * 257))
        [reply] = await stream.replies(1)
        assert reply.code == MALFORMED


WILD: Final[tuple[dict[str, Any], ...]] = (
    {"picks": [MOST_INT]},
    {"picks": [5_000], "call": True},
    {"picks": [0] * 5_000},
    {"picks": []},
    {"picks": [0, 0]},
    {"picks": [0], "color": 99},
    {"picks": [0], "color": -1},
    {"picks": [0], "color": 4, "call": True, "think_ms": MOST_INT},
    {"picks": list(range(512))},
)


async def wild_answers(target: Target, format_name: str = "uno-classic-2", seats: int = 2) -> None:
    """In a match: acts of the future, picks and colours that are none. Who sends them is shown out, the others are not.

    Many games at once, so that the bot leaves them all in the middle of an answer to one.
    """
    async with opened(target.server, target.fresh()) as stream, target.honest(seats - 1, format_name) as honest:
        me = await joined(stream, formats=[format_name], max_open=64)
        match = target.begin(*honest, me, meetings=4, format_name=format_name)
        codes = await _wildly(stream)
        *others, mine = await target.faults(match)
    assert mine >= 3
    assert others == [0] * len(others)
    assert {pb.REPLY_CODE_ILLEGAL, MALFORMED, FOREIGN} <= codes <= set(range(1, 8)), codes


async def _wildly(stream: RawStream) -> set[int]:
    """Answer every question wildly until the match is over; returns the codes of the replies."""
    codes: set[int] = set()
    asked = 0
    while response := await stream.hear():
        request = pb.PlayRequest()
        for notice in response.notices:
            if notice.HasField("reply"):
                codes.add(notice.reply.code)
            if notice.HasField("match_start"):
                request.nonces.append(pb.Nonce(match=notice.match_start.match, nonce=bytes(3)))
            if notice.HasField("match_end"):
                return codes
        for turn in response.turns:
            if turn.HasField("decision"):
                asked += 1
                request.answers.append(pb.Answer(round=turn.round, act=turn.act + 100_000, picks=[0]))
                request.answers.append(pb.Answer(round=turn.round, act=turn.act, **WILD[asked % len(WILD)]))
                request.answers.append(pb.Answer(round=turn.round, act=turn.act, picks=[1], call=True))
        if request.ByteSize():
            await stream.say(request)
    return codes
