"""Turns, options and events as a bot author meets them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard import Act, Color, EventKind, History, Kind, Turn
from lastcard.answer import compose
from lastcard.errors import InputError, ProtocolError
from lastcard.faces import COLOR_CODES, DOS_CODES, UNO_CODES, card
from lastcard.practice import ACT_CODES, row, turn
from lastcard.v1 import cards_pb2
from lastcard.v1 import play_pb2 as pb
from lastcard.view import Decision


def test_options_read_as_a_person_would_write_them() -> None:
    """Act, card, colour."""
    asked = turn("PLAY R5", "PLAY W4 G", "PLAY_DOUBLE R7", "DRAW", hand="R5 R7 R7 W4")
    assert [str(option) for option in asked.options] == ["PLAY R5", "PLAY W4 G", "PLAY_DOUBLE R7", "DRAW"]
    wild = asked.options[1]
    assert (wild.index, wild.act, wild.card, wild.color) == (1, Act.PLAY, "W4", Color.GREEN)


@pytest.mark.parametrize(
    ("option", "points"),
    [
        pytest.param("PLAY R5", 5, id="number"),
        pytest.param("PLAY W4 G", 50, id="wild draw four"),
        pytest.param("PLAY_DOUBLE R7", 14, id="double counts twice"),
        pytest.param("DISCARD YS", 20, id="discard"),
        pytest.param("DRAW", 0, id="draw"),
        pytest.param("KEEP R9", 0, id="a kept card stays"),
        pytest.param("COLOR B", 0, id="colour"),
    ],
)
def test_points_are_what_leaves_the_hand(option: str, points: int) -> None:
    """Nothing leaves with a draw or a keep."""
    assert turn(option).options[0].points == points


def test_points_of_a_double_match_are_those_of_both_cards() -> None:
    """DOS: first and second card; the slot says where."""
    option = turn("MATCH R1+W2 ON 1", game_format="dos-2").options[0]
    assert (option.points, option.card, option.second, option.slot) == (21, "R1", "W2", 1)
    assert str(option) == "MATCH R1+W2 ON 1"


def test_points_of_duo_are_its_own() -> None:
    """The format decides what a face counts."""
    asked = turn("PLAY W4 R", "PLAY RS", game_format="duo")
    assert [option.points for option in asked.options] == [20, 10]
    assert asked.points_of(card("W")) == 15


def test_equal_options_of_different_turns_are_the_same_object() -> None:
    """They are made once, so that a turn is cheap."""
    assert turn("PLAY R5", "DRAW").options[0] is turn("PLAY R5", "PLAY R6").options[0]


def test_a_turn_from_the_wire_equals_one_from_columns() -> None:
    """The message's decision and plain columns read alike."""
    plain = Decision(
        kind=1, hand=b"\x05\x06", option_act=b"\x01\x03", option_card=b"\x05\x00", top=9, color=1, counts=b"\x02\x07"
    )
    message = pb.Turn(act=4, event_kind=b"\x06", event_seat=b"\x00", event_card=b"\x00", event_arg=b"\x01")
    message.decision.MergeFrom(
        pb.Decision(
            kind=cards_pb2.DECISION_KIND_TURN,
            hand=plain.hand,
            option_act=plain.option_act,
            option_card=plain.option_card,
            top=cards_pb2.CARD_RED_8,
            color=cards_pb2.COLOR_RED,
            counts=plain.counts,
        )
    )
    wired, made = Turn.from_wire(message, History("r", 0)), Turn(plain, History("r", 0))
    for name in ("kind", "hand", "top", "color", "counts", "options", "min_picks", "max_picks", "pending", "direction"):
        assert getattr(wired, name) == getattr(made, name)
    assert (wired.act, len(wired.events), len(made.events)) == (4, 1, 0)


def test_nothing_to_see_reads_none() -> None:
    """No top, no colour, no drawn card."""
    asked = turn("DRAW")
    assert (asked.top, asked.color, asked.drawn, asked.row) == (None, None, None, ())
    assert turn("DRAW", counts=(1, 2, 3)).scores == (0, 0, 0)


def test_words_newer_than_this_library_read_other() -> None:
    """A bot that picks among options plays on."""
    asked = Turn(Decision(kind=200, hand=b"", option_act=b"\xc8", option_card=b"\xfa"), History("r", 0))
    assert (asked.kind, asked.options[0].act, asked.options[0].card) == (Kind.OTHER, Act.OTHER, "?")
    assert compose(asked, asked.options[0]).picks == (0,)


def test_events_tell_color_call_double_and_reason() -> None:
    """From the argument column."""
    history = History("r", 1)
    history.add(0, b"\x07\x0a\x1c", b"\x00\x01\xff", b"\x35\x00\x00", bytes([3 | 8 | 16, 2, 1]))
    played, drew, end = history.events()
    assert (played.kind, played.card, played.color, played.called, played.double) == ("PLAYED", "W", "G", True, True)
    assert (drew.kind, drew.card, drew.reason, drew.color) == ("DREW", None, "PENALTY", None)
    assert (end.kind, end.seat) == (EventKind.ROUND_END, None)


