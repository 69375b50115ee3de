"""From where matches are watched: what one who comes late, reads slowly or asks for too much is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ladder.errors import TooManyError
from ladder.readings import gallery
from ladder.readings.gallery import Gallery, Live
from ladder.readings.summaries import Summaries
from ladder.readings.watcher import Glimpse, Watcher
from ladder.store import Store
from ladder.store.live import LiveTable, Scene, SceneEnd
from ladder.store.match_calls import Ending
from ladder.store.scenes import Shown
from tests.ladder_house import House
from tests.store.scenes import SEED

pytestmark = pytest.mark.slow

MATCH = "ladder.uno-classic-2.7.0"
TABLE = LiveTable(0, 0, 0, (0, 1), (0, 0), 0, bytes(range(16)), 5, 1, 1, b"\x07\x06", 80, 1, 0, b"", 1)
END = SceneEnd(1, (1, 2), (34, 0), (1, 2))


class Hall:
    """A gallery over a store in which a match is being played, on a clock of the test."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.store: Store = house.store
        self.now = 100.0
        self.summaries = Summaries(self.store.matches)
        self.gallery = Gallery(self.summaries, self.store.scenes, lambda: self.now)
        self._number = 0
        self.begin(MATCH)

    def begin(self, match: str) -> None:
        """Have a match be played."""
        self.house.match(match, ["careful@1", "random@1"])
        self.house.beat()
        self.store.matches.claim(match, "referee-test", self.house.tick(), seed=SEED)

    def end(self) -> None:
        """Have the match end, void."""
        matches = self.store.matches
        calls = matches.calls(MATCH, me="referee-test", tournament="")
        ending, reason = Ending.VOID, "wrong deck"
        matches.close(calls, matches.head(MATCH), b"end", now_ms=self.house.tick(), ending=ending, reason=reason)

    def show(self, *tables: LiveTable, epoch: int = 1, rounds: int = 0, **marks: bool) -> None:
        """Write a scene, as its referee does."""
        self._number += 1
        scene = Scene(tables, 1, rounds, **marks)
        self.store.scenes.put([Shown(MATCH, epoch, self._number, scene)])
        self.now += 1.0

    def see(self, watcher: Watcher, match: str = MATCH) -> Glimpse | None:
        """Look on."""
        return watcher.see(self.gallery.get(match, "10.0.0.1"))

    def wanted(self) -> tuple[str, ...]:
        """Return what is watched, in the order in which its referee is told."""
        return self.store.matches.beat("referee-test", {}).watched

    def watcher(self) -> Watcher:
        """Return somebody who has seen nothing yet."""
        return Watcher(self.summaries)


@pytest.fixture
def hall(house: House) -> Hall:
    """A house in which a match is being played."""
    return Hall(house)


def after(events: bytes, first: int = 0, **changes: object) -> LiveTable:
    """Return the table with these events."""
    return replace(TABLE, events=events, first=first, **changes)  # type: ignore[arg-type]


def test_whoever_watches_one_match_wants_it_before_all_that_others_watch_beside_many(hall: Hall) -> None:
    """A match stands where whoever wants fewest before it has it."""
    matches = [f"ladder.uno-classic-2.8.{number}" for number in range(4)]
    for match in matches:
        hall.begin(match)
        hall.gallery.get(match, "10.0.0.1")
    assert hall.wanted() == tuple(matches)
    hall.now += gallery.WISH_S
    hall.gallery.get(matches[3], "10.0.0.2")
    assert hall.wanted() == (matches[0], matches[3], *matches[1:3])


def test_who_watches_has_the_match_shown(hall: Hall) -> None:
    """Its referee learns of it with the next beat, as long as somebody asks again."""
    hall.see(hall.watcher())
    assert hall.store.matches.beat("referee-test", {}).watched == (MATCH,)


def test_who_comes_late_sees_the_round_from_its_beginning(hall: Hall) -> None:
    """And who was there is told what is new."""
    early, late = hall.watcher(), hall.watcher()
    hall.show(TABLE, whole=True)
    first = hall.see(early)
    hall.show(after(b"more", 4))
    second, whole = hall.see(early), hall.see(late)
    assert first
    assert second
    assert whole
    assert [(table.first, table.events) for table in first.tables] == [(0, TABLE.events)]
    assert [(table.first, table.events) for table in second.tables] == [(4, b"more")]
    assert [(table.first, table.events) for table in whole.tables] == [(0, TABLE.events + b"more")]


