"""How an error is told in a log: what it says may quote what stands in the ledger, and that may be a secret."""

import re
from collections.abc import Iterator
from traceback import format_tb
from typing import Final

LONGEST: Final = 300
"""Of what a log line repeats of an error."""
LIKE_A_SECRET: Final = re.compile(
    r"""(?:\bb|bytearray\(b)\\*['"].*"""  # bytes, and all behind them
    r"""|[A-Za-z0-9+/_=-]{32,}|\b[0-9A-Fa-f]{14,}\b"""  # tokens, MACs, seeds, keys; hands in hex
    r"""|(?:\b\d{1,3},\s*){4,}\d{1,3}"""  # hands as numbers
    r"""|(?:\b[RYGBCDWS][A-Z0-9+#]{0,2}\b['"]?,?\s*['"]?){5,}""",  # and as faces
    re.DOTALL,
)
"""An error may quote what stands there, and what is damaged may be anything: a line that went to another place, too."""
MASKED: Final = "(…)"


def told(error: BaseException) -> str:
    """What kind of error it is and what it says, without what may be a secret in the place of what was expected."""
    return f"{type(error).__name__}: {LIKE_A_SECRET.sub(MASKED, str(error))}"[:LONGEST]


def traced(error: BaseException) -> str:
    """Where an error comes from, with those that led to it, each as it is `told`."""
    return "".join(_traced(error, set())).rstrip("\n")


def _traced(error: BaseException, known: set[int]) -> Iterator[str]:
    known.add(id(error))
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None and id(before) not in known:
        yield from _traced(before, known)
        yield "which led to\n"
    yield "Traceback (most recent call last):\n"
    yield from format_tb(error.__traceback__)
    yield f"{told(error)}\n"
    if isinstance(error, BaseExceptionGroup):
        for number, one in enumerate(error.exceptions, 1):
            if id(one) not in known:
                yield f"{number} of {len(error.exceptions)}: "
                yield from _traced(one, known)
