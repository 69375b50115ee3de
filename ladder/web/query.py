"""What a page is asked for behind the question mark: every parameter is known and within its limits, or refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final
from urllib.parse import urlencode

from starlette.requests import Request

from ladder.errors import InvalidFieldError
from ladder.names import checked
from ladder.paging import page_token
from ladder.readings.summaries import OUTCOMES, Wanted
from ladder.store.rows import MatchState
from lastcard.names import BOT, TOURNAMENT

PAGE: Final = 50
MOST: Final = 1_000


def parameters(request: Request, *allowed: str) -> Mapping[str, str]:
    """Return the parameters of a request.

    Raises:
        InvalidFieldError: one that this page does not have, or one twice.
    """
    given = [name for name, _ in request.query_params.multi_items()]
    for name in given:
        if name not in allowed:
            sentence = f"this page has no parameter {name!r:.40}; it has {', '.join(allowed) or 'none'}"
            raise InvalidFieldError("UNKNOWN_PARAMETER", sentence, field=name, value="", allowed=allowed)
        if given.count(name) > 1:
            values = request.query_params.getlist(name)
            sentence = f"{name} is given {len(values)} times, {', '.join(values)!r:.80}; give it once"
            raise InvalidFieldError("TWICE", sentence, field=name, value=values[1], allowed=["once"])
    return request.query_params


def number(found: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    """Return a whole number within its limits.

    Raises:
        InvalidFieldError: it is not one.
    """
    text = found.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit()) or len(text) > 9 or not least <= int(text) <= most:
        allowed = f"{least}-{most}"
        sentence = f"{name}={text!r:.40} is no whole number of {allowed}"
        raise InvalidFieldError("OUT_OF_RANGE", sentence, field=name, value=text, allowed=[allowed])
    return int(text)


def token(found: Mapping[str, str]) -> str:
    """Return the token of a page.

    Raises:
        InvalidFieldError: it cannot be one of ours.
    """
    return page_token(found.get("page_token", ""))


def switch(found: Mapping[str, str], name: str) -> bool:
    """Return whether a switch is on: 1 is on, nothing or 0 is off.

    Raises:
        InvalidFieldError: it is something else.
    """
    text = found.get(name, "")
    if text not in {"", "0", "1"}:
        sentence = f"{name}={text!r:.40} is no switch: 0 is off, 1 is on"
        raise InvalidFieldError("BAD_SWITCH", sentence, field=name, value=text, allowed=["0", "1"])
    return text == "1"


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which matches a page shows."""

    bot: str = ""
    opponent: str = ""
    tournament: str = ""
    outcome: str = ""
    state: str = ""

    NAMES: ClassVar = ("bot", "opponent", "tournament", "outcome", "state", "page_size", "page_token")

    @classmethod
    def of(cls, found: Mapping[str, str]) -> Chosen:
        """Return what the parameters choose.

        Raises:
            InvalidFieldError: a name, an outcome or a state that cannot be.
        """
        bot, opponent = (found.get(name, "") and checked(BOT, found[name], name) for name in ("bot", "opponent"))
        tournament = found.get("tournament", "") and checked(TOURNAMENT, found["tournament"], "tournament")
        state = found.get("state", "")
        if state and state not in list(MatchState):
            sentence = f"no match is in a state {state!r:.40}; there are {', '.join(MatchState)}"
            raise InvalidFieldError("BAD_STATE", sentence, field="state", value=state, allowed=MatchState)
        outcome = found.get("outcome", "")
        if outcome and outcome not in OUTCOMES:
            sentence = f"no match can be {outcome!r:.40}; there are {', '.join(OUTCOMES)}"
            raise InvalidFieldError("BAD_OUTCOME", sentence, field="outcome", value=outcome, allowed=OUTCOMES)
        return cls(bot, opponent, tournament, outcome, state)

    def wanted(self) -> Wanted:
        """Return it as the reader of matches wants it."""
        state = MatchState(self.state) if self.state else None
        return Wanted(self.tournament, self.bot, self.opponent, state, self.outcome)

    def query(self, **more: str) -> str:
        """Return it as parameters of an address."""
        own = {
            "bot": self.bot,
            "opponent": self.opponent,
            "tournament": self.tournament,
            "outcome": self.outcome,
            "state": self.state,
        }
        return urlencode({name: value for name, value in (own | more).items() if value})
