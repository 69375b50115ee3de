"""Rounds between random answers, looked at as every seat that is asked sees them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from lastcard.history import History, Match
from lastcard.turn import Turn
from referee import formats
from referee.formats.format import Format
from referee.local.local_bot import ask
from referee.rules.chance import StreamSource, deal_key
from referee.rules.game import Game
from referee.rules.round import Round
from referee.table import Table
from tests.rules.playing import some_answer

LEAVING = 0.003  # how often a seat leaves instead of answering


def turns(played: Format, games: int, seed: int) -> Iterator[tuple[Turn, Round]]:
    """Yield every question with the round that it is about; seats call and leave now and then."""
    rng = Random(seed)
    key = deal_key(seed.to_bytes(32, "big"), "watch")
    for game in range(games):
        table = Table(Game(played.rules, StreamSource(key, game, 0), game % played.seats), game)
        yield from _game(played, table, rng)


def _game(played: Format, table: Table, rng: Random) -> Iterator[tuple[Turn, Round]]:
    seen: dict[tuple[int, int], History] = {}
    while not table.game.over:
        if table.round_over:
            table.advance()
            continue
        for seat in table.round.asked:
            match = Match("m", played.name, ruleset=played.rules.hash)
            history = seen.setdefault((table.game.round_index, seat), History("watch/0/0/0", seat, match))
            yield ask(table.round, seat, history, played.clock), table.round
        if rng.random() < LEAVING:
            table.leave(rng.choice(table.round.seats_in()))
            continue
        seat = rng.choice(sorted(table.round.asked))
        picks, call, color = some_answer(table.round, seat, rng)
        table.answer(seat, picks, call=call, color=color)


def some_turns(name: str, games: int, seed: int) -> Iterator[tuple[Turn, Round]]:
    """Yield the questions of some games of a format."""
    return turns(formats.get(name), games, seed)
