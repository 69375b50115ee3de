from __future__ import annotations

from dataclasses import fields, replace

import pytest
from click import Command

from lastcard.errors import InputError
from workers.house.demo import demo
from workers.house.doors import Doors, RefereeDoors
from workers.house.up import up

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


@pytest.mark.parametrize("command", [pytest.param(up, id="up"), pytest.param(demo, id="demo")])
def test_every_address_of_one_referee_can_be_chosen(command: Command) -> None:
    """By an option of its name: whoever scrapes, or lets bots in through a firewall, needs to know the port."""
    options = {parameter.name for parameter in command.params}
    assert {field.name for field in fields(Doors)} - {"referees"} <= options


def test_free_doors_are_free() -> None:
    """Nothing has to be looked for twice."""
    Doors.free().require_free()


def test_two_things_cannot_listen_at_one_address() -> None:
    """The sentence names both."""
    doors = Doors.free()
    with pytest.raises(InputError, match="is wanted for grpc and for web: choose another with --web"):
        replace(doors, web=doors.grpc).require_free()


def test_the_doors_of_further_referees_count_up() -> None:
    """Bots, trunk and metrics; one alone has no trunk."""
    two = replace(Doors.standard(), referees=2)
    assert two.all_referees() == [
        RefereeDoors("127.0.0.1:7410", "127.0.0.1:7510", "127.0.0.1:7431"),
        RefereeDoors("127.0.0.1:7411", "127.0.0.1:7511", "127.0.0.1:7432"),
    ]
    assert len(two.all_metrics()) == 3
    assert Doors.standard().all_referees() == [RefereeDoors("127.0.0.1:7410", "none", "127.0.0.1:7431")]


def test_a_door_of_a_further_referee_is_looked_at_too() -> None:
    """It could be the ladder's."""
    doors = replace(Doors.free(), referees=2)
    with pytest.raises(InputError, match="is wanted for grpc and for play"):
        replace(doors, grpc=doors.of_referee(1).play).require_free()


def test_port_zero_is_a_free_one_that_everybody_is_told() -> None:
    """Each time another one, at the host that was given."""
    zero = "127.0.0.1:0"
    doors = Doors.standard().moved(**dict.fromkeys(NONE, zero), referee_metrics=zero)
    doors.require_free()
    addresses = {doors.play, doors.grpc, doors.web, doors.metrics, doors.referee_metrics}
    assert len(addresses) == 5
    assert zero not in addresses
    assert Doors.standard().moved(web="[::1]:0").web.startswith("[::1]:")
