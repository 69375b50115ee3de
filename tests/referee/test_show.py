"""Who watches sees what every seat sees, and nothing of what is asked within a turn: in every game."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

import pytest

from ladder.store.live import LiveTable, Scene
from referee import formats
from referee.hosting import show as shows
from referee.hosting.show import Finished, Show
from referee.logbook import Author, Fault
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.rules import view
from referee.rules.chance import ChanceSource
from referee.rules.game import Game
from referee.rules.games import GAMES
from referee.rules.options import Rules
from referee.rules.round import Round
from referee.rules.vocabulary import Act, EventKind
from referee.table import Table
from tests.live.hidden import exchanged
from tests.live.leaks import tell_the_card
from tests.rules.playing import some_answer

pytestmark = pytest.mark.slow

FORMATS = ("uno-classic-2", "uno-house-4", "uno-official-4", "uno-pairs-4", "spin-4", "dos-4", "duo")
SEED = bytes(range(32))
NOBODY = -1
QUIET: Final = bytes((Act.DRAW, Act.KEEP, Act.PASS, Act.ACCEPT))
COMMON = {"dos-4": 3, "duo": 3, "spin-4": 10}
"""Moments that two matches with other hidden cards have in common at least; in DOS every turn lays cards open."""
Answer = tuple[int | tuple[int, ...], bool, int]


class Watched:
    """One game of a match that is watched: after each answer it is asked what is new."""

    def __init__(self, format_name: str, game: type[Game] = Game) -> None:
        found = formats.get(format_name)
        entrants = tuple(f"bot{seat}@1" for seat in range(found.rules.seats))
        self.play = MatchPlay(MatchSpec("w.1.1.0", found, entrants, 1, with_nonces=False), SEED, game)
        self.table = self.play.start(0)
        self.show = Show(self.play)
        self.scenes: list[Scene] = []
        self.look()

    def look(self) -> None:
        """See what is new."""
        scene = self.show.scene()
        assert not self.show.broken
        self.scenes += [scene] if scene else []

    def run(self, answer: Callable[[Round, int], Answer], turns: int = 400) -> None:
        """Play until the game is over or it has lasted for long enough."""
        table = self.table
        for _ in range(turns):
            if table.round.result is not None:
                finished = Finished(table.round, table.game.round_index, tuple(table.game.scores))
                self.play.end_round(table)
                self.show.round_over(table, finished)
                if table.game.over:
                    break
            else:
                seat = next(iter(table.round.asked))
                picks, call, color = answer(table.round, seat)
                flags = color | (32 if call else 0)
                self.play.act(table, seat, picks, flags, Author.BOT, Fault.NONE, 1)
            self.show.look(table)
            self.look()
        self.look()

    @property
    def tables(self) -> list[LiveTable]:
        """All that was told."""
        return [table for scene in self.scenes for table in scene.tables]


def quiet(round_: Round, seat: int) -> Answer:
    """Draw, keep, pass or pay, if that is possible."""
    acts = round_.columns(seat).act
    if round_.picks(seat) == (1, 1):
        for act in QUIET:
            if act in acts:
                return acts.index(act), True, 0
    return round_.default(seat)


def other_cards(salt: int) -> type[Game]:
    """Return games of which nobody can see that their hidden cards were exchanged."""

    class Exchanged(Game):
        """A game with other hands and another depth of the pile."""

        __slots__ = ()

        def prepare(self, rules: Rules, chance: ChanceSource) -> None:
            super().prepare(rules, chance)
            self.kind = exchanged(GAMES[rules.game], NOBODY, salt)

    return Exchanged


def moments(watched: Watched) -> dict[int, tuple[bytes, object]]:
    """Return by number of events, for the first round, all that was told up to there, and the table."""
    found: dict[int, tuple[bytes, object]] = {}
    events = b""
    for table in watched.tables:
        if table.round == 0 and table.end is None:
            assert table.first <= len(events) // 4
            events = events[: 4 * table.first] + table.events
            sight = (table.top, table.color, table.direction, table.counts, table.draw_pile, table.discard_pile)
            found[table.next] = (events, (*sight, table.pending, table.row, table.turn, table.scores))
    return found


def common(format_name: str, salt: int = 7) -> tuple[int, list[str]]:
    """Return how many moments two matches with other hidden cards share, and what tells them apart.

    They part where a card is laid open: from there on the table is another one.
    """
    one, other = Watched(format_name), Watched(format_name, other_cards(salt))
    for watched in (one, other):
        watched.run(quiet)
    first, second = moments(one), moments(other)
    whole, differently = (max(found.values(), key=lambda told: len(told[0]))[0] for found in (first, second))
    pairs = list(zip(_split(whole), _split(differently), strict=False))
    parted = next((number for number, pair in enumerate(pairs) if pair[0] != pair[1]), len(pairs))
    wrong = []
    if parted < len(pairs):
        kinds = {pair[0] for pair in pairs[parted]}
        if not all(event[2] for event in pairs[parted]) or kinds & {EventKind.DREW, EventKind.DEALT, EventKind.KEPT}:
            wrong.append(f"{pairs[parted]} is told and was hidden")
    shared = [number for number in first.keys() & second.keys() if number <= parted]
    wrong += [f"at {number}: {first[number]} {second[number]}" for number in shared if first[number] != second[number]]
    return len(shared), wrong


def _split(events: bytes) -> list[bytes]:
    return [events[at : at + 4] for at in range(0, len(events), 4)]


@pytest.mark.parametrize("format_name", FORMATS)
def test_other_hidden_cards_are_the_same_show(format_name: str) -> None:
    """Events and tables are the same bytes, until a card is laid open that everybody sees."""
    shared, wrong = common(format_name)
    assert wrong == []
    assert shared >= COMMON.get(format_name, 20)


@pytest.mark.parametrize("format_name", FORMATS)
def test_nothing_is_told_within_a_turn(format_name: str) -> None:
    """What is told ends where a turn begins or the round is over: who was asked meanwhile, and what, stays unknown."""
    chance = Random(5)
    watched = Watched(format_name)
    watched.run(lambda round_, seat: some_answer(round_, seat, chance))
    assert watched.tables
    for table in watched.tables:
        last = table.events[-4] if table.events else EventKind.TURN
        assert last == EventKind.TURN or table.end is not None


@pytest.mark.parametrize("format_name", FORMATS)
def test_a_card_is_shown_where_every_seat_sees_it(format_name: str) -> None:
    """And nowhere else, of every kind of event; the table is what every seat's view of its decision has."""
    seen: set[int] = set()
    for seed in range(4):
        chance, watched = Random(seed), Watched(format_name)

        def answer(round_: Round, seat: int, chance: Random = chance) -> Answer:
            public = view.shown(round_)
            for number, event in enumerate(_split(public)):
                cards = {view.events(round_, one, number).card[0] for one in range(round_.n)}
                assert event[2] in ({0} if len(cards) > 1 else cards)
                seen.add(event[0])
            if view.begins_turn(round_):
                sight = view.decision(round_, seat)
                assert {name: getattr(sight, name) for name in view.TableView._fields} == view.table(round_)._asdict()
            return some_answer(round_, seat, chance)

        watched.run(answer, turns=40)
    assert EventKind.TURN in seen


