"""Files and sockets that a process may have open: many systems begin with 1,024, and a port takes more connections."""

import resource
from typing import Final

ENOUGH: Final = 65_536


def allow() -> None:
    """Let this process, and those that it starts, have enough open, or as many as its user may."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = ENOUGH if most == resource.RLIM_INFINITY else min(ENOUGH, most)
    if now != resource.RLIM_INFINITY and now < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
