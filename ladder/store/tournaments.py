"""Tournaments as the ledger keeps them: description, state, counts; `workers/tournaments/life.py` says what follows."""

import json
import secrets
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Final, cast

from ladder.store import deal_seeds
from ladder.store.audit import Deed, with_deed
from ladder.store.call import Call
from ladder.store.client import PIPELINE, Link
from ladder.store.differences import told_differences
from ladder.store.errors import BadInputError, LimitError, NameTakenError, UnknownError
from ladder.store.keys import Keys
from ladder.store.match_reads import MOST_DIGITS, numbered
from ladder.store.names import check_tournament_name
from ladder.store.replies import Hash, decode_hash
from ladder.store.scripts import script
from ladder.store.unread import OF_A_TOURNAMENT, UnreadRows
from lastcard.secret import Secret

OVER: Final = frozenset({"finished", "cancelled"})
STATES: Final = frozenset({"draft", "scheduled", "running", "paused", "finishing"}) | OVER


@dataclass(frozen=True, slots=True)
class Maker:
    """Who makes a tournament and is no organiser, and how much."""

    author: str
    most_open: int
    """Tournaments of this author that are not over."""
    most_matches: int
    """Of each."""


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament in the ledger."""

    name: str
    spec: str
    """Canonical JSON, as it was created; without the deal seed."""
    state: str
    """draft, scheduled, running, paused, finishing, finished or cancelled."""
    start_ms: int
    """When it is due; 0: at once."""
    created_ms: int
    started_ms: int
    ended_ms: int
    entrants: tuple[str, ...]
    """`name@n`, fixed at the start."""
    matches: int
    """Of the whole schedule, fixed at the start."""
    planned: int
    """Matches written so far."""
    again: int
    """Of these, matches that are played in the place of a void one."""
    done: int
    """Matches that count."""
    lost: int
    """Matches void or parked."""
    parked: int
    """Of these, matches that wait for an operator."""
    lucky: int
    """Matches that count and whose luck is known."""
    housed: int
    """How often house games on the cards of one of its matches became known."""
    games_done: int
    schedule: str
    """What the planner noted at the start."""
    reason: str
    """Why it is in its state, if somebody said so."""
    commitment: str
    """SHA-256 of the deal seed in hex."""
    deal_seed: bytes | None
    """Once it is over, and all its matches are, with none parked when it ended that may still be put back."""
    author: str = ""
    """Who made it, where that was no organiser."""
    withheld: bool = False
    """It ended with parked matches: its deal seed is secret as long as it has one, and it goes on where one does."""

    @property
    def created(self) -> int:
        """Matches of the schedule that were written so far."""
        return self.planned - self.again

    @classmethod
    def of(cls, fields: Mapping[str, str], deal_seed: Secret | None) -> "TournamentRow":
        """The tournament that these fields of the hash describe.

        Raises:
            ValueError: A field is not what was ever written there.
            KeyError: A field is missing.
        """
        counts = {name: int(fields.get(name, "0")) for name in _COUNTS}
        withheld = _is_withheld(fields["state"], fields.get("withheld", ""), counts["parked"])
        return cls(
            name=fields["name"],
            spec=_described(fields["spec"]),
            state=_state(fields["state"]),
            start_ms=counts["start_ms"],
            created_ms=counts["created_ms"],
            started_ms=counts["started_ms"],
            ended_ms=counts["ended_ms"],
            entrants=_entrants(fields.get("entrants", "[]")),
            matches=counts["matches"],
            planned=counts["planned"],
            again=counts["again"],
            done=counts["done"],
            lost=counts["lost"],
            parked=max(counts["parked"], 0),  # one of an older version was not counted when it was parked
            lucky=counts["lucky"],
            housed=counts["housed"],
            games_done=counts["games_done"],
            schedule=_described(fields["schedule"]) if fields.get("schedule") else "",
            reason=fields.get("reason", ""),
            commitment=fields["commitment"],
            deal_seed=deal_seed.reveal() if deal_seed and fields["state"] in OVER and not withheld else None,
            author=fields.get("author", ""),
            withheld=withheld,
        )


class Tournaments:
    """All tournaments of a tenant."""

    def __init__(self, link: Link, keys: Keys) -> None:
        self._link = link
        self._keys = keys
        self.unread = UnreadRows("tournament", OF_A_TOURNAMENT)

    def create(
        self,
        name: str,
        spec: Mapping[str, object],
        *,
        deal_seed: bytes | Secret | None = None,
        state: str,
        start_ms: int = 0,
        now_ms: int,
        deed: Deed | None = None,
        maker: Maker | None = None,
    ) -> tuple[TournamentRow, bool]:
        """Writes a tournament. The same again is a success that changes nothing.

        Args:
            name: Unique.
            spec: Whatever describes it; compared as canonical JSON.
            deal_seed: 32 secret bytes; None draws them.
            state: To begin with.
            start_ms: When it is due; 0: at once.
            now_ms: Wall time.
            deed: Noted with it where it is new.
            maker: Its author; None: an organiser.

        Returns:
            The tournament, and whether it is new.

        Raises:
            NameTakenError: The name stands for another content.
            BadInputError: BAD_NAME or BAD_SEED, which is also one that another tournament has.
            LimitError: TOO_MANY_TOURNAMENTS: its author has as many that are not over as one may have.
        """
        check_tournament_name(name)
        seed = deal_seeds.given(deal_seed)
        text = json.dumps(spec, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        lists = (self._keys.tournaments_open, self._keys.commitments)
        keys = (self._keys.tournament(name), self._keys.tournaments, self._keys.deal_seed(name), *lists)
        author = (maker.author, maker.most_open) if maker else ("", 0)
        content = (name, text, sha256(seed.reveal()).hexdigest(), seed, int(deal_seed is not None))
        args = (*content, state, start_ms, now_ms, *author, self._keys.tournament(""))
        word = self._link.run(with_deed(self._keys, Call(script("tournament_create"), keys, args), deed))
        if word == b"TAKEN":
            differs = told_differences(next((row.spec for row in self.find([name])), ""), text)
            message = f"there is a tournament {name} with another description{differs}; choose another name"
            raise NameTakenError(message, field="name", value=name)
        if word == b"KNOWN":
            raise BadInputError(
                "this deal seed is that of another tournament, whose end shows it to everybody; draw one for each",
                reason="BAD_SEED", field="deal_seed", allowed=f"{len(seed)} bytes that no tournament has",
            )  # fmt: skip
        if word == b"FULL":
            open_ones = f"{maker.most_open if maker else 0} tournaments of yours are not over"
            raise LimitError(f"{open_ones}: cancel one, or wait until one is", reason="TOO_MANY_TOURNAMENTS")
        return self.get(name), word == b"OK"

    def get(self, name: str) -> TournamentRow:
        """The tournament.

        Raises:
            UnknownError: There is no such tournament.
            DamagedError: It cannot be read.
        """
        found = self._found([name])
        if not found:
            raise _unknown(name)
        return self.unread.one(name, partial(_row_of, name, *found[name]))

    def find(self, names: Collection[str]) -> list[TournamentRow]:
        """Those of these tournaments that exist and can be read."""
        return self.unread.passing((name, partial(_row_of, name, *found)) for name, found in self._found(names).items())

    def _found(self, names: Collection[str]) -> dict[str, tuple[Hash, Secret | None]]:
        """What stands there of those of these that exist, and the deal seed where it is public."""
        hashes = self._link.each_hash([self._keys.tournament(name) for name in names])
        rows = {name: fields for name, fields in zip(names, hashes, strict=True) if fields}
        seeds = self._public_seeds([name for name, fields in rows.items() if _is_over(fields)])
        return {name: (fields, seeds.get(name)) for name, fields in rows.items()}

    def _public_seeds(self, over: Collection[str]) -> dict[str, Secret]:
        """The deal seeds of those of these of which no match is played any more, as may be after a cancel."""
        questions = [
            question for name in over
            for question in (["GET", self._keys.shown_deal_seed(name)], ["SCARD", self._keys.tournament_open(name)])
        ]  # fmt: skip
        replies = self._link.read_all(questions)
        found = zip(over, cast("list[bytes | None]", replies[::2]), replies[1::2], strict=True)
        return {name: Secret(seed) for name, seed, matches in found if seed is not None and not matches}

    def page(self, limit: int = 100, token: str = "") -> tuple[list[TournamentRow], str]:
        """Tournaments, newest first, and the token of the next page (empty on the last).

        Raises:
            BadInputError: The token is none.
        """
        top, skip = _position(token)
        words = (top, "-inf", "BYSCORE", "REV", "LIMIT", skip, limit + 1, "WITHSCORES")
        names = numbered(cast("list[tuple[bytes, float]]", self._link.read("ZRANGE", self._keys.tournaments, *words)))
        shown = list(names)[:limit]
        rows = self.find(shown)
        if len(names) <= limit:
            return rows, ""
        last = names[shown[-1]]
        same = sum(names[name] == last for name in shown) + (skip if top == str(last) else 0)
        return rows, f"{last}.{same}"

    def states(self) -> Counter[str]:
        """Number of tournaments by state; nothing else of them is read."""
        names = self._link.ranked("ZRANGE", self._keys.tournaments, 0, -1)
        found: Counter[str] = Counter()
        for start in range(0, len(names), PIPELINE):
            part = names[start : start + PIPELINE]
            states = self._link.read_each([["HGET", self._keys.tournament(name), "state"] for name in part])
            found.update(state.decode(errors="replace") for state in states if isinstance(state, bytes))
        return found

    def alive(self) -> list[TournamentRow]:
        """All tournaments that are not over, oldest first: those that ended are not even read."""
        return self.find(self._link.ranked("ZRANGE", self._keys.tournaments_open, 0, -1))

    def move(
        self,
        name: str,
        source: Collection[str],
        target: str,
        *,
        now_ms: int,
        reason: str | None = "",
        entrants: Collection[str] | None = None,
        matches: int | None = None,
        schedule: str | None = None,
    ) -> bool:
        """Moves a tournament to another state and fixes what is given with it. False: it is not in a source state.

        Without a `reason` none stands there afterwards; with None the one that stood there does. One that has matches
        to play does not finish: False.

        Raises:
            UnknownError: There is no such tournament.
        """
        fixed: dict[str, str | int] = {} if reason is None else {"reason": reason}
        if entrants is not None:
            fixed["entrants"] = json.dumps(list(entrants), separators=(",", ":"))
        if matches is not None:
            fixed["matches"] = matches
        if schedule is not None:
            fixed["schedule"] = schedule
        return self._moved(name, source, target, now_ms, fixed)

    def turn(self, name: str, source: Collection[str], target: str, deed: Deed) -> bool:
        """Moves a tournament because somebody wants it, which is noted with it. False: it is not in a source state.

        Raises:
            UnknownError: There is no such tournament.
        """
        return self._moved(name, source, target, deed.at_ms, {"reason": deed.reason}, deed)

    def _moved(
        self,
        name: str,
        source: Collection[str],
        target: str,
        now_ms: int,
        fixed: Mapping[str, str | int],
        deed: Deed | None = None,
    ) -> bool:
        words = [word for field in fixed.items() for word in field]
        args = (secrets.token_hex(8), target, now_ms, self._keys.match(""), len(source), *sorted(source), *words)
        where = (self._keys.tournament(name), self._keys.tournaments_open)
        lost = (self._keys.tournament_sealed(name), self._keys.tournament_again(name))
        keys = (*where, self._keys.tournament_open(name), self._keys.due, *lost, self._keys.reveals)
        call = with_deed(self._keys, Call(script("tournament_move"), keys, args), deed)
        word, *_ = cast("list[bytes]", self._link.run(call))
        if word == b"UNKNOWN":
            raise _unknown(name)
        return word == b"OK"

    def note(self, name: str, state: str, before: str, notes: str) -> bool:
        """Writes what the planner notes. False: the tournament moved on, or others than `before` stand there by now."""
        call = Call(script("tournament_note"), (self._keys.tournament(name),), (state, before, notes))
        return self._link.run(call) == b"OK"

    def open_ids(self, name: str) -> set[str]:
        """Its matches that are not over."""
        return self._link.members(self._keys.tournament_open(name))

    def has_open(self, name: str) -> bool:
        """Whether it has any."""
        return self._link.size("SCARD", self._keys.tournament_open(name)) > 0

    def deal_seed(self, name: str) -> Secret:
        """The secret that the seeds of its matches are made from; for referees only, until it is shown.

        Raises:
            UnknownError: There is no such tournament.
        """
        seed = self._link.raw(self._keys.deal_seed(name)) or self._link.raw(self._keys.shown_deal_seed(name))
        if seed is None:
            raise _unknown(name)
        return Secret(seed)


_COUNTS: Final = (
    *("start_ms", "created_ms", "started_ms", "ended_ms"),
    *("matches", "planned", "again", "done", "lost", "parked", "lucky", "housed", "games_done"),
)


def _row_of(name: str, fields: Hash, deal_seed: Secret | None) -> TournamentRow:
    """The tournament that stands under this name."""
    row = TournamentRow.of(decode_hash(fields), deal_seed)
    if row.name != name:
        raise ValueError(f"the row of tournament {name} says that it is {row.name!r:.100}")
    return row


def _is_over(fields: Hash) -> bool:
    return isinstance(fields, Mapping) and fields.get(b"state", b"").decode(errors="replace") in OVER


def _is_withheld(state: str, withheld: str, parked: int) -> bool:
    """Whether a match of a tournament that ended may still be put back."""
    return state == "finished" and withheld == "1" and parked > 0


def _described(text: str) -> str:
    """The text, if it is a JSON object."""
    if not isinstance(json.loads(text), dict):
        raise ValueError(f"{text!r:.100} describes nothing")  # noqa: TRY004  (it is a value of the store)
    return text


def _state(text: str) -> str:
    if text not in STATES:
        raise ValueError(f"{text!r:.100} is no state of a tournament")
    return text


def _entrants(text: str) -> tuple[str, ...]:
    entrants = json.loads(text)
    if not isinstance(entrants, list) or not all(isinstance(one, str) for one in entrants):
        raise ValueError(f"{text!r:.100} are no entrants")
    return tuple(entrants)


def _position(token: str) -> tuple[str, int]:
    """From which creation time down, and how many of that very time were shown."""
    if not token:
        return "+inf", 0
    top, _, skip = token.partition(".")
    if not (token.isascii() and top.isdigit() and skip.isdigit() and len(skip) <= MOST_DIGITS >= len(top)):
        raise BadInputError(f"{token!r} is not a page token", reason="BAD_PAGE_TOKEN", field="page_token", value=token)
    return top, int(skip)


def _unknown(name: str) -> UnknownError:
    return UnknownError(f"there is no tournament {name!r}", reason="UNKNOWN_TOURNAMENT", field="tournament", value=name)
