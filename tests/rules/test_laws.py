"""Laws that hold for every game, preset, set of options and number of seats; that of cards: test_random_rounds.py."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.rules import view
from referee.rules.cards import canonical
from referee.rules.errors import IllegalAnswerError
from referee.rules.events import SIZE
from referee.rules.games import GAMES, resolve
from referee.rules.presets import PRESETS
from referee.rules.record import RecordedGame
from referee.rules.round import Round
from referee.rules.verify import verify
from referee.rules.vocabulary import EventKind
from tests.rules.playing import AVAILABLE, orders, play, rulesets, some_answer, source, start, step
from tests.rules.watching import public

pytestmark = pytest.mark.slow

SEEDS = st.integers(0, 10**6)
every_preset = pytest.mark.parametrize("preset", AVAILABLE)
some = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@every_preset
@some
@given(data=st.data(), seed=SEEDS)
def test_whoever_is_asked_has_options_and_a_legal_default(preset: str, data: st.DataObject, seed: int) -> None:
    """Until the round is over somebody is asked, has at least one legal answer, and the default is one."""
    round_ = start(data.draw(rulesets(preset)), seed)

    def look(now: Round) -> None:
        assert now.asked
        for seat, kind in now.asked.items():
            assert seat not in now.out
            assert now.options(seat) or now.picks(seat)[0] == 0
            assert len(now.columns(seat).act) == len(now.options(seat))
            assert now.asked[seat] is kind
            now.copy().apply(seat, *now.default(seat))
        if now.seat >= 0:
            assert now.asked == {now.seat: now.kind}

    play(round_, Random(seed), look)
    assert round_.asked == {}


@every_preset
@some
@given(data=st.data(), seed=SEEDS)
def test_an_answer_is_accepted_exactly_when_it_is_listed(preset: str, data: st.DataObject, seed: int) -> None:
    """Every listed option is legal; an index beyond the list is refused without a trace."""
    round_ = start(data.draw(rulesets(preset)), seed)
    rng = Random(seed)

    def look(now: Round) -> None:
        if rng.random() > 0.15:
            return
        for seat in now.asked:
            options = len(now.options(seat))
            if now.picks(seat) == (1, 1):
                for index in range(options):
                    now.copy().apply(seat, index, rng.random() < 0.5, 0)
            before = now.digest()
            for picks in (-1, options, (), (0, 0), (options,)):
                if picks == () and now.picks(seat)[0] == 0:
                    continue
                with pytest.raises(IllegalAnswerError):
                    now.apply(seat, picks, call=False, color=0)
            assert now.digest() == before
        for seat in set(range(now.n)) - set(now.asked):
            with pytest.raises(IllegalAnswerError):
                now.apply(seat, 0, call=False, color=0)

    play(round_, rng, look)
    with pytest.raises(IllegalAnswerError):
        round_.apply(0, 0, call=False, color=0)


@every_preset
@some
@given(data=st.data(), seed=SEEDS)
def test_the_order_of_sealed_answers_changes_nothing(preset: str, data: st.DataObject, seed: int) -> None:
    """The answers of a window lead to the same state and events in whatever order they come in."""
    round_ = start(data.draw(rulesets(preset)), seed)
    rng = Random(seed)

    def look(now: Round) -> None:
        if len(now.asked) < 2:
            return
        answers = {seat: some_answer(now, seat, rng) for seat in now.asked}
        digests = set()
        for order in orders(now.asked):
            other = now.copy()
            shown = len(other.events)
            for seat in order:
                assert other.asked.get(seat) is not None, "a seat is asked until it has answered"
                assert len(other.events) == shown, "nothing is told before the window closes"
                other.apply(seat, *answers[seat])
            digests.add(other.digest())
        assert len(digests) == 1

    play(round_, rng, look)


@every_preset
@some
@given(data=st.data(), seed=SEEDS)
def test_decisions_have_growing_ids(preset: str, data: st.DataObject, seed: int) -> None:
    """What is opened later has a higher id, and keeps it until it is closed."""
    round_ = start(data.draw(rulesets(preset)), seed)
    rng = Random(seed)
    while round_.result is None:
        before, asked = round_.asked_at, dict(round_.asked)
        step(round_, rng)
        same_window = len(asked) > 1 and set(round_.asked) < set(asked) and round_.asked_at == before
        left_while_another_is_asked = round_.asked == asked and round_.asked_at == before
        assert round_.asked_at > before or same_window or left_while_another_is_asked or round_.result


@every_preset
@some
@given(data=st.data(), seed=SEEDS)
def test_a_seat_sees_nothing_of_hidden_cards(preset: str, data: st.DataObject, seed: int) -> None:
    """Exchange the cards that a seat may not see among each other: its events, options and view stay the same bytes."""
    round_ = start(data.draw(rulesets(preset)), seed)
    rng = Random(seed)

    def look(now: Round) -> None:
        if rng.random() > 0.1:
            return
        for seat in now.asked:
            other = with_hidden_cards_exchanged(now, seat, rng)
            assert view.events(other, seat) == view.events(now, seat)
            assert public(other) == public(now)
            assert view.decision(other, seat) == view.decision(now, seat)

    play(round_, rng, look)


def with_hidden_cards_exchanged(round_: Round, seat: int, rng: Random) -> Round:
    """A copy in which all other hands and the draw pile have other cards, as many as before."""
    other = round_.copy()
    hidden = [hand for k, hand in enumerate(other.hands) if k != seat] + [other.draw]
    cards = bytearray().join(hidden)
    rng.shuffle(cards)
    for pile in hidden:
        pile[:] = cards[: len(pile)]
        del cards[: len(pile)]
    other.masks = [sum(1 << card for card in set(hand)) for hand in other.hands]
    return other


@every_preset
@some
@given(data=st.data(), seed=SEEDS)
def test_no_event_names_a_card_of_a_hand(preset: str, data: st.DataObject, seed: int) -> None:
    """What everybody may see names no card that was drawn; the drawer sees it, nobody else does."""
    round_ = play(start(data.draw(rulesets(preset)), seed), Random(seed))
    kinds, seats, cards, _ = public(round_)
    for number, (kind, seat, card) in enumerate(zip(kinds, seats, cards, strict=True)):
        if kind == EventKind.DREW:
            assert card == 0
            assert [bool(view.events(round_, k, number).card[0]) for k in range(round_.n)] == [
                k == seat for k in range(round_.n)
            ]


@every_preset
@some
@given(data=st.data(), seed=SEEDS)
def test_a_copy_is_independent_of_its_origin(preset: str, data: st.DataObject, seed: int) -> None:
    """Playing a copy leaves the origin as it was, and both go the same way with the same answers."""
    rules = data.draw(rulesets(preset))
    round_ = start(rules, seed)
    rng = Random(seed)
    for _ in range(seed % 40):
        if round_.result is None:
            step(round_, rng)
    before, other = round_.digest(), round_.copy()
    assert other.digest() == before
    play(other, Random(seed + 1))
    assert round_.digest() == before
    play(round_, Random(seed + 1))
    assert round_.digest() == other.digest()
    assert round_.result == other.result


@every_preset
@some
@given(data=st.data(), seed=SEEDS)
def test_every_round_ends_within_its_turns(preset: str, data: st.DataObject, seed: int) -> None:
    """However badly seats play, the number of turns is bounded, and places are a ranking."""
    rules = data.draw(rulesets(preset))
    round_ = start(rules, seed)
    while round_.result is None:
        for seat in sorted(round_.asked):
            if seat in round_.asked:
                round_.apply(seat, *round_.default(seat))
    assert round_.turns <= rules.number("max_turns_per_round")
    places = round_.result.places
    assert all(place == 1 + sum(other < place for other in places) for place in places)


@pytest.mark.sample(3)
@every_preset
@some
@given(data=st.data(), seed=SEEDS)
def test_a_played_game_has_a_record_that_verifies(preset: str, data: st.DataObject, seed: int) -> None:
    """A game writes its record while it is played; the verifier finds nothing in it, and the game repeats itself."""
    rules = data.draw(rulesets(preset))
    records = []
    for _ in range(2):
        rng = Random(seed)
        game = RecordedGame(rules, source(seed), seed % rules.seats)
        while not game.over:
            play(game.round, rng)
            game.advance()
        records.append(game.record())
    assert records[0] == records[1]
    assert verify(records[0]) is None


@every_preset
def test_the_events_of_a_seat_are_numbered_alike_for_all(preset: str) -> None:
    """Asking for the events from any number on gives the tail of all events."""
    rules = resolve(preset, {}, GAMES[PRESETS[preset].game].SEATS[0])
    round_ = play(start(rules, 11), Random(3))
    for seat in range(round_.n):
        whole = view.events(round_, seat)
        for first in range(0, view.count(round_) + 1, 7):
            assert view.events(round_, seat, first) == tuple(column[first:] for column in whole)
    assert view.count(round_) * SIZE == len(round_.events)


def test_canonical_order_sorts_by_place() -> None:
    """A swirled card stands right behind the plain one of its colour and rank; wilds come last."""
    assert list(canonical([56, 53, 58, 4, 3, 57])) == [57, 3, 58, 4, 53, 56]
