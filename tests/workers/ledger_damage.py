"""What may be wrong with what stands in the ledger."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from ladder.store import Store
from tests.workers.small_referee import FORMAT

BAD = "spring.1.1.0"


@dataclass(frozen=True, slots=True)
class Damage:
    """Commands of the server, whose keys are named by what stands before their colon."""

    commands: tuple[tuple[str | bytes | int, ...], ...]

    def __call__(self, store: Store) -> None:
        """Do it."""
        for command, key, *words in self.commands:
            store.link._execute(str(command), f"{{{store.keys.tenant}}}:{key!s}", *words)


def damage(*words: str | bytes | int) -> Damage:
    """Return what one command does."""
    return Damage((words,))


def replaced(key: str) -> Damage:
    """Return what puts a key of another kind in the place of one."""
    return Damage((("DEL", key), ("SET", key, "x")))


OF_A_MATCH = [
    pytest.param(damage("HSET", f"m:{BAD}", "meetings", "x"), id="meetings are no number"),
    pytest.param(damage("HSET", f"m:{BAD}", "entrants", '["al'), id="entrants are cut off"),
    pytest.param(damage("HSET", f"m:{BAD}", "reason", b"\xff"), id="the reason is no text"),
    pytest.param(damage("HSET", f"m:{BAD}", "state", "odd"), id="the state is none"),
    pytest.param(damage("HSET", f"m:{BAD}", "games_done", "x"), id="its games are no number"),
    pytest.param(replaced(f"m:{BAD}"), id="a text stands in its place"),
    pytest.param(
        Damage((("DEL", f"m:{BAD}"), ("HSET", f"m:{BAD}", "state", "closed"))), id="all but its state is gone"
    ),
]
OF_A_TOURNAMENT = [
    pytest.param(damage("HSET", "t:spring", "spec", '{"na'), id="the description is cut off"),
    pytest.param(damage("HSET", "t:spring", "spec", "[]"), id="the description is a list"),
    pytest.param(damage("HSET", "t:spring", "matches", "x"), id="its matches are no number"),
    pytest.param(damage("HSET", "t:spring", "state", "odd"), id="the state is none"),
    pytest.param(damage("HSET", "t:spring", "entrants", '["a'), id="the entrants are cut off"),
    pytest.param(damage("HSET", "t:spring", "reason", b"\xff"), id="the reason is no text"),
    pytest.param(damage("HSET", "t:spring", "schedule", '{"ne'), id="the notes are cut off"),
    pytest.param(replaced("t:spring"), id="a text stands in its place"),
]
AS_MUCH = [
    pytest.param(damage("HSET", "t:spring", b"\xff".decode("latin-1"), "x"), id="a field that nobody knows"),
    pytest.param(damage("HSET", "t:spring", "done", "x", "lost", "y"), id="its counts are no numbers"),
    pytest.param(damage("HSET", "t:spring", "name", "summer"), id="it says that it is another one"),
    pytest.param(damage("HSET", "t:spring", "spec", "{}"), id="the description is empty"),
    pytest.param(damage("HDEL", "t:spring", "commitment", "spec", "state"), id="three fields are gone"),
]
OF_OTHERS = [
    pytest.param(damage("SADD", "open", b"\xff\xfe"), id="open matches: a member that is no text"),
    pytest.param(damage("ZADD", "due", 1, b"rate:\xff"), id="results that wait: a member that is no text"),
    pytest.param(damage("SADD", "t:spring:open", b"\xff"), id="matches of a tournament: a member that is no text"),
    pytest.param(damage("SADD", "t:spring:sealed", b"\xff"), id="sealed matches: a member that is no text"),
    pytest.param(damage("ZADD", "tournaments:open", 1, b"\xff"), id="tournaments: a member that is no text"),
    pytest.param(damage("ZADD", "due:luck", 1, b"\xff"), id="luck that waits: a member that is no text"),
    pytest.param(damage("HSET", b"formats".decode(), b"\xff", "x"), id="ladders: a name that is no text"),
    pytest.param(damage("HSET", f"l:{FORMAT}:fit", "text", b"\xff"), id="a fit that is no text"),
    pytest.param(damage("HSET", f"l:{FORMAT}:fit", "text", "{"), id="a fit that is cut off"),
    pytest.param(
        Damage((("SADD", "referees", "bad"), ("SET", "beat:bad", '{"capacity": "x"}'))), id="a capacity that is a word"
    ),
    pytest.param(
        Damage((("SADD", "referees", "bad"), ("SET", "beat:bad", '{"capacity": null}'))), id="a capacity that is none"
    ),
    pytest.param(
        Damage((("SADD", "referees", "bad"), ("SET", "beat:bad", '{"capacity": 1.5}'))), id="half a game of capacity"
    ),
]
