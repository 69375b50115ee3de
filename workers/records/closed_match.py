"""A match of the ledger that is over: whether all about it fits together, and the records of its games."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from ladder.errors import NotReachableError, UnknownNameError, WrongStateError
from ladder.names import MATCH
from ladder.store.errors import ArchiveError, DamagedError
from ladder.store.head import entry_id, first_head, next_epoch, next_head
from ladder.store.rows import LOST, PLAYED, MatchRow, MatchState
from ladder.store.store import Store
from ladder.store.unread import CAUSES, OF_A_MATCH
from lastcard.errors import InputError
from lastcard.names import MATCH_FORM
from lastcard.secret import Secret, commitment
from referee.game_records import records
from referee.logbook import CorruptLogError
from referee.match_spec import seating
from referee.timing import times_of
from workers.engine import prove, spec_of
from workers.proof import UnprovenResultError

__all__ = ["ClosedMatch", "GameId", "closed_match", "decision_times", "record_lines"]

REVEALED: Final = tuple(state for state in MatchState if state in PLAYED)
"""States in which seed and records of a match are everybody's, in the order in which they come."""
_GAME: Final = re.compile(rf"(?P<match>{MATCH.pattern})(/(?P<meeting>\d{{1,6}})/(?P<game>\d{{1,6}}))?")


@dataclass(frozen=True, slots=True)
class GameId:
    """A match, or one game of it: `MATCH` or `MATCH/MEETING/GAME`, both from 0."""

    match: str
    meeting: int | None = None
    game: int | None = None

    @classmethod
    def parse(cls, text: str) -> GameId:
        """Return the id that a text is.

        Raises:
            InputError: it is none.
        """
        found = _GAME.fullmatch(text)
        if found is None:
            message = f"{text!r} is no id: write that of a match, or MATCH/MEETING/GAME, both counted from 0"
            raise InputError("BAD_GAME_ID", message, field="id", value=text, allowed=["MATCH", "MATCH/MEETING/GAME"])
        if found["meeting"] is None:
            return cls(found["match"])
        return cls(found["match"], int(found["meeting"]), int(found["game"]))

    def __str__(self) -> str:
        return self.match if self.meeting is None else f"{self.match}/{self.meeting}/{self.game}"


@dataclass(frozen=True, slots=True)
class ClosedMatch:
    """A match that is over, with all that was kept of it."""

    row: MatchRow
    seed: Secret
    head: str
    entries: tuple[tuple[int, int, bytes], ...]
    """Of its log: epoch, seq, bytes."""

    def records(self, wanted: GameId) -> list[dict[str, Any]]:
        """Return the records of its games in their order, or that of the one that is wanted; ask `doubt` first.

        Raises:
            InputError: there is no such game, or nothing was dealt.
        """
        made = dict(records(spec_of(self.row), self.seed, (data for _, _, data in self.entries)))
        if not made:
            message = f"in {self.row.id} nothing was dealt: somebody never came, so there is no record"
            raise InputError("NOTHING_DEALT", message, field="id", value=str(wanted))
        if wanted.meeting is None or wanted.game is None:
            return [made[index] for index in sorted(made)]
        seats = len(self.row.entrants)
        index = wanted.meeting * seats + wanted.game
        if wanted.game >= seats or index not in made:
            last = f"{self.row.id}/{self.row.meetings - 1}/{seats - 1}"
            message = f"there is no game {wanted}: the last one of this match is {last}"
            raise InputError("UNKNOWN_GAME", message, field="id", value=str(wanted), allowed=[last])
        return [made[index]]

    def doubt(self) -> str | None:
        """Return what does not fit together: seed, commitment, chain of the log, result; None if everything does."""
        row = self.row
        if commitment(self.seed, row.id, row.group, row.log_format).hex() != row.commitment:
            return f"the seed of {row.id} does not belong to its commitment {row.commitment}"
        if changed := self.changed():
            return changed
        try:
            result = prove(row, self.seed, [data for _, _, data in self.entries])
        except UnprovenResultError as error:
            return str(error)
        return None if result == row.result else f"the log of {row.id} does not lead to its result"

    def changed(self) -> str | None:
        """Return that its log was changed, if it was."""
        if self._chained() == self.head:
            return None
        return f"the log of {self.row.id} was changed: its chain does not end in {self.head}"

    def times(self) -> list[dict[str, Any]]:
        """Return what became of the time of decisions that were slow, late or wrong, by game and in their order.

        Raises:
            CorruptLogError: its log cannot be read.
        """
        found, entrants = times_of(data for _, _, data in self.entries), self.row.entrants
        names = {game: [entrants[one] for one in seating(len(entrants), game)] for game in found}
        return [
            {"game": game + 1, "bot": names[game][one.seat]} | one.shown()
            for game, times in sorted(found.items())
            for one in times
            if one.seat < len(entrants)
        ]

    def _chained(self) -> str:
        """Return the head that the entries lead to; a gap leads nowhere."""
        row = self.row
        head = first_head(row.id, row.format, row.ruleset, row.entrants)
        for epoch, seq, data in self.entries:
            head = next_head(head, data) if seq else next_epoch(head, data)
            if entry_id(head) != f"{epoch}-{seq}":
                return ""
        return head


