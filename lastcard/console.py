"""What every command prints for programs, and how it says that something is wrong."""

from __future__ import annotations

import json
import re
import sys
from typing import Any, Final

from lastcard.errors import ExitCode

REASON: Final = re.compile(r"[A-Z][A-Z0-9_]*")


def print_json(value: object) -> None:
    """Write `value` to stdout as one JSON document on one line, which is what `--json` promises."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def is_typed(error: BaseException) -> bool:
    """Return whether `error` is one of ours: it carries a stable `reason` in capitals, whatever room it comes from."""
    reason = getattr(error, "reason", None)
    return isinstance(reason, str) and REASON.fullmatch(reason) is not None


def exit_code(error: BaseException) -> int:
    """Return the exit code of a typed error; those of the pure modules know none and are bad input."""
    return int(getattr(error, "exit_code", ExitCode.BAD_INPUT))


def error_object(error: BaseException) -> dict[str, Any]:
    """Return a typed error as every `--json` shows it; what it does not carry is null or empty."""
    field = getattr(error, "field", None) or getattr(error, "name", None) or None
    allowed = getattr(error, "allowed", None) or ()
    return {
        "error": {
            "reason": getattr(error, "reason", "INTERNAL"),
            "message": str(error),
            "field": field,
            "value": plain(getattr(error, "value", None)) if field else None,
            "allowed": [plain(item) for item in ([allowed] if isinstance(allowed, str) else allowed)],
        }
    }


def plain(value: object) -> object:
    """Return `value` if JSON has it, else its text."""
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 match`, `2 matches`; without `many` an s makes the plural."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def print_error(error: BaseException, *, as_json: bool = False, program: str = "lastcard") -> None:
    """Write an error to stderr: a sentence, or with `as_json` the JSON object."""
    text = json.dumps(error_object(error), ensure_ascii=False) if as_json else f"{program}: {error}"
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
