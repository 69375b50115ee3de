"""Games move by move: as tables for people, plain where there is no terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, TextIO

from rich.text import Text

from ladder.terminal.screen import say, show_table
from lastcard.console import counted
from referee.rules.branch import until
from referee.rules.gametext import print_act
from referee.rules.replay import Step, steps
from referee.rules.setup import observe
from referee.timing import DecisionTime, of_record, span

if TYPE_CHECKING:
    from referee.rules.replay import Divergence

__all__ = ["game_shape", "moment", "show_game", "show_moment", "show_verdict"]

MOVES: Final = ("act", "bot", "move", "top", "cards", "hand")
TIMES: Final = ("act", "bot", "sent", "took", "says", "charged", "given back", "fault", "why")
LEGEND: Final = "move: act, card, colour named; ! = with the call, UNO! or DOS!"
TABLE_LEGEND: Final = f"{LEGEND}   top: (R) = another colour is in force   cards: left in each hand, by seat"
TIMES_LEGEND: Final = (
    "slow, late and wrong answers   act: as numbered in the moves above   sent: after the match was taken on   "
    "took: until the answer was there = charged + given back   says: how long the bot says it thought"
)
STYLES: Final = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}


def show_verdict(source: str, games: int, game: int | None, wrong: Divergence | None) -> None:
    """Say in a sentence whether everything follows, or what does not."""
    if wrong is None:
        say(f"{source}: {counted(games, 'game')} played again, and everything follows")
        return
    where = f"game {game}: " if game is not None else ""
    say(f"{source}: {where}{wrong.message}")


def game_shape(record: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return a game move by move as JSON.

    Raises:
        DivergedError: something in the record does not follow.
    """
    times = of_record(record)
    rounds = [
        {"round": found, "dealer": record["rounds"][found - 1]["dealer"], "steps": shapes, "result": result}
        | {"timing": [one.shown() for one in times if one.round == found]}
        for found, shapes, result in _rounds(record)
    ]
    named = {
        name: record.get(name) for name in ("game_id", "variant", "preset", "seats", "bots", "format_id", "ruleset")
    }
    return {"game": number, **named, "rounds": rounds, "result": record["result"]}


def _rounds(record: Mapping[str, Any]) -> Iterator[tuple[int, list[dict[str, Any]], Any]]:
    for number, played in groupby((_shape(step) for step in steps(record)), key=lambda shape: shape.pop("round")):
        yield number, list(played), record["rounds"][number - 1]["result"]


def _shape(step: Step) -> dict[str, Any]:
    return {
        "round": step.round,
        "act": step.act,
        "move": step.written,
        "text": None if step.written is None else print_act(step.written),
        **observe(step.game.round),
    }


def moment(record: Mapping[str, Any], number: int, act: int) -> dict[str, Any]:
    """Return the table after an act of a round.

    Raises:
        NoSuchMomentError: there is no such round or act.
        DivergedError: something before it does not follow.
    """
    shape: dict[str, Any] = {}
    for step in until(record, number, act):
        if (step.round, step.act) == (number, act):
            shape = _shape(step)
    return {name: shape.pop(name) for name in ("round", "act", "move", "text")} | {"table": shape}


def show_moment(record: Mapping[str, Any], found: Mapping[str, Any], stream: TextIO | None = None) -> None:
    """Show the table after an act."""
    table: Mapping[str, Any] = found["table"]
    names = _names(record)
    done = "the cards are dealt" if found["move"] is None else f"{names[found['move']['seat']]} {_move(found)}"
    say(f"round {found['round']}, act {found['act']}: {done}", stream)
    say(
        "asked: " + (", ".join(f"{names[int(seat)]} {kind}" for seat, kind in table["ask"].items()) or "nobody"), stream
    )
    for seat, hand in table["hand"].items():
        say(_line(f"{names[int(seat)]}: ", hand), stream)
    for name, pile in (("row", table["row"]), ("discard, top last", table["discard_cards"])):
        if pile:
            say(_line(f"{name}: ", pile), stream)
    say(_line("draw pile, top first: ", table["draw_cards"]), stream)
    rest = ("color", "dir", "pending", "drawn", "turns", "out", "bonus", "owes", "dump_right")
    say("  ".join(f"{name} {_plain(table[name])}" for name in rest if table[name] not in (None, [], 0)), stream)
    say(LEGEND, stream)


