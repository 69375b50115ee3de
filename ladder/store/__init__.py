"""Everything that touches Redis: keys, scripts, and the parts of the ledger."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ladder.store.store import Store

__all__ = ["Store"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - of any type, as modules have them
    """Return the ledger when it is first asked for: who wants a name or an error of it alone loads no Redis."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ladder.store.store import Store

    return Store