def show_the_pile(patch: pytest.MonkeyPatch) -> None:
    """The table says more of the draw pile than its size."""
    table = view.table
    patch.setattr(view, "table", lambda round_: table(round_)._replace(draw_pile=sum(round_.draw)))


@pytest.mark.parametrize(
    "leak", [pytest.param(one, id=one.__name__.replace("_", " ")) for one in (tell_the_card, show_the_pile)]
)
def test_a_planted_leak_is_seen(monkeypatch: pytest.MonkeyPatch, leak: Callable[[pytest.MonkeyPatch], None]) -> None:
    """The same comparison finds it."""
    leak(monkeypatch)
    _, wrong = common(FORMATS[0])
    assert wrong


def test_of_many_tables_some_are_shown_and_of_all_it_is_said_how_many() -> None:
    """A show is bounded, however many games are played at once."""
    found = formats.get("uno-classic-2")
    play = MatchPlay(MatchSpec("w.1.1.0", found, ("a@1", "b@1"), 16, with_nonces=False), SEED)
    tables = [play.start(game) for game in range(20)]
    show = Show(play)
    scene = show.scene()
    assert scene
    assert (len(scene.tables), scene.playing) == (shows.MOST_TABLES, len(tables))


def test_a_round_too_many_is_skipped_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of rounds goes on, so that who watches knows of those that he did not see."""
    monkeypatch.setattr(shows, "MOST_ENDED", 0)
    watched = Watched("uno-classic-2")
    watched.run(lambda round_, seat: some_answer(round_, seat, Random(3)), turns=2_000)
    assert watched.play.rounds_done == 1
    assert not [table for table in watched.tables if table.end]
    assert watched.scenes[-1].rounds == 1


def test_a_bug_of_ours_ends_the_show_and_not_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is logged, and nothing more is shown."""
    watched = Watched("uno-classic-2")

    def broken(_round: Round) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(view, "table", broken)
    table: Table = watched.table
    watched.show.look(table)
    assert watched.show.broken
    assert watched.show.scene() is None


def test_a_scene_is_read_as_it_was_written() -> None:
    """Of every game, with rounds that are over."""
    for format_name in FORMATS:
        watched = Watched(format_name)
        chance = Random(9)
        watched.run(lambda round_, seat, chance=chance: some_answer(round_, seat, chance), turns=3_000)  # type: ignore[misc]
        assert [Scene.of(scene.text().encode()) for scene in watched.scenes] == watched.scenes
