"""Between the protocol's messages and what a bot author sees."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from lastcard.bot import Bot
from lastcard.faces import cards
from lastcard.history import History, Match
from lastcard.link.memory import Memory, match_of
from lastcard.result import GameResult, MatchResult, RoundResult
from lastcard.thinker import Thought
from lastcard.v1 import cards_pb2, play_pb2
from lastcard.words import ENDINGS

MIN_MINOR: Final = 0
MAX_MINOR: Final = 0

CHANNEL: Final = [
    # Bots in one process do not share the eight streams of a connection, nor the backoff of the last channel.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),  # what really bounds the detection of a frozen peer
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_receive_message_length", 262_144),
    ("grpc.enable_retries", 0),
]


def sdk() -> str:
    """Return name and version of this library."""
    try:
        return f"lastcard-python/{version('lastcard')}"
    except PackageNotFoundError:
        return "lastcard-python"


def hello(bot: Bot, instance: str, max_open: int, memory: Memory) -> play_pb2.PlayRequest:
    """Return the first message of a stream."""
    greeting = play_pb2.Hello(
        instance=instance,
        version=bot.version,
        min_minor=MIN_MINOR,
        max_minor=MAX_MINOR,
        formats=bot.formats,
        max_games=bot.max_games,
        max_open=max_open,
        catch=f"STANDING_ORDER_{bot.catch}",
        challenge=f"STANDING_ORDER_{bot.challenge}",
        late_call=f"STANDING_ORDER_{bot.late_call}",
        sdk=sdk(),
    )
    for round_id, next_event in memory.resume():
        greeting.resume.add(round_id=round_id, next_event=next_event)
    return play_pb2.PlayRequest(hello=greeting)


def request(thoughts: Iterable[Thought], nonces: Iterable[tuple[str, bytes]], stamp: int) -> play_pb2.PlayRequest:
    """Return one message with answers, nonces and, where `stamp` is not 0, a heartbeat."""
    message = play_pb2.PlayRequest()
    add = message.answers.add
    for thought in thoughts:
        if thought.picked:
            picks, call, color = thought.picked
            act, named = thought.turn.act, cards_pb2.Color.ValueType(color)
            add(round=thought.handle, act=act, picks=picks, call=call, color=named, think_ms=thought.think_ms)
    for match, nonce in nonces:
        message.nonces.add(match=match, nonce=nonce)
    if stamp:
        message.heartbeat.stamp = stamp
    return message


def match(message: play_pb2.MatchStart) -> Match:
    """Return a match as it is announced."""
    return Match(
        id=message.match,
        format=message.format,
        entrants=tuple(message.entrants),
        meetings=message.meetings,
        commitment=message.commitment,
        ruleset=message.ruleset,
        points=tuple(message.points),
    )


def match_result(known: Match, message: play_pb2.MatchEnd) -> MatchResult:
    """Return how a match ended, with the check of its seed."""
    seed = message.seed
    proven = sha256(seed).digest() == known.commitment if seed and known.commitment else None
    return MatchResult(known, message.void_reason, seed, tuple(message.nonces), proven)


def round_result(history: History, message: play_pb2.RoundEnd) -> RoundResult:
    """Return how a round ended."""
    return RoundResult(
        history=history,
        ending=ENDINGS[message.ending],
        places=tuple(message.places),
        points=tuple(message.points),
        hands=tuple(map(cards, message.hands)),
        left=tuple(message.left),
        faults=message.faults,
    )


def game_result(history: History, message: play_pb2.RoundEnd) -> GameResult:
    """Return how a game ended whose last round has just ended."""
    before = history.scores or (0,) * len(message.points)
    return GameResult(
        game_id=history.round_id.rpartition("/")[0],
        match=history.match if history.match.id else Match(match_of(history.round_id)),
        seat=history.seat,
        entrants=history.entrants,
        places=tuple(message.game_places),
        points=tuple(old + won for old, won in zip(before, message.points, strict=False)),
    )
