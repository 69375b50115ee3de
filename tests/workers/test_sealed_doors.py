"""Every door of a running house, while tables of a deal group still play: nothing of its cards comes out of any."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections.abc import AsyncIterator, Awaitable, Iterator
from pathlib import Path
from typing import Any, cast

import grpc
import pytest

from ladder.app import LadderApp
from ladder.door.turnstile import Turnstile
from ladder.settings import LadderSettings
from ladder.store.rows import MatchRow
from ladder.web.told import Told
from lastcard.cli import main
from lastcard.v1 import ladder_pb2 as ladder_messages
from lastcard.v1 import tournament_pb2 as tournament_messages
from lastcard.v1.tournament_pb2_grpc import TournamentServiceStub
from tests.ladder_running import Reached, reached, settings_for
from tests.workers.house import FIELD, NAMES, House, field, play_group
from workers.engine import teams_of
from workers.records.closed_match import decision_times, record_lines
from workers.tournaments.service import SERVICE, TournamentService

pytestmark = pytest.mark.slow

MOST_PAGES = 120
MANY = 40
STARTS = ("/", "/ladders", "/bots", "/tournaments", "/matches", "/api/v1", "/api/v1/matches", f"/ladders/{FIELD}")
Place = tuple[str, bytes]


def hidden(house: House, row: MatchRow) -> dict[str, bytes]:
    """Return what a match of a group must not show, as it might be written: seed, ends of its games, who has its deals.

    And links to its records and to the times of its decisions, which are refused.
    """
    hidden = house.store.matches.seed(row.id)
    assert hidden is not None
    seed = hidden.reveal()
    games = [game for meeting in json.loads(row.result)["meetings"] for game in meeting["games"]]
    ends = {f"end of game {number}": game["digest"].encode() for number, game in enumerate(games)}
    written = {"seed": seed, "seed, hex": seed.hex().encode(), "seed, base64": base64.b64encode(seed).rstrip(b"=")}
    committed = {"commitment": row.commitment.encode(), "commitment, bytes": bytes.fromhex(row.commitment)}
    link = {f"link to {what}": f"/api/v1/matches/{row.id}/{what}".encode() for what in ("records.jsonl", "timing")}
    return written | ends | {"digest": row.digest.encode()} | committed | link


async def pages(ladder: Reached, match: str) -> AsyncIterator[Place]:
    """Yield every page that links lead to, and those of one match."""
    waiting = [*STARTS, f"/matches/{match}", f"/api/v1/matches/{match}", f"/api/v1/matches/{match}/live"]
    waiting.append(f"/api/v1/matches/{match}/records")
    seen = set(waiting)
    for path in waiting:  # grows
        answer = await ladder.http.get(path)
        yield path, answer.content
        new = set(re.findall(r'(?:href|src)="(/[^"#]*)"', answer.text)) - seen
        waiting += sorted(link.replace("&amp;", "&") for link in new)[: MOST_PAGES - len(waiting)]
        seen |= new


async def calls(ladder: Reached, match: str) -> AsyncIterator[Place]:
    """Yield the answer of every call that reads, and the first of every one that watches."""
    one, other = ladder.stub, cast("Any", TournamentServiceStub(ladder.channel))
    yield "GetMatch", await _told(one.GetMatch(ladder_messages.GetMatchRequest(id=match)))
    yield "ListMatches", await _told(one.ListMatches(ladder_messages.ListMatchesRequest(tournament="spring")))
    yield "ListStandings", await _told(one.ListStandings(ladder_messages.ListStandingsRequest(format=FIELD)))
    yield "GetBot", await _told(one.GetBot(ladder_messages.GetBotRequest(name=NAMES[0])))
    yield "Get", await _told(other.Get(tournament_messages.GetRequest(name="spring")))
    yield "List", await _told(other.List(tournament_messages.ListRequest()))
    for watching in (
        one.WatchMatch(ladder_messages.WatchMatchRequest(id=match)),
        one.WatchStandings(ladder_messages.WatchStandingsRequest(format=FIELD)),
        other.Watch(tournament_messages.WatchRequest(name="spring")),
    ):
        yield "Watch", await _told(watching.read())
        watching.cancel()


async def _told(answer: Awaitable[Any]) -> bytes:
    """Return the bytes of an answer, or the words of a refusal: the ladder of sealed matches has not begun."""
    try:
        return bytes((await answer).SerializeToString())
    except grpc.aio.AioRpcError as refused:
        return str(refused.details()).encode()


def commands(match: str, folder: Path) -> Iterator[Place]:
    """Yield what the commands write that read the ledger themselves, seeds included."""
    main(["game", "export", match, "--out", str(folder / "games.jsonl")])
    main(["export", "spring", str(folder / "out")])
    yield from ((file.name, file.read_bytes()) for file in folder.rglob("*") if file.is_file())


def prepared(house: House, url: str, folder: Path) -> LadderSettings:
    """Return the settings of a ladder over the ledger of a house, with a folder of its own."""
    (folder / "files").mkdir(parents=True)
    (folder / "pepper").write_text(bytes(32).hex(), "ascii")
    (folder / "pepper").chmod(0o600)
    return settings_for(url, house.store.keys.tenant, folder)


async def through_every_door(house: House, url: str, folder: Path, row: MatchRow) -> tuple[list[str], int]:
    """Return what was found of a match and where, and how many places were looked at."""
    settings = await asyncio.to_thread(prepared, house, url, folder)
    seen = []
    async with LadderApp(settings, teams_of, Told(record_lines, decision_times)) as app:
        service = TournamentService(house.desk, app.reads.summaries, app.reads.luck, Turnstile())
        app.rpc.add(SERVICE, service.register)
        async with reached(await app.start()) as ladder:
            for look in (pages, calls):
                seen += [place async for place in look(ladder, row.id)]
        service.close()
    seen += await asyncio.to_thread(lambda: list(commands(row.id, folder / "files")))
    secrets = hidden(house, row)
    found = [f"{name} in {place}" for place, text in seen for name, secret in secrets.items() if secret in text]
    return found, sum(bool(text) for _, text in seen)


@pytest.mark.slow
@pytest.mark.parametrize(
    "void", [pytest.param(False, id="closed"), pytest.param(True, id="void", marks=pytest.mark.thorough)]
)
async def test_a_sealed_match_is_behind_every_door(
    house: House, ledger_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, void: bool
) -> None:
    """Pages, API, calls, streams and files show nothing of it; when the last table is over, the same look finds all.

    Of one that was declared void once it was played it finds what it was committed to, and nothing of what was played.
    """
    monkeypatch.setenv("LASTCARD_REDIS_URL", ledger_url)
    monkeypatch.setenv("LASTCARD_TENANT", house.store.keys.tenant)
    monkeypatch.setenv("LASTCARD_ALLOW_VOLATILE", "1")
    house.enter(*NAMES, formats=(FIELD,))
    house.create(field())
    house.referee.slow = True
    house.look()
    (sealed, *_) = house.store.matches.rows(house.referee.play(house.now_ms, 3))
    if void:
        house.desk.void(sealed.id, "wrong deck", "tester")
    house.look()
    found, looked = await through_every_door(house, ledger_url, tmp_path / "before", sealed)
    assert found == []
    assert looked > MANY
    play_group(house)
    (shown,) = house.store.matches.rows([sealed.id])
    found, _ = await through_every_door(house, ledger_url, tmp_path / "after", shown)
    names = {line.partition(" in ")[0] for line in found}
    assert names >= {"commitment", "commitment, bytes"}
    assert names & {"end of game 0", "digest"} == (set() if void else {"end of game 0", "digest"})
    assert "seed, hex" in names  # of the group: it stands in the records of the other tables
    assert ("link to records.jsonl" in names, "link to timing" in names) == (not void, not void)
