"""What chance gave each entrant of a match, game by game: read from its log after it is over.

Only where a game is one round: what several rounds to a target would make of luck is not known.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lastcard.secret import Secret
from referee import logbook
from referee.fold import redo
from referee.logbook import RoundRecord
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.rules.luck.watch import WatchedGame, account_of, terms_of
from referee.rules.options import Rules
from referee.table import Table

Gifts: TypeAlias = tuple[tuple[int, ...], ...]
"""By entrant, by term of the game, in millionths."""


@dataclass(frozen=True, slots=True)
class MatchLuck:
    """What chance gave in a match.

    Attributes:
        terms: names of the terms, in the order of all values.
        games: by game: what each entrant was given; None for a game that was never dealt.
    """

    terms: tuple[str, ...]
    games: tuple[Gifts | None, ...]


def correctable(rules: Rules) -> bool:
    """Whether luck can be taken out of results under these rules: a game is one round."""
    return not rules.number("target_score") and rules.number("rounds") == 1


def luck_of(spec: MatchSpec, seed: bytes | Secret, entries: Iterable[bytes]) -> MatchLuck:
    """Return what chance gave in a closed match.

    Args:
        spec: the match; its rules are correctable.
        seed: its seed.
        entries: its log.

    Raises:
        EngineMismatchError: the log is not what this engine would have allowed or produced.
        CorruptLogError: an entry cannot be read.
    """
    assert correctable(spec.format.rules)
    play = MatchPlay(spec, seed, WatchedGame)
    games: list[Gifts | None] = [None] * spec.games
    for entry in entries:
        for record in logbook.records(entry):
            if isinstance(record, RoundRecord) and record.game in play.tables:
                games[record.game] = given(play.tables[record.game], spec.seating(record.game))
            redo(play, record)
    return MatchLuck(terms_of(spec.format.rules), tuple(games))


def given(table: Table, seating: Sequence[int]) -> Gifts:
    """Return what each entrant was given in the round at a table; `seating` has the entrant by seat."""
    account, terms = account_of(table.round), terms_of(table.game.rules)
    return tuple(account.micro(seating.index(entrant), terms) for entrant in range(len(seating)))
