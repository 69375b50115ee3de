"""Rebuilds a match from its log."""

from collections.abc import Iterable

from lastcard.secret import Secret
from referee import logbook
from referee.match import EngineMismatchError, MatchPlay
from referee.match_spec import MatchSpec
from referee.rules.errors import IllegalAnswerError


def fold(spec: MatchSpec, seed: bytes | Secret, entries: Iterable[bytes]) -> MatchPlay:
    """Return the state of a match after these log entries.

    Raises:
        EngineMismatchError: the log is not what this engine would have allowed or produced.
        CorruptLogError: an entry cannot be read.
    """
    play = MatchPlay(spec, seed)
    for entry in entries:
        redo_entry(play, entry)
    return play


def redo_entry(play: MatchPlay, entry: bytes) -> None:
    """Apply one log entry; raises as `fold`."""
    for record in logbook.records(entry):
        redo(play, record)


def redo(play: MatchPlay, record: logbook.Record) -> None:
    """Apply one record of the log; raises as `fold`."""
    try:
        play.redo(record)
    except IllegalAnswerError as error:
        game = record.game if isinstance(record, logbook.ActRecord) else -1
        raise EngineMismatchError(game, f"an answer of the log is not legal: {error}") from error
