"""The store, opened by an operator's command; it asks no server."""

from __future__ import annotations

import os
import pwd
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ladder.door.refusals import refusal_of
from ladder.settings import LadderSettings
from ladder.store import pepper
from ladder.store.archive import Archive
from ladder.store.audit import Deed
from ladder.store.errors import StoreError, StoreUnavailableError
from ladder.store.store import Store
from lastcard.errors import UnreachableError


@contextmanager
def opened_store(*, with_pepper: bool = False) -> Iterator[Store]:
    """Hold the store that the environment names.

    Raises:
        LastcardError: it does not answer, or refuses what is done with it.
    """
    told = LadderSettings.of()
    try:
        secret = pepper.load(told.pepper_file) if with_pepper else None
        with Store.open(
            told.redis_url,
            tenant=told.tenant,
            role="command",
            pepper=secret,
            archive=Archive.of(),
            allow_volatile=told.allow_volatile,
        ) as store:
            yield store
    except StoreUnavailableError as error:
        raise UnreachableError(error.reason, str(error), field="LASTCARD_REDIS_URL") from error
    except StoreError as error:
        known = refusal_of(error)
        raise (known or error) from error


def deed(verb: str, target: str, reason: str = "") -> Deed:
    """Return who does what, for the audit: the user of this machine, who needs no token.

    As the system has it: the environment says whatever anybody wants it to.
    """
    uid = os.getuid()
    try:
        user = pwd.getpwuid(uid).pw_name
    except KeyError:
        user = str(uid)
    return Deed(f"unix:{user}", verb, target, reason, time.time_ns() // 1_000_000)