def show_game(record: Mapping[str, Any], number: int, stream: TextIO | None = None) -> None:
    """Show a game move by move, with the hands.

    Raises:
        DivergedError: something in the record does not follow.
    """
    names, times = _names(record), of_record(record)
    say(f"game {number}: {_title(record)}", stream)
    say(TABLE_LEGEND, stream)
    for found, shapes, result in _rounds(record):
        dealt = shapes[0]
        say(f"round {found}: {names[record['rounds'][found - 1]['dealer']]} deals", stream)
        for seat, hand in dealt["hand"].items():
            say(_line(f"  {names[int(seat)]}: ", hand), stream)
        if dealt["row"] or dealt["top"]:
            say(_line("  on the table: ", dealt["row"] or [dealt["top"]]), stream)
        show_table(MOVES, (_row(shape, names) for shape in shapes[1:]), stream)
        show_times([one for one in times if one.round == found], names, stream)
        say(f"round {found} ends: {result['end']}, points {_each(names, result['points'])}", stream)
    ended = record["result"]
    say(f"game {number} ends: {ended['end']}, places {_each(names, ended['places'])}", stream)


def show_times(times: Sequence[DecisionTime], names: Sequence[str], stream: TextIO | None = None) -> None:
    """Show what became of the time of decisions that were slow, late or wrong, if any were."""
    if times:
        say(TIMES_LEGEND, stream)
        show_table(TIMES, (_time(one, names) for one in times), stream)


def _time(one: DecisionTime, names: Sequence[str]) -> tuple[object, ...]:
    sent = "-" if one.sent_ms is None else span(one.sent_ms)
    says = "-" if one.thought_ms is None else span(one.thought_ms)
    charged, ours = span(one.charged_ms), span(one.given_back_ms) if one.given_back_ms else "-"
    name = names[one.seat] if one.seat in range(len(names)) else f"seat {one.seat}"
    return one.act, name, sent, span(one.taken_ms), says, charged, ours, one.fault or "-", one.why()


def _title(record: Mapping[str, Any]) -> str:
    known = (record.get("game_id"), record.get("format_id") or record["preset"])
    rules = f"rules {record['ruleset']}" if "ruleset" in record else ""
    return ", ".join(str(part) for part in (*known, rules, f"{record['seats']} seats") if part)


def _names(record: Mapping[str, Any]) -> list[str]:
    """Return who sits where; seats without a bot are called by their number."""
    bots = record.get("bots")
    seats = range(record["seats"])
    if isinstance(bots, list) and len(bots) == len(seats):
        return [str(bot) for bot in bots]
    return [f"seat {seat}" for seat in seats]


def _row(shape: Mapping[str, Any], names: Sequence[str]) -> tuple[object, ...]:
    """Return a move: who, what, the top card and the colour in force, the sizes of all hands, the hand after it."""
    seat = shape["move"]["seat"]
    top = _cards(shape["row"]) if shape["row"] else _cards([shape["top"]] if shape["top"] else [])
    if shape["color"] and (shape["top"] or "")[:1] != shape["color"]:
        top.append(f" ({shape['color']})", STYLES[shape["color"]])
    sizes = " ".join(map(str, shape["hands"]))
    return shape["act"], names[seat], _move(shape), top, sizes, _cards(shape["hand"][str(seat)])


def _move(shape: Mapping[str, Any]) -> str:
    """Return a move as the notation writes it, without its seat."""
    return str(shape["text"]).partition(" ")[2]


def _cards(cards: Sequence[str]) -> Text:
    """Return cards in their colours, with spaces between."""
    return Text(" ").join(Text(card, STYLES.get(card[0], "bold")) for card in cards)


def _line(label: str, cards: Sequence[str]) -> Text:
    return Text(label).append_text(_cards(cards))


def _each(names: Sequence[str], values: Sequence[int]) -> str:
    return ", ".join(f"{name} {value}" for name, value in zip(names, values, strict=True))


def _plain(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
