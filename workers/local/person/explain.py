"""What a question asks and what an option does, in the rules that are played."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Final

from lastcard.console import counted
from lastcard.faces import Card
from lastcard.option import Option
from lastcard.turn import Turn
from lastcard.words import Act, Kind
from referee.rules.cards import FACE
from referee.rules.dos.matching import same_color, values
from referee.rules.options import Rules
from workers.local.person.faces import NAMES

QUESTIONS: Final[dict[Kind, str]] = {
    Kind.TURN: (
        "Play a card of the colour in force, or of the same number or symbol as the top card, or a wild. Or draw a "
        "card; if it fits you may play it at once. You need not play."
    ),
    Kind.PLAY_DRAWN: "You may play the card that you drew, and no other one. Or keep it: your turn is over.",
    Kind.RESPOND_STACK: "Pass the cards that you owe on to the next seat with a draw card of your own, or draw them.",
    Kind.RESPOND_WILD_DRAW_FOUR: (
        "Accept, or challenge: you are shown the hand of the seat that played it. Was the card not allowed, that seat "
        "draws instead of you; was it allowed, you draw more."
    ),
    Kind.CHALLENGE_WINDOW: (
        "You may challenge a Wild Draw Four though it was not played on you. Was it not allowed, that seat draws; was "
        "it allowed, you draw. All answer at once, and a lot decides who of several challengers counts."
    ),
    Kind.CALL_WINDOW: (
        "A seat did not call in time. All answer at once: if it calls first it is safe, if another catches it first it "
        "draws. A lot decides who is first, never speed."
    ),
    Kind.FIRST_COLOR: "A wild was turned up: name the colour that the round begins with.",
    Kind.DRAFT_PICK: (
        "You see the top card and nobody else does. Keep it, and the next one is laid face up; or reject it, which "
        "lays it face up, and take the next one whatever it is."
    ),
    Kind.SPIN_SHOUT: "Whoever shouts first discards a card, any card, without effect. A lot decides who is first.",
    Kind.SPIN_DISCARD_COLOR: "Discard as many cards of one colour as you like. The last one is the new top.",
    Kind.SPIN_DISCARD_NUMBER: "Discard as many cards of one number as you like. The last one sets the colour.",
    Kind.SPIN_ALMOST_UNO: "Discard all cards but two, in the order that you give; the last one is the new top.",
    Kind.SPIN_WAR: (
        "All show their first card. The highest wins; who ties shows the next one. The winner discards what it showed. "
        "Give all your cards, and no higher one behind a lower one."
    ),
    Kind.DOS_TURN: (
        "Put one card with its number, or two cards that add up to it, on a card of the row; on each of them once a "
        "turn. One colour for all cards of a match earns you another card to place; with two cards the others draw, "
        "too. Or draw."
    ),
    Kind.DOS_AFTER_DRAW: "Match with any of your cards, or place one card in the row: your turn is over.",
    Kind.DOS_PLACE_BONUS: "Your matches of colour let you place so many cards in the row.",
    Kind.OTHER: "This program does not know the question; any option is legal.",
}


def question(turn: Turn) -> str:
    """Return what the question asks."""
    return QUESTIONS[turn.kind]


def option(turn: Turn, chosen: Option, rules: Rules | None) -> str:
    """Return what an option does; `rules` are those that are played, if they are known."""
    return _ACTS[chosen.act](turn, chosen, rules)


def _says(text: str) -> Callable[[Turn, Option, Rules | None], str]:
    return lambda turn, chosen, rules: text  # noqa: ARG005


def _played(turn: Turn, chosen: Option, rules: Rules | None) -> str:
    assert chosen.card is not None, "what is played is a card"
    points = f"It counts {counted(turn.points_of(chosen.card), 'point')} in a hand that is left over."
    twice = " Both cards go down; what they do happens twice." if chosen.act is Act.PLAY_DOUBLE else ""
    return f"{_effect(chosen.card, chosen, rules)}{twice} {points}"


def _effect(face: Card, chosen: Option, rules: Rules | None) -> str:
    if face.swirled:
        return "A swirled card: the next seat spins the wheel instead of taking its turn."
    known = rules.options if rules else {}
    loses = " and loses its turn" if known.get("draw_penalty_skips_turn", True) else ", then takes its turn"
    named = f" You name {NAMES[chosen.color]}." if chosen.color else " You name the colour."
    two = rules is not None and rules.seats == 2
    back = "Reverse: the direction turns."
    if two:
        skip = known.get("two_player_reverse") == "SKIP"
        back = "Reverse: with two seats it is your turn again." if skip else "Reverse: with two seats it does nothing."
    effects = {
        "S": "Skip: the next seat loses its turn.",
        "V": back,
        "D": f"Draw Two: the next seat draws two cards{loses}.",
        "W4": f"Wild Draw Four: the next seat draws four cards{loses}.{named}",
    }
    return effects.get(face.rank) or (f"Wild: it fits everything.{named}" if face.wild else "A number: nothing more.")


def _matched(turn: Turn, chosen: Option, rules: Rules | None) -> str:  # noqa: ARG001
    cards = [face.code for face in (chosen.card, chosen.second) if face]
    top = turn.row[chosen.slot]
    found = numbers_of(top.code, *cards)
    text = f"{'+'.join(FACE[face] for face in cards)} on {top}: {' + '.join(map(str, found))} = {sum(found)}."
    if not same_color(top.code, *cards):
        return f"{text} No colour is common to all, so it earns nothing more."
    return f"{text} All have one colour: you place another card" + (
        ", and everybody else draws." if len(cards) > 1 else "."
    )


def numbers_of(row: int, *cards: int) -> tuple[int, ...]:
    """Return the lowest numbers by which these cards match one of the row; nobody declares them.

    Raises:
        StopIteration: they do not match: the referee lists nothing like that.
    """
    found = product(*(sorted(values(card)) for card in cards))
    return next(numbers for numbers in found if sum(numbers) in values(row))


_PUT_DOWN: Final = _says("The card goes down without effect.")
_ACTS: Final[dict[Act, Callable[[Turn, Option, Rules | None], str]]] = {
    Act.PLAY: _played,
    Act.PLAY_DOUBLE: _played,
    Act.STACK: _played,
    Act.DRAW: _says("You draw a card. If it fits you are asked whether you play it."),
    Act.PASS: _says("Nothing happens through you."),
    Act.KEEP: _says("You keep the card."),
    Act.ACCEPT: lambda turn, chosen, rules: f"You draw {turn.pending} cards.",  # noqa: ARG005
    Act.CHALLENGE: _says("You say that the card was not allowed, and are shown that hand."),
    Act.CALL: _says("You make up for the call; if you are first you are safe."),
    Act.CATCH: _says("If you are first, that seat draws for its missed call."),
    Act.COLOR: _says("The round begins with this colour."),
    Act.REJECT: _says("The card shown is laid face up, and you take the next one unseen."),
    Act.DUMP: _says("All other cards of the colour go down, in your order, and only the last one acts."),
    Act.DISCARD: _PUT_DOWN,
    Act.SHOUT: _PUT_DOWN,
    Act.WAR: _says("Your place in the order is where you write it."),
    Act.MATCH: _matched,
    Act.PLACE: _says("The card joins the row, where anybody may match it."),
    Act.OTHER: _says("This program does not know the act; the referee lists it, so it is legal."),
}
