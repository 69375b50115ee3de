"""How every command is called rightly, and what it needs: the ground on which bad calls are made from good ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from importlib import import_module
from typing import Any, Final

import click

from lastcard.cli import commands


class Need(Enum):
    """What a command cannot do without."""

    NOTHING = auto()
    LADDER = auto()
    STORE = auto()
    STORE_AND_PEPPER = auto()
    MACHINE = auto()
    """It starts processes; a store of its own will do."""


@dataclass(frozen=True, slots=True)
class Usage:
    """A right call: arguments, what it needs, and whether it prints JSON when asked to."""

    arguments: tuple[str, ...] = ()
    needs: Need = Need.NOTHING
    json: bool = True


SPRING: Final = ("spring", "--format", "uno-classic-2", "--bots", "alpha,beta")
USAGES: Final[dict[str, Usage]] = {
    "audit list": Usage(needs=Need.STORE),
    "bot check": Usage(("greedy", "--only", "plays")),
    "bot link": Usage(("Ada", "Bob"), Need.STORE),
    "bot list": Usage(needs=Need.LADDER),
    "bot log": Usage(("first-bot",), Need.LADDER),
    "bot new": Usage(("first-bot",), json=False),
    "bot register": Usage(("first-bot", "--owner", "Ada"), Need.LADDER),
    "bot vouch": Usage(("first-bot",), Need.STORE),
    "bot retire": Usage(("first-bot",), Need.STORE),
    "bot revoke": Usage(("first-bot",), Need.STORE),
    "bot rotate": Usage(("first-bot",), Need.STORE_AND_PEPPER),
    "bot show": Usage(("first-bot",), Need.LADDER),
    "bot token": Usage(("first-bot",), Need.LADDER),
    "demo": Usage(("--exit",), Need.MACHINE),
    "doctor": Usage(),
    "export": Usage(("spring", "out"), Need.STORE),
    "formats list": Usage(),
    "formats show": Usage(("uno-classic-2",)),
    "game export": Usage(("spring.1.1.0",), Need.STORE, json=False),
    "game fork": Usage(("spring.1.1.0", "--at", "3"), Need.STORE, json=False),
    "game replay": Usage(("spring.1.1.0", "--to", "3"), Need.STORE),
    "game show": Usage(("spring.1.1.0",), Need.STORE),
    "game verify": Usage(("spring.1.1.0",), Need.STORE),
    "game watch": Usage(("spring.1.1.0",), Need.LADDER),
    "ladder audit": Usage(needs=Need.STORE),
    "ladder history": Usage(("uno-classic-2",), Need.STORE),
    "ladder rebuild": Usage(needs=Need.STORE),
    "ladder show": Usage(("uno-classic-2",), Need.LADDER),
    "operator list": Usage(needs=Need.STORE),
    "operator new": Usage(("Ada",), Need.STORE_AND_PEPPER),
    "operator revoke": Usage(("aaaaaaaaaa",), Need.STORE),
    "play": Usage(("--format", "uno-classic-2", "--bots", "first,random", "--meetings", "1")),
    "serve beat": Usage(needs=Need.STORE, json=False),
    "serve ladder": Usage(needs=Need.STORE_AND_PEPPER, json=False),
    "serve referee": Usage(needs=Need.STORE_AND_PEPPER, json=False),
    "serve worker": Usage(needs=Need.STORE, json=False),
    "sprt": Usage(("first", "random", "--max-meetings", "10")),
    "top": Usage(("--once",), Need.STORE),
    "tournament cancel": Usage(("spring",), Need.LADDER),
    "tournament create": Usage(SPRING, Need.LADDER),
    "tournament list": Usage(needs=Need.LADDER),
    "tournament pause": Usage(("spring",), Need.LADDER),
    "tournament plan": Usage(SPRING, Need.LADDER),
    "tournament requeue": Usage(("spring.1.1.0",), Need.LADDER),
    "tournament resume": Usage(("spring",), Need.LADDER),
    "tournament show": Usage(("spring",), Need.LADDER),
    "tournament void": Usage(("spring.1.1.0", "--reason", "broken"), Need.LADDER),
    "tournament watch": Usage(("spring",), Need.LADDER),
    "up": Usage(needs=Need.MACHINE),
}


def needing(*needs: Need) -> list[str]:
    """Return the commands that need one of these."""
    return [name for name, usage in sorted(USAGES.items()) if usage.needs in needs]


def command(name: str) -> Any:  # noqa: ANN401 - a click command, or a function of arguments
    """Return what stands behind a command's words."""
    module, _, attribute = commands()[name][1].partition(":")
    return getattr(import_module(module), attribute)


def typed_options(name: str) -> Iterator[tuple[str, str]]:
    """Yield (option, value) of a command for values that the type of an option does not have."""
    found = command(name)
    if isinstance(found, click.Command):
        for parameter in found.params:
            if isinstance(parameter, click.Option) and not parameter.is_flag:
                yield from ((parameter.opts[0], value) for value in _not_of(parameter.type))


def _not_of(kind: object) -> Iterator[str]:
    if isinstance(kind, click.IntRange):
        yield from ("x", "1.5", "\N{ARABIC-INDIC DIGIT THREE}x", "")
        if kind.min is not None:
            yield str(kind.min - 1)
        if kind.max is not None:
            yield str(kind.max + 1)
    elif kind is click.INT:
        yield from ("x", "1e3", "")
    elif isinstance(kind, click.Choice):
        yield "nonsense"
