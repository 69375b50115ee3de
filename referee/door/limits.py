"""What a bot is held to at the door and in its streams, and how it is told."""

from typing import Final

from lastcard.metadata import MOST_METADATA
from referee import match, wire
from referee.door import bans, crowd, gate, hello
from referee.hosting import asking, host, sessions
from referee.hosting.sessions import Greeting

HELLO_S: Final = 5.0
MOST_ANSWERS: Final = 4_096
MOST_NONCES: Final = 256
USELESS_BURST: Final = 200
WASTED_PER_MESSAGE: Final = 16
"""So many answers that do not count, whatever else is in a message, are as useless as a message."""
MOST_WASTED: Final = 256
"""In one message: as many questions as a bot may have open at once."""
STREAMS_PER_CONNECTION: Final = 8


def in_force(greeting: Greeting, absent_s: float) -> dict[str, int]:
    """Return all limits of a session, by their names in the protocol's `Limits`."""
    return {
        "max_games": greeting.max_games,
        "max_open": greeting.max_open,
        "max_message_bytes": wire.MOST_TAKEN,
        "heartbeat_ms": wire.HEARTBEAT_MS,
        "useless_per_second": wire.USELESS_PER_S,
        "errors_per_ten_minutes": wire.MOST_ERRORS,
        "ban_ms": _ms(bans.BAN_S),
        "useless_burst": USELESS_BURST,
        "wasted_per_useless": WASTED_PER_MESSAGE,
        "max_wasted": MOST_WASTED,
        "useful_heartbeat_ms": _ms(sessions.BEAT_S),
        "max_answers": MOST_ANSWERS,
        "max_nonces": MOST_NONCES,
        "max_picks": asking.MOST_PICKS,
        "max_sent_bytes": wire.MOST_SENT,
        "max_unread": sessions.MOST_HINTS,
        "silence_ms": _ms(gate.SILENCE_S),
        "hello_ms": _ms(HELLO_S),
        "nonce_ms": _ms(host.NONCE_S),
        "absence_ms": _ms(absent_s),
        "max_instances": sessions.INSTANCES_PER_VERSION,
        "max_formats": hello.MOST_FORMATS,
        "max_resumes": hello.MOST_RESUMES,
        "streams_per_connection": STREAMS_PER_CONNECTION,
        "streams_per_second": gate.DIALS_PER_S,
        "streams_burst": gate.DIAL_BURST,
        "versions_per_day": gate.VERSIONS_PER_DAY,
        "bad_tokens_per_minute": gate.FAILURES_PER_MINUTE,
        "faults_to_lose": match.FAULTS_TO_LOSE_MEETING,
        "lost_to_leave": match.MEETINGS_TO_LEAVE,
        "max_metadata_bytes": MOST_METADATA,
        "max_processes": crowd.PROCESSES_PER_TOKEN,
    }


def _ms(seconds: float) -> int:
    return int(seconds * 1000)
