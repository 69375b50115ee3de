"""Where people find whose doing the time of a decision was: commands, records, the page of a match and the API."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from ladder.app import LadderApp
from ladder.store.head import next_head
from ladder.web import times
from ladder.web.times import ON_PAGE, DecisionTimes
from ladder.web.told import Told
from lastcard.cli import main
from tests.ladder_running import Reached, reached, settings_for
from tests.patience import PATIENCE_S
from tests.workers.house import House, spec
from tests.workers.small_referee import SLOW
from workers.engine import teams_of
from workers.records.closed_match import decision_times, record_lines

pytestmark = pytest.mark.slow

MATCH = "spring.1.1.0"
PATH = f"/api/v1/matches/{MATCH}/timing"
CHARGED, GIVEN_BACK, THOUGHT = SLOW
WHY = "network or the bot's queue: 3.8 s; platform: 900 ms, given back; thinking: 250 ms"


@pytest.fixture
def played(house: House, ledger_url: str, monkeypatch: pytest.MonkeyPatch) -> House:
    """A match of two games, in each of which the first answer was slow; the caller is an operator."""
    monkeypatch.setenv("LASTCARD_REDIS_URL", ledger_url)
    monkeypatch.setenv("LASTCARD_TENANT", house.store.keys.tenant)
    monkeypatch.setenv("LASTCARD_ALLOW_VOLATILE", "1")
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta", meetings=1))
    house.referee.slow = True
    return house


@pytest_asyncio.fixture
async def ladder(played: House, ledger_url: str, tmp_path: Path) -> AsyncIterator[Reached]:
    """The pages of that house."""
    settings = settings_for(ledger_url, played.store.keys.tenant, tmp_path)
    async with (
        LadderApp(settings, teams_of, Told(record_lines, decision_times)) as app,
        reached(await app.start()) as found,
    ):
        yield found


def typed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Type a command and return what it wrote."""
    capsys.readouterr()
    assert main(["game", *words]) == 0
    return capsys.readouterr().out


def test_game_show_tells_whose_doing_it_was(played: House, capsys: pytest.CaptureFixture[str]) -> None:
    """Below the moves of the round, for people and for programs."""
    played.play("spring")
    out = typed(capsys, "show", MATCH, "--game", "1")
    [line] = [" ".join(line.split()) for line in out.splitlines() if "thinking" in line]
    assert line.startswith("1 alpha@1 ")
    assert line.endswith(f"4.9 s 250 ms 4.0 s 900 ms - {WHY}")
    for game in json.loads(typed(capsys, "show", MATCH, "--json"))["games"]:
        [played_round] = game["rounds"]
        [told] = played_round["timing"]
        assert (told["act"], told["taken_ms"]) == (1, CHARGED + GIVEN_BACK)
        assert told["seat"] == played_round["steps"][told["act"]]["move"]["seat"]
        assert (told["blame"], told["why"], told["overstated"]) == ("network or the bot's queue", WHY, False)
        assert {"decision", "sent_ms", "charged_ms", "given_back_ms", "thought_ms", "fault"} <= told.keys()


