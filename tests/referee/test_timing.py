"""What the log says of the time of decisions beside the milliseconds that were charged, and what people read there."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import logbook, timing
from referee.fold import fold
from referee.game_records import records
from referee.hosting.sessions import AGAIN_S
from referee.hosting.timekeeper import TICK_S
from referee.logbook import ActRecord, Author, CorruptLogError, Fault, TimeRecord
from referee.rules.verify import verify
from referee.timing import Blame, DecisionTime
from referee.varints import Reader
from tests.referee.playing import SEED, play_match, spec
from tests.referee.test_late import OVERDUE_S, PLAYED, Desk

pytestmark = pytest.mark.slow

SILENT = "the bot does not say how long it thought"


class Written(Desk):
    """A referee with one match, whose bots are asked one at a time; and what its log says of times."""

    def answer_after(self, seconds: float, thought_ms: int = 0, *, pick: int = 0) -> None:
        """Have whoever is asked answer after a time in which clocks are looked at."""
        self.deliver()
        self.tick_for(seconds)
        (session,) = [one for one in self.sessions if one.open]
        (seat,) = session.open
        self.host.asker.answer(session, seat.handle, seat.act, pick, 0, thought_ms)
        self.deliver()

    def stand_still(self, seconds: float) -> None:
        """Have the whole process stand still, and look at the clocks then."""
        self.now += seconds
        self.tick()

    @property
    def said(self) -> list[TimeRecord]:
        """What the log says of times."""
        return [one for entry in self.entries for one in logbook.records(entry) if isinstance(one, TimeRecord)]

    @property
    def times(self) -> list[DecisionTime]:
        """What people read there of the first game."""
        return timing.times_of(self.entries).get(0, [])


def test_answers_that_come_at_once_leave_the_log_as_it_is() -> None:
    """However long the bot says that it thought about them."""
    desk, chance = Written(), Random(5)
    for _ in range(200):
        desk.deliver()
        if chance.random() < 0.5:
            desk.now += 0.001  # far below what is slow, whatever it adds up to
        session = next(one for one in desk.sessions if one.open)
        (seat, *_) = session.open
        desk.timekeeper._last = desk.now
        desk.host.asker.answer(session, seat.handle, seat.act, 0, 0, 4_000_000_000)
    desk.deliver()
    answers = [one for entry in desk.entries for one in logbook.records(entry) if isinstance(one, ActRecord)]
    assert len(answers) >= 200
    assert desk.said == []


def test_a_slow_answer_is_logged_with_what_its_bot_says() -> None:
    """Sent, taken, charged and thought; the rest is the network's, or of the queue in the bot."""
    desk = Written()
    desk.answer_after(4.0, thought_ms=250)
    [one] = desk.times
    assert (one.round, one.decision, one.fault, one.given_back_ms, one.thought_ms) == (
        1,
        desk.said[0].decision,
        None,
        0,
        250,
    )
    assert one.charged_ms == one.taken_ms == pytest.approx(4000, abs=60)
    assert one.parts == {Blame.LINE: one.taken_ms - 250, Blame.THINKING: 250}
    assert one.why() == "network or the bot's queue: 3.7 s; thinking: 250 ms"


def test_time_in_which_we_stood_still_is_given_back_and_logged() -> None:
    """The bot is charged what is left, and the log says how much was ours; so does the counter."""
    desk = Written()
    desk.deliver()
    desk.stand_still(6.0)
    desk.answer_after(0.2, thought_ms=100)
    [one] = desk.times
    assert one.given_back_ms == pytest.approx(6000, abs=60)
    assert one.charged_ms == pytest.approx(250, abs=60)
    assert next(iter(one.parts)) is Blame.PLATFORM
    assert one.why().startswith("platform: 6.0 s, given back; network or the bot's queue: ")
    assert desk.host.metrics.given_back == {
        "standstill": pytest.approx(6.0, abs=0.06),
        "outage": 0.0,
        "search": 0.0,
    }
    assert desk.faults() == 0


def test_an_answer_that_lay_there_while_we_stood_still_costs_what_it_took_before() -> None:
    """It is read before the clocks are looked at."""
    desk = Written()
    desk.answer_after(1.0)
    desk.deliver()
    desk.tick_for(0.3)
    desk.now += 2.0
    desk.answer_after(0.0)
    _, one = desk.times
    assert one.given_back_ms == pytest.approx(2000, abs=60)
    assert one.charged_ms == pytest.approx(300, abs=60)


def test_a_short_answer_after_time_that_was_ours_is_logged_all_the_same() -> None:
    """What was given back is said, however little is charged."""
    desk = Written()
    desk.deliver()
    desk.stand_still(0.5)
    desk.answer_after(0.0)
    [one] = desk.times
    assert one.charged_ms < 100
    assert one.given_back_ms == pytest.approx(500, abs=60)


