"""Records of the games of a match: from the tables of a match in play, or from the log of one that is over."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lastcard.secret import Secret
from referee import logbook
from referee.fold import redo
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.rules.record import RecordedGame, fairness
from referee.table import Table
from referee.timing import DecisionTime, TimeReader


def record_of(play: MatchPlay, table: Table, times: Sequence[DecisionTime] = ()) -> dict[str, Any]:
    """Return the record of a game that is over, with who played, in which format, and where the cards came from.

    The match was made with `RecordedGame`. `times`: of its decisions that were slow, late or wrong.
    """
    spec, game = play.spec, table.game
    assert isinstance(game, RecordedGame)
    k = len(spec.entrants)
    meeting, number = divmod(table.index, k)
    nonces = {name: play.nonces.get(entrant) for entrant, name in enumerate(spec.entrants)}
    return game.record(
        {
            "game_id": f"{spec.id}/{spec.first_meeting + meeting}/{number}",
            "format_id": spec.format.name,
            "bots": [spec.entrants[entrant] for entrant in spec.seating(table.index)],
            "fairness": fairness(
                play.seed.reveal(),
                spec.deals_of,
                spec.first_meeting + meeting,
                spec.deal_of(table.index, play.seed),
                nonces,
            ),
            **({"timing": [one.as_json() for one in times]} if times else {}),
        }
    )


def records(spec: MatchSpec, seed: bytes | Secret, entries: Iterable[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the index and record of every game that ended in a log, in the order in which they ended.

    Raises:
        EngineMismatchError: the log is not what this engine would have allowed or produced.
        CorruptLogError: an entry cannot be read.
    """
    play, reader = MatchPlay(spec, seed, RecordedGame), TimeReader()
    for entry in entries:
        for one in logbook.records(entry):
            table = play.table(one.game) if isinstance(one, logbook.RoundRecord | logbook.ActRecord) else None
            reader.take(one, 1 + len(_acts(table)) if table is not None else None)
            redo(play, one)
            if table is not None and play.results[table.index] is not None:
                yield table.index, record_of(play, table, reader.found.pop(table.index, ()))


def _acts(table: Table) -> Sequence[object]:
    """Return the acts of the round in play that its record has by now."""
    current: Any = table.round
    acts: Sequence[object] = current.log
    return acts
