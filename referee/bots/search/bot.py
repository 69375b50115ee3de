"""House bot `search`: a determinised Monte Carlo search on the engine of the referee."""

from collections.abc import Callable
from random import Random
from typing import ClassVar, Final, Self

from lastcard.turn import Turn
from lastcard.words import Kind
from referee.bots.careful import Careful
from referee.bots.search.budget import Budget
from referee.bots.search.choices import Picks, choices
from referee.bots.search.family import best_color
from referee.bots.search.goal import Goal
from referee.bots.search.guess import Guess
from referee.bots.search.memory import Memory
from referee.bots.search.player import player_of
from referee.bots.search.trial import Trial
from referee.rules.games import GAMES
from referee.rules.round import Round

# Decisions that are not thought about: what goes on after them is decided already, or they leave nothing to choose.
AT_ONCE: Final = frozenset((Kind.CALL_WINDOW, Kind.CHALLENGE_WINDOW, Kind.SPIN_WAR, Kind.OTHER))


class Search(Careful):
    """Deals the cards that it does not see as they could lie, plays on from each answer many times, and takes the best.

    It starts from what `careful` would do, and does that where it is asked about rules that it does not know.
    """

    name: ClassVar[str] = "search"
    max_games = 8  # it thinks: of more games at once some would be late
    max_open = 8

    def __init__(
        self,
        seed: int = 0,
        met: Callable[[str], object] | None = None,
        budget: Budget = Budget(),  # noqa: B008 (frozen)
    ) -> None:
        super().__init__(seed, met)
        self._budget = budget

    @classmethod
    def configured(cls, setting: str, seed: int = 0, met: Callable[[str], object] | None = None) -> Self:
        """Return a bot with the budget that `setting` names, such as `200` or `50ms`."""
        return cls(seed, met, Budget.read(setting))

    def choose(self, turn: Turn) -> int | list[int]:
        """Return the answer that did best."""
        chosen = super().choose(turn)
        first: Picks = tuple(chosen) if isinstance(chosen, list) else (chosen,)
        if turn.kind in AT_ONCE or len(turn.view.option_act) < 2:
            return chosen
        answers = choices(turn, self.weigh(turn), first)
        trial = self._trial(turn) if len(answers) > 1 else None
        if trial is None:
            return chosen
        best = trial.best(answers, self._budget.start())
        return list(best) if isinstance(chosen, list) else best[0]

    def _trial(self, turn: Turn) -> Trial | None:
        """Return what tries answers out, or None where the turn is not of rules that are known here."""
        played = self.played(turn)
        if played is None:
            return None
        facts = GAMES[played.rules.game].facts_of(played.rules)
        memory = Memory(turn, played.rules, len(facts.deck))
        if not memory.fits(turn):
            return None
        guess = Guess(turn, played.rules, memory, Random(self.dice(turn)))  # noqa: S311 (a game, not a secret)
        if not _same_question(turn, guess.deal()):
            return None
        color = best_color(bytearray(turn.view.hand))
        return Trial(guess.deal, turn.seat, color, player_of(played.rules), Goal(played, turn.seat, turn.scores))


def _same_question(turn: Turn, round_: Round) -> bool:
    """Whether the imagined round offers what the turn does."""
    view = turn.view
    columns = round_.columns(turn.seat)
    return columns.act == view.option_act and columns.card == view.option_card
