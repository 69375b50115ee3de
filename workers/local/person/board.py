"""The table as one seat sees it, and what it may do, numbered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from rich.text import Text

from lastcard.console import counted
from lastcard.option import Option
from lastcard.story import story
from lastcard.turn import Turn
from lastcard.words import Act, Kind
from workers.local.person.faces import NAMES, card, color, line, players, row, sorted_hand, told

QUESTIONS: Final[dict[Kind, str]] = {
    Kind.TURN: "Your turn.",
    Kind.PLAY_DRAWN: "You drew a card that fits.",
    Kind.RESPOND_STACK: "A draw card was played on you.",
    Kind.RESPOND_WILD_DRAW_FOUR: "A Wild Draw Four was played on you.",
    Kind.CHALLENGE_WINDOW: "A Wild Draw Four was played on another seat.",
    Kind.CALL_WINDOW: "A seat missed its call.",
    Kind.FIRST_COLOR: "Name the first colour.",
    Kind.DRAFT_PICK: "Pick a card.",
    Kind.SPIN_SHOUT: "Shout, and perhaps discard a card.",
    Kind.SPIN_DISCARD_COLOR: "Discard cards of one colour, or none.",
    Kind.SPIN_DISCARD_NUMBER: "Discard cards of one number, or none.",
    Kind.SPIN_ALMOST_UNO: "Discard all cards but two.",
    Kind.SPIN_WAR: "Put your cards in order for the war, the highest first.",
    Kind.DOS_TURN: "Your turn: match cards of the row.",
    Kind.DOS_AFTER_DRAW: "You drew: match, or place one card.",
    Kind.DOS_PLACE_BONUS: "Place your bonus cards.",
    Kind.OTHER: "Choose.",
}


def board(turn: Turn) -> Iterator[Text]:
    """Yield the lines that show a turn: what happened, the table, the seats, the hand, and the options."""
    names = players(turn.seat, turn.entrants, len(turn.counts))
    yield Text()
    for sentence in story(turn.events, names):
        yield line("  ", told(sentence))
    yield _table(turn)
    yield _seats(turn, names)
    yield line("Hand    ", row(sorted_hand(turn.hand)))
    yield line(Text(QUESTIONS[turn.kind], "bold"), _shown(turn))
    yield from options(turn)
    yield Text(prompt_help(turn), "dim")


def options(turn: Turn) -> Iterator[Text]:
    """Yield the options of a turn, numbered from 1."""
    for option in turn.options:
        yield line(f"{option.index + 1:>4}  ", describe(turn, option))


def prompt_help(turn: Turn) -> str:
    """Return what may be typed."""
    several = ""
    if turn.max_picks > 1:
        least = 0 if turn.may_be_empty else turn.min_picks
        number = str(least) if least == turn.max_picks else f"{least} to {turn.max_picks}"
        several = f"{number} numbers with spaces between{', or nothing' if turn.may_be_empty else ''}; "
    return f"({several or 'a number; '}! behind it calls; ? explains, ?3 explains option 3; q leaves)"


def _table(turn: Turn) -> Text:
    parts: list[str | Text] = ["Table   "]
    if turn.row:
        cards = [line(f"{place}:", card(face)) for place, face in enumerate(turn.row, 1)]
        parts += ["row ", Text("  ").join(cards)]
    else:
        parts += ["top ", card(turn.top) if turn.top else "nothing"]
        if turn.color:
            parts += [", colour ", color(turn.color)]
        parts.append(", clockwise" if turn.direction > 0 else ", counter-clockwise")
    parts.append(f", draw pile {turn.draw_pile}, discards {turn.discard_pile}")
    if turn.pending:
        parts.append(f", {turn.pending} cards owed")
    return line(*parts)


def _seats(turn: Turn, names: list[str]) -> Text:
    scores = turn.scores if any(turn.scores) else ()
    shown = []
    for seat, (name, count) in enumerate(zip(names, turn.counts, strict=True)):
        points = f", {scores[seat]} points" if scores else ""
        mark = "*" if seat == turn.turn_seat else ""
        shown.append(f"{mark}{name} {counted(count, 'card')}{points}")
    return Text("Seats   " + " | ".join(shown))


def _shown(turn: Turn) -> Text:
    """The card that the question is about."""
    return line(" ", card(turn.drawn)) if turn.drawn else Text()


def describe(turn: Turn, option: Option) -> Text:
    """Return an option in words."""
    return _WORDS[option.act](turn, option)


def _plain(text: str) -> Callable[[Turn, Option], Text]:
    return lambda turn, option: Text(text)  # noqa: ARG005


def _with_card(text: str) -> Callable[[Turn, Option], Text]:
    def words(turn: Turn, option: Option) -> Text:  # noqa: ARG001
        parts: list[str | Text] = [text]
        if option.card:
            parts += [" ", card(option.card)]
        if option.color:
            parts += [", naming ", color(option.color)]
        return line(*parts)

    return words


def _double(turn: Turn, option: Option) -> Text:
    return line(_with_card("play")(turn, option), " twice")


def _accept(turn: Turn, option: Option) -> Text:  # noqa: ARG001
    return Text(f"accept: draw {turn.pending}")


def _match(turn: Turn, option: Option) -> Text:
    cards = Text("+").join(card(face) for face in (option.card, option.second) if face)
    return line("put ", cards, " on ", card(turn.row[option.slot]), f" (card {option.slot + 1} of the row)")


def _dump(turn: Turn, option: Option) -> Text:  # noqa: ARG001
    if option.card:
        return line("play ", card(option.card), " and dump all other cards of its colour")
    return Text(f"dump all cards that are {NAMES[option.color]}" if option.color else "dump")


def _color(turn: Turn, option: Option) -> Text:  # noqa: ARG001
    return color(option.color) if option.color else Text("a colour")


_WORDS: Final[dict[Act, Callable[[Turn, Option], Text]]] = {
    Act.PLAY: _with_card("play"),
    Act.PLAY_DOUBLE: _double,
    Act.DRAW: _plain("draw a card"),
    Act.PASS: _plain("do nothing"),
    Act.KEEP: _plain("keep it"),
    Act.STACK: _with_card("pass it on with"),
    Act.ACCEPT: _accept,
    Act.CHALLENGE: _plain("challenge"),
    Act.CALL: _plain("call, late"),
    Act.CATCH: _plain("catch that seat"),
    Act.COLOR: _color,
    Act.REJECT: _plain("reject it and take the next card unseen"),
    Act.DUMP: _dump,
    Act.DISCARD: _with_card("discard"),
    Act.SHOUT: _with_card("shout and discard"),
    Act.WAR: _with_card("fight with"),
    Act.MATCH: _match,
    Act.PLACE: _with_card("place"),
    Act.OTHER: _with_card("choose"),
}
