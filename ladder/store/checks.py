"""Whether a server may be trusted with the ledger."""

import logging
import time
from dataclasses import dataclass
from typing import Final, cast

from ladder.store.client import Link, ScriptRefusedError
from ladder.store.errors import StoreLoadingError, StoreUnavailableError, UnfitStoreError
from ladder.store.server import MIN_VERSION
from ladder.store.url import without_password
from lastcard.address import LOOPBACK

LOADING_S: Final = 45.0
"""So long a server may go on loading its files: less than any supervisor of ours waits for a process to be ready."""
LOOK_S: Final = 0.1
"""Between two looks at one that loads."""
UNTOLD: Final = (
    "it does not say how often it syncs its append-only file, nor whom it listens to (`CONFIG GET` is refused): "
    "see that it is `appendfsync always`, and that nobody gets in without a password"
)
PAUSES_S: Final = (0.05, 0.1, 0.2, 0.4, 0.8)
"""Before one that does not answer is asked again, as often as a call is tried again."""

_log = logging.getLogger("ladder.store")


@dataclass(frozen=True, slots=True)
class Checks:
    """What a server says of itself."""

    version: str
    """Of Redis, or of Redis as Valkey claims to be it."""
    aof: bool
    """Whether it writes a file of commands."""
    fsync: str
    """`always`, `everysec`, `no`; empty if it does not say."""
    policy: str
    """What it does when memory is full."""
    open_to_all: bool
    """No password, and it listens beyond this machine."""

    def faults(self) -> tuple[str, ...]:
        """Why it would lose what it acknowledged, a sentence each."""
        found = []
        if not self.aof:
            found.append("it keeps no append-only file: set `appendonly yes`")
        elif self.fsync == "no":
            found.append("it never syncs its append-only file: set `appendfsync always`")
        if self.policy != "noeviction":
            found.append(f"it evicts keys when memory is full ({self.policy}): set `maxmemory-policy noeviction`")
        if self.open_to_all:
            found.append("anybody who reaches it may write: set a password (`ACL SETUSER default`) or bind 127.0.0.1")
        return tuple(found)

    def warnings(self) -> tuple[str, ...]:
        """What is allowed but has a price."""
        if self.aof and not self.fsync:
            return (UNTOLD,)
        if self.aof and self.fsync == "everysec":
            return ("a power loss may cost the last second of acknowledged play (`appendfsync everysec`)",)
        return ()


def check(link: Link, loading_s: float = LOADING_S) -> Checks:
    """Asks a server, once it has loaded its files: before that it has none, by its own account.

    Raises:
        StoreLoadingError: It still loads them after `loading_s` seconds.
        StoreUnavailableError: It does not answer.
        UnfitStoreError: It is too old.
    """
    persistence = _loaded(link, loading_s)
    server, memory = _info(link, "server"), _info(link, "memory")
    version = server["redis_version"]
    if tuple(map(int, version.split(".")[:2])) < MIN_VERSION:
        needed = ".".join(map(str, MIN_VERSION))
        raise UnfitStoreError(
            f"the store at {without_password(link.url)} is version {version}; {needed} or newer is needed",
            field="url",
            value=version,
            allowed=f">= {needed}",
        )
    return Checks(
        version=version,
        aof=persistence["aof_enabled"] == "1",
        fsync=_setting(link, "appendfsync"),
        policy=memory["maxmemory_policy"],
        open_to_all=_open_to_all(link),
    )


def demand(checks: Checks, url: str, *, allow_volatile: bool) -> tuple[str, ...]:
    """What to warn of.

    Raises:
        UnfitStoreError: The server would lose what it acknowledged, and that is not allowed.
    """
    faults = checks.faults()
    if faults and not allow_volatile:
        raise UnfitStoreError(
            f"the store at {without_password(url)} cannot be trusted: {'; '.join(faults)}; "
            "or allow a volatile store, for trying things out",
            field="url",
            value=without_password(url),
            allowed="appendonly yes, appendfsync always, maxmemory-policy noeviction",
        )
    return (*faults, *checks.warnings())


def _loaded(link: Link, loading_s: float) -> dict[str, str]:
    """What a server says of its files once it has loaded them; that it is waited for is said once."""
    shown, until = without_password(link.url), time.monotonic() + loading_s
    with Link(link.url, role="look", retries=0) as quick:
        said = _persistence(quick)
        if _share(said):
            _log.warning("the store at %s loads its files; waiting for it, %.0f s at most", shown, loading_s)
        while done := _share(said):
            if time.monotonic() >= until:
                sentence = f"the store at {shown} still loads its files, {done} by now; try again when it has"
                raise StoreLoadingError(sentence, value=shown)
            time.sleep(LOOK_S)
            said = _persistence(quick)
    return said


def _persistence(quick: Link) -> dict[str, str]:
    """What a server says of its files; nothing while it says no more than that it loads them."""
    for pause_s in PAUSES_S:
        try:
            return _persistence_now(quick)
        except StoreUnavailableError:  # it is away, or too busy with its files to answer in time
            time.sleep(pause_s)
    return _persistence_now(quick)


def _persistence_now(quick: Link) -> dict[str, str]:
    try:
        return _info(quick, "persistence")
    except StoreLoadingError:
        return {}


def _share(said: dict[str, str]) -> str:
    """How much of its files a server has loaded; empty: all."""
    if not said:
        return "a part"
    return f"{said.get('loading_loaded_perc', '0')} %" if said["loading"] == "1" else ""


def _info(link: Link, section: str) -> dict[str, str]:
    content = cast("dict[str, object]", link.read("INFO", section))
    return {field: str(value) for field, value in content.items()}


def _setting(link: Link, name: str) -> str:
    """A setting of the server; empty where this user may not ask."""
    try:
        reply = cast("dict[bytes, bytes]", link.read("CONFIG", "GET", name))
    except (UnfitStoreError, ScriptRefusedError):
        return ""
    return reply.get(name.encode(), b"").decode()


def _open_to_all(link: Link) -> bool:
    binds = _setting(link, "bind").split()
    beyond = [address for address in binds if address.lstrip("-") not in LOOPBACK]
    listens = _setting(link, "port") not in {"", "0"}
    return listens and bool(beyond) and _nopass(link) and _setting(link, "protected-mode") != "yes"


def _nopass(link: Link) -> bool:
    try:
        users = cast("list[bytes]", link.read("ACL", "LIST"))
    except (UnfitStoreError, ScriptRefusedError):
        return False
    return any({"default", "on", "nopass"} <= set(user.decode().split()) for user in users)
