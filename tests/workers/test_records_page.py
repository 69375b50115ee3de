"""Records of a match from the ladder's pages: whole, verifiable, and not before it is over."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from ladder.errors import NotReachableError, WrongStateError
from ladder.store import Store
from ladder.store.archive import Archive
from ladder.store.shelf import Trimmed
from ladder.web import records
from ladder.web.records import Records
from ladder.web.refusals import refused
from lastcard.cli import main
from lastcard.errors import LastcardError
from tests.workers.house import FIELD, NAMES, House, field, of_group, play, spec
from workers.records.closed_match import REVEALED, record_lines

MATCH = "spring.1.1.0"
PATH = f"/api/v1/matches/{MATCH}/records.jsonl"


@pytest.fixture
def begun(house: House) -> House:
    """A match of two meetings is about to be played."""
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta", meetings=2))
    house.look()
    return house


def client(store: Store, made: list[str]) -> httpx.AsyncClient:
    """Return a client of the endpoint, which writes down what it makes."""

    def records_of(store: Store, match: str) -> str:
        made.append(match)
        return record_lines(store, match)

    app = Starlette(routes=[Records(store, records_of).route()], exception_handlers={LastcardError: refused})
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://ladder")


async def test_what_is_kept_is_bounded_by_its_size(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long records push others out; short ones are made once."""
    monkeypatch.setattr(records, "MOST_CHARACTERS", 100)
    made: list[str] = []

    def records_of(_store: Store, match: str) -> str:
        made.append(match)
        return "x" * int(match)

    app = Starlette(routes=[Records(store, records_of).route()])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://ladder") as http:
        for match in ("30", "50", "30", "200", "200", "30", "50"):
            answer = await http.get(PATH.replace(MATCH, match))
            assert len(answer.text) == int(match)
    assert made == ["30", "50", "200", "30", "50"]


async def test_records_are_downloaded_and_verify(begun: House, tmp_path: Path) -> None:
    """Refused while the match is played, whole after it, made once, and true by `game verify`."""
    made: list[str] = []
    async with client(begun.store, made) as http:
        early = await http.get(PATH)
        begun.play("spring")
        answers = [await http.get(PATH) for _ in range(2)]
        odd: list[httpx.Response] = [await http.get(PATH.replace(MATCH, name)) for name in ("spring.9.9.0", "no%20id")]
    assert (early.status_code, early.json()["error"]["reason"]) == (409, "WRONG_STATE")
    assert [one.status_code for one in (*answers, *odd)] == [200, 200, 404, 400]
    assert made == [MATCH, MATCH, "spring.9.9.0"]
    assert answers[0].headers["content-disposition"] == f'attachment; filename="{MATCH}.jsonl"'
    assert answers[0].text == answers[1].text
    games = [json.loads(line) for line in answers[0].text.splitlines()]
    assert [record["game_id"] for record in games] == [f"{MATCH}/{m}/{g}" for m in (0, 1) for g in (0, 1)]
    file = tmp_path / "records.jsonl"
    file.write_text(answers[0].text, "utf-8")
    assert main(["game", "verify", str(file)]) == 0


def test_records_come_from_the_archive_where_the_ledger_has_the_log_no_longer(begun: House, tmp_path: Path) -> None:
    """They are the same; where the archive does not give it, that is said."""
    begun.play("spring")
    plain = record_lines(begun.store, MATCH)
    archive = Archive(str(tmp_path))
    told = {"tenant": begun.store.keys.tenant, "role": "test", "archive": archive, "allow_volatile": True}
    with Store.open(begun.store.link.url, **told) as store:  # type: ignore[arg-type]
        assert store.shelf.write([store.matches.get(MATCH)]) == 1
        store.gifts.give_up(MATCH, "spring")
        assert store.shelf.trim(store.matches.get(MATCH)) is Trimmed.OK
        assert record_lines(store, MATCH) == plain
        for file in tmp_path.rglob("*.jsonl.gz"):
            file.unlink()
        with pytest.raises(NotReachableError, match="does not give them now"), fresh(store) as other:
            record_lines(other, MATCH)


def test_records_wait_for_the_referee_that_shows_what_was_secret(house: House) -> None:
    """Whose user may not read what is secret is told that it is a matter of seconds, and has the same records then."""
    house.enter(*NAMES, formats=(FIELD,))
    house.create(field())
    house.look()
    group = of_group(house)
    play(house, [row.id for row in group])
    house.lookout.look(house.now_ms + 1000)
    house.work()
    (row, *_) = house.store.matches.rows([group[0].id])
    assert (row.state in REVEALED, row.sealed, row.shown) == (True, False, False)
    keys, url = house.store.keys, house.store.link.url
    prefix = keys.seed("").removesuffix("seed:")
    public = [f"~{prefix}{part}*" for part in ("[^s]", "s[^e]")]
    house.store.link.read("ACL", "SETUSER", "narrow", "on", ">pw", "resetkeys", *public, "+@all", "-config", "-acl")
    narrow = url.replace("://", "://narrow:pw@", 1)
    with Store.open(narrow, tenant=keys.tenant, role="test", allow_volatile=True) as store:
        with pytest.raises(WrongStateError, match="a second or two from now") as refusal:
            record_lines(store, row.id)
        assert refusal.value.reason == "NOT_SHOWN"
        assert house.store.reveals.carry_out()
        assert record_lines(store, row.id) == record_lines(house.store, row.id)
    house.store.link.read("ACL", "DELUSER", "narrow")


def fresh(store: Store) -> Store:
    """Open the same ledger and archive again, with nothing remembered."""
    archive = store.matches._archive
    assert archive is not None
    told = {"tenant": store.keys.tenant, "role": "test", "allow_volatile": True}
    return Store.open(store.link.url, archive=Archive(archive.url), **told)  # type: ignore[arg-type]
