"""Secret seeds that the deals of a tournament follow from."""

import secrets

from ladder.store.errors import BadInputError
from ladder.store.hosting import SEED_BYTES
from lastcard.secret import Secret


def new_seed() -> Secret:
    """A secret seed for the deals of a tournament."""
    return Secret(secrets.token_bytes(SEED_BYTES))


def given(seed: bytes | Secret | None) -> Secret:
    """The given deal seed, or a new one.

    Raises:
        BadInputError: BAD_SEED.
    """
    found = new_seed() if seed is None else Secret(seed)
    if len(found) != SEED_BYTES:
        allowed = f"{SEED_BYTES} bytes"
        raise BadInputError(
            f"a deal seed has {allowed}, not {len(found)}", reason="BAD_SEED", field="deal_seed", allowed=allowed
        )
    return found
