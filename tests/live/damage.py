"""One match beside another, and commands that damage it in the store."""

from collections.abc import Callable
from typing import Final

from structlog.typing import EventDict

from ladder.store import Store

BAD: Final = "ladder.uno-classic-2.1.0"
GOOD: Final = "ladder.uno-classic-2.1.1"
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


def critical(told: list[EventDict]) -> list[object]:
    """Return the matches that were reported under an id."""
    return [line["match"] for line in told if line["log_level"] == "critical" and line["incident"]]
