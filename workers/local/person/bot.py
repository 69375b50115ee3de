"""A bot that asks a person what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from rich.text import Text

from lastcard.answer import Answer, completed
from lastcard.bot import Bot
from lastcard.faces import Color
from lastcard.option import Option
from lastcard.result import GameResult, RoundResult
from lastcard.turn import Turn
from lastcard.words import Act, Kind, Order
from referee.formats.format import Format
from workers.local.person import explain
from workers.local.person.board import board, options
from workers.local.person.checks import problem, wanted
from workers.local.person.ending import game_end, round_end
from workers.local.person.typed import Leave, NotUnderstoodError, Picks, Question, read

PROMPT: Final = "> "
CALLING: Final = {Kind.DOS_TURN: 2, Kind.DOS_AFTER_DRAW: 2, Kind.DOS_PLACE_BONUS: 2}
"""Cards that are called when they are left; one in every other decision."""
DOWN: Final = frozenset({Act.PLAY, Act.STACK, Act.SHOUT, Act.DISCARD, Act.WAR, Act.MATCH, Act.PLACE, Act.DUMP})
"""What takes its card out of the hand."""
YES: Final = frozenset({"!", "y", "yes", "uno", "uno!", "dos", "dos!"})


class Person(Bot):
    """Shows each turn, and answers with what is typed. Ctrl-C, `q` and the end of the input leave the table.

    The call is `!` behind the numbers; where it may matter and is missing, it is asked for.
    """

    catch = Order.ASK
    challenge = Order.ASK
    late_call = Order.ASK

    def __init__(self, played: Format, say: Callable[[Text], object], ask: Callable[[str], str] = input) -> None:
        """Play a format; `say` writes a line, `ask` writes a prompt and returns the line that is typed then.

        `ask` raises EOFError at the end of the input.
        """
        self.formats = (played.name,)
        self._rules = played.rules
        self._say = say
        self._ask = ask

    def choose(self, turn: Turn) -> Answer:
        """Return what the person answers.

        Raises:
            KeyboardInterrupt: the person leaves.
        """
        self._show(board(turn))
        while True:
            answer = self._understood(turn, self._line(PROMPT))
            if answer is not None:
                return answer

    def on_round_end(self, result: RoundResult) -> None:
        """Show how a round ended."""
        self._show(round_end(result))

    def on_game_end(self, result: GameResult) -> None:
        """Show how a game ended."""
        self._show(game_end(result))

    def _show(self, lines: Iterable[Text]) -> None:
        for line in lines:
            self._say(line)

    def _line(self, prompt: str) -> str:
        try:
            return self._ask(prompt)
        except EOFError:
            raise KeyboardInterrupt from None

    def _understood(self, turn: Turn, text: str) -> Answer | None:
        """Return the answer of a line; None if it is none yet, and something was said about it."""
        try:
            typed = read(text)
        except NotUnderstoodError as error:
            self._say(Text(str(error)))
            return None
        match typed:
            case Leave():
                raise KeyboardInterrupt
            case Question(number):
                self._explain(turn, number)
                return None
            case Picks(numbers, call, color):
                return self._picked(turn, [number - 1 for number in numbers], call=call, color=color)

    def _explain(self, turn: Turn, number: int | None) -> None:
        if number is None:
            self._say(Text(explain.question(turn)))
            self._show(options(turn))
        elif 1 <= number <= len(turn.options):
            self._say(Text(explain.option(turn, turn.options[number - 1], self._rules)))
        else:
            self._say(Text(f"there is no option {number}; the numbers are 1 to {len(turn.options)}"))

    def _picked(self, turn: Turn, picks: list[int], *, call: bool, color: Color | None) -> Answer | None:
        if not picks and not turn.may_be_empty:
            if turn.kind is not Kind.SPIN_WAR:
                self._say(Text(f"type {wanted(turn)}, or ? for help"))
                return None
            picks = list(completed(turn, ()))
        wrong = problem(turn, picks)
        if wrong is not None:
            self._say(Text(wrong))
            return None
        chosen = [turn.options[pick] for pick in picks]
        if chosen and chosen[-1].open_color and color is None:
            color = self._color()
        if not call and self._rules.options.get("call_mode") != "OFF" and self._may_call(turn, chosen):
            call = self._line("Call? ! calls, Enter does not: ").strip().lower() in YES
        one_of_a_dump = len(picks) == 1 and turn.max_picks > 1 and chosen[0].act in {Act.DUMP, Act.DISCARD}
        return Answer(picks[0] if one_of_a_dump and turn.kind in {Kind.TURN, Kind.PLAY_DRAWN} else picks, call, color)

    def _color(self) -> Color:
        """Return the colour of a wild that comes to lie on top."""
        while True:
            text = self._line("Which colour? R, Y, G or B: ").strip().upper()
            if text in tuple(Color):
                return Color(text)

    @staticmethod
    def _may_call(turn: Turn, chosen: Sequence[Option]) -> bool:
        """Whether so few cards may be left that they are to be called."""
        calling = CALLING.get(turn.kind, 1)
        left = len(turn.hand) - sum(map(_leaving, chosen))
        if chosen and chosen[0].act is Act.DUMP and len(chosen) == 1:
            color = chosen[0].color or (chosen[0].card.color if chosen[0].card else None)
            left = sum(face.color is not color for face in turn.hand)
        to_place = sum(option.act is Act.MATCH for option in chosen)  # as many may be earned
        return bool(chosen) and left - to_place <= calling <= left


def _leaving(option: Option) -> int:
    if option.act is Act.PLAY_DOUBLE:
        return 2
    return ((option.card is not None) + (option.second is not None)) * (option.act in DOWN)
