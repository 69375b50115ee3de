"""Local play: meetings between bots in this process, on the engine, tables and match code of a referee.

The deals are those of the scheme `lastcard/1` with the seed of local play, match id `local`, and no nonces. All tables
of a run count their meetings on, so that with `fresh` deals no two games of it share one.

Who meets whom is simple: every set of as many bots as there are seats, in the order of the bots; with two seats that is
a round robin. The meetings of a table are split into the fewest matches of at most 16, as equal as possible, since
faults forfeit the rest of a match (the same fault policy as on a referee; nothing is ever late here).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations, count
from math import comb
from typing import Any, Final, TypeAlias

from lastcard.bot import Bot
from lastcard.errors import InputError
from referee import formats
from referee.bots.base import HouseBot
from referee.formats import Format
from referee.game_records import record_of
from referee.local.local_bot import LocalBot
from referee.local.local_match import LocalMatch
from referee.match import MatchPlay
from referee.match_result import canonical
from referee.match_spec import MatchSpec
from referee.rules.chance import play_seed
from referee.rules.game import Game
from referee.rules.record import RecordedGame
from referee.table import Table

MATCH_ID: Final = "local"
MOST_MEETINGS: Final = 16  # of a match
MOST_BOTS: Final = 64
MOST_GAMES: Final = 10_000_000
DEALS: Final = ("fresh", "mirrored")


@dataclass(frozen=True, slots=True)
class Played:
    """A match that is over.

    Attributes:
        id: `local/` and the number of its first meeting in the run.
        format, ruleset: the format and the hash of its rules.
        entrants: names, in seating order of the first game.
        result: canonical JSON, as a referee closes a match with (docs/architecture.md 2).
        rounds: rounds played.
    """

    id: str
    format: str
    ruleset: str
    entrants: tuple[str, ...]
    result: str
    rounds: int


@dataclass(frozen=True, slots=True)
class Mistakes:
    """What a bot did wrong that a referee never sees: it raised, or returned what is no choice.

    Attributes:
        count: how often; the first option was taken instead.
        first: the first of them.
    """

    count: int
    first: Exception


@dataclass(frozen=True, slots=True)
class ArenaResult:
    """Everything that was played.

    Attributes:
        format: with the deals that were used.
        seed: of the deals.
        meetings: of every table.
        bots: names, in the order given.
        matches: in the order played.
        decisions: questions that bots were asked.
        mistakes: by bot, of those that made any.
    """

    format: Format
    seed: int
    meetings: int
    bots: tuple[str, ...]
    matches: tuple[Played, ...]
    decisions: int
    mistakes: dict[str, Mistakes]

    @property
    def rounds(self) -> int:
        """Rounds played."""
        return sum(match.rounds for match in self.matches)


class BrokenOffError(KeyboardInterrupt):
    """Ctrl-C; it ends what does not look for it as ever.

    Attributes:
        result: the meetings that were over.
    """

    def __init__(self, result: ArenaResult) -> None:
        super().__init__()
        self.result = result


Progress: TypeAlias = Callable[[int, int], None]
Keep: TypeAlias = Callable[[dict[str, object]], None]


def play(
    played: str | Format,
    bots: Sequence[tuple[str, Bot]],
    *,
    meetings: int,
    seed: int = 0,
    deals: str = "",
    progress: Progress | None = None,
    keep: Keep | None = None,
) -> ArenaResult:
    """Play `meetings` meetings at every table. With an async bot, not to be called from a running event loop.

    Args:
        played: a format, or its name.
        bots: names and bots; the second of a name becomes `name#2`, and so on.
        meetings: from 1.
        seed: of the deals, any whole number.
        deals: `fresh` or `mirrored`; empty = as the format says.
        progress: told after every game how many are over, and of how many.
        keep: given the record of every game; recording takes some time.

    Raises:
        UnknownFormatError: there is no such format.
        InputError: one of the others is not possible.
        BrokenOffError: Ctrl-C; it has what was played.
    """
    chosen = _format(played, deals)
    _check(chosen, len(bots), meetings)
    names = numbered([name for name, _ in bots])
    for _, bot in bots:
        if isinstance(bot, HouseBot):
            bot.learn(chosen)
    players = [LocalBot(name, bot) for name, (_, bot) in zip(names, bots, strict=True)]
    try:
        return _Run(chosen, players, meetings, seed, progress, keep).result()
    finally:
        for player in players:
            player.close()


def numbered(names: Sequence[str]) -> list[str]:
    """Return the names with `#2`, `#3` … behind those that were there before."""
    unique: list[str] = []
    for name in names:
        tries = chain((name,), (f"{name}#{number}" for number in count(2)))
        unique.append(next(one for one in tries if one not in unique))
    return unique


def split(meetings: int) -> list[int]:
    """Return the meetings of each match: the fewest matches of at most 16, as equal as possible."""
    matches = -(-meetings // MOST_MEETINGS)
    return [meetings // matches + (match < meetings % matches) for match in range(matches)]


def _format(chosen: str | Format, deals: str) -> Format:
    found = formats.get(chosen) if isinstance(chosen, str) else chosen
    if deals in DEALS:
        return replace(found, deals=deals)
    if deals or found.deals not in DEALS:
        wrong = deals or found.deals
        message = f"deals {wrong!r} cannot be played here; choose {' or '.join(DEALS)}"
        raise InputError("BAD_DEALS", message, field="deals", value=wrong, allowed=DEALS)
    return found


def _check(chosen: Format, bots: int, meetings: int) -> None:
    """Raise InputError unless there are enough bots for a table, and not too many tables."""
    if not chosen.seats <= bots <= MOST_BOTS:
        message = f"{chosen.name} has {chosen.seats} seats, not {bots} bots; name {chosen.seats} to {MOST_BOTS}"
        raise InputError("BAD_BOTS", message, field="bots", value=bots, allowed=(f"{chosen.seats} to {MOST_BOTS}",))
    tables = comb(bots, chosen.seats)
    if meetings < 1 or meetings * tables * chosen.seats > MOST_GAMES:
        most = MOST_GAMES // (tables * chosen.seats)
        message = f"{meetings} meetings at {tables} table(s) cannot be played; choose 1 to {most}"
        raise InputError("BAD_MEETINGS", message, field="meetings", value=meetings, allowed=(f"1 to {most}",))


class _Run:
    """All matches of a run."""

    def __init__(
        self,
        chosen: Format,
        players: Sequence[LocalBot],
        meetings: int,
        seed: int,
        progress: Progress | None,
        keep: Keep | None,
    ) -> None:
        self._format = chosen
        self._players = players
        self._meetings = meetings
        self._seed = seed
        self._progress = progress
        self._keep = keep
        self._tables = list(combinations(players, chosen.seats))
        self._games = len(self._tables) * meetings * chosen.seats
        self._done = 0
        self._matches: list[Played] = []
        self._decisions = 0
        self._now: LocalMatch | None = None

    def result(self) -> ArenaResult:
        """Play everything.

        Raises:
            BrokenOffError: Ctrl-C.
        """
        for player in self._players:
            player.tell("on_connect", partial(str, player.name))
        try:
            for spec, at_table in self._specs():
                self._match(spec, at_table)
        except KeyboardInterrupt:
            self._break_off()
            raise BrokenOffError(self._so_far()) from None
        return self._so_far()

    def _so_far(self) -> ArenaResult:
        return ArenaResult(
            format=self._format,
            seed=self._seed,
            meetings=self._meetings,
            bots=tuple(player.name for player in self._players),
            matches=tuple(self._matches),
            decisions=self._decisions,
            mistakes={p.name: Mistakes(p.errors, p.first_error) for p in self._players if p.first_error is not None},
        )

    def _specs(self) -> Iterator[tuple[MatchSpec, tuple[LocalBot, ...]]]:
        """The matches of all tables, with who sits there."""
        first = 0
        for table in self._tables:
            names = tuple(player.name for player in table)
            for size in split(self._meetings):
                yield MatchSpec(MATCH_ID, self._format, names, size, with_nonces=False, first_meeting=first), table
                first += size

    def _match(self, spec: MatchSpec, at_table: Sequence[LocalBot]) -> None:
        play = MatchPlay(spec, play_seed(self._seed), RecordedGame if self._keep else Game)
        match = self._now = LocalMatch(play, at_table)
        match.run(lambda table: self._game_over(play, table))
        self._now = None
        self._note(match, play.result(), play.rounds_done, match.decisions)

    def _break_off(self) -> None:
        """Note the meetings that are over of the match that is played."""
        match = self._now
        if match is not None and match.whole.games:
            told = match.so_far()
            rounds = sum(game["rounds"] for meeting in told["meetings"] for game in meeting["games"])
            self._note(match, told, rounds, match.whole.decisions)

    def _note(self, match: LocalMatch, told: dict[str, Any], rounds: int, decisions: int) -> None:
        spec = match.play.spec
        name, rules = f"{spec.id}/{spec.first_meeting}", spec.format.rules.hash
        self._matches.append(Played(name, spec.format.name, rules, spec.entrants, canonical(told), rounds))
        self._decisions += decisions

    def _game_over(self, play: MatchPlay, table: Table) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._games)
        if self._keep is not None:
            self._keep(record_of(play, table))
