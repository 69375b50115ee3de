"""What those who watch a match are told: every event that all seats may see, turn by turn."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Concatenate, Final, NamedTuple, ParamSpec, TypeVar

from ladder.store.live import EVENT_BYTES, LiveTable, Scene, SceneEnd
from ladder.store.logs import logger
from referee.match import MatchPlay
from referee.rules import view
from referee.rules.round import Round
from referee.table import Table

MOST_TABLES: Final = 8
"""Of a match that are shown at once; of all others only how many there are."""
MOST_EVENTS: Final = 512
"""The last ones of a round that somebody is told who comes late."""
MOST_ENDED: Final = 2_048
"""Events of rounds that ended since the last scene; further rounds are skipped."""
P = ParamSpec("P")
T = TypeVar("T")

log = logger("referee.hosting.show")


@dataclass(frozen=True, slots=True)
class Finished:
    """A round that is over, as it was before its table moved on."""

    round: Round
    number: int
    scores: tuple[int, ...]


def harmless(act: Callable[Concatenate["Show", P], T]) -> Callable[Concatenate["Show", P], T | None]:
    """Have a bug of ours end the show, and never the match."""

    def guarded(self: "Show", /, *args: P.args, **named: P.kwargs) -> T | None:
        if self.broken:
            return None
        try:
            return act(self, *args, **named)
        except Exception as bug:
            self.broken = True
            log.critical("show_crashed", match=self.match, incident=secrets.token_hex(4), exc_info=bug)
            return None

    return guarded


class Moment(NamedTuple):
    """A table where a turn began: cheap to take, for there are many between two scenes."""

    table: Table
    round: Round
    number: int
    scores: Sequence[int]
    events: int
    sight: view.TableView


class Show:
    """One match that is watched, while it is hosted here.

    A table is looked at where a turn has just begun, or a round is over: what is asked within a turn depends on hidden
    cards, and nobody who watches is to know that a seat was asked. What is seen waits for the next `scene`.

    Attributes:
        broken: a bug of ours ended it.
        anew: the next scene tells of all tables from the beginning of their rounds: somebody may have missed the last.
    """

    def __init__(self, play: MatchPlay) -> None:
        self.match = play.spec.id
        self.broken = False
        self.anew = True
        self._play = play
        self._told: dict[int, int] = {}  # by game that is shown: the number of the next event to tell of
        self._seen: dict[int, Moment] = {}
        self._ended: list[LiveTable] = []
        self._ended_events = 0
        self._rounds = play.rounds_done
        for table in list(play.tables.values()):
            self.look(table)

    @harmless
    def look(self, table: Table) -> None:
        """See a table that waits for a bot."""
        current = table.round
        if view.begins_turn(current) and self._follows(table.index):
            game = table.game
            taken = (table, current, game.round_index, game.scores, view.count(current), view.table(current))
            self._seen[table.index] = Moment._make(taken)

    @harmless
    def round_over(self, table: Table, finished: Finished) -> None:
        """See a round that is over."""
        game, over = table.index, finished.round
        if not self._follows(game):
            return
        first, last = 0 if self.anew else self._told[game], view.count(over)
        self._seen.pop(game, None)
        self._told[game] = 0
        if table.game.over:
            del self._told[game]
        if self._ended_events + last - first <= MOST_ENDED:
            self._ended_events += last - first
            moment = Moment(table, over, finished.number, finished.scores, last, view.table(over))
            self._ended.append(self._table(moment, first))

    @harmless
    def scene(self) -> Scene | None:
        """Return what was seen since the last scene; None: nothing."""
        tables = [*self._ended]
        for game, seen in self._seen.items():
            first = max(0, seen.events - MOST_EVENTS) if self.anew else self._told[game]
            if self.anew or first < seen.events:
                tables.append(self._table(seen, first))
                self._told[game] = seen.events
        rounds = self._play.rounds_done
        if not (tables or self.anew or rounds != self._rounds):
            return None
        made = Scene(tuple(tables), len(self._play.tables), rounds, whole=self.anew)
        self._ended, self._ended_events, self._rounds = [], 0, rounds
        self.anew = False
        return made

    def _follows(self, game: int) -> bool:
        """Return whether a table is one of those that are shown."""
        if game not in self._told:
            if len(self._told) >= MOST_TABLES:
                return False
            self._told[game] = 0
        return True

    def _table(self, seen: Moment, first: int) -> LiveTable:
        """Return a table with its events from number `first` on."""
        spec, index, game = self._play.spec, seen.table.index, seen.table.game
        result = seen.round.result
        end = None
        if result is not None:
            places = tuple(game.result.places) if game.result else ()
            end = SceneEnd(int(result.ending), result.places, result.points, places)
        events = view.shown(seen.round, first)[: (seen.events - first) * EVENT_BYTES]
        meeting, number = divmod(index, len(spec.entrants))
        seats, scores = spec.seating(index), tuple(seen.scores)
        return LiveTable(meeting, number, seen.number, seats, scores, first, events, *seen.sight, end=end)
