"""The commands about bots and operators, as they are typed, against a running ladder and its store."""

from __future__ import annotations

import os
import pwd
import stat
from pathlib import Path

import pytest

from ladder.store.errors import BadTokenError
from ladder.store.tokens import Scope
from lastcard.cli import main
from tests.ladder_house import FORMAT, House
from tests.ladder_running import Running
from tests.ladder_service.typed import Type

pytestmark = pytest.mark.slow


async def test_register_prints_the_token_alone_on_stdout(run: Type, ladder: Running) -> None:
    """The token can be sent to a file; what is said about it is elsewhere."""
    said = await run("bot", "register", "my-first-bot")
    token = said.out.strip()
    assert said.code == 0
    assert ladder.app.store.registry.authenticate(token).bot == "my-first-bot"
    assert token not in said.err
    assert "Ada" in said.err


async def test_register_can_write_a_file_that_only_the_author_reads(run: Type, tmp_path: Path, ladder: Running) -> None:
    """The token is in a file of mode 0600 and nowhere else."""
    file = tmp_path / "token"
    said = await run("bot", "register", "my-first-bot", "--token-file", str(file), "--json")
    token = file.read_text().strip()
    assert said.json["token"] is None
    assert token not in said.out + said.err
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert ladder.app.store.registry.authenticate(token).bot == "my-first-bot"


async def test_a_refused_registration_leaves_no_file(run: Type, tmp_path: Path) -> None:
    """The same file can be named again with a better name of the bot."""
    file = tmp_path / "a.token"
    assert (await run("bot", "register", "Bad_Name", "--token-file", str(file))).code == 2
    assert not file.exists()
    assert (await run("bot", "register", "good-name", "--token-file", str(file))).code == 0


async def test_register_as_json(run: Type) -> None:
    """Programs get bot and token."""
    said = await run("bot", "register", "my-first-bot", "--owner", "Grace", "--json")
    assert (said.json["bot"]["name"], said.json["bot"]["owner"], said.json["bot"]["versions"]) == (
        "my-first-bot",
        "Grace",
        [],
    )
    assert said.json["token"].startswith("lcb1_")


@pytest.mark.parametrize(
    ("words", "reason", "field"),
    [
        pytest.param(("bot", "register", "Bad_Name"), "BAD_NAME", "name", id="bad name"),
        pytest.param(("bot", "register", "careful"), "BAD_NAME", "name", id="reserved name"),
        pytest.param(("bot", "register", "fine-one", "--owner", "x" * 65), "BAD_OWNER", "owner", id="long owner"),
        pytest.param(
            ("bot", "register", "fine-one", "--token-file", "/"), "FILE_EXISTS", "token_file", id="file that is there"
        ),
        pytest.param(
            ("bot", "register", "fine-one", "--token-file", "/no/such/folder/t"),
            "BAD_FILE",
            "token_file",
            id="no folder",
        ),
        pytest.param(("bot", "show", "carefull"), "UNKNOWN_BOT", "name", id="unknown bot"),
        pytest.param(("bot", "rotate", "nobody"), "UNKNOWN_BOT", "bot", id="rotate an unknown bot"),
        pytest.param(("bot", "revoke", "nobody"), "UNKNOWN_BOT", "bot", id="revoke an unknown bot"),
        pytest.param(("bot", "retire", "nobody"), "UNKNOWN_BOT", "bot", id="retire an unknown bot"),
        pytest.param(("ladder", "show", "uno-house-9"), "UNKNOWN_FORMAT", "format", id="unknown format"),
        pytest.param(("ladder", "show"), "FORMAT_MISSING", "format", id="no format"),
        pytest.param(("ladder", "show", "a-b", "--format", "c-d"), "FORMAT_TWICE", "format", id="two formats"),
        pytest.param(("ladder", "rebuild", "uno-house-9"), "UNKNOWN_FORMAT", "format", id="rebuild of nothing"),
        pytest.param(("ladder", "history", "uno-house-9"), "UNKNOWN_FORMAT", "format", id="history of nothing"),
        pytest.param(("ladder", "audit", "uno-house-9"), "UNKNOWN_FORMAT", "format", id="audit of nothing"),
        pytest.param(("ladder", "show", FORMAT, "--limit", "0"), "USAGE", None, id="no rows"),
    ],
)
async def test_bad_input_is_a_sentence_and_exit_2(
    run: Type, words: tuple[str, ...], reason: str, field: str | None
) -> None:
    """People get a sentence, programs the same as an object, and nothing is on stdout."""
    for_people, for_programs = await run(*words), await run(*words, "--json")
    assert (for_people.code, for_programs.code) == (2, 2)
    assert for_people.out == for_programs.out == ""
    assert for_people.err.startswith("lastcard: ")
    assert "Traceback" not in for_people.err
    assert (for_programs.error["reason"], for_programs.error["field"]) == (reason, field)
    assert for_programs.error["message"] in for_people.err


