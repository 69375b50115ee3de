"""What the processes of a house are told, looked at before any of them is started."""

from __future__ import annotations

from collections.abc import Mapping

from ladder.settings import LadderSettings
from referee import settings as referee_settings
from workers.settings import WorkerSettings, archive_of

__all__ = ["check", "check_archive"]


def check(environ: Mapping[str, str]) -> None:
    """Check the settings that referee, workers, beat and ladder would find in this environment; nothing is made.

    Raises:
        LastcardError: one of them is not what it may be.
        StoreError: the address of a store is none.

    """
    WorkerSettings.of(environ)
    LadderSettings.of(environ)
    referee_settings.load(index=0, play=None, metrics=None, insecure=False, dev=False, environ=environ)


def check_archive(environ: Mapping[str, str]) -> None:
    """Check that workers could write to the archive, which is made if it is a folder that is not there.

    Raises:
        StoreError: they could not.

    """
    archive_of(WorkerSettings.of(environ)).check()
