"""A comparison of two bots in this process, batch by batch: what is compared, and what has come of it so far.

Every batch is played by bots made anew, on deals that follow from the seed and the number of the batch alone. So a
comparison that was broken off goes on from any of its batches as if nothing had happened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import Any, Final

from ladder.corrections import correction_for
from ladder.luck import Correction
from ladder.sprt import Bounds, Decision, Moments, Trial
from lastcard.errors import InputError
from referee import formats
from referee.bots.find import find
from referee.formats.format import Format
from referee.local.arena import MATCH_ID, Mistakes, numbered
from referee.local.local_bot import LocalBot
from referee.local.local_match import LocalMatch
from referee.luck import Gifts, given
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.rules.chance import play_seed
from referee.rules.game import Game
from referee.rules.luck.watch import WatchedGame, terms_of

__all__ = ["BATCH", "DEALS", "Batch", "Comparison", "Heading", "Question"]

BATCH: Final = 10
"""Meetings between two checks."""
DEALS: Final = ("mirrored", "fresh")


@dataclass(frozen=True, slots=True)
class Heading:
    """What was asked, and on what it was played, as it is shown."""

    new: str
    old: str
    format: str
    deals: str
    ruleset: str
    bounds: Bounds
    source: str
    """Where the deals come from."""
    lc_version: str | None
    """What luck was taken out with; None: it was not."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be found out, and on which cards."""

    new: str
    old: str
    format: Format
    bounds: Bounds
    seed: int
    correction: Correction | None = None
    """Takes luck out of the scores that the test goes by; None: it goes by wins, ties and losses."""

    @classmethod
    def of(
        cls, new: str, old: str, format_name: str, deals: str, bounds: Bounds, seed: int, *, luck: bool = False
    ) -> Question:
        """Return the question as it was typed.

        Raises:
            UnknownFormatError: there is no such format.
            InputError: the format has other seats, there are no such deals, or no weights for luck.

        """
        if deals not in DEALS:
            message = f"deals {deals!r} cannot be compared on; choose {' or '.join(DEALS)}"
            raise InputError("BAD_DEALS", message, field="deals", value=deals, allowed=DEALS)
        found = formats.get(format_name, deals)
        if found.seats != 2:
            allowed = [name for name in formats.names() if formats.get(name).seats == 2]
            message = f"two versions are compared at tables of two; choose one of {', '.join(allowed)}"
            raise InputError("BAD_FORMAT", message, field="format", value=format_name, allowed=allowed)
        correction = correction_for(found.rules.hash) if luck else None
        if luck and correction is None:
            message = f"luck cannot be taken out of {format_name}: no weights are shipped for it; leave out --luck"
            raise InputError("NO_CORRECTION", message, field="luck", value=format_name)
        return cls(new, old, found, bounds, seed, correction)

    def identity(self) -> dict[str, object]:
        """Return everything that decides how it goes, as plain values: two with the same go the same way."""
        return {
            "new": self.new,
            "old": self.old,
            "format": self.format.name,
            "ruleset": self.format.rules.hash,
            "deals": self.format.deals,
            "bounds": [self.bounds.elo0, self.bounds.elo1, self.bounds.alpha, self.bounds.beta],
            "seed": self.seed,
            "lc_version": self.correction.version if self.correction else None,
        }

    @property
    def heading(self) -> Heading:
        """What stands above its result."""
        return Heading(
            self.new,
            self.old,
            self.format.name,
            self.format.deals,
            self.format.rules.hash,
            self.bounds,
            f"seed {self.seed}",
            self.correction.version if self.correction else None,
        )

    def begin(self) -> Comparison:
        """Return it before its first game."""
        return Comparison(Trial(self.bounds, corrected=Moments() if self.correction else None))


