"""The simulated store: executes commands one after the other, can stall, restart and lose replies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, Protocol

from redis.exceptions import NoScriptError, ResponseError

from ladder.store.keys import Keys
from ladder.store.scripts import every
from tests.simulate.database import Database, ErrorReply, Reply, words_of
from tests.simulate.timeline import Timeline
from tests.simulate.trace import Trace
from tests.simulate.twins import TWINS, Twin

EPOCH_MS: Final = 1_800_000_000_000
"""Wall time at the beginning of a run."""
TENANT: Final = "sim"
WRITES: Final = frozenset({"append", "claim", "close", "release"})
DATA_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class Write:
    """A write to the log of a match that the store accepted.

    Attributes:
        at: virtual time.
        writer: process that sent it.
        script: what it was.
        match: match id.
        entry: `epoch-seq`.
    """

    at: float
    writer: str
    script: str
    match: str
    entry: str


class Connection(Protocol):
    """What breaks when the store dies."""

    owner: str

    def cut(self) -> None:
        """Break."""


class Server:
    """One store.

    Attributes:
        up: it accepts connections.
        stalled: it accepts them and answers nothing.
        jump_ms: how far its wall clock is off.
        twins: its scripts; a planted bug replaces one.
        journal: writes to logs that it accepted.
        loss: probability that a request or its reply is lost.
        ended: matches that are over.
        on_write: told of every write to a log.
        connections: those of match logs.
        apart: processes that it cannot be reached from.
    """

    def __init__(self, timeline: Timeline, chance: Random, trace: Trace) -> None:
        self.timeline = timeline
        self.chance = chance
        self.trace = trace
        self.up = True
        self.stalled = False
        self.jump_ms = 0
        self.db = Database(self.wall_ms)
        self.twins: dict[str, Twin] = dict(TWINS)
        self.journal: list[Write] = []
        self.loss = 0.0
        self.ended: set[str] = set()
        self.on_write: Callable[[], None] = lambda: None
        self.connections: list[Connection] = []
        self.apart: set[str] = set()
        self._names = {script.sha: script.name for script in every()}
        self._loaded: set[str] = set()
        self._queue: list[Callable[[], None]] = []
        self._log_prefix = Keys(TENANT).log("").encode()

    def wall_ms(self) -> int:
        """Return its wall time."""
        return EPOCH_MS + self.jump_ms + int(self.timeline.now * 1000)

    # -- faults

    def stall(self, seconds: float) -> None:
        """Answer nothing for a while; what arrives is done afterwards."""
        if not self.stalled and self.up:
            self.stalled = True
            self.trace.note("store", "stalls")
            self.timeline.after(seconds, self._go_on)

    def _go_on(self) -> None:
        self.stalled = False
        self.trace.note("store", "goes on")
        queue, self._queue = self._queue, []
        for waiting in queue:
            waiting()

    def restart(self, seconds: float) -> None:
        """Die and come back with all that was acknowledged; connections and loaded scripts are gone."""
        if not self.up or self.stalled:
            return
        self.up = False
        self._loaded.clear()
        self.trace.note("store", "dies")
        self.cut_connections()
        self.timeline.after(seconds, self._come_back)

    def _come_back(self) -> None:
        self.up = True
        self.trace.note("store", "is back")

    def cut_connections(self) -> None:
        """Break the connections of the match logs."""
        connections, self.connections = self.connections, []
        for connection in connections:
            connection.cut()

    def lossy(self) -> str:
        """Draw what happens to a request: nothing, it is lost, or its reply is."""
        drawn = self.chance.random()
        if drawn >= self.loss:
            return ""
        return "request" if drawn < self.loss / 2 else "reply"

    def arrive(self, action: Callable[[], None]) -> None:
        """Do what a request asks for, now or when the stall is over."""
        if self.stalled:
            self._queue.append(action)
        else:
            action()

    # -- commands

    def execute(self, words: Sequence[str | bytes | int | float], writer: str) -> object:
        """Execute a command; the reply has the shape that redis-py gives it.

        Raises:
            ResponseError: the server answers with an error.
        """
        name, *rest = words_of(words)
        match name.upper():
            case b"EVALSHA":
                return self._eval(rest[0].decode(), rest[1:], writer)
            case b"EVAL":
                return self._eval(self._load(rest[0]), rest[1:], writer)
            case b"SCRIPT":
                return self._load(rest[1]).encode()
            case b"PING" | b"CLIENT" | b"AUTH" | b"SELECT":
                return b"OK"
            case command:
                return self._read(command, rest)

    def _load(self, text: bytes) -> str:
        for script in every():
            if script.text.encode() == text:
                self._loaded.add(script.sha)
                return script.sha
        raise ResponseError("unknown script text")

    def _eval(self, sha: str, rest: list[bytes], writer: str) -> Reply:
        if sha not in self._loaded:
            raise NoScriptError("No matching script. Please use EVAL.")
        name = self._names[sha]
        count = int(rest[0])
        keys, args = rest[1 : 1 + count], rest[1 + count :]
        try:
            reply = self.twins[name](self.db, keys, args)
        except ErrorReply as error:
            self.trace.note("store", name, writer, _first(args), f"-{error}")
            raise ResponseError(str(error)) from None
        if name in WRITES:
            self._note(name, keys, args, reply, writer)
        return reply

    def _note(self, name: str, keys: list[bytes], args: list[bytes], reply: Reply, writer: str) -> None:
        said = reply[0] if isinstance(reply, list) else reply
        assert isinstance(said, bytes)
        log = keys[2] if name == "claim" else keys[1]
        match = log.removeprefix(self._log_prefix).decode()
        entry = args[3] if name == "claim" else args[2]
        self.trace.note("store", name, writer, match, entry.decode(), said.decode())
        if said == b"OK" or (name == "claim" and said in {b"PARKED", b"DEAL"}):
            self.journal.append(Write(self.timeline.now, writer, name, match, entry.decode()))
            obeyed = name == "release" and self.db.hget(keys[2], b"state") == b"void"  # it was ordered to be
            if name == "close" or said in {b"PARKED", b"DEAL"} or obeyed:
                self.ended.add(match)
            self.on_write()

    def _read(self, command: bytes, rest: list[bytes]) -> object:
        do = COMMANDS.get(command.upper())
        if do is None:
            raise ResponseError(f"ERR the simulated store has no {command.decode()}")
        try:
            return do(self.db, rest)
        except ErrorReply as error:
            raise ResponseError(str(error)) from None


def _zrange(db: Database, words: list[bytes]) -> object:
    key, low, high, *options = words
    if not options and (low, high) == (b"0", b"-1"):
        return [member for member, _ in db.scores(key).ordered()]
    if options == [b"WITHSCORES"] and (low, high) == (b"0", b"-1"):
        return db.scores(key).ordered()
    by_score, *reverse, limit, first, count = options
    if by_score != b"BYSCORE" or limit != b"LIMIT" or reverse not in ([], [b"REV"]):
        raise ResponseError(f"ERR the simulated store has no ZRANGE with {options}")
    return db.zrange(key, low, high, reverse=bool(reverse))[int(first) :][: int(count)]


def _xrange(db: Database, words: list[bytes]) -> object:
    return [(b"%d-%d" % number, dict(fields)) for number, fields in db.xrange(*words)]


COMMANDS: Final[dict[bytes, Callable[[Database, list[bytes]], object]]] = {
    b"SET": lambda db, words: db.put(*words),
    b"HSET": lambda db, words: db.hset(*words),
    b"GET": lambda db, words: db.get(*words),
    b"EXISTS": lambda db, words: int(db.exists(*words)),
    b"HGET": lambda db, words: db.hget(*words),
    b"HMGET": lambda db, words: [db.hget(words[0], field) for field in words[1:]],
    b"HGETALL": lambda db, words: dict(db.hgetall(*words)),
    b"HKEYS": lambda db, words: list(db.hgetall(*words)),
    b"SRANDMEMBER": lambda db, words: sorted(db.smembers(words[0]))[: int(words[1])],
    b"SMEMBERS": lambda db, words: set(db.smembers(*words)),
    b"ZRANGE": _zrange,
    b"XRANGE": _xrange,
}
"""Commands that are no scripts; replies have the shape that redis-py gives them."""


def _first(args: list[bytes]) -> str:
    return args[0].decode(errors="replace")