def test_records_have_it_and_verify(played: House, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The file alone tells as much; as text, too."""
    played.play("spring")
    file, text = tmp_path / "games.jsonl", tmp_path / "games.txt"
    typed(capsys, "export", MATCH, "--out", str(file))
    assert [len(json.loads(line)["timing"]) for line in file.read_text("utf-8").splitlines()] == [1, 1]
    text.write_text(typed(capsys, "show", str(file), "--text"), "utf-8")
    for source in (file, text):
        typed(capsys, "verify", str(source))
        assert WHY in typed(capsys, "show", str(source), "--game", "2")


def test_a_fast_match_has_nothing_to_tell(played: House, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither in its records nor where they are shown."""
    played.referee.slow = False
    played.play("spring")
    assert "slow, late and wrong" not in typed(capsys, "show", MATCH)
    assert "timing" not in typed(capsys, "export", MATCH)
    assert decision_times(played.store, MATCH) == []


async def test_the_page_of_a_match_and_the_api_tell_it(played: House, ladder: Reached) -> None:
    """Not before the match is over; then every such decision, with bot, game and round."""
    await asyncio.to_thread(played.look)
    early = await ladder.http.get(PATH)
    await asyncio.to_thread(played.play, "spring")
    page, answer = await ladder.http.get(f"/matches/{MATCH}"), await ladder.http.get(PATH)
    assert (early.status_code, early.json()["error"]["reason"]) == (409, "WRONG_STATE")
    told = answer.json()
    assert told["match"] == MATCH
    records = map(json.loads, record_lines(played.store, MATCH).splitlines())
    first = [record["bots"][record["rounds"][0]["acts"][0]["seat"]] for record in records]
    assert [(one["game"], one["round"], one["bot"], one["why"]) for one in told["decisions"]] == [
        (number, 1, bot, WHY) for number, bot in enumerate(first, 1)
    ]
    assert "2 decisions: faults, answers after 100 ms or more" in page.text
    assert page.text.count(WHY.replace("'", "&#39;")) == 2
    assert "4.90 s" in page.text
    assert f'href="{PATH}"' in page.text


async def test_a_fast_match_has_no_such_part_on_its_page(played: House, ladder: Reached) -> None:
    """What there is nothing of is not shown."""
    played.referee.slow = False
    await asyncio.to_thread(played.play, "spring")
    page, answer = await ladder.http.get(f"/matches/{MATCH}"), await ladder.http.get(PATH)
    assert "Slow, late and wrong" not in page.text
    assert answer.json()["decisions"] == []


async def test_a_changed_log_tells_nothing(played: House, ladder: Reached) -> None:
    """Neither the API nor the page, which says why."""
    await asyncio.to_thread(played.play, "spring")
    head = played.store.matches.head(MATCH)
    played.store.link.read("SET", played.store.keys.head(MATCH), next_head(head, b"more"))
    answer, page = await ladder.http.get(PATH), await ladder.http.get(f"/matches/{MATCH}")
    assert (answer.status_code, answer.json()["error"]["reason"]) == (409, "UNPROVEN")
    assert page.status_code == 200
    assert f"the log of {MATCH} was changed" in page.text


@pytest.mark.parametrize("part", ["log", "seed"])
async def test_a_damaged_match_has_its_page_all_the_same(played: House, ladder: Reached, part: str) -> None:
    """Which says what cannot be read; the API refuses."""
    await asyncio.to_thread(played.play, "spring")
    keys, write = played.store.keys, played.store.link.read
    write("DEL", keys.shown_log(MATCH) if part == "log" else keys.shown_seed(MATCH))
    if part == "log":
        write("SET", keys.shown_log(MATCH), "no stream")
    answer, page = await ladder.http.get(PATH), await ladder.http.get(f"/matches/{MATCH}")
    assert (answer.status_code, answer.json()["error"]["reason"]) == (409, "DAMAGED_MATCH")
    assert page.status_code == 200
    assert f"match {MATCH} cannot be read" in page.text


def line(number: int, **changes: object) -> dict[str, Any]:
    """Return a decision as a page is told of it."""
    return {"game": number, "fault": None, "given_back_ms": 0, "taken_ms": 100 + number} | changes


def test_a_page_shows_what_matters_most(played: House) -> None:
    """Faults, then what was given back, then the longest, in the order of the match."""
    played.play("spring")
    lines = [line(n) for n in range(2 * ON_PAGE)]
    lines[3], lines[7] = line(3, fault="late"), line(7, given_back_ms=1)
    view = DecisionTimes(played.store, lambda _store, _match: lines).view(played.store.matches.get(MATCH))
    assert view is not None
    assert (len(view.lines), view.of) == (ON_PAGE, 2 * ON_PAGE)
    assert [one["game"] for one in view.lines] == [3, 7, *range(ON_PAGE + 2, 2 * ON_PAGE)]


def test_a_page_waits_for_nobody_long(played: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another match is read it says so, instead of keeping a thread that other pages need."""
    monkeypatch.setattr(times, "PATIENCE_S", 0.01)
    played.play("spring")
    reading, done = threading.Event(), threading.Event()

    def times_of(_store: object, match: str) -> list[dict[str, Any]]:
        if match == "long":
            reading.set()
            assert done.wait(PATIENCE_S)
        return [line(0)]

    decisions = DecisionTimes(played.store, times_of)
    other = threading.Thread(target=decisions.get, args=("long",))
    other.start()
    assert reading.wait(PATIENCE_S)
    row = played.store.matches.get(MATCH)
    busy = decisions.view(row)
    done.set()
    other.join()
    free = decisions.view(row)
    assert busy is not None
    assert free is not None
    assert (busy.refused, busy.lines) == (f"{times.BUSY}; come back in a moment", ())
    assert (free.refused, len(free.lines)) == ("", 1)


def test_what_is_kept_is_bounded(played: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long ones push others out; short ones are read once."""
    monkeypatch.setattr(times, "MOST_DECISIONS", 10)
    read: list[str] = []

    def times_of(_store: object, match: str) -> list[dict[str, Any]]:
        read.append(match)
        return [line(n) for n in range(int(match))]

    kept = DecisionTimes(played.store, times_of)
    for match in ("3", "5", "3", "20", "20", "3"):
        assert len(kept.get(match)) == int(match)
    assert read == ["3", "5", "20", "3"]