@dataclass(frozen=True, slots=True)
class Batch:
    """What was played between two checks."""

    pairs: Sequence[int]
    """Meetings by score of the new version, from 0 to 1 in quarters."""
    scores: Sequence[float]
    """Of the meetings with luck taken out, where the test goes by them."""
    games: Sequence[int]
    """Lost, tied and won by the new version."""
    rounds: int
    faults: Sequence[int]
    """Of the new version and of the old one."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was played so far."""

    trial: Trial
    games: tuple[int, int, int] = (0, 0, 0)
    """Lost, tied and won by the new version."""
    rounds: int = 0
    faults: tuple[int, int] = (0, 0)
    """Of the new version and of the old one."""

    @property
    def meetings(self) -> int:
        """Pairs of games with the seats changed."""
        return self.trial.units

    @property
    def raw_score(self) -> float | None:
        """Mean score of the new version in the games as they were played; None where there is none."""
        _, ties, wins = self.games
        return (wins + ties / 2) / sum(self.games) if sum(self.games) else None

    @property
    def open(self) -> bool:
        """Whether nothing is decided yet."""
        return self.trial.decision is Decision.OPEN

    def next_batch(self, question: Question) -> tuple[Comparison, dict[str, Mistakes]]:
        """Play the next batch; returns what has come of it, and what bots did wrong that is no fault."""
        played = _Playing(question, self.meetings)
        return self.after(played.batch), played.mistakes

    def after(self, batch: Batch) -> Comparison:
        """Return it after a further batch and a check."""
        games = tuple(before + now for before, now in zip(self.games, batch.games, strict=True))
        faults = tuple(before + now for before, now in zip(self.faults, batch.faults, strict=True))
        return replace(
            self,
            trial=self.trial.after(batch.pairs, batch.scores),
            games=(games[0], games[1], games[2]),
            rounds=self.rounds + batch.rounds,
            faults=(faults[0], faults[1]),
        )

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values that lose nothing."""
        corrected = self.trial.corrected
        return {
            "pairs": list(self.trial.counts),
            "path": [[units, ratio] for units, ratio in self.trial.path],
            "corrected": None if corrected is None else [corrected.units, corrected.total, corrected.squares],
            "games": list(self.games),
            "rounds": self.rounds,
            "faults": list(self.faults),
        }

    @classmethod
    def of(cls, question: Question, content: dict[str, Any]) -> Comparison:
        """Return what `as_json` gave.

        Raises:
            KeyError, TypeError, ValueError: it is something else.

        """
        moments = content["corrected"]
        trial = Trial(
            question.bounds,
            tuple(int(count) for count in content["pairs"]),
            tuple((int(units), float(ratio)) for units, ratio in content["path"]),
            None if moments is None else Moments(int(moments[0]), float(moments[1]), float(moments[2])),
        )
        lost, tied, won = map(int, content["games"])
        new, old = map(int, content["faults"])
        return cls(trial, (lost, tied, won), int(content["rounds"]), (new, old))


class _Playing:
    """The meetings between two checks, played when it is made."""

    def __init__(self, question: Question, first: int) -> None:
        texts = (question.new, question.old)
        names, made = numbered(texts), _seed_of_bots(question.seed, first)
        self._bots = [LocalBot(name, find(text, made)) for name, text in zip(names, texts, strict=True)]
        spec = MatchSpec(MATCH_ID, question.format, tuple(names), BATCH, with_nonces=False, first_meeting=first)
        self._play = MatchPlay(spec, play_seed(question.seed), WatchedGame if question.correction else Game)
        self._gifts: list[Gifts] = []
        try:
            self._run(question.correction)
        finally:
            for bot in self._bots:
                bot.close()
        halves = [1 + (ranks[0] < ranks[1]) - (ranks[0] > ranks[1]) for ranks in self._ranks()]
        sums = [one + other for one, other in zip(halves[::2], halves[1::2], strict=True)]
        self.batch = Batch(
            pairs=[sums.count(score) for score in range(5)],
            scores=self._corrected(sums, question.correction),
            games=[halves.count(score) for score in range(3)],
            rounds=self._play.rounds_done,
            faults=[sum(kinds.values()) for kinds in self._play.fault_kinds],
        )
        self.mistakes = {b.name: Mistakes(b.errors, b.first_error) for b in self._bots if b.first_error is not None}

    def _run(self, correction: Correction | None) -> None:
        for bot in self._bots:
            bot.tell("on_connect", partial(str, bot.name))
        spec, gifts = self._play.spec, self._gifts
        LocalMatch(self._play, self._bots).run(
            lambda table: gifts.append(given(table, spec.seating(table.index))) if correction else None
        )

    def _ranks(self) -> list[tuple[int, ...]]:
        return [result.ranks for result in self._play.results if result is not None]

    def _corrected(self, sums: Sequence[int], correction: Correction | None) -> list[float]:
        """Return the mean score of the new version in each meeting with luck taken out; nothing where it stays in."""
        if correction is None:
            return []
        games = correction.of_match(terms_of(self._play.spec.format.rules), self._gifts, None)
        assert games is not None, "weights that are shipped know no term that is not played with"
        luck = [game[0] for game in games if game is not None]
        return [total / 4 - (one + other) / 2 for total, one, other in zip(sums, luck[::2], luck[1::2], strict=True)]


def _seed_of_bots(seed: int, first: int) -> int:
    """Return what the bots of a batch are made with: their dice differ from batch to batch."""
    return int.from_bytes(sha256(f"lastcard/sprt/{seed}/{first}".encode()).digest()[:6], "big")
