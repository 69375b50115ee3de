from __future__ import annotations

from dataclasses import replace

import pytest

from lastcard.errors import InputError
from workers.doors import Doors

NONE = {"play": None, "grpc": None, "web": None, "metrics": None}


def test_the_well_known_ports_are_those_of_the_documentation() -> None:
    """Referee 7410 and 7431, ladder 7420, 7421 and 7430, all on loopback."""
    doors = Doors.standard()
    assert doors == Doors(
        play="127.0.0.1:7410",
        grpc="127.0.0.1:7420",
        web="127.0.0.1:7421",
        metrics="127.0.0.1:7430",
        referee_metrics="127.0.0.1:7431",
    )


def test_what_is_given_takes_the_place_of_its_own() -> None:
    """The rest stays."""
    moved = Doors.standard().moved(**NONE | {"web": "127.0.0.1:8080"})
    assert moved == replace(Doors.standard(), web="127.0.0.1:8080")


def test_free_doors_are_free() -> None:
    """Nothing has to be looked for twice."""
    Doors.free().require_free()


def test_two_things_cannot_listen_at_one_address() -> None:
    """The sentence names both."""
    doors = Doors.free()
    with pytest.raises(InputError, match="is wanted for grpc and for web: choose another with --web"):
        replace(doors, web=doors.grpc).require_free()


def test_port_zero_may_be_asked_for_several_times() -> None:
    """It means any free one."""
    zero = "127.0.0.1:0"
    Doors(zero, zero, zero, zero, zero).require_free()