def test_a_turn_keeps_what_was_known_when_it_was_asked() -> None:
    """Later events of the round do not show in an earlier turn."""
    history = History("r", 0)
    history.add(0, b"\x06", b"\x00", b"\x00", b"\x01")
    first = turn("DRAW")
    first = Turn(first.view, history)
    history.add(1, b"\x0c\x06", b"\x00\x01", b"\x00\x00", b"\x00\x01")
    assert len(first.past) == 1
    compose(first, 0)
    assert [event.kind for event in Turn(first.view, history).events] == ["PASSED", "TURN"]


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 20)), max_size=20))
def test_events_are_known_once_however_often_they_are_told(tells: list[tuple[int, int]]) -> None:
    """Overlapping repeats add only what is new; a gap is refused and changes nothing."""
    history = History("r", 0)
    for first, length in tells:
        before = len(history)
        column = bytes((first + place) % 256 for place in range(length))
        if first > before:
            with pytest.raises(ProtocolError):
                history.add(first, column, column, column, column)
            assert len(history) == before
        else:
            history.add(first, column, column, column, column)
            assert len(history) == max(before, first + length)
    assert history.args == bytes(range(len(history)))


def test_columns_of_different_length_are_refused() -> None:
    """Nothing of them is taken."""
    history = History("r", 0)
    with pytest.raises(ProtocolError):
        history.add(0, b"\x01\x02", b"\x01", b"\x01\x02", b"\x01\x02")
    assert len(history) == 0


FACES = st.sampled_from(sorted(UNO_CODES)) | st.just("")
DOS_FACES = st.sampled_from(sorted(DOS_CODES))


@given(st.sampled_from(sorted(set(ACT_CODES) - {"MATCH"})), FACES, st.sampled_from(["", *"RYGB"]))
def test_an_option_printed_and_read_is_the_same(act: str, face: str, color: str) -> None:
    """Print then read is the identity."""
    [option] = turn(" ".join(part for part in (act, face, color) if part)).options
    codes = (ACT_CODES[act], UNO_CODES.get(face, 0), 0, COLOR_CODES.get(color, 0))
    assert row(str(option), UNO_CODES)[:4] == codes


@given(DOS_FACES, DOS_FACES | st.just(""), st.integers(0, 200))
def test_a_match_printed_and_read_is_the_same(first: str, second: str, slot: int) -> None:
    """Also with one card, two cards and a slot."""
    cards = f"{first}+{second}" if second else first
    [option] = turn(f"MATCH {cards} ON {slot}", game_format="dos-2").options
    assert str(option) == f"MATCH {cards} ON {slot}"
    assert row(str(option), DOS_CODES)[4] == slot


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param({"options": "JUMP R5"}, id="no such act"),
        pytest.param({"options": "PLAY R11"}, id="no such face"),
        pytest.param({"hand": "Q1"}, id="no such card in hand"),
        pytest.param({"kind": "LUNCH"}, id="no such kind"),
        pytest.param({"color": "P"}, id="no such colour"),
        pytest.param({"options": "MATCH R5 ON x", "game_format": "dos-2"}, id="no such slot"),
        pytest.param({"options": "MATCH ON", "game_format": "dos-2"}, id="a match without a slot"),
    ],
)
def test_practice_refuses_text_that_names_nothing(bad: dict[str, str]) -> None:
    """With what is allowed."""
    options = bad.pop("options", "DRAW")
    with pytest.raises(InputError) as caught:
        turn(options, **bad)  # type: ignore[arg-type]
    assert caught.value.allowed
    assert str(caught.value.allowed[0]) in str(caught.value)


def test_a_turn_without_an_option_is_refused() -> None:
    """There is none in the protocol."""
    with pytest.raises(InputError, match="an option at least"):
        turn(hand="R5")


def test_a_turn_is_cheap() -> None:
    """Built from columns, looked through and answered in 6 us (goal), 30 us (floor, on a busy machine)."""
    history = History("m/0/0/0", 0)
    options = turn(
        *[f"PLAY {face}" for face in ["R1", "R2", "R5", "R7", "RS", "RD"]], *[f"PLAY W {c}" for c in "RYGB"], "DRAW"
    )
    view = options.view
    hand, acts, cards, colors = view.hand, view.option_act, view.option_card, view.option_color

    def one() -> None:
        asked = Turn(Decision(1, hand, acts, cards, colors, top=3, color=1, counts=b"\x07\x07"), history)
        compose(asked, max(asked.options, key=lambda option: option.points))

    best = min(seconds(one, 2000) for _ in range(5))
    assert best < 30e-6


def seconds(call: object, times: int) -> float:
    """Return CPU seconds per call."""
    started = time.process_time()
    for _ in range(times):
        call()  # type: ignore[operator]
    return (time.process_time() - started) / times
