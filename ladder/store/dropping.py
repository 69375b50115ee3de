"""Ending a match whose row cannot be read: what is left of it, and the call that takes it off every list."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, cast

from ladder.store.audit import Deed, with_deed
from ladder.store.call import Call
from ladder.store.client import Link
from ladder.store.keys import Keys
from ladder.store.match_reads import unknown_match
from ladder.store.replies import Hash, WrongKindError
from ladder.store.rows import MatchRow, MatchState
from ladder.store.scripts import script
from ladder.store.unread import CAUSES

_NOTHING: Final[dict[str, str]] = {
    **dict.fromkeys(("format", "ruleset", "deals", "tournament", "owner"), ""),
    **dict.fromkeys(("rules_version", "leg", "table", "part", "number", "created_ms", "nonces", "rated"), "0"),
    "entrants": '["a","b"]',
    "meetings": "1",
    "state": MatchState.VOID.value,
}
"""Fields without which no row can be read."""


def drop(link: Link, keys: Keys, match: str, reason: str, now_ms: int, deed: Deed | None) -> str:
    """Ends a match, whatever stands in its row; returns the format whose ladder has to be computed anew, if any.

    Raises:
        UnknownError: There is no such match.
    """
    tournament, applied = _tournament_of(link, keys, match), _ladder_of(link, keys, match)
    lists = (keys.states, keys.ready, keys.due, keys.open, keys.luck(match), keys.luck_due, keys.unarchived)
    of_tournament = (keys.tournament(tournament), keys.tournament_open(tournament), keys.tournament_sealed(tournament))
    ladder = (keys.ladder(applied, "void"), keys.renew_due)
    house = (keys.house(match), keys.house_due)
    args = (match, reason, now_ms, tournament, applied, keys.owned(""))
    call = Call(script("drop"), (keys.match(match), keys.head(match), *lists, *of_tournament, *ladder, *house), args)
    word, *_ = cast("Sequence[bytes]", link.run(with_deed(keys, call, deed)))
    if word == b"UNKNOWN":
        raise unknown_match(match)
    return applied if word == b"OK" else ""


def remains(match: str, fields: Hash) -> MatchRow:
    """What can be read of a match; the rest is empty."""
    found, read = {"id": match, **_NOTHING}, set[str]()
    for name, value in ({} if isinstance(fields, WrongKindError) else fields).items():
        try:
            more = {**found, name.decode(): value.decode()}
            MatchRow.of(more)
        except CAUSES:
            continue
        found = more
        read.add(name.decode())
    row = replace(MatchRow.of(found), id=match, result="")
    row = row if "entrants" in read else replace(row, entrants=())
    return row if "meetings" in read else replace(row, meetings=0)


def _tournament_of(link: Link, keys: Keys, match: str) -> str:
    """The tournament among whose matches this one is; empty: none."""
    (said,) = link.read_each([["HGET", keys.match(match), "tournament"]])
    written = said.decode(errors="replace") if isinstance(said, bytes) else ""
    for name in (written, match.partition(".")[0]):
        if name and link.read("ZSCORE", keys.index_of_tournament(name), match) is not None:
            return name
    return ""


def _ladder_of(link: Link, keys: Keys, match: str) -> str:
    """The format on whose ladder a match was applied; empty: none."""
    formats = sorted(link.texts(keys.formats))
    seen = link.read_each([["HGET", keys.ladder(name, "seen"), match] for name in formats])
    return next((name for name, number in zip(formats, seen, strict=True) if isinstance(number, bytes)), "")
