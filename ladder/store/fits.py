"""The fit of a ladder: ratings of all its games at once, computed by workers, served beside the live ones."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import cast

from ladder.standings import Fitted
from ladder.store.call import Call
from ladder.store.client import Link
from ladder.store.keys import Keys
from ladder.store.scripts import script
from ladder.store.unread import UnreadRows


@dataclass(frozen=True, slots=True)
class LadderFit:
    """What all games of a ladder say together."""

    generation: int
    """Of the ladder whose games these are."""
    seq: int
    """Number of the last match among them."""
    at_ms: int
    """When it was computed."""
    took_ms: int
    """How long that took."""
    pending: int
    """Matches whose luck is still to be computed."""
    rows: Mapping[str, Fitted]
    """By `name@n`; who never played is not in it."""
    since: Mapping[str, int] | None = field(default_factory=dict)
    """Versions of the weights by which luck is taken out, to the number of the first match of each; in that order.

    None: the first release computed it, which did not say.
    """

    def text(self) -> str:
        """As it is kept."""
        rows = {bot: asdict(row) for bot, row in sorted(self.rows.items())}
        content = {"took_ms": self.took_ms, "pending": self.pending, "rows": rows, "since": self.since}
        return json.dumps(content, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class FitState:
    """How a ladder and its fit stand to each other."""

    format: str
    generation: int
    seq: int
    """Matches applied."""
    fit: LadderFit | None


class Fits:
    """Of all ladders of a tenant."""

    def __init__(self, link: Link, keys: Keys) -> None:
        self._link = link
        self._keys = keys
        self.unread = UnreadRows("fit", "it is computed again")
        self.unread_ladders = UnreadRows("ladder")

    def put(self, ladder_format: str, fit: LadderFit) -> bool:
        """Keeps a fit. False: one of later games is there, or the ladder was computed anew meanwhile."""
        keys = (self._keys.ladder(ladder_format, "fit"), self._keys.ladder(ladder_format, "cfg"))
        args = (fit.generation, fit.seq, fit.at_ms, fit.text())
        return self._link.run(Call(script("fit"), keys, args)) == b"OK"

    def get(self, ladder_format: str) -> LadderFit | None:
        """The fit of a ladder that is served; None: there is none yet, or matches of it were declared void."""
        state = self.state(ladder_format)
        return state.fit if state.fit and state.fit.generation == state.generation else None

    def state(self, ladder_format: str) -> FitState:
        """How far a ladder and its fit are; a fit that cannot be read is none, and is computed again."""
        fit, cfg, games = (self._keys.ladder(ladder_format, part) for part in ("fit", "cfg", "games"))
        reads = [["HMGET", fit, "generation", "seq", "at_ms", "text"], ["HGET", cfg, "generation"]]
        kept, generation, seq = self._link.read_all([*reads, ["HGET", games, "#seq"]], atomic=True)
        found = self.unread.passing([(ladder_format, partial(_fit, cast("list[bytes | None]", kept)))])
        return FitState(ladder_format, _number(generation), _number(seq), found[0] if found else None)

    def states(self) -> list[FitState]:
        """The same of every ladder of which it can be read, by format."""
        names = sorted(self._link.texts(self._keys.formats))
        return self.unread_ladders.passing((name, partial(self.state, name)) for name in names)


def _fit(fields: list[bytes | None]) -> LadderFit | None:
    generation, seq, at_ms, text = fields
    if text is None:
        return None
    content = json.loads(text)
    rows = {bot: Fitted(**row) for bot, row in content["rows"].items()}
    counts = _number(generation), _number(seq), _number(at_ms), int(content["took_ms"]), int(content["pending"])
    return LadderFit(*counts, rows, content.get("since"))


def _number(reply: object) -> int:
    return int(cast("bytes | None", reply) or b"0")