def test_time_in_which_the_store_was_silent_is_given_back() -> None:
    """Nobody could have answered with any effect."""
    desk = Written()
    desk.deliver()
    desk.tick_for(0.5)
    desk.silent = True
    desk.tick_for(3.0)
    desk.silent = False
    desk.answer_after(0.2)
    [one] = desk.times
    assert one.given_back_ms == pytest.approx(3500, abs=100)
    assert one.charged_ms == pytest.approx(200, abs=100)
    assert desk.host.metrics.given_back["outage"] >= one.given_back_ms / 1000 - 0.001


def test_who_never_answers_is_late_and_nobody_says_that_it_thought() -> None:
    """The log has the fault, since when it was asked, and that no answer came."""
    desk = Written()
    desk.deliver()
    desk.tick_for(OVERDUE_S)
    [one] = desk.times
    assert (one.fault, one.thought_ms, one.answered) == ("late", None, False)
    assert one.decision == desk.said[0].decision
    assert one.sent_ms == pytest.approx(0, abs=60)
    assert one.why() == f"no answer in {timing.span(one.charged_ms)}"


def test_what_is_given_back_belongs_to_its_question_alone() -> None:
    """The next one of the same seat begins with nothing, and so does one that is put anew with the whole time."""
    desk = Written()
    for _ in range(2 * len(PLAYED.entrants)):
        desk.deliver()
        desk.stand_still(1.0)
        desk.answer_after(0.0)
    assert [one.given_back_ms for one in desk.times] == [pytest.approx(1000, abs=60)] * 2 * len(PLAYED.entrants)
    desk.deliver()
    desk.stand_still(1.0)
    place, asked = next((place, one) for place, one in enumerate(desk.sessions) if one.open)
    desk.sessions[place] = desk.again(asked)
    desk.answer_after(0.3)
    assert desk.times[-1].given_back_ms == 0


def test_a_wrong_answer_is_logged_however_fast_it_was() -> None:
    """Who asks about a fault finds its time."""
    desk = Written()
    desk.answer_after(0.0, thought_ms=1, pick=200)
    [one] = desk.times
    assert (one.fault, one.thought_ms, one.decision is not None) == ("illegal", 1, True)


@pytest.mark.parametrize("thought_ms", [2**32 - 1, 5_000])
def test_who_reports_more_than_passed_gains_nothing_and_is_marked(thought_ms: int) -> None:
    """It is charged what was measured, and counted as thinking for as long as that."""
    desk = Written()
    desk.answer_after(1.0, thought_ms=thought_ms)
    [one] = desk.times
    assert one.charged_ms == pytest.approx(1000, abs=60)
    assert one.overstated
    assert one.parts == {Blame.THINKING: one.taken_ms}
    assert one.why().endswith(f"the bot reports {timing.span(thought_ms)}, more than passed")


def test_a_decision_that_was_never_put_says_so() -> None:
    """Whoever has used up its time of the round is defaulted at once."""
    entry = logbook.stamp(5) + logbook.act(0, 1, 3, 0, 0, Author.CLOCK, Fault.LATE, 0)
    [one] = timing.times_of([entry])[0]
    assert (one.decision, one.sent_ms, one.parts) == (None, None, {})
    assert one.why() == "not asked: the bot had used up its time of the round"


@pytest.mark.parametrize(
    ("time", "parts", "why"),
    [
        pytest.param((0, 0, 1, "illegal"), {}, "at once", id="at once"),
        pytest.param((900, 0, None, None), {Blame.UNKNOWN: 900}, f"bot or network: 900 ms, {SILENT}", id="silent bot"),
        pytest.param((900, 0, 900, None), {Blame.THINKING: 900}, "thinking: 900 ms", id="thinker"),
        pytest.param((900, 0, 905, None), {Blame.THINKING: 900}, "thinking: 900 ms", id="rounding is no lie"),
        pytest.param(
            (400, 600, 900, None),
            {Blame.THINKING: 900, Blame.PLATFORM: 600},
            "thinking: 900 ms; platform: 600 ms, given back",
            id="thought while we stood still",
        ),
        pytest.param(
            (9000, 1000, None, "late"),
            {Blame.UNKNOWN: 9000, Blame.PLATFORM: 1000},
            "no answer in 9.0 s; platform: 1.0 s, given back",
            id="no answer",
        ),
    ],
)  # fmt: skip
def test_the_words_name_the_most_to_blame_first(
    time: tuple[int, int, int | None, str | None], parts: dict[Blame, int], why: str
) -> None:
    """Of a decision's time: charged, given back, thought, with its fault."""
    one = DecisionTime(1, 1, 0, 7, 0, *time)
    assert (one.parts, one.why()) == (parts, why)


# -- the log


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 15), st.integers(0, 9999), st.integers(0, 2**32))))
def test_what_is_said_of_times_comes_back(said: list[tuple[int, int, int, int]]) -> None:
    """Encoding then reading is the identity."""
    wanted = [TimeRecord(game, seat, 3, ours, thought) for game, seat, ours, thought in said]
    entry = b"".join(
        logbook.time(one.game, one.seat, one.decision, one.given_back_ms, one.thought_ms) for one in wanted
    )
    assert list(logbook.records(entry)) == wanted


