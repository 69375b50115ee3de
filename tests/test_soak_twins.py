"""`./dev soak twins`: its script ends with the run, whatever became of the tournament."""

from __future__ import annotations

import random
import threading
from types import SimpleNamespace
from typing import cast

from tests.patience import PATIENCE_S
from tests.soak.twins import Pauses
from workers.tournaments.client import TournamentClient


def test_who_waits_for_a_pause_gives_up_when_the_run_is_over() -> None:
    """Also where the tournament never comes as far."""
    stuck = SimpleNamespace(get=lambda _name: SimpleNamespace(matches_done=0))
    pauses, over = Pauses(cast("TournamentClient", stuck), random.Random(1), after=(1,)), threading.Event()
    script = threading.Thread(target=pauses.run, args=(over,), daemon=True)
    script.start()
    over.set()
    script.join(PATIENCE_S)
    assert not script.is_alive()
    assert pauses.paused == []
