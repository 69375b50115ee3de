"""The ledger of matches: planned by workers, played by referees, settled by workers."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, cast

from ladder.store.audit import Deed, with_deed
from ladder.store.call import Call
from ladder.store.client import PIPELINE
from ladder.store.counters import Counter
from ladder.store.dropping import drop, remains
from ladder.store.errors import WrongStateError
from ladder.store.head import first_head
from ladder.store.hosting import Hosting
from ladder.store.match_reads import is_dropped, unknown_match
from ladder.store.rows import OPEN, MatchPlan, MatchRow, MatchState, Stop
from ladder.store.scripts import script
from lastcard.names import bot_of

DEALS_AFTER_S: Final = 7 * 86_400
"""So long it is known after a match who had its deals."""


@dataclass(frozen=True, slots=True)
class Annulled:
    """A match that was played is void."""

    renews: bool
    """Its ladder has to be computed anew."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A match that could not be read is void."""

    row: MatchRow
    """What can be read of it."""
    renews: str
    """The format whose ladder has to be computed anew; empty: none."""


class Matches(Hosting):
    """All matches of a tenant."""

    def plan(self, plans: Sequence[MatchPlan], now_ms: int, *, deed: Deed | None = None) -> int:
        """Writes matches; those that exist stay as they are. Returns how many were new, for the log.

        A match of a tournament that is over is not written, but for one that is played again: its tournament goes on
        then, if it ended while others of its matches were parked. One whose reply was lost counts as known before.
        `deed` is noted with each that is new.
        """
        new = 0
        for start in range(0, len(plans), PIPELINE):
            part = plans[start : start + PIPELINE]
            calls = [with_deed(self._keys, self._plan(plan, now_ms), deed) for plan in part]
            new += sum(reply == b"OK" for reply in self._link.run_all(calls))
        return new

    def set_ready(self, match: str, not_before_ms: float, tournament: str = "") -> bool:
        """Opens a planned match, or re-adds a ready or running one to the queue.

        One that is in the queue keeps its time. False: its state is another, or its tournament is paused.
        """
        keys = (self._keys.match(match), self._keys.states, self._keys.ready, self._keys.tournament(tournament))
        return self._link.run(Call(script("ready"), keys, (match, str(not_before_ms)))) == 1

    def unready(self, match: str) -> bool:
        """Takes a match that waits for its seats out of the queue until `set_ready`. False: its state is another."""
        keys = (self._keys.match(match), self._keys.states, self._keys.ready)
        return self._link.run(Call(script("unready"), keys, (match,))) == 1

    def void(
        self,
        match: str,
        reason: str,
        who: str,
        now_ms: int,
        *,
        claimed_ms: int | None = None,
        deed: Deed | None = None,
    ) -> MatchState:
        """Orders that a match be void: it does not count. Returns its state after that.

        A planned or ready match is ended at once; a running one by its host, or by the next one that claims it. The
        first order stands. `deed` is noted with it, unless nothing was left to do.

        Args:
            match: Its id.
            reason: Why it does not count.
            who: Who orders that.
            now_ms: Wall time.
            claimed_ms: The claim of its host, where that one takes too long: no other claim is ended, and once the
                match is void it is one of the `late` ones.
            deed: See above.

        Raises:
            UnknownError: There is no such match.
            WrongStateError: It is over, or has another host by now, or none.
        """
        row = self.get(match)
        keys = (self._keys.match(match), self._keys.states, self._keys.ready, self._keys.due, self._keys.open)
        judged = "" if claimed_ms is None else claimed_ms
        args = (match, reason, Stop(reason, who).text(), now_ms, judged)
        call = Call(script("stop"), (*keys, *self._tournament_keys(row.tournament)), args)
        return self._changed(match, with_deed(self._keys, call, deed))

    def late(self, matches: Collection[str]) -> set[str]:
        """Those of these matches that were ordered to be void because their host took too long.

        Without those that an operator declared void all the same, once they were played.
        """
        ids = list(matches)
        marks = self._link.read_all([["HGET", self._keys.match(match), "late"] for match in ids])
        return {match for match, mark in zip(ids, marks, strict=True) if mark}

    def requeue(self, match: str, not_before_ms: int, *, anew: bool = False, deed: Deed | None = None) -> MatchState:
        """Puts a parked match back into the queue, without strikes; one that was played goes back to the workers.

        A tournament that ended with it goes on.

        Args:
            match: Its id.
            not_before_ms: When it may be claimed.
            anew: Others may know its deals: if it is still to be played it is void instead, and stands in `again` until
                its next attempt is planned.
            deed: Noted with it, unless the match goes on already.

        Raises:
            UnknownError: There is no such match.
            WrongStateError: It is not parked, or its tournament is over and the seed of its deals public.
        """
        row, keys = self.get(match), self._keys
        where = (keys.match(match), keys.states, keys.ready, keys.due, keys.open)
        of_tournament = (*self._tournament_keys(row.tournament), keys.tournaments_open)
        call = Call(
            script("requeue"),
            (*where, *of_tournament, keys.tournament_again(row.tournament), keys.reveals),
            (match, not_before_ms, int(anew), deed.reason if deed else ""),
        )
        return self._changed(match, with_deed(keys, call, deed))

    def annul(self, match: str, reason: str, now_ms: int, *, deed: Deed | None = None) -> Annulled:
        """Declares a match void that was played, or parked: it counts neither in its tournament nor on its ladder.

        Where it was applied, the ladder is due to be computed anew; until then `Ratings.apply` refuses it. The same
        again changes nothing. `deed` is noted where something changed; without one it is the order that stands which is
        carried out.

        Raises:
            UnknownError: There is no such match.
            WrongStateError: It is still to be played: `void` it.
        """
        row, keys = self.get(match), self._keys
        where = (keys.match(match), keys.states, keys.ready, keys.due, keys.open)
        rated = (keys.ladder(row.format, "void"), keys.luck(match), keys.luck_due, keys.unarchived, keys.renew_due)
        house = (keys.house(match), keys.house_due)
        call = Call(
            script("annul"),
            (*where, *self._tournament_keys(row.tournament), *rated, *house),
            (match, row.format, reason, now_ms, deed.who if deed else ""),
        )
        reply = self._link.run(with_deed(keys, call, deed))
        word, *rest = [part.decode() for part in cast("list[bytes]", reply)]
        if word == "UNKNOWN":
            raise unknown_match(match)
        if word == "STATE":
            raise WrongStateError(f"match {match} is {rest[0]}; it was not played yet", field="match", value=match)
        return Annulled(renews=rest[1] == "1")

    def drop(self, match: str, reason: str, now_ms: int, *, deed: Deed | None = None) -> Dropped:
        """Ends a match whose row cannot be read: void, off all lists; what it was applied to is computed anew.

        A host that still has it can write nothing more. `deed` is noted with it. The same again changes nothing.

        Raises:
            UnknownError: There is no such match.
        """
        renews = drop(self._link, self._keys, match, reason, now_ms, deed)
        (fields,) = self._link.each_hash([self._keys.match(match)])
        self.unread.mended(match)
        return Dropped(remains(match, fields), renews)

    def remains(self, match: str) -> MatchRow | None:
        """What can be read of a match that was ended since it could not be read; None: it was not."""
        (fields,) = self._link.each_hash([self._keys.match(match)])
        return remains(match, fields) if is_dropped(fields) else None

    def settle(self, match: str, *, seq: int = 0, luck: bool = False) -> bool:
        """A worker is done with a closed match: it counts as rated, and in its tournament.

        Args:
            match: Its id.
            seq: Its number in the log of the ladder; 0 for an unrated match.
            luck: Whether what chance gave is to be computed.

        Returns:
            Whether the match is settled, now or before; False: it is not closed.
        """
        row = self.get(match)
        keys = (self._keys.match(match), self._keys.states, self._keys.due, self._keys.open)
        of_tournament = self._tournament_keys(row.tournament)
        lists = (self._keys.luck_due, self._keys.unarchived, self._keys.deal(row.group or match))
        call = Call(script("settle"), (*keys, *of_tournament, *lists), (match, seq, int(luck), DEALS_AFTER_S))
        return self._link.run(call) != b"STATE"

    def put_off(self, match: str, until_ms: int) -> None:
        """Lets a closed match that cannot be applied now stand behind all others that are due, until then."""
        self._link.run(Call(script("put_off"), (self._keys.due,), (f"rate:{match}", until_ms)))

    def spoil(self, match: str, reason: str, now_ms: int) -> bool:
        """Parks a closed match that cannot be applied; `requeue` brings it back to the workers.

        One that was ordered to be void meanwhile is void then; else an alarm of this kind is counted with it.

        Returns:
            Whether it is parked or void, now or before; False: it is not closed.
        """
        row, keys = self.get(match), self._keys
        where = (keys.match(match), keys.states, keys.ready, keys.due, keys.open)
        alarm = Counter("alarms_total", {"kind": reason})
        call = Call(
            script("spoil"),
            (*where, *self._tournament_keys(row.tournament), keys.count),
            (match, reason, now_ms, str(alarm)),
        )
        return self._link.run(call) != b"STATE"

    def _plan(self, plan: MatchPlan, now_ms: int) -> Call:
        keys = self._keys
        index = [keys.index_of_bot(bot) for bot in dict.fromkeys(map(bot_of, plan.entrants))]
        if plan.tournament:
            index.append(keys.index_of_tournament(plan.tournament))
        where = (keys.match(plan.id), keys.head(plan.id), keys.states, keys.open, keys.ready, keys.index)
        of_tournament = (*self._tournament_keys(plan.tournament), keys.tournaments_open)
        head = first_head(plan.id, plan.format, plan.ruleset, plan.entrants)
        args = (plan.id, head, plan.tournament, int(plan.ready), str(plan.not_before_ms), *plan.words(now_ms))
        return Call(script("plan"), (*where, *of_tournament, *index), args)

    def _changed(self, match: str, call: Call) -> MatchState:
        word, *rest = [part.decode() for part in cast("list[bytes]", self._link.run(call))]
        if word == "UNKNOWN":
            raise unknown_match(match)
        if word == "OVER":
            message = f"the tournament of match {match} is {rest[0]}, and the seed of its deals is public"
            raise WrongStateError(message, field="match", value=match)
        if word == "STATE":
            raise WrongStateError(
                f"match {match} is {rest[0]}; that can no longer be changed",
                field="match",
                value=match,
                allowed=", ".join(sorted(OPEN)),
            )
        return MatchState(rest[0])
