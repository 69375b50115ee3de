"""Matches beside each other, and commands that damage one of them in the store."""

from collections.abc import Callable
from typing import Final

from structlog.typing import EventDict

from ladder.store import Store
from referee.bots import make
from tests.live.house import House, plan
from tests.patience import until
from tests.trunk.pair import Thoughtful

BAD: Final = "ladder.uno-classic-2.1.0"
GOOD: Final = "ladder.uno-classic-2.1.1"
STOPPED: Final = "ladder.uno-classic-2.1.2"
SLOW_S: Final = 0.1
"""For a thought: a match of one meeting lasts for some beats."""
Damage = Callable[[Store], None]


def write(*words: str) -> Damage:
    """Return a command; `m:`, `h:`, `log:` and `seed:` before nothing else name keys of the damaged match."""

    def run(store: Store) -> None:
        keys = store.keys
        named = {"m:": keys.match(BAD), "h:": keys.head(BAD), "log:": keys.log(BAD), "seed:": keys.seed(BAD)}
        store.link._execute(*(named.get(word, word) for word in words))

    return run


async def two(home: House) -> tuple[str, str]:
    """Seat two bots that answer at once; returns their versions."""
    return await home.join("ann", make("greedy", 1)), await home.join("ben", make("careful", 2))


async def begun(home: House, *matches: str) -> tuple[str, str]:
    """Have matches played, slowly, until their logs have something in them; returns the versions of their bots."""
    ann, ben = await home.join("ann", Thoughtful(SLOW_S)), await home.join("ben", Thoughtful(SLOW_S))
    await home.plan(*(plan(match, ann, ben) for match in matches))
    await until(lambda: all(len(home.store.matches.log(match)) > 2 for match in matches))
    return ann, ben


def said(told: list[EventDict], event: str) -> list[EventDict]:
    """Return the lines of one event."""
    return [line for line in told if line["event"] == event]


def critical(told: list[EventDict]) -> list[object]:
    """Return the matches that were reported under an id."""
    return [line["match"] for line in told if line["log_level"] == "critical" and line["incident"]]
