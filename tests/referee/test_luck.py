"""Luck read from the log of a match."""

from __future__ import annotations

from random import Random

import pytest

from referee import formats
from referee.fold import fold
from referee.luck import correctable, luck_of
from referee.match import EngineMismatchError, MatchPlay
from referee.match_spec import MatchSpec
from referee.rules.errors import IllegalAnswerError
from referee.rules.game import Game
from referee.rules.games import GAMES
from referee.rules.luck.watch import WatchedGame, terms_of, watched
from referee.table import Table
from tests.referee.playing import SEED, spec

pytestmark = pytest.mark.slow

CALLED = 32
NAMES = [name for name in formats.names() if correctable(formats.get(name).rules)]


def played(chosen: MatchSpec, game: type[Game] = Game) -> tuple[MatchPlay, list[bytes]]:
    """Play a match of this kind of game to its end, by random options where one is picked; returns it with its log."""
    play, rng = MatchPlay(chosen, SEED, game), Random(1)
    entries = [play.set_nonce(entrant, None) for entrant in list(play.missing_nonces)]
    for number in range(chosen.games):
        table = play.start(number)
        while not table.round_over:
            seat = min(table.round.asked)
            entries.append(_act(play, table, seat, rng))
        entries.append(play.end_round(table))
    return play, [*entries, play.close()[0]]


def _act(play: MatchPlay, table: Table, seat: int, rng: Random) -> bytes:
    picks, call, color = table.round.default(seat)
    if table.round.picks(seat)[0] == 1:
        try:
            return play.act(table, seat, rng.randrange(len(table.round.options(seat))), CALLED, 0, 0, 0)
        except IllegalAnswerError:  # it goes with others only
            rng.random()
    return play.act(table, seat, picks, color | (CALLED if call else 0), 0, 0, 0)


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", NAMES)
def test_every_game_of_a_match_has_its_luck(name: str) -> None:
    """By entrant, in millionths, and the same every time it is read."""
    chosen = spec(name, 1, with_nonces=True)
    _, entries = played(chosen)
    found = luck_of(chosen, SEED, entries)
    assert found == luck_of(chosen, SEED, entries)
    assert found.terms == terms_of(chosen.format.rules)
    assert len(found.games) == chosen.games
    for game in found.games:
        assert game is not None
        assert len(game) == len(chosen.entrants)
        assert {len(row) for row in game} == {len(found.terms)}
    assert any(any(row) for game in found.games if game for row in game)


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", NAMES)
def test_to_watch_a_game_changes_nothing_in_it(name: str) -> None:
    """Every state and every result is that of the plain game."""
    chosen = spec(name, 1)
    plain, entries = played(chosen)
    seen, again = played(chosen, WatchedGame)
    assert again == entries
    assert seen.result() == plain.result() == fold(chosen, SEED, entries).result()


def test_luck_goes_with_the_entrant_not_with_the_seat() -> None:
    """On one deal for both games each seat is dealt the same, so the entrants change it over."""
    chosen = spec("uno-classic-2-mirrored", 1)
    _, entries = played(chosen)
    found = luck_of(chosen, SEED, entries)
    one, other = found.games
    assert one is not None
    assert other is not None
    dealt = [found.terms.index(term) for term in ("f1", "f4", "f5")]
    assert [[row[place] for place in dealt] for row in one] == [[row[place] for place in dealt] for row in other[::-1]]


def test_a_log_of_another_seed_has_no_luck() -> None:
    """It is refused, as by any fold."""
    chosen = spec(meetings=1)
    _, entries = played(chosen)
    with pytest.raises(EngineMismatchError):
        luck_of(chosen, bytes(32), entries)


def test_games_to_a_target_are_not_corrected() -> None:
    """What luck in one of many rounds makes of the game is not known."""
    assert not correctable(formats.get("uno-classic-500-2").rules)
    assert correctable(formats.get("uno-classic-2").rules)


def test_a_plain_game_knows_nothing_of_luck() -> None:
    """No class of a game stands on the watch: what is not watched pays nothing."""
    for kind in GAMES.values():
        assert not any("luck" in base.__module__ for base in kind.__mro__)
        assert not hasattr(kind, "luck")
        assert hasattr(watched(kind), "luck")
