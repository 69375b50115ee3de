"""Weights that ladders fitted on their own rounds: each holds for what is rated after it, and is never changed."""

import json
from functools import partial
from typing import cast

from ladder.luck import Correction
from ladder.store.audit import Deed, with_deed
from ladder.store.call import Call
from ladder.store.client import Link
from ladder.store.keys import Keys
from ladder.store.replies import WrongKindError
from ladder.store.scripts import script
from ladder.store.unread import UnreadRows
from ladder.timeline import Change


class Weights:
    """Of all ladders of a tenant."""

    def __init__(self, link: Link, keys: Keys) -> None:
        self._link = link
        self._keys = keys
        self.unread = UnreadRows("weights", "luck is taken out by the weights before them")

    def of(self, ladder_format: str) -> tuple[Change, ...]:
        """All changes of a ladder's weights, the earliest first; those that cannot be read are left out."""
        (texts,) = self._link.read_each([["LRANGE", self._keys.ladder(ladder_format, "weights"), 0, -1]])
        if isinstance(texts, WrongKindError):
            self.unread.note(ladder_format, texts)
            return ()
        self.unread.mended(ladder_format)
        numbered = enumerate(cast("list[bytes]", texts), 1)
        return tuple(self.unread.passing((f"{ladder_format} {n}", partial(_change, text)) for n, text in numbered))

    def add(self, ladder_format: str, generation: int, known: int, change: Change, deed: Deed) -> bool:
        """Have weights hold for all that is rated from now on; `from_seq` is what that makes of it.

        Args:
            ladder_format: Whose.
            generation: Of the ladder whose games they were fitted on.
            known: Changes that the caller has seen.
            change: The weights, and what they were fitted on.
            deed: Noted with it.

        Returns:
            False: somebody else was faster, or the ladder was computed anew meanwhile.
        """
        keys = tuple(self._keys.ladder(ladder_format, part) for part in ("weights", "games", "cfg"))
        call = Call(script("weights"), keys, (known, generation, _text(change)))
        return self._link.run(with_deed(self._keys, call, deed)) == b"OK"


def _text(change: Change) -> str:
    fields = {
        "upto_seq": change.upto_seq,
        "matches": change.matches,
        "factor": change.factor,
        "gain": change.gain,
        "at_ms": change.at_ms,
        "weights": change.correction.fields(),
    }
    return json.dumps(fields, sort_keys=False, separators=(",", ":"))


def _change(text: bytes) -> Change:
    """The change that a text says, which begins with the number of the first match that it is about."""
    seq, _, content = text.decode().partition(" ")
    fields = json.loads(content)
    return Change(
        from_seq=int(seq),
        upto_seq=int(fields["upto_seq"]),
        matches=int(fields["matches"]),
        correction=Correction.of(json.dumps(fields["weights"])),
        factor=fields["factor"],
        gain=fields["gain"],
        at_ms=int(fields["at_ms"]),
    )
