"""Matches of versions that no living referee supports: since when, and the end of those that nobody will play."""

from collections.abc import Mapping
from typing import Final

from ladder.store.call import Call
from ladder.store.client import Link, ScriptRefusedError
from ladder.store.counters import Counter
from ladder.store.head import entry_id, next_epoch
from ladder.store.keys import Keys
from ladder.store.rows import MatchRow
from ladder.store.scripts import script
from ladder.store.unread import CAUSES, OF_A_MATCH, UnreadRows

UNSUPPORTED: Final = "unsupported"
"""Why such a match is void."""
_ALARM: Final = str(Counter("alarms_total", {"kind": UNSUPPORTED}))
FIRST: Final = 1
"""The version of rules and logs of referees that do not say what they support."""


def supports(beats: Mapping[str, Mapping[str, object]], rules_version: int, log_format: int) -> bool:
    """Whether one of these referees, with what they say of themselves, plays such matches."""
    return any(
        rules_version in _versions(said, "rules") and log_format in _versions(said, "logs") for said in beats.values()
    )


def _versions(said: Mapping[str, object], name: str) -> list[object]:
    told = said.get(name, [FIRST])
    return told if isinstance(told, list) else []


class Upgrades:
    """What is between two releases."""

    def __init__(self, link: Link, keys: Keys) -> None:
        self._link = link
        self._keys = keys
        self.unread = UnreadRows("match", OF_A_MATCH)

    def judge(self, row: MatchRow, now_ms: int, patience_ms: int, *, supported: bool) -> bool:
        """Notes of a match that is still to be played whether anybody supports it; returns whether it is void now.

        It is, with all that was played of it and an alarm, where nobody did for `patience_ms`, as often as this was
        called. A host that lives plays on. One of a tournament stands in `again` from then on.
        """
        try:
            void = self._judge(row, now_ms, patience_ms, supported=supported)
        except ScriptRefusedError:  # it has just gone on
            return False
        except CAUSES as error:  # its head or its log is none: an operator may end it
            self.unread.note(row.id, error)
            return False
        self.unread.mended(row.id)
        return void

    def _judge(self, row: MatchRow, now_ms: int, patience_ms: int, *, supported: bool) -> bool:
        match, keys = row.id, self._keys
        head = self._link.text(keys.head(match))
        if head is None:
            return False
        new = next_epoch(head, b"")
        where = (keys.match(match), keys.head(match), keys.log(match), keys.states, keys.ready, keys.due, keys.open)
        name = row.tournament
        of_tournament = (keys.tournament(name), keys.tournament_open(name), keys.tournament_again(name))
        entry = (head, new, entry_id(new))
        prefixes = (keys.beat(""), keys.owned(""))
        args = (match, int(supported), now_ms, patience_ms, *entry, UNSUPPORTED, *prefixes, _ALARM)
        return self._link.run(Call(script("unsupported"), (*where, *of_tournament, keys.count), args)) == b"VOID"

    def again(self, tournament: str) -> set[str]:
        """The matches of a tournament that nobody supported, or that might not have their deals, replayed or not."""
        return self._link.members(self._keys.tournament_again(tournament))
