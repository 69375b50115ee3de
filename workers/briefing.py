"""What the processes of a house are told, looked at before any of them is started."""

from __future__ import annotations

from collections.abc import Mapping

from ladder.settings import LadderSettings
from referee import settings as referee_settings
from workers.settings import WorkerSettings, archive_of

__all__ = ["check"]


def check(environ: Mapping[str, str]) -> None:
    """Check the settings that referee, workers, beat and ladder would find in this environment.

    Raises:
        LastcardError: one of them is not what it may be.
        StoreError: the address of a store is none, or the archive cannot be written to.

    """
    archive_of(WorkerSettings.of(environ)).check()
    LadderSettings.of(environ)
    referee_settings.load(index=0, play=None, metrics=None, insecure=False, dev=False, environ=environ)
