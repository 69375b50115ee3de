"""What the processes of a house are told, looked at before any of them is started."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ladder.settings import LadderSettings
from referee import settings as referee_settings
from workers.house.doors import Doors
from workers.settings import WorkerSettings, archive_of

__all__ = ["check", "check_archive"]


def check(environ: Mapping[str, str], doors: Doors) -> None:
    """Check what referee, workers, beat and ladder would find in this environment, at these doors; nothing is made.

    Raises:
        LastcardError: a setting is not what it may be, or a door would be open to the network without TLS.
        StoreError: the address of a store is none.

    """
    WorkerSettings.of(environ)
    replace(LadderSettings.of(environ), grpc=doors.grpc, web=doors.web, metrics=doors.metrics).checked()
    referee_settings.load(index=0, play=doors.play, metrics=None, insecure=False, dev=False, environ=environ)


def check_archive(environ: Mapping[str, str]) -> None:
    """Check that workers could write to the archive, which is made if it is a folder that is not there.

    Raises:
        StoreError: they could not.

    """
    archive_of(WorkerSettings.of(environ)).check()
