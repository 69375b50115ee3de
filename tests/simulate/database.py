"""The data of a simulated store: the few types and commands of Redis that the ledger uses, and nothing else."""

from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

Entry: TypeAlias = tuple[tuple[int, int], dict[bytes, bytes]]
Reply: TypeAlias = "bytes | int | list[Reply] | None"
"""What a script returns."""
INFINITIES: Final = {b"-inf": float("-inf"), b"+inf": float("inf")}


class ErrorReply(Exception):  # noqa: N818  (a reply of the server, not a failure of ours)
    """An error that the server answers with: a code and a sentence."""


class WrongTypeReply(ErrorReply):
    """A key holds something else."""

    def __init__(self) -> None:
        super().__init__("WRONGTYPE Operation against a key holding the wrong kind of value")


class ScoreSet(dict[bytes, float]):
    """A sorted set."""

    def ordered(self) -> list[tuple[bytes, float]]:
        """Return members by score, then by bytes."""
        return sorted(self.items(), key=lambda item: (item[1], item[0]))


Value: TypeAlias = bytes | dict[bytes, bytes] | set[bytes] | list[Entry] | ScoreSet


class Database:
    """Keys and values. Keys and members are bytes; numbers are their decimal text, as in Redis.

    Args:
        wall_ms: the server's wall time, which decides what has expired.
    """

    def __init__(self, wall_ms: Callable[[], int]) -> None:
        self._wall_ms = wall_ms
        self._values: dict[bytes, Value] = {}
        self._ends: dict[bytes, int] = {}

    def _get(self, key: bytes) -> Value | None:
        end = self._ends.get(key)
        if end is not None and self._wall_ms() >= end:
            self.delete(key)
        return self._values.get(key)

    def names(self) -> list[bytes]:
        """Return every key that there is, in order."""
        return [key for key in sorted(self._values) if self._get(key) is not None]

    def value(self, key: bytes) -> Value | None:
        """Return what stands under a key, whatever it is."""
        return self._get(key)

    def expires(self, key: bytes) -> bool:
        """Return whether a key has an end."""
        return key in self._ends

    # -- strings and keys

    def get(self, key: bytes) -> bytes | None:
        """GET."""
        value = self._get(key)
        if isinstance(value, bytes | None):
            return value
        raise WrongTypeReply

    def put(self, key: bytes, value: bytes, *, px: int | None = None, nx: bool = False) -> bool:
        """SET, with PX and NX; returns whether it was set."""
        if nx and self.exists(key):
            return False
        self._values[key] = value
        self._ends.pop(key, None)
        if px is not None:
            self._ends[key] = self._wall_ms() + px
        return True

    def expire(self, key: bytes, ms: int) -> None:
        """PEXPIRE."""
        self._ends[key] = self._wall_ms() + ms

    def left_ms(self, key: bytes) -> int:
        """PTTL of a key that has an end."""
        return self._ends[key] - self._wall_ms()

    def exists(self, key: bytes) -> bool:
        """EXISTS."""
        return self._get(key) is not None

    def delete(self, key: bytes) -> bool:
        """DEL."""
        self._ends.pop(key, None)
        return self._values.pop(key, None) is not None

    def rename(self, key: bytes, new: bytes) -> None:
        """RENAME, where there is something."""
        value = self._get(key)
        if value is not None:
            self.delete(key)
            self.put(new, b"")
            self._values[new] = value

    def _tidy(self, key: bytes) -> None:
        if not self._values[key]:
            self.delete(key)

    # -- hashes

    def hgetall(self, key: bytes) -> dict[bytes, bytes]:
        """HGETALL."""
        value = self._get(key)
        if isinstance(value, dict | None) and not isinstance(value, ScoreSet):
            return value or {}
        raise WrongTypeReply

    def hget(self, key: bytes, field: bytes) -> bytes | None:
        """HGET."""
        return self.hgetall(key).get(field)

    def hset(self, key: bytes, *pairs: bytes) -> int:
        """HSET; returns how many fields are new."""
        value = self.hgetall(key)
        before = len(value)
        self._values[key] = value
        value.update(zip(pairs[::2], pairs[1::2], strict=True))
        return len(value) - before

    def hincrby(self, key: bytes, field: bytes, by: int) -> int:
        """HINCRBY."""
        value = int(self.hget(key, field) or b"0") + by
        self.hset(key, field, str(value).encode())
        return value

    def hdel(self, key: bytes, field: bytes) -> bool:
        """HDEL."""
        found = self.hgetall(key).pop(field, None) is not None
        if found:
            self._tidy(key)
        return found

    # -- sets

    def smembers(self, key: bytes) -> set[bytes]:
        """SMEMBERS."""
        value = self._get(key)
        if isinstance(value, set | None):
            return value or set()
        raise WrongTypeReply

    def sadd(self, key: bytes, member: bytes) -> None:
        """SADD."""
        value = self.smembers(key)
        value.add(member)
        self._values[key] = value

    def srem(self, key: bytes, member: bytes) -> None:
        """SREM."""
        if member in self.smembers(key):
            self.smembers(key).remove(member)
            self._tidy(key)

    # -- sorted sets

    def scores(self, key: bytes) -> ScoreSet:
        """ZRANGE of everything WITHSCORES."""
        value = self._get(key)
        if isinstance(value, ScoreSet | None):
            return ScoreSet() if value is None else value
        raise WrongTypeReply

    def zadd(self, key: bytes, score: bytes, member: bytes, *, nx: bool = False) -> None:
        """ZADD."""
        value = self.scores(key)
        self._values[key] = value
        if not nx or member not in value:
            value[member] = float(score)

    def zrem(self, key: bytes, member: bytes) -> None:
        """ZREM."""
        if self.scores(key).pop(member, None) is not None:
            self._tidy(key)

    def zrange(self, key: bytes, low: bytes, high: bytes, *, reverse: bool = False) -> list[bytes]:
        """ZRANGE BYSCORE, with REV."""
        if reverse:
            low, high = high, low
        fits = _between(low, high)
        found = [member for member, score in self.scores(key).ordered() if fits(score)]
        return found[::-1] if reverse else found

    # -- streams

    def stream(self, key: bytes) -> list[Entry]:
        """XRANGE of everything."""
        value = self._get(key)
        if isinstance(value, list | None):
            return value or []
        raise WrongTypeReply

    def xadd(self, key: bytes, entry: bytes, *pairs: bytes, most: int = 0) -> None:
        """XADD with an id of our own, which must be above the last; `most`: MAXLEN."""
        number = _entry_id(entry)
        value = self.stream(key)
        if number <= (value[-1][0] if value else (0, 0)):
            raise ErrorReply("ERR The ID specified in XADD is equal or smaller than the target stream top item")
        self._values[key] = value
        value.append((number, dict(zip(pairs[::2], pairs[1::2], strict=True))))
        if most:
            del value[:-most]

    def xrange(self, key: bytes, first: bytes, last: bytes) -> list[Entry]:
        """XRANGE."""
        entries = self.stream(key)
        start = 0 if first == b"-" else bisect_left([number for number, _ in entries], _entry_id(first))
        return [entry for entry in entries[start:] if last == b"+" or entry[0] <= _entry_id(last)]


def _between(low: bytes, high: bytes) -> Callable[[float], bool]:
    least, most = _bound(low), _bound(high)
    return lambda score: (
        (score > least if low.startswith(b"(") else score >= least)
        and (score < most if high.startswith(b"(") else score <= most)
    )


def _bound(text: bytes) -> float:
    return INFINITIES[text] if text in INFINITIES else float(text.lstrip(b"("))


def _entry_id(text: bytes) -> tuple[int, int]:
    first, _, second = text.partition(b"-")
    return int(first), int(second)


def words_of(words: Iterable[str | bytes | int | float]) -> list[bytes]:
    """Return the words of a command as they travel."""
    return [word if isinstance(word, bytes) else str(word).encode() for word in words]
