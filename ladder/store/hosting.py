"""What a referee does with matches: claim, append, release, close, and beat while it is alive."""

import json
from collections.abc import Mapping, Sequence
from typing import Final, cast

from ladder.store.call import Call
from ladder.store.client import ScriptRefusedError
from ladder.store.counters import Counter
from ladder.store.errors import BadInputError, FencedError, LapsedError
from ladder.store.head import entry_id, next_epoch, next_head
from ladder.store.match_calls import Ending, MatchCalls
from ladder.store.match_reads import BEAT_MS, MatchReads, row_of
from ladder.store.replies import decode_hash
from ladder.store.rows import Claimed, ClaimRefused, Orders, Refusal, Stop
from ladder.store.scripts import script
from lastcard.secret import Secret, commitment

STRIKES: Final = 3
"""So many deaths of a host in a row without an act park a match."""
SEED_BYTES: Final = 32
DEALS_S: Final = 365 * 86_400
"""So long it is known who has which deals while a table may still be played; what is over is known for a week more."""
LAST: Final = 999
"""Behind all that anybody may watch at once."""
_ALARM: Final = str(Counter("alarms_total", {"kind": "deal"}))


class Hosting(MatchReads):
    """The part of the ledger that referees write."""

    def claim(
        self, match: str, me: str, now_ms: int, *, seed: bytes | Secret, data: bytes = b""
    ) -> Claimed | ClaimRefused:
        """Claims a match for the referee `me`.

        Who claims it first seats its table at its deals. Where that may not be, because another table has them, an
        owner met them before, or they are mirrored and nobody vouches for all, the match is void, with an alarm, and
        one of a tournament is played again on deals of its own. A mirrored one is not: it would be refused again.

        Args:
            match: Its id.
            me: Incarnation of the referee; it must be beating.
            now_ms: Wall time.
            seed: 32 bytes; they count if nobody has claimed the match before.
            data: The entry that opens the epoch in the log.
        """
        if len(seed) != SEED_BYTES:
            raise BadInputError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}", reason="BAD_SEED", field="seed")
        head, (tournament, group, log_format) = self._head_and_tournament(match)
        if head is None:
            return ClaimRefused(Refusal.UNKNOWN)
        new = next_epoch(head, data)
        secret = Secret(seed)
        promise = commitment(secret, match, group, int(log_format or 1)).hex()
        parts = (head, new, entry_id(new), me, now_ms, secret, promise, data)
        call = self._claim(match, me, tournament, parts, group)
        word, *grant = cast("list[bytes]", self._link.run(call))
        if not grant:
            return ClaimRefused(Refusal(word.decode()))
        return Claimed(new, Secret(grant[0]), row_of(match, _pairs(grant[1])))

    def calls(self, match: str, *, me: str, tournament: str) -> MatchCalls:
        """The scripts that need the head of this match, for a connection of one's own."""
        return MatchCalls(self._keys, match, me=me, tournament=tournament)

    def append(self, calls: MatchCalls, old: str, data: bytes) -> str:
        """Appends an entry; returns the new head.

        Raises:
            FencedError: Somebody else hosts the match.
        """
        new = next_head(old, data)
        self._fenced(calls.append(old, new, data), calls.match)
        return new

    def release(
        self, calls: MatchCalls, old: str, *, not_before_ms: int, now_ms: int, data: bytes = b"", absent: bool = False
    ) -> str:
        """Gives a match back to the queue; returns the new head. `absent`: its seats were not there.

        One that was ordered to be void meanwhile is void then.

        Raises:
            FencedError: Somebody else hosts the match.
        """
        new = next_epoch(old, data)
        call = calls.release(old, new, data, not_before_ms=not_before_ms, now_ms=now_ms, absent=absent)
        self._fenced(call, calls.match)
        return new

    def close(
        self,
        calls: MatchCalls,
        old: str,
        data: bytes,
        *,
        now_ms: int,
        ending: Ending = Ending.CLOSED,
        reason: str = "",
        result: str = "",
        games_done: int = 0,
    ) -> str:
        """Ends a match with its last entry; returns the new head.

        One that was ordered to be void meanwhile is not parked but void.

        Raises:
            FencedError: Somebody else hosts the match.
        """
        new = next_head(old, data)
        call = calls.close(
            old, new, data, now_ms=now_ms, ending=ending, reason=reason, result=result, games_done=games_done
        )
        self._fenced(call, calls.match)
        return new

    def beat(
        self,
        me: str,
        payload: Mapping[str, object],
        *,
        fresh: bool = False,
        games_done: Mapping[str, int] | None = None,
    ) -> Orders:
        """Renews the beat of a referee for 3 s, whatever is damaged; returns orders for matches that it hosts.

        Args:
            me: Incarnation.
            payload: What others may know: play address, capacity, lag.
            fresh: At the start, and after the connection to the store was lost.
            games_done: Games finished so far, of matches that have moved on.

        Raises:
            LapsedError: The beat had run out and this is not a fresh start.
        """
        keys = (self._keys.beat(me), self._keys.owned(me), self._keys.referees)
        text = json.dumps(payload, sort_keys=True, separators=(",", ":"))
        progress = [word for match, games in (games_done or {}).items() for word in (match, games)]
        prefixes = (self._keys.match(""), self._keys.tournament(""), self._keys.watch(""))
        try:
            reply = self._link.run(Call(script("beat"), keys, (me, text, BEAT_MS, int(fresh), *prefixes, *progress)))
        except ScriptRefusedError as refused:
            raise LapsedError(f"the beat of {me} ran out; start again as a new incarnation", value=me) from refused
        return _orders(*cast("tuple[Sequence[bytes], Sequence[bytes], Sequence[bytes]]", reply))

    def leave(self, me: str) -> None:
        """Ends a beat at once: the referee has drained, or its supervisor has reaped it."""
        self._link.run(Call(script("leave"), (self._keys.beat(me),), ()))

    def _claim(
        self,
        match: str,
        me: str,
        tournament: str,
        parts: tuple[str, str, str, str, int, Secret, str, bytes],
        deals: str = "",
    ) -> Call:
        keys = self._keys
        of_match = (keys.match(match), keys.head(match), keys.log(match), keys.seed(match), keys.ready, keys.states)
        of_me = (keys.beat(me), keys.owned(me), keys.due, keys.open)
        front, seed, promise, data = parts[:5], parts[5], parts[6], parts[7]
        of_deal = (keys.tournament_again(tournament), keys.deal(deals or match), keys.kin, keys.count)
        where = (*of_match, *of_me, *self._tournament_keys(tournament), *of_deal)
        back = (seed, promise, data, keys.beat(""), keys.owned(""), STRIKES, keys.bot(""), DEALS_S, _ALARM)
        return Call(script("claim"), where, (match, *front, *back))

    def _head_and_tournament(self, match: str) -> tuple[str | None, tuple[str, str, str]]:
        """The head of a match; its tournament, the group of tables that share its deals, and the format of its log."""
        reads = [["HGET", self._keys.match(match), field] for field in ("tournament", "group", "log_format")]
        said = cast("list[bytes | None]", self._link.read_all([["GET", self._keys.head(match)], *reads]))
        head, tournament, group, log_format = (None if one is None else one.decode() for one in said)
        return head, (tournament or "", group or "", log_format or "")

    def _fenced(self, call: Call, match: str) -> None:
        try:
            self._link.run(call)
        except ScriptRefusedError as refused:
            raise FencedError(f"match {match} is hosted by somebody else by now ({refused})", value=match) from refused


def _orders(words: Sequence[bytes], unread: Sequence[bytes], watched: Sequence[bytes]) -> Orders:
    """What the script of a beat returns; an order that is none counts as damaged, too."""
    stops: dict[str, Stop] = {}
    damaged = {word.decode(errors="backslashreplace") for word in unread}
    for name, order in sorted(zip(words[::2], words[1::2], strict=True)):
        match = name.decode(errors="backslashreplace")
        try:
            stops[match] = Stop.of(order.decode())
        except ValueError:
            damaged.add(match)
    wishes = [
        (_place(place), name.decode(errors="backslashreplace"))
        for name, place in zip(watched[::2], watched[1::2], strict=True)
    ]
    return Orders(stops, tuple(sorted(damaged)), tuple(name for _, name in sorted(wishes)))


def _place(text: bytes) -> int:
    """How many matches stand before one that somebody watches; what cannot be read stands last."""
    return int(text) if text.isdigit() and len(text) <= len(str(LAST)) else LAST


def _pairs(reply: object) -> dict[str, str]:
    """A HGETALL as a script returns it: fields and values in one list."""
    words = cast("list[bytes]", reply)
    return decode_hash(dict(zip(words[::2], words[1::2], strict=True)))
