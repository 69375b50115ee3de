"""Tournaments whose rows cannot be read: what is left of them, and the call that ends them with the rest made up."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from ladder.store.audit import Deed, with_deed
from ladder.store.call import Call
from ladder.store.client import Link
from ladder.store.errors import UnknownError
from ladder.store.keys import Keys
from ladder.store.replies import WrongKindError
from ladder.store.scripts import script
from ladder.store.tournaments import OVER, TournamentRow
from ladder.store.unread import CAUSES

CANCELLED: Final = "cancelled"


@dataclass(frozen=True, slots=True)
class Left:
    """A tournament as far as it can be read."""

    fields: Mapping[str, str]
    """What can be read of the hash."""
    damaged: Mapping[bytes, str]
    """What cannot, as far as it is text."""


class Salvage:
    """Rows of tournaments of a tenant that cannot be read."""

    def __init__(self, link: Link, keys: Keys) -> None:
        self._link = link
        self._keys = keys

    def left(self, name: str) -> Left:
        """What can be read of a tournament; nothing where something else stands in its place."""
        (found,) = self._link.each_hash([self._keys.tournament(name)])
        least = {"name": name, "spec": "{}", "state": CANCELLED, "commitment": ""}
        fields, damaged = dict[str, str](), dict[bytes, str]()
        for key, value in ({} if isinstance(found, WrongKindError) else found).items():
            try:
                TournamentRow.of({**least, key.decode(): value.decode()}, None)
            except CAUSES:
                damaged[key] = value.decode(errors="replace")
            else:
                fields[key.decode()] = value.decode()
        if fields.get("name", name) != name:
            damaged[b"name"] = fields.pop("name")
        return Left(fields, damaged)

    def commitment(self, name: str) -> str:
        """What the deals of a tournament were committed to by; empty where nobody can say."""
        (kept,) = self._link.raw_fields(self._keys.commitments, (name,)).values()
        if kept is not None:
            return kept.decode(errors="replace")
        seed = self._link.raw(self._keys.shown_deal_seed(name))  # one that was made before commitments were kept apart
        return sha256(seed).hexdigest() if seed else ""

    def created_ms(self, name: str) -> int:
        """When a tournament was created, by the list of all."""
        score = self._link.read("ZSCORE", self._keys.tournaments, name)
        return int(score) if isinstance(score, float) else 0

    def end(self, name: str, left: Left, made_up: Mapping[str, str | int], deed: Deed) -> None:
        """Ends a tournament, unless it is over: `made_up` stands in the place of what cannot be read of it.

        Raises:
            UnknownError: There is no such tournament.
        """
        state = left.fields["state"] if left.fields.get("state") in OVER else CANCELLED
        whole = {field: value for field, value in made_up.items() if field not in left.fields}
        whole |= {"name": name, "reason": deed.reason}
        words = [word for field in whole.items() for word in field]
        where = (self._keys.tournament(name), self._keys.tournaments_open, self._keys.tournament_open(name))
        keys = (*where, self._keys.due, self._keys.tournament_sealed(name), self._keys.reveals)
        args = (name, state, self._keys.match(""), len(left.damaged), *left.damaged, *words)
        if self._link.run(with_deed(self._keys, Call(script("tournament_end"), keys, args), deed)) == b"UNKNOWN":
            raise UnknownError(
                f"there is no tournament {name!r}", reason="UNKNOWN_TOURNAMENT", field="tournament", value=name
            )
