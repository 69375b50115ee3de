"""The scripts that need the head of a match, as calls: for a referee that sends them on its own connection.

Made once per match; the names of keys are spelled once, and an append costs a list of seven words.
"""

from enum import StrEnum
from hashlib import sha256

from ladder.store.call import Call, Word
from ladder.store.head import entry_id
from ladder.store.keys import Keys
from ladder.store.rows import MatchState
from ladder.store.scripts import script


class Ending(StrEnum):
    """How a host ends a match."""

    CLOSED = MatchState.CLOSED
    VOID = MatchState.VOID
    PARKED = MatchState.PARKED


class MatchCalls:
    """Calls about one match by the referee `me`. Replies: `OK`, `DUP` (was done before), or an error `HEAD …`."""

    def __init__(self, keys: Keys, match: str, *, me: str, tournament: str) -> None:
        self.match = match
        self._me = me
        self._head = keys.head(match)
        self._log = keys.log(match)
        self._append = script("append")
        self._prefix: tuple[Word, ...] = ("EVALSHA", self._append.sha, 2, self._head, self._log)
        self._state_keys = (self._head, self._log, keys.match(match), keys.owned(me), keys.ready, keys.states)
        self._end_keys = (keys.due, keys.open, keys.tournament(tournament), keys.tournament_open(tournament))
        self._shown_keys = (keys.seed(match), keys.shown_log(match), keys.shown_seed(match))

    def append_words(self, old: str, new: str, data: bytes) -> tuple[tuple[Word, ...], tuple[str, str, str, bytes]]:
        """The command that adds `data` to the log, in two parts; `new` is `next_head(old, data)`.

        The first part is the same for every entry of the match, so that it can be framed once.
        """
        return self._prefix, (old, new, entry_id(new), data)

    def append(self, old: str, new: str, data: bytes) -> Call:
        """The same as a call."""
        return Call(self._append, (self._head, self._log), (old, new, entry_id(new), data))

    def release(
        self, old: str, new: str, data: bytes, *, not_before_ms: int, now_ms: int, absent: bool = False
    ) -> Call:
        """Gives the match back: `new` is `next_epoch(old, data)`. `absent`: its seats were not there.

        One that was ordered to be void meanwhile is void then.
        """
        args = (old, new, entry_id(new), data, self.match, not_before_ms, int(absent), now_ms)
        return Call(script("release"), (*self._state_keys, *self._end_keys), args)

    def close(
        self,
        old: str,
        new: str,
        data: bytes,
        *,
        now_ms: int,
        ending: Ending = Ending.CLOSED,
        reason: str = "",
        result: str = "",
        games_done: int = 0,
    ) -> Call:
        """Ends the match with its last entry: `new` is `next_head(old, data)`.

        A closed one carries its result (canonical JSON) and waits for a worker, and its seed and log are shown, unless
        other tables have its deals; a void or parked one carries its reason.
        One that was ordered to be void meanwhile is not parked but void.
        """
        digest = sha256(result.encode()).hexdigest() if result else ""
        args = (old, new, entry_id(new), data, self.match, ending.value, reason, result, digest, now_ms, games_done)
        return Call(script("close"), (*self._state_keys, *self._end_keys, *self._shown_keys), args)