def test_remarks_of_a_later_version_are_passed_over() -> None:
    """Those of a type that is not known here, and what is added to one that is; a cut one is corrupt."""
    known = logbook.time(1, 2, 3, 4, 5)
    longer = bytes((known[0], known[1] + 2)) + known[2:] + b"\x07\xff"
    assert list(logbook.records(b"\x7f\x03abc" + longer + logbook.stamp(1))) == [
        TimeRecord(1, 2, 3, 4, 5),
        logbook.Stamp(1),
    ]
    for damaged in (known[:-1], b"\x7f\x03ab", bytes((known[0], known[1] - 1)) + known[2:]):
        with pytest.raises(logbook.CorruptLogError):
            list(logbook.records(damaged))


@given(st.data())
def test_a_fold_sees_nothing_of_them(data: st.DataObject) -> None:
    """Wherever they stand, and whatever they say: result, clocks and faults are the same."""
    chosen = spec("uno-classic-2", 1, with_nonces=True)
    play, entries = play_match(chosen, seed=4)
    number = st.integers(0, 2**40)
    with_times: list[bytes] = []
    for entry in entries:
        ends = [len(entry) - len(rest) for rest in _rests(entry)]
        cut = data.draw(st.sampled_from(ends))
        said = b"".join(logbook.time(*data.draw(st.tuples(*[number] * 5))) for _ in range(2))
        with_times.append(entry[:cut] + said + entry[cut:])
    assert fold(chosen, SEED, with_times).result() == fold(chosen, SEED, entries).result() == play.result()


def _rests(entry: bytes) -> list[bytes]:
    """Return what is left of an entry after each of its records."""
    reader, rests = Reader(entry, CorruptLogError), [entry]
    while reader.at < len(entry):
        logbook._read_one(reader)
        rests.append(entry[reader.at :])
    return rests


# -- the records of games


def _slow_game() -> tuple[list[bytes], dict[str, object]]:
    """Return the log of a match whose third answer was slow, and the record of its first game."""
    chosen = spec("uno-classic-2", 1)
    _, entries = play_match(chosen, seed=6)
    rests = _rests(entries[0])
    acts = [one for one in logbook.records(entries[0]) if isinstance(one, ActRecord)]
    cut = len(entries[0]) - len(rests[3])
    said = logbook.time(0, acts[2].seat, 17, 250, 90)
    log = [logbook.stamp(1000) + entries[0][:cut] + said + entries[0][cut:], *entries[1:]]
    return log, json.loads(json.dumps(dict(records(chosen, SEED, log))[0]))


def test_a_record_says_which_act_it_was() -> None:
    """By its number in the round, as the acts of the record are counted; a game without such acts says nothing."""
    log, record = _slow_game()
    [one] = timing.of_record(record)
    third = [one for one in logbook.records(log[0]) if isinstance(one, ActRecord)][2]
    acts = record["rounds"][0]["acts"]  # type: ignore[index]
    assert (one.decision, one.given_back_ms, one.thought_ms, one.charged_ms) == (17, 250, 90, third.ms)
    assert acts[one.act - 1]["seat"] == one.seat == third.seat  # type: ignore[operator]
    plain = dict(records(spec("uno-classic-2", 1), SEED, play_match(spec("uno-classic-2", 1), seed=6)[1]))
    assert "timing" not in plain[0]
    assert plain[0]["rounds"] == record["rounds"]


def test_a_record_with_times_verifies_and_its_digest_covers_them() -> None:
    """A changed time is found like any other byte."""
    _, record = _slow_game()
    assert verify(record) is None
    record["timing"][0]["thought_ms"] += 1  # type: ignore[index]
    wrong = verify(record)
    assert wrong is not None
    assert "digest" in wrong.message


@pytest.mark.parametrize("said", ["soon", [1], [{"round": 1}], [dict.fromkeys(timing.FIELDS, "x")], {}, None])
def test_a_field_of_somebody_else_is_not_read_as_ours(said: object) -> None:
    """Records may be commented with fields of anybody's."""
    assert timing.of_record({"timing": said}) == ()


def test_who_was_turned_away_by_an_outage_is_given_that_back_for_as_long_as_it_is_waited_for() -> None:
    """The log says so where it answers in the end."""
    desk = Written()
    desk.deliver()
    (session,) = [one for one in desk.sessions if one.open]
    player = desk.host.roster.player(session.bot, desk.now)
    player.expected = desk.now + AGAIN_S
    desk.tick_for(10.0)
    player.expected = 0.0
    desk.answer_after(2 * TICK_S)
    [one] = desk.times
    assert one.given_back_ms == pytest.approx(10_000, abs=200)
