"""A bot, and how to run one."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from lastcard.answer import Choice
from lastcard.errors import InputError, LastcardError
from lastcard.result import GameResult, MatchResult, RoundResult
from lastcard.turn import Turn
from lastcard.words import Order

MOST_FORMATS: Final = 64
NONCE_BYTES: Final = 16
LONGEST_VERSION: Final = 64
MOST_GAMES: Final = 256
MOST_PROCESSES: Final = 8  # instances of a version that share its load


class Bot:
    """Override `choose`; the rest has defaults that play.

    What is set here is told to the referee when the bot connects.
    """

    formats: Sequence[str] = ("uno-classic-2",)  # what it plays; `lastcard formats list` shows all
    version: str = "1"  # a new string becomes the next immutable version `name@n`
    catch: str = Order.ALWAYS  # catch a seat that missed its call: ALWAYS, NEVER, or ASK me
    challenge: str = Order.ASK  # challenge a Wild Draw Four that was played on somebody else
    late_call: str = Order.ALWAYS  # make up for an own missed call
    max_games: int = 64  # rounds in flight
    max_open: int | None = None  # decisions open at once; None = as many as it is fast enough for
    processes: int = 1  # each thinks with its own copy of the bot

    def choose(self, turn: Turn) -> Choice | Awaitable[Choice]:
        """Return an option of `turn.options`, its index, a list of either, or an `Answer`. May be async."""
        raise NotImplementedError(f"{type(self).__name__} needs a method choose(self, turn)")

    def nonce(self, match: str) -> bytes:  # noqa: ARG002 (a bot may derive it from the match)
        """Return the 16 bytes that this bot adds to the deals of a match; nobody must be able to foresee them."""
        return secrets.token_bytes(NONCE_BYTES)

    def on_connect(self, name: str) -> object:
        """Take notice that a referee knows this bot as `name@n`; again after every reconnect."""

    def on_round_end(self, result: RoundResult) -> object:
        """Take notice that a round is over."""

    def on_game_end(self, result: GameResult) -> object:
        """Take notice that a game is over."""

    def on_match_end(self, result: MatchResult) -> object:
        """Take notice that a match is over."""


class Function(Bot):
    """A bot made of one function."""

    def __init__(self, choose: Callable[[Turn], Any]) -> None:
        """Choose with `choose(turn)`."""
        self.function = choose

    def choose(self, turn: Turn) -> Any:  # noqa: ANN401 (what it returns is checked when it is used)
        """Return what the function returns."""
        return self.function(turn)


def as_bot(what: Bot | type[Bot] | Callable[[Turn], Any]) -> Bot:
    """Return the bot that `what` is: a bot, a class of bots, or a function of a turn.

    Raises:
        InputError: it is none of them, or one of its settings is not possible.

    """
    if isinstance(what, type) and issubclass(what, Bot):
        what = what()
    if isinstance(what, Bot):
        return checked(what)
    if not callable(what):
        message = f"run() wants a Bot or a function of a turn, not {what!r}"
        raise InputError("NOT_A_BOT", message, field="bot", value=type(what).__name__)
    return Function(what)


def checked(bot: Bot) -> Bot:
    """Return `bot` if its settings are possible.

    Raises:
        InputError: one of them is not.

    """
    if type(bot).choose is Bot.choose:
        message = f"{type(bot).__name__} needs a method choose(self, turn)"
        raise InputError("NOT_A_BOT", message, field="bot", value=type(bot).__name__)
    if isinstance(bot.formats, str):
        bot.formats = (bot.formats,)
    orders = tuple(Order)
    need(bot, "formats", are_names(bot.formats), f"1 to {MOST_FORMATS} names of formats")
    need(bot, "version", is_version(bot.version), f"1 to {LONGEST_VERSION} ASCII characters, as text")
    need(bot, "max_games", is_count(bot.max_games, MOST_GAMES), f"1 to {MOST_GAMES}")
    need(bot, "max_open", bot.max_open is None or is_count(bot.max_open, MOST_GAMES), f"None or 1 to {MOST_GAMES}")
    need(bot, "processes", is_count(bot.processes, MOST_PROCESSES), f"1 to {MOST_PROCESSES}")
    for name in ("catch", "challenge", "late_call"):
        need(bot, name, getattr(bot, name) in orders, " or ".join(orders))
    return bot


def are_names(value: object) -> bool:
    """Return whether it is a list of names, not too long."""
    if not isinstance(value, Sequence) or not 1 <= len(value) <= MOST_FORMATS:
        return False
    return all(isinstance(name, str) for name in value)


def is_version(value: object) -> bool:
    """Return whether it is a version that a referee takes."""
    return isinstance(value, str) and value.isascii() and value.isprintable() and 1 <= len(value) <= LONGEST_VERSION


def is_count(value: object, most: int) -> bool:
    """Return whether it is a whole number from 1."""
    return isinstance(value, int) and 1 <= value <= most


def need(bot: Bot, name: str, good: bool, allowed: str) -> None:  # noqa: FBT001 (a condition, not a switch)
    """Check one setting of a bot.

    Raises:
        InputError: it is not `good`.

    """
    if not good:
        value = getattr(bot, name)
        message = f"{type(bot).__name__}.{name} is {value!r}; it may be {allowed}"
        raise InputError("BAD_BOT", message, field=name, value=value, allowed=(allowed,))


def run(
    bot: Bot | type[Bot] | Callable[[Turn], Any],
    server: str | None = None,
    token: str | None = None,
    *,
    token_file: str | os.PathLike[str] | None = None,
    formats: Sequence[str] = (),
    patience: float | None = None,
    argv: Sequence[str] | None = None,
) -> None:
    """Play until interrupted; ends the process with an exit code of `lastcard.errors.ExitCode`.

    `server` is a referee (`127.0.0.1:7410`, `tls://play.example.org:443`) or several with commas between. The options
    `--server`, `--token-file`, `--ca`, `--processes` and `--verbose` of the script win over the arguments, these over
    LASTCARD_SERVER, LASTCARD_TOKEN, LASTCARD_TOKEN_FILE and LASTCARD_CA_FILE. With `patience`, it gives up after that
    many seconds without a referee; otherwise it keeps trying.

    Raises:
        SystemExit: always.

    """
    from lastcard.console import exit_code, print_error
    from lastcard.settings import settings

    try:
        typed = sys.argv[1:] if argv is None else argv
        run_settings = settings(typed, os.environ, server=server, token=token, token_file=token_file, patience=patience)
        player = as_bot(bot)
        if formats:
            player.formats = tuple([formats] if isinstance(formats, str) else formats)
            checked(player)
        from lastcard.processes import start
        from lastcard.troubles import tell_troubles

        tell_troubles(os.environ)
        code = start(player, run_settings)
    except LastcardError as error:
        print_error(error, program="bot")
        code = exit_code(error)
    sys.exit(code)
