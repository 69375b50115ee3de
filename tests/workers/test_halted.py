"""While games stand still because the store is nearly full, nothing is planned."""

from __future__ import annotations

from tests.workers.house import House, spec


def test_a_planner_creates_nothing_while_games_stand_still(house: House) -> None:
    """What is left of the store's memory is for the ends of matches; it goes on by itself."""
    house.enter("alpha", "beta", "gamma")
    house.referee.said = {"halted": True}
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=2))
    for _ in range(3):
        house.look()
    assert house.state("spring").value == "running"
    assert house.store.matches.open_ids() == set()
    house.referee.said = {}
    house.look()
    assert len(house.store.matches.open_ids()) == 3


def test_nothing_is_said_of_the_end_while_games_stand_still(house: House) -> None:
    """It would count down to an end that does not come; how fast it goes is measured anew afterwards."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=40))
    while house.desk.get("spring").eta_s is None:
        house.look(6_000)
        assert house.referee.play(house.now_ms, 1)
    house.referee.said = {"halted": True}
    house.look()
    assert house.desk.get("spring").eta_s is None
    house.referee.said = {}
    while house.desk.get("spring").eta_s is None:
        house.look(6_000)
        assert house.referee.play(house.now_ms, 1)
