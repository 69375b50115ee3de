"""How full the store, its disk and the logs that wait for the archive are: what stops referees from taking more on."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from ladder.store.client import Link
from ladder.store.keys import Keys

MOST_MEMORY: Final = 0.70
"""Share of the store's limit (of the machine's memory, where it has none)."""
HALT_MEMORY: Final = 0.85
"""Above this share games stand still: what is left is for their ends, and for making room."""
LEAST_DISK: Final = 0.10
LEAST_DISK_BYTES: Final = 2 * 1024**3
"""Free on the disk: the smaller of this and a tenth of the disk, so that a large disk is not called full."""
MOST_UNARCHIVED: Final = 1024**3
"""Bytes of logs of settled matches that are still in the store."""
WRITTEN: Final = {
    "aof_last_write_status": "its append-only file",
    "aof_last_bgrewrite_status": "that file anew",
    "rdb_last_bgsave_status": "its copy",
}
"""Fields of `INFO persistence` that are `ok`, or not, after the last try."""
SAMPLE: Final = 16
"""Of these logs, so many are measured; the others count as their mean."""
MIB: Final = 1024**2


@dataclass(frozen=True, slots=True)
class Strain:
    """What was measured at one moment, in bytes."""

    memory: int
    memory_limit: int
    """0: unknown."""
    unarchived: int
    disk_free: int
    disk: int
    """0: the store's disk cannot be seen from here."""
    unwritten: tuple[str, ...] = ()
    """Files that the store could not write when it last tried."""

    @property
    def halts(self) -> bool:
        """Whether what was begun has to stand still, too."""
        return self.memory_limit > 0 and self.memory > HALT_MEMORY * self.memory_limit

    def reasons(self) -> tuple[str, ...]:
        """Why nothing more may be taken on, a sentence each; none: all is well."""
        found = []
        if self.memory_limit and self.memory > MOST_MEMORY * self.memory_limit:
            share = self.memory / self.memory_limit
            still = f", and games stand still above {HALT_MEMORY:.0%}" if self.halts else ""
            found.append(
                f"the store uses {share:.0%} of its {self.memory_limit // MIB} MiB of memory, at most "
                f"{MOST_MEMORY:.0%} are allowed{still}: raise `maxmemory`, or archive sooner (LASTCARD_ARCHIVE_AFTER_S)"
            )
        if self.disk and self.disk_free < min(LEAST_DISK * self.disk, LEAST_DISK_BYTES):
            found.append(f"only {self.disk_free // MIB} MiB are free on the disk of the state folder: make room")
        if self.unwritten:
            what = " and ".join(self.unwritten)
            found.append(f"the store could not write {what}: see its log, make room on its disk, and `BGREWRITEAOF`")
        if self.unarchived > MOST_UNARCHIVED:
            found.append(
                f"{self.unarchived // MIB} MiB of logs wait for the archive, at most {MOST_UNARCHIVED // MIB} are "
                "allowed: see why workers do not archive (LASTCARD_ARCHIVE)"
            )
        return tuple(found)


def measure(link: Link, keys: Keys, folder: Path | None = None) -> Strain:
    """Measures a store; `folder`: on the disk where its files are, None where that is another machine's.

    How full another machine's disk is no store says, only that it could not write.
    """
    files = cast("dict[str, object]", link.read("INFO", "persistence"))
    memory = cast("dict[str, object]", link.read("INFO", "memory"))
    limit = int(str(memory.get("maxmemory", 0))) or int(str(memory.get("total_system_memory", 0)))
    disk = shutil.disk_usage(_there(folder)) if folder else None
    return Strain(
        memory=int(str(memory["used_memory"])),
        memory_limit=limit,
        unarchived=_unarchived(link, keys),
        disk_free=disk.free if disk else 0,
        disk=disk.total if disk else 0,
        unwritten=tuple(what for field, what in WRITTEN.items() if files.get(field, "ok") != "ok"),
    )


def _unarchived(link: Link, keys: Keys) -> int:
    """About how many bytes the logs take that wait for the archive."""
    count = cast("int", link.read("ZCARD", keys.unarchived))
    if not count:
        return 0
    matches = link.ranked("ZRANGE", keys.unarchived, 0, SAMPLE - 1)
    sizes = link.read_all([["MEMORY", "USAGE", keys.shown_log(match)] for match in matches])
    known = [cast("int", size) for size in sizes if size is not None]
    return count * sum(known) // len(known) if known else 0


def _there(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    return next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
