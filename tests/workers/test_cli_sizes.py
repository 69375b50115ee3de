"""`lastcard tournament create --size`: a size is kept, and reckoned when it is known who plays."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

import pytest

from ladder import shapes
from ladder.errors import InvalidFieldError
from ladder.readings.fixtures import Fixtures
from ladder.readings.tournament_tables import TournamentTables
from ladder.readings.voids import Voids
from ladder.readings.waits import Waits
from ladder.rpc.dial import Dial
from lastcard.cli import main
from tests.workers.house import House, spec
from tests.workers.organiser import printed
from tests.workers.small_referee import FORMAT, playing
from workers.tournaments.client import TournamentClient
from workers.tournaments.spec import Size
from workers.tournaments.tournament_text import other_than

FOUR: Final = "uno-classic-4"


def _seated(shop: House, *names: str) -> None:
    shop.referee.seat(playing([f"{name}@1" for name in names], formats=(FORMAT, FOUR)))


def test_a_size_is_reckoned_when_it_begins(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """Until then the same call is the same, whoever is there; what is said before is what it comes to at that time."""
    shop.register(f"bot-{number}" for number in range(5))
    start = datetime.fromtimestamp(shop.now_ms / 1000 + 3600, UTC).isoformat()
    words = ["spring", "--format", FOUR, "--all", "--start", start, "--json", "--size", "quick"]
    _seated(shop, "alpha", "beta", "gamma", "bot-0")
    assert main(["tournament", "create", *words]) == 0
    assert printed(capsys)["meetings"] == 50
    shop.look()
    _seated(shop, "alpha", "beta", "gamma", *(f"bot-{number}" for number in range(5)))
    assert main(["tournament", "create", *words]) == 0
    again = printed(capsys)
    assert (again["existed"], again["size"], again["meetings"]) == (True, "quick", 2)
    assert main(["tournament", "plan", *words]) == 0
    plan = printed(capsys)["plan"]
    assert isinstance(plan, dict)
    assert plan["per_pairing"] == 2
    assert main(["tournament", "show", "spring"]) == 0
    assert (
        "size quick: 2 meetings of each pairing or table, with the bots that would play now" in capsys.readouterr().out
    )
    shop.look(3_600_000)
    shop.look()
    _seated(shop, "alpha", "beta", "gamma", "bot-0")
    assert main(["tournament", "create", *words]) == 0
    begun = printed(capsys)
    assert (begun["existed"], begun["meetings"], len(begun["entrants"])) == (True, 2, 8)  # type: ignore[arg-type]
    assert {row.meetings for row in shop.store.matches.every("spring")} == {2}
    assert main(["tournament", "create", *words[:-1], "fine"]) == 2


def test_a_size_needs_nobody_to_be_there(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """It waits, as without a size."""
    _seated(shop)
    assert main(["tournament", "create", "spring", "--format", FOUR, "--all", "--size", "fine", "--json"]) == 0
    assert printed(capsys)["meetings"] is None
    shop.look()
    assert main(["tournament", "show", "spring"]) == 0
    assert "size fine: its meetings are reckoned when it begins" in capsys.readouterr().out


def test_meetings_that_an_older_command_has_reckoned_are_a_size(
    shop: House, capsys: pytest.CaptureFixture[str]
) -> None:
    """It kept only what its size came to: the same size again is the same, another one is not."""
    words = ["tournament", "create", "spring", "--format", FORMAT, "--all", "--json"]
    assert main([*words, "--meetings", "10"]) == 0
    assert main([*words, "--size", "fine"]) == 2
    capsys.readouterr()
    assert main([*words, "--size", "quick"]) == 0
    kept = printed(capsys)
    assert (kept["existed"], kept["size"], kept["meetings"]) == (True, None, 10)


def test_an_older_ladder_that_knows_no_sizes_is_named(shop: House) -> None:
    """It plays the meetings that it takes for the default."""
    with Dial.of() as dial:
        status = TournamentClient(dial).create(spec("spring", "alpha", "beta", meetings=50)).status
    (sentence,) = other_than(replace(status.spec, meetings=0, size=Size.FINE), status)
    assert "knows no sizes: this is 50 meetings of each pairing" in sentence
    assert other_than(status.spec, status) == ()


def test_pages_know_a_size_and_once_it_has_begun_its_meetings(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """The same as the command says; before the start only commands reckon with who is there."""

    def of_pages() -> tuple[object, object]:
        store = shop.store
        tables, waits = TournamentTables(store.matches, store.ratings), Waits(store.registry, store.presence)
        shape = shapes.fixture(Fixtures(store.tournaments, tables, waits, Voids(store.matches)).get("spring"))
        return shape["size"], shape["meetings"]

    _seated(shop)
    assert main(["tournament", "create", "spring", "--format", FORMAT, "--all", "--size", "quick"]) == 0
    assert of_pages() == ("quick", None)
    _seated(shop, "alpha", "beta")
    shop.look()
    shop.play("spring")
    capsys.readouterr()
    assert main(["tournament", "show", "spring", "--json"]) == 0
    shown = printed(capsys)
    assert of_pages() == (shown["size"], shown["meetings"]) == ("quick", 10)


@pytest.mark.parametrize("call", ["plan", "create"])
def test_a_size_and_meetings_are_refused(shop: House, call: str) -> None:
    """Whoever sends both."""
    asked = replace(spec("spring", "alpha", "beta", meetings=7), size=Size.QUICK)
    with Dial.of() as dial, pytest.raises(InvalidFieldError) as caught:
        getattr(TournamentClient(dial), call)(asked)
    assert caught.value.reason == "SIZE_TWICE"