async def test_a_ladder_that_does_not_answer_is_exit_3(run: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said where it was looked for."""
    monkeypatch.setenv("LASTCARD_LADDER", "127.0.0.1:1")
    said = await run("bot", "list", "--json")
    assert (said.code, said.error["reason"], said.error["value"]) == (3, "LADDER_UNREACHABLE", "127.0.0.1:1")


async def test_a_store_that_does_not_answer_is_exit_3(run: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """Operators' commands say which store they tried."""
    monkeypatch.setenv("LASTCARD_REDIS_URL", "redis://127.0.0.1:1/0")
    said = await run("ladder", "rebuild", "--json")
    assert (said.code, said.error["reason"]) == (3, "STORE_UNAVAILABLE")


async def test_a_bad_token_is_exit_2(run: Type, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also where none would be needed: a token that is sent has to be good."""
    monkeypatch.setenv("LASTCARD_TOKEN", "lcb1_wrong")
    said = await run("bot", "list", "--json")
    assert (said.code, said.error["reason"]) == (2, "TOKEN_BAD")
    monkeypatch.delenv("LASTCARD_TOKEN")
    file = tmp_path / "old.token"
    file.write_text("lcb1_wrong\n")
    monkeypatch.setenv("LASTCARD_TOKEN_FILE", str(file))
    said = await run("bot", "list", "--json")
    assert said.error["message"].endswith(f"(it is what LASTCARD_TOKEN_FILE={file} gave)")


async def test_list_and_show_bots(run: Type) -> None:
    """The list has all bots by name; a table for people has a line for each."""
    listed, shown, table = (
        await run("bot", "list", "--json"),
        await run("bot", "show", "careful", "--json"),
        await run("bot", "list"),
    )
    assert [bot["name"] for bot in listed.json["bots"]] == ["careful", "first", "greedy", "random"]
    assert shown.json == listed.json["bots"][0]
    assert len([line for line in table.out.splitlines() if "online, house" in line]) == 4


async def test_a_rotated_token_works_and_revoked_ones_do_not(run: Type, house: House) -> None:
    """Rotation keeps the token before valid, revocation ends all, and a new one can be made."""
    rotated = (await run("bot", "rotate", "careful")).out.strip()
    registry = house.store.registry
    assert {registry.authenticate(token).bot for token in (rotated, house.tokens["careful"])} == {"careful"}
    assert (await run("bot", "revoke", "careful", "--json")).json == {"bot": "careful", "revoked": 2}
    for token in (rotated, house.tokens["careful"]):
        with pytest.raises(Exception, match="not valid"):
            registry.authenticate(token)
    assert registry.authenticate((await run("bot", "rotate", "careful")).out.strip()).bot == "careful"
    assert [deed.verb for deed in house.store.audit.tail(10)] == ["rotate", "revoke", "rotate"]


async def test_a_retired_bot_is_shown_as_such(run: Type, house: House) -> None:
    """Its ratings stay."""
    assert (await run("bot", "retire", "careful")).code == 0
    assert house.store.registry.get("careful").retired
    assert (await run("bot", "show", "careful")).out.startswith("careful: retired")
    assert (await run("bot", "show", "careful", "--json")).json["retired"] is True
    listed = {bot["name"]: bot["retired"] for bot in (await run("bot", "list", "--json")).json["bots"]}
    assert [name for name, retired in listed.items() if retired] == ["careful"]
    assert (await run("bot", "retire", "careful", "--undo", "--json")).json == {"bot": "careful", "retired": False}
    assert not house.store.registry.get("careful").retired


async def test_what_operators_did_can_be_read(run: Type, house: House) -> None:
    """Newest first, all of it or what was done to one, for programs and for people."""
    assert "nothing has been done yet" in (await run("audit", "list")).out
    house.store.audit.write("Olga", "void", "cup.1.1.0", "a wrong deal", 1_700_000_000_000)
    await run("bot", "retire", "careful")
    found = (await run("audit", "list", "--json")).json["audit"]
    assert [deed["verb"] for deed in found] == ["retire", "void"]
    assert found[0]["who"] == f"unix:{pwd.getpwuid(os.getuid()).pw_name}"
    assert found[1] == {
        "at": "2023-11-14T22:13:20.000Z",
        "who": "Olga",
        "verb": "void",
        "target": "cup.1.1.0",
        "reason": "a wrong deal",
    }
    assert (await run("audit", "list", "--target", "cup.1.1.0", "--json")).json["audit"] == found[1:]
    assert (await run("audit", "list", "--limit", "1", "--json")).json["audit"] == found[:1]
    assert "a wrong deal" in (await run("audit", "list")).out
    assert "the audit has nothing on 'cup.2.1.0'" in (await run("audit", "list", "--target", "cup.2.1.0")).out
    house.store.audit.write("Olga", "void", "cup.3.1.0", "\x1b[2J of before\n\u202etxet", 1_700_000_000_000)
    shown = (await run("audit", "list", "--target", "cup.3.1.0")).out
    assert "[2J of before txet" in shown
    assert shown.replace("\n", "").isprintable()


async def test_an_organiser_gets_a_token_and_loses_it(run: Type, house: House, tmp_path: Path) -> None:
    """In a file or on stdout; it is listed without its secret, ends by its id, and all of that is audited."""
    assert "there is no token of an operator" in (await run("operator", "list")).out
    file = tmp_path / "ada.token"
    made = await run("operator", "new", "Ada", "--token-file", str(file))
    assert (made.code, made.out) == (0, "")
    token = file.read_text("utf-8").strip()
    identity = house.store.registry.authenticate(token)
    assert (identity.owner, identity.scopes) == ("Ada", frozenset({Scope.ORGANISER}))
    assert (await run("operator", "new", "Bob", "--scope", "admin")).out.startswith("lcb1_")
    listed = (await run("operator", "list", "--json")).json["operators"]
    assert {one["name"]: one["scopes"] for one in listed} == {"Ada": ["organiser"], "Bob": ["admin"]}
    ada, bob = sorted(listed, key=lambda one: str(one["name"]))
    assert (ada["id"], bob["used"]) == (identity.keyid, None)
    assert str(ada["used"]) <= str(ada["created"]) < str(ada["ends"])
    shown = (await run("operator", "list")).out
    assert all(one[column][:10] in shown for one in listed for column in ("created", "ends"))
    assert all(word in shown for word in ("id ", " created ", " ends ", " used", identity.keyid))
    assert token not in shown
    assert (await run("operator", "revoke", identity.keyid)).out == f"the token {identity.keyid} of Ada ended\n"
    with pytest.raises(BadTokenError):
        house.store.registry.authenticate(token)
    again = await run("operator", "revoke", identity.keyid, "--json")
    assert (again.code, again.error["reason"]) == (2, "UNKNOWN_TOKEN")
    assert again.error["field"] == "id"
    deeds = [(deed.verb, deed.target) for deed in house.store.audit.tail(10)]
    assert deeds == [("revoke", "operator:Ada"), ("grant", "operator:Bob"), ("grant", "operator:Ada")]


@pytest.mark.parametrize(
    "verb", ["bot rotate", "bot revoke", "bot link", "bot retire", "bot vouch", "operator new", "operator revoke"]
)
def test_what_acts_at_the_store_says_so(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Its help does: a token that is set changes nothing, the audit has the user of the machine."""
    assert main([*verb.split(), "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "acts at the store, with its password and without a token; the audit names you as unix:USER." in told


async def test_an_operator_vouches_for_a_bot_of_before(run: Type, house: House) -> None:
    """What changes is in the audit, once."""
    house.store.registry.register("ann-bot", "Ann")
    refused = await run("bot", "vouch", "nobody", "--json")
    assert (refused.code, refused.error["reason"]) == (2, "UNKNOWN_BOT")
    assert (await run("bot", "vouch", "ann-bot")).out == "ann-bot is vouched for as a bot of Ann\n"
    found = await run("bot", "vouch", "ann-bot", "--json")
    assert found.json == {"bot": "ann-bot", "owner": "Ann", "vouched": True}
    assert house.store.registry.get("ann-bot").vouched
    assert (await run("bot", "vouch", "ann-bot", "--undo")).out.startswith("ann-bot is vouched for no more")
    assert not house.store.registry.get("ann-bot").vouched
    deeds = [(deed.verb, deed.target) for deed in house.store.audit.tail(2)]
    assert deeds == [("unvouch", "ann-bot"), ("vouch", "ann-bot")]


async def test_linked_owners_are_listed_and_audited(run: Type, house: House) -> None:
    """An operator links and parts them; who owns no bot, or stands alone, is told what would be right."""
    for bot, owner in (("ann-bot", "Ann"), ("ben-bot", "Ben"), ("cid-bot", "Cid")):
        house.store.registry.register(bot, owner)
    assert (await run("bot", "link")).out == "every owner stands for itself\n"
    assert (await run("bot", "link", "Ann", "Ben", "--json")).json == {"linked": [["Ann", "Ben"]]}
    assert (await run("bot", "link", "Cid", "Ben", "--json")).json == {"linked": [["Ann", "Ben", "Cid"]]}
    assert (await run("bot", "link", "Cid", "Ann")).out == "one owner: Ann, Ben, Cid\n"
    assert (await run("bot", "link", "--undo", "Cid", "--json")).json == {"linked": [["Ann", "Ben"]]}
    deeds = [(deed.verb, deed.target, deed.reason) for deed in house.store.audit.tail(3)]
    assert deeds == [("unlink", "owner:Cid", ""), ("link", "owner:Cid", "Cid Ben"), ("link", "owner:Ann", "Ann Ben")]
    for words, reason in (
        (("Ann", "Dan"), "UNKNOWN_OWNER"),
        (("Ann",), "OWNERS"),
        (("--undo", "Dan"), "UNKNOWN_OWNER"),
        (("--undo",), "BAD_ARGUMENTS"),
        (("--undo", "Cid", "Ann"), "BAD_ARGUMENTS"),
    ):
        refused = await run("bot", "link", *words, "--json")
        assert (refused.code, refused.error["reason"], refused.error["field"]) == (2, reason, "owner")


async def test_an_author_reads_what_became_of_a_bot(run: Type, house: House) -> None:
    """Every match, newest first; with --faults those that went wrong; unknown names are errors."""
    house.play(house.match("cup.9.9.0", ["careful@1", "random@1"]), faults=[3, 0])
    house.close(house.match("cup.9.9.1", ["careful@1", "random@1"]))
    house.store.matches.annul("cup.9.9.1", "a wrong deal", house.tick())
    every = (await run("bot", "log", "careful", "--json")).json["matches"]
    assert len(every) > 2
    assert all(any(entrant.startswith("careful@") for entrant in match["entrants"]) for match in every)
    wrong = (await run("bot", "log", "careful", "--faults", "--json")).json["matches"]
    assert {"cup.9.9.0", "cup.9.9.1"} <= {match["id"] for match in wrong}
    assert all(match["state"] in {"void", "parked"} or any(match["faults"]) for match in wrong)
    line = next(line for line in (await run("bot", "log", "careful")).out.splitlines() if "cup.9.9.0" in line)
    assert "random@1" in line
    assert len((await run("bot", "log", "careful", "--limit", "1", "--json")).json["matches"]) == 1
    missing = await run("bot", "log", "nobody", "--json")
    assert (missing.code, missing.error["reason"]) == (2, "UNKNOWN_BOT")


async def test_faults_are_found_behind_what_is_newer(run: Type, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as are asked for, however many matches lie before them; what never began or was cancelled is none."""
    monkeypatch.setattr("ladder.client.MOST_PAGE", 2)
    for number in range(3):
        house.play(house.match(f"cup.9.8.{number}", ["careful@1", "random@1"]), faults=[1, 0])
    for number in range(4):
        house.match(f"cup.9.9.{number}", ["careful@1", "random@1"])
    house.store.matches.void("cup.9.9.3", "tournament cup was cancelled", "planner", house.tick())
    house.close(house.match("cup.9.9.4", ["careful@1", "random@1"], tournament="cup"))
    house.store.matches.annul("cup.9.9.4", "tournament cup was cancelled", house.tick())
    found = (await run("bot", "log", "careful", "--faults", "--limit", "2", "--json")).json["matches"]
    assert [match["id"] for match in found] == ["cup.9.8.2", "cup.9.8.1"]
    every = (await run("bot", "log", "careful", "--limit", "5", "--json")).json["matches"]
    assert [match["state"] for match in every] == ["void", "void", "ready", "ready", "ready"]
    assert every[0]["commitment"]


async def test_the_whole_system_at_a_glance(run: Type, house: House) -> None:
    """Queue, referees and what is under way, for people and for programs."""
    house.beat()
    house.tournament("cup", ["careful@1", "random@1"], matches=7)
    found = (await run("top", "--json")).json
    assert found["bots"]["registered"] == house.store.registry.count()
    assert [one["incarnation"] for one in found["referees"]] == list(house.store.matches.referees())
    counts = {"matches": 7, "done": 0, "lost": 0, "parked": 0, "replayed": 0, "games_done": 0}
    assert {"name": "cup", "state": "running", **counts} in found["tournaments"]
    said = (await run("top", "--once")).out
    assert "127.0.0.1:1" in said
    assert "0/7" in said
