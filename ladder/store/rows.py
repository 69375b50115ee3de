"""Matches as the ledger knows them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lastcard.secret import Secret

MOST_MEETINGS: Final = 10_000
"""Of a match: more than that no tournament asks for."""


class MatchState(StrEnum):
    """The way of a match. VOID and PARKED are ends; a parked match can be requeued."""

    PLANNED = "planned"
    READY = "ready"
    RUNNING = "running"
    CLOSED = "closed"
    RATED = "rated"
    ARCHIVED = "archived"
    TRIMMED = "trimmed"
    VOID = "void"
    PARKED = "parked"


UNPLAYED: Final = frozenset({MatchState.PLANNED, MatchState.READY, MatchState.RUNNING})
"""States of a match that is created and has no result yet."""
APPLIED: Final = frozenset({MatchState.RATED, MatchState.ARCHIVED, MatchState.TRIMMED})
"""States of a match whose result was applied."""
PLAYED: Final = APPLIED | {MatchState.CLOSED}
"""States of a match that has a result."""
OPEN: Final = UNPLAYED | {MatchState.CLOSED}
"""States of a match that somebody still has to do something about."""
LOST: Final = frozenset({MatchState.VOID, MatchState.PARKED})
"""States of a match that does not count."""


@dataclass(frozen=True, slots=True)
class Stop:
    """An order that a match be void, which its host carries out with its next entry."""

    reason: str
    who: str

    @classmethod
    def of(cls, text: str) -> "Stop":
        """The order that stands in a match.

        Raises:
            ValueError: None does.
        """
        match json.loads(text):
            case {"reason": str(reason), "who": str(who)}:
                return cls(reason, who)
            case other:
                raise ValueError(f"{other!r:.100} is no order")

    def text(self) -> str:
        """The order as it stands in a match; referees of an older version, beside us in an upgrade, need the verb."""
        return json.dumps({"verb": "void", "reason": self.reason, "who": self.who}, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Orders:
    """What a beat brings back."""

    stops: Mapping[str, Stop]
    """Orders for matches of this referee, by match."""
    damaged: tuple[str, ...]
    """Those of its matches, or keys of its own, of which no orders can be read, or no progress noted."""
    watched: tuple[str, ...] = ()
    """Those of its matches that somebody wants to see: first those that somebody wants to see before all others."""


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A match to be written to the ledger."""

    id: str
    format: str
    ruleset: str
    rules_version: int
    entrants: tuple[str, ...]
    """`name@n` by entrant, in the circular order of the table."""
    meetings: int
    deals: str = "fresh"
    nonces: bool = True
    rated: bool = True
    trusted: bool = False
    """Whether the organiser vouches for the owners: then they may share deals in all seats."""
    tournament: str = ""
    leg: int = 0
    table: int = 0
    part: int = 0
    group: str = ""
    """Tables that play the same deals; empty: this one alone."""
    ready: bool = True
    """Whether a referee may claim it at once; else `set_ready` opens it."""
    not_before_ms: float = 0
    """When it may be claimed, if ready; within a millisecond the order in which matches are."""
    log_format: int = 1
    """The version of what its log is written in."""

    def words(self, now_ms: int) -> tuple[str | int, ...]:
        """Fields and values of the hash, as far as they are known when it is planned."""
        whole: dict[str, str | int] = {
            "id": self.id,
            "format": self.format,
            "ruleset": self.ruleset,
            "rules_version": self.rules_version,
            "log_format": self.log_format,
            "entrants": json.dumps(self.entrants, separators=(",", ":")),
            "meetings": self.meetings,
            "deals": self.deals,
            "nonces": int(self.nonces),
            "rated": int(self.rated),
            "trusted": int(self.trusted),
            "tournament": self.tournament,
            "leg": self.leg,
            "table": self.table,
            "part": self.part,
            "group": self.group,
            "owner": "",
            "created_ms": now_ms,
        }
        return tuple(word for field in whole.items() for word in field)


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match in the ledger."""

    id: str
    format: str
    ruleset: str
    rules_version: int
    entrants: tuple[str, ...]
    meetings: int
    deals: str
    nonces: bool
    rated: bool
    tournament: str
    leg: int
    table: int
    part: int
    group: str
    """Tables that play the same deals; empty: this one alone."""
    state: MatchState
    number: int
    """Counts all matches in the order of planning, from 1."""
    owner: str
    """Incarnation of the referee that hosts it; empty: nobody."""
    created_ms: int
    claimed_ms: int
    """When its last host claimed it."""
    ended_ms: int
    strikes: int
    """Epochs in a row that ended by the death of the host without an act."""
    releases: int
    """Releases in a row without an act: its seats were not there."""
    games_done: int
    commitment: str
    """SHA-256 of the seed in hex, once a referee has claimed it."""
    reason: str
    """Why it is void or parked."""
    stop: Stop | None
    result: str
    """Canonical JSON, from the close on; else empty."""
    digest: str
    """SHA-256 of `result` in hex."""
    seq: int
    """Its number in the log of the ladder, once rated; 0 before, and for unrated matches."""
    archive: str
    """The object of the archive that holds its log; empty: none does yet."""
    opened: bool = False
    """Whether a worker saw that all tables of its group are over."""
    begun_ms: int = 0
    """When its first host claimed it; 0: none has."""
    trusted: bool = False
    """Whether the organiser vouches for the owners."""
    log_format: int = 1
    """The version of what its log is written in."""
    shown: bool = False
    """Whether its seed and its log are where everybody of the house may read them."""
    unsupported_ms: int = 0
    """Since when no living referee supports it; 0: one does."""

    @property
    def shares(self) -> bool:
        """Whether other tables have the same deals."""
        return self.group not in {"", self.id}

    @property
    def sealed(self) -> bool:
        """Whether other tables may still play its deals: nothing of its games may be shown, and nothing applied.

        That is until the last table of its group is over, whatever becomes of this one: a match of a group stays
        `closed` so long, and what was played of one that is void or parked is not shown either.
        """
        return self.shares and not self.opened and self.state not in APPLIED

    @property
    def settled(self) -> bool:
        """Whether nothing of it changes any more, and the archive does not have it yet."""
        return self.state is MatchState.RATED or (self.state is MatchState.VOID and not self.archive)

    @property
    def archived(self) -> bool:
        """Whether the archive has it, and its log may still be here."""
        return self.state is MatchState.ARCHIVED or (self.state is MatchState.VOID and bool(self.archive))

    @property
    def handed_on(self) -> bool:
        """Whether its last host gave it back, not for want of its bots: it is half played, or about to begin."""
        return bool(self.claimed_ms) and not self.releases

    @classmethod
    def of(cls, fields: Mapping[str, str]) -> "MatchRow":
        """The row that these fields of the hash describe.

        Raises:
            ValueError: A field is not what was ever written there.
            KeyError: A field is missing.
        """
        return cls(
            id=fields["id"],
            format=fields["format"],
            ruleset=fields["ruleset"],
            rules_version=int(fields["rules_version"]),
            entrants=_entrants(fields["entrants"]),
            meetings=_meetings(fields["meetings"]),
            deals=fields["deals"],
            nonces=fields["nonces"] == "1",
            rated=fields["rated"] == "1",
            tournament=fields["tournament"],
            leg=int(fields["leg"]),
            table=int(fields["table"]),
            part=int(fields["part"]),
            group=fields.get("group", ""),
            state=MatchState(fields["state"]),
            number=int(fields["number"]),
            owner=fields["owner"],
            created_ms=int(fields["created_ms"]),
            claimed_ms=int(fields.get("claimed_ms", "0")),
            ended_ms=int(fields.get("ended_ms", "0")),
            strikes=int(fields.get("strikes", "0")),
            releases=int(fields.get("releases", "0")),
            games_done=int(fields.get("games_done", "0")),
            commitment=fields.get("commitment", ""),
            reason=fields.get("reason", ""),
            stop=Stop.of(fields["stop"]) if fields.get("stop") else None,
            result=fields.get("result", ""),
            digest=fields.get("digest", ""),
            seq=int(fields.get("seq", "0")),
            archive=fields.get("archive", ""),
            opened=fields.get("opened") == "1",
            shown=fields.get("shown") == "1",
            begun_ms=int(fields.get("begun_ms", "0")),
            trusted=fields.get("trusted") == "1",
            log_format=int(fields.get("log_format", "1")),
            unsupported_ms=int(fields.get("unsupported_ms", "0")),
        )


def _entrants(text: str) -> tuple[str, ...]:
    """The entrants that stand in a match."""
    entrants = json.loads(text)
    if not isinstance(entrants, list) or not all(isinstance(one, str) for one in entrants):
        raise ValueError(f"{text!r:.100} are no entrants")
    if len(entrants) < 2 or len(set(entrants)) < len(entrants):
        raise ValueError(f"{text!r:.100} are not two or more entrants, each of them once")
    return tuple(entrants)


def _meetings(text: str) -> int:
    """The meetings that stand in a match."""
    meetings = int(text)
    if not 1 <= meetings <= MOST_MEETINGS:
        raise ValueError(f"{text:.100} is no number of meetings: 1 to {MOST_MEETINGS}")
    return meetings


class Refusal(StrEnum):
    """Why a claim was refused. None of these is an error: somebody else was faster, or nothing is to be done."""

    UNKNOWN = "UNKNOWN"
    """No such match."""
    GONE = "GONE"
    """Not ready and not running; it was taken out of `ready`."""
    HEAD = "HEAD"
    """Its head moved between reading and claiming."""
    SELF = "SELF"
    """My own beat is missing: I have lapsed."""
    ALIVE = "ALIVE"
    """Its owner is alive (it may be me)."""
    PARKED = "PARKED"
    """Its third host died without an act: it was parked just now."""
    DEAL = "DEAL"
    """Its table may not have its deals: it is void just now, with an alarm."""


@dataclass(frozen=True, slots=True)
class ClaimRefused:
    """The match stays where it is."""

    reason: Refusal


@dataclass(frozen=True, slots=True)
class Claimed:
    """The match is mine from this head on."""

    head: str
    seed: Secret
    """32 bytes: mine if this was the first claim, else that of the first claim."""
    row: MatchRow
    """As it stood right after the claim; `row.strikes` > 0: host it alone among struck ones."""

    @property
    def epoch(self) -> int:
        """My epoch."""
        return int(self.head.partition("-")[0])


@dataclass(frozen=True, slots=True)
class Page:
    """Matches, newest first."""

    rows: tuple[MatchRow, ...]
    next: str
    """Token of the next page; empty on the last."""
