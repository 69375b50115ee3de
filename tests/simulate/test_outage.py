"""Bots that a silent store turns away: they wait before they dial again, and that is our time."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from unittest.mock import patch

import pytest

from referee.hosting.roster import Player, Roster
from referee.hosting.timekeeper import Timekeeper, _asked
from referee.rules.round import Picks
from referee.trunk import frames
from tests.simulate.far import FarWorld, run_far
from tests.simulate.invariant import Invariant
from tests.simulate.manners import STEADY
from tests.simulate.run import judged, run_as
from tests.simulate.scenario import Fault, Kind, Scenario, scenario
from tests.simulate.world import World

pytestmark = pytest.mark.slow

OUTAGE_S = 6.0


def _first(*seeds: int) -> pytest.MarkDecorator:
    """Play the first of these seeds, and the others at night."""
    more = [pytest.param(seed, marks=pytest.mark.nightly) for seed in seeds[1:]]
    return pytest.mark.parametrize("seed", [seeds[0], *more])


PATIENT = replace(STEADY, think_s=(0.01, 0.15), backoff_s=(2.0, 16.0))
"""It waits as bots do that use the library: twice as long each time."""


LONG_OUTAGE_S = 60.0
MORE_PATIENT = replace(PATIENT, backoff_s=(0.5, 30.0))


def _cut_while_the_store_is_away(seed: int, *, silently: bool = False) -> Scenario:
    made = scenario(seed, (Kind.BOT_CUT_IN_OUTAGE,))
    fault = Fault(
        writes=30,
        seconds=0.0,
        kind=Kind.BOT_CUT_IN_OUTAGE,
        target=made.faults[0].target,
        size=OUTAGE_S,
        steps=int(silently),
    )
    bots = (PATIENT,) * len(made.bots)
    return replace(made, slots=1, bots=bots, loss=0.0, absent_s=20.0, faults=(fault,))


@contextmanager
def _begins_when_the_store_is_back() -> Iterator[None]:
    """The old mistake: clocks begin anew when the store is back, whether or not their bot is."""

    def excuse(self: Timekeeper, players: list[Player], now: float) -> None:
        for player in players:
            for format_name in list(player.away):
                player.excuse(now, format_name)
            for asked in _asked(player):
                asked.suspect = False
                self._give_back(asked, now - asked.started, now, "outage")

    with _expects_nobody(), patch.object(Timekeeper, "_excuse", excuse):
        yield


@contextmanager
def _expects_nobody() -> Iterator[None]:
    """The old mistake: whose line looks whole is not waited for, though it was turned away."""
    nobody = patch.object(Roster, "expect", lambda _self, _name, _until: None)
    whole = patch.object(Timekeeper, "_doubtful", lambda *_: False)
    with nobody, whole:
        yield


def _shows(play: Callable[[], World], mistake: AbstractContextManager[object]) -> World:
    """Return the run; it says something only as long as it breaks with the mistake that it once showed."""
    with mistake:
        assert any(one.invariant is Invariant.BLAMELESS for one in play().problems), "look for another seed"
    return play()


@_first(1, 5, 13)
def test_a_bot_that_still_waits_when_the_store_is_back_pays_nothing(seed: int) -> None:
    """Its clock begins anew when it is here, and not when the store is: it was told to come again later."""
    world = _shows(partial(run_as, _cut_while_the_store_is_away(seed)), _begins_when_the_store_is_back())
    assert not world.problems
    assert world.weather.done == [Kind.BOT_CUT_IN_OUTAGE]


@_first(5, 6, 11)
def test_a_bot_whose_line_is_not_known_to_be_broken_pays_nothing_either(seed: int) -> None:
    """It was turned away, whatever the referee believes of its stream."""
    assert not _shows(partial(run_as, _cut_while_the_store_is_away(seed, silently=True)), _expects_nobody()).problems


@_first(7, 2, 5)
def test_nor_does_it_where_its_bots_dialled_different_referees(seed: int) -> None:
    """Then its host hears of it through a trunk."""
    made = replace(_cut_while_the_store_is_away(seed), slots=2)
    assert not _shows(lambda: judged(FarWorld(made)), _begins_when_the_store_is_back()).problems


def _two_referees_without_the_store(seed: int, queue: int) -> FarWorld:
    """Cut a bot at one of two referees while both are without the store for long; so many times its matches wait."""
    made = _cut_while_the_store_is_away(seed)
    bots = (replace(MORE_PATIENT, max_games=1 if queue > 1 else MORE_PATIENT.max_games),) * len(made.bots)
    (fault,) = made.faults
    made = replace(made, slots=2, bots=bots, matches=made.matches * queue, faults=(replace(fault, size=LONG_OUTAGE_S),))
    world = FarWorld(made)
    with patch.object(world, "_cut_trunks", lambda _seconds: None):
        return judged(world)


def _only_who_was_turned_away_here() -> AbstractContextManager[object]:
    """The old mistake: a referee waits for those that it turned away itself."""
    return patch.object(Roster, "reopen", lambda _self, _now: None)


def _only_for_matches_in_play() -> AbstractContextManager[object]:
    """Half of it: matches that wait do not wait for who was turned away."""

    def reopen(self: Roster, now: float) -> None:
        for player in self.players.values():
            player.await_again(now)

    return patch.object(Roster, "reopen", reopen)


def test_a_bot_that_was_turned_away_at_another_referee_than_its_host_does_not_forfeit() -> None:
    """Its host cannot know of it: it waits for all who are away when the store is back."""
    assert not _shows(partial(_two_referees_without_the_store, 4, 1), _only_who_was_turned_away_here()).problems


def test_a_match_that_waits_is_not_played_without_a_bot_that_was_turned_away() -> None:
    """However long it was not seen."""
    assert not _shows(partial(_two_referees_without_the_store, 18, 3), _only_for_matches_in_play()).problems


def _knows_nothing_of_its_door() -> AbstractContextManager[object]:
    """The old mistake: while the ledger is asked who somebody is, its old line, which may be dead, is charged."""
    return patch.object(Roster, "knocking", lambda _self: [])


def test_a_bot_that_waits_at_the_door_for_a_lost_reply_pays_nothing() -> None:
    """The store was away for a fifth of a second; the reply that it owed came two seconds later."""
    play = partial(run_far, 60020, (Kind.BOT_CUT_IN_OUTAGE, Kind.PARTITION))
    assert not _shows(play, _knows_nothing_of_its_door()).problems


def _home_keeps_what_it_gave_back() -> AbstractContextManager[object]:
    """A mistake: the host is not told how much of an answer's time was its home's."""

    def planted(lane: int, handle: int, act: int, picks: Picks, flags: int, ms: int, _ours: int, thought: int) -> bytes:
        return answer(lane, handle, act, picks, flags, ms, 0, thought)

    answer = frames.answer
    return patch.object(frames, "answer", planted)


def _ponder_while_the_store_restarts(seed: int) -> FarWorld:
    """Play at two referees with bots that think for long, so that an outage meets them at it."""
    made = scenario(seed, (Kind.RESTART,))
    bots = (replace(STEADY, ponder=1.0),) * len(made.bots)
    return judged(FarWorld(replace(made, slots=2, bots=bots, loss=0.0)))


@_first(3, 2, 8)
def test_the_log_has_what_the_home_of_a_bot_gave_back(seed: int) -> None:
    """The host of the match reads it in the answer: it did not see that time itself."""
    assert not _shows(partial(_ponder_while_the_store_restarts, seed), _home_keeps_what_it_gave_back()).problems
