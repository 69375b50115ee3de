"""Says whether a game record is true: everything in it follows from the rules, and nobody changed it since.

The rules say nothing of names, of flags that matter nowhere, or of the format's name. A record that this program wrote
therefore carries its digest, which is looked at when everything else is true (see `record.digest`).
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from referee.rules.record import digest
from referee.rules.replay import DivergedError, Divergence, steps

__all__ = ["Divergence", "verify"]

SEALED_BY: Final = "ruleset"
"""A record with this field has a digest, too, so that neither of the two can be lost unseen."""


def verify(record: object) -> Divergence | None:
    """The first thing in a record that does not follow from the rules; None if everything does."""
    try:
        for _ in steps(record):
            pass
    except DivergedError as error:
        return error.divergence
    assert isinstance(record, dict), "anything else diverges"
    return _changed(record)


def _changed(record: Mapping[str, Any]) -> Divergence | None:
    if "digest" not in record and SEALED_BY not in record:
        return None
    written, follows = record.get("digest"), digest(record)
    if written == follows:
        return None
    return Divergence(
        f"digest is {json.dumps(written)}, but {json.dumps(follows)} follows: something that the rules "
        "do not look at was changed"
    )
