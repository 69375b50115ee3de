"""What two descriptions of a tournament differ in, in the words of those who type them."""

import json
from contextlib import suppress
from typing import Final

_UNITS: Final = ("_ms", "_s")


def told_differences(kept: str, asked: str) -> str:
    """Return how a sentence about another description goes on: ` (it differs in grace and meetings)`.

    Args:
        kept: JSON of that which is there; what cannot be read is not compared.
        asked: JSON of the other one. Where both are the same the seeds of their deals are not.
    """
    there, here = {}, json.loads(asked)
    with suppress(ValueError):
        there = json.loads(kept)
    if not isinstance(there, dict) or not there:
        return ""
    fields = sorted(field for field in there.keys() | here.keys() if there.get(field) != here.get(field))
    names = [_typed(field) for field in fields] or ["the seed of the deals"]
    return f" (it differs in {' and '.join(filter(None, (', '.join(names[:-1]), names[-1])))})"


def _typed(field: str) -> str:
    for unit in _UNITS:
        field = field.removesuffix(unit)
    return field.replace("_", "-")
