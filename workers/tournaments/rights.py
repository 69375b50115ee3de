"""Who may create and steer which tournament: organisers every one, authors those that they made of bots of their own.

Whose bot it is says whoever registers it. So an author is the bot whose token is shown, unless registration is closed:
then operators vouch for the names of owners, and all bots of an owner are one author's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from ladder.door.doer import doer
from ladder.errors import NotAllowedError, TooManyError
from ladder.names import MATCH
from ladder.rpc.identity import ADMIN, Identity
from ladder.store.store import Store
from ladder.store.tournaments import Maker, TournamentRow
from lastcard.names import TOURNAMENT, bot_of
from lastcard.strikes import Strikes
from workers.tournaments.spec import TournamentSpec

__all__ = ["MOST_MATCHES", "MOST_OPEN", "MOST_REPLAYED", "MOST_STEERED", "ORGANISER", "OWNER", "Rights"]

ORGANISER: Final = "organiser"
OWNER: Final = "owner"
MOST_OPEN: Final = 3
"""Tournaments of an author that are not over, at most."""
MOST_MATCHES: Final = 1_000
"""Of one of them."""
MOST_REPLAYED: Final = 100
"""Matches of one of them that its author may have played again: each is one more."""
MOST_A_MINUTE: Final = 10
"""Of an author's tries to create one."""
MOST_STEERED: Final = 30
"""Of an author's orders to pause, resume, cancel, void or play again in a minute: the audit keeps each for long."""


@dataclass(frozen=True, slots=True)
class Rights:
    """Looks at the token of a call, and at what it is about."""

    store: Store
    vouched: bool = False
    """Operators vouch for the names of owners: registration is closed."""
    tries: Strikes = field(default_factory=lambda: Strikes(limit=MOST_A_MINUTE))
    orders: Strikes = field(default_factory=lambda: Strikes(limit=MOST_STEERED))

    def to_create(self, caller: Identity, spec: TournamentSpec, *, seeded: bool) -> Maker | None:
        """Return for whom a tournament is made where it is an author; None: for an organiser.

        Raises:
            RequestError: the caller may not.
        """
        if _may_all(caller):
            return None
        for taken, name, why in _of_organisers(spec, seeded=seeded):
            if taken:
                raise _organisers_alone(name, why)
        for name in spec.names:
            if not self._may_enter(caller, name):
                sentence = f"bot {name!r} is not yours: an author's tournament has bots of the house and of its author"
                raise NotAllowedError("FOREIGN_BOT", sentence, field="bots", value=name, allowed=(ORGANISER, ADMIN))
        author = self._author(caller)
        if self.tries.out(author):
            sentence = f"too many tournaments were asked for in a minute; wait {self.tries.penalty_s:.0f} s"
            raise TooManyError("TOURNAMENT_RATE", sentence)
        self.tries.add(author)
        return Maker(author, MOST_OPEN, MOST_MATCHES)

    def to_steer(self, caller: Identity, name: str) -> None:
        """Check that a caller may pause, resume or cancel a tournament.

        Raises:
            RequestError: it may not be.
        """
        if _may_all(caller):
            return
        rows = self.store.tournaments.find([name]) if TOURNAMENT.fullmatch(name) else []
        if not self._made(caller, rows):
            sentence = f"no tournament of yours is called {name!r}; for others this needs a token of scope 'organiser'"
            raise _foreign(sentence, "name", name)
        self._count_order(caller)

    def to_judge(self, caller: Identity, match: str, *, again: bool = False) -> None:
        """Check that a caller may declare a match void, or with `again` have it played again.

        Raises:
            RequestError: it may not be.
        """
        if _may_all(caller):
            return
        name = match.partition(".")[0] if MATCH.fullmatch(match) else ""
        rows = self.store.tournaments.find([name]) if name else []
        if not self._made(caller, rows):
            raise _foreign(
                f"match {match!r} is of no tournament of yours: this needs a token of scope 'organiser'", "id", match
            )
        if again and rows[0].again >= MOST_REPLAYED:
            sentence = f"{rows[0].again} matches of {name} were played again: an author's tournament has at most"
            raise TooManyError("TOURNAMENT_REPLAYS", f"{sentence} {MOST_REPLAYED}; ask an organiser for more")
        self._count_order(caller)

    def _count_order(self, caller: Identity) -> None:
        author = self._author(caller)
        if self.orders.out(author):
            sentence = f"too many orders for tournaments in a minute; wait {self.orders.left_s(author):.0f} s"
            raise TooManyError("TOURNAMENT_RATE", sentence)
        self.orders.add(author)

    def _made(self, caller: Identity, rows: list[TournamentRow]) -> bool:
        return bool(rows) and bool(rows[0].author) and rows[0].author == self._author(caller)

    def _may_enter(self, caller: Identity, entry: str) -> bool:
        """Return whether an author may let a bot play; whether there is one is looked at afterwards."""
        name = bot_of(entry)
        rows = self.store.registry.find([name])
        if name == caller.bot or name not in rows:
            return True
        return rows[name].house or (
            rows[name].owner == caller.owner and rows[name].vouched and self._is_vouched(caller)
        )

    def _author(self, caller: Identity) -> str:
        return f"owner:{caller.owner}" if self._is_vouched(caller) else doer(caller)

    def _is_vouched(self, caller: Identity) -> bool:
        """Return whether the owner of a bot is no name that it wrote itself, as before registration was closed."""
        rows = self.store.registry.find([caller.bot]) if self.vouched else {}
        return caller.bot in rows and rows[caller.bot].vouched


def _may_all(caller: Identity) -> bool:
    """Return whether the caller is an organiser.

    Raises:
        UnauthenticatedError: no token was sent.
        NotAllowedError: the token is not even that of an author.
    """
    if {ORGANISER, ADMIN} & caller.scopes:
        return True
    if not caller.scopes or not caller.bot or OWNER not in caller.scopes:
        caller.require(ORGANISER)
    return False


def _of_organisers(spec: TournamentSpec, *, seeded: bool) -> Iterator[tuple[bool, str, str]]:
    """Yield what organisers alone may ask for: whether it is, the field, and a sentence about it."""
    yield not spec.unrated, "unrated", "an author's tournament moves no ladder: it is unrated (--unrated)"
    yield spec.all, "all", "an author's tournament has its bots by name"
    yield bool(spec.cron), "cron", "an author's tournament is played once"
    yield spec.trusted, "trusted", "an author vouches for nobody else"
    yield seeded, "deal_seed", "an author's tournament has deals that nobody knows"
    yield not spec.nonces, "no_nonces", "an author's tournament has the nonces of its bots"


def _organisers_alone(name: str, why: str) -> NotAllowedError:
    sentence = f"{why}; for more this needs a token of scope 'organiser'"
    return NotAllowedError("ORGANISER_NEEDED", sentence, field=name, allowed=(ORGANISER, ADMIN))


def _foreign(sentence: str, name: str, value: str) -> NotAllowedError:
    return NotAllowedError("FOREIGN_TOURNAMENT", sentence, field=name, value=value, allowed=(ORGANISER, ADMIN))
