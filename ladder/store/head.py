"""The head of a match: `epoch-seq-chain`, the one string that is fence, order, duplicate test and tamper evidence."""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

CHAIN_DIGITS: Final = 16
_TAIL: Final = CHAIN_DIGITS + 1


def first_head(match: str, match_format: str, ruleset: str, entrants: Sequence[str]) -> str:
    """Head of a match that nobody has claimed; its chain names what is to be played."""
    content = {"entrants": list(entrants), "format": match_format, "id": match, "ruleset": ruleset}
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"0-0-{sha256(canonical.encode()).hexdigest()[:CHAIN_DIGITS]}"


def next_head(old: str, data: bytes) -> str:
    """Head after one more entry in the same epoch."""
    epoch, seq, chain = old.split("-")
    return f"{epoch}-{int(seq) + 1}-{_link(chain, data)}"


def next_epoch(old: str, data: bytes) -> str:
    """Head after the entry that opens the next epoch: a claim or a release."""
    epoch, _, chain = old.split("-")
    return f"{int(epoch) + 1}-0-{_link(chain, data)}"


def entry_id(head: str) -> str:
    """The stream id of the entry that led to this head: `epoch-seq`."""
    return head[:-_TAIL]


def _link(chain: str, data: bytes) -> str:
    return sha256(chain.encode() + data).hexdigest()[:CHAIN_DIGITS]
