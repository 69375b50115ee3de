"""Everything that touches Redis: keys, scripts, and the parts of the ledger."""

from ladder.store.store import Store

__all__ = ["Store"]