def closed_match(store: Store, match: str) -> ClosedMatch:
    """Return a match that is over.

    Raises:
        UnknownNameError: there is none of this id.
        WrongStateError: it is not over, or did not count; its seed stays secret.
        DamagedError: its seed is gone.
    """
    row = next(iter(store.matches.rows([match])), None)
    if row is None:
        sentence = f"there is no match {match!r} in the ledger; {MATCH_FORM}"
        raise UnknownNameError("UNKNOWN_MATCH", sentence, field="id", value=match)
    if row.state not in REVEALED:
        never = row.state in LOST
        shown = "what does not count shows neither" if never else "they are shown when it is closed"
        message = f"match {match} is {row.state}, its seed and its games are secret: {shown}"
        raise WrongStateError("WRONG_STATE", message, field="state", value=row.state, allowed=REVEALED)
    if row.sealed:
        message = f"match {match} is sealed: other tables still play its deals; it is shown when the last one is over"
        raise WrongStateError("SEALED", message, field="state", value=row.state, allowed=REVEALED[1:])
    seed = store.matches.seed(match)
    if seed is None and not row.shown:
        message = f"the records of {match} can be had once a referee has shown its seed, a second or two from now"
        raise WrongStateError("NOT_SHOWN", message, field="state", value=row.state, allowed=REVEALED[1:])
    if seed is None:
        raise DamagedError("match", match, LookupError("its seed is gone"), OF_A_MATCH.format(match))
    return ClosedMatch(row, seed, store.matches.head(match), tuple(store.matches.log(match)))


def decision_times(store: Store, match: str) -> list[dict[str, Any]]:
    """Return what became of the time of those decisions of a match that were slow, late or wrong; it is over.

    Raises:
        RequestError: there is no such match, or its log cannot be had (yet).
        DamagedError: what the ledger has of it cannot be read.
    """
    found = _fetched(store, match)
    try:
        doubt, times = found.changed(), found.times()
    except CorruptLogError as error:
        doubt, times = str(error), []
    if doubt:
        raise WrongStateError("UNPROVEN", f"nothing is told of its times: {doubt}", field="id", value=match)
    return times


def _fetched(store: Store, match: str) -> ClosedMatch:
    try:
        return closed_match(store, match)
    except ArchiveError as error:
        message = f"the records of {match} are in the archive, which does not give them now"
        raise NotReachableError(error.reason, message, field="id", value=match) from error
    except DamagedError:
        raise
    except CAUSES as error:
        raise DamagedError("match", match, error, OF_A_MATCH.format(match)) from error


def record_lines(store: Store, match: str) -> str:
    """Return the records of all games of a match that is over, one JSON object a line.

    Raises:
        RequestError: there is no such match, or its records cannot be had (yet).
        DamagedError: what the ledger has of it cannot be read.
    """
    from referee.record_file import line_of

    found = _fetched(store, match)
    if doubt := found.doubt():
        raise WrongStateError("UNPROVEN", f"nothing was exported: {doubt}", field="id", value=match)
    try:
        made = found.records(GameId(match))
    except InputError as error:
        raise WrongStateError(error.reason, str(error), field="id", value=match) from error
    return "".join(map(line_of, made))
