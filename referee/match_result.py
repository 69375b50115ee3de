"""How the result of a match is written, so that everybody who has the log comes to the same bytes."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from referee.finished_game import FinishedGame
from referee.logbook import Fault, LeaveReason

FAULT_NAMES: Final = {Fault.LATE: "late", Fault.ILLEGAL: "illegal", Fault.MALFORMED: "malformed"}


def as_json(
    games: Sequence[FinishedGame],
    fault_kinds: Sequence[Mapping[Fault, int]],
    gone: Mapping[int, LeaveReason],
    deals: Sequence[int] | None,
    *,
    walkover: bool,
) -> dict[str, Any]:
    """Return the result of a match as plain JSON values (docs/architecture.md 2).

    Args:
        games: All of its meetings, one after the other.
        fault_kinds: By entrant, how many faults of each kind.
        gone: Why entrants left.
        deals: The number of each game's deal; None: it says nothing of them.
        walkover: Whether nothing was dealt.
    """
    k = len(fault_kinds)
    told = [game.as_json() for game in games]
    return {
        "meetings": [{"games": told[start : start + k]} for start in range(0, len(told), k)],
        "faults": [sum(kinds.values()) for kinds in fault_kinds],
        "fault_kinds": [{FAULT_NAMES[fault]: n for fault, n in kinds.items()} for kinds in fault_kinds],
        "forfeits": [{"entrant": entrant, "reason": reason.name} for entrant, reason in sorted(gone.items())],
        "walkover": walkover,
        **({} if deals is None else {"deals": list(deals)}),
    }


def canonical(value: object) -> str:
    """Return JSON text that is the same for the same value: sorted keys, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
