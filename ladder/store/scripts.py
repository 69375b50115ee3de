"""The registered Lua scripts: the only writers of the store."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha1
from importlib.resources import files
from typing import Final

NAMES: Final = (
    "annul",
    "append",
    "archived",
    "audit",
    "beat",
    "claim",
    "close",
    "commit",
    "count",
    "drop",
    "enter",
    "fit",
    "house_put",
    "house_want",
    "leave",
    "link",
    "luck",
    "operator",
    "pepper",
    "place",
    "plan",
    "presence",
    "probe",
    "put_away",
    "put_off",
    "rate",
    "ready",
    "register",
    "release",
    "renew_begin",
    "renew_put",
    "renew_switch",
    "report",
    "requeue",
    "retire",
    "reveal",
    "revoke",
    "rotate",
    "scene",
    "seal",
    "settle",
    "spoil",
    "stop",
    "sweep",
    "tick",
    "tournament_create",
    "tournament_end",
    "tournament_move",
    "tournament_note",
    "trim",
    "undue",
    "unlink",
    "unready",
    "unseal",
    "unsupported",
    "used",
    "version",
    "vouch",
    "void_before",
    "watch",
    "weights",
)
NOTED: Final = (
    *("annul", "drop", "link", "operator", "plan", "register", "requeue", "retire", "revoke", "rotate", "stop"),
    *("tournament_create", "tournament_end", "tournament_move", "unlink", "vouch", "weights"),
)
"""What an operator's verb may be behind: `noted` writes down who did it, too."""
_INCLUDE: Final = "-- with "


@dataclass(frozen=True, slots=True)
class Script:
    """A script: its name, its text, and the SHA-1 under which a server that knows it runs it."""

    name: str
    text: str
    sha: str


@cache
def script(name: str) -> Script:
    """The script of this name. `-- with NAME` lines are replaced by the shared functions in `_NAME.lua`."""
    return _made(name, _text(name))


@cache
def noted(name: str) -> Script:
    """The same script, which notes a verb in the audit where it did what it was asked for: both or none."""
    return _made(f"{name} noted", f"local function act(KEYS, ARGV)\n{_text(name)}\nend\n{_text('_noted')}")


@cache
def every() -> tuple[Script, ...]:
    """All scripts, for loading them ahead."""
    return (*map(script, NAMES), *map(noted, NOTED))


def _made(name: str, text: str) -> Script:
    return Script(name, text, sha1(text.encode(), usedforsecurity=False).hexdigest())


def _text(name: str) -> str:
    lines = files("ladder.store").joinpath("lua", f"{name}.lua").read_text(encoding="utf-8").splitlines()
    return "\n".join(_text(f"_{line.removeprefix(_INCLUDE)}") if line.startswith(_INCLUDE) else line for line in lines)
