"""From what a person types to a bot: a house bot by name, any other as `module:Class`."""

import importlib
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import lastcard
import lastcard.bot
from lastcard.bot import Bot, as_bot
from lastcard.errors import InputError
from referee.bots import BOTS, UnknownBotError, make


def find(text: str, seed: int) -> Bot:
    """Return the bot that `text` names: a house bot, perhaps with a setting behind a colon, or one of your own.

    `module:Name` may be a class of bots, a bot, or a function of a turn. A class whose constructor takes `seed` is
    given it, like every house bot.

    Raises:
        UnknownBotError: it is no `module:Name`, and no house bot has this name.
        InputError: the module or the name cannot be loaded, or is no bot; or a house bot has no such setting.
    """
    module_name, colon, name = text.partition(":")
    if not colon and ("/" in text or text.endswith(".py")):
        module = Path(text).stem if text.endswith(".py") else "module"
        sentence = f"{text!r} is a path, and no bot's name: in the folder of the file name its class, as {module}:Class"
        raise UnknownBotError("UNKNOWN_BOT", sentence, field="bot", value=text, allowed=BOTS)
    if not colon or (module_name in BOTS and not (name.isidentifier() and _lies_here(module_name))):
        return make(text, seed)
    return _bot(text, _named(text, _module(text, module_name), name), seed)


def _lies_here(name: str) -> bool:
    """Whether the current folder has a module that is called like a house bot."""
    return Path(f"{name}.py").is_file() or Path(name, "__init__.py").is_file()


def _refused(reason: str, sentence: str, text: str, allowed: tuple[str, ...] = ()) -> InputError:
    return InputError(reason, sentence, field="bot", value=text, allowed=allowed)


def _module(text: str, name: str) -> ModuleType:
    """Import the module of a bot; a script that would run its bot does not run it."""
    try:
        with _nothing_runs():
            module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            sentence = f"there is no module {name!r}: name a file of this folder without `.py`, or an installed module"
            raise _refused("NO_MODULE", sentence, text) from None
        raise _refused("BAD_MODULE", f"module {name!r} cannot be imported: {error}", text) from error
    except (Exception, SystemExit) as error:
        sentence = f"module {name!r} cannot be imported: {type(error).__name__}: {error}"
        raise _refused("BAD_MODULE", sentence, text) from error
    if _lies_here(name) and Path(module.__file__ or "").parent.resolve() not in {Path.cwd(), Path.cwd() / name}:
        sentence = f"module {name!r} is one of Python's own or installed, not your {name}.py: rename your file"
        raise _refused("OTHER_MODULE", sentence, text)
    return module


@contextmanager
def _nothing_runs() -> Iterator[None]:
    """Within it `lastcard.run` does nothing, so that a bot's own script can be imported as it is."""
    original: Callable[..., None] = lastcard.bot.run

    def stay(*_: object, **__: object) -> None:
        """Run nothing."""

    vars(lastcard)["run"] = vars(lastcard.bot)["run"] = stay
    try:
        yield
    finally:
        vars(lastcard)["run"] = vars(lastcard.bot)["run"] = original


def _named(text: str, module: ModuleType, name: str) -> Any:  # noqa: ANN401 (whatever stands there)
    if name and hasattr(module, name):
        return getattr(module, name)
    bots = tuple(
        key for key, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Bot) and value is not Bot
    )  # fmt: skip
    hint = f"it has {', '.join(bots)}" if bots else "it has no class of bots"
    raise _refused("NO_SUCH_CLASS", f"module {module.__name__!r} has no {name!r}; {hint}", text, bots)


def _bot(text: str, what: Any, seed: int) -> Bot:  # noqa: ANN401 (as above)
    """Return the bot that `what` is, or makes."""
    try:
        if isinstance(what, type) and "seed" in inspect.signature(what).parameters:
            what = what(seed=seed)
        return as_bot(what)
    except InputError:
        raise
    except Exception as error:
        sentence = f"{text} cannot be made: {type(error).__name__}: {error}"
        raise _refused("BAD_BOT", sentence, text) from error
