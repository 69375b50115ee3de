"""The connection to the store: one narrow, typed view of redis-py. The only module that imports it."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, Self, cast

import redis
from redis.backoff import ExponentialWithJitterBackoff
from redis.exceptions import AuthorizationError, NoPermissionError, NoScriptError, ResponseError
from redis.retry import Retry

from ladder.store.call import Call, Word
from ladder.store.circuit import Circuit
from ladder.store.errors import StoreLoadingError, StoreUnavailableError, UnfitStoreError
from ladder.store.replies import Entry, Hash, WrongKindError, decode_entries, decode_hash
from ladder.store.scripts import every
from ladder.store.unread import UnreadMembers, spelled
from ladder.store.url import check_url, without_password

Reply = bytes | int | float | None | list["Reply"]

RETRIES: Final = 5
FIRST_WAIT_S: Final = 0.05
LONGEST_WAIT_S: Final = 1.0
"""Before the first try again, and before any."""
HEALTH_S: Final = 15
"""A connection that is new, or was idle so long, is pinged first. Links that try nothing again do without: a server
that loads its files refuses a PING, and would not get to say how far it is."""
POOL: Final = 32
PIPELINE: Final = 200
"""Calls or rows a round trip, so that nobody else waits long for the one thread of the server."""
REFUSALS: Final = frozenset({"HEAD", "LAPSED"})
"""First words of errors that our own scripts answer with."""
PASSING: Final = frozenset({"OOM", "MISCONF", "READONLY", "MASTERDOWN", "NOREPLICAS", "BUSY"})
"""First words of errors of a server that cannot write now, but may later."""
NO_ANSWER: Final = (redis.ConnectionError, redis.TimeoutError)
ANSWERS: Final = (redis.BusyLoadingError, redis.AuthenticationError, AuthorizationError)
"""Answers of a server that redis-py files among what is no answer."""
FORBIDDEN: Final = frozenset({"NOPERM", "NOAUTH", "WRONGPASS"})


class ScriptRefusedError(Exception):
    """A script answered with an error of its own: `code` and the rest of the line. It changed nothing."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code} {detail}".strip())
        self.code = code
        self.detail = detail


