"""What house bots share: a seed, the worth of each option, and the answer that follows from it."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import ClassVar, Final, Self

from lastcard.bot import NONCE_BYTES, Bot
from lastcard.errors import InputError
from lastcard.turn import Turn
from lastcard.words import ACTS, Act
from referee import formats
from referee.bots import lists
from referee.formats import builtin_formats
from referee.formats.format import Format

PASSIVE: Final = frozenset({Act.DRAW, Act.PASS, Act.KEEP, Act.ACCEPT, Act.REJECT})
IS_PLAY: Final = bytes(act not in PASSIVE for act in ACTS)  # by byte of an act: whether a card leaves the hand, or more


def playable() -> tuple[str, ...]:
    """Return all formats the house plays: the built-in ones, also fast and mirrored, and the organiser's."""
    built_in = builtin_formats.offered()
    return (*(f"{name}{suffix}" for name in built_in for suffix in ("", "-fast", "-mirrored")), *formats.own())


@lru_cache(maxsize=128)
def format_of(name: str) -> Format | None:
    """Return the format of this name, None if it is not known here."""
    try:
        return formats.get(name)
    except formats.UnknownFormatError:
        return None


class HouseBot(Bot):
    """A bot of the house: it decides from its seed and the turn alone, so here and over the wire it plays alike.

    A subclass says what each option is worth (`weigh`). The first of the best is taken; where several are to be picked,
    the list is composed from the best ones by the rule of the decision.
    """

    name: ClassVar[str]
    max_games = 256
    max_open = 64  # it decides at once; a number that is given is not adapted

    def __init__(self, seed: int = 0, met: Callable[[str], object] | None = None) -> None:
        self.seed = seed
        self.formats = playable()
        self._met = met
        self._told: dict[str, Format] = {}

    def learn(self, played: Format) -> None:
        """Take notice of a format that is going to be played: one of a file is known to nobody else."""
        self._told[played.name] = played

    def played(self, turn: Turn) -> Format | None:
        """Return the format that a turn is of, None if it, or its ruleset, is not known here."""
        match = turn.match
        found = self._told.get(match.format) or format_of(match.format)
        return found if found is not None and match.ruleset in ("", found.rules.hash) else None

    @classmethod
    def configured(cls, setting: str, seed: int = 0, met: Callable[[str], object] | None = None) -> Self:  # noqa: ARG003
        """Return a bot with what stands behind the colon in `name:setting`.

        Raises:
            InputError: it has nothing to set, or not so.
        """
        message = f"the house bot {cls.name} has nothing to set; write {cls.name}"
        raise InputError("BAD_SETTING", message, field="bot", value=f"{cls.name}:{setting}", allowed=(cls.name,))

    def nonce(self, match: str) -> bytes:
        """Return what this bot adds to the deals of a match: with a seed of its own always the same."""
        if not self.seed:
            return super().nonce(match)
        return blake2b(f"{self.name}/{match}".encode(), digest_size=NONCE_BYTES, key=str(self.seed).encode()).digest()

    def on_connect(self, name: str) -> None:
        """Pass on the name by which a referee knows this bot."""
        if self._met is not None:
            self._met(name)

    def weigh(self, turn: Turn) -> Sequence[float]:
        """Return what each option is worth, in the order of the options."""
        raise NotImplementedError(f"{type(self).__name__} does not say what an option is worth: write weigh, or choose")

    def choose(self, turn: Turn) -> int | list[int]:
        """Return the index of the best option, or the best list."""
        worth = self.weigh(turn)
        if turn.view.max_picks > 1:
            return lists.best(turn, worth)
        return worth.index(max(worth))

    def dice(self, turn: Turn) -> int:
        """Return a number below 2^64 that depends on the seed, the seat and the decision, and on nothing else."""
        text = f"{self.seed}/{turn.history.round_id}/{turn.history.seat}/{turn.act}"
        return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