def test_who_reads_slowly_is_told_the_newest_state_and_what_he_missed(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rounds that were over meanwhile, as far as they are kept; of the others, how many."""
    monkeypatch.setattr(gallery, "MOST_ENDED", 2)
    watcher = hall.watcher()
    hall.show(TABLE, whole=True, rounds=3)
    assert hall.see(watcher)
    for number in range(40):
        hall.show(replace(TABLE, round=number, end=END), rounds=4 + number)
        hall.gallery.get(MATCH)
    hall.show(replace(TABLE, round=40), rounds=43)
    seen = hall.see(watcher)
    assert seen
    assert [table.round for table in seen.tables] == [38, 39, 40]
    assert seen.skipped == 38


def test_what_a_new_referee_tells_again_is_known(hall: Hall) -> None:
    """Events have numbers, so nothing is told twice, and nothing of an old referee counts any more."""
    watcher = hall.watcher()
    hall.show(TABLE, whole=True, epoch=2)
    assert hall.see(watcher)
    hall.show(TABLE, after(b"late", 4), epoch=1)
    assert hall.see(watcher) is None
    hall.show(TABLE, whole=True, epoch=3)
    assert hall.see(watcher) is None
    hall.show(after(b"more", 4), epoch=3)
    seen = hall.see(watcher)
    assert seen
    assert [(table.first, table.events) for table in seen.tables] == [(4, b"more")]


def test_events_that_were_lost_are_a_gap_that_is_seen(hall: Hall) -> None:
    """The number of the first event says so."""
    watcher = hall.watcher()
    hall.show(TABLE, whole=True)
    hall.see(watcher)
    hall.show(after(b"far.", 40))
    seen = hall.see(watcher)
    assert seen
    assert [(table.first, table.events) for table in seen.tables] == [(40, b"far.")]


def test_a_table_that_is_not_shown_any_more_is_gone(hall: Hall) -> None:
    """A whole scene has all that there are."""
    hall.show(TABLE, replace(TABLE, game=1), whole=True)
    assert len(hall.gallery.get(MATCH).tables) == 2
    hall.show(replace(TABLE, game=1), whole=True)
    assert [table.game for table in hall.gallery.get(MATCH).tables] == [1]


def test_a_silent_referee_shows_nothing(hall: Hall) -> None:
    """What it showed last is not taken for what is."""
    hall.show(TABLE, whole=True)
    assert hall.gallery.get(MATCH).live is Live.SHOWN
    hall.now += gallery.SILENT_S + 1
    showing = hall.gallery.get(MATCH)
    assert (showing.live, showing.tables) == (Live.WAITING, ())


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(("SET", "no stream"), id="another kind of key"),
        pytest.param(("XADD", "9-9", "d", "{}"), id="no scene"),
        pytest.param(("XADD", "9-9", "d", '{"tables":[{}],"playing":1}'), id="no table"),
    ],
)
def test_a_scene_that_cannot_be_read_costs_nobody_anything(hall: Hall, damage: tuple[str, ...]) -> None:
    """It is passed over, and named once in the log."""
    command, *words = damage
    hall.store.link.read(command, hall.store.keys.live(MATCH), *words)
    assert hall.gallery.get(MATCH).tables == ()


def test_one_watches_so_many_matches_and_all_so_many(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond that a typed refusal; a minute later there is room again."""
    monkeypatch.setattr(gallery, "MOST_EACH", 1)
    monkeypatch.setattr(gallery, "MOST_MATCHES", 2)
    others = [f"ladder.uno-classic-2.7.{number}" for number in (1, 2)]
    for other in others:
        hall.begin(other)
    hall.gallery.get(MATCH, "10.0.0.1")
    with pytest.raises(TooManyError) as own:
        hall.gallery.get(others[0], "10.0.0.1")
    hall.gallery.get(others[0], "10.0.0.2")
    with pytest.raises(TooManyError) as all_of_them:
        hall.gallery.get(others[1], "10.0.0.3")
    assert (own.value.reason, all_of_them.value.reason) == ("TOO_MANY_WATCHED", "TOO_MANY_WATCHED")
    assert hall.gallery.get(MATCH, "10.0.0.1").row.id == MATCH
    hall.now += gallery.FORGET_S + 1
    assert hall.gallery.get(others[1], "10.0.0.1").row.id == others[1]


def test_the_end_waits_a_moment_for_what_is_left_to_be_shown(hall: Hall) -> None:
    """The last rounds come with the last scene; where none comes, the match is over all the same."""
    watcher = hall.watcher()
    hall.show(TABLE, whole=True)
    hall.see(watcher)
    hall.end()
    hall.now += 1
    assert hall.gallery.get(MATCH).live is Live.SHOWN
    hall.show(replace(TABLE, end=END), rounds=1, last=True)
    seen = hall.see(watcher)
    assert seen
    assert seen.live is Live.OVER
    assert [table.end for table in seen.tables] == [END]