class Link:
    """Reads and script calls. Thread-safe; usable after a fork.

    Raises (any method): StoreUnavailableError when the server cannot be reached or is silent for too long.
    """

    def __init__(self, url: str, *, role: str, retries: int = RETRIES, circuit: Circuit | None = None) -> None:
        """Connect when it is first used.

        `circuit`: leaves a server alone that does not answer, and asks it nothing twice that it was silent about; for
        whoever serves many who can come again.
        """
        self.url = url
        self._circuit = circuit
        lost = (redis.ConnectionError,) if circuit else (redis.ConnectionError, redis.TimeoutError, TimeoutError)
        backoff = ExponentialWithJitterBackoff(base=FIRST_WAIT_S, cap=LONGEST_WAIT_S)
        self._redis = _connect(url, role, Retry(backoff, retries, supported_errors=lost))
        self._unread = UnreadMembers()

    def close(self) -> None:
        """Gives all connections back."""
        with _translated(self.url):
            self._redis.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Says in our own errors what went wrong with a call."""
        circuit = self._circuit
        if circuit is None:
            with _translated(self.url):
                yield
            return
        if not circuit.closed():
            shown = without_password(self.url)
            raise StoreUnavailableError(f"the store at {shown} does not answer; it is asked again soon", value=shown)
        try:
            with _translated(self.url):
                yield
        except Exception as error:
            (circuit.silent if _is_silence(error) else circuit.answered)()
            raise
        circuit.answered()

    # writing

    def run(self, call: Call) -> Reply:
        """Runs a script, loading it first where the server does not know it.

        Raises:
            ScriptRefusedError: The script refused, and changed nothing.
        """
        with self._asking():
            try:
                return self._execute(*call.words())
            except NoScriptError:  # it began anew; a process may load scripts, and not send one along (EVAL)
                self._load()
                return self._execute(*call.words())

    def run_all(self, calls: Sequence[Call]) -> list[Reply | ScriptRefusedError]:
        """Runs scripts one after the other in one round trip; each answers for itself."""
        if not calls:
            return []
        with self._asking():
            replies = self._pipe([call.words() for call in calls])
            if any(isinstance(reply, NoScriptError) for reply in replies):
                self._load()
                replies = self._pipe([call.words() for call in calls])
        return [self._own(reply) for reply in replies]

    def _own(self, reply: object) -> "Reply | ScriptRefusedError":
        """A reply of a pipeline; whatever is not a refusal of ours is raised."""
        if not isinstance(reply, Exception):
            return cast("Reply", reply)
        meant = _translation(reply, without_password(self.url)) if isinstance(reply, ResponseError) else reply
        if isinstance(meant, ScriptRefusedError):
            return meant
        raise meant

    def load(self) -> None:
        """Loads every script ahead; for a user who may only read there is nothing to load."""
        with self._asking():
            self._load()

    def _load(self) -> None:
        replies = self._pipe([["SCRIPT", "LOAD", script.text] for script in every()])
        for reply in replies:
            if isinstance(reply, Exception) and not isinstance(reply, NoPermissionError):
                raise reply

    # reading

    def ping(self) -> None:
        """Returns when the server answers."""
        with self._asking():
            self._execute("PING")

    def text(self, key: str) -> str | None:
        """A string."""
        raw = self.raw(key)
        return None if raw is None else raw.decode()

    def raw(self, key: str) -> bytes | None:
        """A string of bytes."""
        return cast("bytes | None", self.read("GET", key))

    def exist(self, keys: Sequence[str]) -> list[bool]:
        """Which of these keys exist."""
        return [bool(reply) for reply in self.read_all([["EXISTS", key] for key in keys])]

    def size(self, command: str, key: str) -> int:
        """A count: HLEN, SCARD, ZCARD, XLEN."""
        return cast("int", self.read(command, key))

    def field(self, key: str, field: str) -> str | None:
        """One field of a hash."""
        raw = cast("bytes | None", self.read("HGET", key, field))
        return None if raw is None else raw.decode()

    def fields(self, key: str, fields: Sequence[str]) -> dict[str, str | None]:
        """Some fields of a hash, in this order."""
        if not fields:
            return {}
        values = cast("list[bytes | None]", self.read("HMGET", key, *fields))
        return {field: None if raw is None else raw.decode() for field, raw in zip(fields, values, strict=True)}

    def raw_fields(self, key: str, fields: Sequence[str]) -> dict[str, bytes | None]:
        """The same as it stands."""
        values = cast("list[bytes | None]", self.read("HMGET", key, *fields)) if fields else []
        return dict(zip(fields, values, strict=True))

    def hash(self, key: str) -> dict[str, str]:
        """All fields of a hash; empty if there is none."""
        return decode_hash(self.read("HGETALL", key))

    def hashes(self, keys: Sequence[str]) -> list[dict[str, str]]:
        """All fields of several hashes, in one round trip."""
        return [decode_hash(reply) for reply in self.read_all([["HGETALL", key] for key in keys])]

    def each_hash(self, keys: Sequence[str]) -> list[Hash]:
        """The same as it stands, each for itself: `decode_hash` says whether it can be read."""
        return cast("list[Hash]", self.read_each([["HGETALL", key] for key in keys]))

    def texts(self, key: str) -> dict[str, str]:
        """All fields of a hash of many entries; passes over those that are no text, and names them once."""
        fields = cast("Mapping[bytes, bytes]", self.read("HGETALL", key))
        words = {field: self._unread.readable(key, (field, value)) for field, value in fields.items()}
        return {pair[0]: pair[1] for pair in words.values() if len(pair) > 1}

    def members(self, key: str) -> set[str]:
        """The members of a set; one that is no text is passed over, and named once."""
        return set(self._unread.readable(key, cast("set[bytes]", self.read("SMEMBERS", key))))

    def ranked(self, command: str, key: str, *words: Word) -> list[str]:
        """The members that a command about a sorted set returns, without scores; passes over as `members`."""
        return self._unread.readable(key, cast("list[bytes]", self.read(command, key, *words)))

    def part(self, command: str, key: str, *words: Word) -> list[str]:
        """The same of a part that was asked for by its length: what is no text keeps its place, spelled out."""
        return [spelled(member) for member in cast("list[bytes]", self.read(command, key, *words))]

    def scores(self, key: str, last: int = -1, *words: Word) -> dict[str, int]:
        """A sorted set of numbers, rounded down, by member; passes over as `members`."""
        pairs = cast("list[tuple[bytes, float]]", self.read("ZRANGE", key, 0, last, *words, "WITHSCORES"))
        return {name: int(score) for member, score in pairs for name in self._unread.readable(key, (member,))}

    def entries(self, key: str, first: str = "-", last: str = "+", count: int | None = None) -> list[Entry]:
        """Entries of a stream in order."""
        tail: tuple[Word, ...] = () if count is None else ("COUNT", count)
        return decode_entries(self.read("XRANGE", key, first, last, *tail))

    def last_entries(self, key: str, count: int, before: str = "+") -> list[Entry]:
        """Entries of a stream, newest first."""
        return decode_entries(self.read("XREVRANGE", key, before, "-", "COUNT", count))

    def read(self, *words: Word) -> object:
        """What a reading command returns, as redis-py shapes it."""
        with self._asking():
            return self._execute(*words)

    def read_all(self, commands: Sequence[Sequence[Word]], *, atomic: bool = False) -> list[object]:
        """Several reads in one round trip; `atomic` ones see one moment."""
        if not commands:
            return []
        with self._asking():
            replies = self._pipe(commands, atomic=atomic)
        for reply in replies:
            if isinstance(reply, Exception):
                raise _translation(reply, without_password(self.url)) if isinstance(reply, ResponseError) else reply
        return replies

    def read_each(self, commands: Sequence[Sequence[Word]]) -> list[object]:
        """Several reads in one round trip; where one meets a key of another kind, its reply is a `WrongKindError`."""
        if not commands:
            return []
        with self._asking():
            replies = self._pipe(commands)
        for number, reply in enumerate(replies):
            if isinstance(reply, Exception):
                replies[number] = self._wrong_kind(reply)
        return replies

    def _wrong_kind(self, reply: Exception) -> WrongKindError:
        """What a key of another kind made of a read; whatever else went wrong is raised."""
        meant = _translation(reply, without_password(self.url)) if isinstance(reply, ResponseError) else reply
        if isinstance(meant, WrongKindError):
            return meant
        raise meant

    def configure(self, name: str, value: str) -> None:
        """Changes a setting of the server, until it ends.

        Raises:
            UnfitStoreError: It refused, for the reason in the text.
        """
        with self._asking():
            try:
                self._execute("CONFIG", "SET", name, value)
            except ResponseError as error:
                shown = without_password(self.url)
                raise UnfitStoreError(f"the store at {shown} refused `{name} {value}`: {error}", value=shown) from error

    def _execute(self, *words: Word) -> Reply:
        return cast("Reply", self._redis.execute_command(*words))  # type: ignore[no-untyped-call]

    def _pipe(self, commands: Sequence[Sequence[Word]], *, atomic: bool = False) -> list[object]:
        with self._redis.pipeline(transaction=atomic) as pipe:
            for words in commands:
                pipe.execute_command(*words)  # type: ignore[no-untyped-call]
            return cast("list[object]", pipe.execute(raise_on_error=False))


def _connect(url: str, role: str, retry: Retry) -> "redis.Redis":
    pool = redis.BlockingConnectionPool.from_url(
        check_url(url),
        max_connections=POOL,
        timeout=5,
        socket_timeout=2,
        socket_connect_timeout=1,
        health_check_interval=HEALTH_S if retry.get_retries() else 0,
        retry=retry,
        protocol=3,
        client_name=f"{role}:{os.getpid()}",
    )
    return redis.Redis.from_pool(pool)


def _is_silence(error: Exception) -> bool:
    """Whether nobody answered; a refusal is an answer, and so is a server that says that it still loads its files."""
    return isinstance(error.__cause__, NO_ANSWER) and not isinstance(error.__cause__, ANSWERS)


@contextmanager
def _translated(url: str) -> Iterator[None]:
    try:
        yield
    except redis.BusyLoadingError as error:
        shown = without_password(url)
        raise StoreLoadingError(f"the store at {shown} still loads its files", value=shown) from error
    except NO_ANSWER as error:
        shown = without_password(url)
        raise StoreUnavailableError(f"the store at {shown} does not answer: {_words(error)}", value=shown) from error
    except ResponseError as error:
        raise _translation(error, without_password(url)) from error


def _words(error: Exception) -> str:
    """What the store or its client said, without a full stop: our sentence goes on behind it."""
    return str(error).rstrip(".")


def _translation(error: ResponseError, shown: str) -> Exception:
    """What a refused command means to us; an error that we cannot name is a bug of ours and stays as it is."""
    code, _, detail = str(error).partition(" ")
    kind = type(error).__name__
    if code in REFUSALS:
        return ScriptRefusedError(code, detail)
    if code == "WRONGTYPE":
        return WrongKindError(str(error))
    if code in PASSING or kind in {"OutOfMemoryError", "ReadOnlyError"}:
        return StoreUnavailableError(f"the store at {shown} takes no writes now: {_words(error)}", value=shown)
    if code in FORBIDDEN or kind == "NoPermissionError":
        return UnfitStoreError(
            f"the store at {shown} refused this user: {_words(error)}",
            value=shown,
            allowed="a user with the rights of its role",
        )
    return error
